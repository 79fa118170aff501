"""Marks in the text that refer to notes without a link: raised numbers, and numbers in brackets."""

import re
import unicodedata
from typing import Final

import numpy as np

from tamis.document.detect.notes.headings import MAX_HEADING_CHARS
from tamis.document.detect.notes.lines import Lines
from tamis.document.detect.notes.model import TextMark
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree

_NOT_TEXT: Final = tags.tag_mask("code pre kbd samp tt a math button h1 h2 h3 h4 h5 h6 svg textarea select")
_BRACKETED: Final = re.compile(r"\[(\d{1,3}|[*†‡]{1,3})\]")
_RAISED: Final = re.compile(r"([\u00b9\u00b2\u00b3\u2070-\u2079]{1,3})")
_NUMBERS: Final = re.compile(r"[\[(]?(?:\d{1,3}|[*†‡§¶]{1,3})[\])]?(?:\s{0,2}[,;]\s{0,2}[\[(]?\d{1,3}[\])]?){0,9}")
_NUMBER: Final = re.compile(r"[\[(]?(\d{1,3}|[*†‡§¶]{1,3})[\])]?")
_UNIT_BEFORE: Final = re.compile(r"(?:^|[\s\d(/·])(?:[kcmdµn]?m|ft|in|mi|yd|sq|s|[a-zA-Z]|\d+)$")
_YEAR_BEFORE: Final = re.compile(r"(?<!\d)(?:1[0-9]|20)\d\d$")
Marks = list[tuple[int, TextMark]]  #: text rows and the references in them


def find_references(page: Page, mask: Bools, lines: Lines, taken: Bools) -> tuple[Marks, Marks]:
    """Return the raised numbers in selected text, else the numbers in brackets; and those that may be exponents."""
    excluded = taken | in_subtree(
        page.end, np.flatnonzero(_NOT_TEXT[page.tag] & page.is_element & ~tags.HEADING[page.tag])
    )
    raised, powers = _raised(page, mask & ~excluded)
    return (raised, powers) if raised else (_bracketed(page, mask & ~excluded & ~page.pre, lines), [])


def _raised(page: Page, mask: Bools) -> tuple[Marks, Marks]:
    """Return the numbers in ``sup``, and apart from them those that may be exponents."""
    out: Marks = []
    powers: Marks = []
    for sup in page.rows_of("sup").tolist():
        row = next((k for k in range(sup + 1, min(int(page.end[sup]), sup + 4)) if mask[k]), -1)
        if row < 0 or page.offset[page.end[sup]] - page.offset[sup] > MAX_HEADING_CHARS:
            continue
        text = page.row_text(row)
        if page.row_text(sup).strip() != text.strip() or not _NUMBERS.fullmatch(text.strip()):
            continue
        start = int(page.offset[row])
        before = page.text[max(start - 8, int(page.offset[page.block_ancestor[row]])) : start]
        is_power = _UNIT_BEFORE.search(before) is not None and _YEAR_BEFORE.search(before) is None
        if not before.strip():
            continue
        marks = powers if is_power and text.strip()[:1] not in "[(*†‡§¶" else out
        marks += [
            (row, TextMark(start + match.start(), start + match.end(), match[1])) for match in _NUMBER.finditer(text)
        ]
    return out, powers


def _bracketed(page: Page, mask: Bools, lines: Lines) -> Marks:
    """Return the numbers in brackets, else the raised digits, that do not begin a line."""
    out: Marks = []
    matches = list(_BRACKETED.finditer(page.text)) if "[1]" in page.text or "[*]" in page.text else []
    if not matches and "¹" in page.text:
        matches = list(_RAISED.finditer(page.text))
    rows = np.searchsorted(page.offset, [match.start() for match in matches], side="right") - 1
    for match, row in zip(matches, rows.tolist(), strict=True):
        if not mask[row] or match.end() > page.offset[row + 1]:
            continue
        line_start = int(page.offset[lines.start_of(row)])
        before = page.text[max(line_start, match.start() - 8) : match.start()]
        if _is_in_sentence(before, bracket=match[0][0] == "["):
            label = unicodedata.normalize("NFKC", match[1])
            out.append((row, TextMark(match.start(), match.end(), label)))
    return out


def _is_in_sentence(before: str, *, bracket: bool) -> bool:
    """Tell whether a number behind some characters may be a reference: it begins no line and is no exponent."""
    if bracket or not before.strip():
        return bool(before.strip())
    return _UNIT_BEFORE.search(before) is None or _YEAR_BEFORE.search(before) is not None
