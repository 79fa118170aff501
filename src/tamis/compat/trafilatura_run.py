"""The keywords of the interface of trafilatura, and a run with them."""

from collections.abc import Collection
from configparser import ConfigParser
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, Literal

from tamis.api import Extraction, extract
from tamis.compat.markup import has_tag, lxml_error, read_markup, remove_elements, warn_ignored
from tamis.compat.trafilatura_document import Document, comment_lines, fill_metadata, fingerprint
from tamis.compat.trafilatura_formats import FORMATS, plain_lines
from tamis.compat.trafilatura_tree import Shown, body_of, paragraphs_body

# The keywords of the interface of trafilatura, and a run with them.

_WITH_MARKDOWN: Final = frozenset({"csv", "python", "txt"})  #: whose text is Markdown with formatting
_WITH_FINGERPRINT: Final = frozenset({"csv", "python", "xml"})  #: also without metadata
#: Settings of a configuration that have no effect, and the values that trafilatura has for them.
_IGNORED_SETTINGS: Final = {"MIN_EXTRACTED_SIZE": "250", "MAX_TREE_SIZE": "", "EXTENSIVE_DATE_SEARCH": "on"}
_SWITCHES: Final = ("comments", "tables", "images", "links", "formatting")


@dataclass(frozen=True, slots=True)
class Settings:
    """The keywords that have an effect."""

    url: str | None = None
    record_id: str | None = None
    favor: Literal["precision", "recall"] | None = None
    output_format: str = "txt"
    shown: Shown = field(default_factory=Shown)
    target_language: str | None = None
    with_metadata: bool = False
    only_with_metadata: bool = False
    url_blacklist: Collection[str] = ()
    author_blacklist: Collection[str] = ()
    prune_xpath: str | list[str] | None = None
    min_output_size: int = 1
    min_output_comm_size: int = 1

    def __post_init__(self) -> None:
        if self.output_format not in FORMATS:
            raise AttributeError(f"Cannot set format, must be one of: {', '.join(sorted(FORMATS))}")

    @property
    def needs_metadata(self) -> bool:
        """Whether the document has metadata, as in trafilatura."""
        return bool(
            self.with_metadata
            or self.only_with_metadata
            or self.url_blacklist
            or self.author_blacklist
            or self.output_format == "xmltei"
        )


def read_settings(keywords: dict[str, Any]) -> Settings:
    """Return the settings for the keywords of a call, and warn of those that have no effect."""
    if keywords.get("max_tree_size"):
        raise ValueError('"max_tree_size" will be removed, use settings.cfg instead')
    options = keywords.get("options")
    # trafilatura's `Extractor`, or anything with its attributes; it ignores other objects, and so does this
    values = _read_options(options, keywords) if hasattr(options, "focus") else _read_keywords(keywords)
    formatting = values.pop("formatting")
    formatted = values["output_format"] == "markdown" if formatting is None else bool(formatting)
    shown = Shown(*(bool(values.pop(name)) for name in _SWITCHES[:-1]))
    config = values.pop("config") or ConfigParser()
    return Settings(
        **values,
        shown=replace(shown, formatting=formatted),
        record_id=keywords.get("record_id"),
        prune_xpath=keywords.get("prune_xpath"),
        min_output_size=config.getint("DEFAULT", "MIN_OUTPUT_SIZE", fallback=1),
        min_output_comm_size=config.getint("DEFAULT", "MIN_OUTPUT_COMM_SIZE", fallback=1),
    )


def _read_keywords(keywords: dict[str, Any]) -> dict[str, Any]:
    warn_ignored(
        "trafilatura",
        **{name: keywords.get(name) for name in ("tei_validation", "deduplicate", "date_extraction_params")},
    )
    config = _read_config(keywords["settingsfile"]) if keywords.get("settingsfile") else keywords["config"]
    warn_of_settings(config)
    focus = "recall" if keywords["favor_recall"] else "precision" if keywords["favor_precision"] else None
    return {
        **{name: keywords[f"include_{name}"] for name in _SWITCHES},
        **{name: keywords[name] for name in ("url", "output_format", "target_language")},
        **{name: bool(keywords.get(name)) for name in ("with_metadata", "only_with_metadata")},
        **{name: keywords[name] or () for name in ("url_blacklist", "author_blacklist")},
        "favor": focus,
        "config": config,
    }


