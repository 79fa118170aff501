"""Plain text: a block a paragraph, items and table rows a line each, cells divided by tabs.

`render_text` works straight on the columns, for speed; `document_text` writes a document the same way, and is used
where the words are not those of the rows (formulas, readings, line numbers) or where parts are left out.
"""

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import Final

import numpy as np

from tamis._kernels.loader import runs, walk
from tamis.document.detect.anchors import without_anchors
from tamis.document.detect.code import gutter_rows
from tamis.document.detect.formulas import find_formulas
from tamis.document.detect.invisible import has_invisible, visible
from tamis.document.detect.tables import data_tables
from tamis.document.document import Document
from tamis.document.parts import (
    Cell,
    Code,
    Definitions,
    Figure,
    Formula,
    Heading,
    List,
    Paragraph,
    Part,
    Row,
    Table,
    children,
)
from tamis.document.spans import CLOSES, OPENS, plain
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums
from tamis.render.options import DEFAULT, RenderOptions
from tamis.render.writer import LINE, PARAGRAPH, Rendered, Writer

CELL: Final = "\t"
_SPACES: Final = re.compile(" {2,}")  # what a picture leaves between two words
_LISTS, _TABLES, _ROWS, _CELLS = (
    tags.tag_mask(names).tobytes() for names in ("ul ol dl menu dir", "table", "tr", "td th")
)  # by tag, a byte each


def is_plain(page: Page, mask: Bools) -> bool:
    """Tell whether what was chosen is all in its rows: no readings or formulas, no line numbers.

    Quotation marks that a browser draws are no matter, unless they are drawn around several blocks.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p><ruby>漢<rt>kan</ruby><div><p>She left.</div>")
    >>> below = page.is_text.copy()
    >>> below[: page.rows_of("div")[0]] = False
    >>> is_plain(page, page.is_text), is_plain(page, below)
    (False, True)
    """
    readings, code, formulas = page.tag_count("rt"), page.tag_count("pre"), find_formulas(page)
    if _quotes(page, mask) is None:
        return False
    if not readings and not code and not formulas:
        return True
    chosen = prefix_sums(mask)
    has = chosen[page.end] > chosen[:-1]
    if readings and has[page.rows_of("rt")].any():
        return False
    near = has[page.parent[page.parent]]  # as far as a formula or a line number may stand from what was chosen
    if any(near[row] for row in formulas):
        return False
    return not (code and near[page.rows_of("pre")].any() and gutter_rows(page))


def _quotes(page: Page, mask: Bools) -> tuple[Counter[int], Counter[int]] | None:
    """Return how many quotations begin and end at each row, or None where one has several blocks or kept lines."""
    opens: Counter[int] = Counter()
    closes: Counter[int] = Counter()
    if not page.tag_count("q"):
        return opens, closes
    rows = page.rows_of("q")
    inked = np.flatnonzero(mask & (page.nonspace > 0))
    if has_invisible(page):
        inked = np.array([row for row in inked.tolist() if visible(page.row_text(row)).strip()], dtype=np.int64)
    begin, end = np.searchsorted(inked, rows), np.searchsorted(inked, page.end[rows])
    some = end > begin
    first, last = inked[begin[some]], inked[end[some] - 1]
    if (page.blocks.block_of[first] != page.blocks.block_of[last]).any() or page.pre[first].any():
        return None
    opens.update(first.tolist())
    closes.update(last.tolist())
    return opens, closes


def block_texts(page: Page, mask: Bools) -> list[tuple[int, str]]:
    r"""Return the blocks that have selected text, with that text, white space collapsed outside ``pre``.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>one\n two<br>three<p>four")
    >>> block_texts(page, page.is_text)
    [(0, 'one two\nthree'), (1, 'four')]
    """
    blocks = page.blocks
    if not len(blocks):
        return []
    mask = without_anchors(page, mask)
    flags = mask.view(np.uint8), page.pre.view(np.uint8)
    rows = (flags[0], page.nonspace, page.tag, flags[1], page.offset)
    numbers, out, hard = runs.selected_blocks((blocks.start, blocks.stop), rows, page.text)
    opens, closes = _quotes(page, mask) or (Counter(), Counter())
    for place in {*hard, *(bisect_left(numbers, blocks.block_of[row]) for row in opens)}:
        block = numbers[place]
        rows_of_block = range(blocks.start[block], blocks.stop[block])
        out[place] = _careful(page, mask, rows_of_block, opens, closes)
    if has_invisible(page):
        kept = page.pre[blocks.start[numbers]]
        out = [_seen(said, kept=bool(keep)) for said, keep in zip(out, kept, strict=True)]
    return list(zip(numbers, out, strict=True))


def _seen(said: str, *, kept: bool) -> str:
    """Return what is seen of a text; white space that such characters stood between becomes one."""
    seen = visible(said)
    return seen if kept or seen == said else "\n".join(" ".join(line.split()) for line in seen.split("\n"))


def _careful(page: Page, mask: Bools, rows: range, opens: Counter[int], closes: Counter[int]) -> str:
    """Return the selected text of a block that has line breaks, kept white space, quotations, or rows left out."""
    start = rows.start
    parts: list[str] = []
    for row in rows:
        if mask[row] and (row in opens or row in closes):
            said = visible(page.row_text(row))
            before, after = said[: len(said) - len(said.lstrip())], said[len(said.rstrip()) :]
            parts.append(before + OPENS * opens[row] + said.strip() + CLOSES * closes[row] + after)
        elif mask[row]:
            parts.append(page.row_text(row))
        elif page.tag[row] == tags.IDS["br"] and not page.hidden[row]:
            parts.append("\n" if page.pre[start] else "\r")
        elif page.is_text[row] and page.hidden[row] == 0 and page.offset[row + 1] > page.offset[row]:
            parts.append(" ")  # white space, or a run that was not chosen: words on either side stay apart
    text = "".join(parts)
    if page.pre[start]:
        return text.strip("\n").rstrip()
    return "\n".join(line for line in (" ".join(part.split()) for part in text.split("\r")) if line)


