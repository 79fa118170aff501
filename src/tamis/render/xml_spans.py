"""Spans as TEI, and the escaping of text and attributes."""

import re
from html import escape
from typing import Final

from tamis.document.parts import (
    CodeSpan,
    Emphasis,
    FormulaSpan,
    Image,
    LineBreak,
    Link,
    Ruby,
    Span,
    Text,
)
from tamis.render.options import RenderOptions

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
    return f"<ref{attributes(target=link.href)}>{text}</ref>" if options.links else text
