"""Gathering the spans of a paragraph: white space collapsed across elements, inline elements opened only when used.

An element is opened when text comes that stands in it, and never before: so an icon without text leaves no mark, and
the space before a bold word stands before the bold. A block inside an inline element ends the paragraph; what was
open goes on in the next.
"""

from dataclasses import dataclass, field
from typing import Final

from tamis.document.detect.invisible import visible
from tamis.document.spans import CodeSpan, Emphasis, Image, LineBreak, Link, Ruby, Span, Text, plain

_DEEPEST: Final = 6  #: levels of spans; what is nested deeper is plain
_TAB: Final = 4
_CUT: Final = frozenset({"em", "strong", "del", "ins", "mark"})  #: editors' buttons leave these in pieces


@dataclass(frozen=True, slots=True)
class Opening:
    """An inline element that is open: which, where it ends, and what is known of it."""

    kind: str
    end: int
    link: Link | None = None


@dataclass(slots=True)
class Inline:
    """The paragraph that is being gathered.

    Attributes:
        open: the inline elements around the current row.
        first: the first row in the paragraph, or -1 while it is empty.
        stop: the row after its last.
        host: the element that holds it.
        verse: it has text whose lines the author set.
    """

    open: list[Opening] = field(default_factory=list)
    first: int = -1
    stop: int = -1
    host: int = -1
    verse: bool = False
    _levels: "list[list[str | Span]]" = field(default_factory=lambda: [[]])
    _space: bool = False
    _content: bool = False  # something stands on the current line

    def enter(self, kind: str, end: int, link: Link | None = None) -> None:
        """Open an inline element; it leaves a mark when text comes."""
        if len(self.open) < _DEEPEST:
            self.open.append(Opening(kind, end, link))

    def leave(self, row: int) -> None:
        """Close the inline elements that end before a row."""
        while self.open and self.open[-1].end <= row:
            if len(self._levels) > len(self.open):
                self._close()
            self.open.pop()

    def text(self, value: str, row: int, host: int) -> None:
        """Add the text of a row."""
        seen = visible(value)
        words = seen.split()
        if not words:  # blank, or nothing that anybody sees
            self._space |= any(char.isspace() for char in value)
            return
        if seen[0].isspace():
            self._space = True
        self._put(" ".join(words), row, host)
        self._space = seen[-1].isspace()

    def lines(self, value: str, row: int, host: int) -> None:
        """Add text whose white space is kept: ends of lines become breaks, indents stay."""
        for number, line in enumerate(visible(value).expandtabs(_TAB).split("\n")):
            if number:
                self.line_break(row)
            if not line.strip():
                self._space |= bool(line)
                continue
            indent = "" if self._content else "\u00a0" * (len(line) - len(line.lstrip()))
            self._space |= self._content and line[0].isspace()
            self._put(indent + " ".join(line.split()), row, host)
            self._space = line[-1].isspace()
        self.verse = True

    def span(self, span: Span, row: int, host: int, stop: int | None = None) -> None:
        """Add a span that came whole."""
        self._put(span, row, host, stop)

    def space(self) -> None:
        """Keep what comes next apart from what was."""
        self._space = True

    def line_break(self, row: int) -> None:
        """End the line."""
        if self.first >= 0:
            self._levels[-1].append(LineBreak())
            self.stop = max(self.stop, row + 1)
        self._space = self._content = False

    @property
    def broken(self) -> bool:
        """Whether the last thing on record is the end of a line: another one ends the paragraph."""
        return self.first >= 0 and not self._content

    def take(self) -> tuple[Span, ...]:
        """Return what was gathered and begin anew; what is open stays open."""
        while len(self._levels) > 1:
            self._close()
        spans = trimmed(_merged(self._levels[0]))
        self._levels = [[]]
        self.first = self.stop = self.host = -1
        self._space = self._content = self.verse = False
        return spans

    def _put(self, piece: "str | Span", row: int, host: int, stop: int | None = None) -> None:
        if self.first < 0:
            self.first, self.host = row, host
        self.stop = max(self.stop, row + 1, stop or 0)
        if self._space and self._content:
            self._levels[-1].append(" ")
        self._space, self._content = False, True
        while len(self._levels) <= len(self.open):
            self._levels.append([])
        self._levels[-1].append(piece)

    def _close(self) -> None:
        opening = self.open[len(self._levels) - 2]
        pieces = self._levels.pop()
        after: list[str | Span] = []
        while pieces and isinstance(
            pieces[-1], LineBreak
        ):  # a line ends after the words, and after what is around them
            after.append(pieces.pop())
        spans = _merged(pieces)
        if opening.kind == "q" and not plain(spans).strip():  # a picture is no quotation
            self._levels[-1] += spans
        elif spans:
            self._levels[-1].append(_wrapped(opening, spans))
        self._levels[-1] += after


