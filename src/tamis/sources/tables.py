"""Parquet and Arrow files: a column of HTML, with columns ``id`` and ``url`` if present."""

from collections.abc import Iterator
from typing import Any, Final

from tamis.errors import MissingExtraError, SourceError
from tamis.sources.files import open_binary
from tamis.sources.lines import from_values
from tamis.sources.records import Record

_ROWS: Final = 64  #: rows that are read at once: few, because a row may be megabytes
_COLUMNS: Final = frozenset(
    {"id", "url", "source_url", "uri", "html", "content", "body", "raw_content", "encoding", "http_status", "crawled"}
)


def read_arrow(name: str, _max_bytes: int | None) -> Iterator[Record]:
    """Yield the pages of a Parquet, Arrow IPC or Feather file, one for each row."""
    try:
        import pyarrow as pa  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("pyarrow", "batch") from error
    row = 0
    try:
        with open_binary(name) as file:
            for batch in _batches(name, file):
                columns = {column: batch.column(column) for column in batch.schema.names if column in _COLUMNS}
                for index in range(batch.num_rows):
                    row += 1
                    values = {column: array[index].as_py() for column, array in columns.items()}
                    yield from_values(values, f"row {row}")
    except (SourceError, OSError, pa.ArrowException) as error:
        yield Record("(end)", error=f"{name} could not be read to its end: {error}")


def _batches(name: str, file: Any) -> Iterator[Any]:  # noqa: ANN401 (pyarrow has no types)
    import pyarrow as pa  # noqa: PLC0415 (an extra)
    import pyarrow.parquet as pq  # noqa: PLC0415 (an extra)

    if name.lower().endswith(".parquet"):
        table = pq.ParquetFile(file)
        wanted = [column for column in table.schema_arrow.names if column in _COLUMNS]
        yield from table.iter_batches(_ROWS, columns=wanted)
        return
    try:
        reader = pa.ipc.open_file(file)
    except pa.ArrowInvalid:
        file.seek(0)
        yield from pa.ipc.open_stream(file)
        return
    for number in range(reader.num_record_batches):
        yield reader.get_batch(number)
