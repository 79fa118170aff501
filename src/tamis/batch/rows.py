"""Rows: what is written for each page, in every output that has rows, and their columns.

JSON Lines, Parquet, CSV, the index of a folder and the tables of engines have these rows, from ``tamis`` as from
``tamis batch``. A row has flat columns. They are the same for every page of an output.
"""

import csv
import io
import json
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Literal

from tamis.api import Extraction
from tamis.api.extraction import extract_with
from tamis.api.options import Options
from tamis.browser.modes import RenderMode
from tamis.document.warnings import ContentWarning
from tamis.errors import MissingExtraError, OptionError, TamisError, UnknownNameError
from tamis.metadata.fields import FIELDS, plain_value
from tamis.page.parse import known_encoding
from tamis.render.registry import RenderOptions, formats, get_format
from tamis.sources.downloads import downloaded
from tamis.sources.fetched import Fetched
from tamis.sources.files import read_file
from tamis.sources.records import Record

#: ok: has content. empty: the page has none. dropped: a filter dropped it. error: the page could not be read or
#: extracted. http_error: the server returned an error, or a redirect, in its place. not_html: the data is not a web
#: page (a PDF, JSON, random bytes). too_large, timeout, memory,
#: crash: it exceeded its budget, or ended its process.
RowStatus = Literal[
    "ok", "empty", "dropped", "error", "http_error", "not_html", "too_large", "timeout", "memory", "crash"
]
Row = dict[str, Any]
#: A row as bytes (a line of JSON) or as values.
Encoded = bytes | Row
RowEncoding = Literal["json", "values"]
#: Of the values of a column. Lists have strings; ``json`` is any value, as JSON in Arrow and CSV.
ColumnType = Literal["string", "int64", "double", "bool", "list", "json"]
#: Columns that every row begins with.
FIRST_COLUMNS: Final = ("id", "url", "status", "error")
#: Columns of a row after the first ones, unless others are asked for.
DEFAULT_COLUMNS: Final = (
    "http_status", "title", "authors", "date", "site", "language", "page_type", "confidence", "words", "text",
)  # fmt: skip
_FIELD_TYPES: Final[dict[str, ColumnType]] = {
    "text": "string", "list": "list", "number": "int64", "moment": "string", "flag": "bool", "map": "json",
}  # fmt: skip
#: Columns that are not formats. Every field of the metadata is one.
COLUMN_TYPES: Final[Mapping[str, ColumnType]] = {
    "http_status": "int64",
    "crawled": "string",
    **{each.name: _FIELD_TYPES[each.type] for each in FIELDS if each.name != "url"},
    "confidence": "double",
    "words": "int64",
    "extractor": "string",
    "encoding": "string",
    "warnings": "json",
    "rule": "string",
    "facts": "json",
    "posts": "json",
    "chunks": "json",
    "cpu_ms": "double",
}
_CHUNK_TOKENS: Final = 512  #: of the chunks of a row, unless the options say; as in `Extraction.chunks`
_FIELD_NAMES: Final = frozenset(each.name for each in FIELDS)
_FIRST_OTHER_STATUS: Final = 300  #: HTTP's redirects and errors: what comes with them is not the page

#: The column that says what the browser did. Its other values are ``"rendered"``, ``"no_gain"`` and ``"failed: …"``.
RENDERED: Final = "rendered"
WANTED: Final = "wanted"  #: on the way to the browser; never in an output
OVER_BUDGET: Final = "over_budget"


