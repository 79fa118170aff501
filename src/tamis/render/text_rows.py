"""Which rows contain all words of a text, so that it can be written without building a document."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from tamis.document.detect.clues import Clues, find_clues
from tamis.document.detect.invisible import may_have_invisible, strip_invisible
from tamis.document.detect.notes.labels import is_around_references
from tamis.document.detect.plain_text import is_text_only
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

if TYPE_CHECKING:
    from tamis.document.detect.notes.model import Notes

_MAX_RAISED_LEVELS: Final = 3  #: from a reference up to the ``sup`` around it
_BEFORE_OTHERS: Final = frozenset("[(,;–-")
_AFTER_OTHERS: Final = frozenset("]),;–-")
_MIN_LINE_ROWS: Final = 4  #: of a ``pre`` with two lines: itself, and an element and its text for each


@dataclass(frozen=True, slots=True)
class TextRows:
    """What contains all words of a text.

    Attributes:
        mask: the rows.
        code: code blocks whose lines are elements or have numbers: the row of each, and its text.
        changed: rows with another text: formulas between delimiters as TeX alone, references to notes left out.
    """

    mask: Bools
    code: Mapping[int, str] = field(default_factory=dict)
    changed: Mapping[int, str] = field(default_factory=dict)


def text_rows(page: Page, mask: Bools, url: str | None = None, clues: Clues | None = None) -> TextRows | None:
    """Return the rows that contain all words of the text; None where only the document has them.

    The document adds words for ruby annotations, formulas, notes in attributes, and quotation marks around several
    blocks. Line numbers and buttons of code are left out. `clues` are those of the selection, if known.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p><ruby>漢<rt>kan</ruby><div><p>She left.</div>")
    >>> below = page.is_text.copy()
    >>> below[: page.rows_of("div")[0]] = False
    >>> text_rows(page, page.is_text) is None, text_rows(page, below).mask is below
    (True, True)
    """
    clues = clues or find_clues(page, mask)
    changed: dict[int, str] | None = {}
    if clues.emails or clues.formulas:
        changed = _formula_rows(page, mask, clues)
    if changed is None:
        return None
    if (
        quote_rows(page, mask) is None
        or is_text_only(page)
        or (page.tag_count("blockquote") and "[!" in page.text)  # may be a callout, whose type is no text
        or (page.tag_count("pre") and "[Page 1]" in page.text)  # the document leaves out the ends of printed pages
        or (page.tag_count("rt") and _has_annotations(page, mask))
    ):
        return None
    rows = mask
    if clues.notes:
        found = _with_notes(page, mask, url)
        if found is None or not changed.keys().isdisjoint(found[1]):
            return None
        rows, changed = found[0], changed | found[1]
    return _with_code(page, rows, changed) if clues.code else TextRows(rows, changed=changed)


# The detectors are imported where there is a clue of what they find: most pages need none of them.
def _formula_rows(page: Page, mask: Bools, clues: Clues) -> dict[int, str] | None:
    """Return the rows with formulas in their text, and that text; None if a formula is anything else.

    None also if a protected address is selected.
    """
    from tamis.document.detect.formulas.content import content_formulas  # noqa: PLC0415
    from tamis.document.detect.protected_emails import protected_emails  # noqa: PLC0415

    if clues.emails and any(mask[row] for row in protected_emails(page)):
        return None
    formulas = content_formulas(page, mask) if clues.formulas else None
    if not formulas:
        return {}
    if formulas.elements or page.tag_count("q"):
        return None
    changed: dict[int, str] = {}
    for formula in reversed(formulas.delimited):  # from the end: what is before keeps its place
        row = formula.first
        if formula.last != row or formula.display or not formula.tex or not mask[row] or page.pre[row]:
            return None
        begin = int(page.offset[row])
        text = changed.get(row, page.row_text(row))
        changed[row] = text[: formula.start - begin] + formula.tex + text[formula.stop - begin :]
    return changed


def _with_notes(page: Page, mask: Bools, url: str | None) -> tuple[Bools, dict[int, str]] | None:
    """Return the selected rows, and rows with another text; None where only the document can tell.

    Notes of which half is selected are whole. Others are left out, and so are the references to them.
    """
    from tamis.document.detect.notes.find import find_notes  # noqa: PLC0415

    notes = find_notes(page, mask, url)
    if notes.embedded or notes.defined:
        return None
    unselected = notes.unselected(page, mask)
    out = notes.kept_with(page, mask).copy()
    for row in unselected:
        out[row : notes.notes[row].stop] = False
    for row in notes.dropped:
        out[row : page.end[row]] = False
    changed = _without_references(page, notes, {notes.notes[row].label for row in unselected})
    return None if changed is None else (out, {row: text for row, text in changed.items() if out[row]})


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
    for _ in range(_MAX_RAISED_LEVELS):
        row = int(page.parent[row])
        if page.tag[row] == tags.IDS["sup"]:
            others = [other for other in _text_rows_in(page, row) if other not in references]
            return row if all(is_around_references(page.row_text(other)) for other in others) else None
    return None


def _touches_brackets(page: Page, start: int, stop: int) -> bool:
    """Tell whether a range of the text is in brackets, or in a list of references that are."""
    return page.text[start - 1 : start] in _BEFORE_OTHERS or page.text[stop : stop + 1] in _AFTER_OTHERS


def _with_code(page: Page, mask: Bools, changed: dict[int, str]) -> TextRows | None:
    """Return the selected rows without labels and buttons of code, and the text of code whose lines are no text."""
    from tamis.document.detect.code_blocks import find_code_blocks  # noqa: PLC0415
    from tamis.document.preformatted import code_block_text  # noqa: PLC0415

    found = find_code_blocks(page, mask)
    code: dict[int, str] = {}
    for row in sorted({*found.blocks, *found.numbered, *_line_element_rows(page, mask)}):
        text = code_block_text(page, mask, row, found)
        if text is None or not _has_own_blocks(page, row):
            return None
        code[row] = text
    dropped = [row for row in found.dropped if mask[row]]
    if not dropped:
        return TextRows(mask, code, changed)
    out = mask.copy()
    out[dropped] = False
    return TextRows(out, code, changed)


def _has_own_blocks(page: Page, row: int) -> bool:
    """Tell whether no block is partly in an element."""
    blocks, end = page.blocks, page.end[row]
    inside = blocks.block_of[row:end]
    inside = inside[inside >= 0]
    return not len(inside) or bool(blocks.start[inside[0]] >= row and blocks.stop[inside[-1]] <= end)


def _has_annotations(page: Page, mask: Bools) -> bool:
    """Tell whether there are selected ruby annotations."""
    selected = prefix_sums(mask)
    return bool((selected[page.end] > selected[:-1])[page.rows_of("rt")].any())


def _line_element_rows(page: Page, mask: Bools) -> list[int]:
    """Return the selected ``pre`` elements without a line end that have several elements that are lines by class."""
    from tamis.document.detect.code import line_elements  # noqa: PLC0415

    out = []
    for row in page.rows_of("pre").tolist():
        stop = int(page.end[row])
        if stop - row > _MIN_LINE_ROWS and "\n" not in page.row_text(row).strip() and mask[row:stop].any():
            lines, _ = line_elements(page, row)
            if len(lines) > 1:
                out.append(row)
    return out


def quote_rows(page: Page, mask: Bools) -> tuple[Counter[int], Counter[int]] | None:
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
