"""The reader: an extraction as a page that is pleasant to read, suited to the client, without a script."""

import re
from html import escape
from typing import TYPE_CHECKING, Final

from tamis.document.document import Document
from tamis.document.parts import Figure, Heading
from tamis.document.spans import plain_text
from tamis.html.urls import hostname
from tamis.metadata.reading import reading_minutes
from tamis.render.html import render_html
from tamis.render.options import RenderOptions
from tamis.serve.abstract import LONG_READ_MINUTES, make_abstract
from tamis.serve.display_settings import compact_controls, setting_controls
from tamis.serve.images import replace_parts, take_lead
from tamis.serve.index_pages import LinkGroup, grouped_links, is_index_page
from tamis.serve.jobs import ReaderPrefs
from tamis.serve.pages import content_security_policy, style, template
from tamis.serve.sanitize import sanitize

if TYPE_CHECKING:
    from tamis.api import Extraction

#: The time of a post may have seconds and fractions; a reader wants the minute.
_POST_TIME: Final = re.compile(r'data-date="(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)[^"]{0,30}"')
_TITLE_PARTS: Final = 3  #: the first parts, in which a heading that repeats the title is removed
_MAX_FOOTER_CHARS: Final = 100


def reader_page(extraction: "Extraction", prefs: ReaderPrefs) -> tuple[str, str]:
    """Return a page for a person to read, and its Content-Security-Policy."""
    if is_index_page(extraction):
        groups = grouped_links(extraction.page, extraction.url)
        if groups:
            return _index_page(extraction, groups, prefs)
    title = extraction.title or ""
    # The page may be right-to-left as a whole, or the content alone may be.
    document = _without_title(extraction.document, title)
    minutes = reading_minutes(extraction.text)
    lead, abstract = "", ""
    if minutes >= LONG_READ_MINUTES:
        abstract = _abstract_section(make_abstract(document, title))
        if not prefs.text_only:
            figure, document = take_lead(document, extraction.metadata.image)
            lead = _lead_image(figure, extraction) if figure is not None else ""
    html = render_html(document, RenderOptions(images=not prefs.text_only)).text
    content = sanitize(_POST_TIME.sub(r'data-date="\1 \2"', html), rel=None)
    if not extraction:
        reason = str(extraction.empty_reason)
        content = f"<p>{escape(reason[:1].upper() + reason[1:])}.</p>"
        minutes = 0
    return _fill_page(extraction, prefs, content, lead=lead, abstract=abstract, minutes=minutes)


def _index_page(extraction: "Extraction", groups: list[LinkGroup], prefs: ReaderPrefs) -> tuple[str, str]:
    media = {"media": "text"} if prefs.text_only else {}
    sections = ['<p class="facts" lang="en">This page has no main content. These are its links.</p>']
    for group in groups:
        items = "".join(
            f'<li><a href="{escape(prefs.reader_url(url, **media))}">{escape(text)}</a></li>'
            for text, url in group.links
        )
        heading = f"<h2>{escape(group.heading)}</h2>" if group.heading else ""
        sections.append(f'<section>{heading}<ul class="links">{items}</ul></section>')
    return _fill_page(extraction, prefs, "".join(sections))


def _fill_page(
    extraction: "Extraction",
    prefs: ReaderPrefs,
    content: str,
    *,
    lead: str = "",
    abstract: str = "",
    minutes: int = 0,
) -> tuple[str, str]:
    metadata = extraction.metadata
    css = style("text.css" if prefs.text_only else "reader.css")
    url = extraction.url if extraction.url and extraction.url.startswith(("http://", "https://")) else None
    host = hostname(url)
    controls, labels = (compact_controls(prefs.display), "") if prefs.text_only else setting_controls(prefs.display)
    heading = escape(metadata.title or host or "Untitled")
    facts = [escape(", ".join(metadata.authors)), escape(metadata.date or ""), f"{minutes} min" if minutes else ""]
    facts += _links(url, prefs)
    page = template("text.html" if prefs.text_only else "reader.html").substitute(
        lang=escape(extraction.document.language or metadata.detected_language or "und"),
        dir=extraction.document.direction,
        title=heading,
        style=css,
        settings=controls,
        labels=labels,
        site=escape(metadata.site or host or "Uploaded page"),
        heading=heading,
        subtitle=f'<p class="sub">{escape(metadata.subtitle)}</p>' if metadata.subtitle else "",
        facts=" · ".join(f"<bdi>{fact}</bdi>" for fact in facts if fact),
        lead=lead,
        abstract=abstract,
        content=content,
        footer=_footer(url),
    )
    return page, content_security_policy(css, images=not prefs.text_only)


def _links(url: str | None, prefs: ReaderPrefs) -> list[str]:
    """Return the links to the original page and to the other version of this one."""
    if url is None:
        return []
    media, label = ("full", "With images") if prefs.text_only else ("text", "Text only")
    return [
        f'<a href="{escape(url)}" rel="noreferrer">Original</a>',
        f'<a href="{escape(prefs.reader_url(url, media=media))}">{label}</a>',
    ]


def _footer(url: str | None) -> str:
    if url is None:
        return "Made with Tamis."
    label = escape(url if len(url) <= _MAX_FOOTER_CHARS else url[: _MAX_FOOTER_CHARS - 1] + "…")
    link = f'<a href="{escape(url)}" rel="noreferrer">{label}</a>'
    return f'From {link}. <a class="go" href="/">Read another page</a>'


def _abstract_section(sentences: list[str]) -> str:
    if not sentences:
        return ""
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f'<section class="abstract"><h2 lang="en">In short</h2><ul>{items}</ul></section>'


def _lead_image(figure: Figure, extraction: "Extraction") -> str:
    html = sanitize(render_html(Document(extraction.page, (figure,))).text, rel=None)
    return html.replace(' loading="lazy"', "", 1)  # it is visible at once


def _without_title(document: Document, title: str) -> Document:
    """Return a document without a first heading that repeats the title, which the page has above it."""
    words = _words(title)
    for index, part in enumerate(document.parts[:_TITLE_PARTS]):
        if isinstance(part, Heading) and words and _words(plain_text(part.spans)) == words:
            return replace_parts(document, document.parts[:index] + document.parts[index + 1 :])
    return document


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
