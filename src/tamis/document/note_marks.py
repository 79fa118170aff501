"""Marks of notes: the number before a note and the arrow behind it belong to its first and last paragraph."""

from dataclasses import replace

from tamis.document.parts import Paragraph, Part
from tamis.document.spans import Emphasis, Link, Span, Text, plain_text


def join_marks(parts: tuple[Part, ...], element: int) -> tuple[Part, ...]:
    """Return the parts of a note, made from an element, in which no paragraph is only a mark.

    >>> mark = Paragraph(element=1, first=1, stop=2, spans=(Link("#r", (Text("[1]"),), "backlink", "1"),))
    >>> text = Paragraph(element=3, first=3, stop=4, spans=(Text("Green tea."),))
    >>> [plain_text(part.spans) for part in join_marks((mark, text), 0)]
    ['[1] Green tea.']
    """
    out = list(parts)
    if len(out) > 1 and isinstance(out[0], Paragraph) and isinstance(out[1], Paragraph) and _is_mark(out[0]):
        out[:2] = [_joined(out[0], out[1], element)]
    if len(out) > 1 and isinstance(out[-1], Paragraph) and isinstance(out[-2], Paragraph) and _is_mark(out[-1]):
        out[-2:] = [_joined(out[-2], out[-1], element)]
    if out and isinstance(out[0], Paragraph):
        out[0] = replace(out[0], spans=_merged(out[0].spans))
    return tuple(out)


def _is_mark(paragraph: Paragraph) -> bool:
    """Tell whether a paragraph has only backlinks, and brackets around them."""
    return any(map(_is_backlink, paragraph.spans)) and all(
        _is_backlink(span) or (isinstance(span, Text) and not span.text.strip(" []().")) for span in paragraph.spans
    )


def _is_backlink(span: Span) -> bool:
    if isinstance(span, Emphasis):
        return bool(span.spans) and all(map(_is_backlink, span.spans))
    return isinstance(span, Link) and span.role == "backlink"


def _joined(first: Paragraph, second: Paragraph, element: int) -> Paragraph:
    """Return two paragraphs as one, in the element that contains both."""
    spans = (*first.spans, Text(" "), *second.spans)
    return Paragraph(element=element, first=first.first, stop=second.stop, spans=spans)


def _merged(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return spans in which adjacent pieces of a mark are one link."""
    out: list[Span] = []
    for span in spans:
        before = out[-1] if out else None
        if (
            isinstance(span, Link)
            and isinstance(before, Link)
            and span.role == before.role == "backlink"
            and len(plain_text(before.spans)) + len(plain_text(span.spans)) <= 8  # noqa: PLR2004 (a number in brackets)
        ):
            out[-1] = replace(before, spans=(Text(plain_text(before.spans) + plain_text(span.spans)),))
        else:
            out.append(span)
    return tuple(out)
