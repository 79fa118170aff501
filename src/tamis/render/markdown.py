"""Markdown: CommonMark with tables, and with footnotes and formulas as GitHub and Pandoc write them."""

import re
from contextlib import ExitStack
from dataclasses import replace
from typing import Final

from tamis.document.document import Document, flatten
from tamis.document.parts import (
    Callout,
    Cell,
    Code,
    Definition,
    Definitions,
    Details,
    Figure,
    Footnote,
    Formula,
    Heading,
    Item,
    List,
    Paragraph,
    Part,
    Post,
    Quote,
    Rule,
    Table,
    Text,
    spans_text,
)
from tamis.metadata.site import alnum_key
from tamis.render.buffer import LINE, PARAGRAPH, Rendered, TextBuffer
from tamis.render.content import Content, shown_document
from tamis.render.front_matter import byline, front_matter
from tamis.render.grid import grid
from tamis.render.html import spans_html
from tamis.render.markdown_spans import escape_line_starts, image_markdown, spans_markdown
from tamis.render.options import DEFAULT, RenderOptions
from tamis.render.shown_spans import figure_caption
from tamis.render.title import restore_originals

_NUMBERED: Final = re.compile(r"(\d{1,3})\. (?=\S)")
_MIN_REPEATED_CHARS: Final = 20  #: of an alternative text that a longer caption repeats
_MAX_SHORT_CELL: Final = 40  #: characters
_MAX_POST_MARGINS: Final = 5  #: quotation marks before the lines of a post


def write_markdown(content: Content, options: RenderOptions) -> Rendered:
    """Return an extraction as Markdown, with YAML front matter if the options ask for metadata."""
    front = front_matter(content.metadata) if options.with_metadata else ""
    document, originals = shown_document(content, options)
    return restore_originals(render_markdown(document, options, front), originals)


def render_markdown(document: Document, options: RenderOptions = DEFAULT, front_matter: str = "") -> Rendered:
    r"""Return a document as Markdown, after `front_matter` if there is any.

    >>> import tamis
    >>> html = "<h2>Tea</h2><ol><li>Boil <b>water</b>.<li>Wait.</ol>"
    >>> render_markdown(tamis.extract(html, extractor="body").document).text
    '## Tea\n\n1. Boil **water**.\n2. Wait.'
    """
    buffer = TextBuffer()
    if front_matter:
        buffer.write(front_matter)
        buffer.gap(PARAGRAPH)
    _MarkdownWriter(buffer, options).parts(document.parts)
    return buffer.rendered()


