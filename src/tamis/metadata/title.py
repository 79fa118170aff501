"""The title and the subtitle of a page, and its headings."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from tamis.html import tags
from tamis.html.text import ANCHOR_SIGNS, hostname, safe_url, split_url
from tamis.lazy import dataclass, lazy_pattern
from tamis.metadata.date_formats import parse_day
from tamis.metadata.site import (
    MIN_NAME_CHARS,
    SEPARATORS,
    alnum_key,
    attr_matches,
    blocks_near,
    clean_line,
    inline_text,
    is_placeholder,
    is_site_name,
    normalize,
    row_start,
    site_names,
    strip_counter,
    strip_placeholders,
    strip_site_name,
)
from tamis.metadata.structured import NEWS_TYPES, Sourced, item_types, text_values
from tamis.page import Page

if TYPE_CHECKING:
    from tamis.metadata.source import MetadataSource

# The headings of a page: which of them is the site's name, and where the page shows its title.

_MAX_HEADINGS: Final = 50  #: of each level
_MAX_TITLE_CHARS: Final = 200  #: of a text row that may be the title of a page without headings
_MAX_TEXT_ROWS: Final = 1000  #: rows that are compared with a declared title
_MAX_MASTHEAD_ROWS: Final = 20  #: of a heading that are searched for a link
_MAX_DATE_CHARS: Final = 30  #: of a date in a heading
_DATE_TAGS: Final = frozenset(tags.IDS[name] for name in ("small", "time", "span"))
_AFTER_DATE: Final = re.compile(r"\s[•·|].*")  #: the sections of the site, after a date in a heading
_A: Final = tags.IDS["a"]
_SEPARATOR_CHARS: Final = " |-–—:·•»›/~"
#: Classes of the short line over a headline, as newspapers of several languages call it.
_KICKER: Final = lazy_pattern(
    r"kicker|eyebrow|overline|over-?title|top-?line|roof-?line|dachzeile|spitzmarke|sur-?tit(?:le|re)|sup(?:er)?-?title|"
    r"pre-?title|antetitulo|volanta|occhiello",
    re.IGNORECASE,
)


def heading_texts(page: Page, tag: str, accept: Callable[[int], bool] = lambda _: True) -> tuple[str, ...]:
    """Return the texts of the visible headings of a level that are accepted, each once."""
    texts = (_heading_text(page, row).rstrip(ANCHOR_SIGNS + " ") for row in _shown_rows(page, tag) if accept(row))
    return tuple(dict.fromkeys(text for text in texts if not is_placeholder(text)))


def _heading_text(page: Page, row: int) -> str:
    """Return the text of a heading without a kicker before it and a line that begins with a date after it.

    Each is in an element of its own.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<h1>Guests are back<br><small>02.02.2022 • News</small></h1><h1>The year <b>2022</b></h1>"
    ...                   "<h1><span class=kicker>Opinion</span><span>Why bridges fall</span></h1>")
    >>> [_heading_text(page, row) for row in page.rows_of("h1").tolist()]
    ['Guests are back', 'The year 2022', 'Why bridges fall']
    """
    text = inline_text(page, row)
    stop = min(int(page.end[row]), row + _MAX_MASTHEAD_ROWS)
    for inside in range(row + 1, stop):
        if page.is_element[inside] and attr_matches(page, inside, _KICKER, ("class",), 1):
            kicker = inline_text(page, inside)
            rest = text.removeprefix(kicker).lstrip(_SEPARATOR_CHARS)
            if kicker and rest and text.startswith(kicker):
                text = rest
                break
    for inside in range(row + 1, stop):
        if page.tag[inside] not in _DATE_TAGS:
            continue
        line = inline_text(page, inside)
        front, date = text.removesuffix(line).rstrip(), _AFTER_DATE.sub("", line)
        if front and front != text and len(date) <= _MAX_DATE_CHARS and parse_day(date):
            return front
    return text


def _shown_rows(page: Page, tag: str) -> list[int]:
    return [row for row in page.rows_of(tag).tolist()[:_MAX_HEADINGS] if not page.hidden[row]]


def find_title_row(source: "MetadataSource") -> int | None:
    """Return the row of the page's title: a heading that shows it, else the first heading, else a line that shows it.

    Authors, dates and the subtitle stand near this row.
    """
    page = source.structured.page
    key = alnum_key(source.title.value) if source.title else ""
    rows = [
        row
        for tag in ("h1", "h2", "h3")
        for row in page.rows_of(tag).tolist()[:_MAX_HEADINGS]
        if not page.hidden[row]
    ]
    keys: list[str] = []
    for row in rows if key else ():
        keys.append(alnum_key(inline_text(page, row)))
        if keys[-1] == key:
            return int(row)
    containing = next((row for row, shown in zip(rows, keys, strict=False) if key in shown), None)
    if containing is not None:
        return int(containing)
    first = next(iter(_shown_rows(page, "h1")), None)
    if first is not None or not key:
        return first
    return next((row for row in _short_rows(page) if alnum_key(row_start(page, row)) == key), None)


def is_masthead(source: "MetadataSource", row: int) -> bool:
    """Return whether a heading is the name of the site: a link to its front page, on a page that is another."""
    page = source.structured.page
    links = [
        inner for inner in range(row, min(int(page.end[row]), row + _MAX_MASTHEAD_ROWS)) if page.tag[inner] == _A
    ]
    if not links and page.tag[page.parent[row]] == _A:
        links = [int(page.parent[row])]
    if len(links) != 1 or is_front_page(source.url) or not source.url:
        return False
    url = safe_url(page.attributes(links[0]).get("href", ""), source.base_url)
    return (
        is_front_page(url)
        and hostname(url, strip_www=True) == hostname(source.url, strip_www=True)
        and row_start(page, links[0]).strip() == row_start(page, row).strip()
    )


def is_front_page(url: str | None) -> bool:
    """Return whether a URL is that of a site's front page: it has a host, no path and no query.

    >>> is_front_page("https://example.org/"), is_front_page("https://example.org/?p=959"), is_front_page(None)
    (True, False, False)
    """
    parts = split_url(url)
    return parts is not None and bool(parts.netloc) and not parts.path.strip("/") and not parts.query


def text_keys(page: Page) -> frozenset[str]:
    """Return the keys of the short text rows at the beginning of a page."""
    return frozenset(alnum_key(row_start(page, row)) for row in _short_rows(page))


def _short_rows(page: Page) -> list[int]:
    rows: list[int] = np.flatnonzero(page.shown & (page.chars < _MAX_TITLE_CHARS)).tolist()[:_MAX_TEXT_ROWS]
    return rows


# The title and the subtitle of a page.
#
# A page has up to four declared titles (OpenGraph, ``title``, JSON-LD, Twitter) and any number of headings. Declared
# titles carry the site's name; headings carry decoration. `choose_title` takes the heading that the declared titles
# agree with, else a declared title without the site's name.

#: Items whose headline is that of the page: in words of its own, or without the kicker or the label of the heading.
_HEADLINED: Final = NEWS_TYPES | {"discussionforumposting"}
#: Page types with a headline of their own; those that sell have slogans.
_WRITTEN_PAGE_TYPES: Final = frozenset({"article", "forum", "listing"})
_MAX_HEADLINE_CHARS: Final = 90  #: search engines want at most 110, so that longer ones are cut
_SUBTITLE_SELECTOR: Final = ".subtitle,.sub-title,.subheadline,.sub-headline,.standfirst,.dek,h1 + h2,hgroup p"
_BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE = 2, 6  #: where the subtitle may be
#: What follows a separator without being the site's name: a clause in lower case, the number of a part.
_CONTINUES_TITLE: Final = lazy_pattern(
    r"(?![^.]*\.[a-z])[a-zà-öø-ÿ]+ |(?:Part|Chapter|Episode|Volume|Teil|Partie|Parte) (?:\d|[IVX]+\b)"
)


class TitleRule(NamedTuple):
    """The parameters of the choice, each the best on WCXB dev in a sweep; none has much influence.

    Attributes:
        min_similarity: the similarity to a declared title from which on a heading is the title. Above it the heading
            is the label on 2 pages of 3, below it on 1 of 5.
        min_front_words: the last part of a declared title is cut off as the site's name if at least this many words
            precede it …
        max_tail_words: … and it has at most this many.
        min_repeated_words: a declared title of at least this many words is preferred to a longer heading that
            contains it: forums put "Thread:" before it, blogs the date.
        min_heading_words: the only heading of an article is its title from this many words on, in whatever words the
            declared titles are.
    """

    min_similarity: float = 0.3
    min_front_words: int = 2
    max_tail_words: int = 5
    min_repeated_words: int = 2
    min_heading_words: int = 4


@dataclass(frozen=True, slots=True)
class TitleCandidates:
    """What may be the title of a page.

    Attributes:
        headings: its first-level headings.
        lower_headings: returns its second-level and third-level headings, which few pages need.
        declared: the titles in its structured data and its ``title`` element.
        site_names: the keys of its site's names.
        text_keys: returns the keys of its text rows, which pages without headings need.
        headline: the headline of the news article or the thread that it declares to be, or an empty string.
        page_type: its type, if it is probable.
        is_front_page: whether it is the front page of its site, whose title begins with the site's name.
    """

    headings: tuple[str, ...]
    lower_headings: Callable[[], tuple[str, ...]]
    declared: tuple[Sourced[str], ...]
    site_names: frozenset[str]
    text_keys: Callable[[], frozenset[str]] = frozenset
    headline: str = ""
    page_type: str | None = None
    is_front_page: bool = False


def find_title(source: "MetadataSource") -> Sourced[str] | None:
    """Return the title of a page: the one that the extractor selected, else the best candidate.

    >>> from tamis.metadata.source import MetadataSource
    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> html = "<title>Tea | The Kettle</title><meta property=og:site_name content='The Kettle'>"
    >>> page = parse_page(f"{html}<h1>The Kettle</h1><h1>Tea</h1>")
    >>> find_title(MetadataSource(read_structured(page)))
    Sourced(value='Tea', source='h1')
    """
    if source.selected_title:
        return Sourced(clean_line(source.selected_title), "extractor")
    return choose_title(title_candidates(source))


def find_all_titles(source: "MetadataSource") -> Iterator[Sourced[str]]:
    """Yield the title of a page, then what else it could be: its headings and its declared titles."""
    if source.title is None:
        return
    yield source.title
    candidates = title_candidates(source)
    names = candidates.site_names
    yield from (Sourced(strip_site_name(heading, names), "h1") for heading in candidates.headings)
    yield from (Sourced(strip_site_name(title.value, names), title.source) for title in candidates.declared)


def title_candidates(source: "MetadataSource") -> TitleCandidates:
    """Collect what may be the title of a page."""
    structured, page = source.structured, source.structured.page
    elements = [Sourced(row_start(page, row), "title") for row in page.rows_of("title").tolist()[:1]]
    declared = (
        structured.first_meta("og:title"),
        *elements,
        structured.first_json_ld("headline"),
        structured.first_meta("twitter:title"),
    )
    cleaned = [
        Sourced(strip_placeholders(clean_line(title.value).rstrip(ANCHOR_SIGNS + " ")), title.source)
        for title in declared
        if title is not None
    ]
    headings = heading_texts(page, "h1", lambda row: not is_masthead(source, row))
    shown = {alnum_key(heading) for heading in headings}
    cleaned = [Sourced(strip_counter(title.value, shown), title.source) for title in cleaned]
    declared_titles = tuple(title for title in cleaned if title.value)
    return TitleCandidates(
        headings=headings if headings or declared_titles else heading_texts(page, "h1"),
        lower_headings=lambda: (*heading_texts(page, "h2"), *heading_texts(page, "h3")),
        declared=declared_titles,
        site_names=site_names(source.site_name, source.url) | _surplus_of_title_element(cleaned),
        text_keys=lambda: text_keys(page),
        headline=next(
            (
                clean_line(headline)
                for item in structured.main_items[:1]
                if not _HEADLINED.isdisjoint(item_types(item))
                for headline in text_values(item.get("headline"))
            ),
            "",
        ),
        page_type=source.likely_page_type,
        is_front_page=is_front_page(source.url),
    )


def choose_title(candidates: TitleCandidates, rule: TitleRule | None = None) -> Sourced[str] | None:  # noqa: PLR0911 (one return per rule)
    """Return the title among the candidates."""
    rule = rule or TitleRule()
    names = candidates.site_names
    headings = [_before_bar(strip_site_name(heading, names), rule) for heading in candidates.headings]
    if not candidates.declared:
        return Sourced(headings[0], "h1") if headings else None
    full, short = _without_site(candidates, rule)
    headline = _before_bar(strip_site_name(candidates.headline, names), rule)
    if not headings:
        return (
            _before_section(headline, full)
            or _visible_part(full, candidates)
            or _matching_lower_heading(short, candidates)
            or short[0]
        )
    heading, similarity = _most_similar(headings, short, names)
    if headline and not alnum_key(heading).startswith(alnum_key(headline.rstrip("….")[:_MAX_HEADLINE_CHARS])):
        return Sourced(headline, "json-ld headline")
    if similarity > 0 and alnum_key(heading) in {alnum_key(title.value) for title in (*short, *full)}:
        return Sourced(heading, "h1")
    if similarity < rule.min_similarity:  # the heading is the site's name or a slogan: blogs have the title below it
        lower = _matching_lower_heading((*short, *full), candidates)
        if lower:
            return lower
    is_continued = candidates.page_type in _WRITTEN_PAGE_TYPES and len(full) > 1
    for title in full:
        if _contains_words(heading, title.value, rule.min_repeated_words) and not (
            is_continued and _continues(heading, title.value)
        ):
            return title
    if candidates.page_type == "service" and _is_agreed(short, heading):  # the heading is a slogan
        return short[0]
    return Sourced(heading, "h1") if _is_title(heading, similarity, candidates, rule) else short[0]


def _before_bar(heading: str, rule: TitleRule) -> str:
    """Return a heading without the sections, labels or search terms that follow it after a vertical bar.

    >>> _before_bar("How tea rewires brains | Opinion", TitleRule()), _before_bar("Tea | The Kettle", TitleRule())
    ('How tea rewires brains', 'Tea | The Kettle')
    """
    front = heading.partition(" | ")[0]
    return front if len(front.split()) > rule.min_front_words else heading


def _is_agreed(declared: Sequence[Sourced[str]], heading: str) -> bool:
    """Return whether several declared titles are one, of which the heading is not a part."""
    parts = {alnum_key(part) for part in SEPARATORS.split(declared[0].value)}
    is_one = len({alnum_key(title.value) for title in declared}) == 1
    return is_one and len(declared) > 1 and alnum_key(heading) not in parts


def _without_site(candidates: TitleCandidates, rule: TitleRule) -> tuple[list[Sourced[str]], list[Sourced[str]]]:
    """Return the declared titles without the site's name, and without what else may be one at their end.

    The title of a front page may begin with the name. A title that the ``title`` element has and goes on has none.
    """
    names = candidates.site_names
    page_title = next((normalize(title.value) for title in candidates.declared if title.source == "title"), "")
    full, short = [], []
    for given in candidates.declared:
        first, key = SEPARATORS.split(given.value, maxsplit=1)[0], normalize(given.value)
        begins_with_name = candidates.is_front_page and is_site_name(first, names)
        is_whole = key in page_title and len(key) < len(page_title)
        title = given.value if begins_with_name else strip_site_name(given.value, names)
        full.append(Sourced(title, given.source))
        short.append(Sourced(title if begins_with_name or is_whole else _strip_tail(title, rule), given.source))
    return full, short


def _is_title(heading: str, similarity: float, candidates: TitleCandidates, rule: TitleRule) -> bool:
    """Return whether a heading is the title though no declared title is the same."""
    if similarity >= rule.min_similarity:
        return True
    is_long = rule.min_heading_words <= len(heading.split()) and len(heading) <= _MAX_TITLE_CHARS
    is_trusted = (
        len(candidates.declared) == 1
        or (is_long and candidates.page_type in _WRITTEN_PAGE_TYPES)
        or (candidates.page_type is None and similarity > 0)
    )
    return is_trusted and len(candidates.headings) == 1 and similarity >= 0


def _most_similar(
    headings: Sequence[str], declared: Sequence[Sourced[str]], names: frozenset[str]
) -> tuple[str, float]:
    """Return the heading that is most similar to a declared title, and its similarity; the site's name comes last."""
    best, best_similarity = "", -2.0
    for heading in headings:
        similarity = max(_similarity(heading, title.value) for title in declared) - is_site_name(heading, names)
        if similarity > best_similarity:
            best, best_similarity = heading, similarity
    return best, best_similarity


