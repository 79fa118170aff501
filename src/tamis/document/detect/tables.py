"""Which tables hold data, and which only lay out a page."""

from typing import Final

import numpy as np

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import in_subtree, nearest_ancestor, prefix_sums

_LONG: Final = 250  #: characters: a cell with more is a column of a page, unless the table names its columns
_STRUCTURE: Final = tags.tag_mask(
    "h1 h2 h3 h4 h5 h6 article section nav header footer form main aside pre blockquote"
)


def data_tables(page: Page) -> frozenset[int]:
    """Return the rows of the tables that hold data.

    A table that says so (header cells, a caption, ``thead``, a role) holds data. One that says ``presentation``, or
    has a single row or column, a table or a page's structure inside, or a long cell, lays out.

    >>> from tamis.page import parse_page
    >>> two = "<tr><td>a<td>b<tr><td>c<td>d"
    >>> [len(data_tables(parse_page(f"<table>{rows}</table>"))) for rows in (two, "<tr><td>a")]
    [1, 0]
    """
    tables = page.rows_of("table")
    if not len(tables):
        return frozenset()
    owner = nearest_ancestor(page.end, tables)
    count = len(page)
    cells = np.flatnonzero(tags.CELL[page.tag])
    rows = page.rows_of("tr")
    # A header cell of an inner table says nothing of the outer one: each cell speaks for its nearest table.
    says = np.zeros(count, dtype=np.bool_)
    for name in ("th", "caption", "thead"):
        marks = page.rows_of(name)
        says[owner[marks]] = True
    ink = prefix_sums(np.where(page.hidden == 0, page.nonspace, 0))
    longest = np.zeros(count, dtype=np.int64)
    np.maximum.at(longest, owner[cells], ink[page.end[cells]] - ink[cells])
    cell_count = np.bincount(owner[cells][owner[cells] >= 0], minlength=count)
    row_count = np.bincount(owner[rows][owner[rows] >= 0], minlength=count)
    holds = np.zeros(count, dtype=np.bool_)
    inner = tables[owner[page.parent[tables]] >= 0]
    holds[owner[page.parent[inner]]] = True
    structure = np.flatnonzero(_STRUCTURE[page.tag])
    holds[owner[structure][owner[structure] >= 0]] = True
    out = []
    for table in tables.tolist():
        role = page.attributes(table).get("role", "").strip().lower()
        if role in {"presentation", "none"}:
            continue
        grid = row_count[table] > 1 and cell_count[table] >= 2 * row_count[table]  # two columns or more
        plain = not holds[table] and longest[table] <= _LONG
        if says[table] or role in {"table", "grid", "treegrid"} or (grid and plain):
            out.append(table)
    return frozenset(out)


def header_rows(page: Page) -> frozenset[int]:
    """Return the ``tr`` that stand in a ``thead``."""
    heads = in_subtree(page.end, page.rows_of("thead"))
    return frozenset(row for row in page.rows_of("tr").tolist() if heads[row])


def spanned(value: str | None) -> int:
    """Return how many columns or rows a cell takes, within reason: a page may ask for a billion.

    >>> spanned("3"), spanned("x"), spanned("1000000000")
    (3, 1, 100)
    """
    try:
        return min(max(int(value or 1), 1), 100)
    except ValueError:
        return 1
