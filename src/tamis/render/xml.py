"""XML: a small, valid subset of TEI, the format of text editors and scholars.

TEI puts headings at the start of divisions, and all blocks of a division before its subdivisions.
"""

import re
from html import escape
from typing import Final

from tamis.document.parts import (
    Callout,
    Cell,
    Code,
    CodeSpan,
    Definition,
    Definitions,
    Details,
    Document,
    Emphasis,
    Figure,
    Footnote,
    Formula,
    FormulaSpan,
    Heading,
    Image,
    Item,
    LineBreak,
    Link,
    List,
    Paragraph,
    Part,
    Post,
    Quote,
    Row,
    Ruby,
    Rule,
    Span,
    Table,
    Text,
    flatten,
)
from tamis.metadata.fields import Metadata
from tamis.render.content import Content
from tamis.render.front_matter import display_date, xml_date
from tamis.render.registry import DEFAULT, Rendered, RenderOptions, TextBuffer
from tamis.render.shown import figure_caption, restore_originals, shown_document

_CONTROL_CHARS: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def escape_xml(text: str) -> str:
    """Return text escaped for XML, without the control characters that XML forbids."""
    return escape(_CONTROL_CHARS.sub("", text), quote=False)


def _escape_attribute(value: str) -> str:
    """Return the value of an attribute. White space is written as references, or a parser would make it spaces."""
    text = escape_xml(value).replace('"', "&quot;")
    return text.replace("\n", "&#10;").replace("\r", "&#13;").replace("\t", "&#9;")


def attributes(**values: object) -> str:
    """Return XML attributes, without those that have no value. ``xml__id`` stands for ``xml:id``.

    >>> attributes(rend="h2", n=None)
    ' rend="h2"'
    """
    return "".join(
        f' {name.rstrip("_").replace("__", ":")}="{_escape_attribute(str(value))}"'
        for name, value in values.items()
        if value not in {None, ""}
    )


def note_id(label: str, prefix: str = "fn") -> str:
    """Return a valid XML identifier for a footnote, or for the reference to one.

    >>> note_id("1"), note_id("*")
    ('fn-1', 'fn-x2a')
    """
    return f"{prefix}-" + re.sub(r"[^A-Za-z0-9-]", lambda match: f"x{ord(match[0]):x}", label)


def spans_xml(spans: tuple[Span, ...], options: RenderOptions) -> str:
    """Return spans as TEI.

    >>> spans_xml((Text("a & "), Emphasis("strong", (Text("b"),))), RenderOptions())
    'a &amp; <hi rend="strong">b</hi>'
    """
    return "".join(_span(span, options) for span in spans)


def _span(span: Span, options: RenderOptions) -> str:  # noqa: PLR0911 (one case per span type)
    match span:
        case Text(text):
            return escape_xml(text)
        case LineBreak():
            return "<lb/>"
        case CodeSpan(text):
            return f"<code>{escape_xml(text)}</code>"
        case FormulaSpan(tex):
            return f'<formula notation="TeX">{escape_xml(tex)}</formula>'
        case Ruby(base, reading):
            return f"<ruby><rb>{escape_xml(base)}</rb><rt>{escape_xml(reading)}</rt></ruby>"
        case Image():
            return _graphic(span) if options.images else ""
        case Emphasis(tag, inner):
            return f'<hi rend="{tag}">{spans_xml(inner, options)}</hi>'
        case Link():
            return _ref(span, options)


def _graphic(image: Image) -> str:
    description = f"><desc>{escape_xml(image.alt)}</desc></graphic>" if image.alt else "/>"
    return f"<graphic{attributes(url=image.src)}{description}"


def _ref(link: Link, options: RenderOptions) -> str:
    text = spans_xml(link.spans, options)
    if link.role == "noteref":
        identifier = f' xml:id="{note_id(link.label, "fnref")}"' if link.href else ""  # the target of the backlink
        return f'<ref type="note"{identifier} target="#{note_id(link.label)}">{text}</ref>'
    if link.role == "backlink":
        return f'<ref type="back" target="#{note_id(link.label, "fnref")}">{text}</ref>'
    return f"<ref{attributes(target=options.url(link.href))}>{text}</ref>" if options.links else text


# The header.


def tei_header(metadata: Metadata) -> str:
    """Return metadata as a ``teiHeader``."""
    title = f"<title>{escape_xml(metadata.title or 'Untitled')}</title>"
    authors = "".join(f"<author>{escape_xml(name)}</author>" for name in metadata.authors)
    profile = _tei_profile(metadata)
    return (
        f"<teiHeader><fileDesc><titleStmt>{title}{authors}</titleStmt>"
        f"<publicationStmt>{_tei_publication(metadata)}</publicationStmt>"
        f"<sourceDesc><p>{_tei_source(metadata)}</p></sourceDesc></fileDesc>"
        + (f"<profileDesc>{profile}</profileDesc>" if profile else "")
        + "</teiHeader>"
    )


