"""The day when a page was published, as ISO 8601. docs/adr/0006-dates.md says why this is not a library."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cached_property
from typing import Final

import numpy as np

from tamis.html import characters, tags
from tamis.html.text import ENGLISH_MONTHS, hostname
from tamis.metadata.date_formats import iso_day, orders, parse_day, parse_moment
from tamis.metadata.language import find_language
from tamis.metadata.site import attr_matches, block_text, blocks_near, inline_text
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import DECLARED_PAGE_TYPES, JSONObject, Sourced, item_types, meta_source
from tamis.metadata.title import is_front_page
from tamis.page.sums import prefix_sums

# Whether a page writes the day or the month first: 3/4/2024.

#: Countries that write the month first; those that write the year first have no use for the notation.
_MONTH_FIRST_REGIONS: Final = frozenset({"us", "ph", "pr", "gu", "fm", "mh", "pw", "as", "vi"})
_YEAR_FIRST_LANGUAGES: Final = frozenset({"zh", "ja", "ko", "fil", "mn", "hu", "lt"})
#: Top-level domains of two letters that are not used as countries.
_GENERIC_DOMAINS: Final = frozenset({"io", "co", "ai", "tv", "me", "fm", "ly", "gg", "to", "cc", "ws", "sh", "us"})
_COUNTRY_CHARS: Final = 2
_SAMPLE_CHARS: Final = 200_000  #: of the page's text that are searched for dates which tell the order


def writes_day_first(source: "MetadataSource") -> bool:
    """Return whether 3/4/2024 is in April: by other dates of the page, its language and its country.

    A date such as 25/4/2024 on the same page shows the order. Else the region of the declared language decides
    (en-US, en-GB), then the language, then the country of the host; English alone does not tell the country.
    """
    day_first, month_first = orders(source.structured.page.text[:_SAMPLE_CHARS])
    if day_first != month_first:
        return day_first > month_first
    declared = find_language(source)
    language, *subtags = declared.value.lower().split("-") if declared else [""]
    region = next((subtag for subtag in subtags if len(subtag) == _COUNTRY_CHARS), "")
    if region:
        return region not in _MONTH_FIRST_REGIONS and language not in _YEAR_FIRST_LANGUAGES
    if language not in {"", "en"}:
        return language not in _YEAR_FIRST_LANGUAGES
    country = hostname(source.url).rpartition(".")[2]
    return len(country) == _COUNTRY_CHARS and country not in _GENERIC_DOMAINS


# Dates that a page shows: in elements for dates, and in lines near its title.

_DATE_SELECTOR: Final = (
    "time[pubdate],[itemprop~='datePublished'],time.published,time.entry-date,.published,.entry-date,.post-date,"
    ".publish-date,.published-date,.article-date,.date-published,.posted-on,.dateline,.timestamp,time[datetime],"
    ".date,.post-meta,.article-meta,.entry-meta,[class*='publish' i],[class*='byline' i],[class*='date' i],"
    "[class*='datum' i],[class*='fecha' i],[class*='timestamp' i],[class*='timedata' i],time"
)
_MACHINE_READABLE: Final = ("datetime", "content", "title")  #: attributes with a date; hAtom has it in ``title``
_MAX_DATE_ELEMENTS: Final = 80
_MAX_DATE_ELEMENT_CHARS: Final = 300
_BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE = 6, 25  #: where a date without markup may be
#: Rows after the title; beyond, visible dates were right as often as wrong or without a label, on WCXB dev.
_MAX_ROWS_AFTER_TITLE: Final = 600
_MAX_DATE_LINE_CHARS: Final = 90  #: a longer line may be text that mentions a date
_MAX_LONG_LINE_CHARS: Final = 400  #: a longer line is text, even if it has a label before a date
#: The class of an element for the date of an update.
_UPDATE_NAME: Final = re.compile(
    r"(?:^|[\s_-])(?:updated?[-_]on|last[-_]?(?:updated?|modified)|date[-_]?modified|modified[-_]date|updated?[-_]date)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
_UPDATE_WORDS: Final = re.compile(
    r"(?<![^\W\d_])(?:updated?|modified|last\s(?:updated|edited|reviewed|changed)|reviewed|aktualisiert|geändert|"
    r"mise? à jour|modifié|actualizad[oa]|aggiornat[oa]|atualizad[oa]|bijgewerkt)\b",
    re.IGNORECASE,
)
_PUBLISH_WORDS: Final = re.compile(
    r"\b(?:published|posted|created|released?|written|veröffentlicht|erschienen|publié|publicado|pubblicato|geplaatst|"
    r"date|datum|fecha|data)\b|发布|发表|公開|投稿",
    re.IGNORECASE,
)
_MAX_ROWS_TO_EARLIER, _MAX_ROWS_TO_LATER = (
    40,
    29,
)  #: from the title to a day that is believed against the declared one
_MAX_LABEL_CHARS: Final = 60  #: before a date that are searched for such a word
_MAX_LABEL_GAP: Final = 30  #: characters between the end of a label and the end of the date in a long line
_CONTENT_LINES: Final = 8  #: lines at the beginning of the content that may name its date
_MAX_LINES: Final = 3000  #: blocks that are searched for lines with a date and little else
_MAX_LONE_DATE_CHARS: Final = 30
_DIGIT: Final = re.compile(r"\d")
#: A line that begins with its date, as in "27.1.2022 - Bei der Erinnerung …".
_STARTS_WITH_DAY: Final = re.compile(r"\W{0,3}\d{1,4}[./-]\s?\d{1,2}[./-]\s?\d{2,4}(?!\d)")
#: Parts of a page that show the dates of other pages, of comments or of events.
_OTHER_DATES: Final = re.compile(
    r"(?:^|[\s_-])(?:related|recommend\w*|carousel|comments?|popular|trending|recent|latest|ticker|"
    r"wp-caption-text|upcoming|read-?next|up-?next|also-?like|more-(?:posts|stories|articles|news))(?:$|[\s_-])",
    re.IGNORECASE,
)
#: Captions, unless they begin with their date: some sites call the line below the headline so.
_CAPTION: Final = re.compile(r"(?:^|[\s_-])(?:caption|credit)(?:$|[\s_-])", re.IGNORECASE)
_OTHER_TAGS: Final = tags.tag_mask("figure figcaption aside blockquote nav")  #: likewise by tag
_OTHER_LEVELS: Final = 8  #: ancestors of a date, itself included, that may be such a part
_OTHER_LINE_LEVELS: Final = 3  #: ancestors of a line that may be


@dataclass(frozen=True, eq=False)
class ShownDates:
    """The dates that a page shows.

    Attributes:
        source: what metadata is read from.
    """

    source: MetadataSource

    @cached_property
    def day_first(self) -> bool:
        """Whether 3/4/2024 is in April."""
        return writes_day_first(self.source)

    def parse(self, text: str) -> str | None:
        """Return the first day in a text, in the order of day and month that the page uses."""
        day = parse_day(text)
        if day is None or parse_day(text, day_first=True) == day:
            return day
        return parse_day(text, day_first=self.day_first)

    @cached_property
    def near_rows(self) -> range:
        """The rows near the title, where the page's own date stands; all rows if the page shows no title."""
        page, title = self.source.structured.page, self.source.title_row
        if title is None or not len(page.blocks):
            return range(len(page))
        block = max(int(np.searchsorted(page.blocks.start, title)) - _BLOCKS_BEFORE_TITLE, 0)
        return range(int(page.blocks.start[block]), title + _MAX_ROWS_AFTER_TITLE)

    @cached_property
    def last_near_row(self) -> int:
        """The row where the blocks near the title end."""
        page, title = self.source.structured.page, self.source.title_row
        if title is None or not len(page.blocks):
            return len(page)
        block = int(np.searchsorted(page.blocks.start, title)) + _BLOCKS_AFTER_TITLE
        return int(page.blocks.start[block]) if block < len(page.blocks) else len(page)

    @property
    def _elements(self) -> list[tuple[int, str, bool]]:
        """The row and the day of each element for dates, and whether the day is that of an update."""
        return self._elements_in(range(len(self.source.structured.page)))

    def _elements_in(self, rows: range) -> list[tuple[int, str, bool]]:
        """Return those of the elements for dates that are among some rows; each is read once."""
        known, found = self._known_elements, []
        for row in self.source.structured.page.select(_DATE_SELECTOR)[:_MAX_DATE_ELEMENTS]:
            if row in rows:
                if row not in known:
                    known[row] = self._element(row)
                element = known[row]
                found += [] if element is None else [element]
        return found

    @cached_property
    def _known_elements(self) -> dict[int, tuple[int, str, bool] | None]:
        return {}

    def _element(self, row: int) -> tuple[int, str, bool] | None:
        """Return the row and the day of an element for dates, and whether the day is that of an update."""
        page = self.source.structured.page
        attributes = page.attributes(row)
        if page.hidden[row] and not attributes.get("content"):
            return None
        text = inline_text(page, row)[:_MAX_DATE_ELEMENT_CHARS]
        machine_readable = next(filter(None, map(attributes.get, _MACHINE_READABLE)), "")
        update = _UPDATE_WORDS.search(text)
        before_update = self.parse(text[: update.start()]) if update else None
        day = before_update or self.parse(machine_readable[:_MAX_DATE_ELEMENT_CHARS]) or self._day_in_line(text)
        if not day or self._is_elsewhere(row, "", _OTHER_LEVELS):
            return None
        label = self._label(row)
        prop = attributes.get("itemprop", "").lower()
        is_named = attr_matches(page, row, _UPDATE_NAME, ("class",), 2)  # itself, or what is around it
        is_update = before_update is None and bool(update or is_named or _UPDATE_WORDS.search(label))
        is_update = "datemodified" in prop or ("datepublished" not in prop and is_update)
        return row, day, is_update and not (update is None and bool(_PUBLISH_WORDS.search(label)))

    @property
    def in_long_element(self) -> str:
        """The first day in an element for dates that has more than a line of text, or an empty string."""
        page = self.source.structured.page
        for row in page.select(_DATE_SELECTOR)[:_MAX_DATE_ELEMENTS]:
            if row in self.near_rows and not page.hidden[row]:
                day = self.parse(inline_text(page, row)[:_MAX_DATE_ELEMENT_CHARS])
                if day and not self._is_elsewhere(row, "", _OTHER_LEVELS):
                    return day
        return ""

    def _label(self, row: int) -> str:
        """Return the end of what precedes an element in its parent."""
        page, stop = self.source.structured.page, int(self.source.structured.page.offset[row])
        return page.text[max(int(page.offset[page.parent[row]]), stop - _MAX_LABEL_CHARS) : stop]

    @cached_property
    def _in_elements(self) -> tuple[str, str, str]:
        """The first day in an element near the title, the first one farther below, the only one elsewhere."""
        published = below_title = labelled = ""
        elsewhere = set()
        for row, day, is_update in self._elements:
            if row not in self.near_rows:
                elsewhere.add("" if is_update else day)
            elif is_update:
                continue
            elif row >= self.last_near_row:
                below_title = below_title or day
            else:
                published = published or day
                labelled = labelled or (day if self._says_published(row) else "")
        return labelled or published, below_title, elsewhere.pop() if len(elsewhere) == 1 else ""

    @property
    def beside_title(self) -> str:
        """The first day in an element or a line beside the title, or an empty string. Updates do not count."""
        title = self.source.title_row
        if title is None:
            return ""
        near = range(title - _MAX_ROWS_TO_EARLIER, title + _MAX_ROWS_TO_EARLIER + 1)
        starts = self.source.structured.page.blocks.start
        days = [day for _, day, is_update in self._elements_in(near) if not is_update]
        days += [day for block, day in self._near_lines if int(starts[block]) in near]
        return days[0] if days else ""

    def _is_elsewhere(self, row: int, text: str, levels: int) -> bool:
        """Tell whether a row is in a part of the page that shows other dates, or in a caption.

        A line with this text is not a caption if it begins with its date.
        """
        page, names = self.source.structured.page, ("class", "id")
        if attr_matches(page, row, _OTHER_DATES, names, levels):
            return True
        return not self.parse(text[:_MAX_LABEL_GAP]) and attr_matches(page, row, _CAPTION, names, levels)

    def _is_of_another(self, row: int) -> bool:
        """Tell whether a row is in a caption, a box beside the text or an embedded post."""
        page = self.source.structured.page
        return any(_OTHER_TAGS[page.tag[element]] for element in (row, *page.ancestors(row, _OTHER_LEVELS - 1)))

    def instead_of(self, declared: str) -> str:
        """Return the day beside the title if the page shows another one there than it declares, else an empty string.

        Systems declare when they imported a page, and some forget to declare that they wrote it anew. Dates farther
        from the title are those of teasers, captions and embedded posts. A day later is the same moment in another
        time zone; the same numbers in another order are the same day. On the pages of WCXB dev, world news and the
        dates of news and blogs where both differ by more than a day, the day within 40 rows is right on 5 of 5 pages
        if it is earlier. If it is later, it is right on 12 of 15 pages within 25 rows, and on one more within 29.
        """
        page, title = self.source.structured.page, self.source.title_row
        if title is None:
            return ""
        near = range(title - _MAX_ROWS_TO_EARLIER, title + _MAX_ROWS_TO_EARLIER + 1)
        beside = [
            (row, day)
            for row, day, is_update in self._elements_in(near)
            if not is_update and not self._is_of_another(row)
        ]
        if any(day == declared for _, day in beside):
            return ""
        for row, day in beside:
            text = inline_text(page, row)[:_MAX_DATE_ELEMENT_CHARS]
            read = {parse_day(text), parse_day(text, day_first=True), _swapped(day)}
            if declared in read or page.link[row : page.end[row]].any():
                continue
            days = (date.fromisoformat(day) - date.fromisoformat(declared)).days
            is_said = len(text) <= _MAX_DATE_LINE_CHARS and self.parse(text) == day  # and not "1 day ago"
            if days < -1 or (days > 1 and is_said and abs(row - title) <= _MAX_ROWS_TO_LATER):
                return day
        starts = [(int(page.blocks.start[block]), day) for block, day in self._near_lines]
        days_in_lines = [
            day for row, day in starts if row in near and not page.link[row] and not self._is_of_another(row)
        ]
        first = days_in_lines[0] if days_in_lines else declared
        return (
            first if first < declared and _swapped(first) != declared else ""
        )  # a day earlier: the zone of the readers

    def _says_published(self, row: int) -> bool:
        """Tell whether an element for dates says that its date is that of the publication."""
        attributes = self.source.structured.page.attributes(row)
        names = attributes.get("class", "").lower().split()
        prop = attributes.get("itemprop", "").lower()
        return "datepublished" in prop or "pubdate" in attributes or ("published" in names and "updated" not in names)

    @property
    def published(self) -> str:
        """The first day in an element for dates near the title, or an empty string. Updates do not count."""
        return self._in_elements[0]

    @property
    def below_title(self) -> str:
        """The first day in an element for dates somewhat below the title, or an empty string."""
        return self._in_elements[1]

    @property
    def only_remote(self) -> str:
        """The day in elements for dates elsewhere, if there is only one, or an empty string."""
        return self._in_elements[2]

    @cached_property
    def _near_lines(self) -> list[tuple[int, str]]:
        """The blocks near the title that name a day, and that day, for pages that have no markup for dates."""
        page = self.source.structured.page
        near = blocks_near(page, self.source.title_row or 0, _BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE)
        found = []
        for block in near:
            line = block_text(page, block)[:_MAX_LONG_LINE_CHARS]
            if page.hidden[page.blocks.start[block]]:
                continue
            if len(line) >= _MAX_DATE_LINE_CHARS and self.source.title is not None:
                line = line.removeprefix(self.source.title.value)  # a heading with the date in it
            day = None if self._is_update(line) else self._day_in_line(line)
            row = int(page.parent[page.blocks.start[block]])
            if day and not self._is_elsewhere(row, line, _OTHER_LINE_LEVELS):
                found.append((block, day))
        title = self.source.title_row or -1  # a date in the title may be what the page is about
        return sorted(found, key=lambda line: title <= page.blocks.start[line[0]] < page.end[title])

    @property
    def in_lines(self) -> str:
        """The day in the first line near the title that names one, or an empty string."""
        return self._near_lines[0][1] if self._near_lines else ""

    def _is_update(self, line: str) -> bool:
        """Tell whether a line names the day of an update and no other."""
        update = _UPDATE_WORDS.search(line)
        return update is not None and len(line) < _MAX_DATE_LINE_CHARS and self.parse(line[: update.start()]) is None

    def _day_in_line(self, line: str) -> str | None:
        """Return the day in a line: of a long one, the day that it begins with or that has a label."""
        if _DIGIT.search(line) is None:
            return None
        if len(line) < _MAX_DATE_LINE_CHARS:
            return self.parse(line)
        if _STARTS_WITH_DAY.match(line):
            return self.parse(line[:_MAX_LABEL_GAP])
        for label in _PUBLISH_WORDS.finditer(line):
            day = self.parse(line[label.end() : label.end() + _MAX_LABEL_GAP])
            day = day or self.parse(line[max(label.start() - _MAX_LABEL_GAP, 0) : label.start()])
            if day:
                return day
        return None

    @cached_property
    def in_content(self) -> str:
        """The day in one of the first lines of the content, or an empty string."""
        title = self.source.title.value if self.source.title else ""
        for line in [line for line in self.source.text.split("\n", 3 * _CONTENT_LINES) if line][:_CONTENT_LINES]:
            day = self._day_in_line(line[:_MAX_LONG_LINE_CHARS])
            if day and line != title and not self._is_update(line):
                return day
        return ""

    @cached_property
    def alone(self) -> str:
        """The day of lines that are nothing but a date, if they all have the same, or an empty string."""
        page, days = self.source.structured.page, set()
        for block in self._numbered_lines(_MAX_LABEL_CHARS):
            start, line = int(page.blocks.start[block]), block_text(page, block)
            if len(line) > _MAX_LONE_DATE_CHARS or page.link[start]:
                continue
            day = None if _UPDATE_WORDS.search(line) else self.parse(line)
            if day and not self._is_elsewhere(int(page.parent[start]), line, _OTHER_LEVELS):
                days.add(day)
        return days.pop() if len(days) == 1 else ""

    @cached_property
    def updated(self) -> str:
        """The last day that the page names as that of an update, or an empty string."""
        page, days = self.source.structured.page, [day for _, day, is_update in self._elements if is_update]
        before, label = -1, ""  # the block before, if it may be the label of a day
        for block in self._numbered_lines(_MAX_LONG_LINE_CHARS):
            if block and before != block - 1:
                label = self._label_line(block - 1)
            line = block_text(page, block)
            if _DIGIT.search(line) and (found := _UPDATE_WORDS.search(f"{label} {line}")):
                first = max(found.start() - len(label) - 1 - _MAX_LABEL_CHARS, 0)
                day = self.parse(line[first : found.end() - len(label) + _MAX_LABEL_CHARS])
                days += [day] if day else []
            before, label = block, line if len(line) <= _MAX_LABEL_GAP else ""
        return max(days, default="")

    def _numbered_lines(self, max_chars: int) -> list[int]:
        """Return the shown blocks with a digit among the first of the page, without those that are longer."""
        page = self.source.structured.page
        starts, stops = page.blocks.start[:_MAX_LINES], page.blocks.stop[:_MAX_LINES]
        digits = prefix_sums(page.char_counts.by_class[:, characters.DIGIT])
        has_digit = digits[stops] > digits[starts]
        is_line = (page.offset[stops] - page.offset[starts] <= max_chars) & (page.hidden[starts] == 0)
        return np.flatnonzero(has_digit & is_line).tolist()

    def _label_line(self, block: int) -> str:
        """Return the text of a block that may be the label of the day in the next one, else an empty string."""
        page = self.source.structured.page
        start, stop = int(page.blocks.start[block]), int(page.blocks.stop[block])
        if page.offset[stop] - page.offset[start] > _MAX_LONG_LINE_CHARS or page.hidden[start]:
            return ""
        line = block_text(page, block)
        return line if len(line) <= _MAX_LABEL_GAP else ""


