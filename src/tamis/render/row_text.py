"""Plain text straight from the selected rows, without building a document.

Many callers want the text alone. On pages of WCXB this writer takes a fifteenth of the CPU time of building the
document and writing that with `tamis.render.text` (docs/adr/0007-two-plain-text-writers.md). It writes the same
words; `tamis.render.text_rows` says for which pages. Both writers share `separator`.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from tamis._kernels.loader import runs, walk
from tamis.document.detect.anchors import without_anchors
from tamis.document.detect.invisible import may_have_invisible, strip_invisible
from tamis.document.detect.tables import data_tables
from tamis.document.detect.word_gaps import rows_after_gap
from tamis.document.quotation_marks import CLOSING_QUOTE, OPENING_QUOTE
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools
from tamis.render.text_rows import TextRows, quote_rows

_LISTS, _TABLES, _CELLS = (
    tags.tag_mask(names).tobytes() for names in ("ul ol dl menu dir", "table", "td th")
)  # one byte per tag
#: What a piece of text is in: its outermost list and its nearest table, table row and cell; -1 for none.
Context = tuple[int, int, int, int]
NO_CONTEXT: Final[Context] = (-1, -1, -1, -1)
_NOTHING: Final[Mapping[int, str]] = MappingProxyType({})


def separator(before: Context, context: Context) -> str:
    r"""Return the separator of two pieces of text.

    Cells are divided by tabs, table rows and list items by line ends, everything else by blank lines.

    >>> separator((-1, 1, 2, 3), (-1, 1, 2, 4)), separator((7, -1, -1, -1), (7, -1, -1, -1))
    ('\t', '\n')
    """
    outer_list, table, row, cell = context
    if row >= 0 and row == before[2]:
        return "\t" if cell != before[3] else " "
    same_table = row >= 0 and before[2] >= 0 and table == before[1]
    same_list = outer_list >= 0 and outer_list == before[0]
    return "\n" if same_table or same_list else "\n\n"


def block_texts(
    page: Page,
    mask: Bools,
    *,
    anchors: bool = True,
    code: Mapping[int, str] = _NOTHING,
    changed: Mapping[int, str] = _NOTHING,
) -> list[tuple[int, str]]:
    r"""Return the blocks with selected text, and that text, its white space collapsed outside ``pre``.

    `anchors` says whether there may be links that lead to their heading (`tamis.document.detect.clues`). `code` are
    code blocks and their texts: the first block in one has its text, the others none. `changed` are rows with
    another text.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>one\n two<br>three<p>four")
    >>> block_texts(page, page.is_text)
    [(0, 'one two\nthree'), (1, 'four')]
    """
    blocks = page.blocks
    if not len(blocks):
        return []
    mask = without_anchors(page, mask, may_be_named=anchors)
    flags = mask.view(np.uint8), page.pre.view(np.uint8)
    columns = (page.node_type, flags[0], page.nonspace, page.tag, flags[1], page.hidden, page.offset)
    numbers, texts = runs.selected_blocks((blocks.start, blocks.stop), columns, page.text)
    opening, closing = quote_rows(page, mask) or (Counter(), Counter())
    after_gap = rows_after_gap(page, mask)
    for block in {int(blocks.block_of[row]) for row in (*opening, *changed, *after_gap) if mask[row]}:
        block_rows = range(blocks.start[block], blocks.stop[block])
        texts[bisect_left(numbers, block)] = _slow_text(
            page, mask, block_rows, (opening, closing), changed, after_gap
        )
    if may_have_invisible(page):
        preformatted = page.pre[blocks.start[numbers]]
        texts = [_visible_text(text, pre=bool(pre)) for text, pre in zip(texts, preformatted, strict=True)]
    for row, text in code.items():
        first, last = (bisect_left(numbers, edge[row]) for edge in page.block_ranges[:2])
        if first < last:
            texts[first:last] = [text, *[""] * (last - first - 1)]
    return list(zip(numbers, texts, strict=True))


def _visible_text(text: str, *, pre: bool) -> str:
    """Return text without invisible characters; white space around a removed one is collapsed outside ``pre``."""
    stripped = strip_invisible(text)
    return stripped if pre or stripped == text else "\n".join(" ".join(line.split()) for line in stripped.split("\n"))


def _slow_text(
    page: Page,
    mask: Bools,
    rows: range,
    quotes: tuple[Counter[int], Counter[int]],
    changed: Mapping[int, str],
    after_gap: frozenset[int],
) -> str:
    """Return the selected text of a block with quotations, formulas or missing spaces.

    It is written as `runs.selected_blocks` writes other blocks.
    """
    opening, closing = quotes
    parts: list[str] = []
    for row in rows:
        if row in after_gap:
            parts.append(" ")
        if mask[row] and (row in opening or row in closing):
            text = strip_invisible(page.row_text(row))
            before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
            quoted = OPENING_QUOTE * opening[row] + text.strip() + CLOSING_QUOTE * closing[row]
            parts.append(before + quoted + after)
        elif mask[row]:
            parts.append(changed[row] if row in changed else page.row_text(row))
        elif page.tag[row] == tags.IDS["br"] and not page.hidden[row]:
            parts.append("\r")
        elif page.is_text[row] and page.hidden[row] == 0 and page.offset[row + 1] > page.offset[row]:
            parts.append(" ")
    lines = (" ".join(part.split()) for part in "".join(parts).split("\r"))
    return "\n".join(line for line in lines if line)


def selected_text(page: Page, rows: TextRows | Bools, *, anchors: bool = True) -> str:
    """Return the text of selected rows. `anchors` as for `block_texts`.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<h1>Title</h1><ul><li>one<li>two</ul><table><tr><th>a<th>b</table>")
    >>> print(selected_text(page, page.is_text))
    Title
    <BLANKLINE>
    one
    two
    <BLANKLINE>
    a	b
    """
    rows = rows if isinstance(rows, TextRows) else TextRows(rows)
    all_texts = block_texts(page, rows.mask, anchors=anchors, code=rows.code, changed=rows.changed)
    texts = [(block, text) for block, text in all_texts if text]
    if not texts:
        return ""
    contexts = _contexts(page, page.blocks.container[[block for block, _ in texts]].tolist())
    parts = [texts[0][1]]
    for k in range(1, len(texts)):
        parts += (separator(contexts[k - 1], contexts[k]), texts[k][1])
    return "".join(parts)


def _contexts(page: Page, rows: list[int]) -> list[Context]:
    """Return what the elements at these rows are in."""
    lists = tables = table_rows = cells = [-1] * len(rows)
    if page.tag_count("li") or page.tag_count("dt") or page.tag_count("dd"):
        lists = walk.ancestors_with_tag(rows, page.parent, page.tag, _LISTS, outermost=True)
    if page.tag_count("table"):
        tables = walk.ancestors_with_tag(rows, page.parent, page.tag, _TABLES, outermost=False)
        if max(tables) >= 0:
            table_rows = _data_rows(page, rows)
            cells = walk.ancestors_with_tag(rows, page.parent, page.tag, _CELLS, outermost=False)
    return list(zip(lists, tables, table_rows, cells, strict=True))


def _data_rows(page: Page, rows: list[int]) -> list[int]:
    """Return the nearest ``tr`` of a data table around each row, or -1."""
    table_rows = page.rows_of("tr")
    tables = data_tables(page)
    table_of = walk.ancestors_with_tag(table_rows.tolist(), page.parent, page.tag, _TABLES, outermost=False)
    is_data_row = np.zeros(len(page), dtype=np.uint8)
    is_data_row[table_rows] = [table in tables for table in table_of]
    return walk.ancestors_with_tag(rows, page.parent, is_data_row, bytes((False, True)), outermost=False)
