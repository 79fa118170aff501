"""The day when a page was published, as ISO 8601. docs/adr/0006-dates.md says why this is not a library."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from tamis.metadata.dateparse import iso_day, parse_day
from tamis.metadata.headings import is_front_page
from tamis.metadata.readers import json_ld_day
from tamis.metadata.shown_date import ShownDates
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import PAGE_TYPES, JSONObject, Sourced, item_types, meta_source

_PUBLISHED: Final = ("datePublished", "dateCreated")
#: Names of ``meta`` elements without the signs in them, the most trusted first: "publish-date" is "publishdate".
_META_NAMES: Final = """
    articlepublishedtime ogarticlepublishedtime datepublished publishdate publisheddate publishedtime pubdate
    publicationdate publicationtime publishtime publishedat publishedon dcdateissued dctermsissued dctermscreated
    dcdatecreated dccreated datecreated citationpublicationdate citationonlinedate citationdate citationcoverdate
    parselypubdate sailthrudate cxenseparserecspublishtime cxenseparsepublishtime articlepublished
    articlepublicationdate articlepubdate articledateoriginal articleoriginaldate articlepostdate articlecreated
    articlecreatedat originalpublicationdate originalpublishdate firstpublished firstpublicationdate ogpublishedtime
    ogpubdate ogpublisheddate published posteddate postdate releasedate displaydate displaypublishdate storydate
    issuedate rnewsdatepublished btpubdate vrpublishedtime shareaholicarticlepublishedtime csepubdate mediapublished
    prismpublicationdate prismdate eprintsdate dctermsavailable dctermsdate dctermsdateaccepted dcdate
    dcdatesubmitted msdate date creationdate created createddate weiboarticlecreateat contentpublished
    contentcreatedate
"""
_UPLOADED: Final = json_ld_day("uploadDate")
_URL_DATE: Final = re.compile(r"/(20\d\d|19\d\d)[/-]?(\d{2})[/-]?(\d{2})(?:/|-|$)")
_MAX_DATE_CHARS: Final = 200  #: of a value that is read as a date
#: Page types that show and declare other dates than their own: of reviews, of listed pages, of the last change.
_UNDATED_PAGE_TYPES: Final = frozenset({"product", "collection", "listing", "service", "documentation"})
#: JSON-LD types whose date is that of a thing, or of the record in the site's database.
_UNDATED_ITEMS: Final = PAGE_TYPES | {"product", "course", "event", "book", "softwareapplication", "place"}
_MIN_ARTICLE_PROBABILITY: Final = 0.9  #: from which on the date of a ``WebPage`` is taken if nothing else is


def find_date(source: MetadataSource) -> Sourced[str] | None:
    """Return the day when a page was published.

    In order of trust: JSON-LD of an article, ``meta`` (OpenGraph, Dublin Core …), an element for dates near the
    title, the URL, a line near the title, the only date elsewhere, JSON-LD of the page as such. If the page shows an
    earlier day than it declares, it is the earlier one: systems declare when they imported a page. Front pages have
    no date. Pages that sell, list or document have one only if their JSON-LD is that of an article.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> structured = read_structured(parse_page("<h1>Tea</h1><p class=date>3 May 2021</p>"))
    >>> find_date(MetadataSource(structured, "https://example.org/tea"))
    Sourced(value='2021-05-03', source='visible')
    """
    if is_front_page(source.url):
        return None  # the dates are those of the listed pages
    item = next(_item_days(source, of_articles=True), None)
    if source.likely_page_type in _UNDATED_PAGE_TYPES:
        return item
    declared, in_url, shown = item or _from_meta(source), _from_url(source.url), ShownDates(source)
    if declared and in_url and _days_between(declared, in_url) == 1:
        return in_url  # one moment: structured data has it in UTC, URLs in the author's time zone
    if declared:
        is_earlier = shown.published and shown.published < declared.value
        return Sourced(shown.published, "visible") if is_earlier else declared
    near = Sourced(shown.published, "visible") if shown.published else None
    if source.likely_page_type == "forum":
        near = _earlier(near, _from_first_post(source, shown))
    if near or in_url:
        return near or in_url
    elsewhere = shown.in_lines or shown.far or shown.only_elsewhere
    return Sourced(elsewhere, "visible") if elsewhere else _last_resort(source)


def _item_days(source: MetadataSource, *, of_articles: bool) -> Iterator[Sourced[str]]:
    """Yield the days of the main items in JSON-LD: of articles and the like, or of pages and things."""
    for name in _PUBLISHED:
        for item in source.structured.authored_items:
            day = _day(item, name) if set(item_types(item)).isdisjoint(_UNDATED_ITEMS) is of_articles else None
            if day:
                yield Sourced(day, f"json-ld {name}")


def _day(item: JSONObject, name: str) -> str | None:
    value = item.get(name)
    return parse_day(value[:_MAX_DATE_CHARS]) if isinstance(value, str) else None


def _from_meta(source: MetadataSource) -> Sourced[str] | None:
    """Return the day in the most trusted ``meta`` element; videos have their own property in JSON-LD."""
    by_key: dict[str, str] = {}
    for name in source.structured.meta:
        by_key.setdefault("".join(char for char in name if char.isalnum()), name)
    for key in _META_NAMES.split():
        for value in source.structured.meta[by_key[key]] if key in by_key else ():
            if day := parse_day(value[:_MAX_DATE_CHARS]):
                return Sourced(day, meta_source(by_key[key]))
    main_items = source.structured.main_items
    return _UPLOADED(source) if main_items and "videoobject" in item_types(main_items[0]) else None


def _last_resort(source: MetadataSource) -> Sourced[str] | None:
    """Return the day of an article that has no other: that of its record in JSON-LD."""
    is_article = source.page_type == "article" and (source.page_type_probability or 1) >= _MIN_ARTICLE_PROBABILITY
    if is_article or source.page_type is None:
        return next(_item_days(source, of_articles=False), None)
    return None


def _days_between(first: Sourced[str], second: Sourced[str]) -> int:
    return abs(date.fromisoformat(first.value) - date.fromisoformat(second.value)).days


def _earlier(first: Sourced[str] | None, second: Sourced[str] | None) -> Sourced[str] | None:
    return min(first, second, key=lambda day: day.value) if first and second else first or second


def _from_first_post(source: MetadataSource, shown: ShownDates) -> Sourced[str] | None:
    """Return the date of the first post: a thread is as old as it."""
    first = next(iter(source.structured.posts.values()), None)
    day = shown.parse(first.date) if first and first.date else None
    return Sourced(day, "first post") if day else None


def _from_url(url: str | None) -> Sourced[str] | None:
    match = _URL_DATE.search(url or "")
    day = iso_day(int(match[1]), int(match[2]), int(match[3])) if match else None
    return Sourced(day, "url") if day else None
