"""The structured data of a page, read once: JSON-LD and ``meta`` elements (OpenGraph, microdata, Dublin Core …)."""

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from tamis.html.text import unescape
from tamis.lazy import cached_property, dataclass
from tamis.page import Page
from tamis.page.parse import parse_json_ld

if TYPE_CHECKING:
    from tamis.document.detectors.post_parts import PostFacts

T_co = TypeVar("T_co", covariant=True)
JSONObject = dict[str, Any]

_ARTICLES: Final = """
    newsarticle reportagenewsarticle analysisnewsarticle opinionnewsarticle reviewnewsarticle blogposting article
    techarticle scholarlyarticle advertisercontentarticle satiricalarticle socialmediaposting liveblogposting
    discussionforumposting qapage question howto recipe report
"""
#: A review comes last: shops have their customers' reviews on the page of the product.
_OTHER_ITEMS: Final = (
    "product course event book videoobject podcastepisode jobposting softwareapplication place review"
)
_PAGES: Final = "webpage itempage collectionpage aboutpage faqpage profilepage medicalwebpage"
DECLARED_PAGE_TYPES: Final = frozenset(_PAGES.split())  #: the types of pages as such, in lower case
#: The types of news, in lower case.
NEWS_TYPES: Final = frozenset({"newsarticle", "reportagenewsarticle", "analysisnewsarticle", "opinionnewsarticle"})
#: The rank of each type that may be the main item of a page. The specific ones precede the page's own WebPage.
_TYPE_RANK: Final = {name: rank for rank, name in enumerate(f"{_ARTICLES} {_OTHER_ITEMS} {_PAGES}".split())}
_MAX_ITEMS: Final = 2000  #: JSON-LD items of one page
#: Characters of a value that are read. Descriptions are the longest values.
MAX_VALUE_CHARS: Final = 10_000


def as_list(value: object) -> list[Any]:
    """Return the entries of a JSON-LD value, which may be one or a list of them.

    >>> as_list("tea"), as_list(["tea"]), as_list(None)
    (['tea'], ['tea'], [])
    """
    return value if isinstance(value, list) else [] if value is None else [value]


@dataclass(frozen=True, slots=True)
class Sourced(Generic[T_co]):
    """A value and the source that it was read from, such as ``json-ld author`` or ``og:title``."""

    value: T_co
    source: str


@dataclass(frozen=True, eq=False)
class StructuredData:
    """The structured data of a page.

    Attributes:
        page: the page.
        items: the objects of its JSON-LD, flattened, outer before inner.
        main_items: those whose type may be the subject of the page, the most specific type first.
        meta: the values of ``meta`` elements by name, property or itemprop in lower case.
    """

    page: Page
    items: tuple[JSONObject, ...]
    main_items: tuple[JSONObject, ...]
    meta: dict[str, list[str]]

    def metas(self, *names: str) -> Iterator[Sourced[str]]:
        """Yield the non-empty ``meta`` values of some names, in the order of the names."""
        for name in names:
            for value in self.meta.get(name, ()):
                cleaned = " ".join(value.split())
                if cleaned:
                    yield Sourced(cleaned, meta_source(name))

    def first_meta(self, *names: str) -> Sourced[str] | None:
        """Return the first non-empty ``meta`` value among some names."""
        return next(self.metas(*names), None)

    def json_ld_texts(self, *properties: str) -> Iterator[Sourced[str]]:
        """Yield the texts of some properties of the main items."""
        for item in self.main_items:
            for name in properties:
                for value in text_values(item.get(name), self.by_id):
                    yield Sourced(value, f"json-ld {name}")

    def first_json_ld(self, *properties: str) -> Sourced[str] | None:
        """Return the first text among some properties of the main items."""
        return next(self.json_ld_texts(*properties), None)

    @cached_property
    def by_id(self) -> dict[str, JSONObject]:
        """The JSON-LD items that others may refer to, by ``@id``."""
        return {item["@id"]: item for item in self.items if isinstance(item.get("@id"), str) and len(item) > 1}

    @cached_property
    def authored_items(self) -> list[JSONObject]:
        """The main items without reviews of the first one: a review's author did not write the page."""
        first = self.main_items[0] if self.main_items else None
        return [item for item in self.main_items if item is first or "review" not in item_types(item)]

    @cached_property
    def posts(self) -> dict[int, "PostFacts"]:
        """The posts of a thread, by row."""
        from tamis.document.detectors.posts import find_posts  # noqa: PLC0415 (the title needs no posts)

        return find_posts(self.page)


