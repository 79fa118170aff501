"""The features of a page: one row per block, one named column per feature (`tamis.sift.schema`)."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from tamis._core.enums import Boilerplate
from tamis._core.loader import core
from tamis._core.names import word_table
from tamis._core.repeats import QUOTE
from tamis.html import tags
from tamis.html.attributes import KINDS
from tamis.html.text import is_copyright_line
from tamis.lazy import lazy_pattern
from tamis.page import Page
from tamis.sift.schema import (
    ANCESTORS,
    CATEGORY_OF,
    COLUMN,
    CONTAINERS,
    LOG_RANGES,
    NAME_CATEGORIES,
    NAMES,
)

# What the elements of a page are called in ``class``, ``id``, ``role`` and ``itemprop``, and evident boilerplate.

# `ElementNames`: what the elements of a page are called in ``class``, ``id``, ``role`` and ``itemprop``.

_ITEM_TYPE: Final = KINDS["itemtype"]
_WORDS: Final = word_table(CATEGORY_OF)


class ElementNames(NamedTuple):
    """The names of the elements of a page.

    Attributes:
        names: of those that contain blocks, with the categories of their words.
        item_types: the values of ``itemtype`` on the page.
    """

    names: "core.Names"
    item_types: list[str]


def read_element_names(page: Page) -> ElementNames:
    """Read the names of a page's elements.

    >>> from tamis.page import parse_page
    >>> names = read_element_names(parse_page("<div class='main-menu x'>Tea")).names
    >>> list(names.named), [NAME_CATEGORIES[number] for number in names.categories]
    ([4], ['main', 'nav'])
    """
    names = core.read_names(page.columns, page.listed, page.classes, _WORDS, len(NAME_CATEGORIES))
    _, kinds, values = page.listed
    is_typed = _ITEM_TYPE in kinds
    item_types = [value for kind, value in zip(kinds, values, strict=True) if kind == _ITEM_TYPE] if is_typed else []
    return ElementNames(names, item_types)


# Evident boilerplate: menus, footers and notices that need no network.
#
# A third of the blocks of a page are in menus and footers that say what they are: by their tag or name, and because
# they consist of short links. They are left out before features are measured. So a page costs less, and a menu more
# or less changes nothing else: no feature counts what it contains.
#
# On WCXB dev, 0.5 % of the words in these elements are in the gold text, most of them by chance. Leaving them out of
# what the network kept changed the mean F1 of no corpus by more than 0.0002 (docs/lab/sift.md).
#
# Lines with a copyright sign at the very end of a page need no element that says so: on eight corpora, 1.0 % of their
# words are in the gold text. Before other text they may be the source of an article.

_TAG_TABLE: Final = {
    "nav header": Boilerplate.IF_LINKS,
    "footer": Boilerplate.IF_SHORT,
    "select": Boilerplate.ALWAYS,
    "ul ol": Boilerplate.IF_LIST,
    "article main": Boilerplate.CONTENT,
}
_CATEGORY_TABLE: Final = {
    "nav footer share newsletter pagination breadcrumb popup": Boilerplate.IF_LINKS,
    "cookie": Boilerplate.IF_LINKS | Boilerplate.IF_NOTICE,
}
_TAG_FLAGS: Final = bytes(
    sum(flag for names, flag in _TAG_TABLE.items() if name in names.split()) for name in tags.NAMES
)
_CATEGORY_FLAGS: Final = bytes(
    sum(flag for names, flag in _CATEGORY_TABLE.items() if name in names.split()) for name in NAME_CATEGORIES
)
_CONTENT_TAGS: Final = tags.tag_mask("article main").tobytes()  # one byte per tag


def prune(page: Page, names: ElementNames) -> Page:
    """Return the page without its evident boilerplate, or the page itself if there is none.

    >>> from tamis.sift.features import read_element_names
    >>> from tamis.page import parse_page
    >>> menu = "<ul class=menu><li><a href=/>Home</a><li><a href=/tea>Tea</a></ul>"
    >>> page = parse_page(menu + "<p>Boil the water, and wait. Then pour.")
    >>> pruned = prune(page, read_element_names(page))
    >>> len(page.blocks), len(pruned.blocks), len(page) == len(pruned)
    (3, 1, True)
    """
    if not len(page.block_chars):
        return page
    ranges = core.boilerplate_ranges(page.columns, names.names, _TAG_FLAGS, _CATEGORY_FLAGS)
    ranges += _closing_lines(page, ranges)
    return page.with_removed(tuple(sorted(ranges))) if ranges else page


def _closing_lines(page: Page, removed: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the rows of the last lines of a page that name its owner; none if nothing but them would be left."""
    columns = page.columns
    starts, stops, first = columns.start, columns.stop, columns.first_block
    found: list[int] = []
    block, number = len(starts) - 1, len(removed) - 1
    while block >= 0:
        start = starts[block]
        while number >= 0 and removed[number][0] > start:
            number -= 1
        if number >= 0 and start < removed[number][1]:
            block = first[removed[number][0]] - 1
            continue
        if not is_copyright_line(page.text[page.offset[start] : page.offset[stops[block]]]):
            break
        found.append(block)
        block -= 1
    if not found:
        return []
    last, containers = columns.last_block, [columns.container[block] for block in found]
    content = core.ancestors_with_tag(containers, page.parent, page.tag, _CONTENT_TAGS, outermost=False)
    count = next((index for index, row in enumerate(content) if row >= 0), len(found))
    if count == len(found) and block < 0:
        return []
    return [
        (container, int(page.end[container]))
        if first[container] == number and last[container] == number + 1
        else (starts[number], stops[number])
        for number, container in zip(found[:count], containers, strict=False)
    ]


