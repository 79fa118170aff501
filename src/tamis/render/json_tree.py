"""A document as plain values, for JSON."""

from typing import Any

from tamis.document.parts import (
    Callout,
    Cell,
    Code,
    Definition,
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
    Row,
    Table,
    children,
)
from tamis.document.spans import CodeSpan, Emphasis, FormulaSpan, Image, LineBreak, Link, Ruby, Span, Text
from tamis.page.deadline import check_time
from tamis.render.media import figure_caption
from tamis.render.options import RenderOptions
from tamis.render.part_values import PartValues
from tamis.render.rendered import Rendered


def document_values(
    part_values: PartValues, options: RenderOptions, outputs: dict[str, Rendered] | None = None
) -> list[dict[str, Any]]:
    """Return the parts of a document as plain values.

    With `outputs`, each part has its XPath and its offsets in the page's source and in each output.
    """
    # From last to first: the values of what a part contains are complete before those of the part.
    document = part_values.document
    values_of: dict[Part, dict[str, Any]] = {}
    for part in reversed(list(document)):
        check_time()
        values = {"type": type(part).__name__.lower(), **part_values.values(part), **_own_values(part, options)}
        inner = [values_of.pop(child) for child in children(part) if child in values_of]
        if isinstance(part, Definition):
            terms = len(part.terms)
            values |= {"terms": inner[:terms], "details": inner[terms:]}
        elif inner:
            values["parts"] = inner
        if outputs is not None:
            location = document.locate(part)
            values["xpath"] = location.xpath
            values["source"] = [location.start, location.stop]
            values["offsets"] = {
                name: list(output.spans[part]) for name, output in outputs.items() if part in output.spans
            }
        if not (isinstance(part, Table) and not options.tables):
            values_of[part] = values
    return [values_of[part] for part in document.parts if part in values_of]


def _own_values(part: Part, options: RenderOptions) -> dict[str, Any]:  # noqa: C901, PLR0912 (one case per part type)
    """Return the values that a type of part has, without those of the parts that it contains."""
    out: dict[str, Any] = {}
    match part:
        case Heading():
            out |= {"spans": span_values(part.spans, options)}
        case Paragraph():
            out |= {"spans": span_values(part.spans, options)} | ({"verse": True} if part.verse else {})
        case List():
            out |= {"ordered": part.ordered} | ({"start": part.start} if part.ordered else {})
        case Item(checked=bool()):
            out |= {"checked": part.checked}
        case Row():
            out |= {"header": part.header}
        case Cell():
            out |= {"header": part.header, "columns": part.columns, "rows": part.rows}
        case Table():
            out |= {"caption": span_values(part.caption, options)}
        case Code():
            out |= {"language": part.language}
        case Quote():
            out |= {"cite": part.cite}
        case Callout():
            out |= {"callout": part.type, "title": span_values(part.title, options)}
        case Details():
            out |= {"summary": span_values(part.summary, options)}
        case Figure():
            images = [_image(image) for image in part.images] if options.images else []
            out |= {"images": images, "caption": span_values(figure_caption(part, options), options)}
        case Formula():
            out |= {"tex": part.tex}
        case Footnote():
            out |= {"label": part.label}
        case Post():
            out |= {"author": part.author, "date": part.date}
        case _:
            pass
    return out


def span_values(spans: tuple[Span, ...], options: RenderOptions) -> list[Any]:
    """Return spans as plain values: text as a string, any other span as an object.

    >>> span_values((Text("a "), Emphasis("em", (Text("b"),))), RenderOptions())
    ['a ', {'type': 'em', 'spans': ['b']}]
    """
    return [value for value in (_span(span, options) for span in spans) if value is not None]


def _span(span: Span, options: RenderOptions) -> "str | dict[str, Any] | None":  # noqa: PLR0911 (one case per span type)
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
        case Emphasis(tag, inner):
            return {"type": tag, "spans": span_values(inner, options)}
        case Link():
            values = {"type": "link", "href": span.href if options.links or span.label else ""}
            role = {"role": span.role} if span.role else {}
            label = {"label": span.label} if span.label else {}
            return values | role | label | {"spans": span_values(span.spans, options)}


def _image(image: Image) -> dict[str, Any]:
    return {"type": "image", "src": image.src, "alt": image.alt, "width": image.width, "height": image.height}
