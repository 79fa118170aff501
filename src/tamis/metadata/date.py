"""Dates: when a page was published and last changed, as ISO days, by what kind of page it is."""

import re
from datetime import date
from typing import Final

from tamis.html.urls import hostname, split_url
from tamis.metadata.dateparse import day_of, parse_day
from tamis.metadata.inline_text import blocks_near, first_heading, line_of
from tamis.metadata.structured import Said, Structured, kinds
from tamis.page import Page

_IN_ADDRESS: Final = re.compile(r"/(20\d\d|19\d\d)[/-]?(\d{2})[/-]?(\d{2})(?:/|-|$)")
_MONTH_FIRST: Final = frozenset({"en-us", "en-ph", "fil", "zh", "zh-cn", "zh-tw", "ja", "ja-jp", "ko", "ko-kr"})
_DAY_FIRST: Final = frozenset(
    {"uk", "ie", "au", "nz", "in", "za", "sg", "eu", "de", "fr", "es", "it", "nl", "ch", "at"}
)
_VISIBLE: Final = (
    "time[pubdate],[itemprop~='datePublished'],time.published,time.entry-date,.published,.entry-date,.post-date,"
    ".publish-date,.published-date,.article-date,.date-published,.posted-on,.dateline,.timestamp,time[datetime],"
    ".date,.post-meta,.article-meta,.entry-meta,[class*='publish' i],[class*='byline' i],[class*='date' i]"
)
#: Kinds of pages that show other dates than their own: of reviews, of what they list, of the last change.
_UNDATED: Final = frozenset({"product", "collection", "listing", "service", "documentation"})
_BEFORE: Final = 6  #: blocks before it
_NEAR: Final = 25  #: blocks after the title where a date may stand
_FAR: Final = 600  #: rows after the title beyond which as many dates were right as wrong or unasked for, on WCXB dev
_LINE: Final = 90  #: characters of a line that is about a date, not a text that mentions one
_UPDATES: Final = re.compile(
    r"\b(?:updated?|modified|last\s+(?:updated|edited|reviewed)|aktualisiert)\b", re.IGNORECASE
)


def find_date(said: Structured, url: str | None, kind: str | None = None) -> Said | None:
    """Return when a page was published; what kind of page it is tells whether a date that it shows is its own."""
    found = (
        _linked(said, "datePublished", "dateCreated")
        or _from_meta(
            said, "article:published_time", "og:article:published_time", "datepublished", "date", "dc.date",
            "dc.date.issued", "dcterms.created", "dcterms.date", "dcterms.issued", "citation_publication_date",
            "citation_date", "publish-date", "publish_date", "published_time", "pubdate", "publication_date",
            "parsely-pub-date", "sailthru.date", "cxenseparse:recs:publishtime", "article.published",
            "og:published_time", "citation_online_date", "published", "published-date", "published_date",
            "article:published", "dcterms.dateaccepted", "article:post_date", "ms.date",
        )
        or (_linked(said, "uploadDate") if said.main and "videoobject" in kinds(said.main[0]) else None)
    )  # fmt: skip
    address = _from_address(url)
    if found and address and abs(date.fromisoformat(found.value) - date.fromisoformat(address.value)).days == 1:
        return address  # the same moment: pages write it in universal time, addresses as on the author's calendar
    if found:
        return found
    parts = split_url(url)
    if kind in _UNDATED or (parts and not parts.path.strip("/")):
        return None  # these show the dates of what they list, as a front page does
    day_first = _has_day_first(said, url)
    near, elsewhere = _visible(said, day_first=day_first)
    opened = _from_first_post(said, day_first=day_first) if kind == "forum" else None
    if near and opened:
        return min(near, opened, key=lambda one: one.value)  # a thread is as old as the oldest of the two
    near = near or opened
    return near or address or _near_title(said, day_first=day_first) or elsewhere


def _has_day_first(said: Structured, url: str | None) -> bool:
    """Tell whether 3/4/2024 is in April where a page comes from: everywhere but in America.

    English alone says nothing of the country; an address may.
    """
    rows = said.page.rows_of("html").tolist()[:1]
    language = (said.page.attributes(rows[0]).get("lang") or "").strip().lower().replace("_", "-") if rows else ""
    if language in {"", "en"}:
        return hostname(url).rpartition(".")[2] in _DAY_FIRST
    return language not in _MONTH_FIRST


def _from_first_post(said: Structured, *, day_first: bool) -> Said | None:
    first = next(iter(said.posts.values()), None)
    day = parse_day(first.date, day_first=day_first) if first and first.date else None
    return Said(day, "first post") if day else None


def find_modified(said: Structured) -> Said | None:
    """Return when a page was last changed."""
    return _linked(said, "dateModified") or _from_meta(
        said,
        "article:modified_time",
        "og:updated_time",
        "datemodified",
        "last-modified",
        "dcterms.modified",
        "lastmod",
    )


def _linked(said: Structured, *names: str) -> Said | None:
    for name in names:
        for thing in said.own:
            value = thing.get(name)
            day = parse_day(value) if isinstance(value, str) else None
            if day:
                return Said(day, f"json-ld {name}")
    return None


def _from_meta(said: Structured, *names: str) -> Said | None:
    for name in names:
        for value in said.meta.get(name, ()):
            day = parse_day(value)
            if day:
                return Said(day, name if ":" in name else f"meta {name}")
    return None


def _visible(said: Structured, *, day_first: bool) -> tuple[Said | None, Said | None]:
    """Return the first date that the page shows as one near its title, and the only one that it shows elsewhere.

    Near the title, a date that says it is an update is second choice; elsewhere it is none: pages have that in their
    footer.
    """
    page, reach = said.page, _reach(said.page)
    near, updated, elsewhere = None, None, set()
    for row in page.select(_VISIBLE)[:40]:
        given = page.attributes(row)
        if page.hidden[row] and not given.get("content"):
            continue
        shown = line_of(page, row)[:300]
        day = parse_day(given.get("datetime") or given.get("content") or "") or parse_day(shown, day_first=day_first)
        if day is None:
            continue
        update = _UPDATES.search(shown) or _UPDATES.search(page.row_text(int(page.parent[row]))[:100])
        if row >= reach:
            elsewhere.add("" if update else day)
        elif update:
            updated = updated or day
        else:
            near = day
            break
    found = near or updated
    only = elsewhere.pop() if len(elsewhere) == 1 else ""
    return Said(found, "visible") if found else None, Said(only, "visible") if only else None


def _reach(page: Page) -> int:
    """Return the row up to which a date is about the page: what comes long after the title is about other things."""
    title = first_heading(page)
    return len(page) if title is None else title + _FAR


def _near_title(said: Structured, *, day_first: bool) -> Said | None:
    """Return the day that a short line near the title names: pages without any markup for dates have them there."""
    page, blocks = said.page, said.page.blocks
    for block in blocks_near(page, first_heading(page) or 0, _BEFORE, _NEAR):
        text = " ".join(page.text[page.offset[blocks.start[block]] : page.offset[blocks.stop[block]]].split())
        if len(text) >= _LINE or page.hidden[blocks.start[block]]:
            continue
        day = parse_day(text, day_first=day_first)
        if day:
            return Said(day, "visible")
    return None


def _from_address(url: str | None) -> Said | None:
    found = _IN_ADDRESS.search(url or "")
    day = day_of(int(found[1]), int(found[2]), int(found[3])) if found else None
    return Said(day, "address") if day else None
