"""Preformatted text: code, plain-text documents, or verse."""

from typing import Final

from tamis.document.detect.code import code_language, code_text, has_code_markup, is_code
from tamis.document.detect.code_blocks import CodeBlocks
from tamis.document.detect.invisible import strip_invisible
from tamis.document.detect.plain_text import TextBlock, is_plain_text, is_text_only, text_blocks
from tamis.document.parts import Code, Heading, Paragraph, Part
from tamis.document.spans import LineBreak, Span, Text
from tamis.page import Page
from tamis.page.sums import Bools

_LONG_DOCUMENT: Final = 40  #: lines


def preformatted_parts(page: Page, mask: Bools, row: int, found: CodeBlocks) -> list[Part] | None:
    """Return the parts of a code block or a plain-text document; None for verse, which has inline elements."""
    text = page.row_text(row)
    code = row in found.blocks or row in found.numbered or row in found.languages or is_code(page, row)
    is_long = text.count("\n") >= _LONG_DOCUMENT  # a long document has lines of code in it
    if not has_code_markup(page, row) and (is_long or not code) and is_plain_text(text):
        return list(plain_text_parts(page, mask, row))
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
    if not has_code_markup(page, row) and text.count("\n") >= _LONG_DOCUMENT and is_plain_text(text):
        return None
    return strip_invisible(code_text(page, mask, row, found.dropped))


def plain_text_parts(page: Page, mask: Bools, row: int) -> tuple[Part, ...]:
    """Return the parts of the plain text in an element."""
    if is_text_only(page):  # its line ends count, though no element says so
        text = "".join(page.row_text(k) for k in range(row, int(page.end[row])) if page.is_text[k] and mask[k])
    else:
        text = code_text(page, mask, row, frozenset())
    text = strip_invisible(text)
    return tuple(_part(page, row, block) for block in text_blocks(text))


def _part(page: Page, row: int, block: TextBlock) -> Part:
    stop = int(page.end[row])
    match block.type:
        case "heading":
            return Heading(element=row, first=row, stop=stop, level=block.level, spans=(Text(block.text),))
        case "drawing":
            return Code(element=row, first=row, stop=stop, text=block.text)
        case _:
            spans: list[Span] = []
            for line in block.text.split("\n"):
                spans += [LineBreak(), Text(line)] if spans else [Text(line)]
            return Paragraph(element=row, first=row, stop=stop, spans=tuple(spans))
