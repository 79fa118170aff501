"""The keywords of the interface of trafilatura as one object, and a run with it."""

import logging
from collections.abc import Collection
from configparser import ConfigParser
from pathlib import Path
from typing import Any, Final, Literal

from tamis.api import Extraction, extract
from tamis.compat.markup import has_tag, lxml_error, read_markup, remove_elements, warn_ignored
from tamis.compat.trafilatura_document import Document, comment_lines, declared_texts, fill_metadata, fingerprint
from tamis.compat.trafilatura_formats import FORMATS
from tamis.compat.trafilatura_text import xmltotxt
from tamis.compat.trafilatura_tree import Shown, body_of, paragraphs_body
from tamis.errors import SourceError

_LOGGER: Final = logging.getLogger("trafilatura")
_WITH_MARKDOWN: Final = frozenset({"csv", "markdown", "python", "txt"})  #: whose text is Markdown with formatting
_WITH_FINGERPRINT: Final = frozenset({"csv", "python", "xml"})  #: also without metadata
#: The settings of trafilatura and their defaults.
_DEFAULTS: Final = {
    "DOWNLOAD_TIMEOUT": "30",
    "MAX_FILE_SIZE": "20000000",
    "MIN_FILE_SIZE": "10",
    "SLEEP_TIME": "5.0",
    "USER_AGENTS": "",
    "COOKIE": "",
    "MAX_REDIRECTS": "2",
    "SSRF_PROTECTION": "on",
    "INSECURE_SSL_FALLBACK": "on",
    "MIN_EXTRACTED_SIZE": "250",
    "MIN_OUTPUT_SIZE": "1",
    "MIN_OUTPUT_COMM_SIZE": "1",
    "MAX_TREE_SIZE": "",
    "EXTRACTION_TIMEOUT": "30",
    "MIN_DUPLCHECK_SIZE": "100",
    "MAX_REPETITIONS": "2",
    "EXTENSIVE_DATE_SEARCH": "on",
    "EXTERNAL_URLS": "off",
}
_IGNORED_SETTINGS: Final = ("MAX_TREE_SIZE", "EXTENSIVE_DATE_SEARCH")
#: Where pages have readers' comments; without comments, whatever is there is no content.
_COMMENTS: Final = (
    "#comments",
    ".comments-area",
    ".comments-list",
    ".comment-list",
    ".commentlist",
    "#disqus_thread",
)
_SWITCHES: Final = ("comments", "tables", "images", "links", "formatting")


def use_config(filename: str | None = None, config: ConfigParser | None = None) -> ConfigParser:
    """Return a configuration: the given one, that of a file, or a new one with trafilatura's defaults.

    >>> use_config().get("DEFAULT", "MIN_OUTPUT_SIZE")
    '1'
    """
    if config is not None:
        return config
    config = ConfigParser(defaults=_DEFAULTS)
    if filename is not None:
        if not Path(filename).is_file():
            raise FileNotFoundError("The given config file does not exist")
        config.read(filename)
    return config


#: The configuration of calls that give none.
DEFAULT_CONFIG: Final = use_config()


