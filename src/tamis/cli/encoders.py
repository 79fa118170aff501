"""What one page becomes in each output. A worker process calls these; see `tamis.cli.writers` for the other side."""

import json
from typing import TYPE_CHECKING, Any, Final, Literal

from tamis.cli.bundle import bundle_for
from tamis.cli.fields import field_lines, field_value
from tamis.render.registry import get_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from tamis.api import Extraction
    from tamis.cli.page_job import PageJob

# ruff: noqa: PLC0415 (writers load where they are used, not for --help)

#: page: a page as it is. bundle: one of several in one output. line: JSON in one line. csv: a row. table: the page
#: itself, for a format that writes all pages at once. record: a row of Parquet. field, chunks: what the options name.
Encoding = Literal["page", "bundle", "line", "csv", "table", "record", "field", "chunks"]
#: Text, a row of Parquet, or a page.
Encoded = Any

_LEFT_OUT: Final = frozenset({"document", "metadata", "comments"})  #: a tree has no columns; metadata has its own


def encode(job: "PageJob", name: str, extraction: "Extraction") -> Encoded:
    """Return what is written for a page; None if there is nothing."""
    return _ENCODERS[job.encoding](job, name, extraction)


def rendered_text(extraction: "Extraction", format_name: str) -> str:
    """Return a page in a format, with a line end."""
    # Plain text without positions has a faster writer, see `tamis.render.row_text`.
    text = extraction.text if format_name == "text" else ""
    text = text or extraction.render(get_format(format_name)).text  # an index page has no text, but links
    return text.rstrip("\n") + "\n" if text else ""


def _json(extraction: "Extraction", name: str, indent: int | None = None) -> str:
    """Return the record of a page, with its name on the command line."""
    from tamis.render.json import as_dict

    record = as_dict(extraction, extraction.render_options, file=name)
    text = json.dumps(record, ensure_ascii=False, indent=indent)
    if len(text) > extraction.options.limits.max_output:  # the renderer cuts it, and says so in the warnings
        record = {"file": name, **json.loads(extraction.render("json").text)}
        text = json.dumps(record, ensure_ascii=False, indent=indent)
    return text + "\n"


def _page(job: "PageJob", name: str, extraction: "Extraction") -> str:
    return _json(extraction, name, 2) if job.format == "json" else rendered_text(extraction, job.format)


def _line(_job: "PageJob", name: str, extraction: "Extraction") -> str:
    return _json(extraction, name)


def _bundle(job: "PageJob", name: str, extraction: "Extraction") -> str:
    return bundle_for(job.format).framed(name, extraction, rendered_text(extraction, job.format))


def _csv(_job: "PageJob", name: str, extraction: "Extraction") -> str:
    from tamis.render.csv import render_csv

    return render_csv([(extraction, name)], header=False)


def _table(_job: "PageJob", _name: str, extraction: "Extraction") -> "Extraction":
    return extraction


def _record(_job: "PageJob", name: str, extraction: "Extraction") -> dict[str, Any]:
    from tamis.render.json import as_dict

    record = as_dict(extraction, extraction.render_options, file=name)
    metadata = {name: value for name, value in record["metadata"].items() if name != "sources"}
    values = {name: value for name, value in record.items() if name not in _LEFT_OUT}
    return {**values, **metadata, "url": record["url"]}


def _field(job: "PageJob", name: str, extraction: "Extraction") -> str | None:
    """Return one field of a page, a value per line; of several pages, after the name of the page."""
    assert job.field is not None
    value = field_value(extraction, job.field)
    if value in (None, "", []):
        return None
    prefix = f"{name}: " if job.several else ""
    return "".join(f"{prefix}{line}\n" for line in field_lines(value, as_json=job.format in {"json", "jsonl"}))


def _chunks(job: "PageJob", name: str, extraction: "Extraction") -> str:
    """Return a line of JSON per chunk."""
    from tamis.render.chunks import chunk_values

    assert job.chunks is not None
    ids = {part: number for number, part in enumerate(extraction.document)}
    page = {"file": name, "url": extraction.url, "title": extraction.title}
    chunks = extraction.chunks(job.chunks, format="text" if job.format == "text" else "markdown")
    return "".join(json.dumps(page | chunk_values(chunk, ids), ensure_ascii=False) + "\n" for chunk in chunks)


_ENCODERS: "Final[dict[Encoding, Callable[[PageJob, str, Extraction], Encoded]]]" = {
    "page": _page,
    "bundle": _bundle,
    "line": _line,
    "csv": _csv,
    "table": _table,
    "record": _record,
    "field": _field,
    "chunks": _chunks,
}