def read_columns(text: str) -> tuple[str, ...]:
    """Return the columns that a person wrote, separated by commas; ``metadata`` stands for all of its fields.

    >>> read_columns("title, date,text")
    ('title', 'date', 'text')
    """
    names: list[str] = []
    for name in filter(None, (part.strip() for part in text.split(","))):
        names += [each.name for each in FIELDS if each.name != "url"] if name == "metadata" else [name]
    if not names:
        raise OptionError("--columns names no column")
    return tuple(dict.fromkeys(name for name in names if name not in FIRST_COLUMNS))


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
        columns: fields of the metadata (``"title"``, ``"authors"``, ``"date"`` …), other values of `COLUMN_TYPES`,
            and formats (``"text"``, ``"markdown"``, ``"html"`` …), in the order of the columns.
        options: how content is chosen.
        render_options: how it is shown.
        max_bytes: larger pages are not read.
        filters: pages that are dropped.
        keep_dropped: whether the row of a dropped page has its content.
        render: which pages a browser renders (extra ``visual``). If any, rows have the column ``rendered``: None,
            ``"rendered"``, ``"no_gain"``, ``"over_budget"`` or ``"failed: …"``.
    """

    columns: tuple[str, ...] = DEFAULT_COLUMNS
    options: Options = field(default_factory=Options)
    render_options: RenderOptions = field(default_factory=RenderOptions)
    max_bytes: int | None = None
    filters: Filters = field(default_factory=Filters)
    keep_dropped: bool = False
    render: RenderMode = "never"

    def __post_init__(self) -> None:
        for column in self.columns:
            if column not in COLUMN_TYPES:
                try:
                    get_format(column)
                except OptionError as error:
                    known = [*COLUMN_TYPES, *(entry.name for entry in formats())]
                    raise UnknownNameError.among("column", column, known) from error

    @property
    def content_column(self) -> str | None:
        """The first column that is a format, which is the content of the files in a folder."""
        return next((column for column in self.columns if column not in COLUMN_TYPES), None)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns of a row, in order."""
        return (*FIRST_COLUMNS, *self.columns, *(() if self.render == "never" else (RENDERED,)))


def error_row(record: Record, status: RowStatus, message: str, options: RowOptions) -> Row:
    """Return the row of a page that was not extracted."""
    return _first_values(record, options) | {"status": status, "error": message}


def _first_values(record: Record, options: RowOptions) -> Row:
    """Return a row with what is known before the page is read."""
    row: Row = dict.fromkeys(options.names)
    row |= {"id": record.id, "url": record.url}
    known = {"http_status": record.http_status, "crawled": record.crawled}
    return row | {name: value for name, value in known.items() if name in row}


def http_error(status: int | None) -> str | None:
    """Return why a response is not a page; None if it is one.

    >>> http_error(404), http_error(200)
    ('404 Not Found', None)
    """
    if status is None or status < _FIRST_OTHER_STATUS:
        return None
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def make_row(record: Record, options: RowOptions) -> Row:
    """Extract a page and return its row. What a page or its source does wrong is in the row, and raises nothing.

    >>> row = make_row(Record("a", body="<p>Boil the water, and wait. Then pour it."), RowOptions(("text",)))
    >>> row["status"], row["text"]
    ('ok', 'Boil the water, and wait. Then pour it.')
    """
    if record.is_remote:
        record = downloaded(record, partial(_fetch, record.url or "", options.max_bytes))
    failure = http_error(record.http_status)
    if failure is not None:
        return error_row(record, "http_error", failure, options)
    if record.error is not None:
        return error_row(record, "too_large" if record.too_large else "error", record.error, options)
    try:
        limit = options.max_bytes
        body = read_body(record, limit)
        if limit is not None and len(body) > limit:
            return error_row(record, "too_large", f"larger than {limit} bytes", options)
        return _extract(record, body, options)
    except TamisError as error:
        return error_row(record, "error", str(error), options)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 (a batch never ends because of one page)
        return error_row(record, "error", f"{type(error).__name__}: {error}", options)


def _fetch(url: str, max_bytes: int | None) -> Fetched:
    from tamis.sources.fetch import fetch  # noqa: PLC0415 (only where an engine hands out URLs)

    return fetch(url) if max_bytes is None else fetch(url, max_bytes=max_bytes)


def read_body(record: Record, max_bytes: int | None) -> bytes | str:
    """Return the markup of a page; of one that is larger than allowed, possibly only the beginning."""
    if record.body is not None:
        return record.body
    assert record.path is not None
    return read_file(Path(record.path), max_bytes)


#: The whole title of an error page as servers write it: "404 Not Found", "Error 503", "403 Forbidden | nginx".
_ERROR_TITLE: Final = re.compile(
    r"\W*(?:http )?(?:error )?(?:status )?([45]\d\d)\b\W*(?:error\b|page\b)?\W*"
    r"([a-z '-]*?)\W*(?:[|–—-]\s*[\w. ]{1,40})?",
    re.IGNORECASE,
)
_ERROR_WORDS: Final = 120  #: an error page of a server has fewer


