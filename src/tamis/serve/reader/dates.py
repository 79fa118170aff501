"""Dates and reading times in the language of a page. No-break spaces keep each of them on one line."""

import re
from datetime import date
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.dates import format_date as babel_date
from babel.dates import format_skeleton
from babel.units import format_unit

_ISO_DATE: Final = re.compile(r"(\d{4})-(\d\d)(?:-(\d\d))?(?!\d)")
_NO_BREAK: Final = "\u00a0"


def format_date(text: str, language: str | None) -> str:
    r"""Return an ISO date as it is written in a language; as it is, if the date or the language is not known.

    >>> format_date("2023-09-14", "en-GB"), format_date("2023-09-14", "ja"), format_date("2023-09", "fr")
    ('14\xa0September\xa02023', '2023年9月14日', 'septembre\xa02023')
    >>> format_date("2023-09-14", None), format_date("soon", "en")
    ('2023-09-14', 'soon')
    """
    match, locale = _ISO_DATE.match(text), _locale(language)
    if match is None or locale is None:
        return match[0] if match else text
    try:
        day = date(int(match[1]), int(match[2]), int(match[3] or 1))
    except ValueError:
        return match[0]
    shown = babel_date(day, "long", locale) if match[3] else format_skeleton("yMMMM", day, locale=locale)
    return shown.replace(" ", _NO_BREAK)


def format_minutes(minutes: int, language: str | None) -> str:
    r"""Return a reading time in a language.

    >>> format_minutes(3, "de"), format_minutes(3, "zh-CN")
    ('3\xa0Min.', '3分钟')
    """
    locale = _locale(language) or Locale("en")
    return format_unit(minutes, "duration-minute", "short", locale=locale).replace(" ", _NO_BREAK)


def _locale(language: str | None) -> Locale | None:
    """Return the locale of a language tag: the whole tag if it is known, else its language."""
    tag = (language or "").replace("_", "-")
    for name in (tag, tag.partition("-")[0]):
        try:
            return Locale.parse(name, sep="-")
        except (ValueError, UnknownLocaleError):
            continue
    return None
