"""Whole lists and tables: if half or more of the items or rows are kept, all are.

A model judges each block by itself, and leaves holes in a list of ingredients or a table of results. Items are those
of one ``ul`` or ``ol``, rows those of one ``table`` that is not for layout.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, nearest_ancestor, prefix_sums

_LISTS: Final = tags.tag_mask("ul ol menu")
_LAYOUT: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 table form nav article section pre")
_MIN_MEMBERS: Final = 3  #: items; of two, half is one
_MIN_ROWS: Final = 2  #: a header and a row
_MAX_RATIO: Final = 3  #: of an item that is added to the largest that was kept: a larger one is something else
_MIN_COLUMNS: Final = 2

Rows = npt.NDArray[np.int64] | npt.NDArray[np.int32]
Sums = npt.NDArray[np.int64]


def complete_groups(page: Page, kept: Bools, excluded: Bools) -> Bools:
    """Return the kept blocks with the rest of lists and tables of which half is kept; `excluded` blocks stay out.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li>flour<li>water<li>salt</ul>")
    >>> complete_groups(page, np.array([True, False, True]), np.zeros(3, dtype=np.bool_)).tolist()
    [True, True, True]
    """
    if not (page.tag_count("li") or page.tag_count("tr")) or not kept.any() or kept.all():
        return kept
    out = kept.copy()
    sums = prefix_sums(page.block_chars), prefix_sums(page.block_chars * kept)
    items = page.rows_of("li")
    parents = page.parent[items]
    in_list = _LISTS[page.tag[parents]]
    _complete(page, items[in_list], parents[in_list], sums, out)
    if page.tag_count("tr") and page.tag_count("table"):
        _complete(page, *_data_rows(page), sums, out, cells=True)
    return out & ~(excluded & ~kept)


def _data_rows(page: Page) -> tuple[Rows, Rows]:
    """Return the rows of tables that are not for layout, and the table of each."""
    rows, tables = page.rows_of("tr"), page.rows_of("table")
    table_of = nearest_ancestor(page.end, tables)[rows]
    cells, structure = prefix_sums(tags.CELL[page.tag]), prefix_sums(_LAYOUT[page.tag])
    is_data = (table_of >= 0) & (cells[page.end[rows]] - cells[rows] >= _MIN_COLUMNS)
    inner = structure[page.end[table_of]] - structure[table_of] - 1  # besides the table itself
    is_data &= inner == 0
    return rows[is_data], table_of[is_data]


def _complete(
    page: Page, members: Rows, group_of: Rows, sums: tuple[Sums, Sums], out: Bools, *, cells: bool = False
) -> None:
    """Add the blocks of members that are not kept to `out`; with `cells`, the other blocks of kept members too.

    Members are block-level elements: each block is in one of them, or in none.
    """
    if not len(members):
        return
    first, last = page.block_ranges[0][members], page.block_ranges[1][members]
    total = sums[0][last] - sums[0][first]
    selected = sums[1][last] - sums[1][first]
    is_kept = (2 * selected >= total) & (total > 0)
    if not is_kept.any():
        return  # most pages: menus of which nothing is kept
    has_kept = np.zeros(len(page), dtype=np.bool_)
    has_kept[group_of[is_kept]] = True
    some = has_kept[group_of]
    if (selected == total)[some].all():
        return  # lists of which everything is kept
    members, group_of, first, last = members[some], group_of[some], first[some], last[some]
    total, selected, is_kept = total[some], selected[some], is_kept[some]
    count = np.bincount(group_of[total > 0], minlength=len(page))
    kept_count = np.bincount(group_of[is_kept], minlength=len(page))
    largest = np.zeros(len(page), dtype=np.int64)
    np.maximum.at(largest, group_of[is_kept], total[is_kept])
    is_whole = (2 * kept_count >= count) & (count >= (_MIN_ROWS if cells else _MIN_MEMBERS))
    wanted = is_whole[group_of] & (total <= _MAX_RATIO * largest[group_of]) & (selected < total)
    wanted &= ~is_kept | cells
    for index in np.flatnonzero(wanted).tolist():
        out[first[index] : last[index]] = True
