"""What a page declares about itself: the types in its structured data, its generator, and the words of its URL.

These are conventions of code, like class names. Each line below has a page type and the words that speak for it. The
URL is the canonical one that the page declares: the same markup gives the same features wherever it comes from.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final
from urllib.parse import urlsplit

from tamis.features.block_stats import Floats
from tamis.features.schema import COLUMN, PAGE_TYPES
from tamis.page import Page

#: Types of schema.org and OpenGraph, and names of programs in ``meta name=generator``, in lower case.
_DECLARED_TABLE: Final = """
article: article newsarticle blogposting reportagenewsarticle opinionnewsarticle analysisnewsarticle liveblogposting \
    backgroundnewsarticle scholarlyarticle medicalscholarlyarticle recipe report
forum: discussionforumposting qapage question socialmediaposting discourse xenforo vbulletin phpbb mybb invision \
    simplemachines flarum nodebb vanilla
product: product productgroup productmodel offer aggregateoffer individualproduct vehicle shopify woocommerce \
    prestashop opencart
collection: collectionpage productcollection offercatalog categorycode
listing: itemlist searchresultspage realestatelisting jobposting event localbusiness hotel restaurant
documentation: techarticle apireference softwaresourcecode howto docusaurus sphinx mkdocs gitbook vitepress docsify \
    antora mdbook
service: service professionalservice faqpage aboutpage contactpage webapplication softwareapplication corporation
"""
_PATH_TABLE: Final = """
article: blog blogs news article articles story stories post posts opinion
forum: forum forums thread threads topic topics discussion discussions questions viewtopic showthread comments \
    community
product: product products item items dp sku buy
collection: collection collections category categories catalog shop store department genre browse women men
listing: listing listings search jobs list lists directory archive archives events results tag tags rankings best
documentation: docs doc documentation api reference guide guides manual help wiki tutorial tutorials learn developer
service: service services solutions solution pricing about features platform contact company consulting industries
"""
_SCHEMA_TYPE: Final = re.compile(r'"@type"\s{0,20}:\s{0,20}\[?\s{0,20}"(?:https?://schema\.org/)?(\w{1,60})')
_WORD: Final = re.compile(r"[a-z0-9]+")
_DATE: Final = re.compile(r"/(?:19|20)\d\d[/-]")
_GENERATOR_CHARS: Final = 200  # of a generator that are read
_URL_CHARS: Final = 2000  # of a URL that are read


def _words_by_type(table: str) -> dict[str, frozenset[str]]:
    lines = (line.split(":") for line in table.strip().splitlines())
    return {page_type: frozenset(words.split()) for page_type, words in lines}


#: The declared words, and the words of paths, that speak for each page type.
DECLARED_WORDS: Final = _words_by_type(_DECLARED_TABLE)
PATH_WORDS: Final = _words_by_type(_PATH_TABLE)


def measure_declarations(page: Page, item_types: Iterable[str], json_ld: Iterable[str], out: Floats) -> None:
    """Fill the columns of declarations, which are zero before.

    Args:
        page: the page.
        item_types: the values of its ``itemtype`` attributes.
        json_ld: the texts of its JSON-LD scripts.
        out: the feature matrix, transposed.
    """
    metas = _metas(page)
    words = [word.lower() for text in json_ld for word in _SCHEMA_TYPE.findall(text)]
    words += _WORD.findall(metas.get("og:type", "").lower())
    words += _WORD.findall(metas.get("generator", "")[:_GENERATOR_CHARS].lower())
    words += [value.rpartition("/")[2].strip().lower() for value in item_types]
    _mark(out, "declares", words, DECLARED_WORDS)
    path = _path(page, metas)
    if path is None:
        return
    segments = [segment for segment in path.split("/") if segment]
    _mark(out, "path", [word for segment in segments for word in _WORD.findall(segment)], PATH_WORDS)
    out[COLUMN["path_known"]] = 1
    out[COLUMN["path_segments"]] = len(segments)
    out[COLUMN["path_date"]] = _DATE.search(path + "/") is not None
    out[COLUMN["path_slug"]] = len(_WORD.findall(segments[-1])) if segments else 0


def _mark(out: Floats, family: str, words: list[str], words_of: Mapping[str, frozenset[str]]) -> None:
    for page_type in PAGE_TYPES:
        if not words_of[page_type].isdisjoint(words):
            out[COLUMN[f"{family}:{page_type}"]] = 1


def _metas(page: Page) -> dict[str, str]:
    """Return the contents of the ``meta`` elements that are read here, by name."""
    found: dict[str, str] = {}
    for row in page.rows_of("meta").tolist():
        attribute = page.nodes[row].attr
        name = attribute("property") or attribute("name")
        if name in {"og:type", "og:url", "generator"}:
            found.setdefault(name, attribute("content") or "")
    return found


def _path(page: Page, metas: Mapping[str, str]) -> str | None:
    """Return the path of the canonical URL in lower case, or None."""
    url = metas.get("og:url")
    for row in page.rows_of("link").tolist():
        attribute = page.nodes[row].attr
        if attribute("rel") in ("canonical", ["canonical"]) and attribute("href"):
            url = attribute("href")
            break
    if not url or len(url) > _URL_CHARS:
        return None
    try:
        return urlsplit(url).path.lower()
    except ValueError:
        return None
