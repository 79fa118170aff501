"""Plain text with the position of each part, and the text of pages that only the document has all words of."""

import re
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Final

import numpy as np

from tamis._core.loader import core
from tamis.document.parts import (
    BYLINE_SEPARATOR,
    Callout,
    Cell,
    Code,
    Definitions,
    Details,
    Document,
    Figure,
    Footnote,
    Formula,
    Heading,
    List,
    Paragraph,
    Part,
    Post,
    Row,
    Span,
    Table,
    Text,
    children,
    spans_text,
)
from tamis.html import tags
from tamis.page import Page
from tamis.page.deadline import check_time
from tamis.render.content import Content
from tamis.render.front_matter import metadata_lines
from tamis.render.registry import DEFAULT, PARAGRAPH, Rendered, RenderOptions, TextBuffer
from tamis.render.shown import restore_originals, shown_document, without_references
from tamis.render.text import NO_CONTEXT, Context, direct_text, text_ranges

_BR: Final = tags.IDS["br"]
_PARAGRAPHS: Final = frozenset({Paragraph, Heading})
#: Parts whose caption, byline or summary is before or after the other parts.
_WIDE: Final = frozenset({Figure, Table, Callout, Details, Post})
_SPACES: Final = re.compile(" {2,}")  # an image leaves them between two words


def write_text(content: Content, options: RenderOptions) -> Rendered:
    """Return `content_text` with the position of each part; the links of an index page, which has no text.

    The title is added only if the options ask for it: programs compare and count this text.
    """
    direct = direct_text(content, options) if content.selection.mask.any() else None
    if direct is None:
        return write_document(content, options)
    above, text, rows = direct
    document = content.document
    ranges = text_ranges(document.page, rows, text)
    return Rendered(above + text, _locate_parts(document, text, ranges, len(above)))


def _locate_parts(
    document: Document, text: str, ranges: tuple[list[int], list[int], list[int]], offset: int
) -> dict[Part, tuple[int, int]]:
    """Return where each part is in a text that was written from rows, by the blocks that it is in.

    Parts that share a block are told apart by their words.
    """
    written, starts, stops = ranges
    spans: dict[Part, tuple[int, int]] = {}
    used: dict[int, int] = {}  # by block: how much of it the parts before have
    nothing: frozenset[str] = frozenset()
    for part, begin, end in zip(document.in_order, *_block_ranges(document, written), strict=True):
        own = _direct_text(part, nothing) if begin < end and type(part) in _OWN_TEXT else ""
        if not own or part in document.added or (isinstance(part, Footnote) and not part.selected):
            continue
        start, stop = max(starts[begin], used.get(begin, 0)), stops[end - 1]
        if isinstance(part, Post):  # author and date are before, after or between the other parts
            places = [(text.find(name, start, stop), len(name)) for name in part.byline.split(BYLINE_SEPARATOR)]
            names = [(offset + place, offset + place + length) for place, length in places if place >= 0]
            if names:
                spans[part] = (min(names)[0], max(last for _, last in names))
            continue
        found = text.find(own, start, stop)
        span = (found, found + len(own)) if found >= 0 else _find_words(own, text, start, stop)
        if span[1] > span[0]:
            spans[part] = (offset + span[0], offset + span[1])
            used[end - 1] = span[1]
    _add_container_spans(document, spans)
    return spans


def _block_ranges(document: Document, written: list[int]) -> tuple[list[int], list[int]]:
    """Return for each part the range of the written blocks that it is in."""
    page, blocks, parts = document.page, document.page.blocks, document.in_order
    first = np.array([part.first for part in parts], dtype=np.int64)
    last = np.array([part.stop for part in parts], dtype=np.int64)
    element = np.array([part.element for part in parts], dtype=np.int64)
    wide = np.array([type(part) in _WIDE for part in parts], dtype=np.bool_)
    first = np.where(wide, np.minimum(first, element), first)
    last = np.where(wide, np.maximum(last, page.end[element]), last)
    numbers = np.array(written, dtype=np.int64)
    begin = np.searchsorted(numbers, np.searchsorted(blocks.stop, first, side="right"))
    end = np.searchsorted(numbers, np.searchsorted(blocks.start, last))
    return begin.tolist(), end.tolist()


def _find_words(words: str, text: str, start: int, stop: int) -> tuple[int, int]:
    """Return from where to where a text has some words, whatever the white space between them; all if it has not."""
    first, position = -1, start
    for word in words.split():
        found = text.find(word, position, stop)
        if found < 0:
            return start, stop
        first, position = (found if first < 0 else first), found + len(word)
    return (first, position) if first >= 0 else (start, stop)


