"""Build a `Document` from the columns of a page and a mask, in one pass over the rows and without recursion.

Rows come in document order. An element without selected text is skipped as a slice. A container stays on a stack
until the row where it ends, and then becomes a part.
"""

from typing import Final
from urllib.parse import unquote

from tamis.document.cards import one_link_per_card, title_rows
from tamis.document.containers import close_container
from tamis.document.detect.invisible import strip_invisible
from tamis.document.detect.plain_text import is_text_only
from tamis.document.detect.posts import PostFacts
from tamis.document.detect.protected_emails import unprotected_url
from tamis.document.document import Document
from tamis.document.findings import Findings
from tamis.document.frames import Frame
from tamis.document.inline import InlineBuilder
from tamis.document.leaves import LeafBuilder
from tamis.document.list_parts import wrap_stray_items
from tamis.document.parts import MAX_DEPTH, Footnote, Paragraph, Part, Rule
from tamis.document.preformatted import plain_text_parts, preformatted_parts
from tamis.document.spans import FormulaSpan, Link, Text
from tamis.document.table_parts import add_empty_cell
from tamis.html import tags
from tamis.html.directions import is_right_to_left
from tamis.html.urls import safe_url
from tamis.page import Page
from tamis.page.deadline import check_time
from tamis.page.sums import Bools

_INLINE_TAGS: Final = {
    tags.IDS[name]: tag
    for names, tag in (
        ("em i dfn var", "em"), ("strong b", "strong"), ("del s strike", "del"), ("ins u", "ins"),
        ("sub", "sub"),
        ("sup", "sup"), ("mark", "mark"), ("q", "q"), ("code kbd samp tt", "code"), ("ruby", "ruby"), ("rt", "rt"),
        ("rp", "rp"),
    )
    for name in names.split()
}  # fmt: skip
_HR, _A = tags.IDS["hr"], tags.IDS["a"]


def build_document(
    page: Page, mask: Bools, url: str | None = None, posts: "dict[int, PostFacts] | None" = None
) -> Document:
    """Build the document of the selected rows of a page. Posts are detected unless the caller gives them.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<h1>Tea</h1><ul><li>green<li>black</ul>")
    >>> [type(part).__name__ for part in build_document(page, page.is_text)]
    ['Heading', 'List', 'Item', 'Paragraph', 'Item', 'Paragraph']
    """
    rows = page.rows_of("html").tolist()
    attributes = page.attributes(rows[0]) if rows else {}
    if page.body:
        attributes = {**attributes, **{k: v for k, v in page.attributes(page.body).items() if k in {"dir", "lang"}}}
    language = (attributes.get("lang") or attributes.get("xml:lang") or "").strip() or None
    direction = attributes.get("dir", "").lower()
    if direction not in {"rtl", "ltr"}:
        direction = "rtl" if language and is_right_to_left(language) else "ltr"
    parts = _Builder(page, Findings(page, mask, url, posts)).run() if mask.any() else ()
    return Document(page, parts, direction, language)


