"""Collect the spans of a paragraph: collapse white space across elements, open inline elements only when needed.

An inline element is opened when text in it arrives. So an icon without text leaves no empty element, and the space
before a bold word comes before the bold. A block inside an inline element ends the paragraph; the inline elements
that are open continue in the next one.
"""

from dataclasses import dataclass, field
from typing import Final

from tamis.document.detect.invisible import strip_invisible
from tamis.document.span_tools import trim
from tamis.document.spans import CodeSpan, Emphasis, Image, LineBreak, Link, Ruby, Span, Text, plain_text

_MAX_DEPTH: Final = 6  #: levels of spans; elements that are nested deeper are ignored
_TAB_WIDTH: Final = 4
_MAX_LINE: Final = 200  #: characters of a line that are kept to judge the break after it
_JOINED_TAGS: Final = frozenset({"em", "strong", "del", "ins", "mark"})  #: editors split these into pieces


@dataclass(frozen=True, slots=True)
class OpenElement:
    """An inline element that is open: its tag, the row after its subtree, and its link if it is one."""

    tag: str
    end: int
    link: Link | None = None


@dataclass(slots=True)
class InlineBuilder:
    """Collects the spans of a paragraph.

    Attributes:
        open: the inline elements around the current row.
        first: the first row in the paragraph, or -1 while it is empty.
        stop: the row after its last row.
        container: the block-level element that contains it.
        verse: whether it has preformatted text.
        line: the text of the current line so far.
        bold_line: whether all of that text is bold.
    """

    open: list[OpenElement] = field(default_factory=list)
    first: int = -1
    stop: int = -1
    container: int = -1
    verse: bool = False
    line: str = ""
    bold_line: bool = True
    _levels: "list[list[str | Span]]" = field(
        default_factory=lambda: [[]]
    )  # of each open element, and of the paragraph
    _space: bool = False  # white space comes before the next text
    _content: bool = False  # the current line has content

    def enter(self, tag: str, end: int, link: Link | None = None) -> None:
        """Open an inline element. It becomes a span when text in it arrives."""
        if len(self.open) < _MAX_DEPTH:
            self.open.append(OpenElement(tag, end, link))

    def leave(self, row: int) -> None:
        """Close the inline elements that end before a row."""
        while self.open and self.open[-1].end <= row:
            if len(self._levels) > len(self.open):
                self._close()
            self.open.pop()

    def text(self, value: str, row: int, container: int) -> None:
        """Add the text of a row."""
        visible = strip_invisible(value)
        words = visible.split()
        if not words:
            self._space |= any(char.isspace() for char in value)
            return
        if visible[0].isspace():
            self._space = True
        self._add(" ".join(words), row, container)
        self._space = visible[-1].isspace()

    def lines(self, value: str, row: int, container: int) -> None:
        """Add preformatted text: line ends become line breaks, and indents are kept."""
        for number, line in enumerate(strip_invisible(value).expandtabs(_TAB_WIDTH).split("\n")):
            if number:
                self.line_break(row)
            if not line.strip():
                self._space |= bool(line)
                continue
            indent = "" if self._content else "\u00a0" * (len(line) - len(line.lstrip()))
            self._space |= self._content and line[0].isspace()
            self._add(indent + " ".join(line.split()), row, container)
            self._space = line[-1].isspace()
        self.verse = True

    def span(self, span: Span, row: int, container: int, stop: int | None = None) -> None:
        """Add a complete span."""
        self._add(span, row, container, stop)

    def space(self) -> None:
        """Put white space before the next text."""
        self._space = True

    def line_break(self, row: int) -> None:
        """End the line."""
        if self.first >= 0:
            self._levels[-1].append(LineBreak())
            self.stop = max(self.stop, row + 1)
        self._space = self._content = False
        self.line, self.bold_line = "", True

    @property
    def after_break(self) -> bool:
        """Whether the paragraph ends with a line break: another one ends the paragraph."""
        return self.first >= 0 and not self._content

    @property
    def only_images(self) -> bool:
        """Whether the paragraph has images and no text: a break after them ends it."""
        return not self.line and any(isinstance(piece, Image) for pieces in self._levels for piece in pieces)

    def take(self) -> tuple[Span, ...]:
        """Return the spans and begin a new paragraph. Open elements stay open."""
        while len(self._levels) > 1:
            self._close()
        spans = trim(_merge(self._levels[0]))
        self._levels = [[]]
        self.first = self.stop = self.container = -1
        self._space = self._content = self.verse = False
        self.line, self.bold_line = "", True
        return spans

    def _add(self, piece: "str | Span", row: int, container: int, stop: int | None = None) -> None:
        if self.first < 0:
            self.first, self.container = row, container
        self.stop = max(self.stop, row + 1, stop or 0)
        if self._space and self._content:
            self._levels[-1].append(" ")
        if isinstance(piece, str):
            self.line = self.line[-_MAX_LINE:] + (" " if self._space and self._content else "") + piece
            self.bold_line = self.bold_line and any(element.tag == "strong" for element in self.open)
        self._space, self._content = False, True
        while len(self._levels) <= len(self.open):
            self._levels.append([])
        self._levels[-1].append(piece)

    def _close(self) -> None:
        """Add the innermost open element as a span to the level around it."""
        element = self.open[len(self._levels) - 2]
        pieces = self._levels.pop()
        line_breaks: list[str | Span] = []  # at the end of an element they move behind it
        while pieces and isinstance(pieces[-1], LineBreak):
            line_breaks.append(pieces.pop())
        spans = _merge(pieces)
        if element.tag == "q" and not plain_text(spans).strip():  # an image needs no quotation marks
            self._levels[-1] += spans
        elif spans:
            self._levels[-1].append(_make_span(element, spans))
        self._levels[-1] += line_breaks


