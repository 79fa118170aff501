"""A document as plain values, for JSON."""

from typing import Any

from tamis.document.document import Document
from tamis.document.parts import (
    Cell,
    Code,
    Definition,
    Definitions,
    Figure,
    Footnote,
    Formula,
    Heading,
    List,
    Paragraph,
    Part,
    Post,
    Quote,
    Row,
    Table,
    children,
)
from tamis.document.spans import CodeSpan, Emphasis, FormulaSpan, Image, LineBreak, Link, Ruby, Span, Text
from tamis.render.options import RenderOptions
from tamis.render.writer import Rendered


def document_values(
    document: Document, options: RenderOptions, outputs: dict[str, Rendered] | None = None
) -> list[dict[str, Any]]:
    """Return the parts of a document as plain values.

    With `outputs`, each part says where it stands: its XPath, its place in the source and in each output.
    """
    # From the last part to the first, so that what a part holds is ready when its turn comes.
    made: dict[Part, dict[str, Any]] = {}
    for part in reversed(list(document)):
        values = _facts(part, options)
        below = [made.pop(child) for child in children(part) if child in made]
        if isinstance(part, Definition):
            terms = len(part.terms)
            values |= {"terms": below[:terms], "details": below[terms:]}
        elif below:
            values["parts"] = below
        if outputs is not None:
            place = document.place(part)
            values["xpath"] = place.xpath
            values["source"] = [place.start, place.stop]
            values["offsets"] = {
                name: list(output.spans[part]) for name, output in outputs.items() if part in output.spans
            }
        if not (isinstance(part, Table) and not options.tables):
            made[part] = values
    return [made[part] for part in document.parts if part in made]


def _facts(part: Part, options: RenderOptions) -> dict[str, Any]:  # noqa: C901, PLR0912 (one line a kind)
    """Return what a part says of itself."""
    out: dict[str, Any] = {"type": type(part).__name__.lower()}
    match part:
        case Heading():
            out |= {"level": part.level, "spans": span_values(part.spans, options)}
        case Paragraph():
            out |= {"spans": span_values(part.spans, options)} | ({"verse": True} if part.verse else {})
        case List():
            out |= {"ordered": part.ordered} | ({"start": part.start} if part.ordered else {})
        case Row():
            out |= {"header": part.header}
        case Cell():
            out |= {"header": part.header, "columns": part.columns, "rows": part.rows}
        case Table():
            out |= {"caption": span_values(part.caption, options)}
        case Code():
            out |= {"text": part.text, "language": part.language}
        case Quote():
            out |= {"cite": part.cite}
        case Figure():
            images = [_image(image) for image in part.images] if options.images else []
            out |= {"images": images, "caption": span_values(part.caption, options)}
        case Formula():
            out |= {"tex": part.tex}
        case Footnote():
            out |= {"label": part.label}
        case Post():
            out |= {"author": part.author, "date": part.date, "level": part.level}
        case Definitions() | _:
            pass
    return out


def span_values(spans: tuple[Span, ...], options: RenderOptions) -> list[Any]:
    """Return spans as plain values: text as a string, everything else as an object.

    >>> span_values((Text("a "), Emphasis("em", (Text("b"),))), RenderOptions())
    ['a ', {'type': 'em', 'spans': ['b']}]
    """
    return [value for value in (_span(span, options) for span in spans) if value is not None]


def _span(span: Span, options: RenderOptions) -> "str | dict[str, Any] | None":  # noqa: PLR0911 (one line a kind)
    match span:
        case Text(text):
            return text
        case LineBreak():
            return {"type": "break"}
        case CodeSpan(text):
            return {"type": "code", "text": text}
        case FormulaSpan(tex, display):
            return {"type": "formula", "tex": tex, "display": display}
        case Ruby(base, reading):
            return {"type": "ruby", "base": base, "reading": reading}
        case Image():
            return _image(span) if options.images else None
        case Emphasis(kind, inner):
            return {"type": kind, "spans": span_values(inner, options)}
        case Link():
            values = {"type": "link", "href": span.href if options.links or span.kind else ""}
            more = {"kind": span.kind, "label": span.label} if span.kind else {}
            return values | more | {"spans": span_values(span.spans, options)}


def _image(image: Image) -> dict[str, Any]:
    return {"type": "image", "src": image.src, "alt": image.alt, "width": image.width, "height": image.height}
