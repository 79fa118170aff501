"""The block-level elements that are open while a document is built, and what each will become."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from tamis.document.detectors.post_parts import PostFacts
from tamis.document.detectors.roles import CalloutFacts
from tamis.document.detectors.table import Findings
from tamis.document.parts import (
    BYLINE_SEPARATOR,
    MAX_DEPTH,
    Part,
    Span,
)
from tamis.html import tags
from tamis.html.text import safe_url
from tamis.page.tables import cell_span

NAMES: Final = {
    tags.IDS[name]: role_name
    for names, role_name in (
        ("ul menu dir", "ul"), ("ol", "ol"), ("li", "li"), ("dl", "dl"), ("dt", "dt"), ("dd", "dd"),
        ("blockquote", "quote"), ("details", "details"), ("figure", "figure"),
        ("figcaption caption summary", "caption"),
        ("h1 h2 h3 h4 h5 h6", "heading"), ("table", "table"), ("tr", "tr"), ("td", "td"), ("th", "th"),
    )
    for name in names.split()
}  # fmt: skip
_MAX_DIGITS: Final = 9  #: of the number of a list item, by CommonMark

_MAX_SUMMARY_ROWS: Final = 10  #: from a ``details`` to its ``summary``


# What an open element will become. An element without a role only ends paragraphs.


@dataclass(frozen=True, slots=True)
class RootRole:
    """The whole document."""


@dataclass(frozen=True, slots=True)
class HeadingRole:
    """A heading of a level."""

    level: int


@dataclass(frozen=True, slots=True)
class ListRole:
    """A list; the items of an ordered one are numbered from `start` on."""

    ordered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True)
class ItemRole:
    """An item of a list, a term or a detail: ``li``, ``dt`` or ``dd``; or the card of a listing."""

    tag: str


@dataclass(frozen=True, slots=True)
class DefinitionsRole:
    """A definition list."""


@dataclass(frozen=True, slots=True)
class QuoteRole:
    """A quotation, and the URL of its source."""

    cite: str = ""


@dataclass(frozen=True, slots=True)
class CalloutRole:
    """A callout."""

    facts: CalloutFacts


@dataclass(frozen=True, slots=True)
class DetailsRole:
    """A ``details`` with its summary."""


@dataclass(frozen=True, slots=True)
class FigureRole:
    """A figure: a ``figure`` element, or a captioned box and the row of its caption."""

    caption_row: int = -1


@dataclass(frozen=True, slots=True)
class CaptionRole:
    """A caption, a summary or the title of a callout."""


@dataclass(frozen=True, slots=True)
class TableRole:
    """A data table."""


@dataclass(frozen=True, slots=True)
class RowRole:
    """A row of a data table."""

    header: bool = False


@dataclass(frozen=True, slots=True)
class CellRole:
    """A cell of a data table."""

    header: bool = False
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class PostRole:
    """A post of a thread, what the page shows of its author and date, and its URL."""

    facts: PostFacts
    byline: str = ""
    permalink: str = ""


@dataclass(frozen=True, slots=True)
class NoteRole:
    """A footnote: its label, and whether it is selected text."""

    label: str
    selected: bool = True


Role = (
    RootRole | HeadingRole | ListRole | ItemRole | DefinitionsRole | QuoteRole | CalloutRole | DetailsRole
    | FigureRole | CaptionRole | TableRole | RowRole | CellRole | PostRole | NoteRole
)  # fmt: skip


@dataclass(slots=True)
class OpenBlock:
    """An open element.

    Attributes:
        role: the container that it will become; None for an element that only ends paragraphs.
        row: its row.
        end: the row after its subtree.
        parts: the parts that it contains so far.
        caption: its caption, once that is complete.
        caption_selected: whether the caption is selected text.
        last_pre: the last element in it with lines of its own, 0 for none; -1 as long as nobody has asked.
    """

    role: Role | None
    row: int
    end: int
    parts: list[Part] = field(default_factory=list)
    caption: Sequence[Span] = ()
    caption_selected: bool = True
    last_pre: int = -1


_LATEXML_SPAN: Final = re.compile(r"\bltx_(col|row)span_(\d{1,3})\b")


class BlockOpener:
    """Opens block-level elements. It knows which of them the detectors found to be posts, figures and tables."""

    def __init__(self, found: Findings) -> None:
        self.page, self.found = found.page, found
        self.callout_titles = frozenset(facts.title for facts in found.callouts.values())
        self.quotes = found.thread.quotes if found.thread else frozenset()
        self.rows: frozenset[int] = frozenset().union(
            found.posts,
            self.quotes,
            found.boxes,
            found.callouts,
            self.callout_titles,
            found.headings,
            found.aria_tables,
            found.items,
        )

    def __contains__(self, row: int) -> bool:
        """Tell whether a detector found an element to be a container, whatever its tag."""
        return row in self.rows

    def open(self, row: int, containers: list[OpenBlock]) -> OpenBlock:
        """Return a block-level element, opened inside the containers that are open."""
        outer = containers[-1]
        role = self._role(row, outer) if len(containers) <= MAX_DEPTH else None
        block = OpenBlock(role, row, int(self.page.end[row]))
        if row in self.found.captions:
            if isinstance(role, FigureRole):
                block.caption_selected = False
            elif isinstance(role, CaptionRole) and isinstance(outer.role, FigureRole):
                outer.caption_selected = False
        return block

    def _role(self, row: int, outer: OpenBlock) -> Role | None:  # noqa: C901, PLR0911, PLR0912 (one return per role)
        page = self.page
        name = NAMES.get(int(page.tag[row]), "")
        if row not in self.rows and (not name or name in _PLAIN_ROLES):  # most elements
            return _PLAIN_ROLES.get(name)
        name = self.found.aria_tables.get(row) or name
        if row in self.found.posts:
            return PostRole(self.found.posts[row], self._byline(row), self._permalink(row))
        if row in self.quotes:
            return QuoteRole("")
        if row in self.found.items:
            return ItemRole("card")
        if row in self.found.boxes:
            return FigureRole(self.found.captioned_boxes[row])
        if row in self.found.callouts:
            return CalloutRole(self.found.callouts[row])
        if row in self.callout_titles:
            return CaptionRole()
        if row in self.found.headings and not name and not isinstance(outer.role, HeadingRole | CellRole):
            return HeadingRole(self.found.headings[row])
        match name:
            case "table":
                return TableRole() if row in self.found.tables else None
            case "tr":
                return RowRole(row in self.found.header_rows) if isinstance(outer.role, TableRole) else None
            case "td" | "th":
                if not isinstance(outer.role, RowRole):
                    return None
                return CellRole(name == "th", *self.spans.get(row, (1, 1)))
            case "li" | "dt" | "dd":
                return None if isinstance(outer.role, NoteRole) else ItemRole(name)
            case "details":
                return None if self._has_heading(row) else DetailsRole()
            case "quote" if self.found.thread and row in self.found.thread.bodies:
                return None
            case "quote":
                cite = page.attributes(row).get("cite")
                return QuoteRole((safe_url(cite, self.found.base) if cite else None) or "")
            case "ol":
                start = page.attributes(row).get("start", "") or self._first_value(row)
                is_number = start.isascii() and start.isdigit() and len(start) < _MAX_DIGITS
                return ListRole(ordered=True, start=int(start) if is_number else 1)
            case "heading" if isinstance(outer.role, NoteRole):
                return None  # the number of a note, as Texinfo writes it
            case "heading":
                return HeadingRole(int(page.tag_name(row)[1]))
            case _:
                return _PLAIN_ROLES.get(name)

    @cached_property
    def spans(self) -> dict[int, tuple[int, int]]:
        """The columns and rows of each cell that declares them: most declare neither."""
        rows = np.flatnonzero(tags.CELL[self.page.tag]).tolist()
        values = zip(rows, self.page.attribute_table(rows, ("colspan", "rowspan")), strict=True)
        declared = [(row, columns, spanned) for row, (columns, spanned) in values if columns or spanned]
        for row, name in self.found.aria_tables.items():
            if name in {"td", "th"}:
                attributes = self.page.attributes(row)
                latexml = _LATEXML_SPAN.findall(attributes.get("class", ""))
                columns, spanned = (
                    dict(latexml).get(side) or attributes.get(f"aria-{side}span") for side in ("col", "row")
                )
                declared += [(row, columns, spanned)] if columns or spanned else []
        return {row: (cell_span(columns), cell_span(spanned)) for row, columns, spanned in declared}

    def _first_value(self, row: int) -> str:
        """Return the number that the first item of a list declares, or an empty string."""
        page, first, end = self.page, row + 1, int(self.page.end[row])
        while first < end and not page.is_element[first]:
            first += 1
        is_item = first < end and page.tag[first] == tags.IDS["li"]
        return (page.attribute_of(first, "value") or "").strip() if is_item else ""

    def _byline(self, row: int) -> str:
        """Return what the page shows of the author and the date of a post, if that is selected."""
        facts, page = self.found.posts[row], self.page
        rows = sorted(k for k in (facts.author_row, facts.date_row) if k > 0)
        shown = [t for k in rows for t in range(k, int(page.end[k])) if self.found.bylines[t]]
        texts = (page.collapsed_text(t).strip() for t in dict.fromkeys(shown))
        return BYLINE_SEPARATOR.join(text for text in texts if text)

    def _permalink(self, row: int) -> str:
        href = self.found.posts[row].permalink
        return (safe_url(href, self.found.base) if href else None) or ""

    def _has_heading(self, row: int) -> bool:
        """Tell whether the summary of a ``details`` is a heading: it stays one, as in lists of questions."""
        page = self.page
        stop = min(int(page.end[row]), row + _MAX_SUMMARY_ROWS)
        summary = next((k for k in range(row + 1, stop) if page.tag[k] == tags.IDS["summary"]), row)
        return summary != row and bool(tags.HEADING[page.tag[summary : page.end[summary]]].any())


_PLAIN_ROLES: Final[dict[str, Role]] = {
    "ul": ListRole(), "dl": DefinitionsRole(), "figure": FigureRole(), "caption": CaptionRole(),
}  # fmt: skip
