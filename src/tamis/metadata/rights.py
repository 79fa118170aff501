"""The licence and the copyright notice of a page, who may read it, its translations, and its news agency."""

import re
from typing import Final

from tamis.html.text import COPYRIGHT_NOTICE, COPYRIGHT_WORD, safe_url
from tamis.metadata.site import clean_line
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import Sourced
from tamis.page import Page

# The licence and the copyright notice of a page.

_CREATIVE_COMMONS: Final = re.compile(r"creativecommons\.org/(?:licenses|publicdomain)/([\w-]+)(?:/([\d.]+))?")
_LICENSE_SELECTOR: Final = "a[rel~='license' i][href],link[rel~='license' i][href],a[href*='creativecommons.org/']"
_MAX_LICENSE_LINKS: Final = 5
_GRANTS: Final = re.compile(r"\blicen[cs]|\bpermi", re.IGNORECASE)
_FOOTER_BLOCKS: Final = 60  #: blocks at the end of a page that are searched for a copyright notice
_MAY_BE_NOTICE: Final = re.compile(r"©|\(c\)|copyright|&", re.IGNORECASE)  #: signs may be written as references
_MAX_NOTICE_CHARS: Final = 150


def find_license(source: MetadataSource) -> Sourced[str] | None:
    """Return the licence: a Creative Commons name, or the URL or the text of the terms."""
    structured, page = source.structured, source.structured.page
    for row in page.select(_LICENSE_SELECTOR)[:_MAX_LICENSE_LINKS]:
        href = page.attributes(row)["href"]
        license_ = _creative_commons_name(href) or safe_url(href, source.base_url)
        if license_:
            return Sourced(license_, "rel license")
    declared = structured.first_json_ld("license") or structured.first_meta("dcterms.license", "dc.rights")
    if declared is None:
        return None
    name = _creative_commons_name(declared.value)
    if name is None and declared.source == "meta dc.rights" and not _GRANTS.search(declared.value):
        return None  # it names the owner, not what is permitted
    return Sourced(name or _shorten(declared.value), declared.source)


def _creative_commons_name(text: str) -> str | None:
    match = _CREATIVE_COMMONS.search(text)
    if not match:
        return None
    name = {"zero": "CC0", "mark": "Public Domain Mark"}.get(match[1], f"CC {match[1].upper()}")
    return f"{name} {match[2] or ''}".strip()


def find_copyright(source: MetadataSource) -> Sourced[str] | None:
    """Return the copyright notice: the declared one, else the last one at the end of the page."""
    structured, page = source.structured, source.structured.page
    declared = structured.first_meta("copyright", "rights", "dcterms.rights") or structured.first_json_ld(
        "copyrightNotice"
    )
    if declared:
        return declared
    blocks = page.blocks
    for block in range(len(blocks) - 1, max(len(blocks) - _FOOTER_BLOCKS, 0) - 1, -1):
        start, stop = int(blocks.start[block]), int(blocks.stop[block])
        if page.hidden[start] or not _MAY_BE_NOTICE.search(page.text, page.offset[start], page.offset[stop]):
            continue
        notice = COPYRIGHT_NOTICE.search(_text_before_menu(page, start, stop))
        if notice and ("©" in notice[0] or any(char.isdigit() for char in notice[0])):
            return Sourced(_shorten(notice[0]), "visible")
    return None


def _text_before_menu(page: Page, start: int, stop: int) -> str:
    """Return the text from the first copyright sign to the footer's menu, which is a sequence of links.

    The first link may be the owner's name, unless plain text has named the owner already.
    """
    has_owner, first_link = False, -1
    notices = (row for row in range(start, stop) if page.shown[row] and COPYRIGHT_NOTICE.search(page.row_text(row)))
    start = next(notices, start)
    for row in range(start, stop):
        text = page.row_text(row)
        if not page.shown[row] or not any(char.isalnum() for char in text):
            continue
        if not page.link[row]:
            first_link = -1
            has_owner = has_owner or any(char.isalpha() for char in COPYRIGHT_WORD.sub("", text))
        elif first_link < 0:
            first_link = row
        else:
            stop = first_link if has_owner else row
            break
    return clean_line(page.text[page.offset[start] : page.offset[stop]]).rstrip(" |·•-–—/")


def _shorten(line: str) -> str:
    """Return a line cut to `_MAX_NOTICE_CHARS`, after a sentence if possible, else after a word."""
    if len(line) <= _MAX_NOTICE_CHARS:
        return line
    cut = max(line[:_MAX_NOTICE_CHARS].rfind(". ") + 1, line[:_MAX_NOTICE_CHARS].rfind("。") + 1)
    return line[:cut] if cut > _MAX_NOTICE_CHARS // 4 else line[:_MAX_NOTICE_CHARS].rsplit(" ", 1)[0]


