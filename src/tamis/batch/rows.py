"""Rows: what a batch writes for each page. Their columns are the same for every page of a batch."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from tamis.api import Extraction, extract
from tamis.api.options import Options
from tamis.batch.records import Record
from tamis.errors import OptionError, TamisError
from tamis.render.options import RenderOptions
from tamis.render.registry import get_format
from tamis.sources.files import read_file

#: ok: has content. empty: the page has none. dropped: a filter dropped it. error: the page could not be read or
#: extracted. too large, timeout, memory, crash: it exceeded its budget, or ended its process.
RowStatus = Literal["ok", "empty", "dropped", "error", "too large", "timeout", "memory", "crash"]
Row = dict[str, Any]
#: Columns that every row begins with.
FIRST_COLUMNS: Final = ("id", "url", "status", "error")
#: Columns that are not formats, and their types as Arrow names them.
VALUE_COLUMNS: Final = {
    "title": "string",
    "page_type": "string",
    "confidence": "double",
    "words": "int64",
    "cpu_ms": "double",
}
#: Columns of objects and lists. In Arrow they are JSON: their fields grow with versions, and a schema must not.
NESTED_COLUMNS: Final = ("metadata", "warnings")


#: never: pages are read as they were served. auto: pages that show nothing or have low confidence, and that scripts
#: build, are drawn by a browser first. always: all pages are.
RenderMode = Literal["never", "auto", "always"]
#: The column that says what the browser did, and its values besides ``"drawn"``, ``"no gain"`` and ``"failed: …"``.
RENDERED: Final = "rendered"
WANTED: Final = "wanted"  #: on the way to the browser; never in an output
OVER_BUDGET: Final = "over budget"


@dataclass(frozen=True, slots=True)
class Filters:
    """Pages that are dropped. Each row says which filter dropped it.

    Attributes:
        languages: keep pages in these languages (ISO 639-1), if a page's language is known.
        min_confidence: keep pages with at least this confidence.
        page_types: keep pages of these types.
        min_words: keep pages with at least this many words of content.
    """

    languages: frozenset[str] | None = None
    min_confidence: float | None = None
    page_types: frozenset[str] | None = None
    min_words: int | None = None

    def reason(self, extraction: Extraction, text: str) -> str | None:
        """Return why a page is dropped, or None."""
        if self.min_words is not None and len(text.split()) < self.min_words:
            return f"fewer than {self.min_words} words"
        if self.min_confidence is not None and (extraction.confidence or 0.0) < self.min_confidence:
            return f"confidence below {self.min_confidence:g}"
        if self.page_types is not None and extraction.page_type not in self.page_types:
            return f"page type {extraction.page_type}"
        if self.languages is not None:
            language = (extraction.metadata.language or "").lower().partition("-")[0]
            if language and language not in self.languages:
                return f"language {language}"
        return None


@dataclass(frozen=True, slots=True)
class RowOptions:
    """How a page becomes a row.

    Attributes:
        columns: formats (``"text"``, ``"markdown"``, ``"html"`` …), values (``"title"``, ``"page_type"``,
            ``"confidence"``, ``"words"``, ``"cpu_ms"``), ``"metadata"`` and ``"warnings"``, in the order of the
            columns.
        options: how content is chosen.
        render_options: how it is shown.
        max_page_bytes: larger pages are not read.
        filters: pages that are dropped.
        keep_dropped: whether the row of a dropped page has its content.
        render: which pages a browser draws (extra ``visual``). If any, rows have the column ``rendered``: None,
            ``"drawn"``, ``"no gain"``, ``"over budget"`` or ``"failed: …"``.
    """

    columns: tuple[str, ...] = ("title", "text", "page_type", "confidence")
    options: Options = field(default_factory=Options)
    render_options: RenderOptions = field(default_factory=RenderOptions)
    max_page_bytes: int | None = None
    filters: Filters = field(default_factory=Filters)
    keep_dropped: bool = False
    render: RenderMode = "never"

    def __post_init__(self) -> None:
        for column in self.columns:
            if column not in VALUE_COLUMNS and column not in NESTED_COLUMNS:
                try:
                    get_format(column)
                except OptionError as error:
                    known = ", ".join([*VALUE_COLUMNS, *NESTED_COLUMNS])
                    raise OptionError(f"no column is named {column!r}: give a format, or one of {known}") from error

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns of a row, in order."""
        return (*FIRST_COLUMNS, *self.columns, *(() if self.render == "never" else (RENDERED,)))


