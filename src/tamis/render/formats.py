"""The formats by name, and the way from an extraction to each."""

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tamis.document.parts import Rule
from tamis.errors import OptionError
from tamis.metadata.record import Metadata
from tamis.render import csv, front, json
from tamis.render.html import render_html
from tamis.render.markdown import render_markdown
from tamis.render.text import document_text
from tamis.render.writer import Rendered
from tamis.render.xml import render_xml

if TYPE_CHECKING:
    from tamis.api import Extraction, Options

FORMATS: Final = ("txt", "markdown", "html", "json", "xml", "csv")


def render(found: "Extraction", form: str, options: "Options") -> Rendered:
    """Return an extraction in a format. Comments come after the content, where they are asked for."""
    view = options.view
    after = found.comments_document.parts if options.comments else ()
    document = found.document
    if after and form != "xml":
        first = after[0]
        line = (Rule(element=first.element, first=first.first, stop=first.first),) if document.parts else ()
        document = replace(document, parts=document.parts + line + after)
    known = found.metadata if options.with_metadata else None
    match form:
        case "txt":
            return document_text(document, view, front.front_text(known) if known else "")
        case "markdown":
            return render_markdown(document, view, front.front_matter(known) if known else "")
        case "html":
            return render_html(document, view, front.head_html(known) if known else "")
        case "xml":
            header = front.header_tei(known or Metadata(title=found.title, url=found.url))
            return render_xml(document, header, view, after)
        case "json":
            return Rendered(json.render_json(found, options), {})
        case "csv":
            return Rendered(csv.render_csv([found]), {})
        case _:
            raise OptionError(f"no such format: {form}; there are {', '.join(FORMATS)}")
