r"""The interface of newspaper4k: `Article`, `article` and `fulltext`.

>>> page = "<title>Tea</title><nav>Home</nav><h1>Tea</h1><p>Boil soft water, wait, and then pour it over the leaves."
>>> tea = article("https://example.org/tea", input_html=page)
>>> tea.title, tea.authors, tea.publish_date
('Tea', [], None)
>>> fulltext(page)
'Tea\n\nBoil soft water, wait, and then pour it over the leaves.'
"""

import json
import re
from collections import Counter
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import urljoin, urlsplit
from urllib.request import url2pathname

from tamis.api import Extraction, extract
from tamis.compat import import_paths
from tamis.compat.justext import get_stoplist, get_stoplists
from tamis.compat.markup import decode, has_tag, read_markup, warn_ignored
from tamis.document.parts import Figure
from tamis.errors import SourceError
from tamis.metadata import Metadata
from tamis.page import parse_page
from tamis.sources.feeds import find_feeds, parse_feed
from tamis.sources.fetch import fetch

__all__ = [
    "Article",
    "ArticleBinaryDataException",
    "ArticleDownloadState",
    "ArticleException",
    "Config",
    "Configuration",
    "Source",
    "article",
    "build",
    "build_article",
    "fulltext",
    "languages",
    "valid_languages",
]

#: The version of newspaper4k whose interface this is.
__version__: Final = "0.9.6"

__getattr__ = import_paths(
    __name__,
    (
        *("api", "article", "cleaners", "configuration", "exceptions", "extractors", "languages", "mthreading"),
        *("network", "nlp", "parsers", "settings", "source", "text", "urls", "utils", "version"),
    ),
    {
        "hot": "Google Trends has no such list any more",
        "popular_urls": "Tamis keeps no list of sites",
        "fetch_news": "use tamis.afetch_many(), or Source.download_articles()",
        "GoogleNewsSource": "use tamis.sources with the feed's URL, or `tamis feed URL`",
        "StopWords": "no language needs a list of stop words",
    },
)

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
_DATE_IN_PATH: Final = re.compile(r"/((?:19|20)\d\d)[/-](0?[1-9]|1[0-2])[/-](0?[1-9]|[12]\d|3[01])(?=/|-|$)")
_VIDEO_HOSTS: Final = re.compile(r"(?:youtube(?:-nocookie)?|youtu|vimeo|dailymotion|kewego)\.")
#: Languages that newspaper4k takes; Tamis detects any.
_LANGUAGES: Final = dict(
    pair.split(":")
    for pair in """
    af:Afrikaans ar:Arabic as:Assamese be:Belarusian bg:Bulgarian bn:Bengali br:Breton ca:Catalan cs:Czech
    da:Danish de:German el:Greek en:English eo:Esperanto es:Spanish et:Estonian eu:Basque fa:Persian fi:Finnish
    fr:French ga:Irish gl:Galician gu:Gujarati ha:Hausa he:Hebrew hi:Hindi hr:Croatian hu:Hungarian hy:Armenian
    id:Indonesian it:Italian ja:Japanese ka:Georgian kn:Kannada ko:Korean ku:Kurdish la:Latin lt:Lithuanian
    lv:Latvian mk:Macedonian ml:Malayalam mn:Mongolian mr:Marathi ms:Malay my:Burmese nb:Norwegian ne:Nepali
    nl:Dutch no:Norwegian pa:Punjabi pl:Polish ps:Pashto pt:Portuguese rn:Rundi ro:Romanian ru:Russian
    sa:Sanskrit sk:Slovak sl:Slovenian so:Somali sr:Serbian st:Sotho sv:Swedish sw:Swahili ta:Tamil te:Telugu
    th:Thai tl:Tagalog tr:Turkish uk:Ukrainian ur:Urdu vi:Vietnamese yo:Yoruba zh:Chinese zu:Zulu
    """.split()  # noqa: SIM905 (eighty lines otherwise)
)
_THREE_LETTERS: Final = {
    "ckb": "ku",
    "kmr": "ku",
    "eng": "en",
    "deu": "de",
    "fra": "fr",
    "spa": "es",
    "por": "pt",
    "zho": "zh",
}
#: Words of English that say nothing about a text; jusText's list has its most frequent words, "water" among them.
_STOP_WORDS: Final = frozenset(
    """
    a about above after again all also am an and any are as at be because been before being below between both
    but by can could did do does doing down during each few for from further get got had has have having he her
    here hers him his how i if in into is it its just like me more most much my no nor not now of off on once
    one only or other our ours out over own said same say says she should so some such than that the their
    theirs them then there these they this those through to too two under until up us very was we were what when
    where which while who whom why will with would you your yours going new
    """.split()  # noqa: SIM905 (a hundred lines otherwise)
)
_MIN_SENTENCE: Final = 4  #: words; shorter sentences are captions and exclamations
_SECTION: Final = re.compile(r"/[a-z][a-z-]{1,20}/?")  #: the path of a section of a site
_NO_PAGES: Final = (".css", ".gif", ".jpeg", ".jpg", ".js", ".mp3", ".mp4", ".pdf", ".png", ".webp", ".xml", ".zip")
_WORD: Final = re.compile(r"[^\W\d_][\w'\u2019-]*")
_SENTENCE: Final = re.compile(
    r"[^.!?\u3002\uff01\uff1f\n]+[.!?\u3002\uff01\uff1f]+[\"'\u201d\u2019)]*|[^.!?\n]+$", re.MULTILINE
)


