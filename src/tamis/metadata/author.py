"""The authors of a page: in structured data, in markup, and in lines of text."""

import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import Final

import numpy as np

from tamis.document.detectors.bylines import AUTHOR_SELECTOR, DATE_SELECTOR, Bylines
from tamis.html.text import BYLINE_LABEL, ENGLISH_MONTHS, MAX_NAME_CHARS, is_byline
from tamis.lazy import lazy_pattern
from tamis.metadata.date_formats import parse_day
from tamis.metadata.people import find_people, is_account, is_house, is_person
from tamis.metadata.rights import find_copyright
from tamis.metadata.site import alnum_key, attr_matches, block_text, blocks_near, inline_text, row_start
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import (
    DECLARED_PAGE_TYPES,
    NEWS_TYPES,
    Sourced,
    as_list,
    item_types,
    meta_source,
    text_values,
)
from tamis.page import Page

# Authors that a page names in lines of text: near its title, beside its date, below its content.

_BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE = 3, 25  #: where an author without markup may be named
_BLOCKS_BEFORE_END, _BLOCKS_AFTER_END = 6, 4  #: where a box about the author may begin
_ROWS_BEFORE_BLOCK: Final = 10  #: rows before the first of these blocks, where the elements around it begin
#: Labels that stand on a line of their own before the author.
LABEL_LINE: Final = re.compile(
    r"(?:(?:article|story|post|words|text|written|posted|published|authored|created|reported)\s)?by:?|authors?:?|autor:?|"
    r"von|auteur:?|par|por",
    re.IGNORECASE,
)
_TEAM: Final = re.compile(r"(?:\w+ ){1,4}(?:Team|Staff|Editors)")
_SHORT_BYLINE: Final = re.compile(r"[Bb]y [\w.-]+(?: [A-Z]\w+)?")  #: a line of its own, below the date: "by ann82"
_LINE_DIVIDER: Final = re.compile(r"\s[|•·–—-]\s|\s(?:in|on)\s")
_BLOCKS_BESIDE_TITLE: Final = 4  #: where the name of a person without any label may stand
_MAX_DATE_LINE_CHARS: Final = 60  #: of a line that is a date beside a name
_BYLINE_BELOW: Final = re.compile(
    r"\s{0,40}(?:This (?:post|article|story) was )?(?:(?i:written|posted|authored)|Article|Story|Words) by:? "
    r"([^\n.!?;]{4,80})"
)
_NAME_AND_DATE: Final = re.compile(rf"([A-Z]\w+) (?:at|on) (?:{ENGLISH_MONTHS})\w* \d.*")
_AUTHORS_LABEL: Final = re.compile(
    r"\s{0,40}(?:Authors?|Author\(s\)|Contributors?|Autor(?:in|en)?|Autorin/Autor|Auteurs?|Autores)\s?(?::\s*|\s+)"
)
_MAX_RUNS: Final = 40  #: rows of a line that may be a date and a name
_MAX_LABEL_CHARS: Final = 30  #: of a line that is only a label
_MAX_BLOCK_ROWS: Final = 200  #: of a block: a byline is near its beginning, and code may have thousands
_MAX_BELOW_CHARS: Final = 200  #: of a block that begins with such a byline
_COMMENT_CLASS: Final = re.compile(
    r"(?:^|[\s_-])comments?(?:[-_ ]?(?:list|item|author|body|meta|thread|\d+))?(?:$|\s)", re.IGNORECASE
)
_COMMENT_LEVELS: Final = 12  #: ancestors of a name, itself included, that may be a comment


def byline_near_title(source: MetadataSource) -> list[str]:
    """Return the first byline near the title: a block, or a text row of one."""
    page, blocks = source.structured.page, source.structured.page.blocks
    for block in _blocks_near_title(source):
        stop = min(int(blocks.stop[block]), int(blocks.start[block]) + _MAX_BLOCK_ROWS)
        rows = [row for row in range(int(blocks.start[block]), stop) if page.shown[row]]
        texts = [
            " ".join(text.split()) for text in (block_text(page, block), *(row_start(page, row) for row in rows))
        ]
        following = block_text(page, min(block + 1, len(blocks) - 1))
        for label, name in pairwise(text for text in (*texts[1:], following) if text):
            if LABEL_LINE.fullmatch(label) and (is_person(name) or _TEAM.fullmatch(name)):
                return [name]
        if _SHORT_BYLINE.fullmatch(texts[0]) and parse_day(block_text(page, max(block - 1, 0))):
            return [texts[0]]
        for line in texts:
            if len(line) <= 2 * MAX_NAME_CHARS and is_byline(line):
                return [line]
    return []


