"""The `Document` of the interface of trafilatura: text and metadata as attributes."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import InitVar, dataclass, field, fields
from datetime import UTC, datetime
from hashlib import blake2b
from html import unescape
from typing import Any, Final
from unicodedata import category
from urllib.parse import urlsplit

import numpy as np

from tamis.api import Extraction, extract
from tamis.compat.trafilatura_tree import etree
from tamis.page import Page
from tamis.page.parse import parse_json_ld
from tamis.page.selectors import select_rows
from tamis.render.comments import Comment

_FINGERPRINT_BITS: Final = 64
_DATE_IN_PATH: Final = re.compile(r"/((?:19|20)\d\d)[/-](0[1-9]|1[0-2])[/-](0[1-9]|[12]\d|3[01])(?=/|-|$)")
_DOMAIN: Final = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}", re.IGNORECASE)
#: How the types of schema.org end that trafilatura takes for the type of a page.
_PAGE_TYPES: Final = ("article", "blogposting", "posting", "page", "report", "website", "review")
#: Properties of schema.org with a page's text, and types whose description stands for it.
_TEXT_KEYS: Final = ("articleBody", "reviewBody", "recipeInstructions", "step", "acceptedAnswer")
_DESCRIBED: Final = ("Product", "VideoObject")
#: A tag of HTML rather than a comparison such as ``i<b and c>d``: it ends, or has attributes with values.
_MARKUP: Final = re.compile(
    r"</?(?:a|article|b|blockquote|br|code|div|em|figure|h[1-6]|hr|i|img|li|ol|p|pre|section|span|strong|table|ul)"
    r"(?:\s+[\w-]+=[^<>]*)?\s*/?>",
    re.IGNORECASE,
)
_LINE_BREAK: Final = re.compile(r"\n\s*\n|\n(?=\S)")
#: Where the themes of WordPress link the categories of a post.
_CATEGORY_PLACES: Final = (".entry-categories", ".cat-links", ".post-categories", ".postcategories", ".entry-meta")
_CREATIVE_COMMONS: Final = re.compile(r"\bCC(?:0|[ -]BY(?:-(?:NC|ND|SA))*)(?: \d\.\d)?\b", re.IGNORECASE)
#: Second levels below which domains of countries are registered.
_SECOND_LEVELS: Final = frozenset(
    {"ac", "co", "com", "edu", "gov", "gob", "go", "ltd", "me", "ne", "net", "or", "org"}
)


def _empty_body() -> Any:  # noqa: ANN401 (an element of lxml or of the standard library)
    return etree().Element("body")


@dataclass(slots=True, eq=False, kw_only=True)
class Document:
    """What trafilatura returns, with its attributes in its order. Strings are None and lists empty where unknown.

    The arguments for `id` and `license` are called `idval` and `license_val`, as in trafilatura.
    """

    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] | None = None
    tags: list[str] | None = None
    fingerprint: str | None = None
    id: str | None = field(init=False, default=None)
    license: str | None = field(init=False, default=None)
    body: Any = field(default_factory=_empty_body)
    comments: str | None = None
    commentsbody: Any = field(default_factory=_empty_body)
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None
    idval: InitVar[str | None] = None
    license_val: InitVar[str | None] = None

    def __post_init__(self, idval: str | None, license_val: str | None) -> None:
        self.id, self.license = idval, license_val

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Document":
        """Return a document with these attributes; an `AttributeError` for others."""
        document = cls()
        for name, value in data.items():
            setattr(document, name, value)
        return document

    def as_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}


def fill_metadata(
    document: Document, extraction: Extraction, url: str | None, author_blacklist: Collection[str] = ()
) -> None:
    """Write the metadata of a page into a document."""
    metadata = extraction.metadata
    unwanted = {name.casefold() for name in author_blacklist}
    authors = [name for name in metadata.authors if name.casefold() not in unwanted]
    metas = _Declared(extraction)
    document.title = metadata.title or metas.title
    declared_author = "" if unwanted else metas.first("og:author")
    document.author = "; ".join(filter(None, map(_without_symbols, authors))) or declared_author or None
    document.url = metadata.canonical or url
    document.hostname = _hostname(document.url or "")
    document.description = " ".join(unescape(metadata.description).split()) if metadata.description else None
    publisher = metas.first("article:publisher")
    declared = publisher if publisher and not publisher.startswith(("@", "http")) else metadata.site
    declared = declared or metas.domain_in_title
    document.sitename = declared.title() if declared and declared.islower() and "." not in declared else declared
    in_path = _DATE_IN_PATH.search(document.url or "")
    document.date = metadata.date or (in_path and "-".join(in_path.groups()))
    document.categories = list(metadata.categories) or metas.category_links
    keywords = ", ".join(re.split(r"\s*,\s*", metas.first("keywords")))
    document.tags = list(filter(None, (keywords, *metas.all("article:tag")))) or list(metadata.tags)
    document.license = metas.text_of_link(metadata.license) if metadata.license else metas.license_in_footer
    document.language = metadata.declared_language or metadata.language
    document.image = metadata.image or metas.first("image", "og:image:url", "twitter:image:src") or None
    document.pagetype = metas.page_type or metas.first("og:type") or None
    document.filedate = datetime.now(UTC).date().isoformat()  # the day of the extraction, as in trafilatura


class _Declared:
    """What a page declares, where trafilatura takes it as it is and Tamis reads more or less into it."""

    def __init__(self, extraction: Extraction) -> None:
        self._page = extraction.page
        self._metas = [
            (
                str(meta.attrs.get("property") or meta.attrs.get("name") or "").lower(),
                str(meta.attrs["content"]).strip(),
            )
            for meta in self._page.elements("meta[content]")
        ]

    def all(self, name: str) -> list[str]:
        """Return the contents of the ``meta`` elements of a name."""
        return [content for key, content in self._metas if key == name and content]

    def first(self, *names: str) -> str:
        """Return the first content of ``meta`` elements, names in order of trust, or ``""``."""
        return next((content for name in names for content in self.all(name)), "")

    @property
    def title(self) -> str | None:
        """The text of ``title``, unless it is a domain."""
        text = " ".join(" ".join(element.text.split()) for element in self._page.elements("head title")[:1])
        return None if not text or _DOMAIN.fullmatch(text) else text

    @property
    def domain_in_title(self) -> str | None:
        """The part of ``title`` that is a domain."""
        text = "".join(element.text for element in self._page.elements("head title")[:1])
        return next((part for part in re.split(r"\s+[-–—|:]\s+", text.strip()) if _DOMAIN.fullmatch(part)), None)

    @property
    def category_links(self) -> list[str]:
        """The texts of links that are marked as the categories of a post."""
        links = self._page.elements(", ".join(f"{place} a[href*='/category/']" for place in _CATEGORY_PLACES))
        return list(dict.fromkeys(filter(None, (" ".join(link.to_text().split()) for link in links))))

    @property
    def license_in_footer(self) -> str | None:
        """The Creative Commons license that the text of a link in the footer names."""
        texts = (" ".join(link.to_text().split()) for link in self._page.elements("footer a, [class*=footer] a"))
        return next((match[0].upper() for text in texts if (match := _CREATIVE_COMMONS.search(text))), None)

    @property
    def page_type(self) -> str:
        """The type of the page in JSON-LD that trafilatura knows, in lower case, or ``""``."""
        for item in json_ld_items(self._page):
            own = item.get("@type")
            types = [str(name).lower() for name in (own if isinstance(own, list) else [own])]
            if known := next((name for name in types if name.endswith(_PAGE_TYPES)), ""):
                return known
        return ""

    def text_of_link(self, target: str) -> str | None:
        """Return what a page calls a license: the text of its link where only the link's URL is known."""
        if not target.startswith(("http", "/")):
            return target
        for link in self._page.elements("a[rel]"):
            rel = link.attrs["rel"] or ""
            if "license" in (rel if isinstance(rel, str) else " ".join(rel)).lower().split():
                return " ".join(link.to_text().split()) or None
        return target