class Extractor:
    """The options of an extraction, with the attributes of trafilatura's class of this name.

    >>> Extractor(output_format="markdown", recall=True).focus
    'recall'
    """

    def __init__(
        self,
        *,
        config: ConfigParser = DEFAULT_CONFIG,
        output_format: str = "txt",
        fast: bool = False,
        precision: bool = False,
        recall: bool = False,
        comments: bool = True,
        formatting: bool | None = None,
        links: bool = False,
        images: bool = False,
        tables: bool = True,
        dedup: object = False,
        lang: str | None = None,
        url: str | None = None,
        source: str | None = None,
        with_metadata: bool = False,
        only_with_metadata: bool = False,
        tei_validation: bool = False,
        author_blacklist: set[str] | None = None,
        url_blacklist: set[str] | None = None,
        date_params: dict[str, Any] | None = None,
    ) -> None:
        if output_format not in FORMATS:
            raise AttributeError(f"Cannot set format, must be one of: {', '.join(sorted(FORMATS))}")
        for reason, is_so in (
            ("precision and recall are mutually exclusive: recall counts", precision and recall),
            ("tei_validation has no effect here", tei_validation and output_format != "xmltei"),
            ("formatting has no effect on JSON", formatting and output_format == "json"),
        ):
            if is_so:
                _LOGGER.warning(reason)
        self.config = config or DEFAULT_CONFIG
        self.format = output_format
        self.fast = fast
        self.focus = "recall" if recall else "precision" if precision else "balanced"
        self.comments, self.links, self.images, self.tables = comments, links, images, tables
        self.formatting = output_format == "markdown" if formatting is None else formatting
        self.dedup = dedup
        self.lang = lang
        self.url = url
        self.source = source and source.encode("utf-8", "replace").decode("utf-8")
        self.only_with_metadata = only_with_metadata
        self.tei_validation = tei_validation
        self.author_blacklist: Collection[str] = author_blacklist or set()
        self.url_blacklist: Collection[str] = url_blacklist or set()
        self.with_metadata = bool(
            with_metadata or only_with_metadata or url_blacklist or author_blacklist or output_format == "xmltei"
        )
        self.date_params = date_params or {}
        self.min_extracted_size = self._number("min_extracted_size")
        self.min_output_size = self._number("min_output_size")
        self.min_output_comm_size = self._number("min_output_comm_size")
        self.max_file_size = self._number("max_file_size")
        for name in ("min_duplcheck_size", "max_repetitions", "min_file_size"):
            setattr(self, name, self._number(name))
        self.max_tree_size = self._number("max_tree_size") or None
        self.record_id: str | None = None
        self.prune_xpath: str | list[str] | None = None

    def _number(self, name: str) -> int:
        return int(self.config.get("DEFAULT", name.upper(), fallback=_DEFAULTS[name.upper()]) or 0)

    @property
    def shown(self) -> Shown:
        """What the output shows."""
        return Shown(*(bool(getattr(self, name)) for name in _SWITCHES))

    @property
    def favor(self) -> Literal["precision", "recall"] | None:
        """What `tamis.extract` calls the focus."""
        return {"precision": "precision", "recall": "recall"}.get(self.focus)  # type: ignore[return-value]


def read_settings(keywords: dict[str, Any]) -> Extractor:
    """Return the options for the keywords of a call, and warn of those that have no effect."""
    if keywords.get("max_tree_size"):
        raise ValueError('"max_tree_size" will be removed, use settings.cfg instead')
    options = keywords.get("options")
    # anything with the attributes of an `Extractor`; trafilatura ignores other objects, and so does this
    settings = _read_options(options) if hasattr(options, "focus") else _read_keywords(keywords)
    settings.url = settings.url or keywords.get("url")
    settings.record_id = keywords.get("record_id")
    settings.prune_xpath = keywords.get("prune_xpath")
    warn_ignored(
        "trafilatura",
        deduplicate=settings.dedup,
        tei_validation=settings.tei_validation,
        # trafilatura's extractors have these three keys unless they were given others
        date_extraction_params=settings.date_params.keys() - {"original_date", "extensive_search", "max_date"},
    )
    warn_of_settings(settings.config, _IGNORED_SETTINGS)
    return settings


def _read_keywords(keywords: dict[str, Any]) -> Extractor:
    return Extractor(
        config=use_config(keywords.get("settingsfile"), None if keywords.get("settingsfile") else keywords["config"]),
        precision=keywords["favor_precision"],
        recall=keywords["favor_recall"],
        dedup=keywords["deduplicate"],
        lang=keywords["target_language"],
        tei_validation=keywords.get("tei_validation", False),
        date_params=keywords["date_extraction_params"],
        **{name: keywords[f"include_{name}"] for name in _SWITCHES},
        **{name: keywords[name] for name in ("url", "output_format", "url_blacklist", "author_blacklist")},
        with_metadata=bool(keywords.get("with_metadata")),
        only_with_metadata=bool(keywords.get("only_with_metadata")),
    )


