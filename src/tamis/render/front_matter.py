"""What is known about a page at the head of an output: lines, front matter, ``head``, ``teiHeader``."""

import json
from html import escape
from typing import Final

from tamis.metadata.record import Metadata
from tamis.render.xml_spans import clean, given

_NAMES: Final = """
    title subtitle authors date modified site description language tags categories license image canonical url page_type
    agency location copyright
"""
_SHOWN: Final = tuple(_NAMES.split())


def facts(known: Metadata) -> dict[str, str | list[str]]:
    """Return what is known, without what is not."""
    values = known.as_dict()
    return {name: values[name] for name in _SHOWN if values[name]}


def front_text(known: Metadata) -> str:
    """Return what is known as lines of text."""
    return "\n".join(
        f"{name}: {'; '.join(value) if isinstance(value, list) else value}" for name, value in facts(known).items()
    )


def front_matter(known: Metadata) -> str:
    r"""Return what is known as YAML front matter. JSON's strings and lists are YAML's.

    >>> print(front_matter(Metadata(title='"Tea"', authors=("Ann",))))
    ---
    title: "\"Tea\""
    authors: ["Ann"]
    ---
    """
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in facts(known).items()]
    return "\n".join(["---", *lines, "---"])


def head_html(known: Metadata) -> str:
    """Return what is known as the head of a page."""
    metas = [("author", "; ".join(known.authors)), ("date", known.date), ("description", known.description)]
    metas.append(("keywords", ", ".join(known.tags)))
    out = ['<meta charset="utf-8">', f"<title>{escape(known.title or '')}</title>"]
    out += [f'<meta name="{name}" content="{escape(value)}">' for name, value in metas if value]
    if known.canonical or known.url:
        out.append(f'<link rel="canonical" href="{escape(known.canonical or known.url or "")}">')
    return f"<head>{''.join(out)}</head>"


def header_tei(known: Metadata) -> str:
    """Return what is known as a ``teiHeader``."""
    authors = "".join(f"<author>{clean(name)}</author>" for name in known.authors)
    title = f"<title>{clean(known.title or 'Untitled')}</title>"
    published = (
        f"<publisher>{clean(known.site)}</publisher>" if known.site else "<p>A page of the World Wide Web.</p>"
    )
    if known.site and known.license:
        published += f"<availability><licence>{clean(known.license)}</licence></availability>"
    if known.site and known.date:
        published += f"<date{given(when=known.date)}>{clean(known.date)}</date>"
    address = known.canonical or known.url
    source = f"<ref{given(target=address)}>{clean(address)}</ref>" if address else "A web page."
    language = known.language or known.detected_language
    profile = ""
    if known.description:
        profile += f"<abstract><p>{clean(known.description)}</p></abstract>"
    if language:
        profile += f"<langUsage><language{given(ident=language)}>{clean(language)}</language></langUsage>"
    if known.tags:
        terms = "".join(f"<term>{clean(tag)}</term>" for tag in known.tags)
        profile += f"<textClass><keywords>{terms}</keywords></textClass>"
    return (
        f"<teiHeader><fileDesc><titleStmt>{title}{authors}</titleStmt>"
        f"<publicationStmt>{published}</publicationStmt><sourceDesc><p>{source}</p></sourceDesc></fileDesc>"
        + (f"<profileDesc>{profile}</profileDesc>" if profile else "")
        + "</teiHeader>"
    )
