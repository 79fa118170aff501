"""XML: a small, valid part of TEI, the format of those who edit and study texts.

Headings open divisions, as TEI wants it; a division holds its blocks first and its divisions after them.
"""

from typing import Final

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
    Row,
    Rule,
    Table,
)
from tamis.document.spans import LineBreak, Span, plain
from tamis.render.dates import machine_date
from tamis.render.options import DEFAULT, RenderOptions
from tamis.render.writer import Rendered, Writer
from tamis.render.xml_spans import clean, given, note_id, spans_xml

_DEEPER: Final = 7  #: the level of a division that goes on after another one: any heading ends it


def render_xml(
    document: Document, header: str, options: RenderOptions = DEFAULT, after: "tuple[Part, ...]" = ()
) -> Rendered:
    """Return a document as TEI; `header` is its ``teiHeader``, `after` are the comments."""
    writer = Writer()
    lang = given(xml__lang=document.language)
    writer.raw('<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">')
    writer.raw(f"{header}<text{lang}><body>")
    tei = _Tei(writer, options)
    if document.parts or not after:
        writer.raw("<div>")
        tei.division(document.parts)
        writer.raw("</div>")
    if after:
        writer.raw('<div type="comments">')
        tei.division(after)
        writer.raw("</div>")
    writer.raw("</body></text></TEI>\n")
    return writer.rendered()


