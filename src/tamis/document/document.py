"""`Document`: the parts of a selection, and the way from each of them back to the page."""

from collections.abc import Iterator
from dataclasses import dataclass

from tamis.document.parts import Code, Figure, Formula, Heading, Paragraph, Part, Row, Table, children
from tamis.document.spans import CodeSpan, FormulaSpan, LineBreak, Span, Text
from tamis.page import Page


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part stands in the page it came from.

    Attributes:
        xpath: finds the element that the part stands for, or that holds it.
        start: where its text begins in the source, in characters (see `tamis.page.positions`); -1 if it does not say.
        stop: where it ends.
    """

    xpath: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """What was selected, as parts.

    Attributes:
        page: the page they came from.
        parts: the outermost parts, in order.
        direction: ``"rtl"`` when the page is written from right to left, else ``"ltr"``.
        language: the language that the page declares, else None.
    """

    page: Page
    parts: tuple[Part, ...]
    direction: str = "ltr"
    language: str | None = None

    def __iter__(self) -> Iterator[Part]:
        """Give every part, outer before inner, in document order."""
        return walk(self.parts)

    def place(self, part: Part) -> Place:
        """Return where a part stands in the page. The first call parses the source once more, for positions.

        >>> import tamis
        >>> document = tamis.extract("<h1>Tea</h1><p>Boil <b>water</b>.", extractor="body").document
        >>> place = document.place(document.parts[1])
        >>> place.xpath, document.page.positions.source[place.start : place.stop]
        ('/html/body/p', 'Boil <b>water</b>.')
        """
        from tamis.page.positions import xpath  # noqa: PLC0415 (the second parse is paid for where it is wanted)

        places = self.page.positions
        rows = [row for row in (part.first, part.stop - 1) if places.start[row] >= 0]
        start = int(min(places.start[row] for row in rows)) if rows else -1
        stop = int(max(places.stop[row] for row in rows)) if rows else -1
        return Place(xpath(self.page, part.element), start, stop)


def walk(parts: tuple[Part, ...]) -> Iterator[Part]:
    """Give parts and everything below them, outer before inner, in order."""
    rest = list(reversed(parts))
    while rest:
        part = rest.pop()
        yield part
        rest.extend(reversed(children(part)))


def flat(parts: tuple[Part, ...]) -> tuple[Span, ...]:
    """Return the spans of some parts on one line after another, for a place that holds no parts (a caption)."""
    out: list[Span] = []
    beside: set[Part] = set()  # what stands on the line of the part before: the second cell of a row, and so on
    for part in walk(parts):
        spans: tuple[Span, ...]
        match part:
            case Row():
                beside.update(cell.parts[0] for cell in part.cells[1:] if cell.parts)
                continue
            case Paragraph() | Heading():
                spans = part.spans
            case Code(text=text):
                spans = (CodeSpan(text),)
            case Formula(tex=tex):
                spans = (FormulaSpan(tex),)
            case Figure():
                spans = (*part.images, *part.caption)
            case Table():
                spans = part.caption
            case _:
                continue
        if spans:
            if out:
                out.append(Text(" ") if part in beside else LineBreak())
            out.extend(spans)
    return tuple(out)