def _wrapped(opening: Opening, spans: tuple[Span, ...]) -> Span:
    if opening.link is not None:
        return Link(opening.link.href, spans, opening.link.kind, opening.link.label)
    if opening.kind == "code":
        return CodeSpan(plain(spans).replace("\n", " "))
    if opening.kind == "ruby":
        return _ruby(spans)
    return Emphasis(opening.kind, spans)


def _ruby(spans: tuple[Span, ...]) -> Span:
    """Return base and reading; brackets that the page gives for browsers without ruby go."""
    reading = "".join(plain(span.spans) for span in spans if isinstance(span, Emphasis) and span.kind == "rt")
    base = "".join(plain((span,)) for span in spans if not (isinstance(span, Emphasis) and span.kind in {"rt", "rp"}))
    return Ruby(base.strip(), reading.strip()) if reading else Text(base)


def _merged(pieces: "list[str | Span]") -> tuple[Span, ...]:
    """Return pieces with strings that stand together made one text."""
    out: list[Span] = []
    run: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            run.append(piece)
            continue
        if run:
            out.append(Text("".join(run)))
            run = []
        if out and isinstance(piece, Emphasis) and isinstance(out[-1], Emphasis) and _one_hand(out[-1], piece):
            out[-1] = Emphasis(piece.kind, _joined(out[-1].spans, piece.spans))
        else:
            out.append(piece)
    if run:
        out.append(Text("".join(run)))
    return tuple(out)


def _one_hand(one: Emphasis, other: Emphasis) -> bool:
    """Whether two emphases that touch are one that an editor cut in two."""
    return one.kind == other.kind and one.kind in _CUT


def _joined(first: tuple[Span, ...], second: tuple[Span, ...]) -> tuple[Span, ...]:
    if first and second and isinstance(first[-1], Text) and isinstance(second[0], Text):
        return (*first[:-1], Text(first[-1].text + second[0].text), *second[1:])
    return (*first, *second)


def trimmed(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return spans without breaks or blanks at either end."""
    start, stop = 0, len(spans)
    while start < stop and _is_blank(spans[start]):
        start += 1
    while start < stop and _is_blank(spans[stop - 1]):
        stop -= 1
    return spans[start:stop]


def _is_blank(span: Span) -> bool:
    return isinstance(span, LineBreak) or (isinstance(span, Text) and span.text == " ")


def only_images(spans: tuple[Span, ...]) -> tuple[Image, ...]:
    """Return the pictures of a paragraph that has nothing else, without the links around them, else nothing."""
    images: list[Image] = []
    for span in spans:
        inner = span.spans if isinstance(span, Link) else (span,)
        for one in inner:
            if isinstance(one, Image):
                images.append(one)
            elif not isinstance(one, LineBreak) and not (isinstance(one, Text) and not one.text.strip()):
                return ()
    return tuple(images)


def stanzas(spans: tuple[Span, ...]) -> list[tuple[Span, ...]]:
    """Return verse cut where lines end twice."""
    out: list[list[Span]] = [[]]
    for span in spans:
        if isinstance(span, LineBreak) and (not out[-1] or isinstance(out[-1][-1], LineBreak)):
            if out[-1]:
                out.append([])
            continue
        out[-1].append(span)
    return [trimmed for trimmed in map(trimmed, map(tuple, out)) if trimmed]
