"""Clean HTML: the document's structure, without anything that runs, tracks or styles."""

from html import escape
from typing import Final

from tamis.document.document import Document
from tamis.document.parts import (
    Cell,
    Code,
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
from tamis.document.spans import CodeSpan, Emphasis, FormulaSpan, Image, LineBreak, Link, Ruby, Span, Text
from tamis.html.urls import safe_url
from tamis.render.dates import byline
from tamis.render.options import DEFAULT, RenderOptions
from tamis.render.writer import Rendered, Writer

__all__ = ["render_html", "safe_url", "spans_html"]

_TAGS: Final = frozenset({"em", "strong", "del", "ins", "sub", "sup", "mark", "q"})


def render_html(document: Document, options: RenderOptions = DEFAULT, head: str = "") -> Rendered:
    """Return a document as HTML; with a `head`, as a whole page.

    >>> import tamis
    >>> html = '<div onclick="x()"><p>Hi <a href="/a" class="b">you</a></p></div><script>y()</script>'
    >>> render_html(tamis.extract(html, "https://example.org/", extractor="body").document).text
    '<p>Hi <a href="https://example.org/a">you</a></p>'
    """
    writer = Writer()
    lang = f' lang="{escape(document.language)}"' if document.language else ""
    if head:
        writer.raw(f'<!doctype html>\n<html{lang} dir="{document.direction}">{head}<body>')
    elif document.direction == "rtl" and document.parts:
        writer.raw(f'<div dir="rtl"{lang}>')
    _Html(writer, options).parts(document.parts)
    if head:
        writer.raw("</body></html>")
    elif document.direction == "rtl" and document.parts:
        writer.raw("</div>")
    return writer.rendered()


class _Html:
    def __init__(self, writer: Writer, options: RenderOptions) -> None:
        self.writer, self.options = writer, options

    def parts(self, parts: tuple[Part, ...]) -> None:
        """Write parts one after another."""
        for part in parts:
            if isinstance(part, Table) and not self.options.tables:
                continue
            with self.writer.part(part):
                self.part(part)

    def part(self, part: Part) -> None:  # noqa: C901, PLR0912 (one line a kind)
        """Write one part."""
        raw, options = self.writer.raw, self.options
        match part:
            case Heading():
                raw(f"<h{part.level}>{spans_html(part.spans, options)}</h{part.level}>")
            case Paragraph():
                raw(('<p class="verse">' if part.verse else "<p>") + spans_html(part.spans, options) + "</p>")
            case Code():
                language = f' class="language-{escape(part.language)}"' if part.language else ""
                raw(f"<pre><code{language}>{escape(part.text, quote=False)}</code></pre>")
            case Formula(tex=tex):
                raw(f'<p class="math">\\[{escape(tex, quote=False)}\\]</p>')
            case Rule():
                raw("<hr>")
            case List():
                start = f' start="{part.start}"' if part.ordered and part.start != 1 else ""
                self._around("ol" if part.ordered else "ul", start, part.items)
            case Item():
                raw("<li>")
                self.flow(part.parts)
                raw("</li>")
            case Quote():
                self._around("blockquote", f' cite="{escape(part.cite)}"' if part.cite else "", part.parts)
            case Figure():
                self._figure(part)
            case Footnote():
                self._around("div", f' class="footnote" id="fn-{escape(part.label)}"', part.parts)
            case Post():
                facts = {"author": part.author, "date": part.date, "level": str(part.level)}
                given = "".join(f' data-{name}="{escape(value)}"' for name, value in facts.items() if value)
                self._post(part, given)
            case Definitions():
                self._definitions(part)
            case Table():
                self._table(part)
            case _:
                pass

    def _post(self, part: Post, given: str) -> None:
        raw = self.writer.raw
        raw(f'<article class="post"{given}>')
        said = byline(part) if self.options.with_metadata else ""
        if said:
            raw(f'<p class="byline">{escape(said, quote=False)}</p>')
        self.parts(part.parts)
        raw("</article>")

    def flow(self, parts: tuple[Part, ...]) -> None:
        """Write what an item or cell holds; a first line needs no paragraph where only lists follow it."""
        first, *rest = parts or (None,)
        if isinstance(first, Paragraph) and all(isinstance(part, List) for part in rest):
            with self.writer.part(first):
                self.writer.raw(spans_html(first.spans, self.options))
            parts = tuple(rest)
        self.parts(parts)

    def _around(self, name: str, given: str, parts: tuple[Part, ...]) -> None:
        self.writer.raw(f"<{name}{given}>")
        self.parts(parts)
        self.writer.raw(f"</{name}>")

    def _figure(self, part: Figure) -> None:
        raw = self.writer.raw
        images = "".join(_image(image) for image in part.images) if self.options.images else ""
        if not images and not part.parts and not part.caption:
            return
        raw(f"<figure>{images}")
        self.parts(part.parts)
        if part.caption:
            raw(f"<figcaption>{spans_html(part.caption, self.options)}</figcaption>")
        raw("</figure>")

    def _definitions(self, part: Definitions) -> None:
        raw = self.writer.raw
        raw("<dl>")
        for entry in part.entries:
            with self.writer.part(entry):
                for name, items in (("dt", entry.terms), ("dd", entry.details)):
                    for item in items:
                        with self.writer.part(item):
                            raw(f"<{name}>")
                            self.flow(item.parts)
                            raw(f"</{name}>")
        raw("</dl>")

    def _table(self, part: Table) -> None:
        raw = self.writer.raw
        raw("<table>")
        if part.caption:
            raw(f"<caption>{spans_html(part.caption, self.options)}</caption>")
        heads = next((k for k, row in enumerate(part.rows) if not row.header), len(part.rows))
        for name, rows in (("thead", part.rows[:heads]), ("tbody", part.rows[heads:])):
            if rows:
                raw(f"<{name}>")
                for row in rows:
                    with self.writer.part(row):
                        self._row(row)
                raw(f"</{name}>")
        raw("</table>")

    def _row(self, row: Row) -> None:
        raw = self.writer.raw
        raw("<tr>")
        for cell in row.cells:
            with self.writer.part(cell):
                name = "th" if cell.header else "td"
                raw(f"<{name}{_spans_of(cell)}>")
                self.flow(cell.parts)
                raw(f"</{name}>")
        raw("</tr>")


def _spans_of(cell: Cell) -> str:
    columns = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    rows = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    return columns + rows


def spans_html(spans: tuple[Span, ...], options: RenderOptions = DEFAULT) -> str:
    """Return spans as HTML.

    >>> spans_html((Text("a < b"), Emphasis("sub", (Text("1"),))))
    'a &lt; b<sub>1</sub>'
    """
    return "".join(_span(span, options) for span in spans)


def _span(span: Span, options: RenderOptions) -> str:  # noqa: PLR0911 (one line a kind)
    match span:
        case Text(text):
            return escape(text, quote=False)
        case LineBreak():
            return "<br>"
        case CodeSpan(text):
            return f"<code>{escape(text, quote=False)}</code>"
        case FormulaSpan(tex):
            return f'<span class="math">\\({escape(tex, quote=False)}\\)</span>'
        case Ruby(base, reading):
            return f"<ruby>{escape(base)}<rp>(</rp><rt>{escape(reading)}</rt><rp>)</rp></ruby>"
        case Image():
            return _image(span) if options.images else ""
        case Emphasis(kind, inner):
            text = spans_html(inner, options)
            return f"<{kind}>{text}</{kind}>" if kind in _TAGS and text else text
        case Link():
            return _link(span, options)


def _link(span: Link, options: RenderOptions) -> str:
    text = spans_html(span.spans, options)
    label = escape(span.label)
    if span.kind == "note":
        place = f' id="fnref-{label}"' if span.href else ""
        return f'<a href="#fn-{label}"{place} role="doc-noteref">{text}</a>'
    if span.kind == "back":
        return f'<a href="#fnref-{label}" role="doc-backlink">{text}</a>'
    return f'<a href="{escape(span.href)}">{text}</a>' if options.links and text else text


def _image(image: Image) -> str:
    size = "".join(
        f' {name}="{value}"' for name, value in (("width", image.width), ("height", image.height)) if value
    )
    return f'<img src="{escape(image.src)}" alt="{escape(image.alt)}"{size}>'
