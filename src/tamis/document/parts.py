"""The typed parts of a document: headings, paragraphs, lists, tables and all the others.

A part remembers the rows of the page that it was made from; `Document.place` turns them into an XPath and source
offsets. Parts have identity, so a renderer can say where each of them stands in its output. They nest at most
`DEEPEST` levels: what a page nests deeper is there, but flat.
"""

from dataclasses import dataclass
from typing import Final

from tamis.document.spans import Image, Span

DEEPEST: Final = 24  #: levels; real pages stay far below, and renderers may follow the tree without counting


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Part:
    """What all parts have.

    Attributes:
        element: the row of the element that the part stands for, or that holds it.
        first: the first row of the page that is in it.
        stop: the row after the last.
    """

    element: int
    first: int
    stop: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Paragraph(Part):
    """Lines of text; of `verse`, the lines are as the author set them."""

    spans: tuple[Span, ...]
    verse: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Heading(Part):
    """A heading, of level 1 to 6."""

    level: int
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Item(Part):
    """An item of a list, or a term or detail of a definition."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class List(Part):
    """Items, with numbers from `start` on where they are `ordered`."""

    items: tuple[Item, ...]
    ordered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Cell(Part):
    """A cell of a table, over so many `columns` and `rows`."""

    parts: tuple[Part, ...]
    header: bool = False
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Row(Part):
    """A row of a table; a `header` row names the columns."""

    cells: tuple[Cell, ...]
    header: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Table(Part):
    """A table of data. Tables that only lay out a page leave no trace."""

    rows: tuple[Row, ...]
    caption: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Code(Part):
    """A block of code with its white space, and its language where the page says."""

    text: str
    language: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Quote(Part):
    """Someone else's words."""

    parts: tuple[Part, ...]
    cite: str = ""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Figure(Part):
    """Pictures, or parts that a figure holds, with a caption."""

    images: tuple[Image, ...]
    parts: tuple[Part, ...] = ()
    caption: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Formula(Part):
    """A formula on a line of its own, as TeX."""

    tex: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Footnote(Part):
    """A note that the text refers to by its label."""

    label: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Definition(Part):
    """Terms, and what they mean."""

    terms: tuple[Item, ...]
    details: tuple[Item, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Definitions(Part):
    """A list of definitions."""

    entries: tuple[Definition, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Post(Part):
    """What one person wrote in a thread; `level` 0 opens it, an answer to a post stands one deeper."""

    parts: tuple[Part, ...]
    author: str | None = None
    date: str | None = None
    level: int = 0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Rule(Part):
    """A line between two parts."""


def children(part: Part) -> tuple[Part, ...]:  # noqa: PLR0911 (one line a kind)
    """Return the parts directly below one, in order."""
    match part:
        case Item() | Cell() | Quote() | Footnote() | Post() | Figure():
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
