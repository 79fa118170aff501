"""The document model: spans, the inline content of a paragraph; parts, which contain them; and the document."""

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import numpy as np

from tamis.html.text import CLOSING_QUOTE, OPENING_QUOTE
from tamis.lazy import cached_property, dataclass
from tamis.page import Page
from tamis.page.deadline import check_time
from tamis.page.sums import prefix_sums

if TYPE_CHECKING:
    from tamis.document.detectors.table import Claim

# Spans: the inline content of a paragraph. They are small values that do not refer to the page.


@dataclass(frozen=True, slots=True)
class Text:
    """Characters, their white space collapsed."""

    text: str


@dataclass(frozen=True, slots=True)
class LineBreak:
    """A line break within a paragraph."""


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Spans in an element: ``em``, ``strong``, ``del``, ``ins``, ``sub``, ``sup``, ``mark`` or ``q``."""

    tag: str
    spans: "tuple[Span, ...]"


@dataclass(frozen=True, slots=True)
class Link:
    """Spans with a link.

    Attributes:
        href: a safe URL, absolute if the page's URL is known.
        spans: the text of the link.
        role: ``"noteref"`` for the reference to a footnote, ``"backlink"`` for the link from a footnote back to its
            reference (named after the ARIA roles ``doc-noteref`` and ``doc-backlink``), ``"media"`` for the link to a
            sound, a video or a frame, whose text is not text of the page, ``""`` for any other link.
        label: the label of the footnote, for those two. The first reference to a footnote has an `href`, others none.
    """

    href: str
    spans: "tuple[Span, ...]"
    role: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """Code within a line."""

    text: str


@dataclass(frozen=True, slots=True)
class FormulaSpan:
    """A formula as TeX."""

    tex: str
    display: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    """An image: the best of its URLs, its alternative text, and its size if the page has it."""

    src: str
    alt: str = ""
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class Ruby:
    """Characters with their reading."""

    base: str
    reading: str


Span = Text | LineBreak | Emphasis | Link | CodeSpan | FormulaSpan | Image | Ruby


def spans_text(  # noqa: C901 (one case per span type)
    spans: "tuple[Span, ...]", tidy: "Callable[[tuple[Span, ...]], tuple[Span, ...]] | None" = None
) -> str:
    r"""Return the characters of spans. `tidy` changes spans, and those inside of others, before they are read.

    >>> spans_text((Text("2"), Emphasis("sup", (Text("nd"),)), LineBreak(), Ruby("漢", "kan")))
    '2nd\n漢(kan)'
    """
    if len(spans) == 1 and isinstance(spans[0], Text):  # as most are
        return spans[0].text
    out: list[str] = []
    stack: list[Span] = list(reversed(tidy(spans) if tidy else spans))
    while stack:
        span = stack.pop()
        match span:
            case Text(text) | CodeSpan(text):
                out.append(text)
            case Emphasis(tag) if tag != "q":
                stack.extend(reversed(tidy(span.spans) if tidy else span.spans))
            case LineBreak():
                out.append("\n")
            case FormulaSpan(tex):
                out.append(tex)
            case Ruby(base, reading):
                out.append(f"{base}({reading})")
            case Emphasis():
                inner = tidy(span.spans) if tidy else span.spans
                stack.extend((Text(CLOSING_QUOTE), *reversed(inner), Text(OPENING_QUOTE)))
            case Link(role="media"):
                pass
            case Link():
                stack.extend(reversed(tidy(span.spans) if tidy else span.spans))
            case Image():
                pass
    return "".join(out)


# The parts of a document: headings, paragraphs, lists, tables and others.
#
# A part keeps the rows of the page that it was made from; `Document.locate` turns them into an XPath and source
# offsets. Parts are compared by identity, so that a writer can record where each of them is in its output. They
# nest at most `MAX_DEPTH` levels deep; what a page nests deeper is kept without its nesting.

MAX_DEPTH: Final = 24  #: levels. Real pages stay far below it, and writers may recurse without a check.


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Part:
    """The attributes of all parts.

    Attributes:
        element: the row of the element that the part was made from, or that contains it.
        first: the first row of the page that is in the part.
        stop: the row after its last row.
    """

    element: int
    first: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Paragraph(Part):
    """A paragraph of text. If it is `verse`, its lines are those of a ``pre``."""

    spans: tuple[Span, ...]
    verse: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Heading(Part):
    """A heading of level 1 to 6."""

    level: int
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Item(Part):
    """An item of a list, or a term or detail of a definition. `checked` says whether a task of a list is done."""

    parts: tuple[Part, ...]
    checked: bool | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class List(Part):
    """A list. The items of an `ordered` list are numbered from `start` on."""

    items: tuple[Item, ...]
    ordered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Cell(Part):
    """A cell of a table that spans this many `columns` and `rows`."""

    parts: tuple[Part, ...]
    header: bool = False
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Row(Part):
    """A row of a table. A `header` row names the columns."""

    cells: tuple[Cell, ...]
    header: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Table(Part):
    """A data table. Layout tables are unwrapped."""

    rows: tuple[Row, ...]
    caption: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Code(Part):
    """A block of code with its white space, and its language if the page names it."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Quote(Part):
    """A block quotation, and the URL of its source if the page has it."""

    parts: tuple[Part, ...]
    cite: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Callout(Part):
    """A box that sets a note or a warning off from the text: its type, its title, and what it contains.

    A title that is not `title_selected` is hidden from screen readers by the page: plain text is without it.
    """

    parts: tuple[Part, ...]
    type: str = "note"
    title: tuple[Span, ...] = ()
    title_selected: bool = True


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Details(Part):
    """What a reader unfolds, below its summary."""

    parts: tuple[Part, ...]
    summary: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Figure(Part):
    """Images, or other parts in a figure, with a caption.

    A caption that is not `caption_selected` belongs to the images: it is written with them, and not in plain text.
    """

    images: tuple[Image, ...]
    parts: tuple[Part, ...] = ()
    caption: tuple[Span, ...] = ()
    caption_selected: bool = True


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Formula(Part):
    """A formula in a paragraph of its own, as TeX."""

    tex: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Footnote(Part):
    """A footnote that the text refers to by its label.

    One that is not `selected` is there because the text refers to it: plain text, which has no references, is without
    it.
    """

    label: str
    parts: tuple[Part, ...]
    selected: bool = True


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Definition(Part):
    """Terms and their details, as ``dt`` and ``dd`` have them."""

    terms: tuple[Item, ...]
    details: tuple[Item, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Definitions(Part):
    """A definition list."""

    entries: tuple[Definition, ...]


BYLINE_SEPARATOR: Final = " · "  #: between what a page shows of author and date


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Post(Part):
    """A post of a thread. The opening post has `level` 0, the reply to a post one more than that post.

    `byline` is what the page shows of author and date, `votes` how many votes, points or likes it has. A `comment` is
    about what stands above the thread, and not a post of a discussion among others. `handle` is the account of the
    author, if the page shows it behind the name.
    """

    parts: tuple[Part, ...]
    author: str | None = None
    date: str | None = None
    level: int = 0
    byline: str = ""
    votes: int | None = None
    permalink: str = ""
    comment: bool = False
    handle: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Rule(Part):
    """A thematic break between two parts."""


_CHILDREN: Final[dict[type[Part], Callable[..., tuple[Part, ...]]]] = {
    **dict.fromkeys((Item, Cell, Quote, Callout, Details, Footnote, Post, Figure), attrgetter("parts")),
    List: attrgetter("items"),
    Table: attrgetter("rows"),
    Row: attrgetter("cells"),
    Definitions: attrgetter("entries"),
    Definition: lambda part: (*part.terms, *part.details),
}


def children(part: Part) -> tuple[Part, ...]:
    """Return the parts directly below a part, in order."""
    get = _CHILDREN.get(type(part))
    return () if get is None else get(part)


# What the spans of a paragraph are: blank at the ends, only images, lines of code, stanzas of verse.


def trim(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return spans without line breaks and spaces at either end."""
    start, stop = 0, len(spans)
    while start < stop and _is_blank(spans[start]):
        start += 1
    while start < stop and _is_blank(spans[stop - 1]):
        stop -= 1
    return spans[start:stop]


def _is_blank(span: Span) -> bool:
    return isinstance(span, LineBreak) or (isinstance(span, Text) and span.text == " ")


def only_images(spans: tuple[Span, ...]) -> tuple[Image, ...]:
    """Return the images of a paragraph that has nothing else, without the links around them; else nothing."""
    images: list[Image] = []
    for span in spans:
        for inner in span.spans if isinstance(span, Link) else (span,):
            inside = only_images(inner.spans) if isinstance(inner, Emphasis) else ()
            if isinstance(inner, Image):
                images.append(inner)
            elif inside:
                images += inside
            elif not isinstance(inner, LineBreak) and not (isinstance(inner, Text) and not inner.text.strip()):
                return ()
    return tuple(images)


def is_code_lines(spans: tuple[Span, ...]) -> bool:
    """Tell whether a paragraph is several lines of code and nothing else."""
    has_break = any(isinstance(span, LineBreak) for span in spans)
    return has_break and all(isinstance(span, LineBreak | CodeSpan) for span in spans)


def split_stanzas(spans: tuple[Span, ...]) -> list[tuple[Span, ...]]:
    """Return verse split at blank lines."""
    stanzas: list[list[Span]] = [[]]
    for span in spans:
        if isinstance(span, LineBreak) and (not stanzas[-1] or isinstance(stanzas[-1][-1], LineBreak)):
            if stanzas[-1]:
                stanzas.append([])
            continue
        stanzas[-1].append(span)
    return [stanza for stanza in map(trim, map(tuple, stanzas)) if stanza]


def without_bold(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a heading without ``strong`` around all of them: a heading is bold anyway."""
    only = spans[0] if len(spans) == 1 else None
    return only.spans if isinstance(only, Emphasis) and only.tag == "strong" else spans


# `Document`: the parts of a selection, and the location of each of them in the page.


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
        added: parts of posts, items and captions that were not selected: plain text is without them.
    """

    page: Page
    parts: tuple[Part, ...]
    direction: str = "ltr"
    language: str | None = None
    claims: "tuple[Claim, ...]" = ()
    added: frozenset[Part] = frozenset()

    def __repr__(self) -> str:
        return f"<Document of {len(self.parts)} parts>"

    def __iter__(self) -> Iterator[Part]:
        """Iterate over all parts in document order, outer before inner."""
        return iter(self.in_order)

    @cached_property
    def in_order(self) -> tuple[Part, ...]:
        """All parts in document order, outer before inner."""
        return tuple(parts_in_order(self.parts))

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


def parts_in_order(parts: tuple[Part, ...]) -> list[Part]:
    """Return parts and everything below them in document order, outer before inner."""
    out: list[Part] = []
    stack = list(reversed(parts))
    while stack:
        part = stack.pop()
        check_time()
        out.append(part)
        get = _CHILDREN.get(type(part))
        if get is not None:
            stack.extend(reversed(get(part)))
    return out


def flatten(parts: tuple[Part, ...]) -> tuple[Span, ...]:  # noqa: C901, PLR0912 (one case per part type)
    """Return the spans of parts, for a place that cannot contain parts, such as a caption.

    Each part is on a line of its own; the cells of a table row share one.
    """
    if len(parts) == 1 and isinstance(parts[0], Paragraph):  # most cells
        return parts[0].spans
    out: list[Span] = []
    same_line: set[Part] = set()  # parts that continue the line of the part before: all cells of a row but the first
    for part in parts_in_order(parts):
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
