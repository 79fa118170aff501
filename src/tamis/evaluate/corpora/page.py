"""A page with its gold text, and a page that cannot be used."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tamis.html.urls import hostname


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A page of a corpus. The reader decodes the markup, so that all tools receive the same text.

    Everything but the first three attributes is optional: not every corpus has it.

    Attributes:
        id: the name of the page in the corpus.
        html: the markup.
        gold: the content, as labelled by people.
        corpus: the name of the corpus.
        url: the URL of the page.
        page_type: the type of the page (article, forum, product …).
        required: short texts that must be in the content.
        forbidden: short texts that must not be in the content.
        title: the title.
        author: the author.
        date: the date of publication, as the corpus writes it.
        comments: user comments, if the corpus separates them from the gold text.
        language: the language.
        level: how hard the page is, as the corpus says: simple, mid, hard.
        tags: what the corpus says the page has: code, table, equation …
        parts: parts of the gold text by name (headline, body …).
        encoding: the encoding of the markup.
        gold_markdown: the content as Markdown, if the corpus keeps its structure.
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
    level: str | None = None
    tags: tuple[str, ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)
    encoding: str | None = None
    gold_markdown: str | None = None

    @property
    def site(self) -> str | None:
        """The hostname without ``www.``, or None. Old corpora have malformed URLs.

        >>> LabelledPage("1", "", "", url="https://www.example.org/a").site
        'example.org'
        """
        return hostname(self.url, strip_www=True) or None


@dataclass(frozen=True, slots=True)
class BrokenPage:
    """A page of a corpus that cannot be used, and the reason."""

    id: str
    corpus: str
    reason: str