def _swapped(day: str) -> str:
    """Return a day with day and month in the other order, whether it exists or not.

    >>> _swapped("2024-10-09")
    '2024-09-10'
    """
    return f"{day[:5]}{day[8:]}{day[4]}{day[5:7]}"


# The day when a page was published, as ISO 8601. docs/adr/0006-dates.md says why this is not a library.

_PUBLISHED: Final = ("datePublished", "dateCreated")
#: Names of ``meta`` elements without the signs in them, the most trusted first: "publish-date" is "publishdate".
_META_NAMES: Final = """
    articlepublishedtime ogarticlepublishedtime datepublished publishdate publisheddate publishedtime pubdate
    publicationdate publicationtime publishtime publishedat publishedon dcdateissued dctermsissued dctermscreated
    dcdatecreated dccreated datecreated citationpublicationdate citationonlinedate citationdate citationcoverdate
    parselypubdate sailthrudate cxenseparserecspublishtime cxenseparsepublishtime articlepublished
    articlepublicationdate articlepubdate articledateoriginal articleoriginaldate articlepostdate articlecreated
    articlecreatedat originalpublicationdate originalpublishdate firstpublished firstpublicationdate ogpublishedtime
    ogpubdate ogpublisheddate published posteddate postdate releasedate displaydate displaypublishdate storydate
    issuedate rnewsdatepublished btpubdate vrpublishedtime shareaholicarticlepublishedtime csepubdate mediapublished
    prismpublicationdate prismdate eprintsdate dctermsavailable dctermsdate dctermsdateaccepted dcdate
    dcdatesubmitted msdate date creationdate created createddate weiboarticlecreateat contentpublished
    contentcreatedate
"""
_META_KEYS: Final = tuple(_META_NAMES.split())
#: Names of the same meaning with the prefix of a site: "kettle:published-at".
_PUBLISHED_KEY: Final = re.compile(
    r"(?:publish(?:ed)?(?:date|time|at|on)?|publication(?:date|time)|pubdate|datepublished|uploaded|uploaddate)$"
)
_MODIFIED_NAMES: Final = (
    "article:modified_time", "og:updated_time", "datemodified", "last-modified", "dcterms.modified", "lastmod",
    "dc.date.modified", "prism.modificationdate", "article:updated_time", "updated_time", "revised",
)  # fmt: skip
_URL_DATE: Final = re.compile(r"/(20\d\d|19\d\d)[/-]?(\d{2})[/-]?(\d{2})(?=[^\d]|$)|[/-](\d{2})-(\d{2})-(20\d\d)/?$")
_URL_MONTH: Final = re.compile(rf"/(20\d\d|19\d\d)/((?:{ENGLISH_MONTHS})[a-z]*)/(\d{{1,2}})(?=/|$)", re.IGNORECASE)
_MAX_DAY: Final = 31
_MAX_DATE_CHARS: Final = 200  #: of a value that is read as a date
#: Page types that show and declare other dates than their own: of reviews, of listed pages, of the last change.
_UNDATED_PAGE_TYPES: Final = frozenset({"product", "collection", "listing", "service", "documentation"})
#: JSON-LD types whose date is that of a thing, or of the record in the site's database.
_UNDATED_ITEMS: Final = DECLARED_PAGE_TYPES | {"product", "course", "event", "book", "softwareapplication", "place"}
#: JSON-LD types whose date is that of the page even if it looks like a list, a shop or a manual.
_NEWS_ITEMS: Final = frozenset({"newsarticle", "reportagenewsarticle", "opinionnewsarticle", "blogposting", "report"})
_MIN_FRONT_PROBABILITY: Final = 0.8  #: of an article at a URL without a path, which has a date then
_MIN_ARTICLE_PROBABILITY: Final = 0.9  #: from which on the date of a ``WebPage`` is taken if nothing else is


