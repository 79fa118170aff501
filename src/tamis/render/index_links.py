"""The links of an index page, which outputs have where a page has no main content (Liu 2017's catalogue)."""

from typing import TYPE_CHECKING

from tamis.document.parts import Item, List, Paragraph
from tamis.document.spans import Link, Span, Text
from tamis.html.urls import safe_url
from tamis.page.base_url import base_url

if TYPE_CHECKING:
    from tamis.extractors.base import Selection
    from tamis.page import Page


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
