"""Which node of the browser's document is which row of a page.

Chromium and our parser follow the same standard, so with scripts off both have the same nodes in the same order and
a box belongs to a row by its place. That is checked, not assumed. Where the two differ (a document that scripts built
need not survive being written and read; Chromium nests no deeper than 512), elements are matched first, by the
numbers that the browser wrote into its document or by what is common at both ends, and then the texts between them.
"""

import re
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.page import Page, parse_page
from tamis.page.columns import ELEMENT, TEXT
from tamis.page.layout import COLUMNS, Layout, Visibility
from tamis.visual.snapshot import Snapshot

Ints = npt.NDArray[np.int64]
#: Elements in the middle of two documents that are compared one by one; the comparison may take quadratic time.
_COMPARED: Final = 3000


def match_layout(page: Page, snapshot: Snapshot, viewport: tuple[int, int], mark: str | None = None) -> Layout:
    """Return the boxes of a page's rows.

    Args:
        page: the page.
        snapshot: the browser's document.
        viewport: the size of its window.
        mark: the attribute that holds the browser's numbers in ``snapshot.html``, if it wrote any.
    """
    if same_rows(page, snapshot):
        return _boxes(snapshot, np.arange(len(page)), viewport, 0)
    partner = np.full(len(page), -1, dtype=np.int64)
    ours, theirs = np.flatnonzero(page.is_element), np.flatnonzero(snapshot.node_type == ELEMENT)
    pairs = _by_mark(page, snapshot, mark) if mark is not None else None
    if pairs is None:
        pairs = _by_sequence(_tags(page), [snapshot.names[tag] for tag in snapshot.tag[theirs]])
    partner[ours[pairs[0]]] = theirs[pairs[1]]
    union = _match_texts(page, snapshot, partner)
    wanted = page.is_element | (page.is_text & (page.nonspace > 0))
    return _boxes(snapshot, partner, viewport, int((wanted & (partner < 0)).sum()), union)


def same_rows(page: Page, snapshot: Snapshot) -> bool:
    """Return whether the browser's nodes are the page's rows, one by one: kinds, tags, lengths of texts."""
    if len(page) != len(snapshot.node_type) or (page.node_type != snapshot.node_type).any():
        return False
    if _tags(page) != [snapshot.names[tag] for tag in snapshot.tag[snapshot.node_type == ELEMENT]]:
        return False
    read = page.offset[1:] > page.offset[:-1]  # scripts and styles have no text here
    return bool((_units(page)[read] == snapshot.length[read]).all())


def unmarked(html: str, mark: str) -> str:
    """Return a document without the browser's numbers.

    >>> unmarked('<p class="x" data-n="3">y</p>', "data-n")
    '<p class="x">y</p>'
    """
    return re.sub(rf' {mark}="\d+"', "", html)


def _tags(page: Page) -> list[str]:
    return [str(page.nodes[row].tag) for row in np.flatnonzero(page.is_element).tolist()]  # type: ignore[attr-defined]


def _units(page: Page) -> Ints:
    """Return the length of each text row as JavaScript counts it."""
    return page.count(np.where(page.codes > 0xFFFF, 2, 1))  # noqa: PLR2004 (the end of the basic plane)


def _by_mark(page: Page, snapshot: Snapshot, mark: str) -> tuple[Ints, Ints] | None:
    """Match elements by the numbers written into the document, None where these changed how it is read."""
    assert snapshot.html is not None
    marked = parse_page(snapshot.html)
    if len(marked) != len(page) or (marked.node_type != page.node_type).any() or (marked.tag != page.tag).any():
        return None
    place = np.cumsum(page.is_element) - 1  # elements by number, not by row
    first: dict[int, int] = {}  # an element that the parser opened again has its number twice
    for row, value in marked.attribute(mark).items():
        if value.isdecimal():
            first.setdefault(int(value), int(place[row]))
    for row in marked.attribute("shadowrootmode"):  # the browser has a root there and no element: it follows its host
        host = marked.attribute(mark).get(row - 1, "")
        if host.isdecimal() and row not in marked.attribute(mark):
            first.setdefault(int(host) + 1, int(place[row]))
    numbers = np.array(sorted(first), dtype=np.int64)
    return np.array([first[number] for number in numbers.tolist()], dtype=np.int64), numbers


