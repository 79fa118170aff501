"""The reader: an extraction as a page that is pleasant to read, suited to the client, without a script."""

import re
from dataclasses import replace
from html import escape, unescape
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from tamis.document.parts import Document, Figure, Heading, Image, Paragraph, Part, spans_text
from tamis.html.text import hostname
from tamis.metadata.length import reading_minutes
from tamis.render.html import render_html
from tamis.render.registry import RenderOptions
from tamis.serve.http.responses import content_security_policy, style, template
from tamis.serve.jobs import ReaderPrefs, explain_url
from tamis.serve.reader.dates import format_date, format_minutes
from tamis.serve.reader.mathml import to_mathml
from tamis.serve.reader.preferences import setting_classes, settings_form
from tamis.serve.sanitize import sanitize

if TYPE_CHECKING:
    from tamis.api import Extraction


# The headings of the reader's content: below the title, which is the one ``h1``, and without skipped levels.

_HEADING: Final = re.compile(r"<(/?)h([1-6])>")
_MAX_LEVEL: Final = 6


def nest_headings(html: str) -> str:
    """Return sanitized HTML whose headings begin at level 2 and go down one level at a time.

    >>> nest_headings("<h1>A</h1><h4>B</h4><h4>C</h4><h2>D</h2><h1>E</h1>")
    '<h2>A</h2><h3>B</h3><h3>C</h3><h3>D</h3><h2>E</h2>'
    """
    above: list[int] = []  # the levels, in the page, of the headings that the next one is under
    current = 2

    def renumber(match: re.Match[str]) -> str:
        nonlocal current
        if not match[1]:
            level = int(match[2])
            while above and above[-1] >= level:
                above.pop()
            above.append(level)
            current = min(_MAX_LEVEL, 1 + len(above))
        return f"<{match[1]}h{current}>"

    return _HEADING.sub(renumber, html)


# The lead image of the reader.

#: Pixels. A smaller image does not lead a page; it is a portrait or a logo.
_MIN_LEAD_WIDTH: Final = 300
_MIN_LEAD_HEIGHT: Final = 150
_START_PARTS: Final = 2  #: the first parts of a document: a figure among them stands at the start
_WEB_SCHEMES: Final = ("http://", "https://")


def pop_lead_image(document: Document, image_url: str | None) -> tuple[Figure | None, Document]:
    """Return the lead image and the document without it.

    A figure leads if it stands at the start. Else the image that the page calls its own leads, unless the content
    has figures.
    """
    for index, part in enumerate(document.parts[:_START_PARTS]):
        if isinstance(part, Figure) and part.images and not part.parts and _can_lead(part.images[0]):
            before, after = document.parts[:index], document.parts[index + 1 :]
            if len(part.images) == 1:
                return part, replace_parts(document, before + after)
            lead = replace(part, images=part.images[:1], caption=())
            rest = replace(part, images=part.images[1:])
            return lead, replace_parts(document, (*before, rest, *after))
    has_figures = any(isinstance(part, Figure) and part.images for part in document)
    if image_url and image_url.startswith(_WEB_SCHEMES) and not has_figures:
        return Figure(element=0, first=0, stop=1, images=(Image(image_url),)), document
    return None, document


def _can_lead(image: Image) -> bool:
    width, height = image.width or _MIN_LEAD_WIDTH, image.height or _MIN_LEAD_HEIGHT
    return width >= _MIN_LEAD_WIDTH and height >= _MIN_LEAD_HEIGHT


def replace_parts(document: Document, parts: tuple[Part, ...]) -> Document:
    """Return a document with other parts."""
    return Document(document.page, parts, document.direction, document.language)


# The reader: an extraction as a page that is pleasant to read, suited to the client, without a script.

