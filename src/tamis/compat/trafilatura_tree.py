"""The content as elements in trafilatura's vocabulary: ``p``, ``head``, ``list``, ``quote``, ``table`` and others."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from tamis.api import Extraction
from tamis.document.parts import (
    Callout,
    Cell,
    Code,
    CodeSpan,
    Definitions,
    Details,
    Emphasis,
    Figure,
    Formula,
    Heading,
    Image,
    Item,
    LineBreak,
    Link,
    List,
    Paragraph,
    Part,
    Quote,
    Span,
    Table,
    children,
    spans_text,
)
from tamis.html.text import CLOSING_QUOTE, OPENING_QUOTE
from tamis.render.content import shown_document
from tamis.render.options import RenderOptions

# ruff: noqa: ANN401 (elements are those of lxml or of the standard library)

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: How trafilatura writes emphasis.
_RENDS: Final = {"strong": "#b", "em": "#i", "sub": "#sub", "sup": "#sup", "ins": "#u", "mark": "#u"}
#: Elements that contain nothing but elements, so that white space between these means nothing.
_CONTAINERS: Final = frozenset({"body", "comments", "div", "doc", "list", "main", "quote", "row", "table"})


@dataclass(frozen=True, slots=True)
class Shown:
    """What an output shows.

    Attributes:
        comments: readers' comments.
        tables: tables.
        images: images.
        links: the URLs of links.
        formatting: emphasis; in plain text also headings and lists, as Markdown.
    """

    comments: bool = True
    tables: bool = True
    images: bool = False
    links: bool = False
    formatting: bool = False


def etree() -> Any:
    """Return ``lxml.etree`` where it is installed, as trafilatura uses it, else the standard library's module."""
    return import_module("lxml.etree" if find_spec("lxml") else "xml.etree.ElementTree")


def body_of(extraction: Extraction, shown: Shown) -> Any:
    """Return the content as a ``body`` element."""
    body = etree().Element("body")
    document, _ = shown_document(extraction, RenderOptions(title=False))
    _TreeWriter(shown).blocks(body, document.parts)
    return body


def paragraphs_body(lines: Iterable[str]) -> Any:
    """Return lines as a ``body`` element with a ``p`` for each."""
    tree = etree()
    body = tree.Element("body")
    for line in lines:
        tree.SubElement(body, "p").text = xml_text(line)
    return body


def xml_text(text: str) -> str:
    r"""Return a text without the characters that XML forbids: controls, surrogates, U+FFFE and U+FFFF.

    >>> xml_text("Tea\0\uffff\tand\ud800 milk")
    'Tea\tand milk'
    """
    return text if text.isprintable() else _NO_XML.sub("", text)


def write_tree(root: Any, containers: frozenset[str] = frozenset()) -> str:
    """Return an element as XML. Its containers and those given, which have no text of their own, are indented."""
    _indent(root, _CONTAINERS | containers)
    text: str = etree().tostring(root, encoding="unicode")
    return text


def _indent(root: Any, containers: frozenset[str]) -> None:
    """Indent what containers contain: ``etree.indent`` would also put white space between the words of a text."""
    stack = [(root, 1)]
    while stack:
        element, level = stack.pop()
        inner = list(element)
        if not inner or element.text or element.tag not in containers:
            continue
        element.text = "\n" + "  " * level
        for child in inner:
            child.tail = element.text
        inner[-1].tail = "\n" + "  " * (level - 1)
        stack.extend((child, level + 1) for child in inner)


