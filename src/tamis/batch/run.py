"""`run`: a batch from sources to a sink, which can be killed at any moment and resumed."""

import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tamis.batch.records import Record
from tamis.batch.rows import RowOptions
from tamis.batch.sinks import Sink, open_sink
from tamis.batch.sources import read_records
from tamis.batch.worker import Encoded, PageWorker, encode_json, load_default_model, map_records
from tamis.errors import OptionError, SourceError

#: Rows of a chunk: few enough that a kill loses seconds, many enough that writing costs nothing.
CHUNK_ROWS: Final = 256
_STATE_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How a batch runs.

    Attributes:
        workers: the number of worker processes.
        max_page_seconds: seconds after which a page is given up.
        max_page_memory: bytes that a worker process may hold.
        resume: go on with a run that was interrupted.
        overwrite: begin anew where an interrupted run left its state.
        errors: a file for the rows of pages that were not extracted, as JSON Lines.
        chunk_rows: rows that are written at once. A kill loses at most the work on one chunk.
    """

    workers: int = 1
    max_page_seconds: float | None = None
    max_page_memory: int | None = None
    resume: bool = False
    overwrite: bool = False
    errors: Path | None = None
    chunk_rows: int = CHUNK_ROWS


@dataclass(slots=True)
class Summary:
    """What a batch has done so far.

    Attributes:
        statuses: the number of rows of each status.
        resumed: rows that an earlier run had written.
        seconds: the time of this run.
    """

    statuses: Counter[str] = field(default_factory=Counter)
    resumed: int = 0
    seconds: float = 0.0

    @property
    def rows(self) -> int:
        """All rows, those of earlier runs included."""
        return sum(self.statuses.values())

    @property
    def rate(self) -> float:
        """Pages per second of this run."""
        return (self.rows - self.resumed) / self.seconds if self.seconds else 0.0


def run(
    sources: Sequence[str],
    output: Path,
    *,
    options: BatchOptions | None = None,
    row_options: RowOptions | None = None,
    suffix: str = "txt",
    progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Extract all pages of the sources into a file or a folder; return what was done.

    Every page has one row. The rows have the order of the pages. A run that was killed is resumed with
    ``BatchOptions(resume=True)``: nothing is lost, nothing is written twice, and the output is the same, byte for
    byte, as that of a run that was not.

    Args:
        sources: files, folders, URLs, archives: see `tamis.batch.sources`.
        output: a file (.jsonl, .jsonl.gz, .jsonl.zst, .parquet) or a folder.
        options: how the batch runs.
        row_options: the columns of a row, and how content is chosen and shown.
        suffix: the suffix of the files in a folder.
        progress: called now and then with what was done so far.

    Raises:
        OptionError: the output has the state of another run, or its name says no format.
        SourceError: the output cannot be written.
    """
    chosen, rows = options or BatchOptions(), row_options or RowOptions()
    sink = open_sink(output, rows, suffix)
    state = _State(output, _fingerprint(sources, rows, suffix, chosen.chunk_rows))
    summary = Summary()
    saved = state.load(resume=chosen.resume, overwrite=chosen.overwrite)
    if chosen.resume and saved is None and output.exists():
        return summary  # it was finished: a finished run leaves no state
    if saved is not None:
        summary.statuses.update(saved["statuses"])
        summary.resumed = summary.rows
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        sink.open(saved["sink"] if saved else None)
        _write_all(sources, sink, state, summary, chosen, rows, progress)
        sink.finish()
    except OSError as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"cannot write {output}: {(error.strerror or str(error)).lower()}") from error
    finally:
        with suppress(OSError):
            sink.close()
    state.remove()
    return summary


def _write_all(
    sources: Sequence[str],
    sink: Sink,
    state: "_State",
    summary: Summary,
    options: BatchOptions,
    rows: RowOptions,
    progress: Callable[[Summary], None] | None,
) -> None:
    start = time.monotonic()
    records = _skip(read_records(sources, rows.max_page_bytes), summary.resumed)
    worker = PageWorker(rows, sink.encoding, options.max_page_seconds)
    chunk: list[Encoded] = []
    errors: list[bytes] = []

    def write_chunk() -> None:
        sink_state = sink.write(chunk)
        if options.errors is not None and errors:
            with options.errors.open("ab") as file:
                file.write(b"".join(errors))
        summary.seconds = time.monotonic() - start
        state.save({"statuses": dict(summary.statuses), "sink": sink_state})
        chunk.clear()
        errors.clear()
        if progress is not None:
            progress(summary)

    if options.errors is not None and not summary.resumed:
        options.errors.write_bytes(b"")
    outcomes = map_records(
        records, worker, workers=options.workers, max_memory=options.max_page_memory, prepare=load_default_model
    )
    for _, status, row in outcomes:
        chunk.append(row)
        summary.statuses[status] += 1
        if status not in {"ok", "empty", "dropped"} and options.errors is not None:
            errors.append(row if isinstance(row, bytes) else encode_json(row))
        if len(chunk) == options.chunk_rows:
            write_chunk()
    if chunk:
        write_chunk()
    summary.seconds = time.monotonic() - start


def _skip(records: Iterator[Record], count: int) -> Iterator[tuple[int, Record]]:
    for number, record in enumerate(records):
        if number >= count:
            yield number, record


def _fingerprint(sources: Sequence[str], rows: RowOptions, suffix: str, chunk_rows: int) -> str:
    return hashlib.sha256(repr((list(sources), rows, suffix, chunk_rows)).encode()).hexdigest()


class _State:
    """The state of an unfinished run, in a file beside the output. It is replaced as a whole, never half written."""

    def __init__(self, output: Path, fingerprint: str) -> None:
        self._path = output.with_name(output.name + ".state")
        self._fingerprint = fingerprint

    def load(self, *, resume: bool, overwrite: bool) -> dict[str, Any] | None:
        if not self._path.exists() or overwrite:
            return None
        if not resume:
            raise OptionError(f"{self._path} is of an interrupted run: give --resume to go on, or --overwrite")
        try:
            saved: dict[str, Any] = json.loads(self._path.read_text("utf-8"))
        except (ValueError, OSError) as error:
            raise OptionError(f"{self._path} cannot be read: {error}; give --overwrite to begin anew") from error
        if saved.get("version") != _STATE_VERSION or saved.get("fingerprint") != self._fingerprint:
            raise OptionError(
                f"{self._path} is of a run with other sources or options; give --overwrite to begin anew"
            )
        return saved

    def save(self, values: dict[str, Any]) -> None:
        content = {"version": _STATE_VERSION, "fingerprint": self._fingerprint, **values}
        partial = self._path.with_name(self._path.name + ".partial")
        with partial.open("w", encoding="utf-8") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self._path)

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)
