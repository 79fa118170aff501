"""A page with what a person said is its content, and a page that could not be had."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tamis.html.urls import hostname


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page of a corpus. Its markup was decoded by the reader: every extractor is given the same text.

    Attributes:
        id: its name within the corpus.
        html: the markup.
        gold: the text a person marked as content.
        corpus: the name of the corpus.
        url: its address, where the corpus has it.
        page_type: its page type (article, forum, product …), where the corpus says.
        required: short texts that must be in the content.
        forbidden: short texts that must not.
        title: its title, where the corpus says.
        author: likewise.
        date: likewise, as the corpus writes it.
        comments: what readers wrote below the content, where the corpus keeps that apart from the gold text.
        language: its language, where the corpus says.
        parts: pieces of the gold text by name (headline, body …), where the corpus tells them apart.
        encoding: what the markup was decoded with.
    """

    id: str
    html: str
    gold: str
    corpus: str = ""
    url: str | None = None
    page_type: str | None = None
    required: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    title: str | None = None
    author: str | None = None
    date: str | None = None
    comments: str | None = None
    language: str | None = None
    parts: Mapping[str, str] = field(default_factory=dict)
    encoding: str | None = None

    @property
    def site(self) -> str | None:
        """The host of its URL without ``www.``, or None: old corpora have malformed URLs.

        >>> LabelledPage("1", "", "", url="https://www.example.org/a").site
        'example.org'
        """
        return hostname(self.url, strip_www=True) or None


@dataclass(frozen=True, slots=True)
class BrokenPage:
    """A page that the corpus should have and that cannot be used, and why."""

    id: str
    corpus: str
    reason: str
