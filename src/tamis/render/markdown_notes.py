"""References and marks of notes in Markdown: ``[^1]`` needs no brackets, no raised text and no commas around it."""

import re
from typing import Final

from tamis.document.spans import Emphasis, Link, Span, Text

_SEPARATOR: Final = re.compile(r"[\s,;–-]{0,8}")
_INSIDE: Final = re.compile(r"[\s,;–\[\]()-]{0,8}")


def tidy_notes(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return spans in which references stand alone: no ``sup`` and no brackets around them.

    >>> link = Link("#1", (Text("1"),), "noteref", "1")
    >>> tidy_notes((Text("tea ["), link, Text("] and")))
    (Text(text='tea '), Link(href='#1', spans=(Text(text='1'),), role='noteref', label='1'), Text(text=' and'))
    >>> tidy_notes((Emphasis("sup", (link, Text(","), link)),)) == (link, link)
    True
    """
    if not any(_is_mark(span) or _is_raised(span) for span in spans):
        return spans
    flat: list[Span] = []
    for span in spans:
        if isinstance(span, Emphasis) and _is_raised(span):
            flat += [inner for inner in span.spans if isinstance(inner, Link)]
        else:
            flat.append(span)
    return tuple(span for span in _without_brackets(flat) if not (isinstance(span, Text) and not span.text))


def _is_mark(span: Span) -> bool:
    return isinstance(span, Link) and span.role in {"noteref", "backlink"}


def _is_raised(span: Span) -> bool:
    """Tell whether a span is raised and has only references, with commas or brackets between them."""
    if not isinstance(span, Emphasis) or span.tag != "sup" or not any(map(_is_mark, span.spans)):
        return False
    return all(_is_mark(inner) or (isinstance(inner, Text) and _INSIDE.fullmatch(inner.text)) for inner in span.spans)


def _without_brackets(spans: list[Span]) -> list[Span]:
    """Return spans without the brackets around runs of references."""
    out = list(spans)
    number = 0
    while number < len(out):
        if not _is_mark(out[number]):
            number += 1
            continue
        start = number
        stop = number + 1
        while stop < len(out):
            if _is_mark(out[stop]):
                stop += 1
                continue
            separator = out[stop]
            between = isinstance(separator, Text) and _SEPARATOR.fullmatch(separator.text) is not None
            if not between or stop + 1 == len(out) or not _is_mark(out[stop + 1]):
                break
            stop += 2
        before = out[start - 1] if start else None
        after = out[stop] if stop < len(out) else None
        if isinstance(before, Text) and isinstance(after, Text):
            for opening, closing in (("[", "]"), ("(", ")")):
                if before.text.endswith(opening) and after.text.startswith(closing):
                    out[start - 1] = Text(before.text[:-1])
                    out[stop] = Text(after.text[1:])
        number = stop
    return out
