"""Text that grows forward, and remembers where each part of the document stands in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from tamis.document.parts import Part

LINE: Final = 1
PARAGRAPH: Final = 2


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """An output and where each part of the document stands in it: ``text[slice(*spans[part])]``."""

    text: str
    spans: dict[Part, tuple[int, int]]

    def text_of(self, part: Part) -> str:
        """Return the text of a part in this output; of one that was left out, nothing."""
        start, stop = self.spans.get(part, (0, 0))
        return self.text[start:stop]


@dataclass(slots=True)
class Writer:
    r"""Writes text with margins.

    >>> writer = Writer()
    >>> with writer.margin("> "):
    ...     writer.write("one\ntwo")
    >>> writer.text
    '> one\n> two'
    """

    _out: list[str] = field(default_factory=list)
    _length: int = 0
    _margins: list[list[str | None]] = field(default_factory=list)  # of each: what begins its first line, and others
    _owed: int = 0  # ends of lines that the next text is to come after
    _unplaced: list[list[int]] = field(default_factory=list)  # of parts that have begun and have no text yet
    spans: dict[Part, tuple[int, int]] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What was written."""
        return "".join(self._out)

    def rendered(self) -> Rendered:
        """Return what was written, with the places of the parts."""
        return Rendered(self.text, self.spans)

    @contextmanager
    def part(self, part: Part) -> Iterator[None]:
        """Note where a part begins and ends."""
        place: list[int] = []
        self._unplaced.append(place)
        yield
        if place:
            self.spans[part] = (place[0], self._length)
        elif self._unplaced and self._unplaced[-1] is place:
            self._unplaced.pop()

    @contextmanager
    def margin(self, rest: str, first: str | None = None) -> Iterator[None]:
        """Begin lines with a margin; the first of them with another where given."""
        self._margins.append([rest if first is None else first, rest])
        yield
        self._margins.pop()

    def gap(self, lines: int) -> None:
        """See that the next text begins so many ends of lines later, at least."""
        self._owed = max(self._owed, lines)

    def write(self, text: str) -> None:
        """Write text, of one line or several."""
        for number, line in enumerate(text.split("\n")):
            if number:
                self._owed += 1
            if line:
                self._emit(line)

    def raw(self, text: str) -> None:
        """Write text as it is, on the current line."""
        if text:
            self._emit(text)

    def _emit(self, line: str) -> None:
        if not self._length:
            self._owed = 0
            self._put("".join(self._begin()))
        elif self._owed:
            # A margin that has begun goes on through blank lines; one that is about to begin does not.
            blank = "".join(rest or "" for first, rest in self._margins if first is None).rstrip()
            self._put(f"\n{blank}" * (self._owed - 1) + "\n" + "".join(self._begin()))
            self._owed = 0
        for place in self._unplaced:
            place.append(self._length)
        self._unplaced.clear()
        self._put(line)

    def _begin(self) -> Iterator[str]:
        for margin in self._margins:
            first, rest = margin
            yield first if first is not None else rest or ""
            margin[0] = None

    def _put(self, text: str) -> None:
        self._out.append(text)
        self._length += len(text)
