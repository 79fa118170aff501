"""Frames: the block-level elements that are open while a document is built, and the part that each will become."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tamis.document.detect.aria_tables import find_aria_tables
from tamis.document.detect.callouts import CalloutFacts
from tamis.document.detect.posts import PostFacts
from tamis.document.detect.tables import cell_span, data_tables, header_rows
from tamis.document.parts import MAX_DEPTH, Part
from tamis.document.spans import Span
from tamis.html import tags
from tamis.html.urls import safe_url
from tamis.page import Page

_ROLES: Final = {
    tags.IDS[name]: role
    for names, role in (
        ("ul menu dir", "ul"), ("ol", "ol"), ("li", "li"), ("dl", "dl"), ("dt", "dt"), ("dd", "dd"),
        ("blockquote", "quote"), ("details", "details"), ("figure", "figure"),
        ("figcaption caption summary", "caption"),
        ("h1 h2 h3 h4 h5 h6", "heading"), ("table", "table"), ("tr", "tr"), ("td", "td"), ("th", "th"),
    )
    for name in names.split()
}  # fmt: skip
CAPTIONED_BOX: Final = "captioned box"  #: the data of a figure that is no ``figure`` element
_MAX_DIGITS: Final = 9  #: of the number of a list item, by CommonMark

_DEFAULT_LEVEL: Final = 2  #: of an element with the role of a heading, by WAI-ARIA
_MAX_SUMMARY_ROWS: Final = 10  #: from a ``details`` to its ``summary``


@dataclass(slots=True)
class Frame:
    """An open element.

    Attributes:
        role: the container that it will become; ``""`` for an element that only ends paragraphs.
        row: its row.
        end: the row after its subtree.
        data: what is known about it when it opens; the type depends on the role.
        parts: the parts that it contains so far.
        caption: its caption, once that is complete.
        caption_selected: whether the caption is selected text.
    """

    role: str
    row: int
    end: int
    data: Any = None
    parts: list[Part] = field(default_factory=list)
    caption: tuple[Span, ...] = ()
    caption_selected: bool = True


class FrameFactory:
    """Opens frames. It knows which elements the detectors found to be posts, figures and data tables."""

    def __init__(
        self,
        page: Page,
        base: str | None,
        posts: Mapping[int, PostFacts],
        captioned_boxes: frozenset[int],
        callouts: Mapping[int, CalloutFacts],
        unselected_captions: frozenset[int] = frozenset(),
    ) -> None:
        self.page, self.base = page, base
        self.posts, self.captioned_boxes = posts, captioned_boxes
        self.callouts, self.unselected_captions = callouts, unselected_captions
        self.callout_titles = frozenset(facts.title for facts in callouts.values())
        roles = page.attribute("role")
        self.headings = _aria_headings(page, roles)
        self.aria_tables = find_aria_tables(page, roles)
        self.tables = data_tables(page) | {row for row, role in self.aria_tables.items() if role == "table"}
        self.header_rows = header_rows(page)

    def __contains__(self, row: int) -> bool:
        """Tell whether a detector found an element to be a container, whatever its tag."""
        sets = (
            self.posts,
            self.captioned_boxes,
            self.callouts,
            self.callout_titles,
            self.headings,
            self.aria_tables,
        )
        return any(row in rows for rows in sets)

    def open(self, row: int, containers: list[Frame]) -> Frame:  # noqa: C901, PLR0911, PLR0912 (one return per role)
        """Return the frame of a block-level element inside the containers that are open."""
        page, end = self.page, int(self.page.end[row])
        role = self.aria_tables.get(row) or _ROLES.get(int(page.tag[row]), "")
        if len(containers) > MAX_DEPTH:
            return Frame("", row, end)
        if row in self.posts:
            return Frame("post", row, end, self.posts[row])
        if row in self.captioned_boxes:
            return Frame("figure", row, end, CAPTIONED_BOX, caption_selected=row not in self.unselected_captions)
        if row in self.callouts:
            return Frame("callout", row, end, self.callouts[row])
        if row in self.callout_titles or (role == "caption" and containers[-1].role == "details"):
            return Frame("caption", row, end)
        if role == "caption" and row in self.unselected_captions and containers[-1].role == "figure":
            containers[-1].caption_selected = False
        if row in self.headings and not role and containers[-1].role not in {"heading", "td", "th"}:
            return Frame("heading", row, end, self.headings[row])
        if role == "table" and row not in self.tables:
            return Frame("", row, end)
        if role in {"li", "dt", "dd"} and containers[-1].role == "footnote":
            return Frame("", row, end)
        if role in {"tr", "td", "th"}:
            return self._open_in_table(role, row, end, containers[-1].role)
        if role == "details" and self._has_heading(row):
            return Frame("", row, end)
        if role == "quote":
            cite = page.attributes(row).get("cite")
            return Frame(role, row, end, (safe_url(cite, self.base) if cite else None) or "")
        if role == "ol":
            start = page.attributes(row).get("start", "")
            is_number = start.isascii() and start.isdigit() and len(start) < _MAX_DIGITS
            return Frame(role, row, end, int(start) if is_number else 1)
        return Frame(role, row, end)

    def _has_heading(self, row: int) -> bool:
        """Tell whether the summary of a ``details`` is a heading: it stays one, as in lists of questions."""
        page = self.page
        stop = min(int(page.end[row]), row + _MAX_SUMMARY_ROWS)
        summary = next((k for k in range(row + 1, stop) if page.tag[k] == tags.IDS["summary"]), row)
        return summary != row and bool(tags.HEADING[page.tag[summary : page.end[summary]]].any())

    def _open_in_table(self, role: str, row: int, end: int, container: str) -> Frame:
        """Return the frame of a table row or cell; outside of a data table it only ends paragraphs."""
        if role == "tr" and container == "table":
            return Frame(role, row, end, row in self.header_rows)
        if role != "tr" and container == "tr":
            attributes = self.page.attributes(row)
            spans = (cell_span(attributes.get("colspan")), cell_span(attributes.get("rowspan")))
            return Frame(role, row, end, spans)
        return Frame("", row, end)


def _aria_headings(page: Page, roles: Mapping[int, str]) -> dict[int, int]:
    """Return the levels of elements that are headings by their role and contain no other block."""
    out = {}
    for row, role in roles.items():
        if role != "heading" or tags.HEADING[page.tag[row]] or tags.BLOCK[page.tag[row + 1 : page.end[row]]].any():
            continue
        level = page.attributes(row).get("aria-level", "")
        out[row] = int(level) if level in set("123456") else _DEFAULT_LEVEL
    return out
