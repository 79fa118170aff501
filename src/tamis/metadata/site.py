"""What a page says of itself beside its text: site, description, image, licence, addresses, source, place."""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from tamis.document.addresses import safe_address
from tamis.metadata.reading import clean
from tamis.metadata.structured import Said, Structured, texts
from tamis.page import Page

_LICENSES: Final = re.compile(r"creativecommons\.org/(?:licenses|publicdomain)/([\w-]+)(?:/([\d.]+))?")
_COPYRIGHT: Final = re.compile(r"(?:©|\(c\)\s|copyright\b).*", re.IGNORECASE)
_SIGN: Final = re.compile(r"copyright|\(c\)", re.IGNORECASE)
_LAST: Final = 60  #: blocks at the end of a page among which that line stands
_LINE: Final = 150  #: characters
#: News agencies as articles name them: CoreEx's "Source".
_AGENCIES: Final = re.compile(
    r"\b(Reuters|Associated Press|AP|Agence France-Presse|AFP|dpa|UPI|Bloomberg|Xinhua|TASS|EFE|ANSA|Kyodo|PTI|ANI|"
    r"IANS)\b"
)
_DATELINE: Final = re.compile(
    r"^\s*([A-ZÀ-Þ][A-ZÀ-Þ .'-]{2,30}(?:,\s[A-Z][\w.]{1,15})?)\s*"
    r"(?:\((\w[\w -]{1,20})\)|,\s\w+\.?\s\d{1,2})?\s*[-–—:]\s"
)