def error_title(title: str | None, words: int) -> str | None:
    """Return the status that a page names as its title; None for a page that is not the error of a server.

    >>> error_title("404 Not Found", 12), error_title("Error 503", 9), error_title("404 ways to brew tea", 90)
    ('404 Not Found', '503 Service Unavailable', None)
    """
    match = _ERROR_TITLE.fullmatch(title or "") if words < _ERROR_WORDS else None
    if match is None:
        return None
    standard = http_error(int(match[1])) or ""
    phrase = match[2].strip().lower()
    return standard if phrase in {"", standard.partition(" ")[2].lower(), "page not found"} else None


def is_json(body: bytes | str) -> bool:
    """Return whether data is a JSON object or array, and so not a page.

    >>> is_json(b' {"a": [1]}'), is_json("[draft] <p>Tea</p>")
    (True, False)
    """
    text = body.strip() if isinstance(body, str) else body.removeprefix(b"\xef\xbb\xbf").strip()
    if text[:1] not in {"{", "[", b"{", b"["}:
        return False
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _extract(record: Record, body: bytes | str, options: RowOptions) -> Row:
    start = time.process_time()
    if is_json(body):
        return error_row(record, "not_html", "not a web page but JSON", options)
    chosen = options.options
    if chosen.encoding is None and record.encoding is not None:
        chosen = chosen.replace(encoding=known_encoding(record.encoding))
    extraction = extract_with(body, record.url, chosen)
    row = fill_row(record, extraction, options)
    if row.get("cpu_ms", 0) is None and row["status"] in {"ok", "dropped"}:
        row["cpu_ms"] = round(1000 * (time.process_time() - start), 3)
    if options.render != "never" and (options.render == "always" or _needs_browser(extraction)):
        row[RENDERED] = WANTED
    return row


def fill_row(record: Record, extraction: Extraction, options: RowOptions) -> Row:
    """Return the row of a page, without its time."""
    row = _first_values(record, options)
    if "warnings" in row:  # a page without content may have some
        row["warnings"] = [warning.as_dict() for warning in extraction.warnings]
    if not extraction:
        status = "empty" if extraction.page.binary_type is None else "not_html"
        return row | {"status": status, "error": extraction.empty_reason}
    rendered = extraction.plain_text(options.render_options)
    text = rendered.text
    failure = error_title(extraction.title, len(text.split()))
    if failure is not None:
        return row | {"status": "http_error", "error": f"{failure}, by its title"}
    dropped = options.filters.reason(extraction, text)
    row["status"], row["error"] = ("ok", None) if dropped is None else ("dropped", dropped)
    if dropped is None or options.keep_dropped:
        reached = list(rendered.warnings)
        row.update(_values(extraction, text, options, reached))
        if "warnings" in row:
            row["warnings"] += [warning.as_dict() for warning in reached]
    return row


def _needs_browser(extraction: Extraction) -> bool:
    from tamis.browser.scripted import needs_browser  # noqa: PLC0415 (only where pages are rendered)

    return needs_browser(extraction)


def _values(  # noqa: C901 (one case per column)
    extraction: Extraction, text: str, options: RowOptions, reached: list[ContentWarning]
) -> Row:
    """Return the values of the columns; warnings of outputs that are cut are added to `reached`."""
    values: Row = {}
    for column in options.columns:
        if column == "words":
            values[column] = len(text.split())
        elif column == "text":
            values[column] = text
        elif column == "confidence":
            values[column] = None if extraction.confidence is None else round(extraction.confidence, 6)
        elif column in {"title", "page_type", "extractor", "rule"}:
            values[column] = getattr(extraction, column)
        elif column in {"facts", "posts"}:
            values[column] = [each.as_dict() for each in getattr(extraction, column)]
        elif column == "chunks":
            values[column] = _chunks(extraction, options.render_options, reached)
        elif column == "encoding":
            values[column] = extraction.page.encoding
        elif column in _FIELD_NAMES:
            values[column] = plain_value(getattr(extraction.metadata, column))
        elif column not in COLUMN_TYPES:
            rendered = extraction.render_with(get_format(column), options.render_options)
            values[column] = rendered.text.rstrip("\n")
            reached += rendered.warnings
    return values


def _chunks(extraction: Extraction, options: RenderOptions, reached: list[ContentWarning]) -> list[dict[str, object]]:
    from tamis.render.chunks import chunk_records  # noqa: PLC0415 (few runs want chunks)

    chunks = extraction.chunks_with(options, options.max_tokens or _CHUNK_TOKENS, overlap=options.overlap)
    reached += chunks.warnings
    return chunk_records(chunks)