def _tei_publication(metadata: Metadata) -> str:
    if not metadata.site:
        return "<p>A page of the World Wide Web.</p>"
    out = f"<publisher>{escape_xml(metadata.site)}</publisher>"
    if metadata.license:
        out += f"<availability><licence>{escape_xml(metadata.license)}</licence></availability>"
    if metadata.date:
        out += f"<date{attributes(when=metadata.date)}>{escape_xml(metadata.date)}</date>"
    return out


def _tei_source(metadata: Metadata) -> str:
    url = metadata.canonical or metadata.url
    return f"<ref{attributes(target=url)}>{escape_xml(url)}</ref>" if url else "A web page."


def _tei_profile(metadata: Metadata) -> str:
    out = ""
    if metadata.description:
        out += f"<abstract><p>{escape_xml(metadata.description)}</p></abstract>"
    language = metadata.language
    if language:
        out += f"<langUsage><language{attributes(ident=language)}>{escape_xml(language)}</language></langUsage>"
    if metadata.tags:
        terms = "".join(f"<term>{escape_xml(tag)}</term>" for tag in metadata.tags)
        out += f"<textClass><keywords>{terms}</keywords></textClass>"
    return out


# The parts of a document as TEI.

_UNTITLED_LEVEL: Final = 7  #: of a division without a heading: any heading ends it


def write_xml(content: Content, options: RenderOptions) -> Rendered:
    """Return an extraction as TEI. Its header has the title and URL, or all metadata if the options ask for it."""
    metadata = content.metadata if options.with_metadata else Metadata(title=content.title, url=content.url)
    comments = content.comments_document.parts if options.comments else ()
    document, originals = shown_document(content, options.replace(comments=False))
    return restore_originals(render_xml(document, tei_header(metadata), options, comments), originals)


def render_xml(
    document: Document, header: str, options: RenderOptions = DEFAULT, comments: "tuple[Part, ...]" = ()
) -> Rendered:
    """Return a document as TEI; `header` is its ``teiHeader``."""
    buffer = TextBuffer()
    lang = attributes(xml__lang=document.language)
    buffer.raw('<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="http://www.tei-c.org/ns/1.0">')
    buffer.raw(f"{header}<text{lang}><body>")
    writer = _TeiWriter(buffer, options)
    if document.parts or not comments:
        buffer.raw("<div>")
        writer.division(document.parts)
        buffer.raw("</div>")
    if comments:
        buffer.raw('<div type="comments">')
        writer.division(comments)
        buffer.raw("</div>")
    buffer.raw("</body></text></TEI>\n")
    return buffer.rendered()