def write_document(content: Content, options: RenderOptions) -> Rendered:
    """Return the document of an extraction as plain text, after lines of metadata if the options ask for them."""
    front_matter = metadata_lines(content.metadata) if options.with_metadata else ""
    document, originals = shown_document(content, options, title=False, urls_as_text=True)
    return restore_originals(render_text(document, options, front_matter), originals)


def render_text(document: Document, options: RenderOptions = DEFAULT, front_matter: str = "") -> Rendered:
    """Return a document as plain text, after `front_matter` if there is any."""
    buffer = TextBuffer()
    if front_matter:
        buffer.write(front_matter)
        buffer.gap(PARAGRAPH)
    absent = frozenset(part.label for part in document if isinstance(part, Footnote) and not part.selected)
    before: Context | None = None
    last: Part | None = None
    stack: list[tuple[Part, Context, bool]] = [(part, NO_CONTEXT, False) for part in reversed(document.parts)]
    while stack:
        part, context, only_caption = stack.pop()
        if (isinstance(part, Table) and not options.tables) or (isinstance(part, Footnote) and not part.selected):
            continue
        if part in document.added:
            continue
        if isinstance(part, Figure) and part.parts and not only_caption:  # its caption goes below what it contains
            stack.append((part, context, True))
            stack.extend((child, context, False) for child in reversed(part.parts))
            continue
        text = _direct_text(part, absent)
        if text:
            if before is not None:
                one_line = last is not None and _is_after_break(document.page, last, part)
                _separate(buffer, "\n" if one_line else core.separator(before, context))
            with buffer.part(part):
                buffer.write(text)
            before, last = context, part
        if not only_caption:
            inner = _inner_context(part, context)
            stack.extend((child, inner, False) for child in reversed(children(part)))
    _add_container_spans(document, buffer.spans)
    return buffer.rendered()


def _is_after_break(page: Page, before: Part, part: Part) -> bool:
    """Tell whether one ``br`` divides two paragraphs: in plain text it ends a line, as in the writer of rows."""
    if not (isinstance(before, Paragraph) and isinstance(part, Paragraph)) or part.first < before.stop:
        return False
    if page.inline_run[before.stop - 1] != page.inline_run[part.first]:
        return False
    return (
        int((page.tag[before.first : part.first] == _BR).sum())
        - int((page.tag[before.first : before.stop - 1] == _BR).sum())
        == 1
    )


def _separate(buffer: TextBuffer, text: str) -> None:
    if text.startswith("\n"):
        buffer.gap(len(text))
    else:
        buffer.raw(text)


def _add_container_spans(document: Document, spans: dict[Part, tuple[int, int]]) -> None:
    """Give every container the range of what it contains."""
    for part in reversed(document.in_order):
        inner = children(part)
        if len(inner) == 1 and part not in spans:  # most cells and items
            ranges = [spans[inner[0]]] if inner[0] in spans else []
        else:
            ranges = [spans[child] for child in (part, *inner) if child in spans] if inner else []
        if len(ranges) == 1:
            spans[part] = ranges[0]
        elif ranges:
            spans[part] = (min(ranges)[0], max(stop for _, stop in ranges))


def _direct_text(part: Part, absent: frozenset[str]) -> str:
    """Return the text of a part, without the parts that it contains, and without references to `absent` notes."""
    check_time()
    own = _OWN_TEXT.get(type(part))
    if own is None:
        return ""
    found = own(part)
    if isinstance(found, str):
        return found
    if len(found) == 1 and isinstance(found[0], Text):  # as most are
        text = found[0].text
    else:
        text = spans_text(found, partial(without_references, labels=absent) if absent else None)
    if type(part) not in _PARAGRAPHS:
        return text
    text = text.replace("\u00a0", " ").strip("\n")
    if isinstance(part, Paragraph) and part.verse:
        return text
    return (_SPACES.sub(" ", text) if "  " in text else text).strip(" ")


#: The text of a part of each type without what it contains, or the spans of that text.
_OWN_TEXT: Final[dict[type[Part], Callable[..., str | tuple[Span, ...]]]] = {
    **dict.fromkeys(_PARAGRAPHS, attrgetter("spans")),
    Code: attrgetter("text"),
    Formula: attrgetter("tex"),
    Figure: lambda part: part.caption if part.caption_selected else "",  # else it belongs to the picture
    Table: attrgetter("caption"),
    Callout: lambda part: part.title if part.title_selected else "",
    Details: attrgetter("summary"),
    Post: attrgetter("byline"),
}


def _inner_context(part: Part, context: Context) -> Context:
    """Return the context of what a part contains. Parts are told apart by their identity."""
    outer_list, table, row, _ = context
    match part:
        case List() | Definitions():
            return (outer_list if outer_list >= 0 else id(part), *context[1:])
        case Table():
            return (outer_list, id(part), -1, -1)
        case Row():
            return (outer_list, table, id(part), -1)
        case Cell():
            return (outer_list, table, row, id(part))
        case _:
            return context