def _matching_lower_heading(declared: Sequence[Sourced[str]], candidates: TitleCandidates) -> Sourced[str] | None:
    """Return the second-level or third-level heading that equals a declared title."""
    keys = {alnum_key(title.value) for title in declared}
    matching = (heading for heading in candidates.lower_headings() if alnum_key(heading) in keys)
    return next((Sourced(heading, "heading") for heading in matching), None)


def find_visible_subtitle(source: "MetadataSource") -> Sourced[str] | None:
    """Return the line below the title."""
    page, title = source.structured.page, source.title_row
    if title is None:
        return None
    near = blocks_near(page, title, _BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE)
    rows = page.select(_SUBTITLE_SELECTOR)
    for row, block in zip(rows, np.searchsorted(page.blocks.start, rows).tolist(), strict=True):
        text = inline_text(page, row) if block in near else ""  # farther away it belongs to something else
        if text and not page.hidden[row]:
            return Sourced(text, "visible")
    return None


def _before_section(headline: str, declared: Sequence[Sourced[str]]) -> Sourced[str] | None:
    """Return the headline of a news article that a declared title has before the site's section.

    >>> _before_section("Why bridges fall", [Sourced("Why bridges fall-Opinion", "title")])
    Sourced(value='Why bridges fall', source='json-ld headline')
    """
    rests = [title.value.removeprefix(headline).lstrip() for title in declared if title.value.startswith(headline)]
    if headline and any(rest.startswith(tuple(_SEPARATOR_CHARS.strip())) for rest in rests):
        return Sourced(headline, "json-ld headline")
    return None