def error_row(record: Record, status: RowStatus, message: str, options: RowOptions) -> Row:
    """Return the row of a page that was not extracted."""
    values: Row = dict.fromkeys(options.names)
    return {**values, "id": record.id, "url": record.url, "status": status, "error": message}


def make_row(record: Record, options: RowOptions) -> Row:
    """Extract a page and return its row. What a page or its source does wrong is in the row, and raises nothing.

    >>> row = make_row(Record("a", body="<p>Boil the water, and wait. Then pour it."), RowOptions(("text",)))
    >>> row["status"], row["text"]
    ('ok', 'Boil the water, and wait. Then pour it.')
    """
    if record.error is not None:
        return error_row(record, "too large" if record.too_large else "error", record.error, options)
    try:
        limit = options.max_page_bytes
        body = read_body(record, limit)
        if limit is not None and len(body) > limit:
            return error_row(record, "too large", f"larger than {limit} bytes", options)
        return _extract(record, body, options)
    except TamisError as error:
        return error_row(record, "error", str(error), options)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 (a batch never ends because of one page)
        return error_row(record, "error", f"{type(error).__name__}: {error}", options)


def read_body(record: Record, max_bytes: int | None) -> bytes | str:
    """Return the markup of a page; of one that is larger than allowed, possibly only the beginning."""
    if record.body is not None:
        return record.body
    assert record.path is not None
    return read_file(Path(record.path), max_bytes)


def _extract(record: Record, body: bytes | str, options: RowOptions) -> Row:
    start = time.process_time()
    chosen = options.options
    if chosen.encoding is None and record.encoding is not None:
        chosen = chosen.replace(encoding=record.encoding)
    try:
        extraction = extract(body, record.url, options=chosen, render_options=options.render_options)
    except OptionError:  # an encoding that nobody knows; the page may still say what it is
        if chosen is options.options:
            raise
        extraction = extract(body, record.url, options=options.options, render_options=options.render_options)
    row = fill_row(record, extraction, options)
    if row.get("cpu_ms", 0) is None and row["status"] in {"ok", "dropped"}:
        row["cpu_ms"] = round(1000 * (time.process_time() - start), 3)
    if options.render != "never" and (options.render == "always" or _needs_browser(extraction)):
        row[RENDERED] = WANTED
    return row


def fill_row(record: Record, extraction: Extraction, options: RowOptions) -> Row:
    """Return the row of a page, without its time."""
    row: Row = dict.fromkeys(options.names)
    row |= {"id": record.id, "url": record.url}
    if "warnings" in row:  # a page without content may have some, too
        row["warnings"] = [warning.as_dict() for warning in extraction.warnings]
    if not extraction:
        return row | {"status": "empty", "error": extraction.empty_reason}
    text = extraction.text
    dropped = options.filters.reason(extraction, text)
    row["status"], row["error"] = ("ok", None) if dropped is None else ("dropped", dropped)
    if dropped is None or options.keep_dropped:
        row.update(_values(extraction, text, options.columns))
    return row


def _needs_browser(extraction: Extraction) -> bool:
    from tamis.visual.scripted import needs_browser  # noqa: PLC0415 (only where pages are drawn)

    return needs_browser(extraction)


def _values(extraction: Extraction, text: str, columns: Iterable[str]) -> Row:
    values: Row = {}
    for column in columns:
        if column == "words":
            values[column] = len(text.split())
        elif column == "metadata":
            values[column] = extraction.metadata.as_dict()
        elif column == "text":
            values[column] = text
        elif column == "confidence":
            values[column] = None if extraction.confidence is None else round(extraction.confidence, 6)
        elif column in {"title", "page_type"}:
            values[column] = getattr(extraction, column)
        elif column not in {"cpu_ms", "warnings"}:
            values[column] = extraction.render(get_format(column)).text.rstrip("\n")
    return values