# Whether a page can be read for free, and where it is in other languages.

#: Values of ``content_tier``, as publishers write it: "free", "metered", "locked".
_FREE_TIERS: Final = frozenset({"free", "free-access", "public", "open"})
_PAID_TIERS: Final = frozenset({"locked", "metered", "premium", "paid", "subscriber", "subscription", "registered"})
_MAX_ALTERNATES: Final = 200


def find_access(source: MetadataSource) -> Sourced[bool] | None:
    """Return whether the whole page can be read without paying, if the page says so."""
    for item in source.structured.main_items:
        value = item.get("isAccessibleForFree")
        if isinstance(value, bool):
            return Sourced(value, "json-ld isAccessibleForFree")
        word = value.rpartition("/")[2].strip().lower() if isinstance(value, str) else ""
        if word in {"true", "false"}:
            return Sourced(word == "true", "json-ld isAccessibleForFree")
    for tier in source.structured.metas("article:content_tier", "content_tier", "og:article:content_tier"):
        if tier.value.lower() in _FREE_TIERS | _PAID_TIERS:
            return Sourced(tier.value.lower() in _FREE_TIERS, tier.source)
    return None


def find_alternates(source: MetadataSource) -> Sourced[dict[str, str]] | None:
    """Return the URLs of the page in other languages, by language."""
    page = source.structured.page
    alternates: dict[str, str] = {}
    for row in page.select("link[rel~='alternate' i][hreflang][href]")[:_MAX_ALTERNATES]:
        attributes = page.attributes(row)
        url = safe_url(attributes["href"], source.base_url)
        if url and attributes["hreflang"].strip():
            alternates.setdefault(attributes["hreflang"].strip(), url)
    return Sourced(alternates, "link alternate") if alternates else None


# The news agency that an article comes from, and the location in its dateline.

_OPENING_CHARS: Final = 1000  #: of the content, where the dateline stands
_AGENCY_CHARS: Final = 300  #: of the opening, where an agency is named
_LOCATION: Final = re.compile(r"[^\d{}:/]{2,60}$")
#: Capitals before a dash that begin an article without being a location.
_NOT_LOCATIONS: Final = re.compile(
    r"\b(?:SUMMARY|TLDR|DISCLOSURE|UPDATED?|BREAKING|EXCLUSIVE|OPINION|REVIEW|NOTE|WATCH|ANALYSIS|EDITORIAL)\b"
)
#: News agencies as articles name them: CoreEx's "Source".
_AGENCIES: Final = re.compile(
    r"\b(Reuters|Associated Press|AP|Agence France-Presse|AFP|dpa|UPI|Bloomberg|Xinhua|TASS|EFE|ANSA|Kyodo|PTI|ANI|"
    r"IANS)\b"
)
_DATELINE: Final = re.compile(
    r"^\s*([A-ZÀ-Þ][A-ZÀ-Þ .'-]{2,30}(?:,\s[A-Z][\w.]{1,15})?)\s*"
    r"(?:\((\w[\w -]{1,20})\)|,\s\w+\.?\s\d{1,2})?\s*(?:[-–—]|--)\s"
)


def find_agency(source: MetadataSource) -> Sourced[str] | None:
    """Return the news agency that an article comes from: the declared one, else one named in its opening."""
    structured = source.structured
    declared = structured.first_meta(
        "article:source", "dc.source", "source", "news_source"
    ) or structured.first_json_ld("isBasedOn")
    if declared and "://" not in declared.value:
        return declared
    named = _AGENCIES.search(_opening(source)[:_AGENCY_CHARS])
    return Sourced(named[1], "visible") if named else None


def find_location(source: MetadataSource) -> Sourced[str] | None:
    """Return where an article was written: the declared location, else that of its dateline."""
    structured = source.structured
    declared = structured.first_json_ld("contentLocation", "locationCreated", "dateline") or structured.first_meta(
        "geo.placename", "og:locality"
    )
    if declared and _LOCATION.match(declared.value):
        return Sourced(declared.value.partition(" (")[0], declared.source)
    dateline = _DATELINE.match(_opening(source))
    location = dateline[1].strip(" -–—") if dateline else ""
    return Sourced(location, "visible") if location and not _NOT_LOCATIONS.search(location) else None


def _opening(source: MetadataSource) -> str:
    return source.text[:_OPENING_CHARS].lstrip()
