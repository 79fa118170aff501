"""What a page says about itself for machines: JSON-LD, microdata, OpenGraph and ``meta``, gathered once."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from tamis.document.detect.posts import PostFacts, find_posts
from tamis.page import Page
from tamis.page.json_ld import linked_data

#: Types of things that a page is about, the more telling first. A page's own WebPage comes last.
_ARTICLES: Final = """
    newsarticle reportagenewsarticle analysisnewsarticle opinionnewsarticle reviewnewsarticle blogposting article
    techarticle scholarlyarticle advertisercontentarticle satiricalarticle socialmediaposting liveblogposting
    discussionforumposting qapage question howto recipe report
"""
#: A review stands after what it is a review of: shops have their customers' on the page of the product.
_THINGS: Final = "product course event book videoobject podcastepisode jobposting softwareapplication place review"
_PAGES: Final = "webpage itempage collectionpage aboutpage faqpage profilepage medicalwebpage"
_ORDER: Final = {name: place for place, name in enumerate(f"{_ARTICLES} {_THINGS} {_PAGES}".split())}
_MOST: Final = 2000  #: nodes of JSON-LD that are looked at


@dataclass(frozen=True, slots=True)
class Said:
    """A value and where it was said."""

    value: str
    source: str


@dataclass(frozen=True, eq=False)
class Structured:
    """What a page says about itself.

    Attributes:
        things: the objects of its JSON-LD, flattened.
        main: the object that the page is about, the most telling kind first.
        meta: ``meta`` elements by name or property in lower case, with all their values.
    """

    page: Page
    things: tuple[dict[str, Any], ...]
    main: tuple[dict[str, Any], ...]
    meta: dict[str, list[str]]

    def first(self, *names: str) -> Said | None:
        """Return the first ``meta`` of some names that has a value."""
        for name in names:
            for value in self.meta.get(name, ()):
                cleaned = " ".join(value.split())
                if cleaned:
                    return Said(cleaned, f"meta {name}" if ":" not in name else name)
        return None

    def linked(self, *names: str) -> Said | None:
        """Return the first text that the JSON-LD has for some properties of the main things."""
        for thing in self.main:
            for name in names:
                for value in texts(thing.get(name), self.by_id):
                    return Said(value, f"json-ld {name}")
        return None

    @cached_property
    def by_id(self) -> dict[str, dict[str, Any]]:
        """The things of the JSON-LD that others refer to."""
        return {thing["@id"]: thing for thing in self.things if isinstance(thing.get("@id"), str) and len(thing) > 1}

    @cached_property
    def own(self) -> list[dict[str, Any]]:
        """The main things without the reviews that stand beside another: who wrote those did not write the page."""
        first = self.main[0] if self.main else None
        return [thing for thing in self.main if thing is first or "review" not in kinds(thing)]

    @cached_property
    def posts(self) -> dict[int, PostFacts]:
        """The posts of a thread, by row."""
        return find_posts(self.page)


def read_structured(page: Page) -> Structured:
    """Gather what a page says about itself.

    >>> from tamis.page import parse_page
    >>> data = '<script type="application/ld+json">{"@type":"Article"}</script>'
    >>> page = parse_page(f'<meta name=author content="A">{data}')
    >>> said = read_structured(page)
    >>> said.first("author").value, len(said.main)
    ('A', 1)
    """
    things = _flattened([value for row in page.rows_of("script").tolist() for value in linked_data(page, row)])
    ranked = [(min((_ORDER[kind] for kind in kinds(thing) if kind in _ORDER), default=-1), thing) for thing in things]
    main = [thing for rank, thing in sorted(ranked, key=lambda pair: pair[0]) if rank >= 0]
    meta: dict[str, list[str]] = {}
    for row in page.rows_of("meta").tolist():
        given = page.attributes(row)
        content = given.get("content")
        if content:
            for name in {given.get("name", ""), given.get("property", ""), given.get("itemprop", "")} - {""}:
                meta.setdefault(name.strip().lower(), []).append(content)
    return Structured(page, tuple(things), tuple(main), meta)


def _flattened(values: Any) -> list[dict[str, Any]]:  # noqa: ANN401 (JSON)
    """Return every object of some JSON, outer before inner, in order."""
    out: list[dict[str, Any]] = []
    rest: list[Any] = [values]
    while rest and len(out) < _MOST:
        value = rest.pop()
        if isinstance(value, dict):
            if "@type" in value or "@id" in value:
                out.append(value)
            rest.extend(reversed([inner for inner in value.values() if isinstance(inner, dict | list)]))
        elif isinstance(value, list):
            rest.extend(reversed(value))
    return out


def kinds(thing: dict[str, Any]) -> list[str]:
    """Return the types of a thing in lower case, without their vocabulary."""
    given = thing.get("@type")
    named = given if isinstance(given, list) else [given]
    return [name.rpartition("/")[2].rpartition(":")[2].lower() for name in named if isinstance(name, str)]


def texts(value: Any, by_id: dict[str, dict[str, Any]] | None = None) -> list[str]:  # noqa: ANN401 (JSON)
    """Return the texts of a value of JSON-LD: strings, and the names of things.

    >>> texts([{"@type": "Person", "name": "Ann"}, "Bob"])
    ['Ann', 'Bob']
    """
    out: list[str] = []
    for one in value if isinstance(value, list) else [value]:
        held = one
        if isinstance(one, dict):
            if "name" not in one and by_id:
                held = by_id.get(str(one.get("@id")), one)
            held = held.get("name") or held.get("@value") or held.get("headline") or held.get("url")
            held = held[0] if isinstance(held, list) and held else held
        if isinstance(held, str) and held.strip():
            out.append(" ".join(_unescaped(held).split()))
    return out


def _unescaped(text: str) -> str:
    """Return text without references to characters: pages escape twice."""
    from html import unescape  # noqa: PLC0415 (rarely needed)

    return unescape(text) if "&" in text else text
