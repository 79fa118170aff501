"""Plain text with bullets, the URLs of links and the alternative texts of images written into it."""

from dataclasses import dataclass, replace
from typing import Literal

from tamis.compat.rewrite import Rewriter
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
