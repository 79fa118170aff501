"""The authors: people, not the word "by", not the site, not an address."""

import re
from collections.abc import Iterator
from typing import Final

from tamis.document.bylines import AUTHORS, Bylines
from tamis.document.posts import DATES, find_posts
from tamis.metadata.reading import blocks_near, first_heading, line_of
from tamis.metadata.structured import Structured, kinds, texts
from tamis.page import Page

_BY: Final = re.compile(
    r"^(?:(?:written|authored|post|posted|published|reviewed|edited|words|story|text|photos?|reported)\s+)?"
    r"(?:by|von|par|por|di|door|af|av)\s*:?\s+|^(?:author|autor|auteur|posted by)\b\s*:?\s*"
    r"|^(?:автор|текст|بقلم|كتب|كتبت|लेखक|लेखिका|著者|筆者|作者|记者|記者|撰文)(?:\s*[:：]\s*|\s+)",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(
    r"\s*(?:[|•·–—(»›]|\s-\s|,?\s+(?:on|updated|published|posted|staff writer|senior|editor|contributor|reporter|"
    r"correspondent|last)\b|\b\d{1,2}[./ ]|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\s+\d).*$",
    re.IGNORECASE,
)
_DIVIDED: Final = re.compile(r"\s*(?:;|\s&\s|\band\b|\bund\b|\bet\b|\by\b|,)\s*", re.IGNORECASE)
_MORE: Final = re.compile(
    r"^(?:view|see|read|show)?\s*(?:all|more|other)?\s*(?:posts|articles|stories) by\s+", re.IGNORECASE
)
_LAST_FIRST: Final = re.compile(r"^[^\W\d_][\w'’-]+, [^\W\d_][\w .'’-]+$")
_SIGNS: Final = frozenset("©®™{}<>=")
_TITLES: Final = (
    r"\b(?:writer|director|manager|coordinator|strategist|analyst|consultant|president|founder|co-founder|ceo|cto)\b"
)
#: What somebody does, where it follows a name of two words.
_ROLE: Final = re.compile(
    rf"^([A-Z][\w'’.-]+ [A-Z][\w'’.-]+) (?:(?i:senior|content|head|vice|marketing|managing) .*)?(?i:{_TITLES}).*$"
)
#: … or stands behind a comma.
_DOES: Final = re.compile(rf"{_TITLES}|\b(?:expert|specialist|marketer|head of)\b", re.IGNORECASE)
_SAYS_BY: Final = re.compile(
    r"^(?i:(?:written|posted|published|words|story|text)\s+)?(?i:by)\s*:?\s+(?=[^\W\d_])[^a-zß-ÿ]|^(?i:author)\s*:\s*\S"
)
_BEFORE, _NEAR = 3, 25  #: blocks before and after the title where its author may be named
_NOT_NAMES: Final = """
    admin administrator author authors editor editors editorial staff guest anonymous unknown team user webmaster
    none null undefined by website post posts reply permalink wordpress root default contributor home
    mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday
"""
_NOBODY: Final = frozenset(
    {*_NOT_NAMES.split(), "the author", "topic author", "written by", "posted by", "about the author"}
)
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
#: A name as people have it, where a site has the same.
_PERSON: Final = re.compile(
    r"(?!The |.*\b(?i:inc|llc|ltd|pc|university|college|clinic|association|institute|news|media|group|team|official|"
    r"store|shop|company|corporation|agency|studios?|magazine|blog|center|centre|foundation|society|services|"
    r"solutions|construction|online|digital|data)\b)[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]*){1,2}$"
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
_LONGEST: Final = 60  #: characters of a name
_WORDS: Final = 6  #: of a name


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
        if not owner[0] and (others or (people and _PERSON.match(people[0]))):
            owner = others or people, source
    return owner


def _named(said: Structured, site: str | None, kind: str | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give the authors that each source names, from the most trusted source on."""
    for thing in said.own:
        if "product" in kinds(thing):
            continue
        for name in ("author", "creator"):
            yield _people(texts(_persons(thing.get(name), site), said.by_id)), f"json-ld {name}"
    for key in ("citation_author", "author", "article:author", "dc.creator", "dcterms.creator", "parsely-author",
                "sailthru.author", "byl", "cxenseparse:author", "article:author_name"):  # fmt: skip
        yield _people(said.meta.get(key, [])), f"meta {key}" if ":" not in key else key
    if kind in _SOLD:
        return  # names that such a page shows are those of customers, and of the authors of what it lists
    page = said.page
    first = next(iter(find_posts(page).items()), None) if kind == "forum" else None
    for selector, source in _SELECTORS:
        row, shown = _shown(page, selector, thread=kind == "forum")
        if first and first[1].author and first[0] < row:  # the opening post, and a name in one of the answers
            yield (first[1].author,), "first post"
        yield _people(shown), source
    if first and first[1].author:
        yield (first[1].author,), "first post"
    yield _people(_bylines(page)), "visible byline"
    if kind in _WRITTEN:
        yield _people(_near_title(page)), "visible author"


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
            if len(line) <= 2 * _LONGEST and _SAYS_BY.match(line):
                return [line]
    return []


def _near_title(page: Page) -> list[str]:
    """Return the name near the title that a class calls an author, whatever else it calls it."""
    blocks, near = page.blocks, _titled(page)
    if not near:
        return []
    start, stop = max(int(blocks.start[near[0]]) - _ABOVE, 0), int(blocks.stop[near[-1]])
    rows = [row for row in page.select(AUTHORS) if start < row < stop and not _is_in_comment(page, row)]
    name = Bylines(page, page.select(DATES), rows).author(start, stop)
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
        if text.strip() and len(text) < 4 * _LONGEST:
            first = first if out else row
            out.append(text)
            holder = int(page.parent[row])
    return first, out


def _is_in_comment(page: Page, row: int) -> bool:
    for _ in range(_HEIGHT):
        given = page.attributes(row)
        if _COMMENT.search(f"{given.get('class', '')} {given.get('id', '')}"):
            return True
        row = int(page.parent[row])
        if row <= page.body:
            break
    return False


def _people(values: list[str]) -> tuple[str, ...]:
    """Return the people in some lines.

    >>> _people(["By Ann Lee, Senior Editor", "View all posts by Bo Ek"]), _people(["Ek, Bo", "Lee, Ann"])
    (('Ann Lee', 'Bo Ek'), ('Bo Ek', 'Ann Lee'))
    """
    out: dict[str, str] = {}
    if len(values) > 1 and all(_LAST_FIRST.match(value) for value in values):  # as catalogues have it
        values = [" ".join(reversed(value.split(", "))) for value in values]
    for value in values:
        if "://" in value or "@" in value:
            continue
        whole = _ENDS.sub("", _BY.sub("", _MORE.sub("", " ".join(value.split()))))
        for part in _DIVIDED.split(whole):
            name = _ROLE.sub(r"\1", _BY.sub("", part).strip(" .,:;-–—|/"))
            if _is_name(name) and not (out and _DOES.search(name)):
                out.setdefault(name.casefold(), name)
    return tuple(out.values())[:50]


def _is_name(name: str) -> bool:
    if not 1 < len(name) <= _LONGEST or len(name.split()) > _WORDS or name.casefold() in _NOBODY:
        return False
    return (
        any(char.isalpha() for char in name) and not name.startswith(("http", "www.", "/")) and not set(name) & _SIGNS
    )