def find_date(source: MetadataSource) -> Sourced[str] | None:  # noqa: PLR0911 (one return per source of trust)
    """Return the day when a page was published.

    In order of trust: JSON-LD of an article, ``meta`` (OpenGraph, Dublin Core …), the URL, an element for dates near
    the title, the first lines of the content, a line near the title, the only date elsewhere, JSON-LD of the page as
    such, the day of the last update. A date beside the title is believed against a declared one
    (`ShownDates.instead_of`). Front pages have no date. Pages that sell, list or document have one only if their
    JSON-LD is that of news, or, where the type is doubtful, if it stands beside the title.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> structured = read_structured(parse_page("<h1>Tea</h1><p class=date>3 May 2021</p>"))
    >>> find_date(MetadataSource(structured, "https://example.org/tea"))
    Sourced(value='2021-05-03', source='visible')
    """
    if is_front_page(source.url) and not _is_article(source, _MIN_FRONT_PROBABILITY):
        # The dates are those of the listed pages, unless one stands beside the title of what may be an article.
        beside = _shown_dates(source).beside_title if source.page_type == "article" else None
        return Sourced(beside, "visible") if beside else None
    item = next(_item_days(source, of_articles=True), None)
    if source.likely_page_type in _UNDATED_PAGE_TYPES:
        types = {name for entry in source.structured.authored_items for name in item_types(entry)}
        return None if types.isdisjoint(_NEWS_ITEMS) else item
    declared, in_url, shown = item or _from_meta(source), _from_url(source.url), _shown_dates(source)
    if declared and in_url and _days_between(declared, in_url) == 1:
        return in_url  # one moment: structured data has it in UTC, URLs in the author's time zone
    if declared:
        other = shown.instead_of(declared.value)
        return Sourced(other, "visible") if other else declared
    if source.page_type in _UNDATED_PAGE_TYPES:  # though not surely: a date beside the title is that of the page
        beside = shown.beside_title
        return in_url or (Sourced(beside, "visible") if beside else None)
    near = Sourced(shown.published, "visible") if shown.published else None
    if source.likely_page_type == "forum":
        near = _earlier(near, _from_first_post(source, shown))
    if near or in_url:
        return in_url or near
    elsewhere = shown.in_content or shown.in_lines or shown.below_title or shown.only_remote or shown.alone
    if elsewhere or shown.in_long_element:
        return Sourced(elsewhere or shown.in_long_element, "visible")
    found = _last_resort(source)
    if found is None and shown.updated and source.page_type in {"article", None}:
        found = Sourced(shown.updated, "visible update")
    return found