class _TreeWriter:
    """Appends parts and spans to elements."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown
        self._tree = etree()

    def blocks(self, parent: Any, parts: Iterable[Part]) -> None:
        for part in parts:
            self._block(parent, part)

    def _block(self, parent: Any, part: Part) -> None:  # noqa: C901 (one case per part type)
        match part:
            case Heading():
                self._spans(self._add(parent, "head", rend=f"h{part.level}"), part.spans)
            case Paragraph():
                self._paragraph(parent, part.spans)
            case Code(text=text) | Formula(tex=text):
                self._add(parent, "code" if isinstance(part, Code) else "p").text = xml_text(text)
            case List():
                self._items(self._add(parent, "list", rend="ol" if part.ordered else "ul"), part.items)
            case Definitions():
                element = self._add(parent, "list", rend="dl")
                for entry in part.entries:
                    self._items(element, entry.terms, rend="dt")
                    self._items(element, entry.details, rend="dd")
            case Table():
                self._table(parent, part)
            case Figure():
                self.blocks(parent, part.parts)
                images = part.images if self._shown.images else ()
                self._paragraph(parent, images)
                self._paragraph(parent, part.caption if part.caption_selected or images else ())
            case Callout() | Details():
                title = part.summary if isinstance(part, Details) else part.title if part.title_selected else ()
                self._paragraph(parent, title)
                self.blocks(parent, part.parts)
            case Quote():
                self.blocks(self._add(parent, "quote"), part.parts)
            case _:  # a post or a footnote
                self.blocks(parent, children(part))

    def _table(self, parent: Any, part: Table) -> None:
        if not self._shown.tables:
            return
        self._paragraph(parent, part.caption)
        table = self._add(parent, "table")
        for row in part.rows:
            element = self._add(table, "row")
            for cell in row.cells:
                role = {"role": "head"} if cell.header or row.header else {}
                self._mixed(self._add(element, "cell", **role), cell)

    def _items(self, parent: Any, items: Iterable[Item], **attributes: str) -> None:
        for item in items:
            self._mixed(self._add(parent, "item", **attributes), item)

    def _mixed(self, element: Any, part: Item | Cell) -> None:
        """Write an item or a cell: its first paragraph as its text, blocks after it."""
        parts = part.parts
        if parts and isinstance(first := parts[0], Paragraph):
            self._spans(element, first.spans)
            parts = parts[1:]
        self.blocks(element, parts)

    def _paragraph(self, parent: Any, spans: tuple[Span, ...]) -> None:
        if spans:
            self._spans(self._add(parent, "p"), spans)

    def _spans(self, element: Any, spans: tuple[Span, ...]) -> None:
        for span in spans:
            self._span(element, span)

    def _span(self, element: Any, span: Span) -> None:  # noqa: C901 (one case per span type)
        shown = self._shown
        match span:
            case Emphasis(tag="q"):
                _append(element, OPENING_QUOTE)
                self._spans(element, span.spans)
                _append(element, CLOSING_QUOTE)
            case Emphasis(tag="del") if shown.formatting:
                self._spans(self._add(element, "del", rend="overstrike"), span.spans)
            case Emphasis() if shown.formatting:
                self._spans(self._add(element, "hi", rend=_RENDS.get(span.tag, "#i")), span.spans)
            case Link(role="media") if not shown.links:  # its text is not text of the page
                pass
            case Link(href=href) if shown.links and href and span.role in {"", "media"}:
                self._spans(self._add(element, "ref", target=href), span.spans)
            case Emphasis() | Link():
                self._spans(element, span.spans)
            case CodeSpan(text) if shown.formatting:
                self._add(element, "code").text = xml_text(text)
            case Image():
                if shown.images and span.src:
                    self._add(element, "graphic", src=span.src, alt=span.alt)
            case LineBreak():
                self._add(element, "lb")
            case _:
                _append(element, spans_text((span,)))

    def _add(self, parent: Any, name: str, **attributes: str) -> Any:
        clean = {key: xml_text(value) for key, value in attributes.items() if value}
        return self._tree.SubElement(parent, name, clean)


def _append(element: Any, text: str) -> None:
    """Append text to the content of an element. Two spaces in a row are what an image left."""
    text = xml_text(text)
    last = element[-1] if len(element) else None
    before = (element.text if last is None else last.tail) or ""
    whole = before + (text[1:] if before.endswith(" ") and text.startswith(" ") else text)
    if last is None:
        element.text = whole
    else:
        last.tail = whole
