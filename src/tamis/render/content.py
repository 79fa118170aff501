"""`Content`: what a writer reads of an extraction. `tamis.api.Extraction` provides it; nothing here imports it."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from tamis.document.document import Document
    from tamis.document.warnings import ContentWarning
    from tamis.extractors.base import Link, Selection
    from tamis.metadata.record import Metadata
    from tamis.page import Page
    from tamis.render.comments import Comment


class ContentBlock(Protocol):
    """One block of the content, with its score."""

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


class Content(Protocol):
    """What writers read: the document, its metadata, and how they were found."""

    @property
    def page(self) -> "Page":
        """The page as columns."""

    @property
    def selection(self) -> "Selection":
        """Which rows were selected."""

    @property
    def url(self) -> str | None:
        """The URL that was given."""

    @property
    def extractor(self) -> str:
        """The name of the extractor."""

    @property
    def empty_reason(self) -> str | None:
        """Why there is no content, None if there is."""

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
        """The content as plain text, as the caller's options show it."""

    @property
    def page_type(self) -> str | None:
        """The page type, where the extractor determines it."""

    @property
    def page_type_probability(self) -> float | None:
        """The probability of that page type."""

    @property
    def confidence(self) -> float | None:
        """The F1 that the extractor expects."""

    @property
    def index_links(self) -> "tuple[Link, ...]":
        """The page's links, where the extractor found an index page."""

    @property
    def blocks(self) -> "tuple[ContentBlock, ...]":
        """The content in blocks."""

    @property
    def warnings(self) -> "tuple[ContentWarning, ...]":
        """What was hidden, removed or refused."""
