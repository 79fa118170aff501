r"""The interface of newspaper4k: `Article`, `article` and `fulltext`.

>>> page = "<title>Tea</title><nav>Home</nav><h1>Tea</h1><p>Boil soft water, wait, and then pour it over the leaves."
>>> tea = article("https://example.org/tea", input_html=page)
>>> tea.title, tea.authors, tea.publish_date
('Tea', [], None)
>>> fulltext(page)
'Tea\n\nBoil soft water, wait, and then pour it over the leaves.'
"""

import json
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urljoin, urlsplit
from urllib.request import url2pathname

from tamis.api import Extraction, extract
from tamis.compat.markup import decode, has_tag, read_markup, warn_ignored
from tamis.document.parts import Figure
from tamis.sources.fetch import fetch

__all__ = [
    "Article",
    "ArticleBinaryDataException",
    "ArticleDownloadState",
    "ArticleException",
    "article",
    "fulltext",
]

_FIELDS: Final = (  # of `Article.to_json`, in newspaper4k's order
    "url",
    "read_more_link",
    "language",
    "title",
    "top_image",
    "meta_img",
    "images",
    "movies",
    "keywords",
    "meta_keywords",
    "tags",
    "authors",
    "publish_date",
    "summary",
    "meta_description",
    "meta_lang",
    "meta_favicon",
    "meta_site_name",
    "canonical_link",
    "text",
)
_MAX_SHOWN: Final = 100  # characters of the text in `str(article)`
_TIMEOUT: Final = 7.0  # seconds, newspaper4k's default


class ArticleException(Exception):  # noqa: N818 (the name is newspaper4k's)
    """The article was not downloaded or not parsed."""


class ArticleBinaryDataException(Exception):  # noqa: N818 (the name is newspaper4k's)
    """For programs that catch it; it is never raised: a download that is not a page fails as others do."""


class ArticleDownloadState(Enum):
    """What became of the download."""

    NOT_STARTED = 0
    FAILED_RESPONSE = 1
    SUCCESS = 2


