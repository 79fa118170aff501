"""Match the nodes of the browser's document with the rows of a page."""

import base64
import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.html import tags
from tamis.page import ELEMENT, TEXT, Page, parse_page
from tamis.page.layout import LAYOUT_COLUMNS, Layout, Visibility

# `Snapshot`: the browser's document as ``collect.js`` returns it, not yet matched with the rows of a page.


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """The nodes of the browser's document, in document order.

    Attributes:
        tag: for elements, an index into `names`.
        length: for text runs, the length in UTF-16 code units.
        columns: the columns of `Layout`, one entry per node.
        html: the document as the browser serializes it, with each element's number in an attribute, if requested.
    """

    node_type: npt.NDArray[np.uint8]
    tag: npt.NDArray[np.uint32]
    length: npt.NDArray[np.uint32]
    columns: dict[str, npt.NDArray[Any]]
    names: list[str]
    html: str | None
    url: str
    width: int
    height: int

    @classmethod
    def from_packed(cls, packed: dict[str, Any]) -> "Snapshot":
        """Decode the value that ``collect.js`` returns."""

        def column(name: str, dtype: Any) -> npt.NDArray[Any]:  # noqa: ANN401 (a NumPy type)
            return np.frombuffer(base64.b64decode(packed[name]), dtype=dtype)

        return cls(
            node_type=column("node_type", np.uint8),
            tag=column("tag", np.uint32),
            length=column("length", np.uint32),
            columns={name: column(name, dtype) for name, dtype in LAYOUT_COLUMNS.items()},
            names=packed["names"],
            html=packed["html"],
            url=packed["url"],
            width=int(packed["width"]),
            height=int(packed["height"]),
        )


# Match the nodes of the browser's document with the rows of a page.
#
# Chromium and our parser follow the same standard, so with scripts off both have the same nodes in the same order,
# and node `i` is row `i`. `same_rows` checks this. The two can differ: a document that scripts built may change
# when it is serialized and parsed, and Chromium nests at most 512 levels deep. Then elements are matched first, by
# the numbers that the browser wrote into its document or by their common prefix, suffix and subsequences, and then
# the texts between them.

Ints = npt.NDArray[np.int64]
#: Elements between the common prefix and suffix that are compared at most: the comparison may take quadratic time.
_MAX_COMPARED: Final = 3000


def match_layout(
    page: Page, snapshot: Snapshot, viewport: tuple[int, int], id_attribute: str | None = None
) -> Layout:
    """Return the layout of a page's rows.

    `id_attribute` holds the elements' numbers in ``snapshot.html``, if the browser wrote them.
    """
    if same_rows(page, snapshot):
        return _to_layout(snapshot, np.arange(len(page)), viewport, 0, _joined_rows(page))
    node_of_row = np.full(len(page), -1, dtype=np.int64)
    rows, nodes = np.flatnonzero(page.is_element), np.flatnonzero(snapshot.node_type == ELEMENT)
    pairs = _match_by_id(page, snapshot, id_attribute) if id_attribute is not None else None
    if pairs is None:
        pairs = _match_by_sequence(_tag_names(page), [snapshot.names[tag] for tag in snapshot.tag[nodes]])
    node_of_row[rows[pairs[0]]] = nodes[pairs[1]]
    merged = _match_texts(page, snapshot, node_of_row)
    expected = page.is_element | (page.is_text & (page.nonspace > 0))
    return _to_layout(snapshot, node_of_row, viewport, int((expected & (node_of_row < 0)).sum()), merged)


def same_rows(page: Page, snapshot: Snapshot) -> bool:
    """Return whether the browser's nodes are the page's rows one by one: same types, tags and lengths of texts."""
    if len(page) != len(snapshot.node_type) or (page.node_type != snapshot.node_type).any():
        return False
    if _tag_names(page) != [snapshot.names[tag] for tag in snapshot.tag[snapshot.node_type == ELEMENT]]:
        return False
    rows, first = _text_rows(page)
    if not len(first):
        return True
    return bool((np.add.reduceat(snapshot.length[rows], first) == _utf16_lengths(page)[rows[first]]).all())


def _text_rows(page: Page) -> tuple[Ints, Ints]:
    """Return the text rows whose text a page holds, and which of them begin a run.

    A page holds no text of scripts and styles. Texts on both sides of a comment are one run: the first row has it.
    """
    is_raw = page.is_text & tags.RAW[page.tag[page.parent]]
    rows = np.flatnonzero(page.is_text & ~is_raw)
    return rows, np.flatnonzero(page.offset[rows + 1] > page.offset[rows])


def _joined_rows(page: Page) -> dict[int, list[int]]:
    """Return the rows of each run of several, by its first."""
    rows, first = _text_rows(page)
    stops = np.append(first[1:], len(rows))
    long = np.flatnonzero(stops - first > 1)
    return {int(rows[first[k]]): rows[first[k] : stops[k]].tolist() for k in long.tolist()}


def strip_ids(html: str, id_attribute: str) -> str:
    """Return a document without the numbers that the browser wrote into it.

    >>> strip_ids('<p class="x" data-n="3">y</p>', "data-n")
    '<p class="x">y</p>'
    """
    return re.sub(rf' {id_attribute}="\d+"', "", html)


def _tag_names(page: Page) -> list[str]:
    return [page.tag_name(row) for row in np.flatnonzero(page.is_element).tolist()]


def _utf16_lengths(page: Page) -> Ints:
    """Return the length of each text row as JavaScript counts it."""
    return page.count(np.where(page.codes > 0xFFFF, 2, 1))  # noqa: PLR2004 (the end of the basic plane)


