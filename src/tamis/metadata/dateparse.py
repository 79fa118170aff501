"""Days as people write them, in the order and the words of many languages, as ISO."""

import re
from datetime import date
from typing import Final

from tamis.document.detect.months import MONTHS

_ISO: Final = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)|(?<!\d)(\d{4})(\d{2})(\d{2})(?:T|$)")
_SLASHED: Final = re.compile(r"(?<!\d)(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)")
_NAMED: Final = re.compile(
    r"(?<!\w)(\d{1,2})(?:st|nd|rd|th|\.|º)?\s+(?:de\s+|of\s+)?([^\W\d_]{3,10})\.?,?\s+(?:de\s+)?(\d{4})(?!\d)"
)
_AMERICAN: Final = re.compile(r"(?<!\w)([^\W\d_]{3,10})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?!\d)")
_EUROPEAN: Final = re.compile(r"(?<!\d)(\d{1,2})[.](\d{1,2})[.](\d{4})(?!\d)")
_NUMBERED: Final = re.compile(
    r"(?<!\d)(?:(\d{1,2})/(\d{1,2})/(\d{4}|\d\d)(?![\d/])|(\d{1,2})-(\d{1,2})-(\d{4})(?!\d))"
)
_EASTERN: Final = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일]")
_EARLIEST: Final = 1990  # the web has no older pages; what looks older is something else


def parse_day(text: str, *, day_first: bool = False) -> str | None:  # noqa: C901 (one loop a way of writing)
    """Return the first day that a text names, as ISO; 3/4/2024 has the month first, as in America, or the day.

    >>> parse_day("2024-05-01T23:00:00-08:00"), parse_day("Posted May 3rd, 2021"), parse_day("3. Mai 2021")
    ('2024-05-01', '2021-05-03', '2021-05-03')
    >>> parse_day("2021年5月3日"), parse_day("soon")
    ('2021-05-03', None)
    >>> parse_day("3/4/2024"), parse_day("3/4/2024", day_first=True), parse_day("25/4/2024")
    ('2024-03-04', '2024-04-03', '2024-04-25')
    """
    for pattern in (_ISO, _SLASHED, _EASTERN):
        for found in pattern.finditer(text):
            year, month, day = [part for part in found.groups() if part][:3]
            if made := day_of(int(year), int(month), int(day)):
                return made
    for pattern, order in ((_NAMED, (2, 1, 0)), (_AMERICAN, (2, 0, 1))):
        for found in pattern.finditer(text):
            parts = found.groups()
            number = MONTHS.get(parts[order[1]].casefold())
            if number and (made := day_of(int(parts[order[0]]), number, int(parts[order[2]]))):
                return made
    for found in _EUROPEAN.finditer(text):
        if made := day_of(int(found[3]), int(found[2]), int(found[1])):
            return made
    for found in _NUMBERED.finditer(text):
        one, two, three = [part for part in found.groups() if part]
        year = int(three.rjust(4, "0").replace("00", "20", 1))
        month, day = (int(two), int(one)) if day_first else (int(one), int(two))
        if made := day_of(year, month, day) or day_of(year, day, month):
            return made
    return None


def day_of(year: int, month: int, day: int) -> str | None:
    """Return a day as ISO, or None where there is no such day, or no web page can be of it.

    >>> day_of(2024, 2, 29), day_of(2023, 2, 29), day_of(1824, 2, 28)
    ('2024-02-29', None, None)
    """
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return found.isoformat() if _EARLIEST <= year <= date.today().year + 1 else None  # noqa: DTZ011 (a bound, not a time)
