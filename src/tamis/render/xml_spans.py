"""Spans as TEI."""

import re
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from tamis.document.spans import CodeSpan, Emphasis, FormulaSpan, Image, LineBreak, Link, Ruby, Span, Text
from tamis.render.options import RenderOptions

_ILLEGAL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def clean(text: str) -> str:
    """Return text as XML may hold it: escaped, without control characters."""
    return escape(_ILLEGAL.sub("", text))


def given(**values: object) -> str:
    """Return attributes, those without a value left out.

    >>> given(rend="h2", n=None)
    ' rend="h2"'
    """
    return "".join(
        f" {name.rstrip('_').replace('__', ':')}={quoteattr(_ILLEGAL.sub('', str(value)))}"
        for name, value in values.items()
        if value not in {None, ""}
    )


def note_id(label: str, prefix: str = "fn") -> str:
    """Return a name for a note, or for the reference to one, that XML takes as an identifier.

    >>> note_id("1"), note_id("*")
    ('fn-1', 'fn-x2a')
    """
    return f"{prefix}-" + re.sub(r"[^A-Za-z0-9-]", lambda found: f"x{ord(found[0]):x}", label)


def spans_xml(spans: tuple[Span, ...], options: RenderOptions) -> str:
    """Return spans as TEI.

    >>> spans_xml((Text("a & "), Emphasis("strong", (Text("b"),))), RenderOptions())
    'a &amp; <hi rend="strong">b</hi>'
    """
    return "".join(_span(span, options) for span in spans)


def _span(span: Span, options: RenderOptions) -> str:  # noqa: PLR0911 (one line a kind)
    match span:
        case Text(text):
            return clean(text)
        case LineBreak():
            return "<lb/>"
        case CodeSpan(text):
            return f"<code>{clean(text)}</code>"
        case FormulaSpan(tex):
            return f'<formula notation="TeX">{clean(tex)}</formula>'
        case Ruby(base, reading):
            return f"<ruby><rb>{clean(base)}</rb><rt>{clean(reading)}</rt></ruby>"
        case Image():
            return _graphic(span) if options.images else ""
        case Emphasis(kind, inner):
            return f'<hi rend="{kind}">{spans_xml(inner, options)}</hi>'
        case Link():
            return _ref(span, options)


def _graphic(image: Image) -> str:
    said = f"><desc>{clean(image.alt)}</desc></graphic>" if image.alt else "/>"
    return f"<graphic{given(url=image.src)}{said}"


def _ref(link: Link, options: RenderOptions) -> str:
    text = spans_xml(link.spans, options)
    if link.kind == "note":
        name = f' xml:id="{note_id(link.label, "fnref")}"' if link.href else ""  # the way back leads here
        return f'<ref type="note"{name} target="#{note_id(link.label)}">{text}</ref>'
    if link.kind == "back":
        return f'<ref type="back" target="#{note_id(link.label, "fnref")}">{text}</ref>'
    return f"<ref{given(target=link.href)}>{text}</ref>" if options.links else text
