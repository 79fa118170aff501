"""What several writers show alike: references and marks of notes, captions, links and images as lists."""

import re
from collections.abc import Callable, Collection, Iterator
from operator import attrgetter
from typing import Any, Final

from tamis.document.detectors.notes.model import is_around_references
from tamis.document.document import Document
from tamis.document.parts import (
    Callout,
    Details,
    Emphasis,
    Figure,
    Heading,
    Image,
    Link,
    Paragraph,
    Part,
    Span,
    Table,
    Text,
    spans_text,
)
from tamis.render.options import RenderOptions

_SEPARATOR: Final = re.compile(r"[\s,;–-]{0,8}")
_BRACKETS: Final = (("[", "]"), ("(", ")"))


def tidy_notes(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return spans in which references stand alone: no ``sup`` and no brackets around them.

    >>> link = Link("#1", (Text("1"),), "noteref", "1")
    >>> tidy_notes((Text("tea ["), link, Text("] and")))
    (Text(text='tea '), Link(href='#1', spans=(Text(text='1'),), role='noteref', label='1'), Text(text=' and'))
    >>> tidy_notes((Emphasis("sup", (link, Text(","), link)),)) == (link, link)
    True
    """
    for span in spans:
        if (isinstance(span, Link) and span.role) or (isinstance(span, Emphasis) and span.tag == "sup"):
            break
    else:
        return spans
    if not any(_is_mark(span) or _is_raised(span, _is_mark) for span in spans):
        return spans
    flat: list[Span] = []
    for span in spans:
        if isinstance(span, Emphasis) and _is_raised(span, _is_mark):
            flat += [inner for inner in span.spans if isinstance(inner, Link)]
        else:
            flat.append(span)
    for start, stop in _runs(flat, _is_mark):
        _strip_brackets(flat, start, stop)
    return tuple(span for span in flat if not (isinstance(span, Text) and not span.text))


def without_references(spans: tuple[Span, ...], labels: Collection[str]) -> tuple[Span, ...]:
    """Return spans without the references to some notes, and without what is only around or between these.

    >>> link = Link("#1", (Text("1"),), "noteref", "1")
    >>> without_references((Text("tea"), Emphasis("sup", (Text("["), link, Text("]"))), Text(".")), {"1"})
    (Text(text='tea'), Text(text='.'))
    >>> without_references((Text("tea ["), link, Text(", "), link, Text("]")), {"1"})
    (Text(text='tea '), Text(text=''))
    """

    def is_dropped(span: Span) -> bool:
        return isinstance(span, Link) and span.role == "noteref" and span.label in labels

    out = [span for span in spans if not _is_raised(span, is_dropped)]
    for start, stop in reversed(list(_runs(out, is_dropped))):
        _strip_brackets(out, start, stop)
        del out[start:stop]
    return tuple(out)


def _is_mark(span: Span) -> bool:
    return isinstance(span, Link) and span.role in {"noteref", "backlink"}


def _is_raised(span: Span, is_mark: Callable[[Span], bool]) -> bool:
    """Tell whether a span is raised and has only marks, with commas or brackets between them."""
    if not isinstance(span, Emphasis) or span.tag != "sup" or not any(map(is_mark, span.spans)):
        return False
    return all(
        is_mark(inner) or (isinstance(inner, Text) and is_around_references(inner.text)) for inner in span.spans
    )


def _runs(spans: list[Span], is_mark: Callable[[Span], bool]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of marks that stand together, with commas and spaces between them."""
    number = 0
    while number < len(spans):
        if not is_mark(spans[number]):
            number += 1
            continue
        start, stop = number, number + 1
        while stop < len(spans):
            if is_mark(spans[stop]):
                stop += 1
                continue
            separator = spans[stop]
            between = isinstance(separator, Text) and _SEPARATOR.fullmatch(separator.text) is not None
            if not between or stop + 1 == len(spans) or not is_mark(spans[stop + 1]):
                break
            stop += 2
        yield start, stop
        number = stop


def _strip_brackets(spans: list[Span], start: int, stop: int) -> None:
    """Remove the brackets around a range."""
    before = spans[start - 1] if start else None
    after = spans[stop] if stop < len(spans) else None
    if isinstance(before, Text) and isinstance(after, Text):
        for opening, closing in _BRACKETS:
            if before.text.endswith(opening) and after.text.startswith(closing):
                spans[start - 1] = Text(before.text[:-1])
                spans[stop] = Text(after.text[1:])


def figure_caption(part: Figure, options: RenderOptions) -> tuple[Span, ...]:
    """Return the caption that outputs write: one that is not selected is left out with the images."""
    return part.caption if part.caption_selected or options.images else ()


def link_values(document: Document, options: RenderOptions) -> list[dict[str, str]]:
    """Return text and URL of each link in the content, in order and once. References to footnotes are not links."""
    return link_and_image_values(document, options)[0]


def image_values(document: Document, options: RenderOptions) -> list[dict[str, Any]]:
    """Return URL, alternative text, caption and size of each image in the content, in order and once."""
    return link_and_image_values(document, options)[1]


def link_and_image_values(
    document: Document, options: RenderOptions
) -> tuple[list[dict[str, str]], list[dict[str, Any]]]:
    """Return the links and the images in the content, from one pass over its spans."""
    links: dict[tuple[str, str], None] = {}
    images: dict[str, dict[str, Any]] = {}
    for part, span in _links_and_images(document, options):
        if isinstance(span, Link):
            if options.links and not span.role and span.href:
                links[" ".join(spans_text(span.spans).split()), options.url(span.href)] = None
        elif options.images and span.src not in images:
            caption = " ".join(spans_text(part.caption).split()) if isinstance(part, Figure) else ""
            size = {"width": span.width, "height": span.height}
            images[span.src] = {"url": span.src, "alt": span.alt, "caption": caption, **size}
    return [{"text": text, "url": url} for text, url in links], list(images.values())


#: The spans that parts of a type have.
_SPANS: Final[dict[type[Part], Callable[..., tuple[Span, ...]]]] = {
    **dict.fromkeys((Paragraph, Heading), attrgetter("spans")),
    Table: attrgetter("caption"),
    Callout: attrgetter("title"),
    Details: attrgetter("summary"),
    Figure: lambda part: (*part.images, *part.caption),
}


def _links_and_images(document: Document, options: RenderOptions) -> Iterator[tuple[Part, Link | Image]]:
    """Iterate over links and images, each with its part. What a table holds is left out with the table."""
    skip_until = -1
    for part in document:
        if isinstance(part, Table) and not options.tables:
            skip_until = max(skip_until, part.stop)
        own = _SPANS.get(type(part))
        if own is None or part.first < skip_until:
            continue
        spans = own(part)
        if len(spans) == 1 and isinstance(spans[0], Text):  # as most are
            continue
        stack: list[Span] = list(reversed(spans))
        while stack:
            span = stack.pop()
            if isinstance(span, (Link, Image)):
                yield part, span
            if isinstance(span, (Emphasis, Link)):
                stack.extend(reversed(span.spans))
