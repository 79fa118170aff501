"""`Document`: the parts of a selection, and the location of each of them in the page."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from tamis.document.detectors.table import Claim
from tamis.document.parts import (
    Callout,
    Code,
    CodeSpan,
    Details,
    Figure,
    Formula,
    FormulaSpan,
    Heading,
    LineBreak,
    Paragraph,
    Part,
    Row,
    Span,
    Table,
    Text,
    children,
)
from tamis.lazy import cached_property
from tamis.page import Page
from tamis.page.deadline import check_time
from tamis.page.sums import prefix_sums


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """The location of a part in the page.

    Attributes:
        xpath: selects the element that the part was made from, or that contains it.
        start: where its text begins in the source, in characters (see `tamis.page.positions`); -1 if the source of
            one of its words is unknown. A span that is given holds all words of the part.
        stop: where its text ends.
    """

    xpath: str
    start: int
    stop: int


@dataclass(frozen=True, eq=False)
class Document:
    """The selected content as a tree of parts.

    Attributes:
        page: the page that the parts were made from.
        parts: the outermost parts, in order.
        direction: ``"rtl"`` if the page is written from right to left, else ``"ltr"``.
        language: the language that the page declares, or None.
        claims: what the detectors marked, moved, replaced, added or deleted, with the reason for each.
        added: parts of posts and items that were not selected: plain text is without them.
    """

    page: Page
    parts: tuple[Part, ...]
    direction: str = "ltr"
    language: str | None = None
    claims: tuple[Claim, ...] = ()
    added: frozenset[Part] = frozenset()

    def __repr__(self) -> str:
        return f"<Document of {len(self.parts)} parts>"

    def __iter__(self) -> Iterator[Part]:
        """Iterate over all parts in document order, outer before inner."""
        return iter(self.in_order)

    @cached_property
    def in_order(self) -> tuple[Part, ...]:
        """All parts in document order, outer before inner."""
        return tuple(iter_parts(self.parts))

    def locate(self, part: Part) -> SourceLocation:
        """Return the location of a part in the page. The first call parses the source again, for positions.

        >>> import tamis
        >>> document = tamis.extract("<h1>Tea</h1><p>Boil <b>water</b>.", extractor="body").document
        >>> location = document.locate(document.parts[1])
        >>> location.xpath, document.page.positions.source[location.start : location.stop]
        ('/html/body/p', 'Boil <b>water</b>.')
        """
        return self._locations.get(part) or self._locate((part,))[part]

    @cached_property
    def _locations(self) -> dict[Part, SourceLocation]:
        return self._locate(self.in_order)

    def _locate(self, parts: tuple[Part, ...]) -> dict[Part, SourceLocation]:
        """Return the locations of some parts, computed from columns for all of them at once."""
        if not parts:
            return {}
        from tamis.page.positions import xpath  # noqa: PLC0415 (loaded only where positions are needed)

        page, positions = self.page, self.page.positions
        first = np.array([part.first for part in parts], dtype=np.int64)
        last = np.maximum(np.array([part.stop for part in parts], dtype=np.int64), first + 1) - 1
        # Rows that count: those with shown text, and the first and the last one of each part.
        known = positions.start >= 0
        starts = np.where(known, positions.start, _NOWHERE)
        text_starts, text_stops = np.where(page.shown, starts, _NOWHERE), np.where(page.shown, positions.stop, -1)
        bounds = np.stack([first, last + 1], axis=1).ravel()
        start = np.minimum.reduceat(np.append(text_starts, _NOWHERE), bounds)[::2]
        stop = np.maximum.reduceat(np.append(text_stops, -1), bounds)[::2]
        start = np.minimum(start, np.minimum(starts[first], starts[last]))
        stop = np.maximum(stop, np.maximum(positions.stop[first], positions.stop[last]))
        unknown = prefix_sums(page.shown & ~known)
        missing = (unknown[last + 1] > unknown[first]) | (start == _NOWHERE)
        start, stop = np.where(missing, -1, start), np.where(missing, -1, stop)
        return {
            part: SourceLocation(xpath(page, part.element), begin, end)
            for part, begin, end in zip(parts, start.tolist(), stop.tolist(), strict=True)
        }


_NOWHERE: Final = np.iinfo(np.int64).max  #: a position after all others


def iter_parts(parts: tuple[Part, ...]) -> Iterator[Part]:
    """Iterate over parts and everything below them in document order, outer before inner."""
    stack = list(reversed(parts))
    while stack:
        part = stack.pop()
        check_time()
        yield part
        if inner := children(part):
            stack.extend(reversed(inner))


def flatten(parts: tuple[Part, ...]) -> tuple[Span, ...]:  # noqa: C901, PLR0912 (one case per part type)
    """Return the spans of parts, for a place that cannot contain parts, such as a caption.

    Each part is on a line of its own; the cells of a table row share one.
    """
    if len(parts) == 1 and isinstance(parts[0], Paragraph):  # most cells
        return parts[0].spans
    out: list[Span] = []
    same_line: set[Part] = set()  # parts that continue the line of the part before: all cells of a row but the first
    for part in iter_parts(parts):
        spans: tuple[Span, ...]
        match part:
            case Row():
                same_line.update(cell.parts[0] for cell in part.cells[1:] if cell.parts)
                continue
            case Paragraph() | Heading():
                spans = part.spans
            case Code(text=text):
                spans = _code_lines(text)
            case Formula(tex=tex):
                spans = (FormulaSpan(tex),)
            case Figure():
                spans = (*part.images, *(part.caption if part.caption_selected else ()))
            case Table():
                spans = part.caption
            case Callout():
                spans = part.title
            case Details():
                spans = part.summary
            case _:
                continue
        if spans:
            if out:
                out.append(Text(" ") if part in same_line else LineBreak())
            out.extend(spans)
    return tuple(out)


def _code_lines(text: str) -> tuple[Span, ...]:
    """Return code with a span for each line: no format has a line end within a span of code."""
    spans: list[Span] = []
    for number, line in enumerate(text.split("\n")):
        if number:
            spans.append(LineBreak())
        if line.strip():
            spans.append(CodeSpan(line))
    return tuple(spans)
