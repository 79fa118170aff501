"""`Metadata`: the record, and how it is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from tamis.html.urls import safe_url
from tamis.metadata import author, date, language, newswire, rights, site, title
from tamis.metadata.structured import Said, Structured
from tamis.page.base_url import base_url

_LIKELY: Final = 0.5  #: the chance that a page is of a kind, from which on that kind tells where to look


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known about a page. A value that nobody named is None or empty.

    Attributes:
        title: of the page, without the site's name.
        subtitle: the line below it.
        authors: people, in the order they are named.
        date: the day it was published, as ISO.
        modified: the day it was last changed.
        site: the name of the site.
        description: what it is about, in its own words.
        language: as declared.
        detected_language: what the text is written in.
        tags: its keywords.
        categories: the sections it stands in.
        license: a Creative Commons name, or the address of the terms.
        image: the address of the picture that stands for it.
        canonical: the address it calls its own.
        url: the address it was given with.
        page_type: the page type, where the extractor determines it.
        agency: the news agency it comes from.
        location: where it was written.
        copyright: the line that says whose it is.
        sources: for each value, where it was found.
    """

    title: str | None = None
    subtitle: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None
    modified: str | None = None
    site: str | None = None
    description: str | None = None
    language: str | None = None
    detected_language: str | None = None
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    license: str | None = None
    image: str | None = None
    canonical: str | None = None
    url: str | None = None
    page_type: str | None = None
    agency: str | None = None
    location: str | None = None
    copyright: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the record as plain values, in the order of the attributes."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


@dataclass(frozen=True, slots=True, eq=False)
class MetadataSource:
    """What metadata is read from.

    Attributes:
        structured: the page and its structured data.
        url: the URL it was given with.
        title: the title that the extractor found, where it looks for one.
        page_type: the page type, where the extractor determines it.
        page_type_probability: the probability of that page type.
    """

    structured: Structured
    url: str | None = None
    title: str | None = None
    page_type: str | None = None
    page_type_probability: float | None = None


def read_title(source: MetadataSource) -> Said | None:
    """Return the title alone: most callers need nothing else of the metadata."""
    if source.title:
        return Said(source.title, "extractor")
    named = site.find_site(source.structured, source.url)
    return title.find_title(source.structured, _site_name(named), source.url)


def _site_name(named: Said | None) -> str | None:
    return named.value if named and named.source != "address" else None


def read_metadata(source: MetadataSource, text: str) -> Metadata:
    """Return the metadata of a page.

    Sources in the order of trust: JSON-LD, microdata, OpenGraph, ``meta``, visible text. `text` is the beginning of
    the content: it tells the language, the news agency and the place.
    """
    structured, url = source.structured, source.url
    base = base_url(structured.page, url)
    named = site.find_site(structured, url)
    certain = source.page_type_probability is None or source.page_type_probability >= _LIKELY
    page_type = source.page_type if certain else None
    authors, author_source = author.find_authors(structured, _site_name(named), page_type)
    tags, tag_source = site.find_tags(structured)
    categories, category_source = site.find_categories(structured)
    opening = text[:1000].lstrip()
    values: dict[str, Said | None] = {
        "title": read_title(source),
        "subtitle": title.find_subtitle(structured),
        "date": date.find_date(structured, url, page_type),
        "modified": date.find_modified(structured),
        "site": named,
        "description": site.find_description(structured),
        "language": language.declared(structured),
        "detected_language": _said(language.detected(text), "text"),
        "license": rights.find_license(structured, base),
        "image": site.find_image(structured, base),
        "canonical": site.find_canonical(structured, base),
        "url": _said(safe_url(url, None) if url else None, "given"),
        "page_type": _said(source.page_type, "extractor"),
        "agency": newswire.find_agency(structured, opening),
        "location": newswire.find_location(structured, opening),
        "copyright": rights.find_copyright(structured),
    }
    sources = {name: value.source for name, value in values.items() if value is not None}
    lists = (("authors", author_source), ("tags", tag_source), ("categories", category_source))
    sources |= {name: source for name, source in lists if source}
    plain = {name: value.value for name, value in values.items() if value is not None}
    return Metadata(**plain, authors=authors, tags=tags, categories=categories, sources=sources)


def _said(value: str | None, source: str) -> Said | None:
    return Said(value, source) if value else None