def _visible_part(declared: Sequence[Sourced[str]], candidates: TitleCandidates) -> Sourced[str] | None:
    """Return the part of a declared title that the page shows as a line: pages without headings have bold lines."""
    for title in declared:
        parts = [part for part in SEPARATORS.split(title.value) if len(part.split()) > 1]
        if len(parts) > 1:
            keys = candidates.text_keys()
            visible = [
                part for part in parts if alnum_key(part) in keys and not is_site_name(part, candidates.site_names)
            ]
            if visible:
                return Sourced(visible[0], title.source)
    return None


def _surplus_of_title_element(declared: Sequence[Sourced[str]]) -> frozenset[str]:
    """Return the key of what ``title`` has beyond ``og:title``, which is the site's name."""
    by_source = {title.source: normalize(title.value) for title in declared}
    longer, shorter = by_source.get("title", ""), by_source.get("og:title", "")
    if not shorter or shorter not in longer:
        return frozenset()
    key = alnum_key(longer.replace(shorter, "", 1).strip(_SEPARATOR_CHARS))
    return frozenset({key} if len(key) >= MIN_NAME_CHARS else ())


def _strip_tail(title: str, rule: TitleRule) -> str:
    """Return a title without a short last part, which often is the site's name.

    >>> _strip_tail("How to brew tea - The Kettle", TitleRule())
    'How to brew tea'
    >>> _strip_tail("Black tea - a history of leaves", TitleRule())
    'Black tea - a history of leaves'
    """
    separators = list(SEPARATORS.finditer(title))
    if not separators:
        return title
    front, tail = title[: separators[-1].start()], title[separators[-1].end() :]
    is_cut = len(front.split()) >= rule.min_front_words and len(tail.split()) <= rule.max_tail_words
    return front if is_cut and not _CONTINUES_TITLE.match(tail) else title