def _make_span(element: OpenElement, spans: tuple[Span, ...]) -> Span:
    if element.link is not None:
        return Link(element.link.href, spans, element.link.role, element.link.label)
    if element.tag == "code":
        return CodeSpan(plain_text(spans).replace("\n", " "))
    if element.tag == "ruby":
        return _make_ruby(spans)
    return Emphasis(element.tag, spans)


def _make_ruby(spans: tuple[Span, ...]) -> Span:
    """Return base and reading, without the parentheses for browsers that do not support ruby."""
    reading = "".join(plain_text(span.spans) for span in spans if isinstance(span, Emphasis) and span.tag == "rt")
    base = "".join(
        plain_text((span,)) for span in spans if not (isinstance(span, Emphasis) and span.tag in {"rt", "rp"})
    )
    return Ruby(base.strip(), reading.strip()) if reading else Text(base)


def _merge(pieces: "list[str | Span]") -> tuple[Span, ...]:
    """Return spans, with adjacent strings as one text and adjacent pieces of an emphasis as one."""
    out: list[Span] = []
    strings: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            strings.append(piece)
            continue
        if strings:
            out.append(Text("".join(strings)))
            strings = []
        before = out[-1] if out else None
        if isinstance(piece, Emphasis) and isinstance(before, Emphasis) and _is_continued(before, piece):
            out[-1] = Emphasis(piece.tag, _join(before.spans, piece.spans))
        else:
            out.append(piece)
    if strings:
        out.append(Text("".join(strings)))
    return tuple(out)


def _is_continued(first: Emphasis, second: Emphasis) -> bool:
    """Tell whether two adjacent emphases are one that an editor split."""
    return first.tag == second.tag and first.tag in _JOINED_TAGS


def _join(first: tuple[Span, ...], second: tuple[Span, ...]) -> tuple[Span, ...]:
    if first and second and isinstance(first[-1], Text) and isinstance(second[0], Text):
        return (*first[:-1], Text(first[-1].text + second[0].text), *second[1:])
    return (*first, *second)
