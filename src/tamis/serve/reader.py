"""The reader: an extraction as a page that is pleasant to read, sized to the client, without a script."""

import re
from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from tamis.document.document import Document
from tamis.document.parts import Figure, Heading
from tamis.document.spans import plain_text
from tamis.render.html import render_html
from tamis.render.options import RenderOptions
from tamis.serve.abstract import LONG, abstract, minutes
from tamis.serve.images import replace_parts, take_lead, with_posters
from tamis.serve.index_pages import Group, grouped_links, is_catalogue
from tamis.serve.jobs import Look
from tamis.serve.pages import bare_knobs, knobs, policy, style, template
from tamis.serve.sanitize import clean

if TYPE_CHECKING:
    from tamis.api import Extraction

#: When a post was written, to the second and beyond; a reader wants the minute.
_TIME: Final = re.compile(r'data-date="(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)[^"]{0,30}"')
_OPENING: Final = 3  #: parts in which a heading that repeats the title is looked for


def reader_page(found: "Extraction", look: Look) -> tuple[str, str]:
    """Return a page for a person to read, and its Content-Security-Policy."""
    if is_catalogue(found):
        groups = grouped_links(found.page, found.url)
        if groups:
            return _catalogue_page(found, groups, look)
    text = found.text
    # The page may be right-to-left as a whole, or the content alone may be.
    document = found.document if look.text_only else with_posters(found)
    document = _without_title(document, found.title or "")
    takes = minutes(text)
    lead, brief = "", ""
    if takes >= LONG:
        brief = _brief(abstract(document, found.title or ""))
        if not look.text_only:
            figure, document = take_lead(document, found.metadata.image)
            lead = _figure(figure, found) if figure is not None else ""
    view = RenderOptions(images=not look.text_only)
    content = clean(_TIME.sub(r'data-date="\1 \2"', render_html(document, view).text), rel=None)
    if not found:
        reason = str(found.empty_reason)
        content = f"<p>{escape(reason[:1].upper() + reason[1:])}.</p>"
    return _filled(found, look, content, lead=lead, brief=brief, takes=takes if found else 0)


def _catalogue_page(found: "Extraction", groups: list[Group], look: Look) -> tuple[str, str]:
    media = {"media": "text"} if look.text_only else {}
    out = ['<p class="facts" lang="en">A page without a text of its own. These are its links.</p>']
    for group in groups:
        items = "".join(
            f'<li><a href="{escape(look.address(address, **media))}">{escape(text)}</a></li>'
            for text, address in group.links
        )
        heading = f"<h2>{escape(group.heading)}</h2>" if group.heading else ""
        out.append(f'<section>{heading}<ul class="links">{items}</ul></section>')
    return _filled(found, look, "".join(out))


def _filled(
    found: "Extraction", look: Look, content: str, *, lead: str = "", brief: str = "", takes: int = 0
) -> tuple[str, str]:
    known = found.metadata
    css = style("text.css" if look.text_only else "reader.css")
    url = found.url if found.url and found.url.startswith(("http://", "https://")) else None
    host = urlsplit(url).hostname or "" if url else ""
    site = escape(known.site or host or "A page of yours")
    facts = [escape(", ".join(known.authors)), escape(known.date or ""), f"{takes} min" if takes else ""]
    if url:
        facts.append(f'<a href="{escape(url)}" rel="noreferrer">Original</a>')
        other = ("full", "With pictures") if look.text_only else ("text", "Text only")
        facts.append(f'<a href="{escape(look.address(url, media=other[0]))}">{other[1]}</a>')
    switches, labels = (bare_knobs(look.switches), "") if look.text_only else knobs(look.switches)
    heading = escape(known.title or host or "Untitled")
    page = template("text.html" if look.text_only else "reader.html").substitute(
        lang=escape(found.document.language or known.detected_language or "und"),
        dir=found.document.direction,
        title=heading,
        style=css,
        knobs=switches,
        labels=labels,
        site=site,
        heading=heading,
        subtitle=f'<p class="sub">{escape(known.subtitle)}</p>' if known.subtitle else "",
        facts=" · ".join(f"<bdi>{fact}</bdi>" for fact in facts if fact),
        lead=lead,
        brief=brief,
        content=content,
        footer=_footer(url),
    )
    return page, policy(css, pictures=not look.text_only)


def _footer(url: str | None) -> str:
    if url is None:
        return "Read with Tamis."
    shown = escape(url if len(url) <= 100 else url[:99] + "…")  # noqa: PLR2004 (one line)
    return f'From <a href="{escape(url)}" rel="noreferrer">{shown}</a>. <a class="go" href="/">Read another page</a>'


def _brief(sentences: list[str]) -> str:
    if not sentences:
        return ""
    items = "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)
    return f'<section class="brief"><h2 lang="en">In short</h2><ul>{items}</ul></section>'


def _figure(figure: Figure, found: "Extraction") -> str:
    html = clean(render_html(Document(found.page, (figure,))).text, rel=None)
    return html.replace(' loading="lazy"', "", 1)  # what leads is seen at once


def _without_title(document: Document, title: str) -> Document:
    """Return a document without the heading that says the title again, which the page has above it."""
    said = _words(title)
    for place, part in enumerate(document.parts[:_OPENING]):
        if isinstance(part, Heading) and said and _words(plain_text(part.spans)) == said:
            return replace_parts(document, document.parts[:place] + document.parts[place + 1 :])
    return document


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