class Article:
    """An article with the attributes of newspaper4k's class of this name, set by `download` and `parse`.

    Args:
        url: the article's URL, or a ``file`` URL.
        title: the title until `parse` finds one.
        source_url: the URL of the site; from `url` if empty.
        read_more_link: has no effect.
        config: has no effect.
        language: recorded; Tamis detects the language.
        timeout: seconds for the download.
        fetch_images: has no effect: no image is ever downloaded.
        allow_private: also connect to private and loopback addresses. Only Tamis has this keyword.
        settings: newspaper4k's other settings have no effect.
    """

    def __init__(
        self,
        url: str,
        title: str = "",
        source_url: str = "",
        read_more_link: str = "",
        config: object = None,
        *,
        language: str | None = None,
        timeout: float | None = None,
        fetch_images: bool | None = None,  # noqa: ARG002 (none is ever fetched)
        allow_private: bool = False,
        **settings: object,
    ) -> None:
        warn_ignored("newspaper", read_more_link=read_more_link, config=config)
        warn_ignored("newspaper", **{name: value is not None for name, value in settings.items()})
        parts = urlsplit(url or "")
        self.source_url = source_url or f"{parts.scheme or 'http'}://{parts.netloc}"
        self.url = self.original_url = urljoin(self.source_url, url)
        self.language = language or "en"
        self.read_more_link = read_more_link
        self._timeout = _TIMEOUT if timeout is None else timeout
        self._allow_private = allow_private
        self.title = title
        self.text = self.summary = self._html = self._excerpt = self.article_html = ""
        self.top_image = self.meta_img = self.meta_favicon = ""
        self.meta_description = self.meta_lang = self.meta_site_name = self.canonical_link = ""
        self.authors: list[str] = []
        self.images: list[str] = []
        self.movies: list[str] = []
        self.keywords: list[str] = []
        self.keyword_scores: dict[str, float] = {}
        self.meta_keywords: list[str] = []
        self.tags: set[str] = set()
        self.meta_data: dict[str, str] = {}
        self.publish_date: datetime | None = None
        self.history: list[str] = []
        self.is_parsed = False
        self.download_state = ArticleDownloadState.NOT_STARTED
        self.download_exception_msg: str | None = None

    def __str__(self) -> str:
        start = self.text if len(self.text) <= _MAX_SHOWN else self.text[:_MAX_SHOWN] + " [...]"
        return f"__Title__: {self.title}\n\n {start}"

    def download(
        self,
        input_html: str | bytes | None = None,
        title: str | None = None,
        recursion_counter: int = 0,  # noqa: ARG002 (newspaper4k's own; no link is followed)
        ignore_read_more: bool = False,  # noqa: ARG002, FBT001, FBT002 (as in newspaper4k; no link is followed)
    ) -> Self:
        """Take the page that is given, or download it (extra ``fetch``); a failure is reported by `parse`."""
        if input_html is None:
            try:
                input_html = self._read()
            except OSError as error:  # a SourceError is one
                self.download_state = ArticleDownloadState.FAILED_RESPONSE
                self.download_exception_msg = str(error)
                return self
        self.html = input_html
        if title is not None:
            self.title = title
        return self

    @property
    def html(self) -> str:
        """The page; to set it is to download it."""
        return self._html

    @html.setter
    def html(self, value: str | bytes | None) -> None:
        markup = read_markup(value or "")
        self._html = decode(markup) if isinstance(markup, bytes) else markup
        self.download_state = ArticleDownloadState.SUCCESS

    @property
    def imgs(self) -> list[str]:
        """The same as `images`."""
        return self.images

    @property
    def text_cleaned(self) -> str:
        """The same as `text`."""
        return self.text

    @property
    def top_img(self) -> str:
        """The same as `top_image`."""
        return self.top_image

    def _read(self) -> str:
        if urlsplit(self.url).scheme == "file":
            return decode(Path(url2pathname(urlsplit(self.url).path)).read_bytes())
        fetched = fetch(self.url, timeout=self._timeout, allow_private=self._allow_private)
        return decode(fetched.body, fetched.encoding)

    def parse(self) -> Self:
        """Extract the content and the metadata of the page; an `ArticleException` if there is none."""
        self.throw_if_not_downloaded_verbose()
        self.is_parsed = True
        if has_tag(self.html):
            self._fill(extract(self.html, self.url))
        return self

    def _fill(self, extraction: Extraction) -> None:
        metadata = extraction.metadata
        self.text = extraction.text
        self.article_html = extraction.render("html", title=False).text
        self.title = metadata.title or self.title
        self.authors = list(metadata.authors)
        self.publish_date = datetime.fromisoformat(metadata.date) if metadata.date else None
        figures = (part for part in extraction.document if isinstance(part, Figure))
        self.images = list(dict.fromkeys(image.src for figure in figures for image in figure.images))
        self.meta_img = metadata.image or ""
        self.top_image = self.meta_img or next(iter(self.images), "")
        self.meta_keywords, self.tags = list(metadata.tags), set(metadata.tags)
        self.meta_description = metadata.description or ""
        self.meta_lang = (metadata.declared_language or "").partition("-")[0]
        self.meta_favicon = metadata.favicon or ""
        self.meta_site_name = metadata.site or ""
        self.canonical_link = metadata.canonical or ""
        self.meta_data = {
            str(name): str(element.attrs["content"])
            for element in extraction.page.elements("meta[content]")
            if (name := element.attrs.get("name") or element.attrs.get("property"))
        }
        self._excerpt = metadata.description or metadata.excerpt or ""

    def nlp(self) -> None:
        """Take the page's own keywords and description for `keywords` and `summary`: Tamis computes none."""
        self.throw_if_not_downloaded_verbose()
        self.throw_if_not_parsed_verbose()
        warn_ignored("newspaper", nlp=True)
        self.keywords = list(self.meta_keywords)
        self.summary = self._excerpt

    def build(self) -> None:
        """Download and parse the article, then call `nlp`."""
        self.download()
        self.parse()
        self.nlp()

    def to_json(self, as_string: bool = True) -> str | dict[str, Any]:  # noqa: FBT001, FBT002 (as in newspaper4k)
        """Return the most used attributes as JSON, or as a dictionary."""
        self.throw_if_not_parsed_verbose()
        values = {name: getattr(self, name) for name in _FIELDS}
        values["tags"] = sorted(self.tags)
        values["publish_date"] = self.publish_date.isoformat() if self.publish_date else None
        return json.dumps(values, indent=4, ensure_ascii=False) if as_string else values

    def throw_if_not_downloaded_verbose(self) -> None:
        """Raise an `ArticleException` unless the article was downloaded."""
        if self.download_state is ArticleDownloadState.NOT_STARTED:
            raise ArticleException("You must `download()` an article first!")
        if self.download_state is ArticleDownloadState.FAILED_RESPONSE:
            raise ArticleException(
                f"Article `download()` failed with {self.download_exception_msg} on URL {self.url}"
            )

    def throw_if_not_parsed_verbose(self) -> None:
        """Raise an `ArticleException` unless the article was parsed."""
        if not self.is_parsed:
            raise ArticleException("You must `parse()` an article first!")


def article(
    url: str,
    language: str | None = None,
    *,
    input_html: str | bytes | None = None,
    **settings: Any,  # noqa: ANN401 (those of `Article`)
) -> Article:
    """Return a parsed article, downloaded unless `input_html` has the page; other keywords are those of `Article`."""
    return Article(url, language=language, **settings).download(input_html).parse()


def fulltext(html: str, language: str = "en") -> str:  # noqa: ARG001 (as in newspaper4k; the language is detected)
    """Return the text of an article; ``""`` where there is none."""
    markup = read_markup(html)
    return extract(markup).text if has_tag(markup) else ""