def json_ld_items(page: Page) -> Iterator[dict[str, Any]]:
    """Return the objects of a page's JSON-LD, also those of graphs and main entities, in order."""
    waiting: list[Any] = [value for row in select_rows(page, "script") for value in parse_json_ld(page, row)]
    while waiting:
        item = waiting.pop(0)
        if isinstance(item, list):
            waiting[:0] = item
        elif isinstance(item, dict):
            yield item
            waiting[:0] = [item.get("@graph"), item.get("mainEntity")]


def declared_texts(extraction: Extraction) -> tuple[list[str], list[str]]:
    """Return the paragraphs that JSON-LD declares: of texts, steps and answers, and of descriptions alone."""
    texts: dict[str, None] = {}
    descriptions: dict[str, None] = {}
    for item in json_ld_items(extraction.page):
        texts.update(dict.fromkeys(_strings([item.get(key) for key in _TEXT_KEYS])))
        if any(name in str(item.get("@type")) for name in _DESCRIBED):
            descriptions.update(dict.fromkeys(_strings(item.get("description"))))
    return [line for text in texts for line in _lines(text)], [line for text in descriptions for line in _lines(text)]


def _strings(value: object) -> Iterator[str]:
    """Return the strings of a value, and of objects their texts and those of their parts."""
    waiting = [value]
    while waiting:
        item = waiting.pop(0)
        if isinstance(item, str):
            yield item
        elif isinstance(item, list):
            waiting[:0] = item
        elif isinstance(item, dict):
            waiting[:0] = [item.get("text"), item.get("itemListElement")]