class _Builder(LeafBuilder):
    """Visits the elements of a page."""

    def __init__(self, page: Page, found: Findings) -> None:
        super().__init__(page, found)
        self.card_links: dict[int, tuple[Link, int]] = {}  # by the first row of a title: the link, where it ends

    def run(self) -> tuple[Part, ...]:
        """Visit the rows and return the parts; notes inside the text follow at the end."""
        page = self.page
        if is_text_only(page):
            return plain_text_parts(page, self.found.mask, page.body)
        self._visit(page.body + 1 if page.body else 1, self.found.stop)
        self._close_until(len(page))
        self.end_paragraph()
        parts = wrap_stray_items(page, one_link_per_card(self.containers[0].parts))
        return (*parts, *self._embedded_notes())

    def _visit(self, row: int, stop: int) -> None:
        """Visit rows in order."""
        page, end, wanted_count, notes = self.page, self.page.end, self.found.wanted_count, self.found.notes
        while row < stop:
            check_time()
            self._close_until(row)
            if row in self.card_links:
                link, link_stop = self.card_links[row]
                self.inline.enter("a", link_stop, link)
            if row in notes.references_after:
                self.add_reference(notes.references_after[row], row)
            if row in notes.notes:
                self._open_note(row)
            if row in self.found.covered:
                row += 1
            elif page.is_text[row]:
                self.add_text(row)
                row += 1
            elif row in notes.dropped or row in notes.embedded:
                label = notes.embedded.get(row, "")
                if label and label not in self.found.marked:  # its reference stands where the note does
                    self.add_reference(label, row)
                row = int(end[row])
            elif wanted_count[end[row]] == wanted_count[row]:
                self._skip(row)
                row = int(end[row])
            else:
                row = self._enter(row)

    def _embedded_notes(self) -> list[Part]:
        """Return the notes inside the text, each built from its own rows, and those that are attributes."""
        page = self.page
        out: list[tuple[int, Part]] = []
        embedded, self.found.notes.embedded = self.found.notes.embedded, {}
        for row, label in embedded.items():
            frame = Frame("footnote", row, int(page.end[row]), (label, True))
            self.open_blocks, self.containers, self.inline = [frame], [frame], InlineBuilder()
            self._visit(row + 1, int(page.end[row]))
            self._close_until(int(page.end[row]) - 1)
            self.end_paragraph()
            root = Frame("root", page.body, len(page) + 1)
            while self.open_blocks[-1] is not frame:
                inner = self.open_blocks.pop()
                if inner.role:
                    self.containers.pop()
                    close_container(page, inner, self.containers[-1])
            close_container(page, frame, root)
            out += [(row, part) for part in root.parts]
        for row, (label, text) in self.found.notes.defined.items():
            spans = (Text(strip_invisible(text)),)
            paragraph = Paragraph(element=row, first=row, stop=row + 1, spans=spans)
            out.append((row, Footnote(element=row, first=row, stop=row + 1, label=label, parts=(paragraph,))))
        return [part for _, part in sorted(out, key=lambda entry: entry[0])]

    def _open_note(self, row: int) -> None:
        """Open a note that begins at a row: it takes the place of its element, or is a part of a paragraph."""
        note = self.found.notes.notes[row]
        self.end_paragraph()
        if len(self.containers) <= MAX_DEPTH:
            block = int(self.page.block_ancestor[row])
            element = block if block != row or self.page.end[row] == note.stop else int(self.page.parent[row])
            frame = Frame("footnote", element, note.stop, (note.label, row not in self.found.unselected_notes))
            self.open_blocks.append(frame)
            self.containers.append(frame)

    def _close_until(self, row: int) -> None:
        """Close the elements that end before a row."""
        if self.inline.open:
            self.inline.leave(row)
        while self.open_blocks[-1].end <= row:
            self.end_paragraph()
            frame = self.open_blocks.pop()
            if frame.role:
                self.containers.pop()
                close_container(self.page, frame, self.containers[-1])

    def _skip(self, row: int) -> None:
        """Skip an element without selected text, and keep the text before and after it apart as it was."""
        page, tag, end = self.page, self.page.tag[row], self.page.end[row]
        if tags.CELL[tag] and self.containers[-1].role == "tr":
            add_empty_cell(page, self.containers[-1], row)
        elif self.found.block_count[end] > self.found.block_count[row]:
            self.end_paragraph()
        elif self.found.break_count[end] > self.found.break_count[row]:
            self.add_break(row)
        elif self.found.text_count[end] > self.found.text_count[row] or tags.BLOCK[page.tag[row:end]].any():
            self.inline.space()

    def _enter(self, row: int) -> int:  # noqa: C901 (one case per type of element)
        """Open an element with selected text, or add it as a whole; return the row to continue with."""
        page, tag, end = self.page, int(self.page.tag[row]), int(self.page.end[row])
        if row in self.found.formulas or row in self.found.images or row in self.found.media:
            return self._add_whole(row, end)
        if tag == _HR:
            self.end_paragraph()
            before = self.containers[-1].parts
            if not before or not isinstance(before[-1], Rule):  # what stood between two was left out
                before.append(Rule(element=row, first=row, stop=row + 1))
            return end
        if tags.PRE[tag] or row in self.found.code.blocks:
            parts = preformatted_parts(page, self.found.mask, row, self.found.code)
            if parts is not None:
                self.end_paragraph()
                self.containers[-1].parts.extend(parts)
                return end
        if tags.BLOCK[tag] and self.open_blocks[-1].row == row and self.open_blocks[-1].end == end:
            return row + 1  # a note: its frame is open
        if tags.BLOCK[tag] or row in self.found.frames:
            self.end_paragraph()
            frame = self.found.frames.open(row, self.containers)
            self.open_blocks.append(frame)
            if frame.role:
                self.containers.append(frame)
        elif tag in _INLINE_TAGS:
            self.inline.enter(_INLINE_TAGS[tag], end)
        elif tag == _A:
            self._enter_link(row, end)
        if tag != _A and row in self.found.notes.references:
            self.inline.enter("a", end, self.reference(self.found.notes.references[row]))
        return row + 1

    def _add_whole(self, row: int, end: int) -> int:
        """Add a formula, an image or a medium; return the row to continue with."""
        if row in self.found.formulas:
            formula = self.found.formulas[row]
            self.add_formula(FormulaSpan(formula.tex, bool(formula.display)), row, formula.stop, row)
            return formula.stop
        if row in self.found.images:
            self.inline.span(self.found.images[row], row, self.open_blocks[-1].row)
            return end
        self.add_media(row, end)
        return row + 1 if self.found.mask[row:end].any() else end  # an ``object`` may hold text

    def _enter_link(self, row: int, end: int) -> None:
        attributes = self.page.attributes(row)
        href = unprotected_url((attributes.get("href") or "").strip(), attributes.get("data-cfemail"))
        url = safe_url(href, self.found.base) if href.strip("#!") else None  # "#" and "#!" belong to buttons
        if row in self.found.notes.references:
            self.inline.enter("a", end, self.reference(self.found.notes.references[row]))
        elif row in self.found.notes.backlinks:
            self.inline.enter("a", end, Link(href, (), "backlink", self.found.notes.backlinks[row]))
        elif url and not self._is_permalink(row, href):
            title = (
                title_rows(self.page, self.found.mask, row)
                if self.found.block_count[end] > self.found.block_count[row]
                else None
            )
            if title is None:
                self.inline.enter("a", end, Link(url, ()))
            else:
                self.card_links[title[0]] = (Link(url, ()), title[1])

    def _is_permalink(self, link: int, href: str) -> bool:
        """Tell whether a link in a heading leads to that heading, or to its entry in the contents."""
        frame = self.containers[-1]
        if frame.role != "heading" or not href.startswith("#"):
            return False
        if "toc-backref" in self.page.attributes(link).get("class", ""):  # of docutils: back to the contents
            return True
        rows = (int(self.page.parent[frame.row]), *range(frame.row, link))
        ids = {self.page.attributes(row).get("id") for row in rows if self.page.is_element[row]}
        return href[1:] in ids or _letters(unquote(href)) == _letters(self.page.row_text(frame.row))


def _letters(text: str) -> str:
    """Return the letters and digits of a text, by which a fragment and its heading are compared."""
    return "".join(char for char in text.lower() if char.isalnum())