def find_all_dates(source: MetadataSource) -> Iterator[Sourced[str]]:
    """Yield the day when a page was published, then what else it could be, in order of trust."""
    chosen = _chosen(source)
    if chosen is None:
        return
    yield chosen
    shown = _shown_dates(source)
    yield from _item_days(source, of_articles=True)
    visible = (
        shown.published, shown.in_content, shown.in_lines, shown.below_title, shown.only_remote, shown.alone,
    )  # fmt: skip
    days = [Sourced(day, "visible") for day in visible if day]
    others = (_from_meta(source), _from_url(source.url), *days, _from_first_post(source, shown))
    yield from (other for other in others if other)
    yield from _item_days(source, of_articles=False)
    if shown.updated:
        yield Sourced(shown.updated, "visible update")


def _chosen(source: MetadataSource) -> Sourced[str] | None:
    if "date" not in source.cache:
        source.cache["date"] = find_date(source)
    found: Sourced[str] | None = source.cache["date"]
    return found


def _shown_dates(source: MetadataSource) -> ShownDates:
    if "shown dates" not in source.cache:
        own = source.with_text(source.text, source.content_rows)  # a cycle would keep the page until it is looked for
        source.cache["shown dates"] = ShownDates(own)
    shown: ShownDates = source.cache["shown dates"]
    return shown


