"""Build a `Document` from the columns of a page and a mask, in one pass over the rows and without recursion.

Rows come in document order. An element without selected text is skipped as a slice. A container stays on a stack
until the row where it ends, and then becomes a part. Text, formulas, images, players, references and breaks are
added to the innermost container.
"""

from dataclasses import replace
from typing import Final
from urllib.parse import unquote

import numpy as np

from tamis.document.closing import add_empty_cell, close_container, nest_posts, wrap_stray_items
from tamis.document.containers import (
    NAMES,
    BlockOpener,
    CaptionRole,
    CellRole,
    FigureRole,
    HeadingRole,
    ItemRole,
    NoteRole,
    OpenBlock,
    Role,
    RootRole,
    RowRole,
)
from tamis.document.detectors.media import video_link, with_title
from tamis.document.detectors.post_parts import Thread
from tamis.document.detectors.table import Findings, Insert
from tamis.document.detectors.text import may_have_invisible
from tamis.document.inline import InlineBuilder, break_meaning, join_links, line_after, one_link_per_card, title_rows
from tamis.document.parts import (
    MAX_DEPTH,
    Cell,
    Code,
    Document,
    Emphasis,
    Figure,
    Footnote,
    Formula,
    FormulaSpan,
    Item,
    Link,
    Paragraph,
    Part,
    Rule,
    Span,
    Text,
    is_code_lines,
    only_images,
    parts_in_order,
    spans_text,
    split_stanzas,
)
from tamis.document.preformatted import mail_post, plain_text_parts, preformatted_parts, printed_pages
from tamis.html import tags
from tamis.html.text import EMAIL_PATH, is_right_to_left, safe_url, split_url, strip_invisible, unprotected_url
from tamis.page import Page
from tamis.page.deadline import check_time
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
_HR, _A, _CODE, _TH = (tags.IDS[name] for name in ("hr", "a", "code", "th"))
_BLOCK, _CELL, _PRE = tags.BLOCK.tobytes(), tags.CELL.tobytes(), tags.PRE.tobytes()  # one byte per tag
_BLOCKS: Final = tags.tag_pattern(tags.BLOCK)
_CHECKED_ROWS: Final = 31  #: the time is checked at two of 32 rows
#: What the loop has to do at a row: go on, add its text, keep the words around it apart, begin a paragraph, look what
#: it is, add a block with one text row as a paragraph, or as an item or cell with a paragraph (most blocks of most
#: pages), or open an inline element.
_TRANSPARENT, _TEXT, _SPACE, _PLAIN_BLOCK, _WHOLE_PARAGRAPH, _WHOLE_ITEM, _INLINE, _SPECIAL = range(8)
_KIND_OF_TAG: Final = np.where(tags.BLOCK, np.uint8(_PLAIN_BLOCK), np.uint8(_TRANSPARENT))
_KIND_OF_TAG[list(_INLINE_TAGS)] = _INLINE
_KIND_OF_TAG[[*NAMES, *np.flatnonzero(tags.PRE | tags.CELL).tolist(), _HR, _A]] = _SPECIAL
_KIND_OF_TAG[[row for row, name in NAMES.items() if name in {"li", "dt", "dd", "td", "th"}]] = _WHOLE_ITEM


