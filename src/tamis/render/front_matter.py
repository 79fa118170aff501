"""Metadata at the head of an output (lines, front matter, HTML ``head``, ``teiHeader``), and bylines of posts."""

import json
from datetime import datetime
from html import escape

from tamis.document.document import flatten
from tamis.document.parts import Post, spans_text
from tamis.metadata.date_formats import parse_day
from tamis.metadata.fields import FIELDS, Metadata
from tamis.render.xml_spans import attributes, escape_xml


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


def tei_header(metadata: Metadata) -> str:
    """Return metadata as a ``teiHeader``."""
    title = f"<title>{escape_xml(metadata.title or 'Untitled')}</title>"
    authors = "".join(f"<author>{escape_xml(name)}</author>" for name in metadata.authors)
    profile = _tei_profile(metadata)
    return (
        f"<teiHeader><fileDesc><titleStmt>{title}{authors}</titleStmt>"
        f"<publicationStmt>{_tei_publication(metadata)}</publicationStmt>"
        f"<sourceDesc><p>{_tei_source(metadata)}</p></sourceDesc></fileDesc>"
        + (f"<profileDesc>{profile}</profileDesc>" if profile else "")
        + "</teiHeader>"
    )


def _tei_publication(metadata: Metadata) -> str:
    if not metadata.site:
        return "<p>A page of the World Wide Web.</p>"
    out = f"<publisher>{escape_xml(metadata.site)}</publisher>"
    if metadata.license:
        out += f"<availability><licence>{escape_xml(metadata.license)}</licence></availability>"
    if metadata.date:
        out += f"<date{attributes(when=metadata.date)}>{escape_xml(metadata.date)}</date>"
    return out


def _tei_source(metadata: Metadata) -> str:
    url = metadata.canonical or metadata.url
    return f"<ref{attributes(target=url)}>{escape_xml(url)}</ref>" if url else "A web page."


def _tei_profile(metadata: Metadata) -> str:
    out = ""
    if metadata.description:
        out += f"<abstract><p>{escape_xml(metadata.description)}</p></abstract>"
    language = metadata.language or metadata.detected_language
    if language:
        out += f"<langUsage><language{attributes(ident=language)}>{escape_xml(language)}</language></langUsage>"
    if metadata.tags:
        terms = "".join(f"<term>{escape_xml(tag)}</term>" for tag in metadata.tags)
        out += f"<textClass><keywords>{terms}</keywords></textClass>"
    return out


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
    first_text = spans_text(flatten(post.parts[:1]))
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
