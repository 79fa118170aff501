"""The interface of trafilatura: `extract`, `bare_extraction`, `extract_metadata` and their companions.

>>> page = "<title>Tea</title><nav>Home</nav><main><h1>Tea</h1><p>Boil soft water, wait, and then pour.</p></main>"
>>> print(extract(page))
Tea
Boil soft water, wait, and then pour.
>>> extract("") is None
True
"""

import re
from configparser import ConfigParser
from importlib import import_module
from typing import Any, Final

from tamis.api import Extraction
from tamis.api import extract as extract_content
from tamis.compat import import_paths
from tamis.compat.markup import has_tag, read_markup, remove_elements, warn_ignored
from tamis.compat.trafilatura_document import Document, declared_texts, fill_metadata, fingerprint
from tamis.compat.trafilatura_formats import write
from tamis.compat.trafilatura_network import (
    Response,
    decode_file,
    fetch_response,
    fetch_url,
    find_feed_urls,
    focused_crawler,
    sitemap_search,
)
from tamis.compat.trafilatura_run import DEFAULT_CONFIG, Extractor, read_settings, run, use_config
from tamis.compat.trafilatura_text import xmltotxt
from tamis.compat.trafilatura_tree import Shown, body_of, paragraphs_body, xml_text

# ruff: noqa: FBT001, FBT002, PLR0917 (the signatures are those of trafilatura)

__all__ = [
    "DEFAULT_CONFIG",
    "LANGID_FLAG",
    "Document",
    "Extractor",
    "Response",
    "Simhash",
    "bare_extraction",
    "baseline",
    "content_fingerprint",
    "decode_file",
    "extract",
    "extract_metadata",
    "extract_with_metadata",
    "fetch_response",
    "fetch_url",
    "find_feed_urls",
    "focused_crawler",
    "html2txt",
    "load_html",
    "reset_caches",
    "sanitize",
    "sitemap_search",
    "trim",
    "use_config",
    "xmltotxt",
]

_MAX_FEED_START: Final = 300  #: characters of a document that are searched for the root of a feed
_FEED: Final = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:feed|rss|rdf:RDF)[\s>]")
_MAX_SHORT_TEXT: Final = 100  #: characters up to which `baseline` prefers what JSON-LD declares, as in trafilatura
#: Languages are always detected.
LANGID_FLAG: Final = True
#: What `html2txt` leaves out if it is asked to clean: what the page itself marks as beside the content.
_BESIDE_CONTENT: Final = (
    "aside, button, dialog, footer, nav, [role=dialog], select, textarea, template, svg, [id^=onetrust],"
    " [id*=cookie-], [class*=cookie-notice], [class*=cookie-banner], [class*=cookie-consent]"
)

#: The version of trafilatura whose interface this is.
__version__: Final = "2.3.1"

