"""`extract`: the one way from HTML to content."""

import re
import warnings
from dataclasses import replace
from typing import Final, TypeVar

import numpy as np

from tamis.api.extraction import Extraction, reselected
from tamis.api.limits import Limits, parse_within
from tamis.api.options import Favor, Options, Profile
from tamis.api.profiles import resolve_for_page
from tamis.errors import MarkupTypeError, OptionError
from tamis.extractors.base import Extractor, Selection, checked_select
from tamis.html.surrogates import replace_surrogates
from tamis.page import Page
from tamis.page.sniff import binary_type
from tamis.render.options import RenderOptions, Structure
from tamis.sources.fetched import Fetched

#: A string that is evidently the URL or the name of a page, not its HTML.
_URL: Final = re.compile(r"\s*(?:https?|file)://\S+\s*", re.IGNORECASE)
_PATH: Final = re.compile(r"\s*[^<>\n\r]{1,250}\.(?:html?|xhtml|php|aspx?|mht|txt|gz)\s*", re.IGNORECASE)
_LONGEST: Final = 4096  # characters of a URL or a path
_Value = TypeVar("_Value", Options, RenderOptions)


def extract(
    html: str | bytes | Fetched,
    url: str | None = None,
    *,
    extractor: str | Extractor = "sift",
    favor: Favor | None = None,
    encoding: str | None = None,
    profile: Profile | None = None,
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    comments: bool = False,
    with_metadata: bool = False,
    provenance: bool = False,
    structure: Structure = "rebuilt",
    title: bool | None = None,
    include: tuple[str, ...] = (),
    limits: Limits | None = None,
    options: Options | None = None,
    render_options: RenderOptions | None = None,
) -> Extraction:
    """Extract the main content of a page.

    A page without content is no error: its `Extraction` is false and has an `empty_reason`.

    Args:
        html: the page, or what `tamis.fetch` returned. Bytes are decoded as browsers do.
        url: the page's URL, to resolve its links.
        extractor: the name of a registered extractor, or an extractor.
        favor: ``"precision"``, ``"recall"``, ``"balance"`` or a number of logits (above 0 keeps less).
        encoding: the character encoding from the HTTP header, for bytes.
        profile: what was learned about the page's site (``tamis learn``): a file, a folder of files that are named
            for hosts, or the profile. None searches the folder that ``TAMIS_PROFILES`` names, if it is set.
        links: outputs have the URLs of links. Like the switches below, this never changes what is selected.
        images: outputs have images.
        tables: outputs have data tables.
        comments: outputs have readers' comments after the content.
        with_metadata: outputs begin with the page's metadata.
        provenance: JSON locates every part in the page's source and in each output.
        structure: ``"original"`` writes HTML in the page's own elements, ``"rebuilt"`` from the document.
        title: outputs begin with the page's title, unless the content does. None leaves it to the format: Markdown,
            HTML and XML have it, plain text has not.
        include: formats that JSON contains besides the text, for example ``("markdown",)``.
        limits: how much of the page is read and written; beyond them the result is partial, with a warning.
        options: all that chooses as one value, instead of keywords.
        render_options: all that shows as one value, instead of keywords.

    >>> extraction = extract("<h1>Tea</h1><p>Water just off the boil, three minutes, no more.</p>", extractor="body")
    >>> extraction.title
    'Tea'
    >>> print(extraction.text)
    Tea
    <BLANKLINE>
    Water just off the boil, three minutes, no more.
    >>> extract(b"").empty_reason
    'the page is empty'
    """
    chosen = _merge(options, Options(extractor, favor, encoding, limits or Limits(), profile), "options")
    shown = _merge(
        render_options,
        RenderOptions(links, images, tables, comments, with_metadata, provenance, structure, title, include),
        "render_options",
    )
    chosen.resolve()  # an unknown name is an error before the page is parsed
    if isinstance(html, Fetched):
        url = url or html.url
        if chosen.encoding is None:
            chosen = chosen.replace(encoding=html.encoding)
        html = html.body
    elif isinstance(html, str):
        _warn_if_no_html(html)
    if not isinstance(html, (str, bytes)):
        raise MarkupTypeError(f"expected str or bytes, got {type(html).__name__}")
    page, reached = parse_within(html, chosen.encoding, chosen.limits)
    extraction = _extract(page, url, chosen, shown)
    return replace(extraction, limits_reached=reached) if reached else extraction


def extract_page(
    page: Page,
    url: str | None = None,
    *,
    extractor: str | Extractor = "sift",
    favor: Favor | None = None,
    profile: Profile | None = None,
    links: bool = True,
    images: bool = True,
    tables: bool = True,
    comments: bool = False,
    with_metadata: bool = False,
    provenance: bool = False,
    structure: Structure = "rebuilt",
    title: bool | None = None,
    include: tuple[str, ...] = (),
    limits: Limits | None = None,
    options: Options | None = None,
    render_options: RenderOptions | None = None,
) -> Extraction:
    """Extract the main content of a page that is already parsed, or that a browser rendered (see `tamis.visual`).

    The keywords are those of `extract`.

    >>> from tamis import parse_page
    >>> page = parse_page("<h1>Tea</h1><p>Water just off the boil.</p>")
    >>> extract_page(page, extractor="body").text == extract(page.markup, extractor="body").text
    True
    """
    if not isinstance(page, Page):
        raise MarkupTypeError(f"expected a Page, got {type(page).__name__}; extract() takes str and bytes")
    chosen = _merge(options, Options(extractor, favor, limits=limits or Limits(), profile=profile), "options")
    shown = _merge(
        render_options,
        RenderOptions(links, images, tables, comments, with_metadata, provenance, structure, title, include),
        "render_options",
    )
    return _extract(page, url, chosen, shown)


def _extract(page: Page, url: str | None, chosen: Options, shown: RenderOptions) -> Extraction:
    """Select the content of a page."""
    if url is not None and not isinstance(url, str):
        raise OptionError(f"url must be a str or None, not {type(url).__name__}")
    url = replace_surrogates(url) if url else url
    method, profile_warning = resolve_for_page(chosen, page, url)
    if isinstance(page.markup, bytes) and binary_type(page.markup) is not None:
        nothing = Selection.from_mask(page, np.zeros(len(page), dtype=np.bool_))  # its characters are no content
        return Extraction(page, nothing, url, method.name, chosen, shown)
    selection = checked_select(method, page)
    if chosen.favor is not None:
        selection = reselected(selection, chosen.favor, method.name)
    if profile_warning is not None:
        selection = replace(selection, profile_warning=profile_warning)
    return Extraction(page, selection, url, method.name, chosen, shown)


def _merge(value: _Value | None, keywords: _Value, name: str) -> _Value:
    """Return an options value, or the keywords; both at once is an error, because one would silently win."""
    if value is None:
        return keywords
    if not isinstance(value, type(keywords)):
        raise OptionError(f"{name} must be {type(keywords).__name__}, not {type(value).__name__}")
    if keywords != type(keywords)():
        raise OptionError(f"give {name} or keywords, not both")
    return value


def _warn_if_no_html(html: str) -> None:
    """Warn when a string is evidently a URL or a file name: its characters would be taken for the page."""
    if len(html) > _LONGEST or "<" in html:
        return
    if _URL.fullmatch(html):
        advice = "to download the page: tamis.extract(tamis.fetch(url))"
    elif _PATH.fullmatch(html):
        advice = "to read a file: tamis.extract(Path(name).read_bytes())"
    else:
        return
    warnings.warn(f"extract() takes HTML, and {html.strip()!r} is none; {advice}", UserWarning, stacklevel=3)
