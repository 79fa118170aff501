"""What the spans of a paragraph are: blank at the ends, only images, lines of code, stanzas of verse."""

from tamis.document.spans import CodeSpan, Emphasis, Image, LineBreak, Link, Span, Text


def trim(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return spans without line breaks and spaces at either end."""
    start, stop = 0, len(spans)
    while start < stop and _is_blank(spans[start]):
        start += 1
    while start < stop and _is_blank(spans[stop - 1]):
        stop -= 1
    return spans[start:stop]


def _is_blank(span: Span) -> bool:
    return isinstance(span, LineBreak) or (isinstance(span, Text) and span.text == " ")


def only_images(spans: tuple[Span, ...]) -> tuple[Image, ...]:
    """Return the images of a paragraph that has nothing else, without the links around them; else nothing."""
    images: list[Image] = []
    for span in spans:
        for inner in span.spans if isinstance(span, Link) else (span,):
            if isinstance(inner, Image):
                images.append(inner)
            elif not isinstance(inner, LineBreak) and not (isinstance(inner, Text) and not inner.text.strip()):
                return ()
    return tuple(images)


def is_code_lines(spans: tuple[Span, ...]) -> bool:
    """Tell whether a paragraph is several lines of code and nothing else."""
    has_break = any(isinstance(span, LineBreak) for span in spans)
    return has_break and all(isinstance(span, LineBreak | CodeSpan) for span in spans)


def split_stanzas(spans: tuple[Span, ...]) -> list[tuple[Span, ...]]:
    """Return verse split at blank lines."""
    stanzas: list[list[Span]] = [[]]
    for span in spans:
        if isinstance(span, LineBreak) and (not stanzas[-1] or isinstance(stanzas[-1][-1], LineBreak)):
            if stanzas[-1]:
                stanzas.append([])
            continue
        stanzas[-1].append(span)
    return [stanza for stanza in map(trim, map(tuple, stanzas)) if stanza]


def without_bold(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of a heading without ``strong`` around all of them: a heading is bold anyway."""
    only = spans[0] if len(spans) == 1 else None
    return only.spans if isinstance(only, Emphasis) and only.tag == "strong" else spans
