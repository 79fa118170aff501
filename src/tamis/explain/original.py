"""The original page, safe to show: its structure and its shown text, with blocks marked.

Nothing of the page's markup is copied. Tags are written from a list, attributes are spans of cells and directions of
text alone, and text is escaped. There are no links, no pictures, no styles and no forms, so nothing can load, run or
be sent.
"""

import re
from html import escape
from typing import Final

from tamis.explain.explanation import BlockExplanation, Explanation
from tamis.html import tags
from tamis.html.directions import is_right_to_left
from tamis.page import Page

_SAME: Final = """
    p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot tr td th caption blockquote pre code b strong i em
    u s sub sup small section article main nav header footer aside figure figcaption div span address hgroup q cite
    abbr kbd samp var mark ruby rt rp del ins time
"""
#: Elements that are written as another one: what they do is not wanted, how they are laid out is.
_INSTEAD: Final = {
    **{name: name for name in _SAME.split()},
    **dict.fromkeys(
        ("form", "fieldset", "legend", "details", "summary", "dialog", "search", "menu", "dir", "center"), "div"
    ),
    **dict.fromkeys(("font", "big", "tt", "label", "bdi", "bdo", "dfn"), "span"),
    "strike": "s",
}
_CLASSED: Final = {"a": "l", "button": "f", "option": "f"}
_MAX_DEPTH: Final = 250  #: open elements; browsers flatten what is nested deeper
_MAX_SPAN: Final = 1000  # of a cell
_MAX_ALT: Final = 80  # characters
_DIRECTIONS: Final = frozenset({"ltr", "rtl", "auto"})
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def marked_original(explanation: Explanation) -> str:
    """Return the page as HTML of a body, with each block in a ``span`` that shows its explanation.

    >>> from tamis.explain import explain_selection
    >>> from tamis.extractors import registry
    >>> from tamis.page import parse_page
    >>> page = parse_page("<p onclick=steal()>Tea <img src=//x.example/ alt='a pot'><script>steal()</script>")
    >>> print(marked_original(explain_selection(page, registry.get("body").select(page), "body")))
    <p><span class="b k" id="b0" tabindex="0"><span class="w" dir="ltr" lang="en">...</span>Tea ...</span></p>
    """
    return _Writer(explanation).write()


class _Writer:
    def __init__(self, explanation: Explanation) -> None:
        self.page: Page = explanation.page
        self.blocks = explanation.blocks
        self.out: list[str] = []
        self.open: list[tuple[int, str]] = []  # the end of each open element, and its end tag
        self.block = -1  # the block whose span is open
        self.span_index = -1  # its place among the open elements
        self.shown: set[int] = set()  # blocks whose explanation was written

    def write(self) -> str:
        page = self.page
        row, last = page.body + 1, int(page.end[page.body])
        ends, hidden = page.end.tolist(), page.hidden.tolist()
        is_text, is_element = page.is_text.tolist(), page.is_element.tolist()
        self.open.append((last, ""))
        while row < last:
            self._close_ended(row)
            if is_text[row]:
                if not hidden[row]:
                    self._write_text(row)
            elif not is_element[row]:
                pass
            elif hidden[row] or tags.RAW[page.tag[row]]:
                row = ends[row]
                continue
            else:
                self._write_element(row)
            row += 1
        self._close_ended(last)
        return "".join(self.out)

    def _close_ended(self, row: int) -> None:
        while self.open and self.open[-1][0] <= row:
            self._pop()

    def _pop(self) -> None:
        self.out.append(self.open.pop()[1])
        if len(self.open) == self.span_index:
            self.block = self.span_index = -1

    def _enter(self, block: int) -> None:
        """Open the span of a block, unless it is open."""
        if block == self.block:
            return
        self._leave()
        explanation = self.blocks[block]
        first = block not in self.shown
        self.shown.add(block)
        state = "k" if explanation.kept else "d"
        identifier = f' id="b{block}" tabindex="0"' if first else ""
        self.out.append(f'<span class="b {state}"{identifier}>')
        if first:
            self.out.append(f'<span class="w" dir="ltr" lang="en">{popup(explanation)}</span>')
        self.span_index, self.block = len(self.open), block
        self.open.append((self.open[-1][0], "</span>"))

    def _leave(self) -> None:
        """Close the span of a block, if nothing is open in it."""
        if self.block >= 0 and self.span_index == len(self.open) - 1:
            self._pop()

    def _write_text(self, row: int) -> None:
        block = int(self.page.blocks.block_of[row])
        if block >= 0:
            self._enter(block)
        self.out.append(escape(self.page.row_text(row), quote=False))

    def _write_element(self, row: int) -> None:
        page = self.page
        name = page.tag_name(row)
        first, last = int(page.block_ranges[0][row]), int(page.block_ranges[1][row])
        is_block = bool(tags.BLOCK[page.tag[row]])
        if is_block or last - first > 1:
            self._leave()
        elif last - first == 1:
            self._enter(first)
        if name in {"br", "hr", "wbr"}:
            self.out.append(f"<{name}>")
        elif name == "img":
            self._write_image(row)
        elif len(self.open) < _MAX_DEPTH:
            self._open_element(row, name)

    def _open_element(self, row: int, name: str) -> None:
        end = int(self.page.end[row])
        direction = _direction(self.page.attribute("dir").get(row, ""))
        if name in _CLASSED:
            self.out.append(f'<span class="{_CLASSED[name]}"{direction}>')
            self.open.append((end, "</span>"))
        elif name in _INSTEAD:
            tag = _INSTEAD[name]
            spans = _cell_spans(self.page, row) if name in {"td", "th"} else ""
            self.out.append(f"<{tag}{spans}{direction}>")
            self.open.append((end, f"</{tag}>"))

    def _write_image(self, row: int) -> None:
        alt = " ".join(self.page.attributes(row).get("alt", "").split())
        if alt:
            self.out.append(f'<span class="i">{escape(alt[:_MAX_ALT])}</span>')


def language_attributes(page: Page) -> str:
    """Return the ``lang`` and ``dir`` of the page, as attributes of the root of the original.

    >>> from tamis.page import parse_page
    >>> language_attributes(parse_page("<html lang=ar-EG><p>x")), language_attributes(parse_page("<body dir=rtl>x"))
    (' lang="ar-EG" dir="rtl"', ' dir="rtl"')
    """
    language = direction = ""
    for row in (page.body, int(page.parent[page.body])):
        attributes = page.attributes(row)
        language = language or attributes.get("lang", "").strip()
        direction = direction or _direction(attributes.get("dir", ""))
    if _LANGUAGE.fullmatch(language) is None:
        return direction
    if not direction and is_right_to_left(language):
        direction = _direction("rtl")
    return f' lang="{language}"{direction}'


def _direction(value: str) -> str:
    """Return a ``dir`` as an attribute; ``""`` if it is invalid."""
    value = value.strip().lower()
    return f' dir="{value}"' if value in _DIRECTIONS else ""


def _cell_spans(page: Page, row: int) -> str:
    attributes = page.attributes(row)
    spans = ""
    for name in ("colspan", "rowspan"):
        value = attributes.get(name, "")[:5]
        if value.isascii() and value.isdigit() and 1 < int(value) <= _MAX_SPAN:
            spans += f' {name}="{int(value)}"'
    return spans


def popup(block: BlockExplanation) -> str:
    """Return what is shown while the pointer is on a block, or after a tap."""
    flip = f"<br>{escape(block.flip.words)}" if block.flip else ""
    return f"<b>{block.number + 1}.</b> {escape(block.words)}{flip}"
