"""Dates and bylines of posts, as machines and as people read them. Pages write dates in every notation."""

from datetime import datetime

from tamis.document.document import flatten
from tamis.document.parts import Post
from tamis.document.spans import plain_text
from tamis.metadata.dateparse import parse_day


def xml_date(text: str) -> str | None:
    """Return a date, or a date and time, as XML Schema writes it; None if the text is not a date.

    >>> xml_date("2024-02-03T09:12Z"), xml_date("3 Feb 2024"), xml_date("yesterday")
    ('2024-02-03T09:12:00+00:00', '2024-02-03', None)
    """
    time = _parse_datetime(text)
    return time.isoformat(timespec="seconds") if time else parse_day(text)


def display_date(text: str) -> str:
    """Return an ISO date and time as people read it, and any other text unchanged.

    >>> display_date("2024-02-03T09:12:41Z"), display_date("2024-02-03 09:12:41Z"), display_date("3 Feb 2024, noon")
    ('2024-02-03 09:12', '2024-02-03 09:12', '3 Feb 2024, noon')
    """
    time = _parse_datetime(text)
    return time.strftime("%Y-%m-%d %H:%M") if time else text


def byline(post: Post) -> str:
    """Return the author and date of a post as one line; nothing if its first part names the author already."""
    first_text = plain_text(flatten(post.parts[:1]))
    if not (post.author or post.date) or (post.author and post.author in first_text):
        return ""
    return " · ".join(value for value in (post.author, display_date(post.date or "")) if value)


def _parse_datetime(text: str) -> datetime | None:
    if text.strip()[10:11] not in {"T", " "}:  # behind a date
        return None
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return None
