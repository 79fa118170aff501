"""Build a `Document` from the columns of a page and a mask, in one pass over the rows and without recursion.

Rows come in document order. An element without selected text is skipped as a slice. A container stays on a stack
until the row where it ends, and then becomes a part.
"""

from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.document.breaks import break_meaning, line_after
from tamis.document.cards import join_links, one_link_per_card, title_rows
from tamis.document.containers import add_empty_cell, close_container, wrap_stray_items
from tamis.document.detect.anchors import without_anchors
from tamis.document.detect.callouts import find_callouts
from tamis.document.detect.captions import find_captioned_boxes
from tamis.document.detect.code_blocks import find_code_blocks
from tamis.document.detect.formulas.content import content_formulas
from tamis.document.detect.images import find_images
from tamis.document.detect.invisible import strip_invisible
from tamis.document.detect.media import find_media
from tamis.document.detect.notes.find import find_notes
from tamis.document.detect.plain_text import is_text_only
from tamis.document.detect.posts import PostFacts, find_posts
from tamis.document.detect.protected_emails import protected_emails, unprotected_url
from tamis.document.document import Document
from tamis.document.frames import Frame, FrameFactory
from tamis.document.inline import InlineBuilder, is_code_lines, only_images, split_stanzas
from tamis.document.inserts import Insert, formula_inserts, note_inserts
from tamis.document.parts import MAX_DEPTH, Code, Figure, Footnote, Formula, Paragraph, Part, Rule
from tamis.document.preformatted import plain_text_parts, preformatted_parts
from tamis.document.spans import Emphasis, FormulaSpan, Link, Span, Text, plain_text
from tamis.html import tags
from tamis.html.urls import safe_url
from tamis.page import Page
from tamis.page.base_url import base_url
from tamis.page.sums import Bools, prefix_sums

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
_BR, _HR, _A = tags.IDS["br"], tags.IDS["hr"], tags.IDS["a"]
_ONE_PARAGRAPH: Final = frozenset({"heading", "caption", "td", "th", "dt"})  #: roles without paragraphs inside
_LINES_ONLY: Final = frozenset({"heading", "caption"})  #: containers of text, in which a formula stays in its line
_RTL_LANGUAGES: Final = frozenset({"ar", "fa", "he", "ur", "yi", "ps", "sd", "ug", "dv", "ckb"})


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
        direction = "rtl" if language and language.split("-")[0].lower() in _RTL_LANGUAGES else "ltr"
    parts = _Builder(page, mask, url, posts).run() if mask.any() else ()
    return Document(page, parts, direction, language)


