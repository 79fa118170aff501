"""`TextBuffer`: text that is written front to back, and `Rendered`, with the position of each part."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tamis.page.deadline import check_time
from tamis.reprs import value_repr

if TYPE_CHECKING:
    from tamis.document.parts import Part
    from tamis.document.warnings import ContentWarning

# `TextBuffer`: text that is written front to back, with margins, and with the position of each part.

# `Rendered`: an output, with the position of each part of the document in it.


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """An output, and where each part of the document is in it.

    Attributes:
        text: the output.
        spans: the range of each part: ``text[slice(*spans[part])]``.
        warnings: the limits of `tamis.Limits` that cut the output.
    """

    text: str
    spans: "dict[Part, tuple[int, int]]" = field(repr=False)
    warnings: "tuple[ContentWarning, ...]" = ()
    __repr__ = value_repr

    def text_of(self, part: "Part") -> str:
        """Return the text of a part in this output; an empty string if the part was left out."""
        start, stop = self.spans.get(part, (0, 0))
        return self.text[start:stop]


#: Line ends between two lines, and between two paragraphs.
LINE: Final = 1
PARAGRAPH: Final = 2


@dataclass(slots=True)
class _Margin:
    """What lines begin with: the first line and all lines after it."""

    rest: str
    first: str
    started: bool = False

    def next(self) -> str:
        """Return what the next line begins with."""
        text = self.rest if self.started else self.first
        self.started = True
        return text


@dataclass(slots=True)
class TextBuffer:
    r"""Text with margins. Line ends are written lazily, so that an output never ends with blank lines.

    >>> buffer = TextBuffer()
    >>> with buffer.margin("> "):
    ...     buffer.write("one\ntwo")
    >>> buffer.text
    '> one\n> two'

    Attributes:
        spans: the start and stop offset of each part that was written.
    """

    spans: "dict[Part, tuple[int, int]]" = field(default_factory=dict)
    _pieces: list[str] = field(default_factory=list)
    _length: int = 0
    _margins: list[_Margin] = field(default_factory=list)
    _line_ends: int = 0  # to be written before the next text
    _waiting_starts: list[list[int]] = field(default_factory=list)  # of parts that have begun and have no text yet

    @property
    def text(self) -> str:
        """The text so far."""
        return "".join(self._pieces)

    def rendered(self) -> Rendered:
        """Return the text and the positions of the parts."""
        return Rendered(self.text, self.spans)

    @contextmanager
    def part(self, part: "Part") -> Iterator[None]:
        """Record where a part begins and ends. A part without text is not recorded."""
        start: list[int] = []
        self._waiting_starts.append(start)
        yield
        if start:
            self.spans[part] = (start[0], self._length)
        elif self._waiting_starts and self._waiting_starts[-1] is start:
            self._waiting_starts.pop()

    @contextmanager
    def margin(self, rest: str, first: str | None = None) -> Iterator[None]:
        """Begin lines with a margin, the first line with `first` if it is given."""
        self._margins.append(_Margin(rest, rest if first is None else first))
        yield
        self._margins.pop()

    def gap(self, line_ends: int) -> None:
        """Put at least this many line ends before the next text."""
        self._line_ends = max(self._line_ends, line_ends)

    def write(self, text: str) -> None:
        """Write text of one or several lines."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self._line_ends += 1
            if line:
                self._write_line(line)

    def raw(self, text: str) -> None:
        """Write text verbatim on the current line."""
        if text:
            self._write_line(text)

    def _write_line(self, line: str) -> None:
        check_time()
        if not self._length:
            self._append(self._line_start())
        elif self._line_ends:
            # A margin that has started continues through blank lines; one that is about to start does not.
            blank = "".join(margin.rest for margin in self._margins if margin.started).rstrip()
            self._append(f"\n{blank}" * (self._line_ends - 1) + "\n" + self._line_start())
        self._line_ends = 0
        for start in self._waiting_starts:
            start.append(self._length)
        self._waiting_starts.clear()
        self._append(line)

    def _line_start(self) -> str:
        return "".join(margin.next() for margin in self._margins)

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)
