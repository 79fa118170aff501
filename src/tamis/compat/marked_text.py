"""Plain text with bullets, the URLs of links and the alternative texts of images written into it."""

from dataclasses import replace
from typing import Any

from tamis.document.document import Document
from tamis.document.parts import Figure, Heading, Item, List, Paragraph, Part
from tamis.document.spans import CLOSING_QUOTE, OPENING_QUOTE, Emphasis, Image, Link, Span, Text
from tamis.render.text import render_text

_BULLET = "\N{BULLET} "


def marked_text(document: Document, *, bullets: bool, alts: bool, links: bool) -> str:
    r"""Return a document as plain text.

    Args:
        document: the content.
        bullets: write bullets and numbers before the items of lists.
        alts: write the alternative texts of images.
        links: write the URLs of links after their texts.

    >>> import tamis
    >>> document = tamis.extract("<ul><li>one <a href='/1'>more</a><li>two</ul>", extractor="body").document
    >>> marked_text(document, bullets=True, alts=False, links=True)
    '• one more (/1)\n• two'
    """
    marker = _Marker(bullets=bullets, alts=alts, links=links)
    return render_text(Document(document.page, tuple(map(marker.part, document.parts)))).text


class _Marker:
    """Copies parts with the marks in their text. Parts nest at most `tamis.document.parts.MAX_DEPTH` levels deep."""

    def __init__(self, *, bullets: bool, alts: bool, links: bool) -> None:
        self._bullets, self._alts, self._links = bullets, alts, links

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
            if self._bullets:
                labels = [f"{part.start + index}. " if part.ordered else _BULLET for index in range(len(items))]
                items = [_labelled(item, label) for item, label in zip(items, labels, strict=True)]
            changes["items"] = tuple(items)
        if isinstance(part, Figure) and self._alts:
            texts = tuple(Text(image.alt + " ") for image in part.images if image.alt)
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
                    if self._links and href and not role:
                        stack.append(Text(f" ({href})"))
                    stack.extend(reversed(inner))
                case Emphasis():
                    stack.extend(reversed(span.spans))
                case Image(alt=alt):
                    if self._alts and alt:
                        out.append(Text(alt))
                case _:
                    out.append(span)
        return tuple(out)


def _labelled(item: Item, label: str) -> Item:
    """Return an item of a list with its label before its first text."""
    if item.parts and isinstance(first := item.parts[0], (Paragraph, Heading)):
        return replace(item, parts=(replace(first, spans=(Text(label), *first.spans)), *item.parts[1:]))
    return item
