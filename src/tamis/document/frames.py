"""Frames: the block-level elements that are open while a document is built, and what each will be."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tamis.document.detect.posts import PostFacts
from tamis.document.detect.tables import data_tables, header_rows, spanned
from tamis.document.parts import DEEPEST, Part
from tamis.document.spans import Span
from tamis.html import tags
from tamis.html.urls import safe_url
from tamis.page import Page

_KINDS: Final = {
    tags.IDS[name]: kind
    for names, kind in (
        ("ul menu dir", "ul"), ("ol", "ol"), ("li", "li"), ("dl", "dl"), ("dt", "dt"), ("dd", "dd"),
        ("blockquote", "quote"), ("figure", "figure"), ("figcaption caption", "caption"),
        ("h1 h2 h3 h4 h5 h6", "heading"), ("table", "table"), ("tr", "tr"), ("td", "td"), ("th", "th"),
    )
    for name in names.split()
}  # fmt: skip
BOX: Final = "box"  #: a figure in all but name
_DIGITS: Final = 9  #: of the number of an item: CommonMark's limit


@dataclass(slots=True)
class Frame:
    """An element that is open.

    Attributes:
        kind: what it will be; ``""`` only ends paragraphs.
        row: its row.
        end: where it ends.
        data: what is known of it already.
        parts: what it holds so far.
        caption: its caption, once that has ended.
    """

    kind: str
    row: int
    end: int
    data: Any = None
    parts: list[Part] = field(default_factory=list)
    caption: tuple[Span, ...] = ()


class Frames:
    """What opens frames: it knows what the elements of a page are beside what their tags say."""

    def __init__(
        self,
        page: Page,
        base: str | None,
        posts: Mapping[int, PostFacts],
        notes: Mapping[int, str],
        boxes: frozenset[int],
    ) -> None:
        self.page, self.base = page, base
        self.posts, self.notes, self.boxes = posts, notes, boxes
        self.tables = data_tables(page)
        self.heads = header_rows(page)

    def open(self, row: int, held: list[Frame]) -> Frame:  # noqa: PLR0911 (one line a kind)
        """Return the frame of a block-level element: a container, or one that only ends paragraphs."""
        page, end = self.page, int(self.page.end[row])
        kind = _KINDS.get(int(page.tag[row]), "")
        if len(held) > DEEPEST:
            return Frame("", row, end)
        if row in self.posts:
            return Frame("post", row, end, self.posts[row])
        if row in self.notes:
            return Frame("note", row, end, self.notes[row])
        if row in self.boxes:
            return Frame("figure", row, end, BOX)
        if kind == "table" and row not in self.tables:
            return Frame("", row, end)
        if kind in {"tr", "td", "th"}:
            return self._of_table(kind, row, end, held[-1].kind)
        if kind == "quote":
            cite = page.attributes(row).get("cite")
            return Frame(kind, row, end, (safe_url(cite, self.base) if cite else None) or "")
        if kind == "ol":
            start = page.attributes(row).get("start", "")
            return Frame(
                kind, row, end, int(start) if start.isascii() and start.isdigit() and len(start) < _DIGITS else 1
            )
        return Frame(kind, row, end)

    def _of_table(self, kind: str, row: int, end: int, outer: str) -> Frame:
        """Return the frame of a row or cell, if it stands in a table of data."""
        if kind == "tr" and outer == "table":
            return Frame(kind, row, end, row in self.heads)
        if kind != "tr" and outer == "tr":
            given = self.page.attributes(row)
            return Frame(kind, row, end, (spanned(given.get("colspan")), spanned(given.get("rowspan"))))
        return Frame("", row, end)
