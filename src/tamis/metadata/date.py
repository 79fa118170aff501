"""The day when a page was published, as ISO 8601."""

import re
from datetime import date
from typing import Final

from tamis.html.urls import hostname, split_url
from tamis.metadata.dateparse import iso_day, parse_day
from tamis.metadata.inline_text import block_text, blocks_near, first_heading, inline_text
from tamis.metadata.readers import json_ld_day, meta_day
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import Sourced, item_types

_PUBLISHED_JSON_LD: Final = json_ld_day("datePublished", "dateCreated")
_PUBLISHED_META: Final = meta_day(
    "article:published_time", "og:article:published_time", "datepublished", "date", "dc.date",
    "dc.date.issued", "dcterms.created", "dcterms.date", "dcterms.issued", "citation_publication_date",
    "citation_date", "publish-date", "publish_date", "published_time", "pubdate", "publication_date",
    "parsely-pub-date", "sailthru.date", "cxenseparse:recs:publishtime", "article.published",
    "og:published_time", "citation_online_date", "published", "published-date", "published_date",
    "article:published", "dcterms.dateaccepted", "article:post_date", "ms.date",
)  # fmt: skip
_UPLOADED: Final = json_ld_day("uploadDate")
_URL_DATE: Final = re.compile(r"/(20\d\d|19\d\d)[/-]?(\d{2})[/-]?(\d{2})(?:/|-|$)")
#: Languages and countries whose pages write the month first, as Americans do, or the year.
_MONTH_FIRST_LANGUAGES: Final = frozenset(
    {"en-us", "en-ph", "fil", "zh", "zh-cn", "zh-tw", "ja", "ja-jp", "ko", "ko-kr"}
)
#: Top-level domains of countries that write the day first, for pages in English or in no declared language.
_DAY_FIRST_DOMAINS: Final = frozenset(
    {"uk", "ie", "au", "nz", "in", "za", "sg", "eu", "de", "fr", "es", "it", "nl", "ch", "at"}
)
_DATE_SELECTOR: Final = (
    "time[pubdate],[itemprop~='datePublished'],time.published,time.entry-date,.published,.entry-date,.post-date,"
    ".publish-date,.published-date,.article-date,.date-published,.posted-on,.dateline,.timestamp,time[datetime],"
    ".date,.post-meta,.article-meta,.entry-meta,[class*='publish' i],[class*='byline' i],[class*='date' i]"
)
_MAX_DATE_ELEMENTS: Final = 40
_MAX_DATE_ELEMENT_CHARS: Final = 300
#: Page types that show other dates than their own: of reviews, of listed pages, of the last change.
_UNDATED_PAGE_TYPES: Final = frozenset({"product", "collection", "listing", "service", "documentation"})
_BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE = 6, 25  #: where a date without markup may be
#: Rows after the title; beyond, visible dates were right as often as wrong or without a label, on WCXB dev.
_MAX_ROWS_AFTER_TITLE: Final = 600
_MAX_DATE_LINE_CHARS: Final = 90  #: a longer line is text that mentions a date
_UPDATE_WORDS: Final = re.compile(
    r"\b(?:updated?|modified|last\s+(?:updated|edited|reviewed)|aktualisiert)\b", re.IGNORECASE
)
_MAX_UPDATE_LABEL_CHARS: Final = 100  #: of a date's parent that are searched for such a word


def find_date(source: MetadataSource) -> Sourced[str] | None:
    """Return the day when a page was published.

    In order of trust: JSON-LD, ``meta`` (OpenGraph, Dublin Core …), an element for dates near the title, the URL, a
    line near the title, the only date elsewhere. The page type decides whether visible dates are the page's own.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> structured = read_structured(parse_page("<h1>Tea</h1><p class=date>3 May 2021</p>"))
    >>> find_date(MetadataSource(structured, "https://example.org/tea"))
    Sourced(value='2021-05-03', source='visible')
    """
    declared, in_url = _declared(source), _from_url(source.url)
    if declared and in_url and _days_between(declared, in_url) == 1:
        return in_url  # one moment: structured data has it in UTC, URLs in the author's time zone
    if declared:
        return declared
    url_parts = split_url(source.url)
    is_front_page = url_parts is not None and not url_parts.path.strip("/")
    if is_front_page or source.likely_page_type in _UNDATED_PAGE_TYPES:
        return None  # the visible dates are those of the listed pages
    day_first = _writes_day_first(source)
    near, elsewhere = _visible(source, day_first=day_first)
    if source.likely_page_type == "forum":
        near = _earlier(near, _from_first_post(source, day_first=day_first))
    return near or in_url or _near_title(source, day_first=day_first) or elsewhere