def _read_options(options: Any) -> Extractor:  # noqa: ANN401 (an `Extractor`, ours or theirs)
    settings = Extractor(config=getattr(options, "config", None) or DEFAULT_CONFIG, output_format=options.format)
    for name, value in vars(settings).items():
        setattr(settings, name, getattr(options, name, value))
    return settings


def warn_of_settings(config: ConfigParser, ignored: Collection[str]) -> None:
    """Warn of the settings of a configuration that have no effect and another value than trafilatura's."""
    values = {name: config.get("DEFAULT", name, fallback=_DEFAULTS[name]).strip() for name in ignored}
    warn_ignored("trafilatura", **{name: value != _DEFAULTS[name] for name, value in values.items()})


def run(filecontent: object, settings: Extractor) -> tuple[Extraction, Document] | None:
    """Return the content of a page and its document, or None where trafilatura has None."""
    try:
        markup = read_markup(filecontent)
        markup = decompress(markup, settings.max_file_size) if isinstance(markup, bytes) else markup
        if settings.prune_xpath is not None and has_tag(markup):
            markup = _prune(markup, settings.prune_xpath)
    except TypeError:
        return None
    if not has_tag(markup):
        return None
    exclude = () if settings.comments else _COMMENTS
    extraction = extract(markup, settings.url, favor=settings.favor, exclude=exclude)
    if not extraction and settings.min_output_size:
        return None
    document = Document(idval=settings.record_id)
    if settings.with_metadata:
        fill_metadata(document, extraction, settings.url, settings.author_blacklist)
    if not _is_wanted(extraction, document, settings):
        return None
    shown = settings.shown
    document.body = body_of(extraction, shown)
    declared = [] if settings.fast else declared_texts(extraction)[0]
    if len("".join(document.body.itertext())) < min(settings.min_extracted_size, len("".join(declared))):
        document.body = paragraphs_body(declared)
    as_markdown = shown.formatting and settings.format in _WITH_MARKDOWN
    document.text = xmltotxt(document.body, as_markdown).strip()
    document.raw_text = " ".join(document.text.split())
    lines = comment_lines(extraction.comments) if shown.comments else []
    document.comments = "\n".join(lines) if shown.comments else None
    short = len(document.raw_text) < settings.min_output_size
    if short and len(document.comments or "") < settings.min_output_comm_size:
        return None
    document.commentsbody = paragraphs_body(lines)
    if settings.with_metadata or settings.format in _WITH_FINGERPRINT:
        document.fingerprint = fingerprint(document.text)
    return extraction, document


def _prune(markup: str | bytes, paths: str | list[str]) -> str:
    try:
        return remove_elements(markup, xpath=[paths] if isinstance(paths, str) else paths)
    except ValueError as error:
        raise lxml_error("XPathSyntaxError", ValueError(str(error))) from error


def _is_wanted(extraction: Extraction, document: Document, settings: Extractor) -> bool:
    """Return whether the page is one that the keywords let through."""
    if settings.only_with_metadata and not (document.date and document.title and document.url):
        return False
    if document.url in settings.url_blacklist:
        return False
    return not settings.lang or _is_in_language(extraction, settings.lang)


def _is_in_language(extraction: Extraction, language: str) -> bool:
    """Return whether the content is in a language (ISO 639-1); what the page declares decides where in doubt."""
    found = extraction.metadata.language or extraction.metadata.declared_language
    return found is None or _primary(found) == _primary(language)


def _primary(language: str) -> str:
    return language.replace("_", "-").partition("-")[0].lower()


def decompress(body: bytes, max_size: int | None = None) -> bytes:
    """Return the bytes of a gzipped body, or the body as it is; a damaged or too large one is left compressed."""
    if not body.startswith(b"\x1f\x8b\x08"):
        return body
    from tamis.sources.content_encodings import Decoder  # noqa: PLC0415 (few pages need it)

    decoder = Decoder("gzip", max_size or DEFAULT_CONFIG.getint("DEFAULT", "MAX_FILE_SIZE"))
    try:
        decoder.feed(body)
        return decoder.finish()
    except SourceError:
        return body