class _TeiWriter:
    def __init__(self, buffer: TextBuffer, options: RenderOptions) -> None:
        self.buffer, self.options = buffer, options

    def division(self, parts: tuple[Part, ...]) -> None:
        """Write parts as the content of a division, with a subdivision for each heading."""
        raw = self.buffer.raw
        levels: list[int] = []
        after_division = False  # blocks after a subdivision need a division
        for part in parts:
            if isinstance(part, Heading):
                while levels and levels[-1] >= part.level:
                    levels.pop()
                    raw("</div>")
                raw(f'<div type="section" n="{part.level}">')
                levels.append(part.level)
                after_division = False
                with self.buffer.part(part):
                    raw(f"<head>{spans_xml(part.spans, self.options)}</head>")
                continue
            if isinstance(part, Post):
                if levels and levels[-1] == _UNTITLED_LEVEL:
                    levels.pop()
                    raw("</div>")
                with self.buffer.part(part):
                    self._post(part)
                after_division = True
                continue
            if after_division:
                raw("<div>")
                levels.append(_UNTITLED_LEVEL)
                after_division = False
            self.block(part)
        raw("</div>" * len(levels))

    def _post(self, part: Post) -> None:
        raw = self.buffer.raw
        raw(f'<div type="post" n="{part.level}">')
        raw(_byline(part))
        self.division(part.parts)
        raw("</div>")

    def blocks(self, parts: tuple[Part, ...]) -> None:
        """Write parts where TEI allows no division."""
        for part in parts:
            self.block(part)

    def block(self, part: Part) -> None:  # noqa: C901, PLR0912 (one case per part type)
        """Write one part."""
        raw, options = self.buffer.raw, self.options
        if isinstance(part, Table) and not options.tables:
            return
        with self.buffer.part(part):
            match part:
                case Heading():
                    raw(f'<ab type="heading" n="{part.level}">{spans_xml(part.spans, options)}</ab>')
                case Paragraph():
                    self._paragraph(part)
                case Code():
                    raw(f'<ab type="code"><code{attributes(lang=part.language)} xml:space="preserve">')
                    raw(f"{escape_xml(part.text)}</code></ab>")
                case Formula(tex=tex):
                    raw(f'<p><formula notation="TeX" rend="display">{escape_xml(tex)}</formula></p>')
                case Rule():
                    raw('<milestone unit="section" rend="rule"/>')
                case Quote():
                    raw(f"<quote{attributes(source=part.cite)}>")
                    self.blocks(part.parts)
                    raw("</quote>")
                case Callout() | Details():
                    self._callout(part)
                case Footnote():
                    raw(f'<note place="foot"{attributes(n=part.label, xml__id=note_id(part.label))}>')
                    self.blocks(part.parts)
                    raw("</note>")
                case Post():
                    self.blocks(part.parts)
                case List():
                    raw(f'<list rend="{"numbered" if part.ordered else "bulleted"}">')
                    for number, item in enumerate(part.items, part.start):
                        self._item_or_cell("item", item, attributes(n=number if part.ordered else None))
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
            self.buffer.raw(f"<p>{spans_xml(part.spans, self.options)}</p>")
            return
        lines: list[list[Span]] = [[]]
        for span in part.spans:
            if isinstance(span, LineBreak):
                lines.append([])
            else:
                lines[-1].append(span)
        self.buffer.raw(
            "<lg>" + "".join(f"<l>{spans_xml(tuple(line), self.options)}</l>" for line in lines) + "</lg>"
        )

    def _callout(self, part: Callout | Details) -> None:
        if isinstance(part, Callout):
            title, values = part.title, attributes(type="callout", subtype=part.type)
        else:
            title, values = part.summary, attributes(type="details")
        self.buffer.raw(f"<note{values}>")
        if title:
            self.buffer.raw(f'<ab type="title">{spans_xml(title, self.options)}</ab>')
        self.blocks(part.parts)
        self.buffer.raw("</note>")

    def _item_or_cell(self, name: str, part: Item | Cell, attributes: str = "") -> None:
        """Write an item or a cell: a single paragraph as its text, anything else as blocks."""
        raw = self.buffer.raw
        with self.buffer.part(part):
            raw(f"<{name}{attributes}>")
            only = part.parts[0] if len(part.parts) == 1 else None
            if isinstance(only, Paragraph) and not only.verse:
                with self.buffer.part(only):
                    raw(spans_xml(only.spans, self.options))
            else:
                self.blocks(part.parts)
            raw(f"</{name}>")

    def _definition(self, entry: Definition) -> None:
        raw = self.buffer.raw
        with self.buffer.part(entry):
            raw(f"<label>{spans_xml(flatten(entry.terms), self.options)}</label>")
            if len(entry.details) == 1:
                self._item_or_cell("item", entry.details[0])
                return
            raw("<item>")
            for detail in entry.details:
                with self.buffer.part(detail):
                    self.blocks(detail.parts)
            raw("</item>")

    def _figure(self, part: Figure) -> None:
        raw = self.buffer.raw
        images = part.images if self.options.images else ()
        caption = figure_caption(part, self.options)
        if not images and not part.parts and not caption:
            return
        raw("<figure>")
        if caption:
            raw(f"<head>{spans_xml(caption, self.options)}</head>")
        self.blocks(part.parts)
        for image in images:
            raw(f"<graphic{attributes(url=image.src, width=_pixels(image.width), height=_pixels(image.height))}/>")
            if image.alt:
                raw(f"<figDesc>{escape_xml(image.alt)}</figDesc>")
        raw("</figure>")

    def _table(self, part: Table) -> None:
        raw = self.buffer.raw
        raw("<table>")
        if part.caption:
            raw(f"<head>{spans_xml(part.caption, self.options)}</head>")
        for row in part.rows:
            self._row(row)
        raw("</table>")

    def _row(self, row: Row) -> None:
        raw = self.buffer.raw
        with self.buffer.part(row):
            raw(f"<row{attributes(role='label' if row.header else None)}>")
            for cell in row.cells:
                spans = attributes(
                    role="label" if cell.header else None,
                    cols=cell.columns if cell.columns > 1 else None,
                    rows=cell.rows if cell.rows > 1 else None,
                )
                self._item_or_cell("cell", cell, spans)
            raw("</row>")


def _byline(part: Post) -> str:
    """Return the author, the date, the votes and the URL of a post."""
    if not (part.author or part.date):
        return ""
    out = f"<name>{escape_xml(part.author)}</name>" if part.author else ""
    if part.date:
        when = xml_date(part.date)
        out += f"<date{attributes(when=when)}>{escape_xml(display_date(part.date))}</date>"
    if part.votes is not None:
        out += f"<num{attributes(type='votes', value=part.votes)}/>"
    if part.permalink:
        out += f"<ref{attributes(target=part.permalink)}/>"
    return f"<byline>{out}</byline>"


def _pixels(size: int | None) -> str | None:
    return f"{size}px" if size else None
