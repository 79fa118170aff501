"""The table of metadata fields: name, type, summary, readers in order of trust, and where each field is shown.

`read_metadata`, the JSON schema, front matter, CSV and the table in docs/metadata.md follow from `FIELDS`. To add a
field, add an attribute to `Metadata` and an entry to `FIELDS`, with readers of `tamis.metadata.readers` or one of its
own.

The usual order of trust is JSON-LD, microdata, OpenGraph, other ``meta``, visible text. The entries say where a field
departs from it: a title is a heading that the declared titles agree with, a site names itself best in OpenGraph,
JSON-LD often describes another item than the page, and URLs and licences are links.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any, Final, Literal

from tamis.errors import UnknownNameError
from tamis.html.text import safe_url
from tamis.metadata.author import find_all_authors
from tamis.metadata.citation import find_citation, find_doi
from tamis.metadata.confidence import confidence
from tamis.metadata.date_formats import moment_text
from tamis.metadata.dates import find_all_dates, find_modified, find_published
from tamis.metadata.language import find_content_languages, find_declared_languages
from tamis.metadata.length import find_excerpt, find_reading_time, find_word_count
from tamis.metadata.media import find_favicon, find_media, image_reader, image_size
from tamis.metadata.readers import (
    Reader,
    json_ld,
    json_ld_list,
    link_texts,
    link_url,
    meta,
    meta_list,
    meta_url,
    one,
)
from tamis.metadata.rights import (
    find_access,
    find_agency,
    find_alternates,
    find_copyright,
    find_license,
    find_location,
)
from tamis.metadata.site import find_publishers, find_sites
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import Sourced
from tamis.metadata.title import find_all_titles, find_visible_subtitle
from tamis.reprs import value_repr

#: Of a field. A moment is an aware `datetime`, a flag is True, False or None, a map has strings.
FieldType = Literal["text", "list", "number", "moment", "flag", "map"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that a field may have.

    Attributes:
        value: the value.
        source: where it was read, such as ``json-ld author``.
        confidence: the probability that it is right, as measured on labelled pages
            (`tamis.metadata.confidence`); None for fields that no corpus labels.
    """

    value: Any
    source: str
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of a page. `FIELDS` and docs/metadata.md describe each attribute.

    A field without a value is None or empty. `sources` has the source of each value, such as ``json-ld author``, and
    `candidates` has what else a field could be.
    """

    title: str | None = None
    subtitle: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None
    published: datetime | None = None
    modified: datetime | None = None
    site: str | None = None
    publisher: str | None = None
    description: str | None = None
    language: str | None = None
    declared_language: str | None = None
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    license: str | None = None
    accessible_for_free: bool | None = None
    image: str | None = None
    image_width: int | None = None
    image_height: int | None = None
    videos: tuple[str, ...] = ()
    audio: tuple[str, ...] = ()
    favicon: str | None = None
    canonical: str | None = None
    amp_url: str | None = None
    alternates: Mapping[str, str] = field(default_factory=dict)
    url: str | None = None
    page_type: str | None = None
    agency: str | None = None
    location: str | None = None
    copyright: str | None = None
    doi: str | None = None
    citation: Mapping[str, str] = field(default_factory=dict)
    excerpt: str | None = None
    word_count: int | None = None
    reading_time: int | None = None
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    origin: MetadataSource | None = field(default=None, repr=False, compare=False)
    __repr__ = value_repr

    def as_dict(self) -> dict[str, Any]:
        """Return the fields and their sources as plain values, in the order of `FIELDS`."""
        return {**{entry.name: plain_value(getattr(self, entry.name)) for entry in FIELDS}, "sources": self.sources}

    def candidates(self, name: str) -> tuple[Candidate, ...]:
        """Return the values that a field may have: its value, then the runners-up in order of trust, each once.

        >>> import tamis
        >>> html = "<meta name=date content=2024-05-01><h1>Tea</h1><p>2 May 2024</p><p>Pour, and wait."
        >>> metadata = tamis.extract(html, "https://example.org/tea", extractor="body").metadata
        >>> [(candidate.value, candidate.source) for candidate in metadata.candidates("date")]
        [('2024-05-01', 'meta date'), ('2024-05-02', 'visible')]
        """
        entry = find_field(name)
        value = getattr(self, name)
        if not has_value(value):
            return ()
        found = list(entry.read(self.origin)) if self.origin is not None else []
        found = found or [Sourced(value, self.sources.get(name, ""))]
        by_value: dict[str, list[Sourced[Any]]] = {}
        for candidate in found:
            by_value.setdefault(repr(candidate.value).casefold(), []).append(candidate)
        out: list[Candidate] = []
        left = 1.0  # the probability that none of the values so far is right
        for same in by_value.values():
            probability = confidence(name, same)
            sure = None if probability is None else round(probability * left, 3)
            out.append(Candidate(same[0].value, same[0].source, sure))
            left *= 1 - (probability or 0)
        return tuple(out)

    def __getstate__(self) -> list[Any]:
        """Return the values to pickle. What the page had beside them stays behind."""
        return [None if attribute.name == "origin" else getattr(self, attribute.name) for attribute in fields(self)]


def plain_value(value: Any) -> Any:  # noqa: ANN401 (the value of any field)
    """Return the value of a field as JSON has it: tuples as lists, moments as ISO 8601.

    >>> plain_value(("Ann",)), plain_value(None)
    (['Ann'], None)
    """
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, datetime):
        return moment_text(value)
    return dict(value) if isinstance(value, Mapping) else value


def has_value(value: Any) -> bool:  # noqa: ANN401 (the value of any field)
    """Return whether a field has a value: False is one."""
    return value is not None and value not in ("", (), {})


@dataclass(frozen=True, slots=True)
class Field:
    """A metadata field.

    Attributes:
        name: the attribute of `Metadata`.
        type: ``text`` for a string or None, ``list`` for a tuple of strings, ``number`` for an integer or None,
            ``moment`` for an aware datetime or None, ``flag`` for a bool or None, ``map`` for strings by name.
        summary: what it is, for the documentation.
        readers: how it is read, the most trusted reader first. The first value is taken.
        in_front_matter: whether it is shown before the content (with ``with_metadata``). JSON has every field.
        in_csv: whether it is a column of CSV.
    """

    name: str
    type: FieldType
    summary: str
    readers: tuple[Reader, ...]
    in_front_matter: bool = True
    in_csv: bool = False

    def read(self, source: MetadataSource) -> Iterator[Sourced[Any]]:
        """Yield the values that the page has for the field, the chosen one first."""
        return chain.from_iterable(reader.read(source) for reader in self.readers)


def _argument_url(source: MetadataSource) -> Sourced[str] | None:
    url = safe_url(source.url, None) if source.url else None
    return Sourced(url, "argument") if url else None


FIELDS: Final = (
    Field(
        "title",
        "text",
        "The title of the page, without the site's name.",
        (
            Reader(
                "the extractor; a heading that `og:title`, `title` or JSON-LD agree with; one of these",
                find_all_titles,
            ),
        ),
        in_csv=True,
    ),
    Field(
        "subtitle",
        "text",
        "The line below the title.",
        (json_ld("alternativeHeadline"), one("an element near the title", find_visible_subtitle)),
    ),
    Field(
        "authors",
        "list",
        "People, in the order in which they are named.",
        (Reader("JSON-LD; `meta`; microdata; `rel=author`; bylines", find_all_authors),),
        in_csv=True,
    ),
    Field(
        "date",
        "text",
        "The day when the page was published, as ISO 8601.",
        (
            Reader(
                "JSON-LD; `meta`; the URL; an element for dates near the title; a line near the title",
                find_all_dates,
            ),
        ),
        in_csv=True,
    ),
    Field(
        "published",
        "moment",
        "When the page was published, with time and zone where the page gives them.",
        (one("as `date`", find_published),),
        in_front_matter=False,
    ),
    Field(
        "modified",
        "moment",
        "When the page was last changed, with time and zone where the page gives them.",
        (Reader("JSON-LD `dateModified`; `meta`; a line or an element that says so", find_modified),),
    ),
    Field(
        "site",
        "text",
        "The name of the site, or its host.",
        (Reader("`og:site_name`; JSON-LD; `meta`; the URL", find_sites),),
        in_csv=True,
    ),
    Field(
        "publisher",
        "text",
        "The organisation that publishes the page.",
        (Reader("JSON-LD `publisher`, `sourceOrganization`; `meta`", find_publishers),),
        in_front_matter=False,
    ),
    Field(
        "description",
        "text",
        "The page's own description.",
        (
            meta("og:description", "description", "dc.description", "twitter:description"),
            json_ld("description"),
        ),
    ),
    Field(
        "language",
        "text",
        "The language that the content is written in.",
        (Reader("the content, checked against the declared language", find_content_languages),),
        in_csv=True,
    ),
    Field(
        "declared_language",
        "text",
        "The language that the page declares.",
        (Reader("`html lang`; JSON-LD; `meta`", find_declared_languages),),
        in_front_matter=False,
    ),
    Field(
        "tags",
        "list",
        "Keywords.",
        (
            json_ld_list("keywords"),
            meta_list(
                "article:tag", "keywords", "news_keywords", "citation_keywords", "parsely-tags", "sailthru.tags"
            ),
            link_texts("tag"),
        ),
    ),
    Field(
        "categories",
        "list",
        "The sections of the site that the page belongs to.",
        (
            json_ld_list("articleSection"),
            meta_list("article:section", "parsely-section", "category", "section", "prism.section"),
        ),
    ),
    Field(
        "license",
        "text",
        "A Creative Commons name, or the URL or the text of the terms.",
        (one("links with `rel=license` or to Creative Commons; JSON-LD; `meta`", find_license),),
    ),
    Field(
        "accessible_for_free",
        "flag",
        "Whether the whole page can be read without paying; null if the page does not say.",
        (one("JSON-LD `isAccessibleForFree`; `article:content_tier`", find_access),),
        in_front_matter=False,
    ),
    Field(
        "image",
        "text",
        "The URL of the lead image.",
        (Reader("JSON-LD `image`; `og:image`, `twitter:image`; a large image over or in the article", image_reader),),
    ),
    Field(
        "image_width",
        "number",
        "The width of the lead image in pixels.",
        (one("where the image was found", partial(image_size, side="width")),),
        in_front_matter=False,
    ),
    Field(
        "image_height",
        "number",
        "The height of the lead image in pixels.",
        (one("where the image was found", partial(image_size, side="height")),),
        in_front_matter=False,
    ),
    Field(
        "videos",
        "list",
        "The URLs of the videos of the page.",
        (Reader("JSON-LD; `og:video`; `video` elements", partial(find_media, kind="video")),),
        in_front_matter=False,
    ),
    Field(
        "audio",
        "list",
        "The URLs of the sounds of the page.",
        (Reader("JSON-LD; `og:audio`; `audio` elements", partial(find_media, kind="audio")),),
        in_front_matter=False,
    ),
    Field(
        "favicon",
        "text",
        "The URL of the site's icon, the largest that the page declares.",
        (one("`link rel=icon`, `apple-touch-icon`", find_favicon),),
        in_front_matter=False,
    ),
    Field(
        "canonical",
        "text",
        "The URL that the page declares as its own.",
        (link_url("canonical"), meta_url("og:url")),
    ),
    Field("amp_url", "text", "The URL of the page in AMP.", (link_url("amphtml"),), in_front_matter=False),
    Field(
        "alternates",
        "map",
        "The URLs of the page in other languages, by language.",
        (one("`link rel=alternate hreflang`", find_alternates),),
        in_front_matter=False,
    ),
    Field("url", "text", "The URL that was passed with the page.", (one("the argument `url`", _argument_url),)),
    Field(
        "page_type",
        "text",
        "The page type, where the extractor determines it.",
        (
            one(
                "the extractor",
                lambda source: Sourced(source.page_type, "extractor") if source.page_type else None,
            ),
        ),
        in_csv=True,
    ),
    Field(
        "agency",
        "text",
        "The news agency that the article comes from.",
        (one("`meta`; JSON-LD; the beginning of the content", find_agency),),
    ),
    Field(
        "location",
        "text",
        "Where the article was written.",
        (one("JSON-LD; `meta`; the dateline", find_location),),
    ),
    Field(
        "copyright",
        "text",
        "The copyright notice.",
        (one("`meta`; JSON-LD; the end of the page", find_copyright),),
    ),
    Field(
        "doi", "text", "The DOI of a publication.", (one("`meta` (Highwire, PRISM, Dublin Core); JSON-LD", find_doi),)
    ),
    Field(
        "citation",
        "map",
        "The parts of a citation: journal, volume, issue, first_page, last_page, publisher, issn, pdf and so on.",
        (one("`meta` (Highwire, PRISM, Eprints, Dublin Core); JSON-LD", find_citation),),
        in_front_matter=False,
    ),
    Field(
        "excerpt",
        "text",
        "The first paragraph of the content, at most 300 characters.",
        (one("the content", find_excerpt),),
        in_front_matter=False,
    ),
    Field(
        "word_count",
        "number",
        "The words of the content; the characters in scripts without spaces.",
        (one("the content", find_word_count),),
        in_front_matter=False,
        in_csv=True,
    ),
    Field(
        "reading_time",
        "number",
        "The minutes that the content takes to read, at 238 words or 255 Chinese characters per minute.",
        (one("the content", find_reading_time),),
        in_front_matter=False,
    ),
)


def find_field(name: str) -> Field:
    """Return a field of the table.

    >>> find_field("date").type
    'text'
    """
    for entry in FIELDS:
        if entry.name == name:
            return entry
    raise UnknownNameError.among("field", name, [entry.name for entry in FIELDS])


# Reading metadata: each field of the table, by the first of its readers that finds a value.


def read_metadata(source: MetadataSource) -> Metadata:
    """Return the metadata of a page.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> page = parse_page("<title>Tea</title><meta name=author content='Ann Lee'>")
    >>> metadata = read_metadata(MetadataSource(read_structured(page)))
    >>> metadata.title, metadata.authors, dict(metadata.sources)
    ('Tea', ('Ann Lee',), {'title': 'title', 'authors': 'meta author'})
    """
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for entry in FIELDS:
        sourced = next(entry.read(source), None)
        if sourced is not None:
            values[entry.name], sources[entry.name] = sourced.value, sourced.source
    return Metadata(**values, sources=sources, origin=source)