def find_published(source: MetadataSource) -> Sourced[datetime] | None:
    """Return when a page was published: the day of `find_date`, with the time of the source that has both.

    A declared moment of the day before or after is the same one in another time zone.
    """
    chosen = _chosen(source)
    if chosen is None:
        return None
    midnight = datetime.combine(date.fromisoformat(chosen.value), time(), UTC)
    for allowed in (0, 1):
        for text in _declared_texts(source):
            moment = parse_moment(text.value[:_MAX_DATE_CHARS])
            if moment is None or abs((moment.date() - midnight.date()).days) > allowed:
                continue
            if moment.timetz() != midnight.timetz():
                return Sourced(moment, text.source)
    return Sourced(midnight, chosen.source)


def _declared_texts(source: MetadataSource) -> Iterator[Sourced[str]]:
    """Yield the texts that say when a page was published: of JSON-LD, ``meta`` and elements for dates."""
    structured, page = source.structured, source.structured.page
    for name in _PUBLISHED:
        for item in structured.authored_items:
            if isinstance(item.get(name), str):
                yield Sourced(item[name], f"json-ld {name}")
    yield from _meta_texts(source)
    for row in page.select(_DATE_SELECTOR)[:_MAX_DATE_ELEMENTS]:
        attributes = page.attributes(row)
        text = next(filter(None, map(attributes.get, _MACHINE_READABLE)), "")
        if text and row in _shown_dates(source).near_rows:
            yield Sourced(text, "visible")


