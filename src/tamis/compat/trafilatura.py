"""The interface of trafilatura: `extract`, `bare_extraction`, `extract_metadata` and their companions.

>>> page = "<title>Tea</title><nav>Home</nav><main><h1>Tea</h1><p>Boil soft water, wait, and then pour.</p></main>"
>>> print(extract(page))
Tea
Boil soft water, wait, and then pour.
>>> extract("") is None
True
"""

from configparser import ConfigParser
from typing import Any, Final

from tamis.api import Extraction
from tamis.api import extract as extract_content
from tamis.compat.markup import decode, has_tag, read_markup, remove_elements, warn_ignored
from tamis.compat.trafilatura_document import Document, fill_metadata
from tamis.compat.trafilatura_formats import plain_lines, write
from tamis.compat.trafilatura_run import Settings, read_settings, run, warn_of_settings
from tamis.compat.trafilatura_tree import Shown, body_of
from tamis.errors import SourceError
from tamis.sources.fetch import fetch

# ruff: noqa: FBT001, FBT002, PLR0917 (the signatures are those of trafilatura)

__all__ = [
    "Document",
    "bare_extraction",
    "baseline",
    "extract",
    "extract_metadata",
    "extract_with_metadata",
    "fetch_url",
    "html2txt",
]

#: What `html2txt` leaves out if it is asked to clean: what the page itself marks as beside the content.
_BESIDE_CONTENT: Final = "aside, button, dialog, footer, form, nav, [role=dialog], select, textarea"

#: Settings of a configuration that downloads do not read, and the values that trafilatura has for them.
_IGNORED_DOWNLOAD_SETTINGS: Final = {"USER_AGENTS": "", "COOKIE": "", "MAX_REDIRECTS": "2"}


def extract(
    filecontent: object,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: object = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser | None = None,
    options: object = None,
) -> str | None:
    """Return the content of a page in a format, or None where there is none.

    `tei_validation`, `deduplicate` and `date_extraction_params` have no effect, with a warning; `fast` and
    `no_fallback` have none because there is one speed.

    Args:
        filecontent: the page: a string, bytes, a response, or an element of lxml.
        url: the page's URL, to resolve its links.
        record_id: becomes the ``id`` of the metadata.
        fast: see above.
        no_fallback: see above.
        favor_precision: keep less where in doubt.
        favor_recall: keep more where in doubt.
        include_comments: readers' comments follow the content.
        output_format: ``txt``, ``markdown``, ``html``, ``json``, ``xml``, ``xmltei`` or ``csv``.
        tei_validation: see above.
        target_language: None for a page in another language (ISO 639-1).
        include_tables: write tables.
        include_images: write images, in formats that can.
        include_formatting: write emphasis in HTML and XML, and plain text as Markdown. None is True for Markdown.
        include_links: write the URLs of links.
        deduplicate: see above; blocks that repeat on a page are left out anyway.
        date_extraction_params: see above.
        with_metadata: the metadata is part of the output.
        only_with_metadata: None for a page without a date, a title or a URL.
        max_tree_size: a `ValueError`, as in trafilatura.
        url_blacklist: None for a page with one of these URLs.
        author_blacklist: authors to leave out.
        settingsfile: the path of a configuration; see `config`.
        prune_xpath: elements to remove before; an invalid XPath is a `ValueError`.
        config: ``MIN_OUTPUT_SIZE`` and ``MIN_OUTPUT_COMM_SIZE`` are read from it.
        options: trafilatura's ``Extractor``, instead of the keywords.
    """
    settings = read_settings(locals())
    found = run(filecontent, settings, with_trees=settings.output_format in {"xml", "xmltei"})
    return None if found is None else _written(*found, settings)


def _written(extraction: Extraction, document: Document, settings: Settings) -> str:
    if settings.output_format == "python":
        raise ValueError("'python' format only usable in bare_extraction() function")
    with_metadata = settings.needs_metadata
    return write(extraction, document, settings.output_format, settings.shown, with_metadata=with_metadata)


