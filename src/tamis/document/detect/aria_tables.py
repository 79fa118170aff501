"""Tables made of other elements, which name their rows and cells by roles."""

from typing import Final

from tamis.html import tags
from tamis.page import Page

_TABLES: Final = frozenset({"table", "grid", "treegrid"})
_CELLS: Final = {"cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}
_MIN_ROWS, _MIN_CELLS = 2, 2  #: in a table of data
_TABLE_TAGS: Final = tags.tag_mask("table tbody thead tfoot tr td th")


def find_aria_tables(page: Page, roles: dict[int, str]) -> dict[int, str]:
    """Return the tables, rows and cells among the elements with a role: ``table``, ``tr``, ``td`` or ``th`` by row.

    >>> from tamis.page import parse_page
    >>> row = "<div role=row><span role=cell>a</span><span role=cell>b</span></div>"
    >>> page = parse_page(f"<div role=table>{row}{row}</div>")
    >>> list(find_aria_tables(page, page.attribute("role")).values())
    ['table', 'tr', 'td', 'td', 'tr', 'td', 'td']
    """
    out: dict[int, str] = {}
    table, table_end, row_end = -1, 0, 0
    rows: list[list[int]] = []  # of the current table: a row and its cells
    for element, role in [*sorted(roles.items()), (len(page), "table")]:
        if element >= table_end:
            if len(rows) >= _MIN_ROWS and all(len(row) > _MIN_CELLS for row in rows):
                out[table] = "table"
                for row, *cells in rows:
                    out |= {row: "tr", **{cell: _CELLS[roles[cell]] for cell in cells}}
            table, table_end, row_end, rows = -1, 0, 0, []
        if element >= len(page) or _TABLE_TAGS[page.tag[element]] or page.hidden[element]:
            continue
        if role in _TABLES and table < 0:
            table, table_end = element, int(page.end[element])
        elif role == "row" and table >= 0 and element >= row_end:
            row_end = int(page.end[element])
            rows.append([element])
        elif role in _CELLS and element < row_end:
            rows[-1].append(element)
    return out