def name_beside_date(source: MetadataSource) -> list[str]:
    """Return the name of a person that is a line near the title, before or after a line with a date."""
    page, blocks, title = source.structured.page, source.structured.page.blocks, source.title_row
    if title is None or source.likely_page_type == "forum":
        return []
    title_key = alnum_key(source.title.value) if source.title else ""
    for block in blocks_near(page, title, _BLOCKS_BESIDE_TITLE, _BLOCKS_BESIDE_TITLE + 1):
        line, row = block_text(page, block), int(blocks.start[block])
        head = _LINE_DIVIDER.split(line, maxsplit=1)[0]
        if not is_person(head) or page.hidden[row] or title <= row < page.end[title] or alnum_key(head) in title_key:
            continue
        if page.link[row] and page.attributes(int(page.parent[row])).get("href"):
            continue  # a section of the site
        beside = [
            line[len(head) :],
            *(block_text(page, near) for near in (block - 1, block + 1) if 0 <= near < len(blocks)),
        ]
        if any(len(text) <= _MAX_DATE_LINE_CHARS and parse_day(text) for text in beside):
            return [head]
    return _run_beside_date(source, title)


def _run_beside_date(source: MetadataSource, title: int) -> list[str]:
    """Return the person in a text run of its own before or after one with a date, in a line near the title."""
    page, blocks = source.structured.page, source.structured.page.blocks
    for block in blocks_near(page, title, _BLOCKS_BESIDE_TITLE, _BLOCKS_BESIDE_TITLE + 1):
        rows = range(int(blocks.start[block]), min(int(blocks.stop[block]), int(blocks.start[block]) + _MAX_RUNS))
        runs = [" ".join(row_start(page, row).split()) for row in rows if page.shown[row] and not page.link[row]]
        for pair in pairwise(run for run in runs if run):
            for name, day in (pair, pair[::-1]):
                if is_person(name) and len(day) <= _MAX_DATE_LINE_CHARS and parse_day(day):
                    return [name]
    return []


def byline_below(source: MetadataSource) -> list[str]:
    """Return the person of the first byline below the title: "Written by Ann Lee"."""
    page, blocks, title = source.structured.page, source.structured.page.blocks, source.title_row
    first = 0 if title is None else int(np.searchsorted(blocks.start, title))
    starts, stops = page.offset[blocks.start].tolist(), page.offset[blocks.stop].tolist()
    for block in range(first, len(blocks)):
        start, stop = starts[block], stops[block]
        is_label = stop - start <= _MAX_LABEL_CHARS and page.text[start:stop].rstrip(" :\n\t").lower().endswith(" by")
        if is_label and block + 1 < len(blocks):
            name = block_text(page, block + 1)
            if LABEL_LINE.fullmatch(block_text(page, block)) and is_person(name):
                return [name]
        stop = min(start + _MAX_BELOW_CHARS, stop)
        byline, label = _BYLINE_BELOW.match(page.text, start, stop), _AUTHORS_LABEL.match(page.text, start, stop)
        lines = [byline[1]] if byline else _labelled_people(page, block, label) if label else []
        if not lines or page.hidden[blocks.start[block]]:
            continue
        dated = _NAME_AND_DATE.fullmatch(lines[0])  # then a given name suffices
        people = [dated[1]] if dated else [name for name in find_people(lines) if is_person(name)]
        if people and not is_in_comment(page, int(page.parent[blocks.start[block]])):
            return people
    return []


def _labelled_people(page: Page, block: int, label: re.Match[str]) -> list[str]:
    """Return what follows the label of a line: "Authors: Ann Lee", "<b>Autorin</b> Ann Lee"."""
    first, stop = int(page.blocks.start[block]), int(page.blocks.stop[block])
    run = next((row for row in range(first, min(stop, first + _MAX_RUNS)) if page.shown[row]), first)
    is_alone = label[0].rstrip().endswith(":") or page.offset[page.end[run]] <= label.end()
    is_line = page.offset[stop] - page.offset[first] <= _MAX_BELOW_CHARS
    return [page.text[label.end() : int(page.offset[stop])]] if is_alone and is_line else []  # not a sentence


