"""Plain text straight from the selected rows, without building a document.

Many callers want the text alone. On pages of WCXB this writer takes a fifteenth of the CPU time of building the
document and writing that with `tamis.render.text` (docs/adr/0007-two-plain-text-writers.md). It writes the same
words; `text_rows` says for which pages. Both writers share `separator`.
"""

from bisect import bisect_left
from collections import Counter
from typing import Final

import numpy as np

from tamis._kernels.loader import runs, walk
from tamis.document.detect.anchors import without_anchors
from tamis.document.detect.clues import Clues, find_clues
from tamis.document.detect.invisible import may_have_invisible, strip_invisible
from tamis.document.detect.plain_text import is_text_only
from tamis.document.detect.tables import data_tables
from tamis.document.spans import CLOSING_QUOTE, OPENING_QUOTE
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

_LISTS, _TABLES, _CELLS = (
    tags.tag_mask(names).tobytes() for names in ("ul ol dl menu dir", "table", "td th")
)  # one byte per tag
_MIN_LINE_ROWS: Final = 4  #: of a ``pre`` with two lines: itself, and an element and its text for each
#: What a piece of text is in: its outermost list and its nearest table, table row and cell; -1 for none.
Context = tuple[int, int, int, int]
NO_CONTEXT: Final[Context] = (-1, -1, -1, -1)


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


def text_rows(page: Page, mask: Bools, url: str | None = None, clues: Clues | None = None) -> Bools | None:
    """Return the rows that contain all words of the text; None where only the document has them.

    The document adds words for ruby annotations, formulas, notes in attributes, and quotation marks around several
    blocks. Notes that the text refers to are added; line numbers and buttons of code are left out. `clues` are those
    of the selection, if known.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p><ruby>漢<rt>kan</ruby><div><p>She left.</div>")
    >>> below = page.is_text.copy()
    >>> below[: page.rows_of("div")[0]] = False
    >>> text_rows(page, page.is_text) is None, text_rows(page, below) is below
    (True, True)
    """
    clues = clues or find_clues(page, mask)
    if (clues.emails or clues.formulas) and _has_emails_or_formulas(page, mask, clues):
        return None
    if (
        _quote_rows(page, mask) is None
        or is_text_only(page)
        or ("[!" in page.text and page.tag_count("blockquote"))  # may be a callout, whose type is no text
        or ("[Page 1]" in page.text and page.tag_count("pre"))  # the document leaves out the ends of printed pages
        or (page.tag_count("rt") and _has_annotations(page, mask))
    ):
        return None
    rows = _with_notes(page, mask, url) if clues.notes else mask
    return _without_code_labels(page, rows) if clues.code and rows is not None else rows


# The detectors are imported where there is a clue of what they find: most pages need none of them.
def _has_emails_or_formulas(page: Page, mask: Bools, clues: Clues) -> bool:
    """Tell whether protected addresses or formulas are selected, for which there is a clue."""
    from tamis.document.detect.formulas.content import content_formulas  # noqa: PLC0415
    from tamis.document.detect.protected_emails import protected_emails  # noqa: PLC0415

    if clues.emails and any(mask[row] for row in protected_emails(page)):
        return True
    return bool(clues.formulas and content_formulas(page, mask))


def _with_notes(page: Page, mask: Bools, url: str | None) -> Bools | None:
    """Return the selected rows and the notes they refer to; None if a note is no text of the page in place."""
    from tamis.document.detect.notes.find import find_notes  # noqa: PLC0415

    notes = find_notes(page, mask, url)
    if notes.embedded or notes.defined:
        return None
    out = notes.kept_with(page, mask)
    if notes.dropped:
        out = out.copy()
        for row in notes.dropped:
            out[row : page.end[row]] = False
    return out


def _without_code_labels(page: Page, mask: Bools) -> Bools | None:
    """Return the selected rows without labels and buttons of code; None if lines of code are elements."""
    from tamis.document.detect.code_blocks import find_code_blocks  # noqa: PLC0415

    code = find_code_blocks(page, mask)
    if code.blocks or code.numbered or _has_line_elements(page, mask):
        return None
    dropped = [row for row in code.dropped if mask[row]]
    if not dropped:
        return mask
    out = mask.copy()
    out[dropped] = False
    return out


