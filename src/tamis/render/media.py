"""The links and images of a document as lists."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from tamis.document.document import Document
from tamis.document.parts import Figure, Part, Table
from tamis.document.spans import Emphasis, Image, Link, Span, plain_text
from tamis.render.options import RenderOptions


def figure_caption(part: Figure, options: RenderOptions) -> tuple[Span, ...]:
    """Return the caption that outputs write: one that is not selected is left out with the images."""
    return part.caption if part.caption_selected or options.images else ()


def link_values(document: Document, options: RenderOptions) -> list[dict[str, str]]:
    """Return text and URL of each link in the content, in order and once. References to footnotes are no links."""
    if not options.links:
        return []
    links = [span for _, span in _spans(document, options) if isinstance(span, Link) and not span.role and span.href]
    found = {(" ".join(plain_text(link.spans).split()), link.href): None for link in links}
    return [{"text": text, "url": url} for text, url in found]


def image_values(document: Document, options: RenderOptions) -> list[dict[str, Any]]:
    """Return URL, alternative text, caption and size of each image in the content, in order and once."""
    out: dict[str, dict[str, Any]] = {}
    for part, span in _spans(document, options) if options.images else ():
        if isinstance(span, Image) and span.src not in out:
            caption = " ".join(plain_text(part.caption).split()) if isinstance(part, Figure) else ""
            size = {"width": span.width, "height": span.height}
            out[span.src] = {"url": span.src, "alt": span.alt, "caption": caption, **size}
    return list(out.values())


def _spans(document: Document, options: RenderOptions) -> Iterator[tuple[Part, Span]]:
    """Iterate over all spans with the part that they are in. What a table holds is left out with the table."""
    skip_until = -1
    for part in document:
        if isinstance(part, Table) and not options.tables:
            skip_until = max(skip_until, part.stop)
        if part.first < skip_until:
            continue
        stack: list[Span] = []
        for field in reversed(fields(part)):
            value = getattr(part, field.name)
            if isinstance(value, tuple) and value and not isinstance(value[0], Part):
                stack.extend(reversed(value))
        while stack:
            span = stack.pop()
            yield part, span
            if isinstance(span, (Emphasis, Link)):
                stack.extend(reversed(span.spans))
