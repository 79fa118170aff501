"""Who wrote a post: the name in the line that says so, without what else stands there.

Such a line has a letter or a picture for a face, a name that leads to a profile, a rank, how much its owner has
written, and often the date. The name is what a class calls so, else the first link, else what comes before the date.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from tamis.html import tags
from tamis.page import Page

AUTHORS: Final = (
    "[itemprop~='author'],[rel~='author'],[class*='author' i],[class*='username' i],[class*='user-name' i],"
    "[class*='user_name' i],[class*='poster' i],[class*='nick' i],.fn,.byline,cite.fn,[class*='user-link' i]"
)
LONGEST_NAME: Final = 60  #: characters of a name
_LEAD: Final = 16  #: characters before it in its line: "Posted by", a letter for a face
_READ: Final = 2000  #: characters of a line that are read, white space counted
_ROWS: Final = 200  #: rows of a line that are looked at
_FACE: Final = 5  #: rows of a link that may say that it is a face
_LINES: Final = 20  #: lines of one post that are looked at
_A: Final = tags.IDS["a"]
_BY: Final = re.compile(
    r"^(?:(?:posted|written|commented|answered|asked) )?(?:by\b[:\s]*|(?-i:[Bb]y(?=[A-Z])))", re.IGNORECASE
)
#: "Ann says:", as WordPress has it in English, German, French, Spanish, Italian, Dutch and Portuguese.
_SAYS: Final = re.compile(r"\s+(?:says|said|wrote|sagt|dit|dice|ha detto|zegt|schreef|disse|diz)\b\s*:?.*$")
_AGO: Final = re.compile(
    r"\s*\(?\b(?:about |over |almost |edited )*(?:\d+|an?) ?(?:sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?|"
    r"months?|y(?:ea)?rs?|[smhdwy]) ago\b.*",
    re.IGNORECASE,
)
_DATE: Final = re.compile(
    r"(?:^|\s)\(?(?:on )?(?:(?:\d{1,2} )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d{1,4}\b|"
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d|\d{1,2}:\d\d).*",
    re.IGNORECASE,
)
_TWICE: Final = re.compile(r"^(.{2,}?)(?: [–—-])? \1$")  # for eyes and for machines
_ENDS: Final = " :,;·•|»-–—("


class Bylines:
    """The lines of a page that may name the author of a post, found once.

    Args:
        page: the page.
        dates: the rows of it that may be dates, in order.
        rows: those that may be authors, in order; all that `AUTHORS` finds unless they are given.
    """

    def __init__(self, page: Page, dates: list[int], rows: list[int] | None = None) -> None:
        self.page, self.dates = page, dates
        self.rows = page.select(AUTHORS) if rows is None else rows

    def author(self, start: int, stop: int) -> str | None:
        """Return the author of the post that begins after one row and ends before another.

        >>> from tamis.page import parse_page
        >>> page = parse_page('<div><p class=byline>By <a href=/u/ann>Ann</a> 2 days ago</p><p>Tea.</p></div>')
        >>> Bylines(page, []).author(0, len(page))
        'Ann'
        """
        for place in self._lines(start, stop):
            if self.page.hidden[self.rows[place]]:
                continue
            name = self._name(self._profile(self._innermost(place)))
            if name:
                return name
        return None

    def date(self, start: int, stop: int) -> str | None:
        """Return the date in the lines that name the author of a post, where no element is one.

        >>> from tamis.page import parse_page
        >>> page = parse_page('<div><p class=author>by Ann » Sun Dec 17, 2023 8:39 pm</p><p>Tea.</p></div>')
        >>> Bylines(page, []).date(0, len(page))
        'Dec 17, 2023 8:39 pm'
        """
        for place in self._lines(start, stop):
            row = self.rows[place]
            line = " ".join(self._said(row, int(self.page.end[row])).split())
            if len(line) <= 2 * LONGEST_NAME and _DATE.search(line):
                return from_date(line)
        return None

    def _lines(self, start: int, stop: int) -> Iterator[int]:
        """Give the places in `rows` of the lines of a post; what holds the next post names who wrote that."""
        first = bisect_left(self.rows, start + 1)
        last = min(bisect_left(self.rows, stop), first + _LINES)
        yield from (place for place in range(first, last) if self.page.end[self.rows[place]] <= stop)

    def _name(self, row: int) -> str | None:
        """Return the name in an element, up to the date in it."""
        stop = int(self.page.end[row])
        at = bisect_left(self.dates, row + 1)
        if at < len(self.dates) and self.dates[at] < stop and self._said(row, self.dates[at]).strip():
            stop = self.dates[at]
        return _cleaned(self._said(row, stop))

    def _said(self, row: int, stop: int) -> str:
        begin = int(self.page.offset[row])
        return self.page.text[begin : min(int(self.page.offset[stop]), begin + _READ)]

    def _leads(self, row: int, below: int) -> bool:
        """Whether little stands in a line before one of the rows in it."""
        return len(" ".join(self._said(row, below).split())) <= _LEAD

    def _innermost(self, place: int) -> int:
        """Return the innermost row that is called an author inside one that is."""
        row = self.rows[place]
        for inner in self.rows[place + 1 : place + 1 + _LINES]:
            if inner >= self.page.end[row] or not self._leads(row, inner):
                break
            if not self.page.hidden[inner] and self._name(inner):
                row = inner
        return row

    def _profile(self, row: int) -> int:
        """Return the first link in a line that is no face and no date, or the line where there is none."""
        page = self.page
        for below in range(row + 1, min(int(page.end[row]), row + _ROWS)):
            if page.tag[below] != _A or page.hidden[below]:
                continue
            if not self._leads(row, below):
                break
            if not self._is_face(below) and self._name(below):
                return below
        return row

    def _is_face(self, link: int) -> bool:
        """Whether a link is a picture of its owner, or a letter for one."""
        page = self.page
        rows = range(link, min(int(page.end[link]), link + _FACE))
        return len(page.row_text(link).strip()) == 1 or any(
            "avatar" in page.attributes(row).get("class", "").lower() for row in rows if page.is_element[row]
        )


def from_date(text: str) -> str:
    """Return a text from the date in it on, or all of it.

    >>> from_date("Ann commented May 3, 2024"), from_date("2 days ago")
    ('May 3, 2024', '2 days ago')
    """
    found = _DATE.search(text)
    return text[found.start() :].strip(" (").removeprefix("on ") if found else text


def _cleaned(text: str) -> str | None:
    """Return the name in a text, or None where there is none.

    >>> _cleaned("by Ann Lee 2 years ago"), _cleaned("Byron – Byron"), _cleaned("May 3, 2024 at 6:26 pm")
    ('Ann Lee', 'Byron', None)
    """
    name = _DATE.sub("", _AGO.sub("", _BY.sub("", " ".join(text.split()))))
    name = _SAYS.sub("", _TWICE.sub(r"\1", name)).strip(_ENDS)
    known = 0 < len(name) <= LONGEST_NAME and any(char.isalpha() for char in name) and "://" not in name
    return name if known else None
