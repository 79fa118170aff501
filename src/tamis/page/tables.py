"""Tell tables of data from tables for layout."""

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from tamis.html import characters, tags
from tamis.page.sums import nearest_ancestor, prefix_sums

if TYPE_CHECKING:
    from tamis.page.columns import Page

Counts = npt.NDArray[np.int64]
_MAX_CELL_COLUMNS: Final = 250  #: a longer cell is a column of a page, unless the table names its columns
_ARTICLE_COLUMNS: Final = 1000  #: a cell that is longer, and most of its table, is an article in any table
_PROSE_COLUMNS: Final = 80  #: a cell of two sentences or more that is longer is prose
_STRUCTURE: Final = tags.tag_mask(
    "h1 h2 h3 h4 h5 h6 article section nav header footer form main aside pre blockquote"
)

_LAYOUT: Final = tags.tag_mask("h1 article section nav header footer form main aside")
_WIDE: Final = 4  #: columns: no layout has four in every row, a table of results may have a long cell in one of them
_MIN_ROWS: Final = 2
_MAX_LINE_CELL: Final = 40  #: columns of each cell of a table of one row
_NOT_IN_LINE: Final = tags.tag_mask("img input select button svg br hr iframe object embed div p pre ul ol")
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
    tables = page.rows_of("table")
    if not len(tables):
        return frozenset()
    table_of = nearest_ancestor(page.end, tables)
    count = len(page)
    cells = np.flatnonzero(tags.CELL[page.tag])
    rows = page.rows_of("tr")
    # Header cells count for their nearest table only: those of an inner table say nothing about the outer one.
    declared = np.zeros(count, dtype=np.bool_)
    for name in ("th", "caption", "thead"):
        declared[table_of[page.rows_of(name)]] = True
    visible = page.hidden == 0
    columns = prefix_sums(np.where(visible, page.nonspace + page.char_counts.by_class[:, characters.WIDE], 0))
    stops = prefix_sums(np.where(visible, page.char_counts.by_class[:, characters.STOP], 0))
    cell_columns = columns[page.end[cells]] - columns[cells]
    longest_cell = np.zeros(count, dtype=np.int64)
    np.maximum.at(longest_cell, table_of[cells], cell_columns)
    is_prose = (cell_columns > _PROSE_COLUMNS) & (stops[page.end[cells]] - stops[cells] > 1)
    prose_cells = np.bincount(table_of[cells][is_prose & (table_of[cells] >= 0)], minlength=count)
    cell_count = np.bincount(table_of[cells][table_of[cells] >= 0], minlength=count)
    grid_count = cell_count.copy()  # a cell over two columns counts twice
    for cell, span in zip(cells.tolist(), page.attribute_column(cells.tolist(), "colspan"), strict=True):
        if span is not None and table_of[cell] >= 0:
            grid_count[table_of[cell]] += min(cell_span(span), 2) - 1
    row_count = np.bincount(table_of[rows][table_of[rows] >= 0], minlength=count)
    has_structure = np.zeros(count, dtype=np.bool_)
    inner = tables[table_of[page.parent[tables]] >= 0]
    has_structure[table_of[page.parent[inner]]] = True
    structure = np.flatnonzero(_STRUCTURE[page.tag])
    is_pre = page.tag[structure] == tags.IDS["pre"]
    pre_count = np.bincount(table_of[structure[is_pre]][table_of[structure[is_pre]] >= 0], minlength=count)
    is_short = columns[page.end[structure]] - columns[structure] <= _PROSE_COLUMNS
    few = 2 * pre_count[table_of[structure]] <= row_count[table_of[structure]]
    structure = structure[~(is_pre & is_short & few)]  # a line of code in a cell
    has_structure[table_of[structure][table_of[structure] >= 0]] = True
    layout = np.flatnonzero(_LAYOUT[page.tag])
    layout_inside = np.zeros(count, dtype=np.bool_)
    layout_inside[table_of[page.parent[inner]]] = True
    layout_inside[table_of[layout][table_of[layout] >= 0]] = True
    out = []
    for table in tables.tolist():
        role = page.attributes(table).get("role", "").strip().lower()
        if role in {"presentation", "none"}:
            continue
        is_grid = row_count[table] > 1 and grid_count[table] >= 2 * row_count[table]  # two columns or more
        is_simple = not has_structure[table] and longest_cell[table] <= _MAX_CELL_COLUMNS
        is_wide = row_count[table] > _MIN_ROWS and cell_count[table] >= _WIDE * row_count[table]
        is_line = (
            row_count[table] == 1 and is_simple and _is_line(page, table, cells[table_of[cells] == table], columns)
        )
        is_prose_table = 2 * prose_cells[table] > cell_count[table]
        holds_article = (
            longest_cell[table] > _ARTICLE_COLUMNS
            and 2 * longest_cell[table] > columns[page.end[table]] - columns[table]
        )
        if (
            role in {"table", "grid", "treegrid"}
            or (declared[table] and not holds_article)
            or (is_grid and is_simple and not is_prose_table)
            or is_line
            or (is_wide and not layout_inside[table])
        ):
            out.append(table)
    return frozenset(out)


def _is_line(page: "Page", table: int, cells: Counts, columns: Counts) -> bool:
    """Tell whether a table of one row has data: short cells without links and pictures, none of them empty."""
    width = columns[page.end[cells]] - columns[cells]
    inside = slice(table, int(page.end[table]))
    return (
        len(cells) > 1
        and bool((width > 0).all() and (width <= _MAX_LINE_CELL).all())
        and not page.link[inside].any()
        and not _NOT_IN_LINE[page.tag[inside]].any()
    )


def cell_span(value: str | None) -> int:
    """Return the number of columns or rows that a cell spans, limited to 100.

    >>> cell_span("3"), cell_span("x"), cell_span("1000000000")
    (3, 1, 100)
    """
    try:
        return min(max(int(value or 1), 1), _MAX_SPAN)
    except ValueError:
        return 1
