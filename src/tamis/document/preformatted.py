"""Preformatted text: code, verse, and plain-text documents such as RFCs, manual pages and mails.

The lines of a plain-text document are filled by hand. Its paragraphs are joined, headings are told by their indent,
and tables and diagrams stay as they are.
"""

import re
from itertools import groupby, pairwise
from typing import Final, Literal, NamedTuple

import numpy as np

from tamis.document.detectors.code import CodeBlocks
from tamis.document.detectors.code_text import code_language, code_text, has_code_markup, is_code
from tamis.document.detectors.table import Findings
from tamis.document.parts import Code, Heading, LineBreak, Paragraph, Part, Post, Quote, Span, Text
from tamis.html import tags
from tamis.html.text import strip_invisible
from tamis.lazy import lazy_pattern
from tamis.page import Page
from tamis.page.deadline import checked
from tamis.page.sums import Bools

_MIN_LINES: Final = 4  #: of a document; a shorter text may be verse
_MIN_WIDTH: Final = 55  #: characters: lines of verse are shorter
_FILLED: Final = 0.6  #: of the width; the next word would not have fitted much later
_MIN_FILLED_SHARE: Final = 0.3  #: of the lines. Code and verse have fewer
_DRAWN: Final = lazy_pattern(r"\S {3,}\S|\+-|-\+|\|.*\||_{4}|-{4}|={4}|\.{4}|(?:\. ){3}")
_NUMBER: Final = lazy_pattern(r"(\d+(?:\.\d+)*)\.?\s+\S")
_BULLET: Final = lazy_pattern(r"(?:[o*•-]|\d{1,2}[.)]|\(\w\))\s+\S")
_PAGE_END: Final = lazy_pattern(r"\S\s{2,}\[Page \d{1,4}\]$")
_PAGE_HEAD: Final = lazy_pattern(r"(?:RFC|Internet-Draft|INTERNET-DRAFT|draft-)\S{0,60}\s.{0,120}\d{4}$")
_CONTENTS: Final = lazy_pattern(r"(?:table of )?contents:?", re.IGNORECASE)
_NAME: Final = lazy_pattern(r"^\s*\w[\w -]*$")  #: of a term above its definition, which is indented
_MAX_HEADING: Final = 75  #: characters


class TextBlock(NamedTuple):
    """A block of a plain-text document: its type, its text, and the level of a heading.

    Lines are short and meant as such: an address, a session of two programs. A drawing is a table or a diagram.
    """

    type: Literal["paragraph", "heading", "lines", "drawing"]
    text: str
    level: int = 0


def is_plain_text(text: str) -> bool:
    """Tell whether preformatted text is a document in filled lines."""
    lines = [line.rstrip() for line in text.split("\n")]
    nonblank = [line for line in lines if line]
    if len(nonblank) < _MIN_LINES:
        return False
    width = _width(nonblank)
    if width >= _MIN_WIDTH and any(map(_PAGE_END.search, nonblank)):
        return True  # printed pages
    filled = sum(len(line) >= _FILLED * width and bool(after) for line, after in checked(pairwise(lines)))
    drawn = sum(bool(_DRAWN.search(line.strip())) for line in checked(nonblank))
    return width >= _MIN_WIDTH and filled >= _MIN_FILLED_SHARE * len(nonblank) and drawn < len(nonblank) / 2


def ends_printed_page(text: str) -> bool:
    """Tell whether the last line of a text is that of a printed page."""
    return _PAGE_END.search(text.rstrip().rpartition("\n")[2]) is not None


