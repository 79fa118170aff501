"""The document as it is shown: the title above it, the links of an index page, readers' comments below."""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Final

from tamis.document.document import Document, iter_parts
from tamis.document.parts import (
    Emphasis,
    Heading,
    Item,
    Link,
    List,
    Paragraph,
    Part,
    Post,
    Rule,
    Span,
    Text,
    children,
    spans_text,
)
from tamis.html.urls import safe_url
from tamis.metadata.date_formats import parse_day
from tamis.page.declared import base_url
from tamis.render.buffer import Rendered
from tamis.render.text import MAX_PARTS_BEFORE, match_title

if TYPE_CHECKING:
    from tamis.extractors.base import Selection
    from tamis.page import Page
    from tamis.render.content import Content
    from tamis.render.options import RenderOptions

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
    changed = _in_order(tuple(parts), heading, originals)
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


def _in_order(parts: tuple[Part, ...], title: Part, originals: dict[Part, Part]) -> tuple[Part, ...]:
    """Return parts in which only the title has level 1. Levels below one that the page leaves out stay."""
    others = [part for part in iter_parts(parts) if isinstance(part, Heading) and part is not title]
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