def _declared(source: MetadataSource) -> Sourced[str] | None:
    for reader in (_PUBLISHED_JSON_LD, _PUBLISHED_META):
        if declared := reader(source):
            return declared
    main_items = source.structured.main_items
    return _UPLOADED(source) if main_items and "videoobject" in item_types(main_items[0]) else None


def _days_between(first: Sourced[str], second: Sourced[str]) -> int:
    return abs(date.fromisoformat(first.value) - date.fromisoformat(second.value)).days


def _earlier(first: Sourced[str] | None, second: Sourced[str] | None) -> Sourced[str] | None:
    return min(first, second, key=lambda day: day.value) if first and second else first or second


def _writes_day_first(source: MetadataSource) -> bool:
    """Return whether 3/4/2024 is in April: everywhere but in America.

    English alone does not tell the country; the host may.
    """
    page = source.structured.page
    rows = page.rows_of("html").tolist()[:1]
    language = (page.attributes(rows[0]).get("lang") or "").strip().lower().replace("_", "-") if rows else ""
    if language in {"", "en"}:
        return hostname(source.url).rpartition(".")[2] in _DAY_FIRST_DOMAINS
    return language not in _MONTH_FIRST_LANGUAGES


def _from_first_post(source: MetadataSource, *, day_first: bool) -> Sourced[str] | None:
    """Return the date of the first post: a thread is as old as it."""
    first = next(iter(source.structured.posts.values()), None)
    day = parse_day(first.date, day_first=day_first) if first and first.date else None
    return Sourced(day, "first post") if day else None


def _visible(source: MetadataSource, *, day_first: bool) -> tuple[Sourced[str] | None, Sourced[str] | None]:
    """Return the first date in an element for dates near the title, and the only one in such elements elsewhere.

    Near the title, the date of an update is the second choice. Elsewhere it does not count: footers have it.
    """
    page, limit = source.structured.page, _last_near_row(source)
    published = updated = None
    elsewhere = set()
    for row in page.select(_DATE_SELECTOR)[:_MAX_DATE_ELEMENTS]:
        attributes = page.attributes(row)
        if page.hidden[row] and not attributes.get("content"):
            continue
        text = inline_text(page, row)[:_MAX_DATE_ELEMENT_CHARS]
        machine_readable = attributes.get("datetime") or attributes.get("content") or ""
        day = parse_day(machine_readable) or parse_day(text, day_first=day_first)
        if day is None:
            continue
        label = page.row_text(int(page.parent[row]))[:_MAX_UPDATE_LABEL_CHARS]
        is_update = _UPDATE_WORDS.search(text) or _UPDATE_WORDS.search(label)
        if row >= limit:
            elsewhere.add("" if is_update else day)
        elif is_update:
            updated = updated or day
        else:
            published = day
            break
    near = published or updated
    only = elsewhere.pop() if len(elsewhere) == 1 else ""
    return Sourced(near, "visible") if near else None, Sourced(only, "visible") if only else None


def _last_near_row(source: MetadataSource) -> int:
    """Return the row from which on dates are no longer near the title."""
    page = source.structured.page
    title = first_heading(page)
    return len(page) if title is None else title + _MAX_ROWS_AFTER_TITLE


def _near_title(source: MetadataSource, *, day_first: bool) -> Sourced[str] | None:
    """Return the date in a short line near the title, for pages that have no markup for dates."""
    page = source.structured.page
    for block in blocks_near(page, first_heading(page) or 0, _BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE):
        line = block_text(page, block)
        if len(line) >= _MAX_DATE_LINE_CHARS or page.hidden[page.blocks.start[block]]:
            continue
        day = parse_day(line, day_first=day_first)
        if day:
            return Sourced(day, "visible")
    return None


def _from_url(url: str | None) -> Sourced[str] | None:
    match = _URL_DATE.search(url or "")
    day = iso_day(int(match[1]), int(match[2]), int(match[3])) if match else None
    return Sourced(day, "url") if day else None