def _lines(text: str) -> list[str]:
    r"""Return the paragraphs of a text, which may be HTML.

    >>> _lines("Boil\n\twater.\nWait."), _lines("&lt;p&gt;Boil.&lt;/p&gt; Wait."), _lines("i<b and c>d")
    (['Boil water.', 'Wait.'], ['Boil.', 'Wait.'], ['i<b and c>d'])
    """
    text = unescape(text)
    if _MARKUP.search(text):
        text = extract(text, extractor="body").text
    return [" ".join(line.split()) for line in _LINE_BREAK.split(text) if line.strip()]


def _without_symbols(name: str) -> str:
    """Return a name without pictures: emoji and the like.

    >>> _without_symbols("Jane Doe ❤️")
    'Jane Doe'
    """
    return "".join(char for char in name if category(char) not in {"So", "Sk", "Mn"} or char.isalpha()).strip()


def _hostname(url: str) -> str | None:
    """Return the host of a URL as trafilatura cuts it, or None if it is invalid.

    It begins with the last name of four letters or more; short names are taken for subdomains.

    >>> [_hostname(f"https://{host}/") for host in ("www.blog.example.org", "m.ft.com", "www.bbc.co.uk", "10.0.0.1")]
    ['example.org', 'ft.com', 'bbc.co.uk', '10.0.0.1']
    """
    try:
        host = urlsplit(url).hostname
    except ValueError:
        return None
    if not host:
        return None
    labels = host.split(".")
    if labels[-1].isdigit() or len(labels) <= 2:  # noqa: PLR2004 (an address, or a domain)
        return host
    for index in range(len(labels) - 2, -1, -1):
        if len(labels[index]) >= 4:  # noqa: PLR2004 (as trafilatura)
            return ".".join(labels[index:])
    is_second_level = len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVELS  # noqa: PLR2004 (a country)
    return ".".join(labels[-3:] if is_second_level else labels[-2:])


def comment_lines(comments: Iterable[Comment]) -> list[str]:
    """Return the lines of comments and their replies, in order."""
    lines: list[str] = []
    stack = list(comments)[::-1]
    while stack:
        comment = stack.pop()
        lines.extend(line for line in comment.text.splitlines() if line.strip())
        stack.extend(reversed(comment.replies))
    return lines


def fingerprint(text: str) -> str:
    """Return a similarity hash of a text: 16 hexadecimal digits, of which few differ between similar texts.

    The values are not those of trafilatura.

    >>> fingerprint("Boil water, and wait.") == fingerprint("boil water and wait")
    True
    """
    words = Counter("".join(char if char.isalnum() else " " for char in text.lower()).split())
    if not words:
        return "0" * (_FINGERPRINT_BITS // 4)
    digests = b"".join(
        blake2b(word.encode("utf-8", "replace"), digest_size=_FINGERPRINT_BITS // 8).digest() for word in words
    )
    bits = np.unpackbits(np.frombuffer(digests, dtype=np.uint8).reshape(len(words), -1), axis=1)
    votes = np.array(list(words.values())) @ (2 * bits.astype(np.int64) - 1)
    return np.packbits(votes > 0).tobytes().hex()
