"""Whose a page is, and what may be done with it."""

import re
from typing import Final

from tamis.html.urls import safe_url
from tamis.metadata.inline_text import clean
from tamis.metadata.structured import Said, Structured
from tamis.page import Page

_LICENSES: Final = re.compile(r"creativecommons\.org/(?:licenses|publicdomain)/([\w-]+)(?:/([\d.]+))?")
_LICENSED: Final = re.compile(r"\blicen[cs]|\bpermi", re.IGNORECASE)
_COPYRIGHT: Final = re.compile(r"(?:©|\(c\)\s|copyright\b).*", re.IGNORECASE)
_SIGN: Final = re.compile(r"copyright|\(c\)", re.IGNORECASE)
_LAST: Final = 60  #: blocks at the end of a page among which that line stands
_LINE: Final = 150  #: characters


def find_license(said: Structured, base: str | None) -> Said | None:
    """Return the licence: a Creative Commons name, or the address or the words of the terms."""
    rows = said.page.select("a[rel~='license'][href],link[rel~='license'][href],a[href*='creativecommons.org/']")
    for row in rows[:5]:
        href = said.page.attributes(row)["href"]
        named = _creative_commons(href)
        if named:
            return Said(named, "rel license")
        address = safe_url(href, base)
        if address:
            return Said(address, "rel license")
    found = said.linked("license") or said.first("dcterms.license", "dc.rights")
    if found is None:
        return None
    named = _creative_commons(found.value)
    if named is None and found.source == "meta dc.rights" and not _LICENSED.search(found.value):
        return None  # whose it is, and not what may be done with it
    return Said(named or _short(found.value), found.source)


def _creative_commons(text: str) -> str | None:
    found = _LICENSES.search(text)
    if not found:
        return None
    name = {"zero": "CC0", "mark": "Public Domain Mark"}.get(found[1], f"CC {found[1].upper()}")
    return f"{name} {found[2] or ''}".strip()


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