__all__ = ["COLUMN", "NAMES", "Features", "measure"]

# The features of the blocks of a page: those of `tamis._core.features`, and those that are read from its text.

Floats = npt.NDArray[np.float32]


# Features of a block's own text are its length, its characters, its links, how it begins and ends.
#
# Every measure counts character classes, so that it means the same in every script. `size` estimates a number of
# words: from the characters of alphabetic scripts, and from the ideographs of the others. The loops are in
# `tamis._core.features`.


def json_ld_texts(page: Page) -> list[str]:
    """Return the texts of the JSON-LD scripts of a page. They are searched as raw text, which needs no parsing."""
    rows = page.rows_of("script").tolist()
    return [
        page.raw_text(row + 1)
        for row, media_type in zip(rows, page.attribute_column(rows, "type"), strict=True)
        if media_type == "application/ld+json" and page.end[row] > row + 1
    ]


def metadata_text(page: Page, json_ld: list[str]) -> str:
    """Return the longer texts of a page's metadata: values of ``meta`` elements, and JSON-LD as written."""
    texts = [meta.content for meta in page.metas if meta.content]
    return "\n".join([text for text in (*texts, *json_ld) if len(text) >= QUOTE])


# Features of the elements above a block: its container, the tags of its ancestors, and what their names say.


def feature_columns(column: Mapping[str, int]) -> "core.FeatureColumns":
    """Return the columns as the loops look them up; `column` has the one of each feature."""

    def of_tags(families: tuple[str, ...], prefix: str) -> npt.NDArray[np.int32]:
        """Return the column of each tag: that of its family, or -1."""
        columns = np.full(len(tags.NAMES), -1, dtype=np.int32)
        for family in families:
            names = family.split()
            columns[[tags.IDS[name] for name in names]] = column[f"{prefix}:{names[0]}"]
        return columns

    of_categories = [
        np.array([column[f"{place}:{category}"] for category in NAME_CATEGORIES], dtype=np.int32)
        for place in ("near", "far")
    ]
    of_both = of_tags(CONTAINERS, "container"), of_tags(ANCESTORS, "ancestor")
    return core.FeatureColumns(column, of_both, of_categories)


_COLUMNS: Final = feature_columns(COLUMN)


# What a page declares about itself: the types in its structured data, its generator, and the words of its URL.
#
# These are conventions of code, like class names. Each line below has a page type and the words that speak for it.
# The URL is the canonical one that the page declares: the same markup gives the same features wherever it comes
# from.

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
_SCHEMA_TYPE: Final = lazy_pattern(r'"@type"\s{0,20}:\s{0,20}\[?\s{0,20}"(?:https?://schema\.org/)?(\w{1,60})')
_WORD: Final = lazy_pattern(r"[a-z0-9]+")
_DATE: Final = lazy_pattern(r"/(?:19|20)\d\d[/-]")
_GENERATOR_CHARS: Final = 200  # of a generator that are read
_URL_CHARS: Final = 2000  # of a URL that are read


def _words_by_type(table: str) -> dict[str, frozenset[str]]:
    lines = (line.split(":") for line in table.strip().splitlines())
    return {page_type: frozenset(words.split()) for page_type, words in lines}


