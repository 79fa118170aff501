"""Emphasis as Markdown marks: stars, tildes and equals signs, never HTML.

CommonMark reads a star as the start of emphasis only if it is left-flanking, and as its end only if it is
right-flanking (section 6.2 of the specification). Both depend on the characters on either side. Where a mark would
not be read, the white space or punctuation at the edge moves out of the emphasis, as a person would write it.
"""

import unicodedata
from dataclasses import replace
from typing import Final

from tamis.document.spans import Emphasis, LineBreak, Link, Span, Text

#: The marks of each tag. GitHub reads ``~~``, Pandoc and Obsidian read ``==``.
MARKS: Final = {"strong": "**", "em": "*", "del": "~~", "mark": "=="}

#: Closing marks by their opening ones.
_PAIRS: Final = dict(zip("\"'“‘«(", "\"'”’»)", strict=True))


def is_outside(char: str) -> bool:
    """Tell whether a mark next to this character opens or closes, whatever is on its other side.

    >>> [is_outside(char) for char in ("", " ", ".", "“", "a", "™")]
    [True, True, True, True, False, False]
    """
    return (
        not char or char.isspace() or (char.isascii() and not char.isalnum()) or unicodedata.category(char)[0] == "P"
    )


def is_inside(char: str) -> bool:
    """Tell whether a mark before or after this character opens or closes next to a word.

    >>> [is_inside(char) for char in ("a", "漢", ".", " ")]
    [True, True, False, False]
    """
    return char.isalnum() or unicodedata.category(char)[0] == "M"


def split_edges(spans: tuple[Span, ...], before: str, after: str) -> tuple[str, tuple[Span, ...], str]:
    """Return the text that moves before the emphasis, the spans that stay in it, and the text that moves behind it.

    `before` and `after` are the characters next to the emphasis. No spans are left if no mark can be read.

    >>> split_edges((Text("Note:"),), "", "t")
    ('', (Text(text='Note'),), ':')
    """
    lead, spans = _trim_start(spans, before)
    trail, spans = _trim_end(spans, after)
    if spans and isinstance(spans[0], Text) and len(spans[0].text) > 1 and not lead.strip():
        opening = spans[0].text[0]
        if trail and _PAIRS.get(opening) == trail[0]:  # a pair of quotation marks or brackets stays together
            lead, spans = lead + opening, (Text(spans[0].text[1:]), *spans[1:])
    if not spans or isinstance(spans[0], LineBreak) or isinstance(spans[-1], LineBreak):
        return lead + trail, (), ""
    first = spans[0].text[:1] if isinstance(spans[0], Text) else ""
    last = spans[-1].text[-1:] if isinstance(spans[-1], Text) else ""
    opens = bool(first and is_inside(first)) or is_outside((before + lead)[-1:])
    closes = bool(last and is_inside(last)) or is_outside((trail + after)[:1])
    return (lead, spans, trail) if opens and closes else (lead, (), trail)


def _trim_start(spans: tuple[Span, ...], before: str) -> tuple[str, tuple[Span, ...]]:
    lead = ""
    while spans and isinstance(spans[0], Text):
        text = spans[0].text
        position = 0
        while position < len(text) and not is_inside(text[position]):
            previous = text[position - 1] if position else (before + lead)[-1:]
            if not text[position].isspace() and is_outside(previous):
                break
            position += 1
        lead += text[:position]
        if position < len(text):
            return lead, (Text(text[position:]), *spans[1:])
        spans = spans[1:]
    return lead, spans


def _trim_end(spans: tuple[Span, ...], after: str) -> tuple[str, tuple[Span, ...]]:
    trail = ""
    while spans and isinstance(spans[-1], Text):
        text = spans[-1].text
        position = len(text)
        while position and not is_inside(text[position - 1]):
            following = text[position] if position < len(text) else (trail + after)[:1]
            if not text[position - 1].isspace() and is_outside(following):
                break
            position -= 1
        trail = text[position:] + trail
        if position:
            return trail, (*spans[:-1], Text(text[:position]))
        spans = spans[:-1]
    return trail, spans


def moved_into_link(span: Emphasis) -> Link | None:
    """Return the link that an emphasis consists of, with the emphasis inside it; None if it is anything else.

    ``a*[b](u)*`` is no emphasis, because a letter is before the star; ``a[*b*](u)`` is.
    """
    only = span.spans[0] if len(span.spans) == 1 else None
    return (
        replace(only, spans=(Emphasis(span.tag, only.spans),)) if isinstance(only, Link) and not only.role else None
    )


def choose_mark(tag: str, text: str, out: str, after: str, *, nested: bool = False) -> str:
    """Return the mark of an emphasis of `text` after the Markdown `out`; ``""`` if none would be read.

    Two emphases without a space between them would share a run of stars. The second one is then written with
    underscores, which CommonMark reads if no letter follows. A mark between two punctuation characters also closes,
    so that a `nested` emphasis would end the one around it.
    """
    mark = MARKS[tag]
    if nested and out and not is_inside(out[-1]) and not out[-1].isspace() and not is_inside(text[0]):
        return ""
    if not out.endswith(mark[0]) or out.endswith("\\" + mark[0]):
        return mark
    if mark[0] != "*" or not is_outside(after) or text[0] == "_" or text[-1] == "_":
        return ""
    return mark.replace("*", "_")