class _Tei:
    def __init__(self, writer: Writer, options: RenderOptions) -> None:
        self.writer, self.options = writer, options

    def division(self, parts: tuple[Part, ...]) -> None:
        """Write parts as the content of a division, with a division for each heading."""
        raw = self.writer.raw
        levels: list[int] = []
        divided = False  # a division has ended here: blocks need one of their own
        for part in parts:
            if isinstance(part, Heading):
                while levels and levels[-1] >= part.level:
                    levels.pop()
                    raw("</div>")
                raw(f'<div type="section" n="{part.level}">')
                levels.append(part.level)
                divided = False
                with self.writer.part(part):
                    raw(f"<head>{spans_xml(part.spans, self.options)}</head>")
                continue
            if isinstance(part, Post):
                if levels and levels[-1] == _DEEPER:
                    levels.pop()
                    raw("</div>")
                with self.writer.part(part):
                    self._post(part)
                divided = True
                continue
            if divided:
                raw("<div>")
                levels.append(_DEEPER)
                divided = False
            self.block(part)
        raw("</div>" * len(levels))

    def _post(self, part: Post) -> None:
        raw = self.writer.raw
        raw(f'<div type="post" n="{part.level}">')
        raw(_byline(part))
        self.division(part.parts)
        raw("</div>")

    def blocks(self, parts: tuple[Part, ...]) -> None:
        """Write parts where no division can be."""
        for part in parts:
            self.block(part)

    def block(self, part: Part) -> None:  # noqa: C901, PLR0912 (one line a kind)
        """Write one part."""
        raw, options = self.writer.raw, self.options
        if isinstance(part, Table) and not options.tables:
            return
        with self.writer.part(part):
            match part:
                case Heading():
                    raw(f'<ab type="heading" n="{part.level}">{spans_xml(part.spans, options)}</ab>')
                case Paragraph():
                    self._paragraph(part)
                case Code():
                    raw(f'<ab type="code"><code{given(lang=part.language)} xml:space="preserve">')
                    raw(f"{clean(part.text)}</code></ab>")
                case Formula(tex=tex):
                    raw(f'<p><formula notation="TeX" rend="display">{clean(tex)}</formula></p>')
                case Rule():
                    raw('<milestone unit="section" rend="rule"/>')
                case Quote():
                    raw(f"<quote{given(source=part.cite)}>")
                    self.blocks(part.parts)
                    raw("</quote>")
                case Footnote():
                    raw(f'<note place="foot"{given(n=part.label, xml__id=note_id(part.label))}>')
                    self.blocks(part.parts)
                    raw("</note>")
                case Post():
                    self.blocks(part.parts)
                case List():
                    raw(f'<list rend="{"numbered" if part.ordered else "bulleted"}">')
                    for number, item in enumerate(part.items, part.start):
                        self._holder("item", item, given(n=number if part.ordered else None))
                    raw("</list>")
                case Definitions():
                    raw('<list type="gloss">')
                    for entry in part.entries:
                        self._definition(entry)
                    raw("</list>")
                case Figure():
                    self._figure(part)
                case Table():
                    self._table(part)
                case _:
                    pass

    def _paragraph(self, part: Paragraph) -> None:
        if not part.verse:
            self.writer.raw(f"<p>{spans_xml(part.spans, self.options)}</p>")
            return
        lines: list[list[Span]] = [[]]
        for span in part.spans:
            if isinstance(span, LineBreak):
                lines.append([])
            else:
                lines[-1].append(span)
        self.writer.raw(
            "<lg>" + "".join(f"<l>{spans_xml(tuple(line), self.options)}</l>" for line in lines) + "</lg>"
        )

    def _holder(self, name: str, part: Item | Cell, attributes: str = "") -> None:
        """Write an item or a cell: a line of text as it is, anything more as blocks."""
        raw = self.writer.raw
        with self.writer.part(part):
            raw(f"<{name}{attributes}>")
            only = part.parts[0] if len(part.parts) == 1 else None
            if isinstance(only, Paragraph) and not only.verse:
                with self.writer.part(only):
                    raw(spans_xml(only.spans, self.options))
            else:
                self.blocks(part.parts)
            raw(f"</{name}>")

    def _definition(self, entry: Definition) -> None:
        raw = self.writer.raw
        with self.writer.part(entry):
            raw(f"<label>{spans_xml(flat(entry.terms), self.options)}</label>")
            if len(entry.details) == 1:
                self._holder("item", entry.details[0])
                return
            raw("<item>")
            for detail in entry.details:
                with self.writer.part(detail):
                    self.blocks(detail.parts)
            raw("</item>")

    def _figure(self, part: Figure) -> None:
        raw = self.writer.raw
        images = part.images if self.options.images else ()
        if not images and not part.parts and not part.caption:
            return
        raw("<figure>")
        if part.caption:
            raw(f"<head>{spans_xml(part.caption, self.options)}</head>")
        self.blocks(part.parts)
        for image in images:
            raw(f"<graphic{given(url=image.src, width=_px(image.width), height=_px(image.height))}/>")
            if image.alt:
                raw(f"<figDesc>{clean(image.alt)}</figDesc>")
        raw("</figure>")

    def _table(self, part: Table) -> None:
        raw = self.writer.raw
        raw("<table>")
        if part.caption:
            raw(f"<head>{spans_xml(part.caption, self.options)}</head>")
        for row in part.rows:
            self._row(row)
        raw("</table>")

    def _row(self, row: Row) -> None:
        raw = self.writer.raw
        with self.writer.part(row):
            raw(f"<row{given(role='label' if row.header else None)}>")
            for cell in row.cells:
                spans = given(
                    role="label" if cell.header else None,
                    cols=cell.columns if cell.columns > 1 else None,
                    rows=cell.rows if cell.rows > 1 else None,
                )
                self._holder("cell", cell, spans)
            raw("</row>")


def _byline(part: Post) -> str:
    """Return who wrote a post and when; what its text says itself is not said twice, but named for machines."""
    if not (part.author or part.date):
        return ""
    shown = plain(flat(tuple(one for one in part.parts if not isinstance(one, Post))))
    out = ""
    if part.author:
        out += f"<name{given(key=part.author)}/>" if part.author in shown else f"<name>{clean(part.author)}</name>"
    if part.date:
        when = machine_date(part.date)
        out += f"<date{given(when=when)}/>" if when else f"<date>{clean(part.date)}</date>"
    return f"<byline>{out}</byline>"


def _px(size: int | None) -> str | None:
    return f"{size}px" if size else None
