"""The document as it is shown: the title above it, the links of an index page, readers' comments below.

Then what several writers show alike in it: references and marks of notes, captions, links and images as lists.
"""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from tamis.document.detectors.notes.model import is_around_references
from tamis.document.parts import (
    Callout,
    Details,
    Document,
    Emphasis,
    Figure,
    Heading,
    Image,
    Item,
    Link,
    List,
    Paragraph,
    Part,
    Post,
    Rule,
    Span,
    Table,
    Text,
    children,
    spans_text,
)
from tamis.html.text import safe_url
from tamis.metadata.date_formats import parse_day
from tamis.metadata.title import MAX_PARTS_BEFORE, match_title
from tamis.page.parse import base_url
from tamis.render.registry import Rendered, RenderOptions

if TYPE_CHECKING:
    from tamis.extractors.registry import Selection
    from tamis.page import Page
    from tamis.render.content import Content

# The page's title above its content: a heading of level 1, unless the content begins with it.
#
# Labelled corpora differ in whether the title belongs to the content, so extractors select it or not as they were
# trained. A reader wants it in any case. Writers therefore add it here, after the selection.

_MAX_LEVEL: Final = 6
_MAX_DATE_PARTS: Final = 2  #: below the title, where its date may stand
_MAX_DATE_WORDS: Final = 5  #: of a date with its weekday


def with_title(document: Document, title: str | None) -> tuple[Document, dict[Part, Part]]:
    """Return a document that begins with the title, and for each part that was changed the original one.

    Headings keep the levels of the page, unless one besides the title has level 1: it and those after it are one
    level lower, down to a level that the page leaves out. A title that was not selected is shown.
    """
    if not title or not document.parts:
        return document, {}
    opening = list(_opening(document.parts))
    found = match_title(title, ((text, level) for _, text, level in opening))
    originals: dict[Part, Part] = {}
    parts = list(document.parts)
    heading: Part
    if found is None:
        row = document.page.body
        heading = Heading(element=row, first=row, stop=row + 1, level=1, spans=(Text(title),))
        parts.insert(0, heading)
    else:
        heading = opening[found][0]
        if heading in document.parts and isinstance(heading, (Heading, Paragraph)):
            index = parts.index(heading)
            if not (isinstance(heading, Heading) and heading.level == 1):
                spans = _unwrapped(heading.spans)
                shown = Heading(element=heading.element, first=heading.first, stop=heading.stop, level=1, spans=spans)
                originals[shown] = heading
                parts[index] = heading = shown
    _undo_headings(parts, heading, originals)
    headings = [part for part in document.in_order if isinstance(part, Heading)]
    changed = _in_order(tuple(parts), headings, heading, originals)
    added = document.added
    if added:
        added |= {shown for shown, original in originals.items() if original in added}
        added -= {heading, originals.get(heading, heading)}
    if changed == document.parts and added == document.added:
        return document, originals
    return replace(document, parts=changed, added=added), originals


def _undo_headings(parts: list[Part], title: Part, originals: dict[Part, Part]) -> None:
    """Turn headings without a section into paragraphs: those above the title, and dates alone below it or a heading.

    A style sheet made them small: kickers, and the days of a blog above the titles of its articles.
    """
    index = parts.index(title) if title in parts else -1
    for number, part in enumerate(parts):
        if not isinstance(part, Heading) or part is title:
            continue
        after = parts[number + 1] if number + 1 < len(parts) else None
        is_above = number < index and isinstance(after, Heading)
        is_below = 0 <= index < number <= index + _MAX_DATE_PARTS
        is_empty = isinstance(after, Heading) and after.level <= part.level
        if is_above or ((is_below or is_empty) and _is_date(spans_text(part.spans))):
            shown = Paragraph(element=part.element, first=part.first, stop=part.stop, spans=part.spans)
            originals[shown] = part
            parts[number] = shown


def _is_date(text: str) -> bool:
    return len(text.split()) <= _MAX_DATE_WORDS and parse_day(text) is not None


def restore_originals(rendered: Rendered, originals: dict[Part, Part]) -> Rendered:
    """Give the positions of changed parts to the parts that they were made from."""
    for shown, original in originals.items():
        if shown in rendered.spans:
            rendered.spans[original] = rendered.spans[shown]
    return rendered