_MAX_VALUES: Final = 1_000  #: JSON-LD scripts, and ``meta`` elements of one name: a paper has hundreds of references
_META_ATTRIBUTES: Final = ("content", "name", "property", "itemprop")


def read_structured(page: Page) -> StructuredData:
    """Read the structured data of a page.

    >>> from tamis.page import parse_page
    >>> data = '<script type="application/ld+json">{"@type":"Article"}</script>'
    >>> page = parse_page(f'<meta name=author content="A">{data}')
    >>> structured = read_structured(page)
    >>> structured.first_meta("author").value, len(structured.main_items)
    ('A', 1)
    """
    parsed = (value for row in page.rows_of("script").tolist() for value in parse_json_ld(page, row))
    items = _flatten(list(islice(parsed, _MAX_VALUES)))
    ranks = [min((_TYPE_RANK[name] for name in item_types(item) if name in _TYPE_RANK), default=-1) for item in items]
    ranked = sorted(zip(ranks, items, strict=True), key=lambda pair: pair[0])
    meta: dict[str, list[str]] = {}
    for content, *names in page.attribute_table(page.rows_of("meta").tolist(), _META_ATTRIBUTES):
        if content:
            for name in {name for name in names if name}:
                values = meta.setdefault(name.strip().lower(), [])
                if len(values) < _MAX_VALUES:
                    values.append(content[:MAX_VALUE_CHARS])
    return StructuredData(page, tuple(items), tuple(item for rank, item in ranked if rank >= 0), meta)


def _flatten(values: list[Any]) -> list[JSONObject]:
    """Return every JSON-LD item of some JSON values, outer before inner, in order."""
    items: list[JSONObject] = []
    stack: list[Any] = [values]
    while stack and len(items) < _MAX_ITEMS:
        value = stack.pop()
        if isinstance(value, dict):
            if "@type" in value or "@id" in value:
                items.append(value)
            stack.extend(reversed([inner for inner in value.values() if isinstance(inner, dict | list)]))
        elif isinstance(value, list):
            stack.extend(reversed(value))
    return items


def meta_source(name: str) -> str:
    """Return how a ``meta`` element is named as a source: OpenGraph's by their prefix, others as ``meta``.

    >>> meta_source("og:title"), meta_source("author")
    ('og:title', 'meta author')
    """
    return name if ":" in name else f"meta {name}"


def item_types(item: JSONObject) -> list[str]:
    """Return the types of a JSON-LD item in lower case, without their vocabulary.

    >>> item_types({"@type": ["https://schema.org/NewsArticle", "schema:Report"]})
    ['newsarticle', 'report']
    """
    names = as_list(item.get("@type"))
    return [name.rpartition("/")[2].rpartition(":")[2].lower() for name in names if isinstance(name, str)]


def text_values(value: object, by_id: dict[str, JSONObject] | None = None) -> list[str]:
    """Return the texts of a JSON-LD value: strings, and the names of items.

    >>> text_values([{"@type": "Person", "name": "Ann"}, "Bob"])
    ['Ann', 'Bob']
    """
    texts: list[str] = []
    for entry in as_list(value):
        text = _item_text(entry, by_id or {}) if isinstance(entry, dict) else entry
        if isinstance(text, str) and text.strip():
            text = text[:MAX_VALUE_CHARS]
            texts.append(" ".join(unescape(text).split()))  # pages escape twice
    return texts


def _item_text(item: JSONObject, by_id: dict[str, JSONObject]) -> object:
    """Return what names an item, or the item that it refers to."""
    if "name" not in item:
        identifier = item.get("@id")
        item = by_id.get(identifier, item) if isinstance(identifier, str) else item
    text = item.get("name") or item.get("@value") or item.get("headline") or item.get("url")
    return text[0] if isinstance(text, list) and text else text
