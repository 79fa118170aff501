"""JSON Lines, plain or compressed. Each chunk is a gzip member or a zstd frame of its own."""

import gzip
import os
from pathlib import Path
from typing import IO, Any

from tamis.batch.worker import Encoded, Encoding, encode_json
from tamis.errors import MissingExtraError


class JsonLinesSink:
    """One line for each page."""

    encoding: Encoding = "json"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None
        self._compress = _compressor(path.name.lower())

    def open(self, state: dict[str, Any] | None) -> None:
        """Begin anew, or cut the file off where the state ends."""
        if state is None:
            self._file = self._path.open("wb")
            return
        self._file = self._path.open("r+b")
        self._file.truncate(state["bytes"])
        self._file.seek(state["bytes"])

    def write(self, rows: list[Encoded]) -> dict[str, Any]:
        """Append a chunk."""
        assert self._file is not None
        lines = b"".join(row if isinstance(row, bytes) else encode_json(row) for row in rows)
        self._file.write(self._compress(lines))
        self._file.flush()
        os.fsync(self._file.fileno())
        return {"bytes": self._file.tell()}

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
