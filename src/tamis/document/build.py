"""From the columns and a mask to a `Document`: one pass over the rows that matter, no recursion.

Rows come in document order. What holds nothing chosen is passed over as a slice; containers go on a stack with the
row where they end, and become parts when that row comes.
"""

from typing import Final

import numpy as np

from tamis.document import containers
from tamis.document.detect.anchors import without_anchors
from tamis.document.detect.captions import find_boxes
from tamis.document.detect.code import code_text, gutter_rows, is_code, language_of
from tamis.document.detect.formulas import find_formulas
from tamis.document.detect.images import find_images
from tamis.document.detect.invisible import visible
from tamis.document.detect.notes import find_notes
from tamis.document.detect.posts import PostFacts, find_posts
from tamis.document.document import Document
from tamis.document.frames import Frame, Frames
from tamis.document.inline import Inline, only_images, stanzas
from tamis.document.parts import Code, Figure, Formula, Paragraph, Part, Rule
from tamis.document.spans import FormulaSpan, Link
from tamis.html import tags
from tamis.html.urls import safe_url
from tamis.page import Page
from tamis.page.base_url import base_url
from tamis.page.sums import Bools, prefix_sums

_INLINE: Final = {
    tags.IDS[name]: kind
    for names, kind in (
        ("em i cite dfn var", "em"), ("strong b", "strong"), ("del s strike", "del"), ("ins u", "ins"),
        ("sub", "sub"),
        ("sup", "sup"), ("mark", "mark"), ("q", "q"), ("code kbd samp tt", "code"), ("ruby", "ruby"), ("rt", "rt"),
        ("rp", "rp"),
    )
    for name in names.split()
}  # fmt: skip
_BR, _HR, _A = tags.IDS["br"], tags.IDS["hr"], tags.IDS["a"]
_RTL: Final = frozenset({"ar", "fa", "he", "ur", "yi", "ps", "sd", "ug", "dv", "ckb"})


def build_document(
    page: Page, mask: Bools, url: str | None = None, posts: "dict[int, PostFacts] | None" = None
) -> Document:
    """Build the document of the chosen rows of a page; the posts of a thread are looked for unless they are given.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<h1>Tea</h1><ul><li>green<li>black</ul>")
    >>> [type(part).__name__ for part in build_document(page, page.is_text)]
    ['Heading', 'List', 'Item', 'Paragraph', 'Item', 'Paragraph']
    """
    rows = page.rows_of("html").tolist()
    given = page.attributes(rows[0]) if rows else {}
    if page.body:
        given = {**given, **{k: v for k, v in page.attributes(page.body).items() if k in {"dir", "lang"}}}
    language = (given.get("lang") or given.get("xml:lang") or "").strip() or None
    direction = given.get("dir", "").lower()
    if direction not in {"rtl", "ltr"}:
        direction = "rtl" if language and language.split("-")[0].lower() in _RTL else "ltr"
    parts = _Builder(page, mask, base_url(page, url), posts).run() if mask.any() else ()
    return Document(page, parts, direction, language)


