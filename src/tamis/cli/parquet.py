"""Parquet: a row per page, with nested values (extra ``parquet``)."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

from tamis.cli.output import cannot_write
from tamis.errors import MissingExtraError

if TYPE_CHECKING:
    from tamis.api import Extraction
    from tamis.sources import Source

# ruff: noqa: PLC0415 (pyarrow is an extra)

_ROWS_PER_GROUP: Final = 200  #: pages in memory at once
_LEFT_OUT: Final = frozenset({"document", "metadata", "comments"})  #: a tree has no columns; metadata has its own


class ParquetFile:
    """Writes pages into a Parquet file, some at a time. The columns are the values of JSON and of its metadata."""

    def __init__(self, path: Path | None) -> None:
        try:
            import pyarrow.parquet as pq
        except ImportError as error:
            raise MissingExtraError.for_module("pyarrow", "parquet") from error
        self._pq: Any = pq
        self._writer: Any = None
        self._path, self._rows, self._include = path, list[dict[str, Any]](), tuple[str, ...]()

    def add(self, source: "Source", extraction: "Extraction") -> bool:
        """Add a page."""
        from tamis.render.json import as_dict

        record = as_dict(extraction, extraction.render_options, file=source.name)
        metadata = {name: value for name, value in record["metadata"].items() if name != "sources"}
        self._rows.append(
            {
                **{name: value for name, value in record.items() if name not in _LEFT_OUT},
                **metadata,
                "url": record["url"],
            }
        )
        self._include = extraction.render_options.include
        if len(self._rows) >= _ROWS_PER_GROUP:
            self._write()
        return True

    def close(self) -> None:
        """Write the last pages and close the file. Without pages there is no file."""
        if self._rows:
            self._write()
        if self._writer is not None:
            self._writer.close()

    def _write(self) -> None:
        import pyarrow as pa

        schema = parquet_schema(self._include)
        try:
            if self._writer is None:
                sink: Any = self._path or typer.get_binary_stream("stdout")
                self._writer = self._pq.ParquetWriter(sink, schema, compression="zstd")
            self._writer.write_table(pa.Table.from_pylist(self._rows, schema))
        except BrokenPipeError:
            raise
        except OSError as error:
            raise cannot_write(str(self._path or "standard output"), error) from error
        self._rows = []


def parquet_schema(include: tuple[str, ...] = ()) -> Any:  # noqa: ANN401 (pyarrow has no types)
    """Return the columns."""
    import pyarrow as pa

    from tamis.metadata.fields import FIELDS

    text, number, count = pa.string(), pa.float64(), pa.int64()
    link = pa.struct([("text", text), ("url", text)])
    image = pa.struct([("url", text), ("alt", text), ("caption", text), ("width", count), ("height", count)])
    block = pa.struct([("text", text), ("tag", text), ("score", number), ("reason", text), ("part", count)])
    warning = pa.struct([("type", text), ("reason", text), ("count", count), ("xpath", text), ("excerpt", text)])
    columns = {"file": text, "url": text}
    field_types = {"text": text, "list": pa.list_(text), "number": count}
    columns |= {field.name: field_types[field.type] for field in FIELDS}
    columns |= dict.fromkeys(("extractor", "empty_reason", "encoding", "text", *include), text)
    columns |= dict.fromkeys(("page_type_probability", "confidence"), number)
    columns |= {"links": pa.list_(link), "images": pa.list_(image), "index_links": pa.list_(link)}
    columns |= {"blocks": pa.list_(block), "warnings": pa.list_(warning)}
    return pa.schema(list(columns.items()))
