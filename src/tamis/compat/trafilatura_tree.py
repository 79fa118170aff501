"""The content as elements in trafilatura's vocabulary: ``p``, ``head``, ``list``, ``quote``, ``table`` and others.

The elements are those of the page (`tamis.render.original`) under other names; text outside of a block gets a ``p``.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from tamis.api import Extraction
from tamis.html import tags
from tamis.page import parse_page
from tamis.page.selectors import select_rows

# ruff: noqa: ANN401 (elements are those of lxml or of the standard library)

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPACE: Final = re.compile(r"[ \t\n\r\f]+")
#: How trafilatura writes emphasis.
_RENDS: Final = {
    **dict.fromkeys(("b", "strong"), "#b"),
    **dict.fromkeys(("i", "em", "cite", "dfn"), "#i"),
    **dict.fromkeys(("u", "ins", "mark"), "#u"),
    **dict.fromkeys(("kbd", "samp", "tt", "var"), "#t"),
    "sub": "#sub",
    "sup": "#sup",
}
_DELETED: Final = frozenset({"del", "s", "strike"})
_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LISTS: Final = {"ul": "ul", "menu": "ul", "ol": "ol", "dl": "dl"}
_ITEMS: Final = frozenset({"li", "dt", "dd"})
#: Elements that contain nothing but elements, so that white space between these means nothing.
_CONTAINERS: Final = frozenset({"body", "comments", "div", "doc", "list", "main", "quote", "row", "table"})
#: Elements of trafilatura that are left out where nothing is in them.
_NOT_EMPTY: Final = frozenset({"p", "head", "item", "list", "quote", "hi", "del", "code", "ref", "row", "table"})
_BLOCKS: Final = frozenset({"p", "head", "item", "cell", "quote"})
_MAX_SPAN: Final = 100  #: columns or rows; pages in use have fewer, and an attribute may say anything


@dataclass(frozen=True, slots=True)
class Shown:
    """What an output shows.

    Attributes:
        comments: readers' comments.
        tables: tables.
        images: images.
        links: the URLs of links.
        formatting: emphasis; in plain text also headings, as Markdown.
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
    """Return the content as a ``body`` element. It begins with the headline, as in trafilatura."""
    html = extraction.render(
        "html", structure="original", title=False, images=shown.images, links=shown.links, tables=shown.tables
    ).text
    body = _TreeBuilder(shown).build(parse_page(html).document.select("body")[0])
    headline = _unselected_headline(extraction)
    if headline and (first := next(iter(body), None)) is not None and _words(first) != headline.split():
        head = etree().Element("head", {"rend": "h1"})
        head.text = xml_text(headline)
        body.insert(0, head)
    return body


def _words(element: Any) -> list[str]:
    return "".join(element.itertext()).split()


def _unselected_headline(extraction: Extraction) -> str:
    """Return the text of the page's first ``h1`` if it is the title and not selected, else ``""``."""
    page, title = extraction.page, (extraction.title or "").casefold().split()
    for row in select_rows(page, "h1") if title else ():
        text = page.collapsed_text(row)
        if page.shown[row : page.end[row]].any() and text.casefold().split() == title:
            return "" if extraction.selection.mask[row : page.end[row]].any() else text
    return ""


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
        mixed = element.text or any((child.tail or "").strip() for child in inner)
        if not inner or mixed or element.tag not in containers:
            continue
        element.text = "\n" + "  " * level
        for child in inner:
            child.tail = element.text
        inner[-1].tail = "\n" + "  " * (level - 1)
        stack.extend((child, level + 1) for child in inner)


@dataclass(slots=True)
class _Frame:
    """An element of the page that is open.

    Attributes:
        nodes: what is left of its children.
        element: where its content goes.
        loose: text in it needs a ``p``; `paragraph` is the one that is open.
        code: it is preformatted.
    """

    nodes: Iterator[Any]
    element: Any
    loose: bool
    code: bool = False
    paragraph: Any = None


