"""Plain text: straight from the selected rows where they contain all words, else from the document.

`content_text` is the one text of a page, whoever asks for it. Most pages need no document for it: reading the rows
takes a fifteenth of the CPU time (docs/adr/0007-two-plain-text-writers.md). Which way is taken depends on the page
and the options alone, never on what else is asked for.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from tamis._core.loader import core
from tamis.document.detectors.notes.model import is_around_references
from tamis.document.detectors.table import DETECTORS, Claim, Detector, Effect, Findings, without_deleted
from tamis.document.detectors.text import (
    Clues,
    find_clues,
    may_have_invisible,
    rows_after_gap,
    without_anchors,
)
from tamis.html import characters, tags
from tamis.html.text import CLOSING_QUOTE, OPENING_QUOTE, strip_invisible
from tamis.lazy import dataclass
from tamis.page import Page
from tamis.page.sums import Bools

if TYPE_CHECKING:
    from tamis.document.detectors.notes.model import Notes
    from tamis.render.content import Content
    from tamis.render.registry import RenderOptions

_MAX_RAISED_LEVELS: Final = 3  #: from a reference up to the ``sup`` around it
_BEFORE_OTHERS: Final = frozenset("[(,;–-")
_AFTER_OTHERS: Final = frozenset("]),;–-")
_MIN_LINE_ROWS: Final = 4  #: of a ``pre`` with two lines: itself, and an element and its text for each


_NO_QUOTES: Final[tuple[Counter[int], Counter[int]]] = (Counter(), Counter())


@dataclass(frozen=True, slots=True)
class TextRows:
    """What contains all words of a text.

    Attributes:
        mask: the rows.
        code: code blocks whose lines are elements or have numbers: the row of each, and its text.
        changed: rows with another text: formulas between delimiters as TeX alone, references to notes left out.
        quotes: how many quotations begin and end at each row.
    """

    mask: Bools
    code: Mapping[int, str] = field(default_factory=dict)
    changed: Mapping[int, str] = field(default_factory=dict)
    quotes: "Quotes" = _NO_QUOTES


def direct_rows(page: Page, mask: Bools, url: str | None = None, clues: Clues | None = None) -> TextRows | None:
    """Return the rows that contain all words of the text; None where only the document has them.

    The document adds words for ruby annotations, formulas, notes in attributes, and quotation marks around several
    blocks. Line numbers and buttons of code are left out. `clues` are those of the selection, if known.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p><ruby>漢<rt>kan</ruby><div><p>She left.</div>")
    >>> below = page.is_text.copy()
    >>> below[: page.rows_of("div")[0]] = False
    >>> direct_rows(page, page.is_text) is None, direct_rows(page, below).mask is below
    (True, True)
    """
    clues = clues or find_clues(page, mask)
    rows, found = TextRows(mask), None
    for detector in DETECTORS:
        if not detector.in_text or not detector.trigger(page, clues):
            continue
        found = found or Findings(page, mask, url, clues=clues)
        found.mask = rows.mask
        written = _written_rows(detector, found, rows)
        if written is None:
            return None
        rows = written
    return rows


def _written_rows(detector: Detector, found: Findings, rows: TextRows) -> TextRows | None:
    """Return the rows after a detector: without what it deletes, or None where only the document has all words."""
    claims = detector.find(found)
    rewrite = _REWRITES.get(detector.name)
    if rewrite is not None:
        rows_after = rewrite(found, rows)
    elif detector.is_built or any(map(partial(_needs_document, rows.mask), claims)):
        return None
    else:
        rows_after = rows
    if rows_after is None:
        return None
    mask = without_deleted(rows_after.mask, claims)
    return rows_after if mask is rows_after.mask else replace(rows_after, mask=mask)


def _needs_document(mask: Bools, claim: Claim) -> bool:
    """Tell whether the words of a claim are neither the selected ones nor left out."""
    if claim.effect is Effect.ADD:
        return True
    return claim.effect in Effect.MOVE | Effect.REPLACE and bool(mask[claim.first : claim.stop].any())


# What can be written from the rows though words are moved, replaced or added. None where only the document can tell.


def _with_formulas(found: Findings, rows: TextRows) -> TextRows | None:
    """Return the rows with formulas in their text as TeX alone; None if a formula is anything else."""
    page, mask = found.page, rows.mask
    if not found.formulas and not found.text_formulas:
        return rows
    if found.formulas or page.tag_count("q"):
        return None
    changed: dict[int, str] = {}
    for formula in reversed(found.text_formulas):  # from the end: what is before keeps its place
        row = formula.first
        if formula.last != row or formula.display or not formula.tex or not mask[row] or page.pre[row]:
            return None
        if row in rows.changed:
            return None
        begin = int(page.offset[row])
        text = changed.get(row, page.row_text(row))
        changed[row] = text[: formula.start - begin] + formula.tex + text[formula.stop - begin :]
    return replace(rows, changed={**rows.changed, **changed})


def _with_notes(found: Findings, rows: TextRows) -> TextRows | None:
    """Return the rows with whole notes, of those of which half is selected, and without the others.

    The references to those that are left out are left out too.
    """
    page, notes = found.page, found.notes
    if notes.embedded or notes.defined:
        return None
    out = found.mask.copy()
    for row in found.unselected_notes:
        out[row : notes.notes[row].stop] = False
    changed = _without_references(page, notes, {notes.notes[row].label for row in found.unselected_notes})
    if changed is None:
        return None
    return replace(rows, mask=out, changed={row: text for row, text in changed.items() if out[row]})


def _without_references(page: Page, notes: "Notes", absent: set[str]) -> dict[int, str] | None:
    """Return the text rows of references to absent notes, and what is left of their text; None if that is unclear."""
    elements = [row for row, label in notes.references.items() if label in absent]
    rows = {row for element in elements for row in _text_rows_in(page, element)}
    changed: dict[int, str] = {}
    for element in elements:
        around = _raised_around(page, element, rows)
        if around is None and _touches_brackets(page, int(page.offset[element]), int(page.offset[page.end[element]])):
            return None
        changed.update(dict.fromkeys(_text_rows_in(page, element if around is None else around), ""))
    for row, marks in notes.text_references.items():
        dropped = [mark for mark in marks if mark.label in absent]
        if any(_touches_brackets(page, mark.start, mark.stop) for mark in dropped):
            return None
        start, text = int(page.offset[row]), page.row_text(row)
        for mark in reversed(dropped):
            text = text[: mark.start - start] + text[mark.stop - start :]
        if dropped:
            is_raised = page.tag[page.parent[row]] == tags.IDS["sup"] and is_around_references(text)
            changed[row] = "" if is_raised else text
    return changed


def _text_rows_in(page: Page, element: int) -> list[int]:
    return (np.flatnonzero(page.shown[element : page.end[element]]) + element).tolist()


def _raised_around(page: Page, row: int, references: set[int]) -> int | None:
    """Return the ``sup`` around a reference if it has nothing but such references, and what is around them."""
    for element in page.ancestors(row, _MAX_RAISED_LEVELS):
        if page.tag[element] == tags.IDS["sup"]:
            others = [other for other in _text_rows_in(page, element) if other not in references]
            return element if all(is_around_references(page.row_text(other)) for other in others) else None
    return None


def _touches_brackets(page: Page, start: int, stop: int) -> bool:
    """Tell whether a range of the text is in brackets, or in a list of references that are."""
    return page.text[start - 1 : start] in _BEFORE_OTHERS or page.text[stop : stop + 1] in _AFTER_OTHERS


def _with_code(found: Findings, rows: TextRows) -> TextRows | None:
    """Return the rows with the text of code whose lines are not text."""
    from tamis.document.preformatted import code_block_text  # noqa: PLC0415

    page, mask, blocks = found.page, found.mask, found.code
    code: dict[int, str] = {}
    for row in sorted({*blocks.blocks, *blocks.numbered, *_line_element_rows(page, mask)}):
        text = code_block_text(page, mask, row, blocks)
        if text is None or not _has_own_blocks(page, row):
            return None
        code[row] = text
    return replace(rows, mask=mask, code=code)


def _has_own_blocks(page: Page, row: int) -> bool:
    """Tell whether no block is partly in an element."""
    blocks, end = page.blocks, page.end[row]
    inside = blocks.block_of[row:end]
    inside = inside[inside >= 0]
    return not len(inside) or bool(blocks.start[inside[0]] >= row and blocks.stop[inside[-1]] <= end)


def _line_element_rows(page: Page, mask: Bools) -> list[int]:
    """Return the selected ``pre`` elements without a line end that have several elements that are lines by class."""
    from tamis.document.detectors.code_text import line_elements  # noqa: PLC0415

    out = []
    for row in page.rows_of("pre").tolist():
        stop = int(page.end[row])
        if stop - row > _MIN_LINE_ROWS and "\n" not in page.row_text(row).strip() and mask[row:stop].any():
            lines, _ = line_elements(page, row)
            if len(lines) > 1:
                out.append(row)
    return out


#: How many quotations begin and how many end at each row.
Quotes = tuple[Counter[int], Counter[int]]


def quote_rows(page: Page, mask: Bools) -> Quotes | None:
    """Return how many quotations begin and end at each row.

    None if a quotation spans several blocks or is in preformatted text.
    """
    if not page.tag_count("q"):
        return _NO_QUOTES
    quotes = page.rows_of("q")
    rows = np.flatnonzero(mask & (page.nonspace > 0))
    if may_have_invisible(page):
        rows = np.array([row for row in rows.tolist() if strip_invisible(page.row_text(row)).strip()], dtype=np.int64)
    begin, end = np.searchsorted(rows, quotes), np.searchsorted(rows, page.end[quotes])
    not_empty = end > begin
    first, last = rows[begin[not_empty]], rows[end[not_empty] - 1]
    if (page.blocks.block_of[first] != page.blocks.block_of[last]).any() or page.pre[first].any():
        return None
    return Counter(first.tolist()), Counter(last.tolist())


def _with_quotations(found: Findings, rows: TextRows) -> TextRows | None:
    """Return the rows with their quotations, which need quotation marks."""
    quotes = quote_rows(found.page, rows.mask)
    return None if quotes is None else replace(rows, quotes=quotes)


#: The detectors whose words can be written from the rows. Of the others, plain text follows the claims.
_REWRITES: Final[dict[str, Callable[[Findings, TextRows], TextRows | None]]] = {
    "notes": _with_notes,
    "formulas": _with_formulas,
    "code": _with_code,
    "quotations": _with_quotations,
}


_TABLES: Final = tags.tag_mask("table").tobytes()  # one byte per tag
#: What a piece of text is in: its outermost list and its nearest table, table row and cell; -1 for none.
Context = tuple[int, int, int, int]
NO_CONTEXT: Final[Context] = (-1, -1, -1, -1)


def block_texts(page: Page, rows: TextRows | Bools) -> list[tuple[int, str]]:
    r"""Return the blocks with selected text, and that text, its white space collapsed outside ``pre``.

    Of a mask, links that lead to their heading are left out. The first block in a code block has its text, the others
    none.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>one\n two<br>three<p>four")
    >>> block_texts(page, page.is_text)
    [(0, 'one two\nthree'), (1, 'four')]
    """
    return list(zip(*_block_texts(page, rows), strict=True))


def _block_texts(page: Page, rows: TextRows | Bools) -> tuple[list[int], list[str]]:
    """Return the numbers of the blocks with selected text, and their texts."""
    if not page.columns.block_count:
        return [], []
    if not isinstance(rows, TextRows):
        mask = without_anchors(page, rows)
        rows = TextRows(mask, quotes=quote_rows(page, mask) or _NO_QUOTES)
    if rows.code or rows.changed:
        return _written_blocks(page, rows)
    return page.once("block texts", rows.mask, lambda: _written_blocks(page, rows))  # several outputs ask for them


def _written_blocks(page: Page, rows: TextRows) -> tuple[list[int], list[str]]:
    blocks, mask, changed = page.blocks, rows.mask, rows.changed
    numbers, texts = core.selected_blocks(page.columns, mask.view(np.uint8), page.text)
    opening = rows.quotes[0]
    after_gap = rows_after_gap(page, mask)
    rewritten = {int(blocks.block_of[row]) for row in (*opening, *changed, *after_gap) if mask[row]}
    for block in rewritten:
        block_rows = range(blocks.start[block], blocks.stop[block])
        texts[bisect_left(numbers, block)] = _slow_text(page, rows, block_rows, after_gap)
    if may_have_invisible(page):
        with_signs = np.flatnonzero(page.char_counts.by_class[:, characters.OTHER])
        for block in rewritten.union(blocks.block_of[with_signs].tolist()):
            index = bisect_left(numbers, block)
            if index < len(numbers) and numbers[index] == block:
                texts[index] = _visible_text(texts[index], pre=bool(page.pre[blocks.start[block]]))
    for row, text in rows.code.items():
        first, last = (bisect_left(numbers, edge[row]) for edge in page.block_ranges[:2])
        if first < last:
            texts[first:last] = [text, *[""] * (last - first - 1)]
    return numbers, texts


def _visible_text(text: str, *, pre: bool) -> str:
    """Return text without invisible characters; white space around a removed one is collapsed outside ``pre``."""
    stripped = strip_invisible(text)
    return stripped if pre or stripped == text else "\n".join(" ".join(line.split()) for line in stripped.split("\n"))


def _slow_text(page: Page, selected: TextRows, rows: range, after_gap: frozenset[int]) -> str:
    """Return the selected text of a block with quotations, formulas or missing spaces.

    It is written as `core.selected_blocks` writes other blocks.
    """
    mask, changed, (opening, closing) = selected.mask, selected.changed, selected.quotes
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


def selected_text(page: Page, rows: TextRows | Bools) -> str:
    """Return the text of selected rows.

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
    if isinstance(rows, TextRows) and not rows.code and not rows.changed:
        return page.once("selected text", rows.mask, lambda: _joined_text(page, rows))  # metadata ask for it too
    return _joined_text(page, rows)