class Config:
    """The settings of newspaper4k, with its defaults.

    `language`, `requests_params`, `max_keywords`, `max_summary_sent`, `max_authors`, `min_word_count`,
    `min_sent_count` and `number_threads` have an effect; the others are kept for programs that set them.
    """

    def __init__(self) -> None:
        self.min_word_count, self.min_sent_count = 300, 7
        self.max_title, self.max_text, self.max_keywords, self.max_authors = 200, 100000, 35, 10
        self.max_summary, self.max_summary_sent, self.max_file_memo = 5000, 5, 20000
        self.top_image_settings = {"min_width": 300, "min_height": 200, "min_area": 10000, "max_retries": 2}
        self.memorize_articles, self.disable_category_cache, self.fetch_images = True, False, True
        self.follow_meta_refresh, self.clean_article_html, self.http_success_only = False, True, True
        self.requests_params: dict[str, Any] = {"timeout": 7, "proxies": {}, "headers": {}}
        self.number_threads, self.thread_timeout_seconds, self.verbose = 10, 10, False
        self.allow_binary_content, self.honor_robots_txt = False, False
        self.ignored_content_types_defaults: dict[str, str] = {}
        self.use_meta_language = True
        self._language = "en"

    def update(self, **settings: Any) -> None:  # noqa: ANN401 (settings are of several types)
        """Set settings; those that newspaper4k has not go to the downloads, as there."""
        for name, value in settings.items():
            if name in {"timeout", "request_timeout", "proxies", "headers"}:
                self.requests_params[name.removeprefix("request_")] = value
            elif name == "browser_user_agent":
                self.requests_params.setdefault("headers", {})["User-Agent"] = value
            elif name == "memoize_articles":
                self.memorize_articles = value
            elif hasattr(self, name):
                setattr(self, name, value)

    @property
    def language(self) -> str:
        """The language of articles (ISO 639-1); to set it is to ignore what pages declare."""
        return self._language

    @language.setter
    def language(self, value: str) -> None:
        code = normalize_language_code(value or "")
        if code not in _LANGUAGES:
            raise ValueError(f"{value!r} is not a language of newspaper4k: see valid_languages()")
        self._language, self.use_meta_language = code, False

    @property
    def request_timeout(self) -> float:
        """Seconds for a download."""
        return float(self.requests_params.get("timeout", 7))

    @property
    def browser_user_agent(self) -> str | None:
        """The user agent of downloads."""
        return (self.requests_params.get("headers") or {}).get("User-Agent")

    @browser_user_agent.setter
    def browser_user_agent(self, value: str) -> None:
        self.update(browser_user_agent=value)


#: newspaper4k's other name for it.
Configuration = Config


def normalize_language_code(language: str) -> str:
    """Return a code of two letters for one of three, where newspaper4k has it; any other as it is."""
    return _THREE_LETTERS.get(language, language)


def valid_languages() -> list[tuple[str, str]]:
    """Return the codes and names of the languages that newspaper4k takes."""
    return sorted(_LANGUAGES.items())


