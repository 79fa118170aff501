"""The parts of a document: headings, paragraphs, lists, tables and others.

A part keeps the rows of the page that it was made from; `Document.locate` turns them into an XPath and source
offsets. Parts are compared by identity, so that a writer can record where each of them is in its output. They nest at
most `MAX_DEPTH` levels deep; what a page nests deeper is kept without its nesting.
"""

from dataclasses import dataclass
from typing import Final

from tamis.document.spans import Image, Span

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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Post(Part):
    """A post of a thread. The opening post has `level` 0, the reply to a post one more than that post."""

    parts: tuple[Part, ...]
    author: str | None = None
    date: str | None = None
    level: int = 0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Rule(Part):
    """A thematic break between two parts."""


def children(part: Part) -> tuple[Part, ...]:  # noqa: PLR0911 (one case per part type)
    """Return the parts directly below a part, in order."""
    match part:
        case Item() | Cell() | Quote() | Callout() | Details() | Footnote() | Post() | Figure():
            return part.parts
        case List():
            return part.items
        case Table():
            return part.rows
        case Row():
            return part.cells
        case Definitions():
            return part.entries
        case Definition():
            return (*part.terms, *part.details)
        case _:
            return ()