def find_site(said: Structured, url: str | None) -> Said | None:
    """Return the name of the site."""
    for found in _site_names(said):
        name = found.value.split(" | ")[0].strip(" -–—|:·.")  # what follows is its motto
        if name:
            return Said(name, found.source)
    try:
        host = (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:
        host = ""
    return Said(host, "address") if host else None


def _site_names(said: Structured) -> Iterator[Said]:
    """Give what a page calls its site, from the most trusted source on."""
    if found := said.first("og:site_name"):
        yield found
    for thing in said.things:
        if "WebSite" in str(thing.get("@type")):
            for name in texts(thing.get("name")):
                yield Said(name, "json-ld WebSite")
    if found := said.linked("publisher", "sourceOrganization"):
        yield found
    if found := said.first("application-name", "apple-mobile-web-app-title", "dc.publisher"):
        yield found


def find_description(said: Structured) -> Said | None:
    """Return what the page is about, in its own words."""
    return said.first("og:description", "description", "dc.description", "twitter:description") or said.linked(
        "description"
    )


def find_tags(said: Structured) -> tuple[tuple[str, ...], str]:
    """Return the page's tags."""
    for thing in said.main:
        found = _split(texts(thing.get("keywords")))
        if found:
            return found, "json-ld keywords"
    for name in ("article:tag", "keywords", "news_keywords", "parsely-tags", "sailthru.tags"):
        found = _split(said.meta.get(name, []))
        if found:
            return found, name if ":" in name else f"meta {name}"
    found = _split([said.page.row_text(row) for row in said.page.select("a[rel~='tag']")[:30]])
    return found, "rel tag" if found else ""


def find_categories(said: Structured) -> tuple[tuple[str, ...], str]:
    """Return the sections of the site that the page stands in."""
    for thing in said.main:
        found = _split(texts(thing.get("articleSection")))
        if found:
            return found, "json-ld articleSection"
    for name in ("article:section", "parsely-section", "category", "section"):
        found = _split(said.meta.get(name, []))
        if found:
            return found, name if ":" in name else f"meta {name}"
    return (), ""


def _split(values: list[str]) -> tuple[str, ...]:
    parts = [" ".join(part.split()) for value in values for part in value.split(",")]
    return tuple(dict.fromkeys(part for part in parts if part))[:50]


def find_image(said: Structured, base: str | None) -> Said | None:
    """Return the address of the picture that stands for the page."""
    for thing in said.main:
        image = thing.get("image")
        for one in image if isinstance(image, list) else [image]:
            value = one.get("url") or one.get("contentUrl") if isinstance(one, dict) else one
            address = safe_address(value, base) if isinstance(value, str) and value else None
            if address:
                return Said(address, "json-ld image")
    found = said.first("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")
    address = safe_address(found.value, base) if found else None
    return Said(address, found.source) if found and address else None


def find_canonical(said: Structured, base: str | None) -> Said | None:
    """Return the address that the page calls its own."""
    for row in said.page.select("link[rel~='canonical' i][href]")[:1]:
        address = safe_address(said.page.attributes(row)["href"], base)
        if address:
            return Said(address, "link canonical")
    found = said.first("og:url")
    address = safe_address(found.value, base) if found else None
    return Said(address, "og:url") if address else None


def find_license(said: Structured, base: str | None) -> Said | None:
    """Return the licence: a Creative Commons name, or the address of the terms."""
    rows = said.page.select("a[rel~='license'][href],link[rel~='license'][href],a[href*='creativecommons.org/']")
    for row in rows[:5]:
        href = said.page.attributes(row)["href"]
        found = _LICENSES.search(href)
        if found:
            return Said(" ".join(["CC", found[1].upper(), found[2] or ""]).strip(), "rel license")
        address = safe_address(href, base)
        if address:
            return Said(address, "rel license")
    return said.linked("license") or said.first("dc.rights", "dcterms.license")


def find_copyright(said: Structured) -> Said | None:
    """Return the line that says whose the page is."""
    found = said.first("copyright", "rights", "dcterms.rights") or said.linked("copyrightNotice")
    if found:
        return found
    page, blocks = said.page, said.page.blocks
    for block in range(len(blocks) - 1, max(len(blocks) - _LAST, 0) - 1, -1):
        start, stop = blocks.start[block], blocks.stop[block]
        if page.hidden[start]:
            continue
        found_line = _COPYRIGHT.search(_before_menu(page, int(start), int(stop)))
        if found_line and ("©" in found_line[0] or any(char.isdigit() for char in found_line[0])):
            return Said(_short(found_line[0]), "visible")
    return None


def _before_menu(page: Page, start: int, stop: int) -> str:
    """Return the text of some rows without the menu that follows it in a footer: links one after another.

    The first link may be whose the page is, unless words have named that already.
    """
    named, first = False, -1
    start = next(
        (row for row in range(start, stop) if page.shown[row] and _COPYRIGHT.search(page.row_text(row))), start
    )
    for row in range(start, stop):
        said = page.row_text(row)
        if not page.shown[row] or not any(char.isalnum() for char in said):
            continue
        if not page.link[row]:
            first = -1
            named = named or any(char.isalpha() for char in _SIGN.sub("", said))
        elif first < 0:
            first = row
        else:
            stop = first if named else row
            break
    return clean(page.text[page.offset[start] : page.offset[stop]]).rstrip(" |·•-–—/")


def _short(line: str) -> str:
    """Return a line that fits: whole, or its first sentences, or its first words."""
    if len(line) <= _LINE:
        return line
    cut = max(line[:_LINE].rfind(". ") + 1, line[:_LINE].rfind("。") + 1)
    return line[:cut] if cut > _LINE // 4 else line[:_LINE].rsplit(" ", 1)[0]


def find_agency(said: Structured, opening: str) -> Said | None:
    """Return the agency that an article comes from."""
    found = said.first("article:source", "dc.source", "source", "news_source") or said.linked("isBasedOn")
    if found and "://" not in found.value:
        return found
    named = _AGENCIES.search(opening[:300])
    return Said(named[1], "visible") if named else None


def find_location(said: Structured, opening: str) -> Said | None:
    """Return where an article was written: what its data says, or its first words."""
    found = said.linked("contentLocation", "locationCreated", "dateline") or said.first(
        "geo.placename", "og:locality"
    )
    if found:
        return found
    line = _DATELINE.match(opening)
    return Said(line[1].strip(), "visible") if line else None
