"""Markdown: CommonMark with tables, and with notes and formulas as GitHub and Pandoc write them."""

import re

from tamis.document.document import Document, flat
from tamis.document.parts import (
    Cell,
    Code,
    Definition,
    Definitions,
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
)
from tamis.render.dates import byline
from tamis.render.grid import grid
from tamis.render.markdown_spans import guarded, image_markdown, spans_markdown
from tamis.render.options import DEFAULT, RenderOptions
from tamis.render.writer import LINE, PARAGRAPH, Rendered, Writer


def render_markdown(document: Document, options: RenderOptions = DEFAULT, front: str = "") -> Rendered:
    r"""Return a document as Markdown, after `front` matter where there is some.

    >>> import tamis
    >>> html = "<h2>Tea</h2><ol><li>Boil <b>water</b>.<li>Wait.</ol>"
    >>> render_markdown(tamis.extract(html, extractor="body").document).text
    '## Tea\n\n1. Boil **water**.\n2. Wait.'
    """
    writer = Writer()
    if front:
        writer.write(front)
        writer.gap(PARAGRAPH)
    _Markdown(writer, options).parts(document.parts)
    return writer.rendered()


class _Markdown:
    def __init__(self, writer: Writer, options: RenderOptions) -> None:
        self.writer, self.options = writer, options
        self.others: set[Part] = set()  # lists that have the other mark
        self.threads = 0  # posts around

    def parts(self, parts: tuple[Part, ...], gap: int = PARAGRAPH) -> None:
        """Write parts one below the other."""
        before: Part | None = None
        for part in parts:
            self.writer.gap(gap)
            if isinstance(part, Post) and (isinstance(before, Post) or (self.threads and before is not None)):
                self.writer.write("---")
                self.writer.gap(PARAGRAPH)
            with self.writer.part(part):
                self.part(part, before)
            before = part
        self.writer.gap(gap)

    def part(self, part: Part, before: Part | None) -> None:  # noqa: C901, PLR0912 (one line a kind)
        """Write one part."""
        writer, options = self.writer, self.options
        match part:
            case Heading():
                text = spans_markdown(part.spans, options, line=" ")
                writer.write("#" * part.level + " " + re.sub(r"#$", r"\\#", text))
            case Paragraph():
                writer.write(guarded(spans_markdown(part.spans, options).rstrip(" ")))
            case List():
                self._list(part, before)
            case Table():
                if options.tables:
                    self._table(part)
            case Code():
                longest = max((len(run) for run in re.findall("`{3,}", part.text)), default=2)
                fence = "`" * (longest + 1)
                writer.write(f"{fence}{part.language}\n{part.text}\n{fence}")
            case Quote():
                with writer.margin("> "):
                    self.parts(part.parts)
            case Figure():
                self._figure(part)
            case Formula(tex=tex):
                writer.write(f"$$\n{tex}\n$$")
            case Footnote():
                with writer.margin("    ", f"[^{part.label}]: "):
                    self.parts(part.parts)
            case Definitions():
                for entry in part.entries:
                    writer.gap(PARAGRAPH)
                    with writer.part(entry):
                        self._definition(entry)
            case Post():
                self._post(part)
            case Rule():
                writer.write("---")
            case _:  # an item or a cell, where a page has one outside of a list or table
                pass

    def _list(self, part: List, before: Part | None) -> None:
        writer = self.writer
        tight = all(_tight(item) for item in part.items)
        # Two lists in a row would be read as one: the second has another mark.
        again = isinstance(before, List) and before.ordered == part.ordered and before not in self.others
        if again:
            self.others.add(part)
        for number, item in enumerate(part.items, part.start):
            mark = f"{number}{')' if again else '.'} " if part.ordered else "* " if again else "- "
            writer.gap(LINE if tight else PARAGRAPH)
            with writer.part(item), writer.margin(" " * len(mark), mark):
                self.parts(item.parts, LINE if tight else PARAGRAPH)

    def _table(self, part: Table) -> None:
        writer = self.writer
        if part.caption:
            writer.write(guarded(spans_markdown(part.caption, self.options)))
            writer.gap(PARAGRAPH)
        rows = grid(part)
        if not rows:
            return
        width = max(len(row) for row in rows)
        if not part.rows[0].header:
            writer.write("|" + "  |" * width + "\n|" + " --- |" * width)
            writer.gap(LINE)
        for number, (row, cells) in enumerate(zip(part.rows, rows, strict=True)):
            writer.gap(LINE)
            with writer.part(row):
                writer.write("|")
                for cell in [*cells, *[None] * (width - len(cells))]:
                    self._cell(cell)
            if number == 0 and part.rows[0].header:
                writer.write("\n|" + " --- |" * width)

    def _cell(self, cell: Cell | None) -> None:
        writer = self.writer
        text = ""
        if cell is not None:
            text = (
                spans_markdown(flat(cell.parts), self.options, line="<br>").replace("|", "\\|").replace("\n", "<br>")
            )
        writer.raw(" ")
        if cell is not None and text:
            with writer.part(cell):
                writer.raw(text)
        writer.raw(" |")

    def _figure(self, part: Figure) -> None:
        if self.options.images and part.images:
            self.writer.write("\n".join(image_markdown(image) for image in part.images))
            self.writer.gap(PARAGRAPH)
        self.parts(part.parts)
        if part.caption:
            self.writer.write(guarded(spans_markdown(part.caption, self.options)))

    def _definition(self, entry: Definition) -> None:
        writer = self.writer
        with writer.margin("  ", "- "):
            for term in entry.terms:
                writer.gap(PARAGRAPH)
                with writer.part(term):
                    text = spans_markdown(flat(term.parts), self.options, line=" ")
                    writer.write(guarded(text) if "*" in text else f"**{text}**" if text.strip() else "")
            for detail in entry.details:
                writer.gap(PARAGRAPH)
                with writer.part(detail):
                    self.parts(detail.parts)

    def _post(self, part: Post) -> None:
        said = byline(part) if self.options.with_metadata else ""
        if said:
            self.writer.write(f"**{guarded(said)}**")
            self.writer.gap(PARAGRAPH)
        self.threads += 1
        self.parts(part.parts)
        self.threads -= 1


def _tight(item: Item) -> bool:
    """Whether an item is a line of text, with lists below it or without."""
    first, *rest = item.parts or (None,)
    return isinstance(first, Paragraph | Figure | List | None) and all(isinstance(part, List) for part in rest)
