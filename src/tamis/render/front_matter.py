"""Metadata at the head of an output (lines, front matter, HTML ``head``), and bylines of posts."""

import json
from datetime import datetime
from html import escape

from tamis.metadata.date_formats import parse_day
from tamis.metadata.fields import FIELDS, Metadata


def shown_fields(metadata: Metadata) -> dict[str, str | int | list[str]]:
    """Return the fields that have a value, in the order in which they are shown."""
    values = metadata.as_dict()
    return {field.name: values[field.name] for field in FIELDS if field.in_front_matter and values[field.name]}


def metadata_lines(metadata: Metadata) -> str:
    """Return metadata as lines of text."""
    return "\n".join(
        f"{name}: {'; '.join(value) if isinstance(value, list) else value}"
        for name, value in shown_fields(metadata).items()
    )


def front_matter(metadata: Metadata) -> str:
    r"""Return metadata as YAML front matter. Strings and lists are written as JSON, which is also YAML.

    >>> print(front_matter(Metadata(title='"Tea"', authors=("Ann",))))
    ---
    title: "\"Tea\""
    authors: ["Ann"]
    ---
    """
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in shown_fields(metadata).items()]
    return "\n".join(["---", *lines, "---"])


def html_head(metadata: Metadata) -> str:
    """Return metadata as the ``head`` of an HTML page."""
    fields = [
        ("author", "; ".join(metadata.authors)),
        ("date", metadata.date),
        ("description", metadata.description),
        ("keywords", ", ".join(metadata.tags)),
    ]
    out = ['<meta charset="utf-8">', f"<title>{escape(metadata.title or '')}</title>"]
    out += [f'<meta name="{name}" content="{escape(value)}">' for name, value in fields if value]
    url = metadata.canonical or metadata.url
    if url:
        out.append(f'<link rel="canonical" href="{escape(url)}">')
    return f"<head>{''.join(out)}</head>"


def xml_date(text: str) -> str | None:
    """Return a date, or a date and time, as XML Schema writes it; None if the text is not a date.

    >>> xml_date("2024-02-03T09:12Z"), xml_date("3 Feb 2024"), xml_date("yesterday")
    ('2024-02-03T09:12:00+00:00', '2024-02-03', None)
    """
    time = parse_datetime(text)
    return time.isoformat(timespec="seconds") if time else parse_day(text)


def display_date(text: str) -> str:
    """Return the day of an ISO date and time, and any other text unchanged. JSON has the time.

    >>> display_date("2024-02-03T09:12:41Z"), display_date("3 Feb 2024, noon")
    ('2024-02-03', '3 Feb 2024, noon')
    """
    time = parse_datetime(text)
    return time.strftime("%Y-%m-%d") if time else text


def display_votes(votes: int | None) -> str:
    """Return the votes of a post in words; nothing if they are not known."""
    return "" if votes is None else f"{votes} point{'' if abs(votes) == 1 else 's'}"


def parse_datetime(text: str) -> datetime | None:
    """Return an ISO date and time; None for any other text."""
    if text.strip()[10:11] not in {"T", " "}:  # behind a date
        return None
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return None