def find_modified(source: MetadataSource) -> Iterator[Sourced[datetime]]:
    """Yield when a page was last changed: as JSON-LD and ``meta`` declare, as an element or a line says."""
    texts = [
        Sourced(item["dateModified"], "json-ld dateModified")
        for item in source.structured.authored_items
        if isinstance(item.get("dateModified"), str)
    ]
    texts.extend(source.structured.metas(*_MODIFIED_NAMES))
    page = source.structured.page
    for row in page.select("[itemprop~='dateModified']")[:1]:
        attributes = page.attributes(row)
        value = next(filter(None, map(attributes.get, _MACHINE_READABLE)), "") or inline_text(page, row)
        texts.append(Sourced(value, "microdata dateModified"))
    for text in _with_shown_update(texts, source):
        moment = parse_moment(text.value[:_MAX_DATE_CHARS])
        if moment:
            yield Sourced(moment, text.source)


def _with_shown_update(texts: list[Sourced[str]], source: MetadataSource) -> Iterator[Sourced[str]]:
    """Yield declared texts, then what the page shows, which is read if none of them is a date."""
    yield from texts
    if source.page_type in {"article", "documentation", None}:
        yield Sourced(_shown_dates(source).updated, "visible update")


def _item_days(source: MetadataSource, *, of_articles: bool) -> Iterator[Sourced[str]]:
    """Yield the days of the main items in JSON-LD: of articles and the like, or of pages and things."""
    for name in _PUBLISHED:
        for item in source.structured.authored_items:
            day = _day(item, name) if set(item_types(item)).isdisjoint(_UNDATED_ITEMS) is of_articles else None
            if day:
                yield Sourced(day, f"json-ld {name}")