def _match_by_id(page: Page, snapshot: Snapshot, id_attribute: str) -> tuple[Ints, Ints] | None:
    """Match elements by the numbers in the document; None if the attributes changed how the document is parsed."""
    assert snapshot.html is not None
    numbered = parse_page(snapshot.html)
    if len(numbered) != len(page) or (numbered.node_type != page.node_type).any() or (numbered.tag != page.tag).any():
        return None
    element_index = np.cumsum(page.is_element) - 1
    ids = numbered.attribute(id_attribute)
    index_of_id: dict[int, int] = {}  # the first one counts: an element that the parser reopened has its number twice
    for row, value in ids.items():
        if value.isdecimal():
            index_of_id.setdefault(int(value), int(element_index[row]))
    # The template of a shadow root follows its host. In the browser it is a root and not an element, so it has no
    # attribute; collect.js counts it.
    for row in numbered.attribute("shadowrootmode"):
        host_id = ids.get(row - 1, "")
        if host_id.isdecimal() and row not in ids:
            index_of_id.setdefault(int(host_id) + 1, int(element_index[row]))
    element_ids = np.array(sorted(index_of_id), dtype=np.int64)
    return np.array([index_of_id[number] for number in element_ids.tolist()], dtype=np.int64), element_ids


def _match_by_sequence(ours: list[str], theirs: list[str]) -> tuple[Ints, Ints]:
    """Match elements by tag: the common prefix and suffix of both documents, and the common runs between them."""
    shorter = min(len(ours), len(theirs))
    prefix = next((at for at in range(shorter) if ours[at] != theirs[at]), shorter)
    suffix = next((at for at in range(shorter - prefix) if ours[-1 - at] != theirs[-1 - at]), shorter - prefix)
    our_middle, their_middle = ours[prefix : len(ours) - suffix], theirs[prefix : len(theirs) - suffix]
    our_index = [*range(prefix), *range(len(ours) - suffix, len(ours))]
    their_index = [*range(prefix), *range(len(theirs) - suffix, len(theirs))]
    if our_middle and their_middle and len(our_middle) + len(their_middle) <= _MAX_COMPARED:
        matcher = SequenceMatcher(None, our_middle, their_middle, autojunk=False)
        for our_start, their_start, size in matcher.get_matching_blocks():
            our_index += range(prefix + our_start, prefix + our_start + size)
            their_index += range(prefix + their_start, prefix + their_start + size)
    return np.array(our_index, dtype=np.int64), np.array(their_index, dtype=np.int64)


def _match_texts(page: Page, snapshot: Snapshot, node_of_row: Ints) -> dict[int, list[int]]:
    """Match the texts between each matched element and the next one, into `node_of_row`.

    If both documents have the same number of texts with the same lengths, they are matched one by one. If only the
    sum of the lengths is the same, one of the two joined them. Then each row gets the rectangle of all these texts:
    the function returns such rows, each with the nodes of its texts.
    """
    row_texts, node_texts = _texts_after_elements(page.node_type), _texts_after_elements(snapshot.node_type)
    lengths = _utf16_lengths(page)
    merged: dict[int, list[int]] = {}
    for element, rows in row_texts.items():
        element_node = int(node_of_row[element])
        nodes = node_texts.get(element_node, []) if element_node >= 0 else []
        row_lengths, node_lengths = lengths[rows].tolist(), snapshot.length[nodes].tolist()
        if row_lengths == node_lengths:
            node_of_row[rows] = nodes
        elif nodes and sum(row_lengths) == sum(node_lengths):
            node_of_row[rows] = nodes[0]
            merged.update(dict.fromkeys(rows, nodes))
        else:
            start = 0
            for row, length in zip(rows, row_lengths, strict=True):
                if length in node_lengths[start:]:
                    start = node_lengths.index(length, start) + 1
                    node_of_row[row] = nodes[start - 1]
    return merged


def _texts_after_elements(node_type: npt.NDArray[np.uint8]) -> dict[int, list[int]]:
    """Return for each element the texts between it and the next element in document order."""
    elements = np.flatnonzero(node_type == ELEMENT).tolist()
    texts = np.flatnonzero(node_type == TEXT)
    edges = np.searchsorted(texts, [*elements, len(node_type)]).tolist()
    return {
        element: texts[first:stop].tolist()
        for element, (first, stop) in zip(elements, pairwise(edges), strict=True)
        if stop > first
    }


def _to_layout(
    snapshot: Snapshot,
    node_of_row: Ints,
    viewport: tuple[int, int],
    unmatched: int,
    merged: dict[int, list[int]] | None = None,
) -> Layout:
    """Return the browser's columns in the order of the page's rows."""
    missing = node_of_row < 0
    columns: dict[str, npt.NDArray[Any]] = {}
    for name, dtype in LAYOUT_COLUMNS.items():
        values: npt.NDArray[Any] = snapshot.columns[name][np.maximum(node_of_row, 0)].astype(dtype)
        values[missing] = Visibility.NO_BOX if name == "visibility" else 0
        columns[name] = values
    for row, nodes in (merged or {}).items():
        visible = [node for node in nodes if snapshot.columns["visibility"][node] == Visibility.VISIBLE]
        if visible:
            columns["visibility"][row] = Visibility.VISIBLE
            for name in ("left", "top"):
                columns[name][row] = snapshot.columns[name][visible].min()
            for name in ("right", "bottom"):
                columns[name][row] = snapshot.columns[name][visible].max()
    return Layout(**columns, width=snapshot.width, height=snapshot.height, viewport=viewport, unmatched=unmatched)
