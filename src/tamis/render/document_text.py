"""Plain text of a document: a block per paragraph, a line per list item or table row, tabs between cells.

`tamis.render.text` writes the same words faster where only the text is wanted and nothing is left out.
"""

import re
from functools import partial
from typing import Final

from tamis._core.loader import core
from tamis.document.document import Document
from tamis.document.parts import (
    Callout,
    Cell,
    Code,
    Definitions,
    Details,
    Figure,
    Footnote,
    Formula,
    Heading,
    List,
    Paragraph,
    Part,
    Row,
    Span,
    Table,
    children,
    spans_text,
)
from tamis.html import tags
from tamis.page import Page
from tamis.render.buffer import PARAGRAPH, Rendered, TextBuffer
from tamis.render.content import Content, shown_document
from tamis.render.front_matter import metadata_lines
from tamis.render.options import DEFAULT, RenderOptions
from tamis.render.shown_spans import without_references
from tamis.render.text import NO_CONTEXT, Context
from tamis.render.title import restore_originals

_BR: Final = tags.IDS["br"]
_SPACES: Final = re.compile(" {2,}")  # an image leaves them between two words


def write_text(content: Content, options: RenderOptions) -> Rendered:
    """Return an extraction as plain text, after lines of metadata if the options ask for them.

    The title is added only if the options ask for it: programs compare and count this text.
    """
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
    _add_container_spans(document, buffer)
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


def _add_container_spans(document: Document, buffer: TextBuffer) -> None:
    """Give every container the range of what it contains."""
    for part in reversed(list(document)):
        spans = [buffer.spans[child] for child in (part, *children(part)) if child in buffer.spans]
        if spans:
            buffer.spans[part] = (min(start for start, _ in spans), max(stop for _, stop in spans))


def _direct_text(part: Part, absent: frozenset[str]) -> str:  # noqa: PLR0911 (one case per part type)
    """Return the text of a part, without the parts that it contains, and without references to `absent` notes."""

    def text_of(spans: tuple[Span, ...]) -> str:
        return spans_text(spans, partial(without_references, labels=absent) if absent else None)

    match part:
        case Paragraph() | Heading():
            text = text_of(part.spans).replace("\u00a0", " ").strip("\n")
            verse = isinstance(part, Paragraph) and part.verse
            return text if verse else _SPACES.sub(" ", text).strip(" ")
        case Code(text=text):
            return text
        case Formula(tex=tex):
            return tex
        case Figure(caption_selected=False):  # it belongs to the picture
            return ""
        case Figure() | Table():
            return text_of(part.caption)
        case Callout():
            return text_of(part.title) if part.title_selected else ""
        case Details():
            return text_of(part.summary)
        case _:
            return ""


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
