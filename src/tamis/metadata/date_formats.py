"""Dates in text, as ISO 8601 days. docs/adr/0006-dates.md says why this is not a library."""

import re
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, timezone
from typing import Final

from tamis.html.text import MONTHS
from tamis.lazy import lazy_pattern

_YEAR_FIRST: Final = (
    lazy_pattern(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)|(?<!\d)(\d{4})(\d{2})(\d{2})(?:T|$)"),
    lazy_pattern(r"(?<!\d)(\d{4})(?:/|\.\s?)(\d{1,2})(?:/|\.\s?)(\d{1,2})(?!\d)"),
    lazy_pattern(r"(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]"),
)
_MONTH: Final = r"([^\W\d_]{3,12})"
#: "3rd of May, 2021", "3. Mai 2021", "3 de mayo de 2021", "03-May-2021"
_DAY_MONTH_YEAR: Final = lazy_pattern(
    r"(?<!\w)(\d{1,2})(?:st|nd|rd|th|er|\.|º)?(?:\s|-|/)\s?(?:de |of )?"
    rf"{_MONTH}\.?,?(?:\s|-|/)\s?(?:del? )?(\d{{4}})(?!\d)"
)
#: "May 3rd, 2021"
_MONTH_DAY_YEAR: Final = lazy_pattern(rf"(?<!\w){_MONTH}\.?\s\s?(\d{{1,2}})(?:st|nd|rd|th)?,?\s\s?(\d{{4}})(?!\d)")
#: "2021 May 3", "2021. május 3."
_YEAR_MONTH_DAY: Final = lazy_pattern(rf"(?<!\d)(\d{{4}})[.,]?\s{_MONTH}\.?\s(\d{{1,2}})(?!\d)")
#: "3-May-21", "3 May '21", "May 3, '21": a year of two digits after a sign, to tell it from an hour.
_SHORT_YEAR: Final = (
    (lazy_pattern(rf"(?<!\w)(\d{{1,2}})(?:-{_MONTH}-|\s{_MONTH},?\s['’])(\d\d)(?![\d:])"), False),
    (lazy_pattern(rf"(?<!\w){_MONTH}\.?\s(\d{{1,2}}),?\s['’](\d\d)(?![\d:])"), True),
)
_DIGIT: Final = lazy_pattern(r"\d")
#: "3.5.2021", "3. 5. 21", "03 | 05 | 2021"
_DOTTED: Final = lazy_pattern(
    r"(?<![\d.])(\d{1,2})[.]\s?(\d{1,2})[.]\s?(\d{4}|\d\d)(?!\.?\d|%)|(?<!\d)(\d\d) ?\| ?(\d\d) ?\| ?(\d{4})(?!\d)"
)
#: "3/4/2024", "3/4/24", "3-4-2024": the order of day and month depends on the country.
_AMBIGUOUS: Final = lazy_pattern(
    r"(?<![\d/])(\d{1,2})\s?/\s?(\d{1,2})\s?/\s?(\d{4}|\d\d)(?![\d/])|(?<![\d-])(\d{1,2})-(\d{1,2})-(\d{4}|\d\d)(?![\d-])"
)
_MONTHS_OF_A_YEAR: Final = 12
_EARLIEST_YEAR: Final = 1990  #: no web page is older; an earlier date is about something else
#: A later date is about something else. With today's date as the bound, the answer would depend on the day; on the
#: dates and WCXB corpora both bounds find the same days.
_LATEST_YEAR: Final = 2039


def parse_day(text: str, *, day_first: bool = False) -> str | None:
    """Return the first day in a text as ISO 8601, or None. 3/4/2024 is in March, or in April if `day_first`.

    >>> parse_day("2024-05-01T23:00:00-08:00"), parse_day("Posted May 3rd, 2021"), parse_day("3. Mai 2021")
    ('2024-05-01', '2021-05-03', '2021-05-03')
    >>> parse_day("2021年5月3日"), parse_day("2021. 5. 3."), parse_day("soon")
    ('2021-05-03', '2021-05-03', None)
    >>> parse_day("2021 May 3"), parse_day("3-May-21"), parse_day("03.05.21")
    ('2021-05-03', '2021-05-03', '2021-05-03')
    >>> parse_day("4. 2. 2022."), parse_day("26 | 01 | 2022")
    ('2022-02-04', '2022-01-26')
    >>> parse_day("3/4/2024"), parse_day("3/4/2024", day_first=True), parse_day("25/4/2024")
    ('2024-03-04', '2024-04-03', '2024-04-25')
    """
    if _DIGIT.search(text) is None:  # one search instead of one for each notation
        return None
    days = (iso_day(*numbers) for numbers in _candidates(text, day_first=day_first))
    return next((day for day in days if day), None)


