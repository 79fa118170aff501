"""Plain text: a block a paragraph, items and table rows a line each, cells divided by tabs."""

from typing import Final

import numpy as np

from tamis.page import Page, tags
from tamis.page.sums import Bools, nearest, prefix

PARAGRAPH: Final = "\n\n"
LINE: Final = "\n"
CELL: Final = "\t"


def block_texts(page: Page, mask: Bools) -> list[tuple[int, str]]:
    r"""Return the blocks that have selected text, with that text, white space collapsed outside ``pre``.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>one\n two<br>three<p>four")
    >>> block_texts(page, page.is_text)
    [(0, 'one two\nthree'), (1, 'four')]
    """
    blocks = page.blocks
    chosen = mask & (blocks.of >= 0)
    if not chosen.any():
        return []
    ink = prefix(page.ink)
    breaks = prefix(page.tag == tags.IDS["br"])
    selected_ink = blocks.sum(np.where(chosen, page.ink, 0))
    whole = selected_ink == ink[blocks.stop] - ink[blocks.start]
    simple = whole & (breaks[blocks.stop] == breaks[blocks.start]) & ~page.pre[blocks.start]
    out: list[tuple[int, str]] = []
    offset = page.offset
    for block in np.flatnonzero(selected_ink > 0).tolist():
        start, stop = int(blocks.start[block]), int(blocks.stop[block])
        if simple[block]:
            text = " ".join(page.text[offset[start] : offset[stop]].split())
        else:
            text = _careful(page, mask, start, stop)
        out.append((block, text))
    return out


def _careful(page: Page, mask: Bools, start: int, stop: int) -> str:
    """Return the selected text of a block that has line breaks, kept white space, or rows left out."""
    parts: list[str] = []
    for row in range(start, stop):
        if mask[row]:
            parts.append(page.row_text(row))
        elif page.tag[row] == tags.IDS["br"]:
            parts.append("\n" if page.pre[start] else "\r")
        elif page.is_text[row] and page.hidden[row] == 0:
            parts.append(" ")  # white space, or a run that was not chosen: words on either side stay apart
    text = "".join(parts)
    if page.pre[start]:
        return text.strip("\n").rstrip()
    return "\n".join(line for line in (" ".join(part.split()) for part in text.split("\r")) if line)


def render_text(page: Page, mask: Bools) -> str:
    """Return the selected text.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<h1>Title</h1><ul><li>one<li>two</ul><table><tr><td>a<td>b</table>")
    >>> print(render_text(page, page.is_text))
    Title
    <BLANKLINE>
    one
    two
    <BLANKLINE>
    a	b
    """
    texts = block_texts(page, mask)
    if not texts:
        return ""
    host = page.blocks.host[[block for block, _ in texts]]
    row_of = nearest(page.end, page.rows_of("tr"))[host]
    table_of = nearest(page.end, page.rows_of("table"))[host]
    list_of = nearest(page.end, np.flatnonzero(tags.table("ul ol dl menu dir")[page.tag]))[host]
    item = tags.LIST_ITEM[page.tag[host]]
    parts = [texts[0][1]]
    for k in range(1, len(texts)):
        if row_of[k] >= 0 and row_of[k] == row_of[k - 1]:
            parts.append(CELL if host[k] != host[k - 1] else LINE)
        elif (row_of[k] >= 0 and row_of[k - 1] >= 0 and table_of[k] == table_of[k - 1]) or (
            item[k] and item[k - 1] and list_of[k] == list_of[k - 1]
        ):
            parts.append(LINE)
        else:
            parts.append(PARAGRAPH)
        parts.append(texts[k][1])
    return "".join(parts)