def languages() -> None:
    """Print the languages that newspaper4k takes."""
    print(*(f"  {code}\t\t\t  {name}" for code, name in valid_languages()), sep="\n")  # noqa: T201 (as in newspaper4k)


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
        config: a `Config`, which is copied.
        allow_private: also connect to private and loopback addresses. Only Tamis has this keyword.
        settings: settings of a `Config`.
    """

    def __init__(
        self,
        url: str,
        title: str = "",
        source_url: str = "",
        read_more_link: str = "",
        config: Config | None = None,
        *,
        allow_private: bool = False,
        **settings: Any,  # noqa: ANN401 (those of `Config`)
    ) -> None:
        warn_ignored("newspaper", read_more_link=read_more_link)
        self.config = _configured(config, settings)
        parts = urlsplit(url or "")
        self.source_url = source_url or f"{parts.scheme or 'http'}://{parts.netloc}"
        self.url = self.original_url = urljoin(self.source_url, url)
        self.read_more_link = read_more_link
        self._allow_private = allow_private
        self.title = title
        self.text = self.summary = self._html = self.article_html = ""
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

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Article):
            return NotImplemented
        return (self.url, self.title, self.text, self._html) == (other.url, other.title, other.text, other._html)

    __hash__ = object.__hash__

    @property
    def language(self) -> str:
        """The language of the article: what its page declares, unless one was set."""
        return (self.config.use_meta_language and self.meta_lang) or self.config.language

    def is_valid_body(self) -> bool:
        """Return whether the parsed text has enough words and sentences for an article."""
        self.throw_if_not_parsed_verbose()
        has_words = len(self.text.split()) >= self.config.min_word_count
        return has_words and len(_SENTENCE.findall(self.text)) >= self.config.min_sent_count

    def is_valid_url(self) -> bool:
        """Return whether the URL could be one of an article."""
        return _may_be_article(self.url)

    def is_media_news(self) -> bool:
        """Return whether the URL is one of a gallery or a video."""
        return bool(
            re.search(
                r"/(?:video|videos|slide|slideshow|gallery|galleries|powerpoint|fashion|glamour|cloth)/", self.url
            )
        )

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
        return _download(self.url, self.config, allow_private=self._allow_private)

    def parse(self) -> Self:
        """Extract the content and the metadata of the page; an `ArticleException` without content."""
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
        self.authors = list(metadata.authors)[: self.config.max_authors]
        self.publish_date = _publish_date(self.url, metadata)
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
        frames = (str(frame.attrs.get("src") or "") for frame in extraction.page.elements("iframe[src], embed[src]"))
        self.movies = list(dict.fromkeys(frame for frame in frames if _VIDEO_HOSTS.search(frame)))

    def nlp(self) -> None:
        """Set `keywords`, the most frequent words, and `summary`, the sentences that have most of them."""
        self.throw_if_not_downloaded_verbose()
        self.throw_if_not_parsed_verbose()
        stopwords = _stop_words(self.language)
        self.keyword_scores = keywords(self.text, stopwords, self.config.max_keywords)
        self.keywords = list(self.keyword_scores)
        self.summary = "\n".join(summarize(self.title, self.text, stopwords, self.config.max_summary_sent))

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


def _configured(config: Config | None, settings: dict[str, Any]) -> Config:
    """Return a copy of a configuration with other settings; those that are None are not set."""
    own = deepcopy(config) if config is not None else Config()
    own.update(**{name: value for name, value in settings.items() if value is not None})
    return own


def _download(url: str, config: Config, *, allow_private: bool) -> str:
    agent = {"User-Agent": config.browser_user_agent} if config.browser_user_agent else {}
    fetched = fetch(url, timeout=config.request_timeout, allow_private=allow_private, headers=agent)
    return decode(fetched.body, fetched.encoding)


def _publish_date(url: str, metadata: Metadata) -> datetime | None:
    """Return the date as newspaper4k gives it: of the URL's path without a time, else the page's with its time."""
    if found := _DATE_IN_PATH.search(urlsplit(url).path):
        try:
            return datetime(*map(int, found.groups()))  # type: ignore[arg-type]  # noqa: DTZ001 (as in newspaper4k)
        except ValueError:  # a day that no month has
            pass
    if metadata.published is not None:
        return metadata.published
    return datetime.fromisoformat(metadata.date) if metadata.date else None


def _stop_words(language: str) -> Collection[str]:
    """Return the stop words of a language (ISO 639-1), those of jusText for any but English."""
    if language == "en":
        return _STOP_WORDS
    name = _LANGUAGES.get(language, "")
    return get_stoplist(name) if name in get_stoplists() else ()


def keywords(text: str, stopwords: Any = None, max_keywords: int = 35) -> dict[str, float]:  # noqa: ANN401
    """Return the most frequent words of a text that are not stop words, each with its share, best first.

    The stop words are words, or an object that has them as `stop_words`; None are those of English.

    >>> list(keywords("The economy is going to be good. Have a good day. Day by day.", None, 2))
    ['day', 'good']
    """
    words = [word.lower() for word in _WORD.findall(text)]
    left_out = frozenset(_STOP_WORDS if stopwords is None else getattr(stopwords, "stop_words", stopwords))
    counts = Counter(word for word in words if word not in left_out and len(word) > 1)
    best = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:max_keywords]
    return {word: count / max(1, len(words)) for word, count in best}


def summarize(title: str, text: str, stopwords: Any = None, max_sents: int = 5) -> list[str]:  # noqa: ANN401
    """Return the sentences that have most of the keywords and of the title's words, in the order of the text."""
    weights = dict.fromkeys((word.lower() for word in _WORD.findall(title)), 0.02)
    weights |= keywords(text, stopwords)
    sentences = [" ".join(sentence.split()) for sentence in _SENTENCE.findall(text)]
    scored = [
        (sum(weights.get(word.lower(), 0) for word in found) / len(found), -index)
        for index, sentence in enumerate(sentences)
        if len(found := _WORD.findall(sentence)) > _MIN_SENTENCE
    ]
    return [
        sentences[-index] for _, index in sorted(sorted(scored, reverse=True)[:max_sents], key=lambda one: -one[1])
    ]


