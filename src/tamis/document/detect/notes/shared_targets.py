"""Notes whose references all link to their list, or to the heading above it: the number says which item it is."""

from typing import Final

import numpy as np

from tamis.html import tags
from tamis.page import Page

_MIN_LABELS: Final = 2  #: different numbers that link to one target
_MAX_LEVELS: Final = 2  #: from a target up to the element that has the list too
_LI: Final = tags.IDS["li"]


def shared_lists(page: Page, candidates: list[tuple[int, str, int]]) -> dict[int, dict[str, int]]:
    """Return the items of a list by their number, for each target that references with different numbers share.

    `candidates` are links: their row, label and target.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p><a href="#s">1</a> <a href="#s">2</a><h2 id=s>Sources</h2><ol><li>A<li>B</ol>')
    >>> shared_lists(page, [(5, "1", 10), (8, "2", 10)])
    {10: {'1': 13, '2': 15}}
    """
    labels: dict[int, set[str]] = {}
    for _, label, target in candidates:
        if label.isdigit():
            labels.setdefault(target, set()).add(label)
    ordered = page.rows_of("ol")
    out = {}
    for target, numbers in labels.items():
        row = _list_at(page, ordered, target) if len(numbers) >= _MIN_LABELS else -1
        if row >= 0:
            out[target] = _items(page, row)
    return out


def _list_at(page: Page, ordered: "np.ndarray[tuple[int], np.dtype[np.int64]]", target: int) -> int:
    """Return the first ordered list in a target or after it, in an element around it; -1 if there is none."""
    around = target
    for _ in range(_MAX_LEVELS + 1):
        index = int(np.searchsorted(ordered, target))
        if index < len(ordered) and ordered[index] < page.end[around]:
            return int(ordered[index])
        around = int(page.parent[around])
        around = max(page.body, around)
    return -1


def _items(page: Page, row: int) -> dict[str, int]:
    start = page.attributes(row).get("start", "1")
    number = int(start) if start.isascii() and start.isdigit() and len(start) < 5 else 1  # noqa: PLR2004 (sane)
    out = {}
    k, end = row + 1, int(page.end[row])
    while k < end:
        if page.tag[k] == _LI:
            out[str(number)] = k
            number += 1
        k = int(page.end[k]) if page.is_element[k] else k + 1
    return out