def _day(item: JSONObject, name: str) -> str | None:
    value = item.get(name)
    return parse_day(value[:_MAX_DATE_CHARS]) if isinstance(value, str) else None


def _from_meta(source: MetadataSource) -> Sourced[str] | None:
    """Return the day in the most trusted ``meta`` element."""
    for text in _meta_texts(source):
        if day := parse_day(text.value[:_MAX_DATE_CHARS]):
            return Sourced(day, text.source)
    return None


def _meta_texts(source: MetadataSource) -> Iterator[Sourced[str]]:
    """Yield the values of ``meta`` elements for dates, the most trusted first; videos have theirs in JSON-LD."""
    by_key: dict[str, str] = {}
    for name in source.structured.meta:
        by_key.setdefault(name if name.isalnum() else "".join(filter(str.isalnum, name)), name)
    for key in _META_KEYS:
        for value in source.structured.meta[by_key[key]] if key in by_key else ():
            yield Sourced(value, meta_source(by_key[key]))
    for item in source.structured.main_items[:1]:
        if "videoobject" in item_types(item) and isinstance(item.get("uploadDate"), str):
            yield Sourced(item["uploadDate"], "json-ld uploadDate")
    for key, name in by_key.items():
        for value in source.structured.meta[name] if _PUBLISHED_KEY.search(key) else ():
            yield Sourced(value, meta_source(name))