def render_text(page: Page, mask: Bools) -> str:
    """Return the selected text.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<h1>Title</h1><ul><li>one<li>two</ul><table><tr><th>a<th>b</table>")
    >>> print(render_text(page, page.is_text))
    Title
    <BLANKLINE>
    one
    two
    <BLANKLINE>
    a	b
    """
    texts = [(block, text) for block, text in block_texts(page, mask) if text]
    if not texts:
        return ""
    host = page.blocks.container[[block for block, _ in texts]].tolist()
    nowhere = [-1] * len(texts)
    list_of = row_of = table_of = cell_of = nowhere
    if page.tag_count("li") or page.tag_count("dt") or page.tag_count("dd"):
        list_of = walk.ancestors_with_tag(host, page.parent, page.tag, _LISTS, outermost=True)
    if page.tag_count("table"):
        table_of = walk.ancestors_with_tag(host, page.parent, page.tag, _TABLES, outermost=False)
        if max(table_of) >= 0:
            row_of = _data_rows(page, host)
            cell_of = walk.ancestors_with_tag(host, page.parent, page.tag, _CELLS, outermost=False)
    parts = [texts[0][1]]
    for k in range(1, len(texts)):
        if row_of[k] >= 0 and row_of[k] == row_of[k - 1]:
            parts.append(CELL if cell_of[k] != cell_of[k - 1] else " ")
        elif (row_of[k] >= 0 and row_of[k - 1] >= 0 and table_of[k] == table_of[k - 1]) or (
            list_of[k] >= 0 and list_of[k] == list_of[k - 1]
        ):
            parts.append("\n" * LINE)
        else:
            parts.append("\n" * PARAGRAPH)
        parts.append(texts[k][1])
    return "".join(parts)


def _data_rows(page: Page, rows: list[int]) -> list[int]:
    """Return for each row the nearest ``tr`` of a table of data that holds it, or -1."""
    lines = page.rows_of("tr")
    tables = data_tables(page)
    table_of = walk.ancestors_with_tag(lines.tolist(), page.parent, page.tag, _TABLES, outermost=False)
    marked = np.zeros(len(page), dtype=np.uint8)
    marked[lines] = [table in tables for table in table_of]
    return walk.ancestors_with_tag(rows, page.parent, marked, bytes((False, True)), outermost=False)


@dataclass(frozen=True, slots=True)
class _Around:
    """What a piece of text stands in: the outermost list, and the table, row and cell nearest to it."""

    list: Part | None = None
    table: Part | None = None
    row: Part | None = None
    cell: Part | None = None


def document_text(document: Document, options: RenderOptions = DEFAULT, front: str = "") -> Rendered:
    """Return a document as plain text, after `front` matter where there is some."""
    writer = Writer()
    if front:
        writer.write(front)
        writer.gap(PARAGRAPH)
    before: _Around | None = None
    rest: list[tuple[Part, _Around, bool]] = [(part, _Around(), False) for part in reversed(document.parts)]
    while rest:
        part, around, late = rest.pop()
        if isinstance(part, Table) and not options.tables:
            continue
        if isinstance(part, Figure) and part.parts and not late:  # its caption stands below what it holds
            rest.append((part, around, True))
            rest.extend((child, around, False) for child in reversed(part.parts))
            continue
        text = _own_text(part)
        if text:
            _divide(writer, before, around)
            with writer.part(part):
                writer.write(text)
            before = around
        if not late:
            below = _inside(part, around)
            rest.extend((child, below, False) for child in reversed(children(part)))
    _close_spans(document, writer)
    return writer.rendered()


def _close_spans(document: Document, writer: Writer) -> None:
    """Give every container the span of what it holds."""
    order = list(document)
    for part in reversed(order):
        places = [writer.spans[child] for child in (part, *children(part)) if child in writer.spans]
        if places:
            writer.spans[part] = (min(start for start, _ in places), max(stop for _, stop in places))


def _own_text(part: Part) -> str:
    match part:
        case Paragraph() | Heading():
            text = plain(part.spans).replace("\u00a0", " ").strip("\n")
            verse = isinstance(part, Paragraph) and part.verse
            return text if verse else _SPACES.sub(" ", text).strip(" ")
        case Code(text=text):
            return text
        case Formula(tex=tex):
            return tex
        case Figure() | Table():
            return plain(part.caption)
        case _:
            return ""


def _inside(part: Part, around: _Around) -> _Around:
    match part:
        case List() | Definitions():
            return _Around(around.list or part, around.table, around.row, around.cell)
        case Table():
            return _Around(around.list, part)
        case Row():
            return _Around(around.list, around.table, part)
        case Cell():
            return _Around(around.list, around.table, around.row, part)
        case _:
            return around


def _divide(writer: Writer, before: _Around | None, now: _Around) -> None:
    if before is None:
        return
    if now.row is not None and now.row is before.row:
        writer.raw(CELL if now.cell is not before.cell else " ")
    elif (now.row is not None and before.row is not None and now.table is before.table) or (
        now.list is not None and now.list is before.list
    ):
        writer.gap(LINE)
    else:
        writer.gap(PARAGRAPH)