class _TreeBuilder:
    """Writes elements of HTML as those of trafilatura, without recursion: pages may nest as deep as they like."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown
        self._tree = etree()

    def build(self, html_body: Any) -> Any:
        body = self._tree.Element("body")
        stack = [_Frame(iter(html_body.children), body, loose=True)]
        while stack:
            frame = stack[-1]
            node = next(frame.nodes, None)
            if node is None:
                stack.pop()
            elif hasattr(node, "attrs"):
                if (inner := self._open(frame, node)) is not None:
                    stack.append(inner)
            elif type(node).__name__ == "Text":
                self._text(frame, node.data)
        for table in list(body.iter("table")):
            _align(self._tree, table)
        _clean(body)
        return body

    def _text(self, frame: _Frame, text: str) -> None:
        if not frame.code:
            text = _SPACE.sub(" ", text)
        if text.strip() or (frame.paragraph if frame.loose else frame.element) is not None:
            _append(self._inline(frame, has_text=bool(text.strip())), text)

    def _inline(self, frame: _Frame, *, has_text: bool = True) -> Any:
        """Return where inline content goes: in a new paragraph if the frame needs one and has none."""
        if not frame.loose:
            return frame.element
        if frame.paragraph is None and has_text:
            frame.paragraph = self._tree.SubElement(frame.element, "p")
        return frame.paragraph if frame.paragraph is not None else frame.element

    def _open(self, frame: _Frame, node: Any) -> _Frame | None:
        tag = node.tag
        if tag == "img":
            self._image(frame, node)
            return None
        if tag == "br":
            if not (frame.loose and frame.paragraph is None):
                self._tree.SubElement(self._inline(frame), "lb")
            return None
        if tag in {"wbr", "hr", "col", "colgroup"}:
            return None
        if frame.code:
            return _Frame(iter(node.children), frame.element, loose=False, code=True)
        if (inline := self._inline_name(tag, node)) is not None:
            name, attributes = inline
            parent = self._inline(frame)
            element = self._tree.SubElement(parent, name, attributes) if name else parent
            return _Frame(iter(node.children), element, loose=False, code=name == "code")
        frame.paragraph = None
        element, loose = self._block(frame, tag, node)
        if element is frame.element and not frame.loose and not loose:
            _append(element, " ")
        return _Frame(iter(node.children), element, loose=loose, code=tag == "pre")

    def _image(self, frame: _Frame, node: Any) -> None:
        source = str(node.attrs.get("src") or "")
        if self._shown.images and source:
            names = {"src": source, **{name: str(node.attrs.get(name) or "") for name in ("alt", "title")}}
            self._tree.SubElement(self._inline(frame), "graphic", _attributes(names))

    def _inline_name(self, tag: str, node: Any) -> tuple[str, dict[str, str]] | None:
        """Return the name and the attributes of an inline element, the name ``""`` for none, or None for a block."""
        shown = self._shown
        if tag == "a":
            target = str(node.attrs.get("href") or "")
            return ("ref", _attributes({"target": target})) if shown.links and target else ("", {})
        if tag == "code":
            return "code", {}
        if tag in _DELETED:
            return ("del", {"rend": "overstrike"}) if shown.formatting else ("", {})
        if tag in _RENDS:
            return ("hi", {"rend": _RENDS[tag]}) if shown.formatting else ("", {})
        is_block = tag in _HEADINGS or tag in _LISTS or tag in _ITEMS or tags.BLOCK[tags.IDS.get(tag, tags.OTHER)]
        return None if is_block else ("", {})

    def _block(self, frame: _Frame, tag: str, node: Any) -> tuple[Any, bool]:  # noqa: C901, PLR0911, PLR0912 (as above)
        """Return the element that a block's content goes into, and whether text in it needs a paragraph."""
        parent, add = frame.element, self._tree.SubElement
        match tag:
            case "p" | "summary" | "figcaption":
                return add(parent, "p"), False
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                return add(parent, "head", {"rend": tag}), False
            case "ul" | "ol" | "menu" | "dl":
                return add(parent, "list", {"rend": _LISTS[tag]}), False
            case "li":
                return add(parent, "item"), False
            case "dt" | "dd":
                number = 1 + sum(str(item.get("rend", "")).startswith("dt") for item in parent)
                return add(parent, "item", {"rend": f"{tag}-{number if tag == 'dt' else max(1, number - 1)}"}), False
            case "blockquote":
                return add(parent, "quote"), False
            case "pre":
                return add(parent, "code"), False
            case "table" if self._shown.tables:
                return add(parent, "table"), False
            case "caption":
                return add(add(parent, "row"), "cell", {"role": "head"}), False
            case "tr":
                return add(parent, "row"), False
            case "td" | "th" if parent.tag == "row":
                spans = {name: str(node.attrs.get(name) or "") for name in ("colspan", "rowspan")}
                return add(parent, "cell", _attributes({"role": "head" if tag == "th" else "", **spans})), False
            case "thead" | "tbody" | "tfoot":
                return parent, False
            case _:
                return parent, True


