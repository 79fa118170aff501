"""Metadata at the head of an output: lines of text, YAML front matter, an HTML ``head``, a ``teiHeader``."""

import json
from html import escape

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
