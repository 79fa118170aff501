"""Leaves: text, formulas, images, players, references and breaks, as they are added to the document that is built.

`tamis.document.build` visits the elements around them.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from tamis.document.breaks import break_meaning, line_after
from tamis.document.cards import join_links
from tamis.document.detect.media import video_link
from tamis.document.findings import Findings
from tamis.document.frames import Frame
from tamis.document.inline import InlineBuilder
from tamis.document.inserts import Insert
from tamis.document.parts import Code, Figure, Formula, Paragraph, Part
from tamis.document.span_tools import is_code_lines, only_images, split_stanzas
from tamis.document.spans import Emphasis, FormulaSpan, Link, Span, Text, plain_text
from tamis.page import Page

_ONE_PARAGRAPH: Final = frozenset({"heading", "caption", "td", "th", "dt"})  #: roles without paragraphs inside
_LINES_ONLY: Final = frozenset({"heading", "caption"})  #: containers of text, in which a formula stays in its line


class LeafBuilder:
    """Adds leaves to the innermost of the containers that are open.

    Attributes:
        page: the page.
        found: what the detectors found in it.
        open_blocks: all block-level elements that are open.
        containers: those of them that contain parts.
        inline: the paragraph that is open.
    """

    def __init__(self, page: Page, found: Findings) -> None:
        self.page, self.found = page, found
        root = Frame("root", page.body, len(page) + 1)
        self.open_blocks, self.containers = [root], [root]
        self.inline = InlineBuilder()
        self._referenced: set[str] = set()  # labels of the notes that were referred to

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
        page = self.page
        if self.found.hidden[row] or row in self.found.code.dropped or page.offset[row] == page.offset[row + 1]:
            return
        if row in self.found.after_gap:
            self.inline.space()
        if row in self.found.inserts:
            self._add_with_inserts(row, self.found.inserts[row])
        elif not self.found.mask[row]:
            self.inline.space()  # white space, or a row that is not selected: it keeps the words around it apart
        elif page.pre[row]:
            self.inline.lines(page.row_text(row), row, self.open_blocks[-1].row)
        else:
            self.inline.text(self.found.emails.get(row, page.row_text(row)), row, self.open_blocks[-1].row)

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
        if not span.display or self.containers[-1].role in _LINES_ONLY:
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
        if inline.first >= 0 and role not in _ONE_PARAGRAPH and not inline.after_break:
            after = line_after(self.page, self.found.mask, row)
            meaning = break_meaning(inline.line, after, label=inline.bold_line, in_item=role in {"li", "dd"})
        if inline.after_break or meaning == "paragraph" or (inline.first >= 0 and inline.only_images):
            self.end_paragraph()
        elif meaning == "space":
            inline.space()
        else:
            inline.line_break(row)

    def add_media(self, row: int, end: int) -> None:
        """Add the link to a player: within the line if it stands in running text, else in a paragraph of its own."""
        media, inline = self.found.media[row], self.inline
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
        in_figure = self.containers[-1].role == "figure"  # the poster joins its images
        if media.poster is not None:
            caption = () if in_figure else (media.link,)
            parts.append(Figure(element=row, first=row, stop=end, images=(media.poster,), caption=caption))
        if media.poster is None or in_figure:
            element = self.open_blocks[-1].row
            parts.append(Paragraph(element=element, first=row, stop=end, spans=(media.link,)))

    def end_paragraph(self) -> None:
        """Add the paragraph that is open, if it has content, to the innermost container."""
        inline = self.inline
        element, first, stop, verse = inline.container, inline.first, inline.stop, inline.verse
        spans = join_links(inline.take())
        if not spans:
            return
        images = only_images(spans)
        parts: list[Part]
        if images:
            only = spans[0] if len(spans) == 1 else None
            video = video_link(only.href, images[0].alt) if isinstance(only, Link) and not only.role else None
            caption = (video,) if video else ()
            parts = [Figure(element=element, first=first, stop=stop, images=images, caption=caption)]
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