def build_document(
    page: Page,
    mask: Bools,
    url: str | None = None,
    thread: "Thread | None" = None,
    *,
    comments: bool = False,
) -> Document:
    """Build the document of the selected rows of a page. Posts are detected unless the caller gives their thread.

    A document of `comments` has no notes: those belong to the content.

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
    found = Findings(page, mask, url, thread, comments=comments).run() if mask.any() else None
    parts = _Builder(page, found).run() if found else ()
    added = _added_parts(parts, found) if found and found.added.any() else frozenset()
    return Document(page, parts, direction, language, tuple(found.claims) if found else (), added)


def _added_parts(parts: tuple[Part, ...], found: Findings) -> frozenset[Part]:
    """Return the parts that have no selected text, but text that was added to posts, items and captions."""
    selected, added = prefix_sums(found.selected), prefix_sums(found.added)
    return frozenset(
        part
        for part in parts_in_order(parts)
        if selected[part.stop] == selected[part.first] and added[part.stop] > added[part.first]
    )


class _Builder:
    """Visits the elements of a page, and adds what is in them to the innermost container that is open.

    Attributes:
        page: the page.
        found: what the detectors found in it.
        open_blocks: all block-level elements that are open.
        containers: those of them that contain parts.
        inline: the paragraph that is open.
        opener: opens block-level elements.
        card_links: by the first row of a title, the link and where it ends.
    """

    def __init__(self, page: Page, found: Findings) -> None:
        self.page, self.found = page, found
        root = OpenBlock(RootRole(), page.body, len(page) + 1)
        self.open_blocks, self.containers = [root], [root]
        self.opener = BlockOpener(found)
        self.inline = InlineBuilder(may_have_invisible(page))
        self.card_links: dict[int, tuple[Link, int]] = {}
        self.heading = -1  # the last heading
        self._referenced: set[str] = set()  # labels of the notes that were referred to
        self._places: set[str] | None = None  # of the page, by the fragments that lead there
        self._heading: tuple[int, dict[str, int], str] = (-1, {}, "")  # that links were last compared with
        # The loop reads single values, which is several times faster from lists and bytes than from arrays. What is
        # read less often is read from where it is.
        stop = max([found.stop, *(int(page.end[row]) for row in found.notes.embedded)])  # nothing is read behind it
        self._end: list[int] = page.end[:stop].tolist()
        self._offset: list[int] = page.offset[: stop + 1].tolist()
        self._tag, self._is_text = page.tag.tobytes(), page.is_text.tobytes()
        self._wanted = (found.wanted_count[page.end] > found.wanted_count[:-1]).tobytes()
        self._blocks = found.block_count.data
        self._breaks = found.break_count.data
        self._texts = found.text_count.data
        self._kind = self._kinds()

    def _kinds(self) -> bytes:
        """Return what the loop has to do at each row, from `_TRANSPARENT` to `_SPECIAL`."""
        page, found, notes = self.page, self.found, self.found.notes
        kind = _KIND_OF_TAG[page.tag]
        kind[page.is_text] = _TRANSPARENT
        has_text = page.is_text & (found.hidden == 0) & (page.offset[1:] > page.offset[:-1])
        kind[has_text] = _SPACE  # white space, or text that is not selected
        kind[has_text & found.mask] = _TEXT
        rows = [*found.formulas, *found.images, *found.media, *found.code.blocks, *self.opener.rows, *found.covered]
        rows += [*notes.references_after, *notes.notes, *notes.dropped, *notes.embedded, *notes.references]
        rows += [*found.inserts, *found.after_gap, *found.lines, *found.emails, *found.code.dropped]
        rows += np.flatnonzero(has_text & found.mask & page.pre).tolist() if page.pre.any() else []
        kind[[row for row in rows if row < len(kind)]] = _SPECIAL  # a reference may follow the last row
        is_whole = (page.end == np.arange(len(page)) + 2) & np.append(kind[1:] == _TEXT, [False])
        kind[(kind == _PLAIN_BLOCK) & is_whole] = _WHOLE_PARAGRAPH
        kind[(kind == _WHOLE_ITEM) & ~is_whole] = _SPECIAL
        return kind.tobytes()

    def run(self) -> tuple[Part, ...]:
        """Visit the rows and return the parts; notes inside the text follow at the end."""
        page = self.page
        if page.is_text_only:
            return plain_text_parts(page, self.found.mask, [page.body])
        self._visit(page.body + 1 if page.body else 1, self.found.stop)
        self._close_until(len(page))
        self.end_paragraph()
        parts = nest_posts(wrap_stray_items(page, one_link_per_card(self.containers[0].parts)))
        return (*parts, *self._embedded_notes())

    def _visit(self, row: int, stop: int) -> None:  # noqa: C901, PLR0912, PLR0915 (one case per type of row)
        """Visit rows in order."""
        end, tag, wanted, is_text, notes = self._end, self._tag, self._wanted, self._is_text, self.found.notes
        kinds, inline, open_blocks, card_links = self._kind, self.inline, self.open_blocks, self.card_links
        text, offset = self.page.text, self._offset
        has_notes = bool(notes.notes or notes.references_after or notes.dropped or notes.embedded)
        while row < stop:
            if row & _CHECKED_ROWS <= 1:  # a paragraph of one text is a step of two rows
                check_time()
            if inline.open or open_blocks[-1].end <= row:
                self._close_until(row)
            if card_links and row in card_links:
                link, link_stop = card_links[row]
                inline.enter("a", link_stop, link)
            kind = kinds[row]
            if kind == _TEXT:
                inline.text(text[offset[row] : offset[row + 1]], row, open_blocks[-1].row)
                row += 1
                continue
            if kind == _SPACE:
                inline.space()
                row += 1
                continue
            if kind == _INLINE and wanted[row]:
                inline.enter(_INLINE_TAGS[tag[row]], end[row])
                row += 1
                continue
            if kind == _WHOLE_ITEM:
                if not inline.open and row + 1 not in card_links and self._add_item(row):
                    row += 2
                    continue
            elif kind <= _WHOLE_PARAGRAPH and (wanted[row] or is_text[row]):
                if kind >= _PLAIN_BLOCK:
                    if inline.first >= 0:
                        self.end_paragraph()
                    else:
                        inline.discard_space()
                    is_whole = kind == _WHOLE_PARAGRAPH and not inline.open and row + 1 not in card_links
                    paragraph = self._whole_paragraph(row) if is_whole else None
                    if paragraph is not None:
                        self.containers[-1].parts.append(paragraph)
                        row += 2
                        continue
                    open_blocks.append(OpenBlock(None, row, end[row]))
                row += 1
                continue
            if has_notes and row in notes.references_after:
                self.add_reference(notes.references_after[row], row)
            if has_notes and row in notes.notes:
                self._open_note(row)
            if row in self.found.covered:
                row += 1
            elif is_text[row]:
                self.add_text(row)
                row += 1
            elif has_notes and (row in notes.dropped or row in notes.embedded):
                label = notes.embedded.get(row, "")
                if label and label not in self.found.marked:  # its reference stands where the note does
                    self.add_reference(label, row)
                row = end[row]
            elif not wanted[row]:
                self._skip(row)
                row = end[row]
            else:
                row = self._enter(row)

    def _whole_paragraph(self, row: int) -> Paragraph | None:
        """Return a block that has one text row as a paragraph; None if it has not words enough to be one."""
        value = self.page.text[self._offset[row + 1] : self._offset[row + 2]]
        if self.inline.may_have_invisible and not value.isascii():
            value = strip_invisible(value)
        text = " ".join(value.split())
        if len(text) > 1 or text.isalnum():
            return Paragraph(element=row, first=row + 1, stop=row + 2, spans=(Text(text),))
        return None

    def _add_item(self, row: int) -> bool:
        """Add an item, a term, a detail or a cell that has one text row; return whether it can be added so."""
        outer, tag = self.containers[-1], self._tag[row]
        is_cell = bool(_CELL[tag])
        if len(self.containers) > MAX_DEPTH or (
            not isinstance(outer.role, RowRole) if is_cell else isinstance(outer.role, NoteRole)
        ):
            return False
        self.end_paragraph()
        paragraph = self._whole_paragraph(row)
        if paragraph is None:
            return False
        page_rows = {"element": paragraph.element, "first": paragraph.first, "stop": paragraph.stop}
        if is_cell:
            columns, rows = self.opener.spans.get(row, (1, 1))
            header = tag == _TH
            part: Part = Cell(**page_rows, parts=(paragraph,), header=header, columns=columns, rows=rows)
        else:
            part = Item(**page_rows, parts=(paragraph,), checked=None)
        outer.parts.append(part)
        return True

    def _embedded_notes(self) -> list[Part]:
        """Return the notes in the text, each built from its own rows, those that are attributes, and citations."""
        page = self.page
        out: list[tuple[int, Part]] = []
        embedded = self.found.notes.embedded
        self.found.notes = replace(self.found.notes, embedded={})  # each is built as a page without others
        for row, label in embedded.items():
            block = OpenBlock(NoteRole(label), row, int(page.end[row]))
            self.open_blocks, self.containers, self.inline = [block], [block], InlineBuilder()
            self._visit(row + 1, int(page.end[row]))
            self._close_until(int(page.end[row]) - 1)
            self.end_paragraph()
            root = OpenBlock(RootRole(), page.body, len(page) + 1)
            while self.open_blocks[-1] is not block:
                inner = self.open_blocks.pop()
                if inner.role is not None:
                    self.containers.pop()
                    close_container(page, inner, self.containers[-1])
            close_container(page, block, root)
            out += [(row, part) for part in root.parts]
        for row, (label, text) in self.found.notes.defined.items():
            spans = (Text(strip_invisible(text)),)
            paragraph = Paragraph(element=row, first=row, stop=row + 1, spans=spans)
            out.append((row, Footnote(element=row, first=row, stop=row + 1, label=label, parts=(paragraph,))))
        for url, (label, row) in self.found.notes.cited.items():
            parts = split_url(url)
            link = Link(url, (Text((parts.netloc if parts else url).removeprefix("www.")),))
            paragraph = Paragraph(element=row, first=row, stop=row + 1, spans=(link,))
            out.append((row, Footnote(element=row, first=row, stop=row + 1, label=label, parts=(paragraph,))))
        return [part for _, part in sorted(out, key=lambda entry: entry[0])]

    def _open_note(self, row: int) -> None:
        """Open a note that begins at a row: it takes the place of its element, or is a part of a paragraph."""
        note = self.found.notes.notes[row]
        self.end_paragraph()
        if len(self.containers) <= MAX_DEPTH:
            around = int(self.page.block_ancestor[row])
            element = around if around != row or self.page.end[row] == note.stop else int(self.page.parent[row])
            block = OpenBlock(NoteRole(note.label, row not in self.found.unselected_notes), element, note.stop)
            self.open_blocks.append(block)
            self.containers.append(block)

    def _close_until(self, row: int) -> None:
        """Close the elements that end before a row."""
        inline, open_blocks = self.inline, self.open_blocks
        if inline.open:
            inline.leave(row)
        while open_blocks[-1].end <= row:
            if inline.first >= 0:
                self.end_paragraph()
            else:
                inline.discard_space()
            block = open_blocks.pop()
            if block.role is not None:
                self.containers.pop()
                close_container(self.page, block, self.containers[-1])
                if isinstance(block.role, HeadingRole):
                    self.heading = block.row

    def _skip(self, row: int) -> None:
        """Skip an element without selected text, and keep the text before and after it apart as it was."""
        tag, end = self._tag[row], self._end[row]
        if _CELL[tag] and isinstance(self.containers[-1].role, RowRole):
            add_empty_cell(self.page, self.containers[-1], row)
        elif self._blocks[end] > self._blocks[row]:
            self.end_paragraph()
        elif self._breaks[end] > self._breaks[row]:
            self.add_break(row)
        elif self._texts[end] > self._texts[row] or (
            end > row + 1 and _BLOCKS.search(self._tag, row, end) if not _BLOCK[tag] else True
        ):
            self.inline.space()

    def _enter(self, row: int) -> int:  # noqa: C901 (one case per type of element)
        """Open an element with selected text, or add it as a whole; return the row to continue with."""
        page, tag, end = self.page, self._tag[row], self._end[row]
        if row in self.found.formulas or row in self.found.images or row in self.found.media:
            return self._add_whole(row, end)
        if tag == _HR:
            self.end_paragraph()
            before = self.containers[-1].parts
            if not before or not isinstance(before[-1], Rule):  # what stood between two was left out
                before.append(Rule(element=row, first=row, stop=row + 1))
            return end
        if _PRE[tag] and row in self.found.posts:
            self.end_paragraph()
            self.containers[-1].parts.append(mail_post(page, self.found, row))
            return end
        if _PRE[tag] or row in self.found.code.blocks:
            rows = printed_pages(page, row) if _PRE[tag] else [row]
            parts = preformatted_parts(page, self.found.mask, rows, self.found.code)
            if parts is not None:
                self.end_paragraph()
                self._add_code(row, parts)
                return int(page.end[rows[-1]])
        if _BLOCK[tag] and self.open_blocks[-1].row == row and self.open_blocks[-1].end == end:
            return row + 1  # a note: its block is open
        if _BLOCK[tag] or row in self.opener:
            self.end_paragraph()
            block = self.opener.open(row, self.containers)
            self.open_blocks.append(block)
            if block.role is not None:
                self.containers.append(block)
        elif tag in _INLINE_TAGS:
            self.inline.enter(_INLINE_TAGS[tag], end)
        elif tag == _A:
            self._enter_link(row, end)
        if tag != _A and row in self.found.notes.references:
            self.inline.enter("a", end, self.reference(self.found.notes.references[row]))
        return row + 1

    def _add_code(self, row: int, parts: list[Part]) -> None:
        """Add code. Neighbours are pieces of one block, lines or a command and its output: not two ``pre``.

        A ``pre`` beside a ``code`` is one if both name their language: else the ``code`` may be the name of a file.
        """
        page, before = self.page, self.containers[-1].parts
        last, new = (before[-1] if before else None), (parts[0] if len(parts) == 1 else None)
        if (
            isinstance(last, Code)
            and isinstance(new, Code)
            and page.parent[row] == page.parent[last.element]
            and self._is_continued(last, new)
        ):
            before[-1] = replace(last, stop=new.stop, text=f"{last.text}\n{new.text}")
        else:
            before.extend(parts)

    def _is_continued(self, last: Code, new: Code) -> bool:
        pre = [bool(tags.PRE[self.page.tag[code.element]]) for code in (last, new)]
        if any(pre):
            return not all(pre) and new.language == last.language != ""
        boxes = [code for code in (last, new) if self._tag[code.element] != _CODE]
        classes = {self.page.attribute_of(code.element, "class") for code in boxes}
        apart = len(boxes) > 1 and (len(classes) > 1 or all("\n" in code.text for code in boxes))
        return new.language in {"", last.language} and not apart

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
        page = self.page
        href = (page.attribute_of(row, "href") or "").strip()
        if EMAIL_PATH in href:
            href = unprotected_url(href, page.attribute_of(row, "data-cfemail"))
        url = safe_url(href, self.found.base) if href.strip("#!") else None  # "#" and "#!" belong to buttons
        if row in self.found.notes.references:
            self.inline.enter("a", end, self.reference(self.found.notes.references[row]))
        elif row in self.found.notes.backlinks:
            self.inline.enter("a", end, Link(href, (), "backlink", self.found.notes.backlinks[row]))
        elif url and not self._is_permalink(row, href) and not self._is_dead(url):
            title = (
                title_rows(self.page, self.found.mask, row)
                if self.found.block_count[end] > self.found.block_count[row]
                else None
            )
            if title is None:
                self.inline.enter("a", end, Link(url, ()))
            else:
                self.card_links[title[0]] = (Link(url, ()), title[1])

    def _is_dead(self, url: str) -> bool:
        """Tell whether a link leads to a place that a page without a URL does not have, as a part of a document."""
        if not url.startswith("#"):
            return False
        if self._places is None:
            page = self.page
            names = page.attribute_column(page.rows_of("a").tolist(), "name")
            self._places = {*page.attribute("id").values(), *(name for name in names if name)}
        return url[1:] not in self._places and unquote(url[1:]) not in self._places

    def _is_permalink(self, link: int, href: str) -> bool:
        """Tell whether a link in or around a heading leads to that heading, or to its entry in the contents."""
        block = self.containers[-1]
        if not href.startswith("#"):
            return False
        if not isinstance(block.role, HeadingRole):
            inside = np.flatnonzero(tags.HEADING[self.page.tag[link : self._end[link]]]) + link
            return any(self.page.attributes(row).get("id") == href[1:] for row in inside.tolist())
        if "toc-backref" in self.page.attributes(link).get("class", ""):  # of docutils: back to the contents
            return True
        if self._heading[0] != block.row:  # a heading may have thousands of links
            self._heading = (block.row, *self._heading_names(block.row))
        _, ids, letters = self._heading
        return ids.get(href[1:], link) < link or _letters(unquote(href)) == letters

    def _heading_names(self, heading: int) -> tuple[dict[str, int], str]:
        """Return the first row with each id of a heading and of the element around it, and the heading's letters."""
        page = self.page
        ids: dict[str, int] = {}
        rows = [row for row in range(heading, int(page.end[heading])) if page.is_element[row]]
        for row in (int(page.parent[heading]), *rows):
            ids.setdefault(page.attribute_of(row, "id") or "", row)
        return ids, _letters(page.row_text(heading))

    def reference(self, label: str, spans: tuple[Span, ...] = ()) -> Link:
        """Return the link of a reference. The backlink of the note leads to the first of them."""
        is_first = label not in self._referenced
        self._referenced.add(label)
        return Link(f"#{label}" if is_first else "", spans, "noteref", label)

    def add_reference(self, label: str, row: int) -> None:
        """Add a reference that the page leaves to a style sheet or a script."""
        self.inline.span(Emphasis("sup", (self.reference(label, (Text(label),)),)), row, self.open_blocks[-1].row)

    def add_text(self, row: int) -> None:
        """Add a text row, as it is or with inserts."""
        start, stop = self._offset[row], self._offset[row + 1]
        found = self.found
        if found.hidden[row] or start == stop or row in found.code.dropped:
            return
        if row in found.after_gap:
            self.inline.space()
        if row in found.inserts:
            self._add_with_inserts(row, found.inserts[row])
        elif not found.mask[row]:
            self.inline.space()  # white space, or a row that is not selected: it keeps the words around it apart
        elif self.page.pre[row]:
            self.inline.lines(self.page.text[start:stop], row, self.open_blocks[-1].row)
        elif row in found.lines:
            self._add_lines(self.page.text[start:stop], row)
        else:
            text = self.page.text[start:stop]
            self.inline.text(found.emails.get(row, text), row, self.open_blocks[-1].row)

    def _add_lines(self, text: str, row: int) -> None:
        """Add text whose line ends count: a blank line ends the paragraph, where it may end."""
        inline, container, blank = self.inline, self.open_blocks[-1].row, 0
        for number, line in enumerate(text.split("\n")):
            blank = 0 if not number else blank + 1
            if not line.strip():
                inline.text(line, row, container)
                continue
            if blank > 1 and not _is_one_paragraph(self.containers[-1].role):
                self.end_paragraph()
            elif blank and inline.first >= 0 and not inline.after_break:
                inline.line_break(row)
            inline.text(line, row, container)
            blank = 0
        if blank > 1 and not _is_one_paragraph(self.containers[-1].role):
            self.end_paragraph()
        elif blank and inline.first >= 0 and not inline.after_break:
            inline.line_break(row)

    def _add_with_inserts(self, row: int, inserts: list[Insert]) -> None:
        """Add a text row in which formulas, references and marks take the place of some characters."""
        page, container = self.page, self.open_blocks[-1].row
        position, end = int(page.offset[row]), int(page.offset[row + 1])
        for insert in inserts:
            if self.found.mask[row] and insert.start > position:
                self.inline.text(page.text[position : insert.start], row, container)
            position = max(position, insert.stop)
            span = insert.span
            if isinstance(span, FormulaSpan):
                self.add_formula(span, row, insert.rows_stop, container)
            elif isinstance(span, Text):
                if self.found.mask[row]:
                    self.inline.span(span, row, container)
            elif span is not None and self.found.mask[row]:
                text = " ".join(page.text[insert.start : insert.stop].split())
                role_spans = (Text(text),)
                link = (
                    self.reference(span.label, role_spans)
                    if span.role == "noteref"
                    else replace(span, spans=role_spans)
                )
                if page.text[insert.start].isspace():
                    self.inline.space()
                self.inline.span(link, row, container)
                if page.text[insert.stop - 1].isspace():
                    self.inline.space()
        if self.found.mask[row] and position < end:
            self.inline.text(page.text[position:end], row, container)

    def add_formula(self, span: FormulaSpan, row: int, stop: int, element: int) -> None:
        """Add a formula: in its line, or as a part of its own if it is displayed."""
        if not span.display or isinstance(self.containers[-1].role, HeadingRole | CaptionRole):
            self.inline.span(span, row, self.open_blocks[-1].row, stop)
            return
        self.end_paragraph()
        self.containers[-1].parts.append(Formula(element=element, first=row, stop=stop, tex=span.tex))

    def add_break(self, row: int) -> None:
        """End the line or the paragraph, as a ``br`` or an element with nothing else in it means."""
        inline, role = self.inline, self.containers[-1].role
        if self.page.pre[row]:
            inline.line_break(row)
            return
        meaning = "line"
        if inline.first >= 0 and not _is_one_paragraph(role) and not inline.after_break:
            after = line_after(self.page, self.found.mask, row)
            meaning = break_meaning(inline.line, after, label=inline.bold_line, in_item=isinstance(role, ItemRole))
        if inline.after_break or meaning == "paragraph" or (inline.first >= 0 and inline.only_images):
            self.end_paragraph()
        elif meaning == "space":
            inline.space()
        else:
            inline.line_break(row)

    def add_media(self, row: int, end: int) -> None:
        """Add the link to a player: within the line if it stands in running text, else in a paragraph of its own."""
        heading = strip_invisible(self.page.collapsed_text(self.heading)) if self.heading >= 0 else ""
        media, inline = with_title(self.found.media[row], heading), self.inline
        next_text = int(np.searchsorted(self.found.shown_count, self.found.shown_count[end], side="right")) - 1
        is_followed = (
            next_text < self.open_blocks[-1].end and self.found.block_count[next_text] == self.found.block_count[row]
        )
        if inline.first >= 0 and is_followed:
            if not any(element.link for element in inline.open):  # links do not nest
                inline.span(media.link, row, self.open_blocks[-1].row)
            return
        self.end_paragraph()
        parts = self.containers[-1].parts
        in_figure = isinstance(self.containers[-1].role, FigureRole)  # the poster joins its images
        if media.poster is not None:
            caption = () if in_figure else (media.link,)
            parts.append(Figure(element=row, first=row, stop=end, images=(media.poster,), caption=caption))
        if media.poster is None or in_figure:
            element = self.open_blocks[-1].row
            parts.append(Paragraph(element=element, first=row, stop=end, spans=(media.link,)))

    def end_paragraph(self) -> None:
        """Add the paragraph that is open, if it has content, to the innermost container."""
        inline = self.inline
        if inline.first < 0:
            inline.discard_space()
            return
        element, first, stop, verse = inline.container, inline.first, inline.stop, inline.verse
        has_text = bool(inline.line)
        spans = inline.take()
        text = spans[0].text if len(spans) == 1 and isinstance(spans[0], Text) and not verse else ""
        if len(text) > 1 or text.isalnum():  # most paragraphs
            paragraph = Paragraph(element=element, first=first, stop=stop, spans=spans)
            self.containers[-1].parts.append(paragraph)
            return
        spans = join_links(spans)
        if not spans:
            return
        images = () if has_text else only_images(spans)
        parts: list[Part]
        if images:
            only = spans[0] if len(spans) == 1 else None
            video = video_link(only.href, images[0].alt) if isinstance(only, Link) and not only.role else None
            caption = (video,) if video else ()
            parts = [Figure(element=element, first=first, stop=stop, images=images, caption=caption)]
        elif self._is_stop_of_formula(spans):
            parts = []
        elif is_code_lines(spans):
            parts = [Code(element=element, first=first, stop=stop, text=spans_text(spans))]
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


def _letters(text: str) -> str:
    """Return the letters and digits of a text, by which a fragment and its heading are compared."""
    return "".join(char for char in text.lower() if char.isalnum())


def _is_one_paragraph(role: Role | None) -> bool:
    """Tell whether a container has no paragraphs inside."""
    if isinstance(role, ItemRole):
        return role.tag == "dt"
    return isinstance(role, HeadingRole | CaptionRole | CellRole)
