"""Sinks of a batch: JSON Lines (plain, gz, zst), Parquet, and a folder that mirrors the input.

A sink writes rows in chunks. After each chunk, what it has written is on disk, and its state says how much that is. A
run that was killed goes on from there, and what came after is cut off. The same rows in the same chunks give the same
bytes, however often a run was interrupted.
"""

from pathlib import Path
from typing import Any, Protocol

from tamis.batch.rows import RowOptions
from tamis.batch.sinks.folder import FolderSink
from tamis.batch.sinks.json_lines import JsonLinesSink
from tamis.batch.sinks.parquet import ParquetSink
from tamis.batch.worker import Encoded, Encoding
from tamis.errors import OptionError

__all__ = ["Sink", "open_sink"]


class Sink(Protocol):
    """Where rows go."""

    encoding: Encoding

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


def open_sink(path: Path, options: RowOptions, suffix: str = "txt") -> Sink:
    """Return the sink for a path, by its name.

    >>> [type(open_sink(Path(name), RowOptions())).__name__ for name in ("out.jsonl.gz", "out")]
    ['JsonLinesSink', 'FolderSink']
    """
    name = path.name.lower()
    if name.endswith((".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson")):
        return JsonLinesSink(path)
    if name.endswith(".parquet"):
        return ParquetSink(path, options)
    if path.suffix and not path.is_dir():
        raise OptionError(f"{path} must end in .jsonl, .jsonl.gz, .jsonl.zst or .parquet, or be a folder")
    return FolderSink(path, options, suffix)
