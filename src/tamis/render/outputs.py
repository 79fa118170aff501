"""The writers of the built-in formats, as the registry calls them: from `Content` and `RenderOptions` to `Rendered`."""

from dataclasses import replace

from tamis.document.document import Document
from tamis.document.parts import Rule
from tamis.metadata.record import Metadata
from tamis.render import csv, front_matter, json
from tamis.render.content import Content
from tamis.render.html import render_html
from tamis.render.markdown import render_markdown
from tamis.render.options import RenderOptions
from tamis.render.text import document_text
from tamis.render.writer import Rendered
from tamis.render.xml import render_xml


def _document(content: Content, options: RenderOptions) -> Document:
    """Return the document, with readers' comments after it where they are wanted."""
    document = content.document
    comments = content.comments_document.parts if options.comments else ()
    if not comments:
        return document
    first = comments[0]
    rule = (Rule(element=first.element, first=first.first, stop=first.first),) if document.parts else ()
    return replace(document, parts=document.parts + rule + comments)


def write_text(content: Content, options: RenderOptions) -> Rendered:
    """Return plain text."""
    front = front_matter.front_text(content.metadata) if options.with_metadata else ""
    return document_text(_document(content, options), options, front)


def write_markdown(content: Content, options: RenderOptions) -> Rendered:
    """Return Markdown, with YAML front matter where metadata is wanted."""
    front = front_matter.front_matter(content.metadata) if options.with_metadata else ""
    return render_markdown(_document(content, options), options, front)


def write_html(content: Content, options: RenderOptions) -> Rendered:
    """Return clean HTML, with a ``head`` where metadata is wanted."""
    head = front_matter.head_html(content.metadata) if options.with_metadata else ""
    return render_html(_document(content, options), options, head)


def write_xml(content: Content, options: RenderOptions) -> Rendered:
    """Return TEI."""
    metadata = content.metadata if options.with_metadata else Metadata(title=content.title, url=content.url)
    comments = content.comments_document.parts if options.comments else ()
    return render_xml(content.document, front_matter.header_tei(metadata), options, comments)


def write_json(content: Content, options: RenderOptions) -> Rendered:
    """Return everything as JSON."""
    return Rendered(json.render_json(content, options), {})


def write_csv(content: Content, _options: RenderOptions) -> Rendered:
    """Return a CSV table of one page."""
    return Rendered(csv.render_csv([content]), {})
