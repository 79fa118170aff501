"""Plain text with bullets, URLs and alternative texts, from copies of documents with other parts."""

from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from tamis.document.parts import (
    Document,
    Emphasis,
    Figure,
    Heading,
    Image,
    Item,
    Link,
    List,
    Paragraph,
    Part,
    Span,
    Text,
)
from tamis.html.text import CLOSING_QUOTE, OPENING_QUOTE
from tamis.render.document_text import render_text
from tamis.render.registry import RenderOptions

# Copies of documents with other parts and spans, for settings that no output of Tamis has.

_PART_FIELDS: Final = ("parts", "items", "rows", "cells", "entries", "terms", "details")
_SPAN_FIELDS: Final = ("spans", "caption", "title", "summary")


class Rewriter:
    """Copies a document. A subclass changes what `part` and `span` return.

    Parts and spans nest only as deep as writers can recurse (`tamis.document.parts.MAX_DEPTH`).
    """

    def document(self, document: Document) -> Document:
        """Return the document with the changes."""
        return replace(document, parts=self.parts(document.parts))

    def parts(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        """Return parts with the changes."""
        return tuple(changed for part in parts for changed in self.part(part))

    def part(self, part: Part) -> tuple[Part, ...]:
        """Return what replaces a part: by default the part with the changes of what it contains."""
        changes: dict[str, Any] = {}
        for name in _PART_FIELDS:
            if isinstance(inner := getattr(part, name, None), tuple):
                changes[name] = self.parts(inner)
        for name in _SPAN_FIELDS:
            if isinstance(spans := getattr(part, name, None), tuple):
                changes[name] = self.spans(spans)
        return (replace(part, **changes),)

    def spans(self, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        """Return spans with the changes."""
        return tuple(changed for span in spans for changed in self.span(span))

    def span(self, span: Span) -> tuple[Span, ...]:
        """Return what replaces a span: by default the span with the changes of what it contains."""
        if isinstance(span, (Emphasis, Link)):
            return (replace(span, spans=self.spans(span.spans)),)
        return (span,)


class WithoutEmphasis(Rewriter):
    """Leaves emphasis out, and keeps its text.

    Attributes:
        tags: the elements that are emphasis.
    """

    tags: frozenset[str] = frozenset({"em", "strong", "del", "ins", "sub", "sup", "mark"})

    def span(self, span: Span) -> tuple[Span, ...]:
        """Return the text of emphasis, any other span with the changes of what it contains."""
        if isinstance(span, Emphasis) and span.tag in self.tags:
            return self.spans(span.spans)
        return super().span(span)


# Plain text with bullets, the URLs of links and the alternative texts of images written into it.

_BULLET = "\N{BULLET} "


@dataclass(frozen=True, slots=True)
class Marks:
    """What is written into plain text.

    Attributes:
        bullets: bullets and numbers before the items of lists.
        links: the URLs of links: ``"after"`` their texts in brackets, or as in ``"markdown"``.
        images: the alternative texts of images, ``"alt"``, or images as in ``"markdown"``.
    """

    bullets: bool = False
    links: Literal["", "after", "markdown"] = ""
    images: Literal["", "alt", "markdown"] = ""


def marked_text(document: Document, marks: Marks, *, tables: bool = True) -> str:
    r"""Return a document as plain text with marks; `tables` says whether tables are written.

    >>> import tamis
    >>> document = tamis.extract("<ul><li>one <a href='/1'>more</a><li>two</ul>", extractor="body").document
    >>> marked_text(document, Marks(bullets=True, links="after"))
    '• one more (/1)\n• two'
    >>> marked_text(document, Marks(links="markdown"))
    'one [more](/1)\ntwo'
    """
    return render_text(_Marker(marks).document(document), RenderOptions(tables=tables)).text


class _Marker(Rewriter):
    """Writes the marks into the text."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks

    def part(self, part: Part) -> tuple[Part, ...]:
        (changed,) = super().part(part)
        if isinstance(changed, List) and self._marks.bullets:
            numbered = enumerate(changed.items, changed.start)
            items = (_labelled(item, f"{number}. " if changed.ordered else _BULLET) for number, item in numbered)
            return (replace(changed, items=tuple(items)),)
        if isinstance(changed, Figure) and self._marks.images:
            text = " ".join(filter(None, map(self._image, changed.images)))
            caption = changed.caption if changed.caption_selected else ()
            between = " " if text and caption else ""
            return (replace(changed, caption=(Text(text + between), *caption), caption_selected=True),)
        return (changed,)

    def span(self, span: Span) -> tuple[Span, ...]:
        match span:
            case Emphasis(tag="q"):
                return (Text(OPENING_QUOTE), *self.spans(span.spans), Text(CLOSING_QUOTE))
            case Emphasis():
                return self.spans(span.spans)
            case Link(role="media"):
                return ()
            case Link(href, inner, role):
                mark = self._marks.links if href and not role else ""
                before, after = {"after": ("", f" ({href})"), "markdown": ("[", f"]({href})")}.get(mark, ("", ""))
                return (Text(before), *self.spans(inner), Text(after))
            case Image():
                return (Text(self._image(span)),)
            case _:
                return (span,)

    def _image(self, image: Image) -> str:
        if self._marks.images == "markdown":
            return f"![{image.alt}]({image.src})" if image.src else ""
        return image.alt if self._marks.images else ""


def _labelled(item: Item, label: str) -> Item:
    """Return an item of a list with its label before its first text."""
    if item.parts and isinstance(first := item.parts[0], (Paragraph, Heading)):
        return replace(item, parts=(replace(first, spans=(Text(label), *first.spans)), *item.parts[1:]))
    return item
