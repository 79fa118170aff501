"""`Content`: what a writer reads of an extraction. `tamis.api.Extraction` implements it and is not imported here."""

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from tamis.document.parts import Item, Link, List, Paragraph, Part, Rule, Span, Text
from tamis.html.urls import safe_url
from tamis.page.declared import base_url
from tamis.render.title import with_title

if TYPE_CHECKING:
    from tamis.document.document import Document
    from tamis.document.warnings import ContentWarning
    from tamis.extractors.base import Selection
    from tamis.metadata.fields import Metadata
    from tamis.page import Page
    from tamis.render.comments import Comment
    from tamis.render.options import RenderOptions

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


# `Content`: what a writer reads of an extraction. `tamis.api.Extraction` implements it and is not imported here.


class ContentBlock(Protocol):
    """A block of the content, with its score."""

    @property
    def text(self) -> str:
        """Its selected text."""

    @property
    def tag(self) -> str:
        """The block-level element that contains it."""

    @property
    def score(self) -> float:
        """The largest score of its text rows."""

    @property
    def reason(self) -> str:
        """Why it was kept."""

    @property
    def row(self) -> int:
        """Its first text row in the page."""


class Content(Protocol):
    """What writers read: the document, the metadata, and how the content was selected."""

    @property
    def page(self) -> "Page":
        """The page as columns."""

    @property
    def selection(self) -> "Selection":
        """The selected rows."""

    @property
    def url(self) -> str | None:
        """The URL that the caller gave."""

    @property
    def extractor(self) -> str:
        """The name of the extractor."""

    @property
    def empty_reason(self) -> str | None:
        """Why there is no content, or None if there is."""

    @property
    def document(self) -> "Document":
        """The content as a tree of parts."""

    @property
    def comments_document(self) -> "Document":
        """Readers' comments as a tree of posts."""

    @property
    def comments(self) -> "tuple[Comment, ...]":
        """Readers' comments as values."""

    @property
    def metadata(self) -> "Metadata":
        """The page's metadata."""

    @property
    def title(self) -> str | None:
        """The page's title."""

    @property
    def page_type(self) -> str | None:
        """The page type, if the extractor determines it."""

    @property
    def page_type_probability(self) -> float | None:
        """The probability of that page type."""

    @property
    def confidence(self) -> float | None:
        """The F1 that the extractor expects."""

    @property
    def blocks(self) -> "tuple[ContentBlock, ...]":
        """The content in blocks."""

    @property
    def warnings(self) -> "tuple[ContentWarning, ...]":
        """What was hidden, removed or refused."""


def shown_document(
    content: Content, options: "RenderOptions", *, title: bool = True, urls_as_text: bool = False
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
