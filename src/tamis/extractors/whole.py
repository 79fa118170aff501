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

Rows = npt.NDArray[np.int64]


def complete_groups(page: Page, kept: Bools, excluded: Bools) -> Bools:
    """Return the kept blocks with the rest of lists and tables of which half is kept; `excluded` blocks stay out.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li>flour<li>water<li>salt</ul>")
    >>> complete_groups(page, np.array([True, False, True]), np.zeros(3, dtype=np.bool_)).tolist()
    [True, True, True]
    """
    if not kept.any() or kept.all() or not (page.tag_count("li") or page.tag_count("tr")):
        return kept
    items = page.rows_of("li")
    items = items[_LISTS[page.tag[page.parent[items]]]]
    out = kept.copy()
    nonspace = np.where(page.shown, page.nonspace, 0)
    kept_rows = np.zeros(len(page), dtype=np.bool_)
    kept_rows[page.blocks.rows] = kept[page.blocks.block_of[page.blocks.rows]]
    sums = prefix_sums(nonspace), prefix_sums(nonspace * kept_rows)
    _complete(page, items, page.parent[items].astype(np.int64), sums, out)
    table_rows, tables = _data_rows(page)
    _complete(page, table_rows, tables, sums, out, cells=True)
    return out & ~(excluded & ~kept)


def _data_rows(page: Page) -> tuple[Rows, Rows]:
    """Return the rows of tables that are not for layout, and the table of each."""
    rows, tables = page.rows_of("tr"), page.rows_of("table")
    if not len(rows) or not len(tables):
        return rows[:0], rows[:0]
    table_of = nearest_ancestor(page.end, tables)[rows]
    cells, structure = prefix_sums(tags.CELL[page.tag]), prefix_sums(_LAYOUT[page.tag])
    is_data = (table_of >= 0) & (cells[page.end[rows]] - cells[rows] >= _MIN_COLUMNS)
    inner = structure[page.end[table_of]] - structure[table_of] - 1  # besides the table itself
    is_data &= inner == 0
    return rows[is_data], table_of[is_data].astype(np.int64)


def _complete(
    page: Page,
    members: Rows,
    group_of: Rows,
    sums: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]],
    out: Bools,
    *,
    cells: bool = False,
) -> None:
    """Add the blocks of members that are not kept to `out`; with `cells`, the other blocks of kept members too."""
    if not len(members):
        return
    total = sums[0][page.end[members]] - sums[0][members]
    selected = sums[1][page.end[members]] - sums[1][members]
    is_kept = (2 * selected >= total) & (total > 0)
    if not is_kept.any() or (selected == total)[np.isin(group_of, group_of[is_kept])].all():
        return  # most pages: menus of which nothing is kept, and lists of which everything is
    count = np.bincount(group_of[total > 0], minlength=len(page))
    kept_count = np.bincount(group_of[is_kept], minlength=len(page))
    largest = np.zeros(len(page), dtype=np.int64)
    np.maximum.at(largest, group_of[is_kept], total[is_kept])
    is_whole = (2 * kept_count >= count) & (count >= (_MIN_ROWS if cells else _MIN_MEMBERS))
    wanted = is_whole[group_of] & (total <= _MAX_RATIO * largest[group_of]) & (selected < total)
    wanted &= ~is_kept | cells
    blocks = page.blocks
    for row in members[wanted].tolist():
        inside = blocks.rows[np.searchsorted(blocks.rows, row) : np.searchsorted(blocks.rows, page.end[row])]
        out[blocks.block_of[inside]] = True
