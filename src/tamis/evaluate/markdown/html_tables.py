"""Read tables that are HTML inside Markdown."""

from collections.abc import Iterator

import turbohtml


def html_table_rows(html: str) -> tuple[tuple[str, ...], ...]:
    """Return the cells of the tables in a fragment of HTML, each as one line of text.

    A table inside a cell is text of that cell.

    >>> html_table_rows("<table><tr><th>Tea</th></tr><tr><td>green<br>fresh</td></tr></table>")
    (('Tea',), ('green fresh',))
    """
    body = turbohtml.parse(html, positions=False).select_one("body")
    if body is None:
        return ()
    return tuple(
        tuple(" ".join(" ".join(cell.strings).split()) for cell in _children(row, "td", "th"))
        for table in _children(body, "table")
        for section in (table, *_children(table, "thead", "tbody", "tfoot"))
        for row in _children(section, "tr")
    )


def _children(element: turbohtml.Element, *tags: str) -> Iterator[turbohtml.Element]:
    for child in element.children:
        if isinstance(child, turbohtml.Element) and child.tag in tags:
            yield child
