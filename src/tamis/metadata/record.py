"""`Metadata`: the record, and how it is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from tamis.document.addresses import base_of, safe_address
from tamis.metadata import author, date, language, origin, rights, site, title
from tamis.metadata.structured import Said
from tamis.render.text import render_text

_ENOUGH: Final = 5000  #: characters
_LIKELY: Final = 0.5  #: the chance that a page is of a kind, from which on that kind tells where to look

if TYPE_CHECKING:
    from tamis.api import Extraction


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
        kind: what kind of page it is, where the extractor says so.
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
    kind: str | None = None
    agency: str | None = None
    location: str | None = None
    copyright: str | None = None
    sources: Mapping[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the record as plain values, in the order of the attributes."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def read_title(found: "Extraction") -> Said | None:
    """Read the title alone: most who want a title want nothing else of the metadata."""
    if found.selection.title:
        return Said(found.selection.title, "extractor")
    return title.find_title(found.structured, _site_name(site.find_site(found.structured, found.url)), found.url)


def _site_name(named: Said | None) -> str | None:
    return named.value if named and named.source != "address" else None


def _beginning(found: "Extraction") -> str:
    """Return the first characters of the content: enough to tell its language, its source and its place."""
    page, mask = found.page, found.selection.mask
    lengths = np.where(mask, np.diff(page.offset), 0)
    return render_text(page, mask & (np.cumsum(lengths) - lengths < _ENOUGH))[:_ENOUGH]


def read_metadata(found: "Extraction") -> Metadata:
    """Read what is known about a page.

    Sources in the order of trust: JSON-LD, microdata, OpenGraph, ``meta``, what is shown.
    """
    page, url = found.page, found.url
    said = found.structured
    base = base_of(page, url)
    named = site.find_site(said, url)
    kind = found.kind if found.kind_chance is None or found.kind_chance >= _LIKELY else None
    authors, author_source = author.find_authors(said, _site_name(named), kind)
    tags, tag_source = site.find_tags(said)
    categories, category_source = site.find_categories(said)
    text = _beginning(found)
    opening = text[:1000].lstrip()
    values: dict[str, Said | None] = {
        "title": read_title(found),
        "subtitle": title.find_subtitle(said),
        "date": date.find_date(said, url, kind),
        "modified": date.find_modified(said),
        "site": named,
        "description": site.find_description(said),
        "language": language.declared(said),
        "detected_language": _said(language.detected(text), "text"),
        "license": rights.find_license(said, base),
        "image": site.find_image(said, base),
        "canonical": site.find_canonical(said, base),
        "url": _said(safe_address(url, None) if url else None, "given"),
        "kind": _said(found.selection.page_kind, "extractor"),
        "agency": origin.find_agency(said, opening),
        "location": origin.find_location(said, opening),
        "copyright": rights.find_copyright(said),
    }
    sources = {name: value.source for name, value in values.items() if value is not None}
    lists = (("authors", author_source), ("tags", tag_source), ("categories", category_source))
    sources |= {name: source for name, source in lists if source}
    plain = {name: value.value for name, value in values.items() if value is not None}
    return Metadata(**plain, authors=authors, tags=tags, categories=categories, sources=sources)


def _said(value: str | None, source: str) -> Said | None:
    return Said(value, source) if value else None