class _MarkdownWriter:
    def __init__(self, buffer: TextBuffer, options: RenderOptions) -> None:
        self.buffer, self.options = buffer, options
        self.alternates: set[Part] = set()  # lists that are written with the alternate marker
        self.numbered: set[Part] = set()  # paragraphs that the page numbers one after the other
        self.post_depth = 0
        self.post_level = 0  # of the post around the current part

    def parts(self, parts: tuple[Part, ...], gap: int = PARAGRAPH, first_gap: int | None = None) -> None:
        """Write parts in order, with a gap before and after each."""
        before: Part | None = None
        self.numbered |= _numbered(parts)
        for part in parts:
            self.buffer.gap(gap if before is not None or first_gap is None else first_gap)
            follows = isinstance(before, Post) or (self.post_depth and before is not None)
            if isinstance(part, Post) and follows and part.level <= self.post_level:
                self.buffer.write("---")
                self.buffer.gap(PARAGRAPH)
            with self.buffer.part(part):
                self.part(part, before)
            before = part
        self.buffer.gap(gap)

    def part(self, part: Part, before: Part | None) -> None:  # noqa: C901, PLR0912 (one case per part type)
        """Write one part."""
        buffer, options = self.buffer, self.options
        match part:
            case Heading():
                text = spans_markdown(part.spans, options, line=" ")
                buffer.write("#" * part.level + " " + re.sub(r"#$", r"\\#", text))
            case Paragraph():
                text = spans_markdown(part.spans, options).strip(" ")
                buffer.write(text if part in self.numbered and "\n" not in text else escape_line_starts(text))
            case List():
                self._list(part, before)
            case Table():
                if options.tables:
                    self._table(part)
            case Code():
                longest = max((len(run) for run in re.findall("`{3,}", part.text)), default=2)
                fence = "`" * (longest + 1)
                buffer.write(f"{fence}{part.language}\n{part.text}\n{fence}")
            case Quote():
                with buffer.margin("> "):
                    self.parts(part.parts)
            case Callout():
                self._callout(part)
            case Details():
                buffer.write(f"<details>\n<summary>{spans_html(part.summary, options)}</summary>")
                self.parts(part.parts)
                buffer.write("</details>")
            case Figure():
                self._figure(part)
            case Formula(tex=tex):
                buffer.write(f"$$\n{tex}\n$$")
            case Footnote():
                with buffer.margin("    ", f"[^{part.label}]: "):
                    self.parts(part.parts)
            case Definitions():
                for entry in part.entries:
                    buffer.gap(PARAGRAPH)
                    with buffer.part(entry):
                        self._definition(entry)
            case Post():
                self._post(part)
            case Rule():
                buffer.write("---")
            case _:  # an item or a cell outside of a list or table
                pass

    def _list(self, part: List, before: Part | None) -> None:
        buffer = self.buffer
        gap = LINE if all(_is_tight(item) for item in part.items) else PARAGRAPH
        # Two lists in a row would be read as one, so that the second has another marker.
        alternate = isinstance(before, List) and before.ordered == part.ordered and before not in self.alternates
        if alternate:
            self.alternates.add(part)
        for number, item in enumerate(part.items, part.start):
            marker = f"{number}{')' if alternate else '.'} " if part.ordered else "* " if alternate else "- "
            box = "" if item.checked is None else "[x] " if item.checked else "[ ] "
            buffer.gap(gap)
            with buffer.part(item), buffer.margin(" " * len(marker), marker + box):
                self.parts(item.parts, gap)

    def _table(self, part: Table) -> None:
        buffer = self.buffer
        if part.caption:
            buffer.write(escape_line_starts(spans_markdown(part.caption, self.options)))
            buffer.gap(PARAGRAPH)
        rows = grid(part)
        if not rows:
            return
        width = max(len(row) for row in rows)
        if not part.rows[0].header:
            buffer.write("|" + "  |" * width + "\n|" + " --- |" * width)
            buffer.gap(LINE)
        for number, (row, cells) in enumerate(zip(part.rows, rows, strict=True)):
            buffer.gap(LINE)
            with buffer.part(row):
                buffer.write("|")
                for cell in [*cells, *[None] * (width - len(cells))]:
                    self._cell(cell)
            if number == 0 and part.rows[0].header:
                buffer.write("\n|" + " --- |" * width)

    def _cell(self, cell: Cell | None) -> None:
        buffer = self.buffer
        text = ""
        if cell is not None:
            text = (
                spans_markdown(flatten(cell.parts), self.options, line="<br>")
                .replace("|", "\\|")
                .replace("\n", "<br>")
            )
            if text.count("<br>") == 1 and "\\<br>" not in text and _is_short_name(cell):
                text = text.replace("<br>", " ")
        buffer.raw(" ")
        if cell is not None and text:
            with buffer.part(cell):
                buffer.raw(text)
        buffer.raw(" |")

    def _figure(self, part: Figure) -> None:
        caption = figure_caption(part, self.options)
        if self.options.images and part.images:
            shown = alnum_key(spans_text(caption))
            images = (replace(image, alt="") if _is_repeated(image.alt, shown) else image for image in part.images)
            self.buffer.write("\n".join(map(image_markdown, images)))
            self.buffer.gap(PARAGRAPH)
        self.parts(part.parts)
        if caption:
            self.buffer.write(escape_line_starts(spans_markdown(caption, self.options)))

    def _callout(self, part: Callout) -> None:
        """Write a callout as GitHub and Obsidian do: a quotation whose first line has its type and title."""
        with self.buffer.margin("> "):
            title = spans_markdown(part.title, self.options, line=" ").rstrip(":")
            self.buffer.write(f"[!{part.type}] {title}".rstrip())
            first = part.parts[0] if part.parts else None
            # Directly below, Markdown without callouts reads a paragraph as one with the title: as it should.
            self.parts(part.parts, first_gap=LINE if isinstance(first, Paragraph) else PARAGRAPH)

    def _definition(self, entry: Definition) -> None:
        buffer = self.buffer
        with buffer.margin("  ", "- "):
            for term in entry.terms:
                buffer.gap(PARAGRAPH)
                with buffer.part(term):
                    text = spans_markdown(flatten(term.parts), self.options, line=" ")
                    buffer.write(escape_line_starts(text) if "*" in text else f"**{text}**" if text.strip() else "")
            for detail in entry.details:
                buffer.gap(PARAGRAPH)
                with buffer.part(detail):
                    self.parts(detail.parts)

    def _post(self, part: Post) -> None:
        """Write a post after its author and date. Each level below the post around it is one more quotation."""
        outer, self.post_level = self.post_level, part.level
        with ExitStack() as margins:
            for _ in range(min(part.level - outer, _MAX_POST_MARGINS)):
                margins.enter_context(self.buffer.margin("> "))
            author_line = byline(part)
            if author_line:
                self.buffer.write(f"**{escape_line_starts(spans_markdown((Text(author_line),), self.options))}**")
                self.buffer.gap(PARAGRAPH)
            self.post_depth += 1
            self.parts(part.parts)
            self.post_depth -= 1
        self.post_level = outer


def _numbered(parts: tuple[Part, ...]) -> set[Part]:
    """Return the paragraphs among parts that begin with numbers which follow each other from one on."""
    out: set[Part] = set()
    run: list[Part] = []
    for part in parts:
        first = part.spans[0] if isinstance(part, Paragraph) and part.spans else None
        match = _NUMBERED.match(first.text) if isinstance(first, Text) else None
        if match is None:
            continue
        if int(match[1]) != len(run) + 1:
            run = []
        if int(match[1]) == len(run) + 1:
            run.append(part)
        if len(run) > 1:
            out.update(run)
    return out


def _is_repeated(alt: str, caption: str) -> bool:
    """Tell whether a caption has the letters of the alternative text, or begins with them: one of them is enough."""
    key = alnum_key(alt)
    return bool(key) and (caption == key or (len(key) >= _MIN_REPEATED_CHARS and caption.startswith(key)))


def _is_short_name(cell: Cell) -> bool:
    """Tell whether a cell is a short name, whose line break only keeps its column narrow."""
    only = cell.parts[0] if len(cell.parts) == 1 else None
    return isinstance(only, Paragraph) and not only.verse and len(spans_text(flatten(cell.parts))) <= _MAX_SHORT_CELL


def _is_tight(item: Item) -> bool:
    """Tell whether an item is one paragraph, with or without lists below it."""
    first, *rest = item.parts or (None,)
    return isinstance(first, Paragraph | Figure | List | None) and all(isinstance(part, List) for part in rest)
