"""The keywords of the interface of trafilatura, and a run with them."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from tamis.api import Extraction, extract
from tamis.compat.markup import read_markup, remove_elements
from tamis.compat.trafilatura_document import (
    Document,
    body_of,
    comment_lines,
    fill_metadata,
    fingerprint,
    paragraphs_body,
)
from tamis.compat.trafilatura_formats import FORMATS, Shown, plain_lines
from tamis.compat.unsupported import warn_ignored

_FORMATTED: Final = frozenset({"markdown", "xml", "xmltei", "html"})
_WITH_FINGERPRINT: Final = frozenset({"csv", "python", "xml"})  #: also without metadata


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

    def __post_init__(self) -> None:
        if self.output_format not in FORMATS:
            raise AttributeError(f"Cannot set format, must be one of: {', '.join(sorted(FORMATS))}")

    @property
    def needs_metadata(self) -> bool:
        """Whether the document has metadata, as in trafilatura."""
        return bool(
            self.with_metadata or self.only_with_metadata or self.url_blacklist or self.output_format == "xmltei"
        )


def read_settings(keywords: dict[str, Any]) -> Settings:
    """Return the settings for the keywords of a call, and warn of those that have no effect."""
    if keywords.get("max_tree_size"):
        raise ValueError('"max_tree_size" will be removed, use settings.cfg instead')
    names = ("tei_validation", "deduplicate", "date_extraction_params", "settingsfile", "config")
    warn_ignored("trafilatura", **{name: keywords.get(name) for name in names})
    options = keywords.get("options")
    if options is not None:  # trafilatura's `Extractor`, or anything with its attributes
        warn_ignored("trafilatura", deduplicate=getattr(options, "dedup", False))
        form = options.format
        focus, language = options.focus, options.lang
        switches = options.comments, options.tables, options.images, options.links, options.formatting
        source: dict[str, Any] = {name: getattr(options, name) for name in ("with_metadata", "only_with_metadata")}
        source |= {"url_blacklist": options.url_blacklist, "author_blacklist": options.author_blacklist}
        url = keywords.get("url") or options.url
    else:
        form, language = keywords["output_format"], keywords["target_language"]
        focus = "recall" if keywords["favor_recall"] else "precision" if keywords["favor_precision"] else "balanced"
        names = ("comments", "tables", "images", "links", "formatting")
        switches = tuple(keywords[f"include_{name}"] for name in names)
        source, url = keywords, keywords["url"]
    comments, tables, images, links, formatting = switches
    return Settings(
        url=url,
        record_id=keywords.get("record_id"),
        favor=focus if focus in {"precision", "recall"} else None,
        output_format=form,
        shown=Shown(comments, tables, images, links, bool(formatting) or form in _FORMATTED),
        target_language=language,
        with_metadata=bool(source.get("with_metadata")),
        only_with_metadata=bool(source.get("only_with_metadata")),
        url_blacklist=source.get("url_blacklist") or (),
        author_blacklist=source.get("author_blacklist") or (),
        prune_xpath=keywords.get("prune_xpath"),
    )


def run(filecontent: object, settings: Settings, *, with_trees: bool = True) -> tuple[Extraction, Document] | None:
    """Return the content of a page and its document, or None where trafilatura has None.

    `with_trees` says whether the document has the content as elements.
    """
    try:
        markup = read_markup(filecontent)
    except TypeError:
        return None
    if not is_html(markup):
        return None
    if settings.prune_xpath:
        paths = [settings.prune_xpath] if isinstance(settings.prune_xpath, str) else settings.prune_xpath
        markup = remove_elements(markup, xpath=paths)
    extraction = extract(markup, settings.url, favor=settings.favor)
    if not extraction:
        return None
    document = Document(id=settings.record_id)
    if settings.needs_metadata:
        fill_metadata(document, extraction, settings.url, settings.author_blacklist)
    if not _is_wanted(extraction, document, settings):
        return None
    shown = settings.shown
    as_lines = Shown(shown.comments, shown.tables, shown.images, shown.links)
    document.text = plain_lines(extraction, as_lines if settings.output_format in _FORMATTED else shown)
    document.raw_text = " ".join(document.text.split())
    lines = comment_lines(extraction.comments) if shown.comments else []
    document.comments = "\n".join(lines) if shown.comments else None
    if with_trees:
        document.body, document.commentsbody = body_of(extraction), paragraphs_body(lines)
    if settings.needs_metadata or settings.output_format in _WITH_FINGERPRINT:
        document.fingerprint = fingerprint(document.text)
    return extraction, document


def _is_wanted(extraction: Extraction, document: Document, settings: Settings) -> bool:
    """Return whether the page is one that the keywords let through."""
    if settings.only_with_metadata and not (document.date and document.title and document.url):
        return False
    if document.url in settings.url_blacklist:
        return False
    return not settings.target_language or _is_in_language(extraction, settings.target_language)


def is_html(markup: str | bytes) -> bool:
    """Return whether there is a tag: trafilatura finds nothing in plain text."""
    return ("<" in markup) if isinstance(markup, str) else b"<" in markup


def _is_in_language(extraction: Extraction, language: str) -> bool:
    """Return whether the content is in a language (ISO 639-1); what the page declares decides where in doubt."""
    found = extraction.metadata.detected_language or extraction.metadata.language
    return found is None or found.partition("-")[0].lower() == language.lower()
