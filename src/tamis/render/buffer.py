"""`TextBuffer`: text that is written front to back, and `Rendered`, with the position of each part."""

from dataclasses import field
from typing import TYPE_CHECKING, Final

from tamis.lazy import dataclass
from tamis.page.deadline import check_time
from tamis.reprs import value_repr

if TYPE_CHECKING:
    from tamis.document.parts import Part
    from tamis.document.warnings import ContentWarning


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """An output, and where each part of the document is in it.

    Attributes:
        text: the output.
        spans: the range of each part: ``text[slice(*spans[part])]``.
        warnings: the limits of `tamis.Limits` that cut the output.
        margins: of parts inside of others, the characters that each of their lines begins with.
    """

    text: str
    spans: "dict[Part, tuple[int, int]]" = field(repr=False)
    warnings: "tuple[ContentWarning, ...]" = ()
    margins: "dict[Part, int]" = field(default_factory=dict, repr=False)
    __repr__ = value_repr

    def text_of(self, part: "Part") -> str:
        """Return the text of a part in this output; an empty string if the part was left out."""
        start, stop = self.spans.get(part, (0, 0))
        return self.text[start:stop]

    def own_text(self, part: "Part") -> str:
        """Return the text of a part without the margins of what it is in."""
        text, margin = self.text_of(part), self.margins.get(part)
        if not margin or "\n" not in text:
            return text
        first, *rest = text.split("\n")
        return "\n".join([first, *(line[margin:] for line in rest)])


#: Line ends between two lines, and between two paragraphs.
LINE: Final = 1
PARAGRAPH: Final = 2


@dataclass(slots=True)
class _Margin:
    """What lines begin with: the first line and all lines after it.

    Attributes:
        rest: what lines after the first begin with, the margins around this one included.
        first: what the first line begins with after those margins.
    """

    rest: str
    first: str
    started: bool = False


@dataclass(slots=True)
class _OpenPart:
    """A part that is being written: how many margins are around it, and where it starts (-1: not yet)."""

    part: "Part"
    depth: int
    start: int = -1


@dataclass(slots=True)
class TextBuffer:
    r"""Text with margins. Line ends are written lazily, so that an output never ends with blank lines.

    `part` and `margin` are for ``with`` statements; what is opened last is closed first.

    >>> buffer = TextBuffer()
    >>> with buffer.margin("> "):
    ...     buffer.write("one\ntwo")
    >>> buffer.text
    '> one\n> two'

    Attributes:
        spans: the start and stop offset of each part that was written.
        margins: the length of the margins around each part that has some.
    """

    spans: "dict[Part, tuple[int, int]]" = field(default_factory=dict)
    margins: "dict[Part, int]" = field(default_factory=dict)
    _pieces: list[str] = field(default_factory=list)
    _length: int = 0
    _margins: list[_Margin] = field(default_factory=list)
    _open: "list[_Margin | _OpenPart]" = field(default_factory=list)
    _line_ends: int = 0  # to be written before the next text
    _waiting: list[_OpenPart] = field(default_factory=list)  # parts that have begun and have no text yet

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def rendered(self) -> Rendered:
        """Return the text and the positions of the parts."""
        return Rendered(self.text, self.spans, margins=self.margins)

    def part(self, part: "Part") -> "TextBuffer":
        """Record where a part begins and ends. A part without text is not recorded."""
        opened = _OpenPart(part, len(self._margins))
        self._open.append(opened)
        self._waiting.append(opened)
        return self

    def margin(self, rest: str, first: str | None = None) -> "TextBuffer":
        """Begin lines with a margin, the first line with `first` if it is given."""
        outer = self._margins[-1].rest if self._margins else ""
        margin = _Margin(outer + rest, rest if first is None else first)
        self._margins.append(margin)
        self._open.append(margin)
        return self

    def __enter__(self) -> None:
        """Begin what `part` or `margin` has opened."""

    def __exit__(self, *_: object) -> None:
        opened = self._open.pop()
        if isinstance(opened, _Margin):
            self._margins.pop()
        elif opened.start >= 0:
            self.spans[opened.part] = (opened.start, self._length)
        else:
            self._waiting.pop()

    def gap(self, line_ends: int) -> None:
        """Put at least this many line ends before the next text."""
        self._line_ends = max(self._line_ends, line_ends)

    def write(self, text: str) -> None:
        """Write text of one or several lines."""
        if "\n" not in text:
            self.raw(text)
            return
        for number, line in enumerate(text.split("\n")):
            if number:
                self._line_ends += 1
            if line:
                self.raw(line)

    def raw(self, text: str) -> None:
        """Write text verbatim on the current line."""
        if not text:
            return
        check_time()
        if self._line_ends or not self._length:
            self._begin_line()
        if self._waiting:
            for opened in self._waiting:
                self._start(opened, self._length)
            self._waiting = []
        self._pieces.append(text)
        self._length += len(text)

    def _begin_line(self) -> None:
        """End the line, leave blank lines, and write the margins of the next one."""
        margins = self._margins
        new = len(margins)  # the first margin that begins here: an inner one never begins before an outer one
        while new and not margins[new - 1].started:
            new -= 1
        rest = margins[new - 1].rest if new else ""
        if self._length:
            # A margin that has started continues through blank lines; one that is about to start does not.
            self._append(f"\n{rest.rstrip()}" * (self._line_ends - 1) + "\n")
        self._line_ends = 0
        if not margins:
            return
        # Parts wait in the order of their depth: each starts before the first margin inside of it that begins here.
        waiting, started, position, pieces = self._waiting, 0, self._length + len(rest), [rest]
        for depth in range(new, len(margins)):
            while started < len(waiting) and waiting[started].depth <= depth:
                self._start(waiting[started], position)
                started += 1
            margins[depth].started = True
            pieces.append(margins[depth].first)
            position += len(margins[depth].first)
        if started:
            self._waiting = waiting[started:]
        self._append("".join(pieces))

    def _start(self, opened: _OpenPart, position: int) -> None:
        """Start a part that has waited for text."""
        opened.start = position
        if opened.depth:
            self.margins[opened.part] = len(self._margins[opened.depth - 1].rest)

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)