def _attributes(values: dict[str, str]) -> dict[str, str]:
    return {name: xml_text(value) for name, value in values.items() if value}


def _span(cell: Any, name: str) -> int:
    value = cell.attrib.pop(name, "1")
    return min(int(value), _MAX_SPAN) if value.isascii() and value.isdigit() and int(value) else 1


def _align(tree: Any, table: Any) -> None:
    """Fill the places of cells that span columns or rows, so that each row has a cell for each column."""
    rows = [row for row in table if row.tag == "row"]
    pending: dict[int, int] = {}  # by column, the rows below that a cell of it covers
    for row in rows:
        covered, pending = pending, {column: left - 1 for column, left in pending.items() if left > 1}
        cells: list[Any] = []
        for cell in list(row):
            while len(cells) in covered:
                cells.append(tree.Element("cell"))
            wide, high = _span(cell, "colspan"), _span(cell, "rowspan")
            pending.update(dict.fromkeys(range(len(cells), len(cells) + wide), high - 1) if high > 1 else {})
            cells += [cell, *(tree.Element("cell") for _ in range(1, wide))]
        row[:] = cells
    width, headed = max((len(row) for row in rows), default=0), False
    for row in rows:
        is_caption = row is rows[0] and len(row) == 1 and row[0].get("role")
        for cell in row if headed else ():
            cell.attrib.pop("role", None)
        headed = headed or any(cell.get("role") for cell in row)
        for _ in range(0 if is_caption or not _has_content(row) else width - len(row)):
            tree.SubElement(row, "cell")


def _has_content(element: Any) -> bool:
    return any(part.strip() for part in element.itertext()) or element.find(".//graphic") is not None


def _clean(body: Any) -> None:
    """Remove elements without content, and the white space at the ends of blocks; text after them stays."""
    for parent in reversed(list(body.iter())):
        kept: list[Any] = []
        for child in list(parent):
            if child.tag not in _NOT_EMPTY or not _is_empty(child):
                kept.append(child)
            elif not kept:
                parent.text = (parent.text or "") + (child.text or "") + (child.tail or "")
            else:
                kept[-1].tail = (kept[-1].tail or "") + (child.text or "") + (child.tail or "")
        if len(kept) < len(parent):
            parent[:] = kept
        if parent.tag in _BLOCKS:
            _strip(parent)


def _is_empty(element: Any) -> bool:
    """Return whether there is nothing in an element, or line breaks and empty cells alone."""
    inner = all(child.tag in {"lb", "cell"} and not len(child) and not child.text for child in element)
    return inner and not (element.text or "").strip() and not any((child.tail or "").strip() for child in element)


def _strip(element: Any) -> None:
    element.text = (element.text or "").lstrip() or None
    while len(element) and element[-1].tag == "lb" and not (element[-1].tail or "").strip():
        element.remove(element[-1])
    if len(element):
        element[-1].tail = (element[-1].tail or "").rstrip() or None
    elif element.text:
        element.text = element.text.rstrip() or None


def _append(element: Any, text: str) -> None:
    """Append text to the content of an element."""
    text = xml_text(text)
    if len(element):
        after_break = element[-1].tag == "lb" and not element[-1].tail
        element[-1].tail = (element[-1].tail or "") + (text.lstrip(" ") if after_break else text)
    else:
        element.text = (element.text or "") + text