def _candidates(text: str, *, day_first: bool) -> Iterator[tuple[int, int, int]]:
    """Yield what may be a year, a month and a day, the least ambiguous notation first."""
    for pattern in _YEAR_FIRST:
        for match in pattern.finditer(text):
            year, month, day = [int(part) for part in match.groups() if part]
            yield year, month, day
    for match in _DAY_MONTH_YEAR.finditer(text):
        yield int(match[3]), MONTHS.get(match[2].casefold(), 0), int(match[1])
    for match in _MONTH_DAY_YEAR.finditer(text):
        yield int(match[3]), MONTHS.get(match[1].casefold(), 0), int(match[2])
    for match in _YEAR_MONTH_DAY.finditer(text):
        yield int(match[1]), MONTHS.get(match[2].casefold(), 0), int(match[3])
    for pattern, is_month_first in _SHORT_YEAR:
        for match in pattern.finditer(text):
            first, second, short = [part for part in match.groups() if part]
            name, number = (first, second) if is_month_first else (second, first)
            yield _full_year(int(short)), MONTHS.get(name.casefold(), 0), int(number)
    for match in _DOTTED.finditer(text):
        day, month, year = [int(part) for part in match.groups() if part]
        yield _full_year(year), month, day
    for match in _AMBIGUOUS.finditer(text):
        first_number, second_number, short_year = [int(part) for part in match.groups() if part]
        year_number = _full_year(short_year)
        month, day = (second_number, first_number) if day_first else (first_number, second_number)
        yield year_number, month, day
        yield year_number, day, month


def _full_year(year: int) -> int:
    """Return the year that is meant by two digits: 24 is 2024, 97 is 1997."""
    if year >= 100:  # noqa: PLR2004 (four digits)
        return year
    return year + (1900 if year >= _EARLIEST_YEAR % 100 else 2000)


def orders(text: str) -> tuple[int, int]:
    """Return how many of the dates in a text can only have the day first, and how many only the month.

    >>> orders("25/4/2024, 13/5/2024, 5/31/2024, 3/4/2024")
    (2, 1)
    """
    day_first = month_first = 0
    for match in _AMBIGUOUS.finditer(text):
        first, second, _ = [int(part) for part in match.groups() if part]
        day_first += first > _MONTHS_OF_A_YEAR >= second
        month_first += second > _MONTHS_OF_A_YEAR >= first
    return day_first, month_first


def iso_day(year: int, month: int, day: int) -> str | None:
    """Return a day as ISO 8601, or None if it does not exist or no web page can be of that year.

    >>> iso_day(2024, 2, 29), iso_day(2023, 2, 29), iso_day(1824, 2, 28)
    ('2024-02-29', None, None)
    """
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return found.isoformat() if _EARLIEST_YEAR <= year <= _LATEST_YEAR else None


# Moments: a day with a time and a zone.

#: A time after a day, with or without a zone: "T10:00:00.000+02:00", " 10:00 PM UTC", ", 10:00".
_TIME: Final = lazy_pattern(
    r"(?:T|\s|,\s?|\sat\s)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s?([ap]\.?m\.?)?"
    r"\s?(Z\b|UTC\b|GMT\b|[+-]\d\d:?\d\d\b|[+-]\d\d\b)?",
    re.IGNORECASE,
)
_HOURS_OF_HALF: Final = 12
_MINUTES_OF_A_DAY: Final = 24 * 60


def parse_moment(text: str) -> datetime | None:
    """Return the first day in a text as an aware datetime, with the time and the zone that follow it.

    A time without a zone counts as UTC, a day without a time as its midnight in UTC.

    >>> parse_moment("2024-05-01T23:00:00-08:00").isoformat(), parse_moment("May 3, 2021 9:05 PM").isoformat()
    ('2024-05-01T23:00:00-08:00', '2021-05-03T21:05:00+00:00')
    >>> parse_moment("Wed, 01 May 2024 10:00:00 +0200").isoformat(), parse_moment("2021-05-03").isoformat()
    ('2024-05-01T10:00:00+02:00', '2021-05-03T00:00:00+00:00')
    """
    day = parse_day(text)
    if day is None:
        return None
    found = _TIME.search(text)
    clock, minutes = (_clock(found) if found else time()), 0
    if found and (offset := re.fullmatch(r"([+-])(\d\d):?(\d\d)?", found[5] or "")):
        minutes = int(offset[1] + "1") * (int(offset[2]) * 60 + int(offset[3] or 0)) % _MINUTES_OF_A_DAY
        minutes -= _MINUTES_OF_A_DAY if offset[1] == "-" and minutes else 0
    return datetime.combine(date.fromisoformat(day), clock or time(), timezone(timedelta(minutes=minutes)))


def _clock(found: re.Match[str]) -> time | None:
    hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
    if found[4] and hour <= _HOURS_OF_HALF:
        hour = hour % _HOURS_OF_HALF + (_HOURS_OF_HALF if found[4][0] in "pP" else 0)
    try:
        return time(hour, minute, second)
    except ValueError:
        return None


def moment_text(moment: datetime) -> str:
    """Return a moment as ISO 8601; midnight in UTC stands for a day whose time is not known.

    >>> moment_text(parse_moment("2024-05-01T23:00:00Z")), moment_text(parse_moment("2024-05-01"))
    ('2024-05-01T23:00:00+00:00', '2024-05-01')
    """
    is_day = moment.time() == time() and moment.utcoffset() == timedelta()
    return moment.date().isoformat() if is_day else moment.isoformat(timespec="seconds")