def _read_options(options: Any, keywords: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401 (an `Extractor`)
    config = getattr(options, "config", None)
    dates = getattr(options, "date_params", None) or {}
    warn_ignored(
        "trafilatura",
        deduplicate=getattr(options, "dedup", False),
        tei_validation=getattr(options, "tei_validation", False),
        # an extractor has these three keys unless it was given others
        date_extraction_params=dates.keys() - {"original_date", "extensive_search", "max_date"},
    )
    warn_of_settings(config)
    return {
        **{name: getattr(options, name) for name in (*_SWITCHES, "with_metadata", "only_with_metadata")},
        **{name: getattr(options, name) or () for name in ("url_blacklist", "author_blacklist")},
        "url": options.url or keywords.get("url"),
        "output_format": options.format,
        "target_language": options.lang,
        "favor": options.focus if options.focus in {"precision", "recall"} else None,
        "config": config,
    }


def _read_config(path: str) -> ConfigParser:
    if not Path(path).is_file():
        raise FileNotFoundError("The given config file does not exist")
    config = ConfigParser()
    config.read(path)
    return config


def warn_of_settings(config: ConfigParser | None, ignored: dict[str, str] = _IGNORED_SETTINGS) -> None:
    """Warn of the settings of a configuration that have no effect and another value than the given ones."""
    if config is not None:
        values = {name: config.get("DEFAULT", name, fallback=default).strip() for name, default in ignored.items()}
        warn_ignored("trafilatura", **{name: value != ignored[name] for name, value in values.items()})


def run(filecontent: object, settings: Settings, *, with_trees: bool = True) -> tuple[Extraction, Document] | None:
    """Return the content of a page and its document, or None where trafilatura has None.

    `with_trees` says whether the document has the content as elements.
    """
    try:
        markup = read_markup(filecontent)
        if settings.prune_xpath is not None and has_tag(markup):
            markup = _prune(markup, settings.prune_xpath)
    except TypeError:
        return None
    if not has_tag(markup):
        return None
    extraction = extract(markup, settings.url, favor=settings.favor)
    if not extraction:
        return None
    document = Document(idval=settings.record_id)
    if settings.needs_metadata:
        fill_metadata(document, extraction, settings.url, settings.author_blacklist)
    if not _is_wanted(extraction, document, settings):
        return None
    shown = settings.shown
    formatted = shown.formatting and settings.output_format in _WITH_MARKDOWN
    document.text = plain_lines(extraction, replace(shown, formatting=formatted))
    document.raw_text = " ".join(document.text.split())
    lines = comment_lines(extraction.comments) if shown.comments else []
    document.comments = "\n".join(lines) if shown.comments else None
    short = len(document.raw_text) < settings.min_output_size
    if short and len(document.comments or "") < settings.min_output_comm_size:
        return None
    if with_trees:
        document.body, document.commentsbody = body_of(extraction, shown), paragraphs_body(lines)
    if settings.needs_metadata or settings.output_format in _WITH_FINGERPRINT:
        document.fingerprint = fingerprint(document.text)
    return extraction, document


def _prune(markup: str | bytes, paths: str | list[str]) -> str:
    try:
        return remove_elements(markup, xpath=[paths] if isinstance(paths, str) else paths)
    except ValueError as error:
        raise lxml_error("XPathSyntaxError", ValueError(str(error))) from error


def _is_wanted(extraction: Extraction, document: Document, settings: Settings) -> bool:
    """Return whether the page is one that the keywords let through."""
    if settings.only_with_metadata and not (document.date and document.title and document.url):
        return False
    if document.url in settings.url_blacklist:
        return False
    return not settings.target_language or _is_in_language(extraction, settings.target_language)


def _is_in_language(extraction: Extraction, language: str) -> bool:
    """Return whether the content is in a language (ISO 639-1); what the page declares decides where in doubt."""
    found = extraction.metadata.language
    return found is None or _primary(found) == _primary(language)


def _primary(language: str) -> str:
    return language.replace("_", "-").partition("-")[0].lower()
