"""Boxes: figures, quotations, callouts and ``details``, made from the parts that were found in them."""

from dataclasses import replace
from typing import Final

from tamis.document.detect.callouts import label_of, read_marker
from tamis.document.document import flatten
from tamis.document.frames import CAPTIONED_BOX, Frame
from tamis.document.parts import Callout, Details, Figure, Paragraph, Part, Quote
from tamis.document.span_tools import only_images, trim, without_bold
from tamis.document.spans import Emphasis, LineBreak, Text, plain_text

_MAX_ICON_CHARS: Final = 3
_MAX_CAPTION_CHARS: Final = 300  #: of a paragraph that is part of a caption


def make_figure(frame: Frame, parts: tuple[Part, ...], page_rows: dict[str, int]) -> Figure:
    """Return a figure: its images, what else is in it, and its caption."""
    only_image_parts = [part for part in parts if isinstance(part, Figure) and not part.caption and not part.parts]
    images = tuple(image for part in only_image_parts for image in part.images)
    others = tuple(part for part in parts if part not in set(only_image_parts))
    if frame.data == CAPTIONED_BOX:  # all its text is the caption
        texts = [part for part in others if isinstance(part, Paragraph)]
        long = {part for part in texts if len(texts) > 1 and len(plain_text(part.spans)) > _MAX_CAPTION_CHARS}
        long = long if frame.caption_selected else set()
        paragraphs = tuple(part for part in others if part in long)  # text of the article, beside a short caption
        spans = flatten(tuple(part for part in others if part not in long))
        inline_images = [only_images((span,)) for span in spans]  # on a line with words of the caption
        images += tuple(image for line in inline_images for image in line)
        caption = tuple(span for span, line in zip(spans, inline_images, strict=True) if not line)
        others, caption = paragraphs, (*frame.caption, *trim(caption))
    else:
        caption = frame.caption
    selected = frame.caption_selected
    return Figure(**page_rows, images=images, parts=others, caption=caption, caption_selected=selected)


def make_quote(frame: Frame, parts: tuple[Part, ...], page_rows: dict[str, int]) -> Quote | Callout:
    """Return a quotation; a callout if its text begins with ``[!NOTE]``, as Markdown writes callouts."""
    first = parts[0] if parts else None
    text = first.spans[0] if isinstance(first, Paragraph) and first.spans else None
    marker = read_marker(text.text) if isinstance(text, Text) else None
    if marker is None or not isinstance(first, Paragraph):
        return Quote(**page_rows, parts=parts, cite=frame.data)
    lines = (*((Text(marker[1]),) if marker[1].strip() else ()), *first.spans[1:])
    breaks = [index for index, span in enumerate(lines) if isinstance(span, LineBreak)]
    title, rest = (lines[: breaks[0]], lines[breaks[0] :]) if breaks else ((), lines)
    body = (replace(first, spans=trim(rest)),) if trim(rest) else ()
    return Callout(**page_rows, parts=(*body, *parts[1:]), type=marker[0], title=title, title_selected=True)


def make_callout(frame: Frame, parts: tuple[Part, ...], page_rows: dict[str, int]) -> Callout:
    """Return a callout. Its title is an element of its own, or the label that it begins with, bold or alone."""
    label = frame.data.label if not frame.caption else ""
    title = (Text(label),) if label else frame.caption
    first = parts[0] if parts else None
    bold = first.spans[0] if isinstance(first, Paragraph) and first.spans else None
    if not title and isinstance(first, Paragraph) and _is_icon(plain_text(first.spans)):
        title, parts, bold = first.spans, parts[1:], None
    if not title and isinstance(first, Paragraph) and label_of(plain_text(first.spans)):
        title, parts, bold = first.spans, parts[1:], None
    if not title and isinstance(first, Paragraph) and isinstance(bold, Emphasis) and bold.tag == "strong":
        name = plain_text(bold.spans).strip()
        rest = trim(first.spans[1:])
        on_own_line = isinstance(first.spans[1], LineBreak) if rest else len(parts) > 1
        if on_own_line or label_of(name):
            if rest and isinstance(rest[0], Text) and rest[0].text[:1] == ":":
                name, rest = f"{name}:", trim((Text(rest[0].text[1:].lstrip()), *rest[1:]))
            title = (Text(name),)
            parts = (*((replace(first, spans=rest),) if rest else ()), *parts[1:])
    title = without_bold(title)
    return Callout(**page_rows, parts=parts, type=frame.data.type, title=title, title_selected=not label)


def _is_icon(text: str) -> bool:
    """Tell whether a line is a sign such as 💡, which stands before the text of a callout."""
    return 0 < len(text.strip()) <= _MAX_ICON_CHARS and all(char in "ℹ\ufe0f" or not char.isalnum() for char in text)


def make_details(frame: Frame, parts: tuple[Part, ...], page_rows: dict[str, int]) -> list[Part]:
    """Return what a ``details`` becomes: a part of its own if it has a summary and something below it."""
    if frame.caption and parts:
        return [Details(**page_rows, parts=parts, summary=without_bold(frame.caption))]
    if frame.caption:
        return [Paragraph(element=frame.row, first=frame.row, stop=frame.end, spans=frame.caption)]
    return list(parts)
