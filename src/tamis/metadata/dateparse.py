"""Dates in text, as ISO 8601 days. docs/adr/0006-dates.md says why this is not a library."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Final

from tamis.document.detect.months import MONTHS

_YEAR_FIRST: Final = (
    re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)|(?<!\d)(\d{4})(\d{2})(\d{2})(?:T|$)"),
    re.compile(r"(?<!\d)(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)"),
    re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]"),
)
#: "3rd of May, 2021", "3. Mai 2021", "3 de mayo de 2021"
_DAY_MONTH_YEAR: Final = re.compile(
    r"(?<!\w)(\d{1,2})(?:st|nd|rd|th|\.|º)?\s+(?:de\s+|of\s+)?([^\W\d_]{3,10})\.?,?\s+(?:de\s+)?(\d{4})(?!\d)"
)
#: "May 3rd, 2021"
_MONTH_DAY_YEAR: Final = re.compile(r"(?<!\w)([^\W\d_]{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)")
_DOTTED: Final = re.compile(r"(?<!\d)(\d{1,2})[.](\d{1,2})[.](\d{4})(?!\d)")
#: "3/4/2024", "3/4/24", "3-4-2024": the order of day and month depends on the country.
_AMBIGUOUS: Final = re.compile(
    r"(?<!\d)(?:(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)(?![\d/])|(\d{1,2})-(\d{1,2})-(\d{4})(?!\d))"
)
_EARLIEST_YEAR: Final = 1990  #: no web page is older; an earlier date is about something else


def parse_day(text: str, *, day_first: bool = False) -> str | None:
    """Return the first day in a text as ISO 8601, or None. 3/4/2024 is in March, or in April if `day_first`.

    >>> parse_day("2024-05-01T23:00:00-08:00"), parse_day("Posted May 3rd, 2021"), parse_day("3. Mai 2021")
    ('2024-05-01', '2021-05-03', '2021-05-03')
    >>> parse_day("2021年5月3日"), parse_day("soon")
    ('2021-05-03', None)
    >>> parse_day("3/4/2024"), parse_day("3/4/2024", day_first=True), parse_day("25/4/2024")
    ('2024-03-04', '2024-04-03', '2024-04-25')
    """
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
    for match in _DOTTED.finditer(text):
        yield int(match[3]), int(match[2]), int(match[1])
    for match in _AMBIGUOUS.finditer(text):
        first, second, year = [int(part) for part in match.groups() if part]
        year += 2000 if year < 100 else 0  # noqa: PLR2004 (a year of two digits)
        month, day = (second, first) if day_first else (first, second)
        yield year, month, day
        yield year, day, month


def iso_day(year: int, month: int, day: int) -> str | None:
    """Return a day as ISO 8601, or None if it does not exist or no web page can be of that year.

    >>> iso_day(2024, 2, 29), iso_day(2023, 2, 29), iso_day(1824, 2, 28)
    ('2024-02-29', None, None)
    """
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    latest_year = date.today().year + 1  # noqa: DTZ011 (a bound, not a time)
    return found.isoformat() if _EARLIEST_YEAR <= year <= latest_year else None