@dataclass
class Category:
    """A page of a site that lists articles."""

    url: str
    html: str | None = None
    doc: Any = None


@dataclass
class Feed:
    """A feed of a site."""

    url: str
    rss: str | None = None


class Source:
    """A news site: its home page, its categories, its feeds, and the articles that they link.

    Args:
        url: the site's home page.
        read_more_link: has no effect.
        config: a `Config`, which is copied.
        allow_private: see `Article`.
        settings: settings of a `Config`.
    """

    def __init__(
        self,
        url: str,
        read_more_link: str = "",
        config: Config | None = None,
        *,
        allow_private: bool = False,
        **settings: Any,  # noqa: ANN401 (those of `Config`)
    ) -> None:
        if not url or "://" not in url:
            raise ValueError("Input url is bad!")
        warn_ignored("newspaper", read_more_link=read_more_link)
        self.config = _configured(config, settings)
        self.url, self.domain, self.scheme = url, urlsplit(url).netloc, urlsplit(url).scheme
        self.brand = self.domain.removeprefix("www.").partition(".")[0]
        self.read_more_link = read_more_link
        self._allow_private = allow_private
        self.html = self.description = self.favicon = self.logo_url = ""
        self.articles: list[Article] = []
        self.categories: list[Category] = []
        self.feeds: list[Feed] = []
        self.is_downloaded = self.is_parsed = False

    def build(self, input_html: str | None = None, only_homepage: bool = False, only_in_path: bool = False) -> None:  # noqa: FBT001, FBT002 (as in newspaper4k)
        """Download the home page, its categories and feeds, and list the articles that they link."""
        if input_html is None:
            self.download()
        else:
            self.html, self.is_downloaded = input_html, True
        self.parse()
        if only_homepage:
            self.categories = [Category(self.url, self.html)]
        else:
            self.set_categories()
            self.download_categories()
            self.set_feeds()
            self.download_feeds()
        self.generate_articles(only_in_path=only_in_path)

    def download(self) -> None:
        """Download the home page; a failure leaves it empty."""
        self.html = self._fetch(self.url) or ""
        self.is_downloaded = bool(self.html)

    def _fetch(self, url: str) -> str | None:
        try:
            return _download(url, self.config, allow_private=self._allow_private)
        except OSError:  # a SourceError is one
            return None

    def parse(self) -> None:
        """Read the description of the site from its home page."""
        self.is_parsed = True
        if has_tag(self.html):
            metadata = extract(self.html, self.url).metadata
            self.description, self.favicon = metadata.description or "", metadata.favicon or ""

    def set_categories(self) -> None:
        """Take the pages that the home page links and that are sections by their URL."""
        links = (link for link in self._links(self.html, self.url) if _SECTION.fullmatch(urlsplit(link).path))
        self.categories = [Category(url) for url in dict.fromkeys([self.url, *links])]

    def download_categories(self) -> None:
        """Download the categories."""
        for category in self.categories:
            category.html = self.html if category.url == self.url else self._fetch(category.url)

    def set_feeds(self) -> None:
        """Take the feeds that the home page and the categories name."""
        pages = [self.html, *(category.html or "" for category in self.categories)]
        found = [url for page in pages for url in find_feeds(page.encode("utf-8", "replace"), self.url)]
        self.feeds = [Feed(url) for url in dict.fromkeys(found)]

    def download_feeds(self) -> None:
        """Download the feeds."""
        for feed in self.feeds:
            feed.rss = self._fetch(feed.url)

    def _links(self, html: str | None, url: str) -> list[str]:
        if not html or not has_tag(html):
            return []
        links = (
            urljoin(url, str(link.attrs.get("href") or "")) for link in parse_page(html).document.select("a[href]")
        )
        return [link for link in links if _host(link) == _host(self.url)]

    def generate_articles(self, limit: int = 5000, only_in_path: bool = False) -> None:  # noqa: FBT001, FBT002 (as in newspaper4k)
        """List the articles that categories and feeds link, each once."""
        urls = [link for category in self.categories for link in self._links(category.html, category.url)]
        for feed in self.feeds:
            try:
                entries = parse_feed((feed.rss or "").encode("utf-8", "replace"), feed.url).entries
            except SourceError:
                continue
            urls += [entry.url for entry in entries]
        path = urlsplit(self.url).path if only_in_path else ""
        unique = {_host(url) + urlsplit(url).path.rstrip("/") + urlsplit(url).query: url for url in reversed(urls)}
        wanted = [
            url for url in reversed(unique.values()) if _may_be_article(url) and urlsplit(url).path.startswith(path)
        ]
        self.articles = [
            Article(url, source_url=self.url, config=self.config, allow_private=self._allow_private)
            for url in wanted[:limit]
        ]

    def download_articles(self) -> list[Article]:
        """Download the articles, several at a time."""
        with ThreadPoolExecutor(max(1, self.config.number_threads), "tamis-source") as executor:
            list(executor.map(Article.download, self.articles))
        return self.articles

    def parse_articles(self) -> None:
        """Parse the articles; those whose content repeats are left out."""
        unique: dict[str, Article] = {}
        for article_ in self.articles:
            article_.parse()
            unique.setdefault(self._article_fingerprint(article_), article_)
        self.articles = list(unique.values())

    @staticmethod
    def _article_fingerprint(article_: Article) -> str:
        words = re.findall(r"\w+", f"{article_.title} {article_.text}".casefold())
        return sha256(" ".join(words).encode("utf-8", "replace")).hexdigest()

    def size(self) -> int:
        """Return the number of articles."""
        return len(self.articles)

    def article_urls(self) -> list[str]:
        """Return the URLs of the articles."""
        return [article_.url for article_ in self.articles]

    def category_urls(self) -> list[str]:
        """Return the URLs of the categories."""
        return [category.url for category in self.categories]

    def feed_urls(self) -> list[str]:
        """Return the URLs of the feeds."""
        return [feed.url for feed in self.feeds]