def _unwrapped(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return spans without emphasis around all of them: a heading needs none."""
    while len(spans) == 1 and isinstance(spans[0], Emphasis) and spans[0].tag in {"strong", "em"}:
        spans = spans[0].spans
    return spans


def _opening(parts: tuple[Part, ...]) -> Iterator[tuple[Part, str, int]]:
    """Yield the first parts, those of posts one by one, each with its text and level."""
    for part in parts[: MAX_PARTS_BEFORE + 1]:
        match part:
            case Heading():
                yield part, spans_text(part.spans), part.level
            case Paragraph():
                yield part, spans_text(part.spans), 0
            case Post():
                yield from _opening(part.parts)
            case _:
                yield part, "", -1


def _in_order(
    parts: tuple[Part, ...], headings: list[Heading], title: Part, originals: dict[Part, Part]
) -> tuple[Part, ...]:
    """Return parts in which only the title has level 1. Levels below one that the page leaves out stay.

    `headings` are those of the document, in order, before any part was changed.
    """
    replaced = {title, *originals.values()}
    others = [part for part in headings if part not in replaced]
    shift_from = next((index for index, part in enumerate(others) if part.level == 1), len(others))
    used = {part.level for part in others[shift_from:]}
    free = next((level for level in range(2, _MAX_LEVEL) if level not in used), _MAX_LEVEL)
    changed: dict[Part, int] = {part: part.level + 1 for part in others[shift_from:] if part.level < free}
    return tuple(_with_levels(part, changed, originals) for part in parts) if changed else parts


def _with_levels(part: Part, levels: dict[Part, int], originals: dict[Part, Part]) -> Part:
    """Return a part with other levels of its headings. Parts nest at most `MAX_DEPTH` levels deep."""
    shown: Part
    if isinstance(part, Heading):
        if part not in levels:
            return part
        shown = replace(part, level=levels[part])
    elif not children(part):
        return part
    else:
        changes = {}
        for field in fields(part):
            value = getattr(part, field.name)
            if isinstance(value, tuple) and value and isinstance(value[0], Part):
                inner = tuple(_with_levels(child, levels, originals) for child in value)
                if inner != value:
                    changes[field.name] = inner
        if not changes:
            return part
        shown = replace(part, **changes)  # type: ignore[arg-type]  # each field has the type that it had
    originals[shown] = originals.pop(part, part)
    return shown


# The links of an index page, which outputs have where a page has no main content (Liu 2017's catalogue).


def index_links(page: "Page", selection: "Selection", url: str | None) -> list[dict[str, str]]:
    """Return text and URL of each link of an index page: absolute if the page's URL is known, and safe.

    >>> import tamis
    >>> extraction = tamis.extract("<a href=/green>Green tea</a>", "https://e.org/", extractor="nodechar")
    >>> index_links(extraction.page, extraction.selection, extraction.url)
    [{'text': 'Green tea', 'url': 'https://e.org/green'}]
    """
    base = base_url(page, url)
    found = ((link.text, safe_url(link.href, base)) for link in selection.index_links)
    return [{"text": text, "url": target} for text, target in found if target]


def index_list(links: list[dict[str, str]], *, urls_as_text: bool = False) -> tuple[List, ...]:
    """Return the links as a list; in plain text, where a link has no URL, each URL follows in angle brackets."""
    items = []
    for link in links:
        text, url = link["text"], link["url"]
        span: Span = Text(f"{text} <{url}>") if urls_as_text else Link(url, (Text(text),))
        paragraph = Paragraph(element=0, first=0, stop=1, spans=(span,))
        items.append(Item(element=0, first=0, stop=1, parts=(paragraph,)))
    return (List(element=0, first=0, stop=1, items=tuple(items)),) if items else ()


def shown_document(
    content: "Content", options: "RenderOptions", *, title: bool = True, urls_as_text: bool = False
) -> "tuple[Document, dict[Part, Part]]":
    """Return the document, or the links of an index page, and for each part that was changed the original one.

    It begins with the title, `title` being the default of the format, and ends with a rule and readers' comments if
    the options ask for them.
    """
    document = content.document
    if not document.parts and content.selection.index_links:
        links = index_links(content.page, content.selection, content.url)
        document = replace(document, parts=index_list(links, urls_as_text=urls_as_text and options.links))
    document, originals = with_title(document, content.title if options.shows_title(default=title) else None)
    comments = content.comments_document.parts if options.comments else ()
    if not comments:
        return document, originals
    first = comments[0]
    rule = (Rule(element=first.element, first=first.first, stop=first.first),) if document.parts else ()
    return replace(document, parts=document.parts + rule + comments), originals


# References to notes and their marks, captions, and the links and images of a document.

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