__getattr__ = import_paths(
    __name__,
    (
        *("baseline", "core", "deduplication", "downloads", "external", "feeds", "htmlprocessing", "main_extractor"),
        *("meta", "metadata", "settings", "sitemaps", "spider", "utils", "xml"),
    ),
    {
        "try_readability": "use extract(); Tamis has no second algorithm behind the first",
        "try_justext": "use extract(), or tamis.compat.justext",
        "duplicate_test": "repeated blocks are left out anyway; for a corpus, datatrove's MinHash",
        "validate_tei": "use lxml with the schema of TEI",
        "buffered_downloads": "use tamis.afetch_many()",
        "add_to_compressed_dict": "use tamis.afetch_many(), which queues hosts",
    },
)


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
    config: ConfigParser | None = DEFAULT_CONFIG,
    options: object = None,
) -> str | None:
    """Return the content of a page in a format, or None without content.

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
    found = run(filecontent, settings)
    return None if found is None else _written(*found, settings)


def _written(extraction: Extraction, document: Document, settings: Extractor) -> str:
    if settings.format == "python":
        raise ValueError("'python' format only usable in bare_extraction() function")
    with_metadata = settings.with_metadata
    return write(extraction, document, settings.format, settings.shown, with_metadata=with_metadata)


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
    config: ConfigParser | None = DEFAULT_CONFIG,
    options: object = None,
) -> Document | None:
    """Return the metadata of a page, with its content in a format as `Document.text`; None without content.

    The keywords are those of `extract`.
    """
    settings = read_settings({**locals(), "with_metadata": True})
    found = run(filecontent, settings)
    if found is None:
        return None
    extraction, document = found
    if not settings.with_metadata:  # by `options`
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
    config: ConfigParser | None = DEFAULT_CONFIG,
    options: object = None,
) -> Document | dict[str, Any] | None:
    """Return the content of a page as attributes of a `Document`, or None without content.

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

    A page without main content gives all its visible text, or a longer one that its JSON-LD declares.
    """
    markup = read_markup(filecontent)
    if not has_tag(markup):
        return Document().body, "", 0
    extraction = extract_content(markup) or extract_content(markup, extractor="body")
    body = body_of(extraction, Shown())
    text = xmltotxt(body, include_formatting=False)
    for declared in declared_texts(extraction) if len(text) <= _MAX_SHORT_TEXT else ():
        if len("".join(declared)) > max(_MAX_SHORT_TEXT, len(text)):
            body = paragraphs_body(declared)
            text = xmltotxt(body, include_formatting=False)
            break
    return body, text, len(text)


def html2txt(content: object, clean: bool = True) -> str:
    """Return all visible text of a page on one line; with `clean`, without menus, footers, dialogs and forms."""
    markup = read_markup(content)
    if not has_tag(markup) or _FEED.match(decode_file(markup[:_MAX_FEED_START])):
        return ""
    if clean:
        markup = remove_elements(markup, css=[_BESIDE_CONTENT])
    return " ".join(xml_text(extract_content(markup, extractor="body").text).split())


def load_html(htmlobject: object, max_size: int | None = None) -> Any:  # noqa: ANN401 (an element of lxml)
    """Return a page as an element of lxml, which must be installed, or None; a `TypeError` for what is not a page."""
    if hasattr(htmlobject, "getroottree"):
        return htmlobject
    markup = read_markup(htmlobject)
    text = decode_file(markup, max_size)
    return import_module("lxml.html").document_fromstring(text) if has_tag(text) else None


def sanitize(text: str, preserve_space: bool = False, trailing_space: bool = False) -> str | None:
    """Return text without characters that XML forbids; white space within lines is one space unless preserved."""
    kept = xml_text(text)
    if preserve_space:
        return kept
    lines = [line for line in (" ".join(line.split()) for line in kept.splitlines()) if line]
    if not trailing_space:
        return "\n".join(lines)
    return f"{' ' if kept[:1].isspace() else ''}{' '.join(lines)}{' ' if kept[-1:].isspace() else ''}"


def trim(string: str) -> str:
    """Return a text with all white space as single spaces, and none at its ends."""
    return " ".join(string.split())


def content_fingerprint(content: str) -> str:
    """Return a similarity hash of a text; its values are not those of trafilatura."""
    return fingerprint(content)


class Simhash:
    """A similarity hash of a text, with the interface of trafilatura's class of this name, and other values.

    >>> Simhash("Boil soft water.").similarity(Simhash("boil soft water"))
    1.0
    """

    def __init__(self, inputstring: str = "", length: int = 64, existing_hash: int | str | None = None) -> None:
        self.length = length
        known = _read_hash(existing_hash, length)
        self.hash = int(fingerprint(inputstring), 16) if known is None and inputstring else known
        if self.hash is None:
            self.hash = 2**length - 1

    def to_hex(self) -> str:
        """Return the hash as hexadecimal digits."""
        return f"{self.hash:x}"

    def similarity(self, other: "Simhash") -> float:
        """Return the share of equal bits."""
        return 1 - ((self.hash or 0) ^ (other.hash or 0)).bit_count() / self.length


def _read_hash(value: int | str | None, length: int) -> int | None:
    """Return a hash that was stored as a number, as decimal digits or as hexadecimal ones; None for anything else."""
    if isinstance(value, str) and value.isascii():
        is_decimal = value.isdigit() and len(value) >= 18  # noqa: PLR2004 (as trafilatura tells them apart)
        try:
            value = int(value, 10 if is_decimal else 16)
        except ValueError:
            return None
        return value if 0 < value < 2**length else None
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value < 2**length else None


def reset_caches() -> None:
    """Do nothing: Tamis keeps nothing between pages."""
