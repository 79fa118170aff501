"""The authors of a page."""

import re
from collections.abc import Iterator
from typing import Final

from tamis.document.detect.attr_matches import attr_matches
from tamis.document.detect.bylines import AUTHOR_SELECTOR, MAX_NAME_CHARS, Bylines, is_byline
from tamis.document.detect.posts import DATE_SELECTOR
from tamis.metadata.inline_text import block_text, blocks_near, inline_text
from tamis.metadata.people import find_people, is_person
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import Sourced, item_types, meta_source, text_values
from tamis.page import Page

Names = tuple[str, ...]

_META_NAMES: Final = (
    "citation_author", "author", "article:author", "dc.creator", "dcterms.creator", "parsely-author",
    "sailthru.author", "byl", "cxenseparse:author", "article:author_name",
)  # fmt: skip
#: Elements that name the author, and how they are called as a source; the most trusted first.
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
_MAX_SELECTED: Final = 20  #: elements of one selector that are read
_BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE = 3, 25  #: where an author without markup may be named
_ROWS_BEFORE_BLOCK: Final = 10  #: rows before the first of these blocks, where the elements around it begin
#: Page types that sell or list. The names that they show are customers' and authors' of listed pages.
_AUTHORLESS_PAGE_TYPES: Final = frozenset({"product", "collection", "listing", "service"})
#: Page types whose author may be named near the title, and pages of unknown type.
_WRITTEN_PAGE_TYPES: Final = frozenset({"article", "forum", None})
_COMMENT_CLASS: Final = re.compile(
    r"(?:^|[\s_-])comments?(?:[-_ ]?(?:list|item|author|body|meta|thread|\d+))?(?:$|\s)", re.IGNORECASE
)
_COMMENT_LEVELS: Final = 12  #: ancestors of a name, itself included, that may be a comment


def find_authors(source: MetadataSource) -> Sourced[Names] | None:
    """Return the authors. The page type decides where they are looked for.

    In order of trust: JSON-LD, ``meta``, microdata, ``rel=author``, classes for authors, bylines near the title. The
    site's name is an author only if it is a person's and no source names another.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> find_authors(MetadataSource(read_structured(parse_page('<p class="byline">By Ann Lee and Bob Ray</p>'))))
    Sourced(value=('Ann Lee', 'Bob Ray'), source='visible byline')
    """
    page, site = source.structured.page, (source.site_name or "").casefold()
    title_rows = page.rows_of("title")
    title = page.row_text(int(title_rows[0])).strip().casefold() if len(title_rows) else ""
    owner: Sourced[Names] | None = None
    for candidate in _candidates(source):
        people = candidate.value
        others = tuple(name for name in people if name.casefold() != site)
        if others and not title.endswith(others[0].casefold()):
            return Sourced(others, candidate.source)
        # The name is the site's, or the title ends with it: the site's owner, who is the author if nobody else is.
        if owner is None and (others or (people and is_person(people[0]))):
            owner = Sourced(others or people, candidate.source)
    return owner


def _candidates(source: MetadataSource) -> Iterator[Sourced[Names]]:
    """Yield the people that each source names, the most trusted source first."""
    structured, page = source.structured, source.structured.page
    page_type = source.likely_page_type
    for item in structured.authored_items:
        if "product" in item_types(item):
            continue
        for name in ("author", "creator"):
            values = _without_organizations(item.get(name), source.site_name)
            yield Sourced(find_people(text_values(values, structured.by_id)), f"json-ld {name}")
    for name in _META_NAMES:
        yield Sourced(find_people(structured.meta.get(name, [])), meta_source(name))
    if page_type in _AUTHORLESS_PAGE_TYPES:
        return
    first_post = next(iter(structured.posts.items()), None) if page_type == "forum" else None
    opener = Sourced((first_post[1].author,), "first post") if first_post and first_post[1].author else None
    for selector, label in _SELECTORS:
        row, texts = _selected_texts(page, selector, in_comments=page_type == "forum")
        if first_post and opener and first_post[0] < row:  # the selected name may be that of a reply
            yield opener
        yield Sourced(find_people(texts), label)
    if opener:
        yield opener
    yield Sourced(find_people(_byline_near_title(source)), "visible byline")
    if page_type in _WRITTEN_PAGE_TYPES:
        yield Sourced(find_people(_author_element_near_title(source)), "visible author")


def _blocks_near_title(source: MetadataSource) -> range:
    page, title = source.structured.page, source.title_row
    return range(0) if title is None else blocks_near(page, title, _BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE)


def _byline_near_title(source: MetadataSource) -> list[str]:
    """Return the first byline near the title: a block, or a text row of one."""
    page, blocks = source.structured.page, source.structured.page.blocks
    for block in _blocks_near_title(source):
        rows = [row for row in range(int(blocks.start[block]), int(blocks.stop[block])) if page.shown[row]]
        for text in (block_text(page, block), *map(page.row_text, rows)):
            line = " ".join(text.split())
            if len(line) <= 2 * MAX_NAME_CHARS and is_byline(line):
                return [line]
    return []


def _author_element_near_title(source: MetadataSource) -> list[str]:
    """Return the name near the title in an element whose class contains "author" or the like."""
    page = source.structured.page
    blocks, near = page.blocks, _blocks_near_title(source)
    if not near:
        return []
    start, stop = max(int(blocks.start[near[0]]) - _ROWS_BEFORE_BLOCK, 0), int(blocks.stop[near[-1]])
    rows = [row for row in page.select(AUTHOR_SELECTOR) if start < row < stop and not _is_in_comment(page, row)]
    name = Bylines(page, page.select(DATE_SELECTOR), rows).author(start, stop)
    return [name] if name and not any(char.isdigit() for char in name) else []


def _without_organizations(value: object, site: str | None) -> list[object]:
    """Return the people of a JSON-LD value; if it has none, its organisations other than the site."""
    entries = value if isinstance(value, list) else [value]
    people = [entry for entry in entries if not (isinstance(entry, dict) and "organization" in item_types(entry))]
    if people:
        return people
    site_key = (site or "").casefold()
    return [
        entry for entry in entries if not (isinstance(entry, dict) and str(entry.get("name")).casefold() == site_key)
    ]


def _selected_texts(page: Page, selector: str, *, in_comments: bool) -> tuple[int, list[str]]:
    """Return the row of the first element that a selector matches, and its text and those of its siblings.

    The page's own author precedes others. Comments are skipped unless `in_comments`.
    """
    texts: list[str] = []
    first, parent = -1, -1
    for row in page.select(selector)[:_MAX_SELECTED]:
        if page.hidden[row] or (texts and page.parent[row] != parent):
            continue
        if not in_comments and _is_in_comment(page, row):
            continue
        text = page.attributes(row).get("content") or inline_text(page, row)
        if text.strip() and len(text) < 4 * MAX_NAME_CHARS:
            first = first if texts else row
            texts.append(text)
            parent = int(page.parent[row])
    return first, texts


def _is_in_comment(page: Page, row: int) -> bool:
    return attr_matches(page, row, _COMMENT_CLASS, ("class", "id"), _COMMENT_LEVELS)