def _width(lines: list[str]) -> int:
    """Return the width of the text: nine of ten lines are not longer."""
    return sorted(map(len, lines))[9 * (len(lines) - 1) // 10] if lines else 0


def text_blocks(text: str) -> list[TextBlock]:
    r"""Return the blocks of a plain-text document.

    >>> [block.type for block in text_blocks("TEA\n\n   Boil the\n   water.\n\n   a    b\n   c    d")]
    ['heading', 'paragraph', 'drawing']
    """
    lines = without_page_breaks([line.expandtabs().rstrip() for line in text.replace("\f", "\n").split("\n")])
    nonblank = [line for line in lines if line]
    width = _width(nonblank)
    indents = [_indent(line) for line in nonblank]
    body_indent = int(np.median(indents)) if indents else 0
    out: list[TextBlock] = []
    stanza: list[str] = []
    in_contents = False
    for line in [*lines, ""]:
        if line:
            stanza.append(line)
            continue
        if stanza:
            if _is_heading(stanza, body_indent):
                out.append(_heading(stanza.pop(0)))
                in_contents = _CONTENTS.fullmatch(out[-1].text) is not None
            if stanza and in_contents:
                out.append(TextBlock("drawing", _outdented(stanza)))
            elif stanza:
                out += _stanza_blocks(stanza, width)
        stanza = []
    return out


def without_page_breaks(lines: list[str]) -> list[str]:
    r"""Return lines without the last line of each printed page and the line above the next page.

    A paragraph that goes on behind the break also goes on here.

    >>> without_page_breaks(["   So it", "", "Kettle   [Page 1]", "", "RFC 1   Tea   May 2024", "", "   goes."])
    ['   So it', '   goes.']
    """
    if not any(_PAGE_END.search(line) for line in lines):
        return lines
    out: list[str] = []
    at_break = False
    for line in lines:
        if _PAGE_END.search(line) or (at_break and _PAGE_HEAD.match(line)):
            at_break = True
        elif line and at_break:
            before = next((last for last in reversed(out) if last), "")
            goes_on = before[-1:].isalnum() or before[-1:] in {",", "-"}
            if goes_on and _indent(before) == _indent(line) > 0 and line.lstrip()[:1].islower():
                while out and not out[-1]:
                    out.pop()
            out.append(line)
            at_break = False
        elif line or not at_break:
            out.append(line)
    return out


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_heading(stanza: list[str], body_indent: int) -> bool:
    """Tell whether a stanza begins with a heading: a line at the margin, above text that is indented."""
    first = stanza[0]
    is_at_margin = _indent(first) == 0 < body_indent
    followed = len(stanza) == 1 or _indent(stanza[1]) > 0
    return is_at_margin and followed and len(first) <= _MAX_HEADING and not _DRAWN.search(first)


def _heading(line: str) -> TextBlock:
    number = _NUMBER.match(line)
    level = 2 + number[1].count(".") if number else 2
    return TextBlock("heading", " ".join(line.split()), min(level, 6))


def _stanza_blocks(stanza: list[str], width: int) -> list[TextBlock]:
    drawn = sum(bool(_DRAWN.search(line.strip())) for line in stanza)
    if drawn * 2 >= len(stanza) and (len(stanza) > 1 or not any(char.isalpha() for char in stanza[0])):
        return [TextBlock("drawing", _outdented(stanza))]
    blocks: list[list[str]] = []
    for line in stanza:
        if not blocks or _BULLET.match(line.lstrip()):
            blocks.append([])
        blocks[-1].append(" ".join(line.split()))
    starts = len(blocks) > 1
    if starts or _is_filled(stanza, width):
        return [TextBlock("paragraph", " ".join(lines)) for lines in blocks]
    term, *rest = stanza
    if rest and _indent(term) < min(map(_indent, rest)) and _is_filled(rest, width) and _NAME.search(term):
        return [TextBlock("paragraph", term.strip()), TextBlock("paragraph", " ".join(" ".join(rest).split()))]
    return [TextBlock("lines", _outdented(stanza))]


def _is_filled(lines: list[str], width: int) -> bool:
    """Tell whether lines go on in the next one: all but the last are nearly as wide as the text."""
    return all(len(line) >= _FILLED * width for line in lines[:-1])


def _outdented(stanza: list[str]) -> str:
    indent = min(map(_indent, stanza))
    return "\n".join(line[indent:] for line in stanza)


# The parts of an element.

_LONG_DOCUMENT: Final = 40  #: lines


def printed_pages(page: Page, row: int) -> list[int]:
    """Return a ``pre`` and those that follow it as the next pages of one printed document."""
    rows = [row]
    limit = int(page.end[page.parent[row]])
    while ends_printed_page(page.row_text(rows[-1])):
        following = int(page.end[rows[-1]])
        while following < limit and page.tag[following] != tags.IDS["pre"]:
            if page.nonspace[following] or (page.is_element[following] and page.tag[following] != tags.IDS["hr"]):
                return rows
            following += 1
        if following >= limit:
            break
        rows.append(following)
    return rows


def preformatted_parts(page: Page, mask: Bools, rows: list[int], found: CodeBlocks) -> list[Part] | None:
    """Return the parts of a code block or a plain-text document; None for verse, which has inline elements.

    A document may have several `rows`, its printed pages.
    """
    row = rows[0]
    if len(rows) > 1:
        return list(plain_text_parts(page, mask, rows))
    text = page.row_text(row)
    code = row in found.blocks or row in found.numbered or row in found.languages or is_code(page, row)
    is_long = text.count("\n") >= _LONG_DOCUMENT  # a long document has lines of code in it
    if (is_long or not code) and not has_code_markup(page, row) and is_plain_text(text):
        return list(plain_text_parts(page, mask, rows))
    if not code:
        return None
    text = strip_invisible(code_text(page, mask, row, found.dropped))
    if not text.strip():
        return []
    language = code_language(page, row) or found.languages.get(row, "")
    return [Code(element=row, first=row, stop=int(page.end[row]), text=text, language=language)]


def code_block_text(page: Page, mask: Bools, row: int, found: CodeBlocks) -> str | None:
    """Return the text of a code block, as its part of the document has it; None if it is a long text document."""
    text = page.row_text(row)
    if text.count("\n") >= _LONG_DOCUMENT and not has_code_markup(page, row) and is_plain_text(text):
        return None
    return strip_invisible(code_text(page, mask, row, found.dropped))


_MAX_QUOTED: Final = 8  #: levels of quotations in a mail


def mail_post(page: Page, found: Findings, row: int) -> Post:
    """Return the message of a mail archive: its paragraphs, and lines that begin with ">" as quotations."""
    facts = found.posts[row]
    text = strip_invisible(code_text(page, found.mask, row, frozenset()))
    parts = _mail_parts(page, row, text.split("\n"), 0)
    return Post(element=row, first=row, stop=int(page.end[row]), parts=parts, author=facts.author, date=facts.date)


def _mail_parts(page: Page, row: int, lines: list[str], depth: int) -> tuple[Part, ...]:
    parts: list[Part] = []
    for quoted, group in groupby(lines, key=lambda line: line.startswith(">") and depth < _MAX_QUOTED):
        if quoted:
            inner = _mail_parts(page, row, [line[1:].removeprefix(" ") for line in group], depth + 1)
            parts.append(Quote(element=row, first=row, stop=int(page.end[row]), parts=inner))
        else:
            stop = int(page.end[row])
            parts += [_part(row, stop, block, mail=True) for block in text_blocks("\n".join(group))]
    return tuple(parts)


def plain_text_parts(page: Page, mask: Bools, rows: list[int]) -> tuple[Part, ...]:
    """Return the parts of the plain text in some elements."""
    row, stop = rows[0], int(page.end[rows[-1]])
    if page.is_text_only:  # its line ends count, though no element says so
        text = "".join(page.row_text(k) for k in range(row, stop) if page.is_text[k] and mask[k])
    else:
        text = "\n".join(code_text(page, mask, each, frozenset()) for each in rows)
    text = strip_invisible(text)
    return tuple(_part(row, stop, block) for block in text_blocks(text))


def _part(row: int, stop: int, block: TextBlock, *, mail: bool = False) -> Part:
    """Return a block of plain text as a part. Lines stay as they are, but in a mail they are those of a signature."""
    match block.type:
        case "heading":
            return Heading(element=row, first=row, stop=stop, level=block.level, spans=(Text(block.text),))
        case "drawing" | "lines" if block.type == "drawing" or ("\n" in block.text and not mail):
            return Code(element=row, first=row, stop=stop, text=block.text)
        case _:
            spans: list[Span] = []
            for line in (" ".join(line.split()) for line in block.text.split("\n")):
                spans += [LineBreak(), Text(line)] if spans else [Text(line)]
            return Paragraph(element=row, first=row, stop=stop, spans=tuple(spans))