class _Builder:
    """The state of one pass."""

    def __init__(self, page: Page, mask: Bools, base: str | None, posts: "dict[int, PostFacts] | None") -> None:
        self.page, self.mask, self.base = page, without_anchors(page, mask), base
        self.root = Frame("root", page.body, len(page) + 1)
        self.noted: set[str] = set()
        self.stack = [self.root]  # every block-level element that is open
        self.held = [self.root]  # those of them that hold parts
        self.inline = Inline()
        self.formulas = find_formulas(page)
        boxes = find_boxes(page)
        self.images = find_images(page, mask, self.base, boxes)
        self.images = {row: image for row, image in self.images.items() if row not in self.formulas}
        self._drop_far_formulas()
        self.notes = find_notes(page, mask)
        self.posts = find_posts(page) if posts is None else posts
        held = frozenset(box for box in boxes if any(box < row < page.end[box] for row in self.images))
        self.frames = Frames(page, base, self.posts, self.notes.notes, held)
        self.gutters = gutter_rows(page)
        self.shown = prefix_sums(page.is_text & (page.hidden == 0) & (page.offset[1:] > page.offset[:-1]))
        self.boxes = prefix_sums(tags.BLOCK[page.tag] & (page.hidden == 0))
        self.breaks = prefix_sums((page.tag == _BR) & (page.hidden == 0))
        wanted = self.mask.copy()
        extra = [*self.images, *self.formulas]
        wanted[extra] = True
        first, last = int(np.argmax(wanted)), len(wanted) - int(np.argmax(wanted[::-1]))
        rules = page.rows_of("hr")
        wanted[rules[(rules > first) & (rules < last)]] = True
        self.counts = prefix_sums(wanted)
        self.last = last

    def run(self) -> tuple[Part, ...]:
        """Go through the rows."""
        page, end, counts = self.page, self.page.end, self.counts
        row = page.body + 1 if page.body else 1
        while row < self.last:
            self._close_until(row)
            if page.is_text[row]:
                self._text(row)
                row += 1
            elif counts[end[row]] == counts[row]:
                self._pass_over(row)
                row = int(end[row])
            else:
                row = self._element(row)
        self._close_until(len(page))
        self._flush()
        return containers.with_lists(page, self.root.parts)

    def _drop_far_formulas(self) -> None:
        """Leave out formulas without chosen text of their own that stand away from chosen text."""
        chosen = prefix_sums(self.mask)
        page = self.page
        for row in list(self.formulas):
            parent = int(page.parent[row])
            holder = int(page.parent[parent]) if not tags.BLOCK[page.tag[parent]] else parent
            alone = chosen[page.end[row]] == chosen[row]
            if alone and (page.hidden[row] or chosen[page.end[holder]] == chosen[holder]):
                del self.formulas[row]

    def _close_until(self, row: int) -> None:
        if self.inline.open:
            self.inline.leave(row)
        while self.stack[-1].end <= row:
            self._flush()
            frame = self.stack.pop()
            if frame.kind:
                self.held.pop()
                containers.close(self.page, frame, self.held[-1])

    def _text(self, row: int) -> None:
        page = self.page
        if page.hidden[row] or row in self.gutters or page.offset[row] == page.offset[row + 1]:
            return
        if not self.mask[row]:
            self.inline.space()  # white space, or a run that was not chosen: words on either side stay apart
        elif page.pre[row]:
            self.inline.lines(page.row_text(row), row, self.stack[-1].row)
        else:
            self.inline.text(page.row_text(row), row, self.stack[-1].row)

    def _pass_over(self, row: int) -> None:
        """Step over what holds nothing chosen; the text around it stays as far apart as it stood."""
        page, tag, end = self.page, self.page.tag[row], self.page.end[row]
        if tags.CELL[tag] and self.held[-1].kind == "tr":
            containers.empty_cell(page, self.held[-1], row)
        elif self.boxes[end] > self.boxes[row]:
            self._flush()
        elif self.breaks[end] > self.breaks[row]:
            if self.inline.broken and not page.pre[row]:
                self._flush()
            else:
                self.inline.line_break(row)
        elif self.shown[end] > self.shown[row] or tags.BLOCK[page.tag[row:end]].any():
            self.inline.space()

    def _element(self, row: int) -> int:
        """Open an element that holds something chosen; return the row to go on with."""
        page, tag, end = self.page, int(self.page.tag[row]), int(self.page.end[row])
        if row in self.formulas:
            found = self.formulas[row]
            self.inline.span(FormulaSpan(found.tex, found.display), row, self.stack[-1].row, found.stop)
            return found.stop
        if row in self.images:
            self.inline.span(self.images[row], row, self.stack[-1].row)
            return end
        if tag == _HR:
            self._flush()
            self.held[-1].parts.append(Rule(element=row, first=row, stop=row + 1))
            return end
        if tags.PRE[tag] and is_code(page, row):
            self._flush()
            text = visible(code_text(page, self.mask, row, self.gutters))
            if text.strip():
                code = Code(element=row, first=row, stop=end, text=text, language=language_of(page, row))
                self.held[-1].parts.append(code)
            return end
        if tags.BLOCK[tag] or row in self.posts or row in self.frames.boxes:
            self._flush()
            frame = self.frames.open(row, self.held)
            self.stack.append(frame)
            if frame.kind:
                self.held.append(frame)
        elif tag in _INLINE:
            self.inline.enter(_INLINE[tag], end)
        elif tag == _A:
            self._link(row, end)
        return row + 1

    def _link(self, row: int, end: int) -> None:
        href = (self.page.attributes(row).get("href") or "").strip()
        address = safe_url(href, self.base) if href.strip("#!") else None  # "#" is a button, and leads nowhere
        if row in self.notes.references:
            label = self.notes.references[row]
            first = label not in self.noted  # the first reference is what the note leads back to
            self.noted.add(label)
            self.inline.enter("a", end, Link(f"#{label}" if first else "", (), "note", label))
        elif row in self.notes.backs:
            self.inline.enter("a", end, Link(href, (), "back", self.notes.backs[row]))
        elif address and not self._leads_to_itself(href):
            self.inline.enter("a", end, Link(address, ()))

    def _leads_to_itself(self, href: str) -> bool:
        """Whether a link in a heading leads to that heading: for copying its address, and nowhere for a reader."""
        frame = self.held[-1]
        if frame.kind != "heading" or not href.startswith("#"):
            return False
        rows = (frame.row, int(self.page.parent[frame.row]))
        return href[1:] in {self.page.attributes(row).get("id") for row in rows if self.page.is_element[row]}

    def _flush(self) -> None:
        """End the paragraph."""
        inline = self.inline
        if inline.first < 0:
            inline.take()
            return
        first, stop, host, verse = inline.first, inline.stop, inline.host, inline.verse
        spans = inline.take()
        if not spans:
            return
        images = only_images(spans)
        part: Part
        if images:
            part = Figure(element=host, first=first, stop=stop, images=images)
        elif len(spans) == 1 and isinstance(spans[0], FormulaSpan):
            part = Formula(element=host, first=first, stop=stop, tex=spans[0].tex)
        elif verse:
            for stanza in stanzas(spans):
                part = Paragraph(element=host, first=first, stop=stop, spans=stanza, verse=True)
                self.held[-1].parts.append(part)
            return
        else:
            part = Paragraph(element=host, first=first, stop=stop, spans=spans)
        self.held[-1].parts.append(part)