def _host(url: str) -> str:
    return urlsplit(url).netloc.removeprefix("www.")


def _may_be_article(url: str) -> bool:
    """Return whether a URL may be one of an article: a date in it, a long name, or a path of several steps."""
    path = urlsplit(url).path
    steps = [step for step in path.split("/") if step]
    if not url.startswith("http") or not steps or path.lower().endswith(_NO_PAGES):
        return False
    return (
        bool(_DATE_IN_PATH.search(path))
        or len(steps) > 1
        or steps[-1].count("-") + steps[-1].count("_") > 1
        or "." in steps[-1]
    )


def get_path(url: str | None) -> str | None:
    """Return the path of a URL."""
    return urlsplit(url).path if url is not None else None


def build(
    url: str = "",
    dry: bool = False,  # noqa: FBT001, FBT002 (as in newspaper4k, here and below)
    only_homepage: bool = False,  # noqa: FBT001, FBT002
    only_in_path: bool = False,  # noqa: FBT001, FBT002
    input_html: str | None = None,
    config: Config | None = None,
    **settings: Any,  # noqa: ANN401 (those of `Config`)
) -> Source:
    """Return a site with its articles listed; with `dry`, nothing is downloaded."""
    source = Source(url, config=config, **settings)
    if not dry:
        source.build(input_html, only_homepage, only_in_path)
    return source


def build_article(url: str = "", config: Config | None = None, **settings: Any) -> Article:  # noqa: ANN401
    """Return an article that is not downloaded yet."""
    return Article(url, config=config, **settings)


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
    """Return the text of an article; ``""`` without content."""
    markup = read_markup(html)
    return extract(markup).text if has_tag(markup) else ""