def _by_sequence(ours: list[str], theirs: list[str]) -> tuple[Ints, Ints]:
    """Match elements that both documents begin with and end with, and what the middle parts share."""
    least = min(len(ours), len(theirs))
    head = next((at for at in range(least) if ours[at] != theirs[at]), least)
    tail = next((at for at in range(least - head) if ours[-1 - at] != theirs[-1 - at]), least - head)
    mine, yours = ours[head : len(ours) - tail], theirs[head : len(theirs) - tail]
    left = [*range(head), *range(len(ours) - tail, len(ours))]
    right = [*range(head), *range(len(theirs) - tail, len(theirs))]
    if mine and yours and len(mine) + len(yours) <= _COMPARED:
        for one, two, size in SequenceMatcher(None, mine, yours, autojunk=False).get_matching_blocks():
            left += range(head + one, head + one + size)
            right += range(head + two, head + two + size)
    return np.array(left, dtype=np.int64), np.array(right, dtype=np.int64)


def _match_texts(page: Page, snapshot: Snapshot, partner: Ints) -> dict[int, list[int]]:
    """Match the texts behind each matched element, up to the next one; return those made of several runs.

    Where both have as many texts of the same lengths they are matched one by one. Where only the sum is the same,
    one of the two has joined them, and each text gets what they cover together.
    """
    mine, theirs = _texts_behind(page.node_type), _texts_behind(snapshot.node_type)
    lengths = _units(page)
    union: dict[int, list[int]] = {}
    for row, texts in mine.items():
        place = int(partner[row])
        runs = theirs.get(place, []) if place >= 0 else []
        said, drew = lengths[texts].tolist(), snapshot.length[runs].tolist()
        if said == drew:
            partner[texts] = runs
        elif sum(said) == sum(drew):
            partner[texts] = runs[0]
            union.update(dict.fromkeys(texts, runs))
        else:
            at = 0
            for text, length in zip(texts, said, strict=True):
                if length in drew[at:]:
                    at = drew.index(length, at) + 1
                    partner[text] = runs[at - 1]
    return union


def _texts_behind(kind: npt.NDArray[np.uint8]) -> dict[int, list[int]]:
    """Return for each element the texts between it and the next one in document order."""
    elements = np.flatnonzero(kind == ELEMENT).tolist()
    texts = np.flatnonzero(kind == TEXT)
    edges = np.searchsorted(texts, [*elements, len(kind)]).tolist()
    return {
        row: texts[first:stop].tolist()
        for row, (first, stop) in zip(elements, pairwise(edges), strict=True)
        if stop > first
    }


def _boxes(
    snapshot: Snapshot,
    partner: Ints,
    viewport: tuple[int, int],
    unmatched: int,
    union: dict[int, list[int]] | None = None,
) -> Layout:
    """Return the browser's columns in the order of the page's rows."""
    lost = partner < 0
    columns: dict[str, npt.NDArray[Any]] = {}
    for name, kind in COLUMNS.items():
        values: npt.NDArray[Any] = snapshot.columns[name][np.maximum(partner, 0)].astype(kind)
        values[lost] = Visibility.NO_BOX if name == "visibility" else 0
        columns[name] = values
    for row, runs in (union or {}).items():
        seen = [run for run in runs if snapshot.columns["visibility"][run] == Visibility.VISIBLE]
        if seen:
            columns["visibility"][row] = Visibility.VISIBLE
            for name in ("left", "top"):
                columns[name][row] = snapshot.columns[name][seen].min()
            for name in ("right", "bottom"):
                columns[name][row] = snapshot.columns[name][seen].max()
    return Layout(**columns, width=snapshot.width, height=snapshot.height, viewport=viewport, unmatched=unmatched)
