"""Parquet. A Parquet file cannot be appended to, so chunks wait beside it and are put together at the end."""

import os
import shutil
from pathlib import Path
from typing import IO, Any, Final

from tamis.batch.rows import RowOptions
from tamis.batch.schema import arrow_schema, to_arrow
from tamis.batch.worker import Encoded, Encoding
from tamis.errors import MissingExtraError


class ParquetFile:
    """A Parquet file that is written table by table. The first table creates it."""

    def __init__(self, target: "Path | IO[bytes]", schema: Any) -> None:  # noqa: ANN401 (pyarrow has no types)
        self._target, self._schema = target, schema
        self._writer: Any = None

    def create(self) -> None:
        """Create the file, even if no table follows."""
        import pyarrow.parquet as pq  # noqa: PLC0415 (an extra)

        if self._writer is None:
            self._writer = pq.ParquetWriter(self._target, self._schema, compression="zstd")

    def write(self, table: Any) -> None:  # noqa: ANN401 (pyarrow has no types)
        """Write a table as row groups."""
        self.create()
        self._writer.write_table(table, row_group_size=_ROW_GROUP)

    def close(self) -> None:
        """Complete the file."""
        if self._writer is not None:
            self._writer.close()


class ParquetSink:
    """One row for each page."""

    encoding: Encoding = "values"

    def __init__(self, path: Path, options: RowOptions) -> None:
        try:
            import pyarrow  # noqa: F401, ICN001, PLC0415 (an extra; missing ones are reported at once)
        except ImportError as error:
            raise MissingExtraError.for_module("pyarrow", "batch") from error
        self._path, self._options = path, options
        self._folder = path.with_name(path.name + ".chunks")
        self._chunks = 0

    def open(self, state: dict[str, Any] | None) -> None:
        """Begin anew, or go on after the chunks of the state."""
        if state is None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder.mkdir(parents=True)
        else:
            self._chunks = state["chunks"]
            self._folder.mkdir(parents=True, exist_ok=True)

    def write(self, rows: list[Encoded]) -> dict[str, Any]:
        """Write a chunk as an Arrow file."""
        import pyarrow as pa  # noqa: PLC0415 (an extra)

        batch = to_arrow([row for row in rows if isinstance(row, dict)], self._options)
        with self._chunk(self._chunks).open("wb") as file:
            with pa.ipc.new_file(file, batch.schema) as writer:
                writer.write_batch(batch)
            file.flush()
            os.fsync(file.fileno())
        self._chunks += 1
        return {"chunks": self._chunks}

    def _chunk(self, number: int) -> Path:
        return self._folder / f"{number:08}.arrow"

    def finish(self) -> None:
        """Write the chunks into one file, each as a row group."""
        import pyarrow as pa  # noqa: PLC0415 (an extra)

        partial = self._path.with_name(self._path.name + ".partial")
        output = ParquetFile(partial, arrow_schema(self._options))
        output.create()  # a batch without pages is a file, too
        for number in range(self._chunks):
            with self._chunk(number).open("rb") as file:
                output.write(pa.ipc.open_file(file).read_all())
        output.close()
        partial.replace(self._path)

    def clean(self) -> None:
        """Remove the chunks."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def close(self) -> None:
        """Nothing is open between chunks."""


_ROW_GROUP: Final = 4096  #: rows; a chunk has fewer
