"""Plain text with bullets, the URLs of links and the alternative texts of images written into it."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from tamis.document.document import Document
from tamis.document.parts import Figure, Heading, Item, List, Paragraph, Part
from tamis.document.quotation_marks import CLOSING_QUOTE, OPENING_QUOTE
from tamis.document.spans import Emphasis, Image, Link, Span, Text
from tamis.render.options import RenderOptions
from tamis.render.text import render_text

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
    marker = _Marker(marks)
    marked = Document(document.page, tuple(map(marker.part, document.parts)))
    return render_text(marked, RenderOptions(tables=tables)).text


class _Marker:
    """Copies parts with the marks in their text. Parts nest at most `tamis.document.parts.MAX_DEPTH` levels deep."""

    def __init__(self, marks: Marks) -> None:
        self._marks = marks

    def part(self, part: Part) -> Part:
        changes: dict[str, Any] = {}
        for name in ("parts", "rows", "cells", "entries", "terms", "details"):
            inner = getattr(part, name, None)
            if isinstance(inner, tuple):
                changes[name] = tuple(map(self.part, inner))
        for name in ("spans", "caption", "title", "summary"):
            spans = getattr(part, name, None)
            if isinstance(spans, tuple):
                changes[name] = self.spans(spans)
        if isinstance(part, List):
            items = [replace(item, parts=tuple(map(self.part, item.parts))) for item in part.items]
            if self._marks.bullets:
                labels = [f"{part.start + index}. " if part.ordered else _BULLET for index in range(len(items))]
                items = [_labelled(item, label) for item, label in zip(items, labels, strict=True)]
            changes["items"] = tuple(items)
        if isinstance(part, Figure) and self._marks.images:
            texts = tuple(Text(text + " ") for image in part.images if (text := self._image(image)))
            changes["caption"] = (*texts, *changes["caption"]) if part.caption_selected else texts
            changes["caption_selected"] = True
        return replace(part, **changes)

    def spans(self, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        out: list[Span] = []
        stack = list(reversed(spans))
        while stack:
            match span := stack.pop():
                case Emphasis(tag="q"):
                    stack.extend((Text(CLOSING_QUOTE), *reversed(span.spans), Text(OPENING_QUOTE)))
                case Link(role="media"):
                    pass
                case Link(href, inner, role):
                    mark = self._marks.links if href and not role else ""
                    before, after = {"after": ("", f" ({href})"), "markdown": ("[", f"]({href})")}.get(mark, ("", ""))
                    stack.extend((Text(after), *reversed(inner), Text(before)))
                case Emphasis():
                    stack.extend(reversed(span.spans))
                case Image():
                    out.append(Text(self._image(span)))
                case _:
                    out.append(span)
        return tuple(out)

    def _image(self, image: Image) -> str:
        if self._marks.images == "markdown":
            return f"![{image.alt}]({image.src})" if image.src else ""
        return image.alt if self._marks.images else ""


def _labelled(item: Item, label: str) -> Item:
    """Return an item of a list with its label before its first text."""
    if item.parts and isinstance(first := item.parts[0], (Paragraph, Heading)):
        return replace(item, parts=(replace(first, spans=(Text(label), *first.spans)), *item.parts[1:]))
    return item