def _is_article(source: MetadataSource, probability: float) -> bool:
    return source.page_type == "article" and (source.page_type_probability or 1) >= probability


def _last_resort(source: MetadataSource) -> Sourced[str] | None:
    """Return the day of an article that has no other: that of its record in JSON-LD."""
    if _is_article(source, _MIN_ARTICLE_PROBABILITY) or source.page_type is None:
        return next(_item_days(source, of_articles=False), None)
    return None


def _days_between(first: Sourced[str], second: Sourced[str]) -> int:
    return abs(date.fromisoformat(first.value) - date.fromisoformat(second.value)).days


def _earlier(first: Sourced[str] | None, second: Sourced[str] | None) -> Sourced[str] | None:
    return min(first, second, key=lambda day: day.value) if first and second else first or second


def _from_first_post(source: MetadataSource, shown: ShownDates) -> Sourced[str] | None:
    """Return the date of the first post: a thread is as old as it."""
    first = next(iter(source.structured.posts.values()), None)
    day = shown.parse(first.date) if first and first.date else None
    return Sourced(day, "first post") if day else None


def _from_url(url: str | None) -> Sourced[str] | None:
    named = _URL_MONTH.search(url or "")
    if named and (day := parse_day(f"{named[3]} {named[2]} {named[1]}")):
        return Sourced(day, "url")
    match = _URL_DATE.search(url or "")
    numbers = [int(part) for part in match.groups() if part] if match else []
    day = iso_day(*(numbers if numbers[0] > _MAX_DAY else reversed(numbers))) if numbers else None
    return Sourced(day, "url") if day else None