def author_element_near_title(source: MetadataSource) -> list[str]:
    """Return the name near the title in an element whose class contains "author" or the like."""
    page = source.structured.page
    blocks, near = page.blocks, _blocks_near_title(source)
    if not near:
        return []
    start, stop = max(int(blocks.start[near[0]]) - _ROWS_BEFORE_BLOCK, 0), int(blocks.stop[near[-1]])
    rows = [row for row in page.select(AUTHOR_SELECTOR) if start < row < stop and not is_in_comment(page, row)]
    name = Bylines(page, page.select(DATE_SELECTOR), rows).author(start, stop)
    if name and not any(char.isdigit() for char in name):
        return [name]
    for row in rows:  # "3 May 2024 · Ann Lee on behalf of the board"
        parts = re.split(r"\s[·•|]\s", inline_text(page, row))
        if len(parts) > 1 and parse_day(parts[0]):
            return [re.sub(r"\s+(?:on behalf of|for|in)\b.*", "", parts[1])]
    return []


def author_card(source: MetadataSource) -> list[str]:
    """Return the person in an element for authors that begins where the content ends."""
    page, rows = source.structured.page, source.content_rows
    if rows is None:
        return []
    near = blocks_near(page, rows.stop, _BLOCKS_BEFORE_END, _BLOCKS_AFTER_END)
    if not near:
        return []
    start, stop = int(page.blocks.start[near[0]]) - _ROWS_BEFORE_BLOCK, int(page.blocks.stop[near[-1]])
    for row in page.select("[class*='author' i]"):
        if start < row < stop and not page.hidden[row] and not is_in_comment(page, row):
            first = next(
                (k for k in range(row, min(int(page.end[row]), row + _MAX_BYLINE_ROWS)) if page.shown[k]), None
            )
            name = " ".join(row_start(page, first).split()) if first is not None else ""
            if is_person(name):
                return [name]
    return []


def _blocks_near_title(source: MetadataSource) -> range:
    page, title = source.structured.page, source.title_row
    if title is None and source.content_rows is not None:
        title = source.content_rows.start  # a page without headings
    return range(0) if title is None else blocks_near(page, title, _BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE)


def is_in_comment(page: Page, row: int) -> bool:
    """Return whether an element is in a reader's comment."""
    return attr_matches(page, row, _COMMENT_CLASS, ("class", "id"), _COMMENT_LEVELS)


# The authors of a page.

Names = tuple[str, ...]

