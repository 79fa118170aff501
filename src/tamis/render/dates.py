"""Who wrote a post, and when, as machines and as people read it. Pages write dates in every way there is."""

from datetime import datetime

from tamis.document.document import flat
from tamis.document.parts import Post
from tamis.document.spans import plain
from tamis.metadata.dateparse import parse_day


def machine_date(text: str) -> str | None:
    """Return a date, or a date with its time, as XML Schema writes it.

    >>> machine_date("2024-02-03T09:12Z"), machine_date("3 Feb 2024"), machine_date("yesterday")
    ('2024-02-03T09:12:00+00:00', '2024-02-03', None)
    """
    found = _moment(text)
    return found.isoformat(timespec="seconds") if found else parse_day(text)


def plain_date(text: str) -> str:
    """Return a date as a person reads it; what was written for people stays as it was.

    >>> plain_date("2024-02-03T09:12:41Z"), plain_date("3 Feb 2024, noon")
    ('2024-02-03 09:12', '3 Feb 2024, noon')
    """
    found = _moment(text)
    return found.strftime("%Y-%m-%d %H:%M") if found else text


def byline(part: Post) -> str:
    """Return who wrote a post and when, as a line for people; nothing where its first lines say who."""
    shown = plain(flat(part.parts[:1]))  # many pages show it themselves
    if not (part.author or part.date) or (part.author and part.author in shown):
        return ""
    return " · ".join(value for value in (part.author, plain_date(part.date or "")) if value)


def _moment(text: str) -> datetime | None:
    if "T" not in text:
        return None
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return None