# Rows as a line of JSON, as a line of CSV, and as Arrow.


def encode_json(row: Row) -> bytes:
    r"""Return a row as a line of JSON. Lone surrogates, which UTF-8 cannot encode, are replaced.

    >>> encode_json({"id": "a", "text": "té"})
    b'{"id": "a", "text": "t\xc3\xa9"}\n'
    """
    return json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def encode_csv(values: Iterable[Any]) -> bytes:
    r"""Return values as a line of CSV (RFC 4180). Items of lists are separated by semicolons.

    >>> encode_csv(["a", None, ["Ann", "Bo"], 0.5, "tea, hot"])
    b'a,,Ann; Bo,0.5,"tea, hot"\r\n'
    """
    out = io.StringIO()
    csv.writer(out).writerow([_cell(value) for value in values])
    return out.getvalue().encode("utf-8", "replace")


def _cell(value: Any) -> Any:  # noqa: ANN401 (any value of a row)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (dict, list)) else value


def column_type(name: str) -> ColumnType:
    """Return the type of a column: formats are strings."""
    return COLUMN_TYPES.get(name, "string")


def arrow_schema(options: RowOptions) -> Any:  # noqa: ANN401 (pyarrow has no types)
    """Return the Arrow schema of rows. Warnings are JSON: their fields grow with versions, and a schema must not."""
    import pyarrow as pa  # noqa: PLC0415 (an extra)

    types = {"double": pa.float64(), "int64": pa.int64(), "bool": pa.bool_(), "list": pa.list_(pa.string())}
    return pa.schema(
        [(name, pa.string()) for name in FIRST_COLUMNS]
        + [(name, types.get(column_type(name), pa.large_string())) for name in options.names[len(FIRST_COLUMNS) :]]
    )


def rows_to_batch(rows: list[Row], options: RowOptions) -> Any:  # noqa: ANN401 (pyarrow has no types)
    """Return rows as a record batch."""
    import pyarrow as pa  # noqa: PLC0415 (an extra)

    columns = {name: [_plain(row.get(name), column_type(name)) for row in rows] for name in options.names}
    return pa.RecordBatch.from_pydict(columns, schema=arrow_schema(options))


def to_arrow(extractions: "Iterable[Extraction | Row]", *, columns: tuple[str, ...] | None = None) -> Any:  # noqa: ANN401 (pyarrow has no types)
    """Return extractions, or the rows of `extract_many`, as an Arrow table (extra ``batch``).

    Pandas, Polars and DuckDB take it as it is, so that a data frame is one more call::

        tamis.to_arrow(rows).to_pandas()
        polars.from_arrow(tamis.to_arrow(rows))
        duckdb.from_arrow(tamis.to_arrow(rows))

    Args:
        extractions: what `tamis.extract` returns, or rows.
        columns: of the table, after ``id``, ``url``, ``status`` and ``error``. Those of the first row if there are
            rows, else the columns of a batch.

    >>> import tamis
    >>> table = to_arrow([tamis.extract("<p>Boil the water, and wait. Then pour it over.</p>")])
    >>> table.select(["status", "words"]).to_pylist()
    [{'status': 'ok', 'words': 9}]
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("pyarrow", "batch") from error
    options = None if columns is None else RowOptions(columns)
    rows: list[Row] = []
    for number, each in enumerate(extractions):
        if isinstance(each, Extraction):
            options = options or RowOptions()
            rows.append(fill_row(Record(str(number), each.url), each, options))
        elif isinstance(each, Mapping):
            own = tuple(name for name in each if name not in {*FIRST_COLUMNS, RENDERED})
            options = options or RowOptions(own, render="auto" if RENDERED in each else "never")
            rows.append(each)
        else:
            raise OptionError(f"to_arrow takes extractions or the rows of extract_many, not {type(each).__name__}")
    return pa.Table.from_batches([rows_to_batch(rows, options or RowOptions())])


def _plain(value: Any, type_: ColumnType) -> Any:  # noqa: ANN401 (any value of a row)
    if isinstance(value, list) and type_ == "list":
        return [_plain(item, "string") for item in value]
    if isinstance(value, (dict, list)):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()  # Arrow takes no lone surrogates
    return value
