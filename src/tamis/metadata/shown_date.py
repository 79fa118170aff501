"""Dates that a page shows: in elements for dates, and in lines near its title."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from tamis.document.detect.attr_matches import attr_matches
from tamis.metadata.date_order import writes_day_first
from tamis.metadata.dateparse import parse_day
from tamis.metadata.inline_text import block_text, blocks_near, inline_text
from tamis.metadata.source import MetadataSource

_DATE_SELECTOR: Final = (
    "time[pubdate],[itemprop~='datePublished'],time.published,time.entry-date,.published,.entry-date,.post-date,"
    ".publish-date,.published-date,.article-date,.date-published,.posted-on,.dateline,.timestamp,time[datetime],"
    ".date,.post-meta,.article-meta,.entry-meta,[class*='publish' i],[class*='byline' i],[class*='date' i],time"
)
_MAX_DATE_ELEMENTS: Final = 80
_MAX_DATE_ELEMENT_CHARS: Final = 300
_BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE = 6, 25  #: where a date without markup may be
#: Rows after the title; beyond, visible dates were right as often as wrong or without a label, on WCXB dev.
_MAX_ROWS_AFTER_TITLE: Final = 600
_MAX_DATE_LINE_CHARS: Final = 90  #: a longer line may be text that mentions a date
_MAX_LONG_LINE_CHARS: Final = 400  #: a longer line is text, even if it has a label before a date
_UPDATE_WORDS: Final = re.compile(
    r"\b(?:updated?|modified|last\s(?:updated|edited|reviewed|changed)|reviewed|aktualisiert|geändert|mise? à jour|"
    r"modifié|actualizad[oa]|aggiornat[oa]|atualizad[oa]|bijgewerkt)\b",
    re.IGNORECASE,
)
_PUBLISH_WORDS: Final = re.compile(
    r"\b(?:published|posted|created|released?|written|veröffentlicht|erschienen|publié|publicado|pubblicato|geplaatst|"
    r"date|datum|fecha|data)\b|发布|发表|公開|投稿",
    re.IGNORECASE,
)
_MAX_LABEL_CHARS: Final = 60  #: before a date that are searched for such a word
_MAX_LABEL_GAP: Final = 30  #: characters between the end of a label and the end of the date in a long line
#: Parts of a page that show the dates of other pages, of comments or of events.
_OTHER_DATES: Final = re.compile(
    r"(?:^|[\s_-])(?:related|recommend\w*|carousel|comments?|popular|trending|recent|latest|ticker|"
    r"upcoming|read-?next|up-?next|also-?like|more-(?:posts|stories|articles|news))(?:$|[\s_-])",
    re.IGNORECASE,
)
_OTHER_LEVELS: Final = 8  #: ancestors of a date, itself included, that may be such a part


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

    def _elements(self) -> Iterator[tuple[int, str, bool]]:
        """Yield the row and the day of each element for dates, and whether the day is that of an update."""
        page = self.source.structured.page
        for row in page.select(_DATE_SELECTOR)[:_MAX_DATE_ELEMENTS]:
            attributes = page.attributes(row)
            if page.hidden[row] and not attributes.get("content"):
                continue
            text = inline_text(page, row)[:_MAX_DATE_ELEMENT_CHARS]
            machine_readable = attributes.get("datetime") or attributes.get("content") or ""
            update = _UPDATE_WORDS.search(text)
            before_update = self.parse(text[: update.start()]) if update else None
            day = before_update or self.parse(machine_readable[:_MAX_DATE_ELEMENT_CHARS]) or self.parse(text)
            if day and not attr_matches(page, row, _OTHER_DATES, ("class", "id"), _OTHER_LEVELS):
                label = self._label(row)
                is_update = before_update is None and bool(update or _UPDATE_WORDS.search(label))
                yield row, day, is_update and not (update is None and _PUBLISH_WORDS.search(label))

    def _label(self, row: int) -> str:
        """Return the end of what precedes an element in its parent."""
        page, stop = self.source.structured.page, int(self.source.structured.page.offset[row])
        return page.text[max(int(page.offset[page.parent[row]]), stop - _MAX_LABEL_CHARS) : stop]

    @cached_property
    def _in_elements(self) -> tuple[str, str, str]:
        """The first day in an element near the title, the first one farther below, the only one elsewhere."""
        published = far = ""
        elsewhere = set()
        for row, day, is_update in self._elements():
            if row not in self.near_rows:
                elsewhere.add("" if is_update else day)
            elif is_update:
                continue
            elif row >= self.last_near_row:
                far = far or day
            else:
                published = published or day
        return published, far, elsewhere.pop() if len(elsewhere) == 1 else ""

    @property
    def published(self) -> str:
        """The first day in an element for dates near the title, or an empty string. Updates do not count."""
        return self._in_elements[0]

    @property
    def far(self) -> str:
        """The first day in an element for dates somewhat below the title, or an empty string."""
        return self._in_elements[1]

    @property
    def only_elsewhere(self) -> str:
        """The day in elements for dates elsewhere, if there is only one, or an empty string."""
        return self._in_elements[2]

    @cached_property
    def in_lines(self) -> str:
        """The day in a line near the title, for pages that have no markup for dates."""
        page = self.source.structured.page
        near = blocks_near(page, self.source.title_row or 0, _BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE)
        for block in near:
            line = block_text(page, block)[:_MAX_LONG_LINE_CHARS]
            if page.hidden[page.blocks.start[block]] or not any(char.isdigit() for char in line):
                continue
            day = self.parse(line) if len(line) < _MAX_DATE_LINE_CHARS else self._labelled_day(line)
            if day:
                return day
        return ""

    def _labelled_day(self, line: str) -> str | None:
        """Return the day that follows a label in a long line: "… | Published 3 May 2021 | …"."""
        for label in _PUBLISH_WORDS.finditer(line):
            day = self.parse(line[label.end() : label.end() + _MAX_LABEL_GAP])
            if day:
                return day
        return None