#: Links side by side, which a page sets apart by its style sheet; not in scripts without spaces between words.
_GLUED_LINKS: Final = re.compile(r"([0-9A-Za-z\u00c0-\u058f])</a><a ")
_MIN_TITLE_SHARE: Final = 0.6  #: of the words of the title, in a line that repeats only a part of it
_TITLE_PARTS: Final = 3  #: the first parts, in which a line that repeats the title is removed
_MAX_FOOTER_CHARS: Final = 100
_SHOWN_AUTHORS: Final = 2
_LED_TYPES: Final = frozenset({"article", None})  #: page types whose own picture comes first
#: Of the characters of the content, in links: 38 of 99 listings of WCXB have more, and 2 of 792 articles.
_LISTING_SHARE: Final = 0.5
_LED_MINUTES: Final = 2  #: reading time from which a picture comes first
#: A formula as the HTML writer writes it and the sanitizer leaves it.
_FORMULA: Final = re.compile(r'<(p|span) class="math">\\[\[(]([^<]{1,6000})\\[\])]</(?:p|span)>')
_WEB_LINK: Final = re.compile(r'<a href="(https?://[^"]{1,4000})"')


def reader_page(extraction: "Extraction", prefs: ReaderPrefs) -> tuple[str, str]:
    """Return a page for a person to read, and its Content-Security-Policy."""
    title = extraction.title or ""
    # The page may be right-to-left as a whole, or the content alone may be.
    document = _without_title(extraction.document, title)
    minutes = reading_minutes(extraction.text)
    lead = ""
    if not prefs.text_only and extraction.page_type in _LED_TYPES and minutes >= _LED_MINUTES:
        figure, document = pop_lead_image(document, extraction.metadata.image)
        lead = _lead_image(figure, extraction) if figure is not None else ""
    html = render_html(document, RenderOptions(images=not prefs.text_only)).text
    content = nest_headings(sanitize(_GLUED_LINKS.sub(r"\1</a> <a ", html), rel=None))
    content = _with_formulas(content)
    if prefs.reader_links or _is_listing(extraction):
        content = _with_reader_links(content, prefs)
    if not extraction:
        reason = str(extraction.empty_reason)
        content = f"<p>{escape(reason[:1].upper() + reason[1:])}.</p>"
        minutes = 0
    return _fill_page(extraction, prefs, content, lead=lead, minutes=minutes)


def _is_listing(extraction: "Extraction") -> bool:
    """Return whether most of the content is links: a person goes on from it, and stays in the reader."""
    page, mask = extraction.page, extraction.selection.mask
    selected, linked = int(page.nonspace[mask].sum()), int(page.nonspace[mask & page.link].sum())
    return linked > _LISTING_SHARE * selected


def _fill_page(
    extraction: "Extraction",
    prefs: ReaderPrefs,
    content: str,
    *,
    lead: str = "",
    minutes: int = 0,
) -> tuple[str, str]:
    metadata = extraction.metadata
    css = style("text.css" if prefs.text_only else "reader.css")
    url = extraction.url if extraction.url and extraction.url.startswith(("http://", "https://")) else None
    host = hostname(url)
    language = extraction.document.language or metadata.language
    heading = escape(metadata.title or host or "Untitled")
    back = prefs.reader_url(url) if url else "/"
    media = {"media": "text"} if prefs.text_only else {}
    selected = {**prefs.display, **media, "links": "reader" if prefs.reader_links else "page"}
    page = template("text.html" if prefs.text_only else "reader.html").substitute(
        lang=f' lang="{escape(language)}"' if language else "",
        dir=extraction.document.direction,
        title=heading,
        style=css,
        classes=setting_classes(prefs.display),
        links=_links(url, prefs, back),
        heading=heading,
        subtitle=_subtitle(extraction),
        facts=_facts(extraction, language, host, minutes),
        lead=lead,
        content=content,
        footer=_footer(url),
        settings="" if prefs.text_only else settings_form(selected, back),
    )
    return page, content_security_policy(css, images=not prefs.text_only, forms=not prefs.text_only)