def _contains_words(heading: str, title: str, min_words: int) -> bool:
    """Return whether a heading contains the words of a title in sequence."""
    title_words, heading_words = _words(title), _words(heading)
    return len(title_words) >= min_words and f" {' '.join(title_words)} " in f" {' '.join(heading_words)} "


def _continues(heading: str, title: str) -> bool:
    """Return whether a heading goes on where a title ends; a source in parentheses does not count.

    >>> _continues("Tea, and how to brew it", "Tea"), _continues("Tea (example.org) 87", "Tea")
    (True, False)
    """
    heading, title = normalize(heading), normalize(title)
    return heading.startswith(title) and not heading.removeprefix(title).lstrip().startswith(("(", "["))


def _similarity(first: str, second: str) -> float:
    """Return the Jaccard similarity of the words of two titles, plus 0.5 if one contains the other."""
    first_words, second_words = set(_words(first)), set(_words(second))
    jaccard = len(first_words & second_words) / max(len(first_words | second_words), 1)
    first, second = normalize(first), normalize(second)
    return jaccard + (0.5 if first in second or second in first else 0.0)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", normalize(text))


def read_title(source: "MetadataSource") -> str | None:
    """Return the title alone: most callers need no other metadata."""
    title = source.title
    return title.value if title else None


# Where the content begins with the title.

