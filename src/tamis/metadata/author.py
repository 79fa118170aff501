"""The authors of a page."""

from collections.abc import Iterator
from typing import Final

from tamis.document.detect.bylines import MAX_NAME_CHARS
from tamis.metadata.byline_lines import (
    LABEL_LINE,
    author_element_near_title,
    byline_below,
    byline_near_title,
    is_in_comment,
    name_beside_date,
)
from tamis.metadata.inline_text import inline_text, row_start
from tamis.metadata.people import find_people, is_account, is_person
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import PAGE_TYPES, Sourced, item_types, meta_source, text_values
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
#: Page types that sell or list. The names that they show are customers' and authors' of listed pages.
_AUTHORLESS_PAGE_TYPES: Final = frozenset({"product", "collection", "listing", "service"})
#: Page types whose author may be named near the title, and pages of unknown type.
_WRITTEN_PAGE_TYPES: Final = frozenset({"article", "forum", None})
#: Sources that the page shows to its readers; the others may have the name of an account.
_SHOWN_SOURCES: Final = frozenset(
    {"microdata author", "rel author", "visible author", "visible byline", "author link", "first post"}
)


def find_authors(source: MetadataSource) -> Sourced[Names] | None:
    """Return the authors. The page type decides where they are looked for.

    In order of trust: JSON-LD, ``meta``, microdata, ``rel=author``, classes for authors, bylines near the title,
    names beside the date, bylines below. A shown person beats an account in structured data. The site's name is an
    author only if no source names another, and if it is a person's or shown as the author's.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> find_authors(MetadataSource(read_structured(parse_page('<p class="byline">By Ann Lee and Bob Ray</p>'))))
    Sourced(value=('Ann Lee', 'Bob Ray'), source='visible byline')
    """
    page, site = source.structured.page, (source.site_name or "").casefold()
    title_rows = page.rows_of("title")
    title = row_start(page, int(title_rows[0])).strip().casefold() if len(title_rows) else ""
    is_written = source.likely_page_type in _WRITTEN_PAGE_TYPES
    has_byline = is_written and source.likely_page_type != "forum"  # in a forum, accounts are the authors
    account: Sourced[Names] | None = None
    owner: Sourced[Names] | None = None
    for candidate in _candidates(source):
        people, is_shown = candidate.value, candidate.source in _SHOWN_SOURCES
        others = tuple(name for name in people if name.casefold() != site)
        if others and not title.endswith(others[0].casefold()):
            if account is None and is_account(others[0]) and not is_shown and has_byline:
                account = Sourced(others, candidate.source)
                continue
            if account is None or (is_shown and is_person(others[0])):
                return Sourced(others, candidate.source)
        # The name is the site's, or the title ends with it: the site's owner, who is the author if nobody else is.
        elif owner is None and (
            others or (people and (is_person(source.site_name or "") or (is_shown and is_written)))
        ):
            owner = Sourced(others or people, candidate.source)
    return account or owner


def _candidates(source: MetadataSource) -> Iterator[Sourced[Names]]:
    """Yield the people that each source names, the most trusted source first."""
    structured, page = source.structured, source.structured.page
    page_type = source.likely_page_type
    is_authorless = page_type in _AUTHORLESS_PAGE_TYPES
    for item in structured.authored_items:
        if "product" in item_types(item) or (is_authorless and not PAGE_TYPES.isdisjoint(item_types(item))):
            continue
        for name in ("author", "creator"):
            values = _without_organizations(item.get(name), source.site_name)
            yield Sourced(find_people(text_values(values, structured.by_id)), f"json-ld {name}")
    for name in () if is_authorless else _META_NAMES:
        yield Sourced(find_people(structured.meta.get(name, [])), meta_source(name))
    if is_authorless:
        return
    yield Sourced(find_people(_labelled_meta(structured.meta)), "twitter:data")
    first_post = next(iter(structured.posts.items()), None) if page_type == "forum" else None
    opener = Sourced(find_people([first_post[1].author or ""]), "first post") if first_post else None
    for selector, label in _SELECTORS:
        row, texts = _selected_texts(page, selector, in_comments=page_type == "forum")
        if first_post and opener and opener.value and first_post[0] < row:  # the selected name may be that of a reply
            yield opener
        yield Sourced(find_people(texts), label)
    if opener:
        yield opener
    yield Sourced(find_people(byline_near_title(source)), "visible byline")
    if page_type in _WRITTEN_PAGE_TYPES:
        yield Sourced(find_people(author_element_near_title(source)), "visible author")
        yield Sourced(find_people(name_beside_date(source)), "visible line")
        yield Sourced(find_people(byline_below(source)), "visible byline")


def _labelled_meta(meta: dict[str, list[str]]) -> list[str]:
    """Return the author that ``twitter:data1`` has if ``twitter:label1`` says so, as plugins of blogs write it."""
    return [
        value
        for number in ("1", "2")
        for label in meta.get(f"twitter:label{number}", [])
        if LABEL_LINE.fullmatch(label.strip())
        for value in meta.get(f"twitter:data{number}", [])
    ]


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
        if not in_comments and is_in_comment(page, row):
            continue
        text = page.attributes(row).get("content") or inline_text(page, row)
        if text.strip() and len(text) < 4 * MAX_NAME_CHARS:
            first = first if texts else row
            texts.append(text)
            parent = int(page.parent[row])
    return first, texts
