"""Sinks of a batch: JSON Lines and CSV (plain, gz, zst), Parquet, and a folder that mirrors the input.

``tamis`` and ``tamis batch`` write rows by these, in chunks. After each chunk, what was written is on disk, and the
state of the sink says how much that is. A run that was killed goes on from there, and what came after is cut off. The
same rows in the same chunks give the same bytes, however often a run was interrupted. In a compressed file, each is a
gzip member or a zstd frame.
"""

import gzip
import hashlib
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO, Any, Final

from tamis.batch.rows import Encoded, RowEncoding, RowOptions, arrow_schema, encode_csv, encode_json, rows_to_batch
from tamis.errors import MissingExtraError, OptionError
from tamis.render.registry import get_format

__all__ = ["CHUNK_ROWS", "SUFFIXES", "Sink", "open_sink"]

#: The suffixes of each format of rows.
_FORMATS: Final = {
    "jsonl": (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst"),
    "csv": (".csv", ".csv.gz", ".csv.zst"),
    "parquet": (".parquet",),
}
#: The suffixes of outputs; a path without a suffix is a folder.
SUFFIXES: Final = tuple(suffix for suffixes in _FORMATS.values() for suffix in suffixes)
#: Rows of a chunk: few enough that a kill loses seconds, many enough that writing costs nothing.
CHUNK_ROWS: Final = 256


class Sink:
    """Where rows go. This one goes nowhere.

    Attributes:
        encoding: how it takes rows.
    """

    encoding: RowEncoding = "values"

    def open(self, state: dict[str, Any] | None) -> None:
        """Begin anew, or go on from a state; what was written after that state is removed."""

    def write(self, rows: list[Encoded]) -> dict[str, Any]:  # noqa: ARG002 (of every sink)
        """Write a chunk, wait until it is on disk, and return the state."""
        return {}

    def finish(self) -> None:
        """Complete the output. The state of the run is still there: a run that is killed here finishes again."""

    def clean(self) -> None:
        """Remove what was kept for a run that is killed. The state of the run is gone."""

    def close(self) -> None:
        """Release files. What was not completed stays as it is."""


def open_sink(path: Path | None, options: RowOptions, format_name: str | None = None) -> Sink:
    """Return the sink for a path, or for standard output if it is None, by the name of the format or of the path.

    >>> [type(open_sink(Path(name), RowOptions())).__name__ for name in ("out.jsonl.gz", "out.csv", "out")]
    ['LineSink', 'LineSink', 'FolderSink']
    """
    name = "" if path is None else path.name.lower()
    chosen = format_name or next((each for each, known in _FORMATS.items() if name.endswith(known)), None)
    if chosen == "parquet":
        return ParquetSink(path, options)
    if chosen is not None:
        return LineSink(path, options, is_csv=chosen == "csv")
    if path is None or (path.suffix and not path.is_dir()):
        known = ", ".join(SUFFIXES)
        raise OptionError(f"unknown suffix of the output: {path}; known: {known}, or a folder without a suffix")
    return FolderSink(path, options)


def _is_stream(path: Path | None) -> bool:
    """Return whether an output is standard output, a pipe or a device, which has no beginning to go back to."""
    return path is None or (path.exists() and not path.is_file())


class LineSink(Sink):
    """One line for each page, of JSON or of CSV."""

    def __init__(self, path: Path | None, options: RowOptions, *, is_csv: bool = False) -> None:
        self._path, self._columns, self._is_csv = path, options.names, is_csv
        self._is_stream = _is_stream(path)
        self.encoding = "values" if is_csv else "json"
        self._file: IO[bytes] | None = None
        self._compress = _compressor("" if path is None else path.name.lower())

    def open(self, state: dict[str, Any] | None) -> None:
        """Begin anew, or cut the file off where the state ends."""
        if state is not None:
            assert self._path is not None
            self._file = self._path.open("r+b")
            self._file.truncate(state["bytes"])
            self._file.seek(state["bytes"])
            return
        self._file = sys.stdout.buffer if self._path is None else self._path.open("wb")
        if self._is_csv:
            self._file.write(self._compress(encode_csv(self._columns)))
            self._file.flush()

    def write(self, rows: list[Encoded]) -> dict[str, Any]:
        """Append a chunk."""
        assert self._file is not None
        self._file.write(self._compress(b"".join(map(self._line, rows))))
        self._file.flush()
        if self._is_stream:
            return {}
        os.fsync(self._file.fileno())
        return {"bytes": self._file.tell()}

    def _line(self, row: Encoded) -> bytes:
        if isinstance(row, bytes):
            return row
        return encode_csv(row.get(name) for name in self._columns) if self._is_csv else encode_json(row)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None and self._path is not None:
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


class ParquetSink(Sink):
    """One row for each page."""

    def __init__(self, path: Path | None, options: RowOptions) -> None:
        try:
            import pyarrow  # noqa: F401, ICN001, PLC0415 (an extra; missing ones are reported at once)
        except ImportError as error:
            raise MissingExtraError.for_module("pyarrow", "batch") from error
        self._path, self._options, self._chunks = path, options, 0
        self._folder = None if path is None or _is_stream(path) else path.with_name(path.name + ".chunks")

    def open(self, state: dict[str, Any] | None) -> None:
        """Begin anew, or go on after the chunks of the state."""
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="tamis-"))
        elif state is None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.mkdir(exist_ok=True)
        self._chunks = 0 if state is None else state["chunks"]

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
        assert self._folder is not None
        return self._folder / f"{number:08}.arrow"

    def finish(self) -> None:
        """Write the chunks into one file, each as a row group. A batch without pages is also a file."""
        if self._path is None or _is_stream(self._path):
            self._put_together(sys.stdout.buffer if self._path is None else self._path)
            return
        partial = self._path.with_name(self._path.name + ".partial")
        self._put_together(partial)
        partial.replace(self._path)

    def _put_together(self, target: "Path | IO[bytes]") -> None:
        import pyarrow as pa  # noqa: PLC0415 (an extra)
        import pyarrow.parquet as pq  # noqa: PLC0415 (an extra)

        with pq.ParquetWriter(target, arrow_schema(self._options), compression="zstd") as writer:
            for number in range(self._chunks):
                with self._chunk(number).open("rb") as file:
                    writer.write_table(pa.ipc.open_file(file).read_all(), row_group_size=_ROW_GROUP)

    def clean(self) -> None:
        """Remove the chunks."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


_ROW_GROUP: Final = 4096  #: rows; a chunk has fewer


# A folder that mirrors the input: a file for each page with content, and ``rows.jsonl`` with a line per page.

INDEX: Final = "rows.jsonl"
_UNSAFE: Final = re.compile(r'[\x00-\x1f<>:"|?*\\]')
_MAX_NAME: Final = 200  #: characters of one name; file systems allow 255 bytes


class FolderSink(Sink):
    """Files by page. The first column that is a format is their content; the others are in ``rows.jsonl``."""

    def __init__(self, path: Path, options: RowOptions) -> None:
        content = options.content_column
        if content is None:
            raise OptionError("the files of a folder need a column that is a format: text, markdown, html …")
        self._path, self._content, self._suffix = path, content, get_format(content).suffix
        self._index = LineSink(path / INDEX, options)

    def open(self, state: dict[str, Any] | None) -> None:
        """Begin anew, or cut the index off where the state ends."""
        self._path.mkdir(parents=True, exist_ok=True)
        self._index.open(state)

    def write(self, rows: list[Encoded]) -> dict[str, Any]:
        """Write the files of a chunk, then their lines in the index."""
        lines: list[Encoded] = []
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
        return self._index.write(lines)

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

    def close(self) -> None:
        """Close the index."""
        self._index.close()