class _Builder:
    """The state of the pass."""

    def __init__(self, page: Page, mask: Bools, url: str | None, posts: "dict[int, PostFacts] | None") -> None:
        self.page, self.base = page, base_url(page, url)
        root = Frame("root", page.body, len(page) + 1)
        self.open_blocks = [root]  # all block-level elements that are open
        self.containers = [root]  # those of them that contain parts
        self.inline = InlineBuilder()
        self.emails = protected_emails(page)
        self.card_links: dict[int, tuple[Link, int]] = {}  # by the first row of a title: the link, where it ends
        self.referenced: set[str] = set()  # labels of the notes that were referred to
        mask = without_anchors(page, mask)
        self.notes = find_notes(page, mask, self.base)
        # Comments keep no notes: those belong to the content.
        self.mask = self.notes.kept_with(page, mask) if posts is None else mask
        self.hidden = self._shown_notes()
        formulas = content_formulas(page, self.mask)
        captioned_boxes = find_captioned_boxes(page)
        images = find_images(page, self.mask, self.base, captioned_boxes)
        self.formulas = formulas.elements
        self.images = {row: image for row, image in images.items() if row not in self.formulas}
        self.media = find_media(page, self.mask, self.base, url, captioned_boxes)
        self.inserts, self.covered = formula_inserts(page, formulas.delimited)
        note_inserts(self.inserts, self.notes)
        self.marked = frozenset(self.notes.references.values())  # labels of notes whose reference is an element
        self.posts = find_posts(page) if posts is None else posts
        callouts = find_callouts(page, self.mask)
        boxes = frozenset(box for box in captioned_boxes if any(box < row < page.end[box] for row in self.images))
        self.frames = FrameFactory(page, self.base, self.posts, boxes, callouts)
        self.code = find_code_blocks(page, self.mask)
        visible = self.hidden == 0
        self.text_count = prefix_sums(page.is_text & visible & (page.offset[1:] > page.offset[:-1]))
        self.shown_count = prefix_sums(page.shown)
        self.block_count = prefix_sums(tags.BLOCK[page.tag] & visible)
        self.break_count = prefix_sums((page.tag == _BR) & visible)
        wanted = self.mask.copy()
        wanted[[*self.images, *self.formulas, *self.media, *self.inserts]] = True
        first, self.stop = int(np.argmax(wanted)), len(wanted) - int(np.argmax(wanted[::-1]))
        rules = page.rows_of("hr")
        wanted[rules[(rules > first) & (rules < self.stop)]] = True
        wanted[list(self.notes.rules)] = False
        self.wanted_count = prefix_sums(wanted)

    def run(self) -> tuple[Part, ...]:
        """Visit the rows and return the parts; notes inside the text follow at the end."""
        page = self.page
        if is_text_only(page):
            return plain_text_parts(page, self.mask, page.body)
        self._visit(page.body + 1 if page.body else 1, self.stop)
        self._close_until(len(page))
        self._end_paragraph()
        parts = wrap_stray_items(page, one_link_per_card(self.containers[0].parts))
        return (*parts, *self._embedded_notes())

    def _visit(self, row: int, stop: int) -> None:
        """Visit rows in order."""
        page, end, wanted_count, notes = self.page, self.page.end, self.wanted_count, self.notes
        while row < stop:
            self._close_until(row)
            if row in self.card_links:
                link, link_stop = self.card_links[row]
                self.inline.enter("a", link_stop, link)
            if row in notes.references_after:
                self._add_reference(notes.references_after[row], row)
            if row in notes.notes:
                self._open_note(row)
            if row in self.covered:
                row += 1
            elif page.is_text[row]:
                self._add_text(row)
                row += 1
            elif row in notes.dropped or row in notes.embedded:
                label = notes.embedded.get(row, "")
                if label and label not in self.marked:  # its reference stands where the note does
                    self._add_reference(label, row)
                row = int(end[row])
            elif wanted_count[end[row]] == wanted_count[row]:
                self._skip(row)
                row = int(end[row])
            else:
                row = self._enter(row)

    def _shown_notes(self) -> npt.NDArray[np.uint8]:
        """Add the notes inside the text to the mask, and return what stays hidden: they may be, until one asks."""
        if not self.notes.embedded:
            return self.page.hidden
        hidden, self.mask = self.page.hidden.copy(), self.mask.copy()
        for row in self.notes.embedded:
            end = int(self.page.end[row])
            hidden[row:end] = 0
            self.mask[row:end] |= self.page.is_text[row:end] & (self.page.nonspace[row:end] > 0)
        return hidden

    def _embedded_notes(self) -> list[Part]:
        """Return the notes inside the text, each built from its own rows, and those that are attributes."""
        page = self.page
        out: list[tuple[int, Part]] = []
        embedded, self.notes.embedded = self.notes.embedded, {}
        for row, label in embedded.items():
            frame = Frame("footnote", row, int(page.end[row]), label)
            self.open_blocks, self.containers, self.inline = [frame], [frame], InlineBuilder()
            self._visit(row + 1, int(page.end[row]))
            self._close_until(int(page.end[row]) - 1)
            self._end_paragraph()
            root = Frame("root", page.body, len(page) + 1)
            while self.open_blocks[-1] is not frame:
                inner = self.open_blocks.pop()
                if inner.role:
                    self.containers.pop()
                    close_container(page, inner, self.containers[-1])
            close_container(page, frame, root)
            out += [(row, part) for part in root.parts]
        for row, (label, text) in self.notes.defined.items():
            spans = (Text(strip_invisible(text)),)
            paragraph = Paragraph(element=row, first=row, stop=row + 1, spans=spans)
            out.append((row, Footnote(element=row, first=row, stop=row + 1, label=label, parts=(paragraph,))))
        return [part for _, part in sorted(out, key=lambda entry: entry[0])]

    def _open_note(self, row: int) -> None:
        """Open a note that begins at a row: it takes the place of its element, or is a part of a paragraph."""
        note = self.notes.notes[row]
        self._end_paragraph()
        if len(self.containers) <= MAX_DEPTH:
            block = int(self.page.block_ancestor[row])
            element = block if block != row or self.page.end[row] == note.stop else int(self.page.parent[row])
            frame = Frame("footnote", element, note.stop, note.label)
            self.open_blocks.append(frame)
            self.containers.append(frame)

    def _reference(self, label: str, spans: tuple[Span, ...] = ()) -> Link:
        """Return the link of a reference. The backlink of the note leads to the first of them."""
        is_first = label not in self.referenced
        self.referenced.add(label)
        return Link(f"#{label}" if is_first else "", spans, "noteref", label)

    def _add_reference(self, label: str, row: int) -> None:
        """Add a reference that the page leaves to a style sheet or a script."""
        self.inline.span(Emphasis("sup", (self._reference(label, (Text(label),)),)), row, self.open_blocks[-1].row)

    def _close_until(self, row: int) -> None:
        """Close the elements that end before a row."""
        if self.inline.open:
            self.inline.leave(row)
        while self.open_blocks[-1].end <= row:
            self._end_paragraph()
            frame = self.open_blocks.pop()
            if frame.role:
                self.containers.pop()
                close_container(self.page, frame, self.containers[-1])

    def _add_text(self, row: int) -> None:
        page = self.page
        if self.hidden[row] or row in self.code.dropped or page.offset[row] == page.offset[row + 1]:
            return
        if row in self.inserts:
            self._add_with_inserts(row, self.inserts[row])
        elif not self.mask[row]:
            self.inline.space()  # white space, or a row that is not selected: it keeps the words around it apart
        elif page.pre[row]:
            self.inline.lines(page.row_text(row), row, self.open_blocks[-1].row)
        else:
            self.inline.text(self.emails.get(row, page.row_text(row)), row, self.open_blocks[-1].row)

    def _add_with_inserts(self, row: int, inserts: list[Insert]) -> None:
        """Add a text row in which formulas, references and marks take the place of some characters."""
        page, container = self.page, self.open_blocks[-1].row
        position, end = int(page.offset[row]), int(page.offset[row + 1])
        for insert in inserts:
            if self.mask[row] and insert.start > position:
                self.inline.text(page.text[position : insert.start], row, container)
            position = max(position, insert.stop)
            span = insert.span
            if isinstance(span, FormulaSpan):
                self._add_formula(span, row, insert.rows_stop, container)
            elif isinstance(span, Text):
                self.inline.span(span, row, container)
            elif span is not None and self.mask[row]:
                text = " ".join(page.text[insert.start : insert.stop].split())
                role_spans = (Text(text),)
                link = (
                    self._reference(span.label, role_spans)
                    if span.role == "noteref"
                    else replace(span, spans=role_spans)
                )
                if page.text[insert.start].isspace():
                    self.inline.space()
                self.inline.span(link, row, container)
                if page.text[insert.stop - 1].isspace():
                    self.inline.space()
        if self.mask[row] and position < end:
            self.inline.text(page.text[position:end], row, container)

    def _add_formula(self, span: FormulaSpan, row: int, stop: int, element: int) -> None:
        """Add a formula: in its line, or as a part of its own if it is displayed."""
        if not span.display or self.containers[-1].role in _LINES_ONLY:
            self.inline.span(span, row, self.open_blocks[-1].row, stop)
            return
        self._end_paragraph()
        self.containers[-1].parts.append(Formula(element=element, first=row, stop=stop, tex=span.tex))

    def _skip(self, row: int) -> None:
        """Skip an element without selected text, and keep the text before and after it apart as it was."""
        page, tag, end = self.page, self.page.tag[row], self.page.end[row]
        if tags.CELL[tag] and self.containers[-1].role == "tr":
            add_empty_cell(page, self.containers[-1], row)
        elif self.block_count[end] > self.block_count[row]:
            self._end_paragraph()
        elif self.break_count[end] > self.break_count[row]:
            self._break(row)
        elif self.text_count[end] > self.text_count[row] or tags.BLOCK[page.tag[row:end]].any():
            self.inline.space()

    def _break(self, row: int) -> None:
        """End the line or the paragraph, as a ``br`` or an element with nothing else in it means."""
        inline, role = self.inline, self.containers[-1].role
        if self.page.pre[row]:
            inline.line_break(row)
            return
        meaning = "line"
        if inline.first >= 0 and role not in _ONE_PARAGRAPH and not inline.after_break:
            after = line_after(self.page, self.mask, row)
            meaning = break_meaning(inline.line, after, label=inline.bold_line, in_item=role in {"li", "dd"})
        if inline.after_break or meaning == "paragraph" or (inline.first >= 0 and inline.only_images):
            self._end_paragraph()
        elif meaning == "space":
            inline.space()
        else:
            inline.line_break(row)

    def _enter(self, row: int) -> int:  # noqa: C901 (one case per type of element)
        """Open an element with selected text, or add it as a whole; return the row to continue with."""
        page, tag, end = self.page, int(self.page.tag[row]), int(self.page.end[row])
        if row in self.formulas or row in self.images or row in self.media:
            return self._add_whole(row, end)
        if tag == _HR:
            self._end_paragraph()
            self.containers[-1].parts.append(Rule(element=row, first=row, stop=row + 1))
            return end
        if tags.PRE[tag] or row in self.code.blocks:
            parts = preformatted_parts(page, self.mask, row, self.code)
            if parts is not None:
                self._end_paragraph()
                self.containers[-1].parts.extend(parts)
                return end
        if tags.BLOCK[tag] and self.open_blocks[-1].row == row and self.open_blocks[-1].end == end:
            return row + 1  # a note: its frame is open
        if tags.BLOCK[tag] or row in self.frames:
            self._end_paragraph()
            frame = self.frames.open(row, self.containers)
            self.open_blocks.append(frame)
            if frame.role:
                self.containers.append(frame)
        elif tag in _INLINE_TAGS:
            self.inline.enter(_INLINE_TAGS[tag], end)
        elif tag == _A:
            self._enter_link(row, end)
        if tag != _A and row in self.notes.references:
            self.inline.enter("a", end, self._reference(self.notes.references[row]))
        return row + 1

    def _add_whole(self, row: int, end: int) -> int:
        """Add a formula, an image or a medium; return the row to continue with."""
        if row in self.formulas:
            formula = self.formulas[row]
            self._add_formula(FormulaSpan(formula.tex, bool(formula.display)), row, formula.stop, row)
            return formula.stop
        if row in self.images:
            self.inline.span(self.images[row], row, self.open_blocks[-1].row)
            return end
        self._add_media(row, end)
        return row + 1 if self.mask[row:end].any() else end  # an ``object`` may hold text

    def _add_media(self, row: int, end: int) -> None:
        """Add the link to a player: within the line if it stands in running text, else in a paragraph of its own."""
        media, inline = self.media[row], self.inline
        next_text = int(np.searchsorted(self.shown_count, self.shown_count[end], side="right")) - 1
        is_followed = next_text < self.open_blocks[-1].end and self.block_count[next_text] == self.block_count[row]
        if inline.first >= 0 and is_followed:
            if not any(element.link for element in inline.open):  # links do not nest
                inline.span(media.link, row, self.open_blocks[-1].row)
            return
        self._end_paragraph()
        parts = self.containers[-1].parts
        in_figure = self.containers[-1].role == "figure"  # the poster joins its images
        if media.poster is not None:
            caption = () if in_figure else (media.link,)
            parts.append(Figure(element=row, first=row, stop=end, images=(media.poster,), caption=caption))
        if media.poster is None or in_figure:
            element = self.open_blocks[-1].row
            parts.append(Paragraph(element=element, first=row, stop=end, spans=(media.link,)))

    def _enter_link(self, row: int, end: int) -> None:
        attributes = self.page.attributes(row)
        href = unprotected_url((attributes.get("href") or "").strip(), attributes.get("data-cfemail"))
        url = safe_url(href, self.base) if href.strip("#!") else None  # "#" and "#!" belong to buttons
        if row in self.notes.references:
            self.inline.enter("a", end, self._reference(self.notes.references[row]))
        elif row in self.notes.backlinks:
            self.inline.enter("a", end, Link(href, (), "backlink", self.notes.backlinks[row]))
        elif url and not self._is_permalink(row, href):
            title = title_rows(self.page, self.mask, row) if self.block_count[end] > self.block_count[row] else None
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
        rows = (frame.row, int(self.page.parent[frame.row]))
        return href[1:] in {self.page.attributes(row).get("id") for row in rows if self.page.is_element[row]}

    def _end_paragraph(self) -> None:
        """Add the paragraph that is open, if it has content, to the innermost container."""
        inline = self.inline
        element, first, stop, verse = inline.container, inline.first, inline.stop, inline.verse
        spans = join_links(inline.take())
        if not spans:
            return
        images = only_images(spans)
        parts: list[Part]
        if images:
            parts = [Figure(element=element, first=first, stop=stop, images=images)]
        elif self._is_stop_of_formula(spans):
            parts = []
        elif is_code_lines(spans):
            parts = [Code(element=element, first=first, stop=stop, text=plain_text(spans))]
        elif verse:
            parts = [
                Paragraph(element=element, first=first, stop=stop, spans=stanza, verse=True)
                for stanza in split_stanzas(spans)
            ]
        else:
            parts = [Paragraph(element=element, first=first, stop=stop, spans=spans)]
        self.containers[-1].parts.extend(parts)

    def _is_stop_of_formula(self, spans: tuple[Span, ...]) -> bool:
        """Tell whether a paragraph is only the full stop or comma of the formula before it."""
        only = spans[0] if len(spans) == 1 else None
        before = self.containers[-1].parts[-1:]
        return (
            isinstance(only, Text)
            and only.text in {".", ",", ";", ":"}
            and isinstance(next(iter(before), None), Formula)
        )