def _joined_text(page: Page, rows: TextRows | Bools) -> str:
    numbers, texts = _block_texts(page, rows)
    if not texts:
        return ""
    has_items = any(map(page.tag_count, ("li", "dt", "dd")))
    return core.join_blocks(texts, numbers, page.columns, _data_rows(page, numbers), lists=has_items)


def plain_rows(page: Page, mask: Bools) -> TextRows:
    """Return the rows that block texts and metadata are read from: the selected ones without links to headings.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<h2>Tea <a class=anchor href="#tea">link</a></h2>')
    >>> selected_text(page, plain_rows(page, page.is_text))
    'Tea'
    """
    rows = without_anchors(page, mask, may_be_named=find_clues(page, mask).anchors)
    return TextRows(rows, quotes=quote_rows(page, rows) or _NO_QUOTES)


def _data_rows(page: Page, numbers: list[int]) -> npt.NDArray[np.uint8]:
    """Return which rows are a ``tr`` of a data table; an empty column if none of the blocks is in one."""
    no_rows = np.zeros(0, dtype=np.uint8)
    if not page.tag_count("table"):
        return no_rows
    first, last = (page.block_ranges[edge][page.rows_of("table")] for edge in (0, 1))
    if (np.searchsorted(numbers, first) == np.searchsorted(numbers, last)).all() or not page.data_tables:
        return no_rows
    table_rows = page.rows_of("tr")
    table_of = core.ancestors_with_tag(table_rows.tolist(), page.parent, page.tag, _TABLES, outermost=False)
    is_data_row = np.zeros(len(page), dtype=np.uint8)
    is_data_row[table_rows] = [table in page.data_tables for table in table_of]
    return is_data_row