def _has_annotations(page: Page, mask: Bools) -> bool:
    """Tell whether there are selected ruby annotations."""
    selected = prefix_sums(mask)
    return bool((selected[page.end] > selected[:-1])[page.rows_of("rt")].any())


def _has_line_elements(page: Page, mask: Bools) -> bool:
    """Tell whether a selected ``pre`` has no line end, and several elements that are lines by their class."""
    from tamis.document.detect.code import line_elements  # noqa: PLC0415

    for row in page.rows_of("pre").tolist():
        stop = int(page.end[row])
        if stop - row > _MIN_LINE_ROWS and "\n" not in page.row_text(row).strip() and mask[row:stop].any():
            lines, _ = line_elements(page, row)
            if len(lines) > 1:
                return True
    return False


def _quote_rows(page: Page, mask: Bools) -> tuple[Counter[int], Counter[int]] | None:
    """Return how many quotations begin and end at each row.

    None if a quotation spans several blocks or is in preformatted text.
    """
    opening: Counter[int] = Counter()
    closing: Counter[int] = Counter()
    if not page.tag_count("q"):
        return opening, closing
    quotes = page.rows_of("q")
    rows = np.flatnonzero(mask & (page.nonspace > 0))
    if may_have_invisible(page):
        rows = np.array([row for row in rows.tolist() if strip_invisible(page.row_text(row)).strip()], dtype=np.int64)
    begin, end = np.searchsorted(rows, quotes), np.searchsorted(rows, page.end[quotes])
    not_empty = end > begin
    first, last = rows[begin[not_empty]], rows[end[not_empty] - 1]
    if (page.blocks.block_of[first] != page.blocks.block_of[last]).any() or page.pre[first].any():
        return None
    opening.update(first.tolist())
    closing.update(last.tolist())
    return opening, closing


def block_texts(page: Page, mask: Bools, *, anchors: bool = True) -> list[tuple[int, str]]:
    r"""Return the blocks with selected text, and that text, its white space collapsed outside ``pre``.

    `anchors` says whether there may be links that lead to their heading (`tamis.document.detect.clues`).

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
    opening, closing = _quote_rows(page, mask) or (Counter(), Counter())
    for index in {bisect_left(numbers, blocks.block_of[row]) for row in opening}:
        block = numbers[index]
        block_rows = range(blocks.start[block], blocks.stop[block])
        texts[index] = _quoting_text(page, mask, block_rows, opening, closing)
    if may_have_invisible(page):
        preformatted = page.pre[blocks.start[numbers]]
        texts = [_visible_text(text, pre=bool(pre)) for text, pre in zip(texts, preformatted, strict=True)]
    return list(zip(numbers, texts, strict=True))


def _visible_text(text: str, *, pre: bool) -> str:
    """Return text without invisible characters; white space around a removed one is collapsed outside ``pre``."""
    stripped = strip_invisible(text)
    return stripped if pre or stripped == text else "\n".join(" ".join(line.split()) for line in stripped.split("\n"))


def _quoting_text(page: Page, mask: Bools, rows: range, opening: Counter[int], closing: Counter[int]) -> str:
    """Return the selected text of a block with quotations, as `runs.selected_blocks` writes those of the others."""
    parts: list[str] = []
    for row in rows:
        if mask[row] and (row in opening or row in closing):
            text = strip_invisible(page.row_text(row))
            before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
            quoted = OPENING_QUOTE * opening[row] + text.strip() + CLOSING_QUOTE * closing[row]
            parts.append(before + quoted + after)
        elif mask[row]:
            parts.append(page.row_text(row))
        elif page.tag[row] == tags.IDS["br"] and not page.hidden[row]:
            parts.append("\r")
        elif page.is_text[row] and page.hidden[row] == 0 and page.offset[row + 1] > page.offset[row]:
            parts.append(" ")
    lines = (" ".join(part.split()) for part in "".join(parts).split("\r"))
    return "\n".join(line for line in lines if line)


def selected_text(page: Page, mask: Bools, *, anchors: bool = True) -> str:
    """Return the selected text. `anchors` as for `block_texts`.

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
    texts = [(block, text) for block, text in block_texts(page, mask, anchors=anchors) if text]
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
