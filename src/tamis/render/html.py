"""HTML: the structure of the document, without scripts, trackers and styles."""

from html import escape
from typing import Final

from tamis.document.parts import (
    BYLINE_SEPARATOR,
    Callout,
    Cell,
    Code,
    CodeSpan,
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
)
from tamis.render.content import Content
from tamis.render.front_matter import display_date, display_votes, html_head, xml_date
from tamis.render.original import original_html
from tamis.render.registry import DEFAULT, Rendered, RenderOptions, TextBuffer
from tamis.render.shown import figure_caption, restore_originals, shown_document

_EMPHASIS_TAGS: Final = frozenset({"em", "strong", "del", "ins", "sub", "sup", "mark", "q"})


def write_html(content: Content, options: RenderOptions) -> Rendered:
    """Return an extraction as HTML, as a complete page with a ``head`` if the options ask for metadata."""
    head = html_head(content.metadata) if options.with_metadata else ""
    if options.structure == "original" and content.selection.metadata_fallback is None:
        body = original_html(content.page, content.selection.mask, content.url, options)
        body = _missing_title(content, options) + body
        return Rendered(f"<!doctype html>\n<html>{head}<body>{body}</body></html>" if head else body, {})
    document, originals = shown_document(content, options)
    return restore_originals(render_html(document, options, head), originals)


def _missing_title(content: Content, options: RenderOptions) -> str:
    """Return the title as a heading, if the options ask for it and the content does not begin with it.

    By default no title: the original structure has nothing that the selection has not.
    """
    document = shown_document(content, options.replace(comments=False), title=False)[0]
    if len(document.parts) == len(content.document.parts):
        return ""
    return f"<h1>{escape(content.title or '', quote=False)}</h1>"


def render_html(document: Document, options: RenderOptions = DEFAULT, head: str = "") -> Rendered:
    """Return a document as HTML, as a complete page if there is a `head`.

    >>> import tamis
    >>> html = '<div onclick="x()"><p>Hi <a href="/a" class="b">you</a></p></div><script>y()</script>'
    >>> render_html(tamis.extract(html, "https://example.org/", extractor="body").document).text
    '<p>Hi <a href="https://example.org/a">you</a></p>'
    """
    buffer = TextBuffer()
    lang = f' lang="{escape(document.language)}"' if document.language else ""
    if head:
        buffer.raw(f'<!doctype html>\n<html{lang} dir="{document.direction}">{head}<body>')
    elif document.direction == "rtl" and document.parts:
        buffer.raw(f'<div dir="rtl"{lang}>')
    _HtmlWriter(buffer, options).parts(document.parts)
    if head:
        buffer.raw("</body></html>")
    elif document.direction == "rtl" and document.parts:
        buffer.raw("</div>")
    return buffer.rendered()