_OPENING_OF_TITLE: Final = 1000  #: characters in which the title may be
_NO_TITLE: Final = tags.tag_mask("li dt dd td th figcaption")  #: elements that hold no title


def content_text(content: "Content", options: "RenderOptions") -> str:
    """Return an extraction as plain text: from its rows where they contain all words, else from its document."""
    direct = direct_text(content, options)
    if direct is not None:
        return direct[0] + direct[1]
    from tamis.render.document_text import write_document  # noqa: PLC0415 (most pages need no document)

    return write_document(content, options).text


def direct_text(content: "Content", options: "RenderOptions") -> tuple[str, str, TextRows] | None:
    """Return the title above the text, the text, and the rows that it is from; None if the document is needed."""
    page, selection = content.page, content.selection
    suits_rows = options.tables and not options.comments and not options.with_metadata
    if not suits_rows or selection.metadata_fallback is not None:
        return None
    rows = direct_rows(page, selection.mask, content.url)
    if rows is None:
        return None
    text = selected_text(page, rows)
    title = content.title if text and options.shows_title(default=False) else None
    return (f"{title}\n\n" if title and not _begins_with(page, rows.mask, title) else ""), text, rows


def text_ranges(page: Page, rows: TextRows, text: str) -> tuple[list[int], list[int], list[int]]:
    """Return the blocks of which `selected_text` has written something, and where each begins and ends in it."""
    numbers, texts = _block_texts(page, rows)
    written: list[int] = []
    starts: list[int] = []
    stops: list[int] = []
    position = 0
    for number, piece in zip(numbers, texts, strict=True):
        if piece:
            start = text.index(piece, position)
            position = start + len(piece)
            written.append(number)
            starts.append(start)
            stops.append(position)
    return written, starts, stops


def first_rows(page: "Page", mask: Bools, chars: int) -> Bools:
    """Return the rows of a selection up to a number of characters."""
    lengths = np.where(mask, np.diff(page.offset), 0)
    return np.asarray(mask & (np.cumsum(lengths) - lengths < chars))


def _begins_with(page: "Page", mask: Bools, title: str) -> bool:
    """Tell from the selected rows whether the content begins with the title."""
    from tamis.metadata.title import match_title  # noqa: PLC0415 (plain text needs no title)

    opening = []
    for block, text in block_texts(page, first_rows(page, mask, _OPENING_OF_TITLE)):
        row = int(page.blocks.container[block])
        is_heading, is_other = tags.HEADING[page.tag[row]], _NO_TITLE[page.tag[row]]
        opening.append((text, int(page.tag_name(row)[1]) if is_heading else -1 if is_other else 0))
    return match_title(title, opening) is not None
