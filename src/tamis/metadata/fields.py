"""The table of metadata fields: name, type, summary, readers in order of trust, and where each field is shown.

`read_metadata`, the JSON schema, front matter, CSV and the table in docs/output.md follow from `FIELDS`. To add a
field, add an attribute to `Metadata` and an entry to `FIELDS`, with readers of `tamis.metadata.readers` or one of its
own.

The usual order of trust is JSON-LD, microdata, OpenGraph, other ``meta``, visible text. The entries say where a field
departs from it: a title is a heading that the declared titles agree with, a site names itself best in OpenGraph,
JSON-LD often describes another item than the page, and URLs and licences are links.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from tamis.metadata.author import find_authors
from tamis.metadata.dates import find_date
from tamis.metadata.images import find_favicon, find_first_image
from tamis.metadata.language import find_detected_language, find_language
from tamis.metadata.length import find_excerpt, find_reading_time, find_word_count
from tamis.metadata.readers import (
    Reader,
    argument_url,
    canonical_link,
    json_ld,
    json_ld_day,
    json_ld_image,
    json_ld_list,
    link_texts,
    meta,
    meta_day,
    meta_list,
    meta_url,
    selected_page_type,
)
from tamis.metadata.rights import find_agency, find_copyright, find_license, find_location
from tamis.metadata.source import MetadataSource
from tamis.metadata.title import find_visible_subtitle
from tamis.reprs import value_repr


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of a page. `FIELDS` and docs/output.md describe each attribute.

    A field without a value is None or empty. `sources` has the source of each value, such as ``json-ld author``.
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
    favicon: str | None = None
    canonical: str | None = None
    url: str | None = None
    page_type: str | None = None
    agency: str | None = None
    location: str | None = None
    copyright: str | None = None
    excerpt: str | None = None
    word_count: int | None = None
    reading_time: int | None = None
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    __repr__ = value_repr

    def as_dict(self) -> dict[str, Any]:
        """Return the fields and their sources as plain values, in the order of `FIELDS`."""
        values = {entry.name: getattr(self, entry.name) for entry in FIELDS}
        plain = {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}
        return {**plain, "sources": self.sources}


@dataclass(frozen=True, slots=True)
class Field:
    """A metadata field.

    Attributes:
        name: the attribute of `Metadata`.
        type: ``text`` for a string or None, ``list`` for a tuple of strings, ``number`` for an integer or None.
        summary: what it is, for the documentation.
        readers: how it is read, the most trusted reader first. The first value is taken.
        in_front_matter: whether it is shown before the content (with ``with_metadata``). JSON has every field.
        in_csv: whether it is a column of CSV.
        csv_fallback: the field that CSV shows if this one is empty.
    """

    name: str
    type: Literal["text", "list", "number"]
    summary: str
    readers: tuple[Reader[str | int | tuple[str, ...]], ...]
    in_front_matter: bool = True
    in_csv: bool = False
    csv_fallback: str = ""


FIELDS: Final = (
    Field(
        "title",
        "text",
        "The title of the page, without the site's name.",
        (
            Reader(
                "the extractor; a heading that `og:title`, `title` or JSON-LD agree with; one of these",
                lambda source: source.title,
            ),
        ),
        in_csv=True,
    ),
    Field(
        "subtitle",
        "text",
        "The line below the title.",
        (json_ld("alternativeHeadline"), Reader("an element near the title", find_visible_subtitle)),
    ),
    Field(
        "authors",
        "list",
        "People, in the order in which they are named.",
        (Reader("JSON-LD; `meta`; microdata; `rel=author`; bylines", find_authors),),
        in_csv=True,
    ),
    Field(
        "date",
        "text",
        "The day when the page was published, as ISO 8601.",
        (Reader("JSON-LD; `meta`; an element for dates near the title; the URL; a line near the title", find_date),),
        in_csv=True,
    ),
    Field(
        "modified",
        "text",
        "The day when the page was last changed, as ISO 8601.",
        (
            json_ld_day("dateModified"),
            meta_day(
                "article:modified_time",
                "og:updated_time",
                "datemodified",
                "last-modified",
                "dcterms.modified",
                "lastmod",
            ),
        ),
    ),
    Field(
        "site",
        "text",
        "The name of the site, or its host.",
        (Reader("`og:site_name`; JSON-LD; `meta`; the URL", lambda source: source.site),),
        in_csv=True,
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
        "The language that the page declares.",
        (Reader("`html lang`; JSON-LD; `meta`", find_language),),
        in_csv=True,
        csv_fallback="detected_language",
    ),
    Field(
        "detected_language",
        "text",
        "The language that the content is written in.",
        (Reader("the content", find_detected_language),),
        in_front_matter=False,
    ),
    Field(
        "tags",
        "list",
        "Keywords.",
        (
            json_ld_list("keywords"),
            meta_list("article:tag", "keywords", "news_keywords", "parsely-tags", "sailthru.tags"),
            link_texts("tag"),
        ),
    ),
    Field(
        "categories",
        "list",
        "The sections of the site that the page belongs to.",
        (
            json_ld_list("articleSection"),
            meta_list("article:section", "parsely-section", "category", "section"),
        ),
    ),
    Field(
        "license",
        "text",
        "A Creative Commons name, or the URL or the text of the terms.",
        (Reader("links with `rel=license` or to Creative Commons; JSON-LD; `meta`", find_license),),
    ),
    Field(
        "image",
        "text",
        "The URL of the lead image.",
        (
            json_ld_image(),
            meta_url("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"),
            Reader("the first large image after the title", find_first_image),
        ),
    ),
    Field(
        "favicon",
        "text",
        "The URL of the site's icon, the largest that the page declares.",
        (Reader("`link rel=icon`, `apple-touch-icon`", find_favicon),),
        in_front_matter=False,
    ),
    Field("canonical", "text", "The URL that the page declares as its own.", (canonical_link(), meta_url("og:url"))),
    Field("url", "text", "The URL that was passed with the page.", (argument_url(),)),
    Field(
        "page_type",
        "text",
        "The page type, where the extractor determines it.",
        (selected_page_type(),),
        in_csv=True,
    ),
    Field(
        "agency",
        "text",
        "The news agency that the article comes from.",
        (Reader("`meta`; JSON-LD; the beginning of the content", find_agency),),
    ),
    Field(
        "location",
        "text",
        "Where the article was written.",
        (Reader("JSON-LD; `meta`; the dateline", find_location),),
    ),
    Field(
        "copyright",
        "text",
        "The copyright notice.",
        (Reader("`meta`; JSON-LD; the end of the page", find_copyright),),
    ),
    Field(
        "excerpt",
        "text",
        "The first paragraph of the content, at most 300 characters.",
        (Reader("the content", find_excerpt),),
        in_front_matter=False,
    ),
    Field(
        "word_count",
        "number",
        "The words of the content; the characters in scripts without spaces.",
        (Reader("the content", find_word_count),),
        in_front_matter=False,
        in_csv=True,
    ),
    Field(
        "reading_time",
        "number",
        "The minutes that the content takes to read, at 238 words or 255 Chinese characters per minute.",
        (Reader("the content", find_reading_time),),
        in_front_matter=False,
    ),
)


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
    values: dict[str, str | int | tuple[str, ...]] = {}
    sources: dict[str, str] = {}
    for entry in FIELDS:
        for reader in entry.readers:
            sourced = reader(source)
            if sourced is not None:
                values[entry.name], sources[entry.name] = sourced.value, sourced.source
                break
    return Metadata(**values, sources=sources)  # type: ignore[arg-type]  # a test holds types to the table