def _facts(extraction: "Extraction", language: str | None, host: str, minutes: int) -> str:
    """Return what is known about a page in one line: date, reading time, authors, site. Each stays whole."""
    metadata = extraction.metadata
    date = metadata.date or ""
    shown = f'<time datetime="{escape(date)}">{escape(format_date(date, language))}</time>' if date else ""
    authors = list(metadata.authors)
    more = len(authors) - _SHOWN_AUTHORS
    names = ", ".join(authors[:_SHOWN_AUTHORS]) + (f" +{more}" if more > 0 else "")
    facts = [
        shown,
        escape(format_minutes(minutes, language)) if minutes else "",
        escape(names),
        escape(metadata.site or host or "Uploaded page"),
    ]
    return " · ".join(f"<bdi>{fact}</bdi>" for fact in facts if fact)


def _links(url: str | None, prefs: ReaderPrefs, back: str) -> str:
    """Return the links to the original page and to the other version of this one."""
    settings = f'<a href="/settings?{urlencode({"back": back})}">Settings</a>'
    if url is None:
        return f'<a href="/">Another page</a> {settings}' if prefs.text_only else ""
    original = f'<a href="{escape(url)}" rel="noreferrer">Original</a>'
    media, label = ("full", "With images") if prefs.text_only else ("text", "Text only")
    other = f'<a href="{escape(prefs.reader_url(url, media=media))}">{label}</a>'
    return (
        f'{original} · {other} · <a href="/">Another page</a> · {settings}' if prefs.text_only else original + other
    )


def _footer(url: str | None) -> str:
    if url is None:
        return "Made with Tamis."
    label = escape(url if len(url) <= _MAX_FOOTER_CHARS else url[: _MAX_FOOTER_CHARS - 1] + "…")
    link = f'<a href="{escape(url)}" rel="noreferrer">{label}</a>'
    why = f'<a class="go" href="{escape(explain_url(url))}">Why this text?</a>'
    return f'From {link}. {why} <a class="go" href="/">Read another page</a>'


def _lead_image(figure: Figure, extraction: "Extraction") -> str:
    html = sanitize(render_html(Document(extraction.page, (figure,))).text, rel=None)
    html = html.replace(' loading="lazy"', "", 1)  # it is visible at once
    return f'<div class="lead">{html}</div>'


def _with_formulas(html: str) -> str:
    """Return sanitized HTML in which formulas are drawn: MathML of their TeX, where it is understood."""

    def draw(match: re.Match[str]) -> str:
        is_block = match[1] == "p"
        tex = unescape(match[2])
        formula = to_mathml(tex, display=is_block)
        return f'<{match[1]} class="math">{formula}</{match[1]}>' if formula else match[0]

    return _FORMULA.sub(draw, html)


def _with_reader_links(html: str, prefs: ReaderPrefs) -> str:
    """Return sanitized HTML whose links to pages lead to the reader."""
    media = {"media": "text"} if prefs.text_only else {}

    def lead(match: re.Match[str]) -> str:
        return f'<a href="{escape(prefs.reader_url(unescape(match[1]), links="reader", **media))}"'

    return _WEB_LINK.sub(lead, html)


def _without_title(document: Document, title: str) -> Document:
    """Return a document without a first heading or line that repeats the title, which the page has above it."""
    words = _words(title)
    for index, part in enumerate(document.parts[:_TITLE_PARTS]):
        if isinstance(part, Heading | Paragraph) and _repeats(_words(spans_text(part.spans)), words):
            return replace_parts(document, document.parts[:index] + document.parts[index + 1 :])
    return document


def _repeats(words: list[str], title: list[str]) -> bool:
    """Tell whether a line has the words of a title, or its beginning or end without the name of the site."""
    if not words or len(words) < _MIN_TITLE_SHARE * len(title) or len(words) > len(title):
        return False
    return words in (title[: len(words)], title[len(title) - len(words) :])


def _subtitle(extraction: "Extraction") -> str:
    """Return the subtitle of a page, unless its content begins with it."""
    subtitle = extraction.metadata.subtitle or ""
    first = [part for part in extraction.document.parts[: _TITLE_PARTS + 1] if isinstance(part, Heading | Paragraph)]
    is_repeated = any(_words(spans_text(part.spans)) == _words(subtitle) for part in first)
    return f'<p class="sub">{escape(subtitle)}</p>' if subtitle and not is_repeated else ""


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