class _HtmlWriter:
    def __init__(self, buffer: TextBuffer, options: RenderOptions) -> None:
        self.buffer, self.options = buffer, options

    def parts(self, parts: tuple[Part, ...]) -> None:
        """Write parts in order."""
        for part in parts:
            if isinstance(part, Table) and not self.options.tables:
                continue
            with self.buffer.part(part):
                self.part(part)

    def part(self, part: Part) -> None:  # noqa: C901, PLR0912 (one case per part type)
        """Write one part."""
        raw, options = self.buffer.raw, self.options
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
                self._element("ol" if part.ordered else "ul", start, part.items)
            case Item():
                box = "" if part.checked is None else f'<input type="checkbox" disabled{" checked" * part.checked}> '
                raw(f"<li>{box}")
                self.flow_content(part.parts)
                raw("</li>")
            case Quote():
                self._element("blockquote", f' cite="{escape(part.cite)}"' if part.cite else "", part.parts)
            case Callout():
                self._callout(part)
            case Details():
                raw(f"<details><summary>{spans_html(part.summary, options)}</summary>")
                self.parts(part.parts)
                raw("</details>")
            case Figure():
                self._figure(part)
            case Footnote():
                self._element("div", f' class="footnote" id="fn-{escape(part.label)}"', part.parts)
            case Post():
                self._post(part)
            case Definitions():
                self._definitions(part)
            case Table():
                self._table(part)
            case _:
                pass

    def _post(self, part: Post) -> None:
        raw = self.buffer.raw
        raw(f'<article class="post" data-level="{part.level}">')
        author = f'<span class="author">{escape(part.author, quote=False)}</span>' if part.author else ""
        author += f' <span class="handle">{escape(part.handle, quote=False)}</span>' if part.handle else ""
        date = escape(display_date(part.date or ""), quote=False)
        if part.permalink and self.options.links:
            date = f'<a href="{escape(part.permalink)}">{date or "#"}</a>'
        if part.date:
            when = xml_date(part.date)
            date = f'<time datetime="{when}">{date}</time>' if when else f"<time>{date}</time>"
        if author or date:
            votes = display_votes(part.votes) and f'<span class="votes">{display_votes(part.votes)}</span>'
            raw(f'<p class="byline">{BYLINE_SEPARATOR.join(filter(None, (author, date, votes)))}</p>')
        self.parts(part.parts)
        raw("</article>")

    def flow_content(self, parts: tuple[Part, ...]) -> None:
        """Write what an item or cell contains. A first paragraph needs no ``p`` if only lists follow it."""
        first, *rest = parts or (None,)
        if isinstance(first, Paragraph) and all(isinstance(part, List) for part in rest):
            with self.buffer.part(first):
                self.buffer.raw(spans_html(first.spans, self.options))
            parts = tuple(rest)
        self.parts(parts)

    def _element(self, name: str, attributes: str, parts: tuple[Part, ...]) -> None:
        self.buffer.raw(f"<{name}{attributes}>")
        self.parts(parts)
        self.buffer.raw(f"</{name}>")

    def _callout(self, part: Callout) -> None:
        self.buffer.raw(f'<div class="callout" data-callout="{escape(part.type)}">')
        if part.title:
            self.buffer.raw(f'<p class="callout-title">{spans_html(part.title, self.options)}</p>')
        self.parts(part.parts)
        self.buffer.raw("</div>")

    def _figure(self, part: Figure) -> None:
        raw = self.buffer.raw
        images = "".join(_image(image) for image in part.images) if self.options.images else ""
        caption = figure_caption(part, self.options)
        if not images and not part.parts and not caption:
            return
        raw(f"<figure>{images}")
        self.parts(part.parts)
        if caption:
            raw(f"<figcaption>{spans_html(caption, self.options)}</figcaption>")
        raw("</figure>")

    def _definitions(self, part: Definitions) -> None:
        raw = self.buffer.raw
        raw("<dl>")
        for entry in part.entries:
            with self.buffer.part(entry):
                for name, items in (("dt", entry.terms), ("dd", entry.details)):
                    for item in items:
                        with self.buffer.part(item):
                            raw(f"<{name}>")
                            self.flow_content(item.parts)
                            raw(f"</{name}>")
        raw("</dl>")

    def _table(self, part: Table) -> None:
        raw = self.buffer.raw
        raw("<table>")
        if part.caption:
            raw(f"<caption>{spans_html(part.caption, self.options)}</caption>")
        body_start = next((k for k, row in enumerate(part.rows) if not row.header), len(part.rows))
        for name, rows in (("thead", part.rows[:body_start]), ("tbody", part.rows[body_start:])):
            if rows:
                raw(f"<{name}>")
                for row in rows:
                    with self.buffer.part(row):
                        self._row(row)
                raw(f"</{name}>")
        raw("</table>")

    def _row(self, row: Row) -> None:
        raw = self.buffer.raw
        raw("<tr>")
        for cell in row.cells:
            with self.buffer.part(cell):
                name = "th" if cell.header else "td"
                raw(f"<{name}{_cell_spans(cell)}>")
                self.flow_content(cell.parts)
                raw(f"</{name}>")
        raw("</tr>")


def _cell_spans(cell: Cell) -> str:
    columns = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    rows = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    return columns + rows


def spans_html(spans: tuple[Span, ...], options: RenderOptions = DEFAULT) -> str:
    """Return spans as HTML.

    >>> spans_html((Text("a < b"), Emphasis("sub", (Text("1"),))))
    'a &lt; b<sub>1</sub>'
    """
    return "".join(_span(span, options) for span in spans)


def _span(span: Span, options: RenderOptions) -> str:  # noqa: PLR0911 (one case per span type)
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
        case Emphasis(tag, inner):
            text = spans_html(inner, options)
            return f"<{tag}>{text}</{tag}>" if tag in _EMPHASIS_TAGS and text else text
        case Link():
            return _link(span, options)


def _link(span: Link, options: RenderOptions) -> str:
    text = spans_html(span.spans, options)
    label = escape(span.label)
    if span.role == "noteref":
        backlink_target = f' id="fnref-{label}"' if span.href else ""
        return f'<a href="#fn-{label}"{backlink_target} role="doc-noteref">{text}</a>'
    if span.role == "backlink":
        return f'<a href="#fnref-{label}" role="doc-backlink">{text}</a>'
    return f'<a href="{escape(options.url(span.href))}">{text}</a>' if options.links and text else text


def _image(image: Image) -> str:
    size = "".join(
        f' {name}="{value}"' for name, value in (("width", image.width), ("height", image.height)) if value
    )
    return f'<img src="{escape(image.src)}" alt="{escape(image.alt)}"{size}>'
