"""`Content`: what a writer reads of an extraction. `tamis.api.Extraction` implements it and is not imported here."""

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from tamis.document.parts import Part, Rule
from tamis.render.index_links import index_links, index_list
from tamis.render.title import with_title

if TYPE_CHECKING:
    from tamis.document.document import Document
    from tamis.document.warnings import ContentWarning
    from tamis.extractors.base import Selection
    from tamis.metadata.fields import Metadata
    from tamis.page import Page
    from tamis.render.comments import Comment
    from tamis.render.options import RenderOptions


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
    def render_options(self) -> "RenderOptions":
        """What the caller wants outputs to show."""

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
    def text(self) -> str:
        """The content as plain text, with the caller's options."""

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