#: How far from the beginning the title may be and still stand there: after a kicker, a date or an image.
MAX_PARTS_BEFORE: Final = 5
_MAX_CHARS_BEFORE: Final = 200
#: A heading in other words is the title if one contains the other and is at least this share of it.
_MIN_TITLE_SHARE: Final = 0.5

#: A part of the beginning: its text, and its level if it is a heading, 0 for a paragraph, -1 for anything else.
Opening = tuple[str, int]


def match_title(title: str, opening: Iterable[Opening]) -> int | None:
    """Return which part of the beginning of the content is the title, or None.

    Case, white space and punctuation do not count. A heading may have more or fewer words than the title.

    >>> match_title("How to brew tea", [("News", 0), ("How to  BREW tea.", 2)])
    1
    >>> match_title("How to brew tea", [("How to brew tea at home", 1)])
    0
    >>> match_title("How to brew tea - Kettle", [("How to brew tea", 0), ("Warm the pot first.", 0)])
    0
    >>> match_title("How to brew tea", [("Warm the pot first.", 0)]) is None
    True
    """
    key, chars = alnum_key(title), 0
    for index, (text, level) in enumerate(opening):
        if index > MAX_PARTS_BEFORE or chars > _MAX_CHARS_BEFORE:
            return None
        chars += len(text)
        if level < 0 or len(text) > 4 * len(title) + _MAX_CHARS_BEFORE:
            continue
        found = alnum_key(text)
        if found == key and (key or text.strip() == title.strip()):
            return index
        short, long = sorted((found, key), key=len)
        if level > 0 and short and short in long and len(short) >= _MIN_TITLE_SHARE * len(long):
            return index
        if level == index == 0 and found and key.startswith(found) and len(found) >= _MIN_TITLE_SHARE * len(key):
            return index  # a line that is not a heading and does not name the site
    return None
