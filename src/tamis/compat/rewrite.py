"""Copies of documents with other parts and spans, for settings that no output of Tamis has."""

from dataclasses import replace
from typing import Any, Final

from tamis.document.document import Document
from tamis.document.parts import Part
from tamis.document.spans import Emphasis, Link, Span

_PART_FIELDS: Final = ("parts", "items", "rows", "cells", "entries", "terms", "details")
_SPAN_FIELDS: Final = ("spans", "caption", "title", "summary")


class Rewriter:
    """Copies a document. A subclass changes what `part` and `span` return.

    Parts and spans nest only as deep as writers can recurse (`tamis.document.parts.MAX_DEPTH`).
    """

    def document(self, document: Document) -> Document:
        """Return the document with the changes."""
        return replace(document, parts=self.parts(document.parts))

    def parts(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        """Return parts with the changes."""
        return tuple(changed for part in parts for changed in self.part(part))

    def part(self, part: Part) -> tuple[Part, ...]:
        """Return what replaces a part: by default the part with the changes of what it contains."""
        changes: dict[str, Any] = {}
        for name in _PART_FIELDS:
            if isinstance(inner := getattr(part, name, None), tuple):
                changes[name] = self.parts(inner)
        for name in _SPAN_FIELDS:
            if isinstance(spans := getattr(part, name, None), tuple):
                changes[name] = self.spans(spans)
        return (replace(part, **changes),)

    def spans(self, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        """Return spans with the changes."""
        return tuple(changed for span in spans for changed in self.span(span))

    def span(self, span: Span) -> tuple[Span, ...]:
        """Return what replaces a span: by default the span with the changes of what it contains."""
        if isinstance(span, (Emphasis, Link)):
            return (replace(span, spans=self.spans(span.spans)),)
        return (span,)


class WithoutEmphasis(Rewriter):
    """Leaves emphasis out, and keeps its text.

    Attributes:
        tags: the elements that are emphasis.
    """

    tags: frozenset[str] = frozenset({"em", "strong", "del", "ins", "sub", "sup", "mark"})

    def span(self, span: Span) -> tuple[Span, ...]:
        """Return the text of emphasis, any other span with the changes of what it contains."""
        if isinstance(span, Emphasis) and span.tag in self.tags:
            return self.spans(span.spans)
        return super().span(span)