#: The declared words, and the words of paths, that speak for each page type.
DECLARED_WORDS: Final = _words_by_type(_DECLARED_TABLE)
PATH_WORDS: Final = _words_by_type(_PATH_TABLE)


def _columns_by_word(family: str, words_of: Mapping[str, frozenset[str]]) -> dict[str, list[int]]:
    out: dict[str, list[int]] = {}
    for page_type, words in words_of.items():
        for word in words:
            out.setdefault(word, []).append(COLUMN[f"{family}:{page_type}"])
    return out


_DECLARED_COLUMNS: Final = _columns_by_word("declares", DECLARED_WORDS)
_PATH_COLUMNS: Final = _columns_by_word("path", PATH_WORDS)


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
    _mark(out, words, _DECLARED_COLUMNS)
    path = _path(page, metas)
    if path is None:
        return
    segments = [segment for segment in path.split("/") if segment]
    _mark(out, _WORD.findall(path), _PATH_COLUMNS)
    out[COLUMN["path_known"]] = 1
    out[COLUMN["path_segments"]] = len(segments)
    out[COLUMN["path_date"]] = _DATE.search(path + "/") is not None
    out[COLUMN["path_slug"]] = len(_WORD.findall(segments[-1])) if segments else 0


def _mark(out: Floats, words: list[str], columns: Mapping[str, list[int]]) -> None:
    for word in words:
        for column in columns.get(word, ()):
            out[column] = 1


def _metas(page: Page) -> dict[str, str]:
    """Return the contents of the ``meta`` elements that are read here, by name."""
    found: dict[str, str] = {}
    for meta in page.metas:
        name = meta.property or meta.name
        if name in {"og:type", "og:url", "generator"}:
            found.setdefault(name, meta.content or "")
    return found


def _path(page: Page, metas: Mapping[str, str]) -> str | None:
    """Return the path of the canonical URL in lower case, or None."""
    url = metas.get("og:url")
    url = next((href for _, rel, href in page.link_elements if rel == "canonical" and href), url)
    if not url or len(url) > _URL_CHARS:
        return None
    try:
        return urlsplit(url).path.lower()
    except ValueError:
        return None


# The feature matrix of a page: one row per block, one named column per feature.


#: From this many blocks on, columns of zeros are not written to: memory that is never touched is never used.
LARGE: Final = 10_000
_LOG_COLUMNS: Final = np.array([column for first, last in LOG_RANGES for column in range(first, last)])


class Features(NamedTuple):
    """The features of a page's blocks.

    Attributes:
        matrix: blocks by features, with the columns of `tamis.sift.schema`.
        size: the estimated number of words of each block, comparable across scripts.
    """

    matrix: Floats
    size: npt.NDArray[np.float64]

    def column(self, name: str) -> Floats:
        """Return one feature of all blocks."""
        return self.matrix[:, COLUMN[name]]


def measure(page: Page, names: ElementNames | None = None) -> Features:
    """Compute the features of every block of a page; `names` are those of its elements, if they were read before.

    >>> from tamis.page import parse_page
    >>> features = measure(parse_page("<nav><a href=/>Home</a></nav><p>A sentence, and one more. Here.</p>"))
    >>> features.matrix.shape == (2, len(NAMES))
    True
    >>> features.column("link_share").tolist()
    [1.0, 0.0]
    """
    count = len(page.block_chars)
    if not count:
        return Features(np.zeros((0, len(NAMES)), dtype=np.float32), np.zeros(0))
    out = np.zeros((len(NAMES), count), dtype=np.float32)  # transposed: the loops fill one feature at a time
    json_ld = json_ld_texts(page)
    names = names or read_element_names(page)
    rows = page.rows_of("title")
    match = core.title_overlap(page.columns, page.text, page.row_text(int(rows[0])) if len(rows) else "")
    size = core.measure_blocks(
        out, _COLUMNS, page.columns, names.names, match, page.text, metadata_text(page, json_ld), page.panels
    )
    measure_declarations(page, names.item_types, json_ld, out)
    if count < LARGE:
        part = out.take(_LOG_COLUMNS, axis=0)
        out[_LOG_COLUMNS] = np.log(np.add(part, 1, out=part), out=part)
    else:
        for column in _LOG_COLUMNS.tolist():
            if out[column].any():
                np.log(np.add(out[column], 1, out=out[column]), out=out[column])
    return Features(out.T, np.asarray(size, dtype=np.float64))
