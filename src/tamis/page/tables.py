"""Tell tables of data from tables for layout."""

from typing import TYPE_CHECKING, Final

import numpy as np

from tamis._core.blocks import (
    CELL_BIT,
    EMPTY_BIT,
    HEADER_BIT,
    LAYOUT_BIT,
    PRE_BIT,
    ROW_BIT,
    STRUCTURE_BIT,
    TABLE_BIT,
)
from tamis._core.loader import core
from tamis.html import tags
from tamis.page.sums import nearest_ancestor

if TYPE_CHECKING:
    from tamis.page.columns import Page

_MAX_CELL_COLUMNS: Final = 250  #: a longer cell is a column of a page, unless the table names its columns
_ARTICLE_COLUMNS: Final = 1000  #: a cell that is longer, and most of its table, is an article in any table
_TABLE: Final = {
    "table": TABLE_BIT,
    "td th": CELL_BIT,
    "tr": ROW_BIT,
    # Header cells count for their nearest table only: those of an inner table say nothing about the outer one.
    "th caption thead": HEADER_BIT,
    "h1 h2 h3 h4 h5 h6 article section nav header footer form main aside blockquote": STRUCTURE_BIT,
    "pre": PRE_BIT,
    "h1 article section nav header footer form main aside": LAYOUT_BIT,
}
_FLAGS: Final = bytes(sum(bit for names, bit in _TABLE.items() if name in names.split()) for name in tags.NAMES)
_WIDE: Final = 4  #: columns: no layout has four in every row, a table of results may have a long cell in one of them
_MIN_ROWS: Final = 2
_MAX_LINE_CELL: Final = 40  #: columns of each cell of a table of one row
_NOT_IN_LINE: Final = tags.tag_mask("img input select button svg hr iframe object embed div p pre ul ol")
_BR, _CODE = tags.IDS["br"], tags.IDS["code"]
_LISTING: Final = "highlighttable"  #: the class of a table with code and its line numbers, and its name above them
_MAX_SPAN: Final = 100  #: columns or rows of a cell: a page may ask for a billion


def find_data_tables(page: "Page") -> frozenset[int]:
    """Return the rows of the tables that contain data.

    A table with header cells, a caption, ``thead`` or the role of a table contains data, unless one cell of it is an
    article. A table with the role ``presentation``, a single row or column, a table or page structure inside, a long
    cell or mostly cells of prose is for layout. Lengths are in columns of the screen: a wide character has two.

    >>> from tamis.page import parse_page
    >>> two = "<tr><td>a<td>b<tr><td>c<td>d"
    >>> [len(parse_page(f"<table>{rows}</table>").data_tables) for rows in (two, "<tr><td>a")]
    [1, 0]
    """
    if not page.tag_count("table"):
        return frozenset()
    found = core.table_facts(
        page.tag, page.parent, page.end, page.hidden, page.nonspace, page.char_counts.by_class, _FLAGS
    )
    roles = page.attribute_column([fact[0] for fact in found], "role")
    out = []
    for (table, bits, rows, cells, prose, longest_cell, columns, code), given in zip(found, roles, strict=True):
        role = (given or "").strip().lower()
        if role in {"presentation", "none"}:
            continue
        if bits & PRE_BIT and _LISTING in (page.attribute_of(table, "class") or ""):
            continue
        has_structure = bits & STRUCTURE_BIT or 2 * code > rows  # not a few lines of code
        is_simple = not has_structure and longest_cell <= _MAX_CELL_COLUMNS
        is_wide = rows > _MIN_ROWS and cells >= _WIDE * rows
        is_prose_table = 2 * prose > cells
        holds_article = longest_cell > _ARTICLE_COLUMNS and 2 * longest_cell > columns
        if (
            role in {"table", "grid", "treegrid"}
            or (bits & HEADER_BIT and not holds_article)
            or (is_simple and not is_prose_table and rows > 1 and _has_columns(page, table, rows, cells))
            or (is_simple and rows == 1 < cells and longest_cell <= _MAX_LINE_CELL and _is_line(page, table, bits))
            or (is_wide and not bits & LAYOUT_BIT)
        ):
            out.append(table)
    return frozenset(out)


def _is_line(page: "Page", table: int, bits: int) -> bool:
    """Tell whether a table of one row has data: full cells, of one line or of code, without links and pictures."""
    inside = slice(table, int(page.end[table]))
    if bits & EMPTY_BIT or page.link[inside].any() or _NOT_IN_LINE[page.tag[inside]].any():
        return False
    breaks = np.flatnonzero(page.tag[inside] == _BR) + table
    if not len(breaks):
        return True
    texts = np.flatnonzero(page.nonspace[inside] > 0) + table  # none is empty: breaks are beside texts
    in_code = np.zeros(inside.stop - table, dtype=np.bool_)
    for code in np.flatnonzero(page.tag[inside] == _CODE).tolist():
        in_code[code : page.end[table + code] - table] = True
    after = np.searchsorted(texts, breaks)
    beside = np.concatenate((texts[after - 1], texts[np.minimum(after, len(texts) - 1)]))
    return bool(in_code[beside - table].all())


def _has_columns(page: "Page", table: int, rows: int, cells: int) -> bool:
    """Tell whether a table has two columns or more; a cell over two columns counts twice."""
    if cells >= 2 * rows:
        return True
    inside = np.flatnonzero(tags.CELL[page.tag[table : page.end[table]]]) + table
    own = inside[nearest_ancestor(page.end, page.rows_of("table"), inside) == table].tolist()
    spans = page.attribute_column(own, "colspan")
    return cells + sum(min(cell_span(span), 2) - 1 for span in spans if span is not None) >= 2 * rows


def cell_span(value: str | None) -> int:
    """Return the number of columns or rows that a cell spans, limited to 100.

    >>> cell_span("3"), cell_span("x"), cell_span("1000000000")
    (3, 1, 100)
    """
    try:
        return min(max(int(value or 1), 1), _MAX_SPAN)
    except ValueError:
        return 1
