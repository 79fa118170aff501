"""The authors: people, not the word "by", not the site, not an address."""

import re
from collections.abc import Iterator
from typing import Final

import numpy as np

from tamis.metadata.reading import line_of
from tamis.metadata.structured import Structured, kinds, texts
from tamis.page import Page

_BY: Final = re.compile(
    r"^(?:(?:written|post|posted|published|reviewed|edited|words|story|text|photos?|reported)\s+)?"
    r"(?:by|von|par|por|di|door|af|av)\s*:?\s+|^(?:author|autor|auteur|posted by)\s*:?\s*"
    r"|^(?:автор|текст|بقلم|كتب|كتبت|लेखक|लेखिका|著者|筆者|作者|记者|記者|撰文)(?:\s*[:：]\s*|\s+)",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r"\s*(?:[|•·–—(»›]|\s-\s|,?\s+(?:on|updated|published|posted|staff writer|senior|editor|contributor|reporter|"
    r"correspondent|last)\b|\b\d{1,2}[./ ]|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\s+\d).*$",
    re.IGNORECASE,
)
_DIVIDED: Final = re.compile(r"\s*(?:;|\s&\s|\band\b|\bund\b|\bet\b|\by\b|,)\s*", re.IGNORECASE)
_SAYS_BY: Final = re.compile(
    r"^(?i:(?:written|posted|published|words|story|text)\s+)?(?i:by)\s*:?\s+(?=[^\W\d_])[^a-zß-ÿ]|^(?i:author)\s*:\s*\S"
)
_NEAR: Final = 25  #: blocks after the title where its author may be named
_NOT_NAMES: Final = """
    admin administrator author authors editor editors editorial staff guest anonymous unknown team user webmaster
    none null undefined by website post posts reply permalink wordpress root default contributor
"""
_NOBODY: Final = frozenset({*_NOT_NAMES.split(), "the author", "written by", "posted by", "about the author"})
_SELECTORS: Final = (
    ("[itemprop~='author'] [itemprop~='name']", "microdata author"),
    ("[itemprop~='author']", "microdata author"),
    ("a[rel~='author'],[rel~='author']", "rel author"),
    (
        (
            ".byline-name,.author-name,.author_name,.authorName,.article-author,.post-author,.entry-author,.byline__name,"
            ".author .username,.byline .author,.byline a,.author a,.p-author,.author.vcard .fn,.vcard .fn,"
            "[data-testid*='author' i]"
        ),
        "visible author",
    ),
    (
        ".byline,.author,.by-line,.by-author,.contributor,[class*='byline' i],[class*='author-name' i]",
        "visible byline",
    ),
    ("a[href*='/author/'],a[href*='/authors/']", "author link"),
)
_LONGEST: Final = 60  #: characters of a name
_WORDS: Final = 6  #: of a name


def find_authors(said: Structured, site: str | None) -> tuple[tuple[str, ...], str]:
    """Return the authors and where they were named.

    >>> from tamis.page import parse_page
    >>> from tamis.metadata.structured import read_structured
    >>> find_authors(read_structured(parse_page('<p class="byline">By Ann Lee and Bob Ray</p>')), None)
    (('Ann Lee', 'Bob Ray'), 'visible byline')
    """
    rows = said.page.rows_of("title")
    title = said.page.row_text(int(rows[0])).strip().casefold() if len(rows) else ""
    publisher: tuple[tuple[str, ...], str] = (), ""
    for people, source in _named(said, site):
        if not people:
            continue
        if not title.endswith(people[0].casefold()):
            return people, source
        # What the title ends with names the site, which may be a person: let others be asked first.
        publisher = publisher if publisher[0] else (people, source)
    return publisher


def _named(said: Structured, site: str | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give the authors that each source names, from the most trusted source on."""
    for thing in said.own:
        if "product" in kinds(thing):
            continue
        for name in ("author", "creator"):
            yield _people(texts(_persons(thing.get(name)), said.by_id), site), f"json-ld {name}"
    for key in ("citation_author", "author", "article:author", "dc.creator", "dcterms.creator", "parsely-author",
                "sailthru.author", "byl", "cxenseparse:author", "article:author_name"):  # fmt: skip
        yield _people(said.meta.get(key, []), site), f"meta {key}" if ":" not in key else key
    for selector, source in _SELECTORS:
        yield _people(_shown(said.page, selector), site), source
    yield _people(_bylines(said.page), site), "visible byline"


def _bylines(page: Page) -> list[str]:
    """Return the first lines near the title that say by whom."""
    titles = [row for row in page.rows_of("h1").tolist() if not page.hidden[row]][:1]
    if not titles:
        return []
    blocks = page.blocks
    first = int(np.searchsorted(blocks.start, titles[0]))
    for block in range(max(first - 3, 0), min(first + _NEAR, len(blocks))):
        text = " ".join(page.text[page.offset[blocks.start[block]] : page.offset[blocks.stop[block]]].split())
        if len(text) <= 2 * _LONGEST and _SAYS_BY.match(text):
            return [text]
    return []


def _persons(value: object) -> object:
    """Return people rather than organisations, where a page names both."""
    if not isinstance(value, list):
        return value
    people = [one for one in value if not (isinstance(one, dict) and "organization" in kinds(one))]
    return people or value


def _shown(page: Page, selector: str) -> list[str]:
    """Return the texts of the first elements that a selector finds: the page's own author stands before others'."""
    out: list[str] = []
    holder = -1
    for row in page.select(selector)[:20]:
        if page.hidden[row] or (out and page.parent[row] != holder):
            continue
        given = page.attributes(row)
        text = given.get("content") or line_of(page, row)
        if text.strip() and len(text) < 4 * _LONGEST:
            out.append(text)
            holder = int(page.parent[row])
    return out


def _people(values: list[str], site: str | None) -> tuple[str, ...]:
    out: dict[str, str] = {}
    for value in values:
        if "://" in value or "@" in value:
            continue
        whole = _ENDS.sub("", _BY.sub("", " ".join(value.split())))
        for part in _DIVIDED.split(whole):
            name = _BY.sub("", part).strip(" .,:;-–—|/")
            key = name.casefold()
            if _is_name(name) and key != (site or "").casefold():
                out.setdefault(key, name)
    return tuple(out.values())[:50]


def _is_name(name: str) -> bool:
    if not 1 < len(name) <= _LONGEST or len(name.split()) > _WORDS or name.casefold() in _NOBODY:
        return False
    return any(char.isalpha() for char in name) and not name.startswith(("http", "www.", "/"))
