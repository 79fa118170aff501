"""The authors: where a page names them, by what kind of page it is."""

import re
from collections.abc import Iterator
from typing import Final

from tamis.document.detect.attr_matches import attr_matches
from tamis.document.detect.bylines import AUTHOR_SELECTOR, MAX_NAME_CHARS, Bylines, is_byline
from tamis.document.detect.posts import DATE_SELECTOR
from tamis.metadata.inline_text import blocks_near, first_heading, line_of
from tamis.metadata.people import is_person, people_in
from tamis.metadata.structured import Structured, kinds, texts
from tamis.page import Page

_BEFORE, _NEAR = 3, 25  #: blocks before and after the title where its author may be named
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
#: Kinds of pages that sell or list, and have no author.
_SOLD: Final = frozenset({"product", "collection", "listing", "service"})
#: Kinds of pages that somebody wrote.
_WRITTEN: Final = frozenset({"article", "forum", None})
_COMMENT: Final = re.compile(
    r"(?:^|[\s_-])comments?(?:[-_ ]?(?:list|item|author|body|meta|thread|\d+))?(?:$|\s)", re.IGNORECASE
)
_HEIGHT: Final = 12  #: elements around a name among which one may be a comment
_ABOVE: Final = 10  #: rows before the first line near the title, in which elements around it begin


def find_authors(said: Structured, site: str | None, kind: str | None = None) -> tuple[tuple[str, ...], str]:
    """Return the authors and where they were named; what kind of page it is tells where to look.

    >>> from tamis.page import parse_page
    >>> from tamis.metadata.structured import read_structured
    >>> find_authors(read_structured(parse_page('<p class="byline">By Ann Lee and Bob Ray</p>')), None)
    (('Ann Lee', 'Bob Ray'), 'visible byline')
    """
    rows = said.page.rows_of("title")
    title = said.page.row_text(int(rows[0])).strip().casefold() if len(rows) else ""
    owner: tuple[tuple[str, ...], str] = (), ""
    for people, source in _named(said, site, kind):
        others = tuple(one for one in people if one.casefold() != (site or "").casefold())
        if others and not title.endswith(others[0].casefold()):
            return others, source
        # The site, or what the title ends with, which names the site. A site may be a person's: others come first.
        if not owner[0] and (others or (people and is_person(people[0]))):
            owner = others or people, source
    return owner


def _named(said: Structured, site: str | None, kind: str | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give the authors that each source names, from the most trusted source on."""
    for thing in said.own:
        if "product" in kinds(thing):
            continue
        for name in ("author", "creator"):
            yield people_in(texts(_persons(thing.get(name), site), said.by_id)), f"json-ld {name}"
    for key in ("citation_author", "author", "article:author", "dc.creator", "dcterms.creator", "parsely-author",
                "sailthru.author", "byl", "cxenseparse:author", "article:author_name"):  # fmt: skip
        yield people_in(said.meta.get(key, [])), f"meta {key}" if ":" not in key else key
    if kind in _SOLD:
        return  # names that such a page shows are those of customers, and of the authors of what it lists
    page = said.page
    first = next(iter(said.posts.items()), None) if kind == "forum" else None
    for selector, source in _SELECTORS:
        row, shown = _shown(page, selector, thread=kind == "forum")
        if first and first[1].author and first[0] < row:  # the opening post, and a name in one of the answers
            yield (first[1].author,), "first post"
        yield people_in(shown), source
    if first and first[1].author:
        yield (first[1].author,), "first post"
    yield people_in(_bylines(page)), "visible byline"
    if kind in _WRITTEN:
        yield people_in(_near_title(page)), "visible author"


def _titled(page: Page) -> range:
    """Return the blocks around the title of a page, among which its author may be named."""
    title = first_heading(page)
    return range(0) if title is None else blocks_near(page, title, _BEFORE, _NEAR)


def _bylines(page: Page) -> list[str]:
    """Return the first line near the title that says by whom, or the first such part of a line."""
    blocks = page.blocks
    for block in _titled(page):
        start, stop = int(blocks.start[block]), int(blocks.stop[block])
        rows = [row for row in range(start, stop) if page.shown[row]]
        for text in (page.text[page.offset[start] : page.offset[stop]], *map(page.row_text, rows)):
            line = " ".join(text.split())
            if len(line) <= 2 * MAX_NAME_CHARS and is_byline(line):
                return [line]
    return []


def _near_title(page: Page) -> list[str]:
    """Return the name near the title that a class calls an author, whatever else it calls it."""
    blocks, near = page.blocks, _titled(page)
    if not near:
        return []
    start, stop = max(int(blocks.start[near[0]]) - _ABOVE, 0), int(blocks.stop[near[-1]])
    rows = [row for row in page.select(AUTHOR_SELECTOR) if start < row < stop and not _is_in_comment(page, row)]
    name = Bylines(page, page.select(DATE_SELECTOR), rows).author(start, stop)
    return [name] if name and not any(char.isdigit() for char in name) else []


def _persons(value: object, site: str | None) -> object:
    """Return people rather than organisations, where a page names both; never the one that the site is."""
    named = value if isinstance(value, list) else [value]
    people = [one for one in named if not (isinstance(one, dict) and "organization" in kinds(one))]
    if people:
        return people
    own = (site or "").casefold()
    return [one for one in named if not (isinstance(one, dict) and str(one.get("name")).casefold() == own)]


def _shown(page: Page, selector: str, *, thread: bool) -> tuple[int, list[str]]:
    """Return the texts of the first elements that a selector finds, and the row of the first of them.

    The page's own author stands before others', and in no comment unless the page is a thread of them.
    """
    out: list[str] = []
    first, holder = -1, -1
    for row in page.select(selector)[:20]:
        if page.hidden[row] or (out and page.parent[row] != holder):
            continue
        if not thread and _is_in_comment(page, row):
            continue
        given = page.attributes(row)
        text = given.get("content") or line_of(page, row)
        if text.strip() and len(text) < 4 * MAX_NAME_CHARS:
            first = first if out else row
            out.append(text)
            holder = int(page.parent[row])
    return first, out


def _is_in_comment(page: Page, row: int) -> bool:
    return attr_matches(page, row, _COMMENT, ("class", "id"), _HEIGHT)
