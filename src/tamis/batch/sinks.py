"""Sinks of a batch: JSON Lines and CSV (plain, gz, zst), Parquet, and a folder that mirrors the input.

A sink writes rows in chunks. After each chunk, what it has written is on disk, and its state says how much that is. A
run that was killed goes on from there, and what came after is cut off. The same rows in the same chunks give the same
bytes, however often a run was interrupted. In a compressed file, each chunk is a gzip member or a zstd frame.
"""

import gzip
import hashlib
import os
import re
import shutil
from pathlib import Path
from typing import IO, Any, Final, Protocol

from tamis.batch.rows import RowOptions, arrow_schema, encode_csv, encode_json, rows_to_batch
from tamis.batch.worker import Encoded, RowEncoding
from tamis.errors import MissingExtraError, OptionError
from tamis.render.registry import get_format

__all__ = ["SUFFIXES", "Sink", "open_sink"]

_LINES: Final = (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst")
_CSV: Final = (".csv", ".csv.gz", ".csv.zst")
#: The suffixes of outputs; a path without a suffix is a folder.
SUFFIXES: Final = (*_LINES, *_CSV, ".parquet")


class Sink(Protocol):
    """Where rows go."""

    encoding: RowEncoding

    def open(self, state: dict[str, Any] | None) -> None:
        """Begin anew, or go on from a state; what was written after that state is removed."""

    def write(self, rows: list[Encoded]) -> dict[str, Any]:
        """Write a chunk, wait until it is on disk, and return the state."""

    def finish(self) -> None:
        """Complete the output. The state of the run is still there: a run that is killed here finishes again."""

    def clean(self) -> None:
        """Remove what was kept for a run that is killed. The state of the run is gone."""

    def close(self) -> None:
        """Release files. What was not completed stays as it is."""


def open_sink(path: Path, options: RowOptions) -> Sink:
    """Return the sink for a path, by its name.

    >>> [type(open_sink(Path(name), RowOptions())).__name__ for name in ("out.jsonl.gz", "out.csv", "out")]
    ['LineSink', 'LineSink', 'FolderSink']
    """
    name = path.name.lower()
    if name.endswith(_LINES):
        return LineSink(path, options, is_csv=False)
    if name.endswith(_CSV):
        return LineSink(path, options, is_csv=True)
    if name.endswith(".parquet"):
        return ParquetSink(path, options)
    if path.suffix and not path.is_dir():
        known = ", ".join(SUFFIXES)
        raise OptionError(f"unknown suffix of the output: {path}; known: {known}, or a folder without a suffix")
    return FolderSink(path, options)


class LineSink:
    """One line for each page, of JSON or of CSV."""

    encoding: RowEncoding

    def __init__(self, path: Path, options: RowOptions, *, is_csv: bool) -> None:
        self._path, self._columns, self._is_csv = path, options.names, is_csv
        self.encoding = "values" if is_csv else "json"
        self._file: IO[bytes] | None = None
        self._compress = _compressor(path.name.lower())

    def open(self, state: dict[str, Any] | None) -> None:
        """Begin anew, or cut the file off where the state ends."""
        if state is None:
            self._file = self._path.open("wb")
            if self._is_csv:
                self._file.write(self._compress(encode_csv(self._columns)))
                self._file.flush()
            return
        self._file = self._path.open("r+b")
        self._file.truncate(state["bytes"])
        self._file.seek(state["bytes"])

    def write(self, rows: list[Encoded]) -> dict[str, Any]:
        """Append a chunk."""
        assert self._file is not None
        self._file.write(self._compress(b"".join(map(self._line, rows))))
        self._file.flush()
        os.fsync(self._file.fileno())
        return {"bytes": self._file.tell()}

    def _line(self, row: Encoded) -> bytes:
        if isinstance(row, bytes):
            return row
        return encode_csv(row.get(name) for name in self._columns) if self._is_csv else encode_json(row)

    def finish(self) -> None:
        """Nothing is left to do: every line is written."""

    def clean(self) -> None:
        """Nothing is left to remove."""

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def _compressor(name: str) -> Any:  # noqa: ANN401 (a function from bytes to bytes)
    if name.endswith(".gz"):
        return lambda data: gzip.compress(data, 6, mtime=0)  # no time: the same rows give the same bytes
    if name.endswith(".zst"):
        try:
            import zstandard  # noqa: PLC0415 (an extra)
        except ImportError as error:
            raise MissingExtraError.for_module("zstandard", "batch") from error
        return zstandard.ZstdCompressor(level=3).compress
    return bytes


# Parquet. A Parquet file cannot be appended to, so chunks wait beside it and are put together at the end.


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

    encoding: RowEncoding = "values"

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

        batch = rows_to_batch([row for row in rows if isinstance(row, dict)], self._options)
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
        output.create()  # a batch without pages is also a file
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


# A folder that mirrors the input: a file for each page with content, and ``rows.jsonl`` with a line per page.

INDEX: Final = "rows.jsonl"
_UNSAFE: Final = re.compile(r'[\x00-\x1f<>:"|?*\\]')
_MAX_NAME: Final = 200  #: characters of one name; file systems allow 255 bytes


class FolderSink:
    """Files by page. The first column that is a format is their content; the others are in ``rows.jsonl``."""

    encoding: RowEncoding = "values"

    def __init__(self, path: Path, options: RowOptions) -> None:
        content = options.content_column
        if content is None:
            raise OptionError("the files of a folder need a column that is a format: text, markdown, html …")
        self._path, self._content, self._suffix = path, content, get_format(content).suffix
        self._index: IO[bytes] | None = None

    def open(self, state: dict[str, Any] | None) -> None:
        """Begin anew, or cut the index off where the state ends."""
        self._path.mkdir(parents=True, exist_ok=True)
        index = self._path / INDEX
        if state is None:
            self._index = index.open("wb")
            return
        self._index = index.open("r+b")
        self._index.truncate(state["bytes"])
        self._index.seek(state["bytes"])

    def write(self, rows: list[Encoded]) -> dict[str, Any]:
        """Write the files of a chunk, then their lines in the index."""
        assert self._index is not None
        lines = []
        for row in rows:
            assert isinstance(row, dict)
            content = row.get(self._content)
            values = {name: value for name, value in row.items() if name != self._content}
            values["file"] = None
            if isinstance(content, str):
                values["file"] = self._file_name(str(row["id"]))
                target = self._path / values["file"]
                target.parent.mkdir(parents=True, exist_ok=True)
                partial = target.with_name(target.name + ".partial")
                partial.write_bytes(content.encode("utf-8", "replace") + b"\n")
                partial.replace(target)
            lines.append(encode_json(values))
        self._index.write(b"".join(lines))
        self._index.flush()
        os.fsync(self._index.fileno())
        return {"bytes": self._index.tell()}

    def _file_name(self, identity: str) -> str:
        """Return the path of a page's file: that of the page, with another suffix; never outside the folder.

        Two pages never have one file: ``.html`` is replaced, any other suffix is kept, and where a name had to be
        changed a hash of the page's id follows.
        """
        parts = [_UNSAFE.sub("_", part)[:_MAX_NAME] for part in identity.replace("#", "/").split("/")]
        parts = [part for part in parts if part not in {"", ".", ".."}] or ["page"]
        if "/".join(parts) != identity:
            parts[-1] += "-" + hashlib.sha256(identity.encode("utf-8", "replace")).hexdigest()[:8]
        return f"{'/'.join(parts).removesuffix('.html')}.{self._suffix}"

    def finish(self) -> None:
        """Nothing is left to do: every file is written."""

    def clean(self) -> None:
        """Nothing is left to remove."""

    def close(self) -> None:
        """Close the index."""
        if self._index is not None:
            self._index.close()