_META_NAMES: Final = (
    "citation_author", "citation_authors", "author", "article:author", "dc.creator", "dcterms.creator",
    "parsely-author", "sailthru.author", "byl", "cxenseparse:author", "article:author_name",
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
#: ``meta`` elements in which systems write the account or the publisher, and markup that is believed against them.
_WEAK_SOURCES: Final = frozenset({"meta author", "article:author"})
_MARKED_SOURCES: Final = frozenset({"microdata author", "rel author"})
_MAX_SELECTED: Final = 20  #: elements of one selector that are read
_CHINESE_BYLINE: Final = re.compile(
    r"[(（](?:责编|责任编辑|编辑|記者|记者)[:：]\s?([\u4e00-\u9fff、，,\s]{2,40})[)）]"
)
#: "김하늘·박바다 기자": the names before the word for a reporter.
_KOREAN_BYLINE: Final = lazy_pattern(
    r"(?<![가-힣])((?:[가-힣]{2,4}\s?[·,]\s?)*[가-힣]{2,4})\s?(?:선임|수습|인턴|전문)?\s?(?:기자|특파원)(?![가-힣])"
)
_NOT_KOREAN_NAMES: Final = frozenset({"본지", "사진", "취재", "현장", "담당", "선임", "수습", "인턴", "전문", "시민"})
_MAX_KOREAN_BYLINE: Final = 100  #: characters of a block that names its reporter
_MAX_TAIL_CHARS: Final = 20_000  #: of a page's text, where it names its editors
_MAX_BYLINE_ROWS: Final = 60  #: of such an element
#: Page types that sell or list. The names that they show are customers' and authors' of listed pages.
_AUTHORLESS_PAGE_TYPES: Final = frozenset({"product", "collection", "listing", "service"})
#: Page types whose author may be named near the title, and pages of unknown type.
_WRITTEN_PAGE_TYPES: Final = frozenset({"article", "forum", None})
#: Sources that the page shows to its readers; the others may have the name of an account.
_SHOWN_SOURCES: Final = frozenset(
    {"microdata author", "rel author", "visible author", "visible byline", "author link", "first post"}
)


def find_authors(source: MetadataSource) -> Sourced[Names] | None:
    """Return the authors, and those whom the ``meta`` elements name beside them: JSON-LD often has one alone."""
    found = _choose(source)
    if found is None or not found.source.startswith("json-ld"):
        return found
    keys = {alnum_key(name) for name in found.value}
    for candidate in takewhile(lambda candidate: candidate.source not in _SHOWN_SOURCES, _candidates(source)):
        if len(candidate.value) > len(keys) and keys <= {alnum_key(name) for name in candidate.value}:
            return candidate
    return found


def _choose(source: MetadataSource) -> Sourced[Names] | None:  # noqa: C901 (one step per rule of trust)
    """Return the authors. The page type decides where they are looked for.

    In order of trust: JSON-LD, ``meta``, microdata, ``rel=author``, classes for authors, bylines near the title,
    names beside the date, bylines below. A shown person beats an account or a house in structured data. The site's
    name is an author only if no source names another, and if it is a person's or shown as the author's.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> _choose(MetadataSource(read_structured(parse_page('<p class="byline">By Ann Lee and Bob Ray</p>'))))
    Sourced(value=('Ann Lee', 'Bob Ray'), source='visible byline')
    """
    page, site = source.structured.page, (source.site_name or "").casefold()
    title_rows = page.rows_of("title")
    title = row_start(page, int(title_rows[0])).strip().casefold() if len(title_rows) else ""
    is_written = source.likely_page_type in _WRITTEN_PAGE_TYPES
    has_byline = is_written and source.likely_page_type != "forum"  # in a forum, accounts are the authors
    is_news = any(not NEWS_TYPES.isdisjoint(item_types(item)) for item in source.structured.main_items[:1])
    account: Sourced[Names] | None = None
    owner: Sourced[Names] | None = None
    for candidate in _candidates(source):
        people, is_shown = candidate.value, candidate.source in _SHOWN_SOURCES
        others = tuple(name for name in people if name.casefold() != site)
        if source.likely_page_type == "documentation" and others and is_house(others[0]):
            continue  # the maker of what is documented
        if others and not title.endswith(others[0].casefold()):
            is_weak = candidate.source in _WEAK_SOURCES or is_account(others[0]) or is_house(others[0])
            if owner is not None and is_news and is_shown and others[0].isascii() and not is_person(others[0]):
                continue  # an agency, which the house names beside itself
            if account is None and not is_shown and has_byline and is_weak:
                account = Sourced(others, candidate.source)
                continue
            if account is not None and not is_shown and others != account.value:
                if alnum_key(others[0]) == alnum_key(account.value[0]) and is_person(others[0]):
                    account = Sourced(others, candidate.source)  # the person of the account: "ann-lee" is Ann Lee
                continue
            if account is not None and candidate.source == "twitter:data" and not is_account(others[0]):
                return account  # "Written by", and a second source: a given name alone is a person's
            is_believed = is_shown and is_person(others[0])
            name = account.value[0] if account is not None else ""
            if is_person(name) and not is_account(name) and not _is_owner(source, name):
                # Then only markup says that it is the publisher.
                is_believed = is_believed and candidate.source in _MARKED_SOURCES
            if account is None or is_believed:
                return Sourced(others, candidate.source)
        # The name is the site's, or the title ends with it: the site's owner, who is the author if nobody else is.
        elif owner is None and (
            others or (people and (is_person(source.site_name or "") or (is_written and (is_shown or is_news))))
        ):
            owner = Sourced(others or people, candidate.source)
    return account or owner


def _is_owner(source: MetadataSource, name: str) -> bool:
    """Return whether the copyright notice of a page names the author that it declares: a house, or a blogger."""
    notice = find_copyright(source)
    return notice is not None and alnum_key(name) in alnum_key(notice.value)


def find_all_authors(source: MetadataSource) -> Iterator[Sourced[Names]]:
    """Yield the authors of a page, then the people whom other sources name."""
    chosen = find_authors(source)
    if chosen is not None:
        yield chosen
        yield from (candidate for candidate in _candidates(source) if candidate.value)


def _candidates(source: MetadataSource) -> Iterator[Sourced[Names]]:  # noqa: C901 (one step per source)
    """Yield the people that each source names, the most trusted source first."""
    structured, page = source.structured, source.structured.page
    page_type = source.likely_page_type
    is_authorless = page_type in _AUTHORLESS_PAGE_TYPES
    is_written = source.page_type in _WRITTEN_PAGE_TYPES  # also where another type is little probable
    for item in structured.authored_items:
        if "product" in item_types(item) or (is_authorless and not DECLARED_PAGE_TYPES.isdisjoint(item_types(item))):
            continue
        for name in ("author", "creator"):
            values = _without_organizations(item.get(name), source.site_name) or (
                as_list(item.get(name)) if not NEWS_TYPES.isdisjoint(item_types(item)) else []
            )
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
    if is_written or page_type == source.page_type:
        yield Sourced(find_people(byline_near_title(source)), "visible byline")
    yield Sourced(tuple(_editors(page) or _reporters(source)), "visible byline")
    if is_written:
        yield Sourced(find_people(author_element_near_title(source)), "visible author")
        yield Sourced(find_people(name_beside_date(source)), "visible line")
        yield Sourced(find_people(byline_below(source)), "visible byline")
        yield Sourced(find_people(author_card(source)), "visible author")


def _editors(page: Page) -> list[str]:
    """Return those whom a Chinese page names as its editors at its end: "(责编：牛镛、岳弘彬)"."""
    found = _CHINESE_BYLINE.search(page.text[-_MAX_TAIL_CHARS:])
    return [name for name in re.split(r"[、，,\s]+", found[1]) if name][:_MAX_SELECTED] if found else []


def _reporters(source: MetadataSource) -> list[str]:
    """Return those whom a Korean page names as its reporters, below its title or at its end: "김하늘 기자"."""
    page, rows = source.structured.page, source.content_rows
    if "기자" not in page.text and "특파원" not in page.text:
        return []
    ends = range(0) if rows is None else blocks_near(page, rows.stop, _BLOCKS_BEFORE_END, _BLOCKS_AFTER_END)
    for block in (*_blocks_near_title(source), *ends):
        text = block_text(page, block)
        found = _KOREAN_BYLINE.search(text) if len(text) <= _MAX_KOREAN_BYLINE else None
        names = re.split(r"\s?[·,]\s?", found[1]) if found else []
        if names and _NOT_KOREAN_NAMES.isdisjoint(names) and not page.hidden[page.blocks.start[block]]:
            return names
    return []


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
    entries = as_list(value)
    people = [entry for entry in entries if not (isinstance(entry, dict) and "organization" in item_types(entry))]
    if people:
        return people
    site_key = (site or "").casefold()
    return [entry for entry in entries if [name.casefold() for name in text_values(entry)] != [site_key]]


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
        content = page.attributes(row).get("content")
        lines = [content] if content else _name_lines(page, row)
        if lines and len(lines[0]) < 4 * MAX_NAME_CHARS:
            first = first if texts else row
            texts += lines
            parent = int(page.parent[row])
    return first, texts


def _name_lines(page: Page, row: int) -> list[str]:
    """Return the text of an element in lines: a name each where its elements are names, or a name and a job.

    Style sheets keep apart what follows without a space: "<span>Ann Lee</span><span>Head of Tea</span>".
    """
    text = inline_text(page, row)
    stop = min(int(page.end[row]), row + _MAX_BYLINE_ROWS)
    runs = [" ".join(row_start(page, k).split()) for k in range(row, stop) if page.shown[k]]
    if len(runs) < 2:  # noqa: PLR2004 (one run is the text)
        return [text] if text.strip() else []
    people = [run for run in runs if is_person(run) and not BYLINE_LABEL.match(run)]
    if people and runs[0] == people[0] and (len(people) == len(runs) or not is_person(text)) and "," not in text:
        return people
    spaced = " ".join(runs)
    is_glued = len(text) <= 4 * MAX_NAME_CHARS and text != spaced and LABEL_LINE.fullmatch(runs[0])
    return [spaced if is_glued else text]
