"""The parts of tables: header rows, spans of cells, and tables made of other elements."""

from collections.abc import Mapping
from typing import Final

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import in_subtree


def header_rows(page: Page) -> frozenset[int]:
    """Return the ``tr`` elements in a ``thead``."""
    in_header = in_subtree(page.end, page.rows_of("thead"))
    return frozenset(row for row in page.rows_of("tr").tolist() if in_header[row])


# Tables made of other elements, which name their rows and cells by roles.

_TABLES: Final = frozenset({"table", "grid", "treegrid"})
_CELLS: Final = {"cell": "td", "gridcell": "td", "columnheader": "th", "rowheader": "th"}
_MIN_ARIA_ROWS, _MIN_ARIA_CELLS = 2, 2  #: in a table of data
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
    if _TABLES.isdisjoint(roles.values()):
        return out
    table, table_end, row_end = -1, 0, 0
    rows: list[list[int]] = []  # of the current table: a row and its cells
    for element, role in [*sorted(roles.items()), (len(page), "table")]:
        if element >= table_end:
            if len(rows) >= _MIN_ARIA_ROWS and all(len(row) > _MIN_ARIA_CELLS for row in rows):
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


# Headings made of other elements, by their role.

_DEFAULT_LEVEL: Final = 2  #: of an element with the role of a heading, by WAI-ARIA


def find_aria_headings(page: Page, roles: Mapping[int, str]) -> dict[int, int]:
    """Return the levels of elements that are headings by their role and contain no other block."""
    out = {}
    for row, role in roles.items():
        if role != "heading" or tags.HEADING[page.tag[row]] or tags.BLOCK[page.tag[row + 1 : page.end[row]]].any():
            continue
        level = page.attributes(row).get("aria-level", "")
        out[row] = int(level) if level in set("123456") else _DEFAULT_LEVEL
    return out