def extract_with_metadata(
    filecontent: object,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: object = False,
    date_extraction_params: dict[str, Any] | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser | None = None,
    options: object = None,
) -> Document | None:
    """Return the metadata of a page, with its content in a format as `Document.text`; None where there is none.

    The keywords are those of `extract`.
    """
    settings = read_settings({**locals(), "with_metadata": True})
    found = run(filecontent, settings)
    if found is None:
        return None
    extraction, document = found
    if not settings.needs_metadata:  # by `options`
        fill_metadata(document, extraction, settings.url, settings.author_blacklist)
    document.text = _written(extraction, document, settings)
    document.comments = None  # a part of the text, as in trafilatura
    return document


def bare_extraction(
    filecontent: object,
    url: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "python",
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: object = False,
    date_extraction_params: dict[str, Any] | None = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    as_dict: bool = False,
    prune_xpath: str | list[str] | None = None,
    config: ConfigParser | None = None,
    options: object = None,
) -> Document | dict[str, Any] | None:
    """Return the content of a page as attributes of a `Document`, or None where there is none.

    The keywords are those of `extract`; `as_dict` returns a dictionary instead.
    """
    found = run(filecontent, read_settings(locals()))
    if found is None:
        return None
    return found[1].as_dict() if as_dict else found[1]


def extract_metadata(
    filecontent: object,
    default_url: str | None = None,
    date_config: dict[str, Any] | None = None,
    extensive: bool = True,
    author_blacklist: set[str] | None = None,
) -> Document:
    """Return the metadata of a page; a `TypeError` for what is not a page.

    Args:
        filecontent: the page.
        default_url: its URL, where it declares none.
        date_config: has no effect.
        extensive: has no effect: every source of a date is read.
        author_blacklist: authors to leave out.
    """
    warn_ignored("trafilatura", date_config=date_config, extensive=not extensive)
    markup, document = read_markup(filecontent), Document()
    if has_tag(markup):
        fill_metadata(document, extract_content(markup, default_url), default_url, author_blacklist or ())
    return document


def baseline(filecontent: object) -> tuple[Any, str, int]:
    """Return the content as a ``body`` element, as text with a line per paragraph, and the length of the text.

    A page without main content gives all its visible text.
    """
    markup = read_markup(filecontent)
    if not has_tag(markup):
        return Document().body, "", 0
    extraction = extract_content(markup) or extract_content(markup, extractor="body")
    text = plain_lines(extraction, Shown())
    return body_of(extraction, Shown()), text, len(text)


def html2txt(content: object, clean: bool = True) -> str:
    """Return all visible text of a page on one line; with `clean`, without menus, footers, dialogs and forms."""
    markup = read_markup(content)
    if not has_tag(markup):
        return ""
    if clean:
        markup = remove_elements(markup, css=[_BESIDE_CONTENT])
    return " ".join(extract_content(markup, extractor="body").text.split())


def fetch_url(
    url: str,
    no_ssl: bool = False,
    config: ConfigParser | None = None,
    options: object = None,
    *,
    allow_private: bool = False,
) -> str | None:
    """Download a page and return it as a string, or None where that fails (extra ``fetch``).

    Args:
        url: the page's URL.
        no_ssl: has no effect: certificates are always checked.
        config: ``DOWNLOAD_TIMEOUT``, ``MAX_FILE_SIZE`` and ``SSRF_PROTECTION`` are read from it.
        options: trafilatura's ``Extractor``, whose `config` is read.
        allow_private: also connect to private and loopback addresses. Only Tamis has this keyword.
    """
    config = getattr(options, "config", None) or config or ConfigParser()
    warn_ignored("trafilatura", no_ssl=no_ssl)
    warn_of_settings(config, _IGNORED_DOWNLOAD_SETTINGS)
    allow_private = allow_private or not config.getboolean("DEFAULT", "SSRF_PROTECTION", fallback=True)
    timeout = config.getint("DEFAULT", "DOWNLOAD_TIMEOUT", fallback=30)
    max_bytes = config.getint("DEFAULT", "MAX_FILE_SIZE", fallback=20_000_000)
    try:
        fetched = fetch(url, timeout=timeout, max_bytes=max_bytes, allow_private=allow_private)
    except SourceError:
        return None
    return decode(fetched.body, fetched.encoding) or None
