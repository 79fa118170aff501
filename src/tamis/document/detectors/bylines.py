"""Bylines: lines that name an author, such as "Posted by Ann Lee on May 3, 2024".

The byline of a forum post also has an avatar (a picture or a single letter), a link to a profile, a rank, a number of
posts, and often the date. The name is the text of the element whose class says so, else the first link, else what
precedes the date.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from tamis.html import tags
from tamis.html.words import BYLINE_LABEL, ENGLISH_MONTHS, MAX_NAME_CHARS
from tamis.page import Page

#: Elements that may hold a byline or a name.
AUTHOR_SELECTOR: Final = (
    "[itemprop~='author'],[rel~='author'],[class*='author' i],[class*='username' i],[class*='user-name' i],"
    "[class*='user_name' i],[class*='poster' i],[class*='nick' i],.fn,.byline,cite.fn,[class*='user-link' i]"
)
_MAX_LEAD_CHARS: Final = 16  #: before the name in its line: "Posted by", an avatar's letter
_MAX_LINE_CHARS: Final = 2000  #: of a byline that are read, white space included
_MAX_LINE_ROWS: Final = 200  #: of a byline that are searched for a link
_MAX_AVATAR_ROWS: Final = 5  #: of a link that are searched for a class with "avatar"
_MAX_BYLINES: Final = 20  #: of one post that are read
_A: Final = tags.IDS["a"]
#: "Ann says:", as WordPress has it in English, German, French, Spanish, Italian, Dutch and Portuguese.
SAYS: Final = re.compile(r"\s+(?:says|said|wrote|sagt|dit|dice|ha detto|zegt|schreef|disse|diz)\b\s*:?.*$")
_RELATIVE_DATE: Final = re.compile(
    r"\s*\(?\b(?:about |over |almost |edited )*(?:\d+|an?) ?(?:sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?|"
    r"months?|y(?:ea)?rs?|[smhdwy]) ago\b.*",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    rf"(?:^|\s)\(?(?:on )?(?:(?:\d{{1,2}}(?:st|nd|rd|th|\.)? )?(?:{ENGLISH_MONTHS})[a-z]*\.? \d{{1,4}}\b|"
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d|\d{1,2}:\d\d).*",
    re.IGNORECASE,
)
_REPEATED: Final = re.compile(r"^(.{2,}?)(?: [–—-])? \1$")  # once visible, once for screen readers
_AVATAR_LETTER: Final = re.compile(r"^((\w)\S+) (?i:\2)$")  # instead of a picture, after the name
_EDGES: Final = " :,;·•|»-–—("


class Bylines:
    """The bylines of a page, selected once and searched for each post.

    Args:
        page: the page.
        date_rows: rows that may be dates, in order.
        author_rows: rows that may be bylines, in order; by default those that `AUTHOR_SELECTOR` matches.
    """

    def __init__(self, page: Page, date_rows: list[int], author_rows: list[int] | None = None) -> None:
        self.page, self.date_rows = page, date_rows
        self.author_rows = page.select(AUTHOR_SELECTOR) if author_rows is None else author_rows

    def author(self, start: int, stop: int) -> str | None:
        """Return the author named between row `start` (exclusive) and row `stop`, or None.

        >>> from tamis.page import parse_page
        >>> page = parse_page('<div><p class=byline>By <a href=/u/ann>Ann</a> 2 days ago</p><p>Tea.</p></div>')
        >>> Bylines(page, []).author(0, len(page))
        'Ann'
        """
        return next((name for name, _ in self.authors(start, stop)), None)

    def authors(self, start: int, stop: int) -> Iterator[tuple[str, int]]:
        """Yield the names between two rows, each with the row of its element."""
        for index in self._between(start, stop):
            if self.page.hidden[self.author_rows[index]]:
                continue
            row = self._profile_link(self._innermost(index))
            name = self._name(row)
            if name:
                yield name, row

    def date(self, start: int, stop: int) -> str | None:
        """Return the date written in a byline between two rows, for posts without an element for the date.

        >>> from tamis.page import parse_page
        >>> page = parse_page('<div><p class=author>by Ann » Sun Dec 17, 2023 8:39 pm</p><p>Tea.</p></div>')
        >>> Bylines(page, []).date(0, len(page))
        'Dec 17, 2023 8:39 pm'
        """
        for index in self._between(start, stop):
            row = self.author_rows[index]
            line = " ".join(self._text(row, int(self.page.end[row])).split())
            if len(line) <= 2 * MAX_NAME_CHARS and _DATE.search(line):
                return from_date(line)
        return None

    def _between(self, start: int, stop: int) -> Iterator[int]:
        """Yield the indices into `author_rows` of elements that end before `stop`: others hold the next post."""
        first = bisect_left(self.author_rows, start + 1)
        last = min(bisect_left(self.author_rows, stop), first + _MAX_BYLINES)
        yield from (index for index in range(first, last) if self.page.end[self.author_rows[index]] <= stop)

    def _name(self, row: int) -> str | None:
        """Return the name in an element, up to the date in it."""
        stop = int(self.page.end[row])
        index = bisect_left(self.date_rows, row + 1)
        if index < len(self.date_rows) and self.date_rows[index] < stop:
            before_date = self._text(row, self.date_rows[index])
            if before_date.strip():
                return clean_name(before_date)
        return clean_name(self._text(row, stop))

    def _text(self, row: int, stop: int) -> str:
        begin = int(self.page.offset[row])
        return self.page.text[begin : min(int(self.page.offset[stop]), begin + _MAX_LINE_CHARS)]

    def _is_near_start(self, row: int, inner: int) -> bool:
        """Return whether at most `_MAX_LEAD_CHARS` precede an inner row in its line."""
        return len(" ".join(self._text(row, inner).split())) <= _MAX_LEAD_CHARS

    def _innermost(self, index: int) -> int:
        """Return the innermost author element with a name that begins a byline, or the byline itself."""
        row = self.author_rows[index]
        for inner in self.author_rows[index + 1 : index + 1 + _MAX_BYLINES]:
            if inner >= self.page.end[row] or not self._is_near_start(row, inner):
                break
            if not self.page.hidden[inner] and self._name(inner):
                row = inner
        return row

    def _profile_link(self, row: int) -> int:
        """Return the first link in a byline that is neither an avatar nor a date, or the byline itself."""
        page = self.page
        for inner in range(row + 1, min(int(page.end[row]), row + _MAX_LINE_ROWS)):
            if page.tag[inner] != _A or page.hidden[inner]:
                continue
            if not self._is_near_start(row, inner):
                break
            if not self._is_avatar(inner) and self._name(inner):
                return inner
        return row

    def _is_avatar(self, link: int) -> bool:
        """Return whether a link shows a picture of the author or a single letter."""
        page = self.page
        rows = range(link, min(int(page.end[link]), link + _MAX_AVATAR_ROWS))
        return len(page.row_text(link).strip()) == 1 or any(
            "avatar" in page.attributes(row).get("class", "").lower() for row in rows if page.is_element[row]
        )


def from_date(text: str) -> str:
    """Return a text from its first date on, or all of it if it has none.

    >>> from_date("Ann commented May 3, 2024"), from_date("2 days ago")
    ('May 3, 2024', '2 days ago')
    """
    date = _DATE.search(text)
    return text[date.start() :].strip(" (").removeprefix("on ") if date else text


def clean_name(text: str) -> str | None:
    """Return the name in a byline, or None if it has none.

    >>> clean_name("by Ann Lee 2 years ago"), clean_name("Byron – Byron"), clean_name("May 3, 2024 at 6:26 pm")
    ('Ann Lee', 'Byron', None)
    >>> clean_name("byron55 B")
    'byron55'
    """
    name = _DATE.sub("", _RELATIVE_DATE.sub("", BYLINE_LABEL.sub("", " ".join(text.split()))))
    name = _AVATAR_LETTER.sub(r"\1", SAYS.sub("", _REPEATED.sub(r"\1", name)).strip(_EDGES))
    is_name = 0 < len(name) <= MAX_NAME_CHARS and any(char.isalpha() for char in name) and "://" not in name
    return name if is_name else None
