"""`run`: a batch from sources to a sink, which can be killed at any moment and resumed."""

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tamis.batch.by_site import check_by_site, learn_sites, with_profiles
from tamis.batch.rows import RowOptions
from tamis.batch.sinks import Sink, open_sink
from tamis.batch.sources import count_records, read_records
from tamis.batch.state import DoneNumbers, StateFile
from tamis.batch.summary import Summary
from tamis.batch.worker import Encoded, PageWorker, encode_json, load_default_model, map_pairs
from tamis.errors import OptionError, SourceError

if TYPE_CHECKING:
    from tamis.batch.escalation import Escalation

#: Rows of a chunk: few enough that a kill loses seconds, many enough that writing costs nothing.
CHUNK_ROWS: Final = 256


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How a batch runs.

    Attributes:
        workers: the number of worker processes.
        max_page_seconds: seconds after which a page is given up.
        max_page_memory: bytes that a worker process may hold.
        ordered: rows in the order of the pages, else as they are done, so that no page waits for a slow one.
        resume: go on with a run that was interrupted.
        overwrite: begin anew where an interrupted run left its state.
        errors: a file for the rows of pages that were not extracted, as JSON Lines.
        render_budget: pages that a browser may draw: a number (``"1000"``) or a share of the pages (``"5%"``).
        network: let drawn pages load their resources.
        by_site: read all pages twice; what repeats on the pages of a host is evidence when they are decided.
        chunk_rows: rows that are written at once. A kill loses at most the work on one chunk.
    """

    workers: int = 1
    max_page_seconds: float | None = None
    max_page_memory: int | None = None
    ordered: bool = True
    resume: bool = False
    overwrite: bool = False
    errors: Path | None = None
    render_budget: str = "5%"
    network: bool = False
    by_site: bool = False
    chunk_rows: int = CHUNK_ROWS


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

    Every page has one row. A run that was killed is resumed with ``BatchOptions(resume=True)``: nothing is lost and
    nothing is written twice. Unless the order of the rows is free, the output is the same, byte for byte, as that of
    a run that was not killed.

    Args:
        sources: files, folders, URLs, archives: see `tamis.batch.sources`.
        output: a file (.jsonl, .jsonl.gz, .jsonl.zst, .parquet) or a folder.
        options: how the batch runs.
        row_options: the columns of a row, and how content is chosen and shown.
        suffix: the suffix of the files in a folder.
        progress: called now and then with what was done so far.

    Raises:
        OptionError: the output has the state of another run, or its name says no format, or there are no workers.
        SourceError: the output cannot be written.
    """
    chosen, rows = options or BatchOptions(), row_options or RowOptions()
    if chosen.workers < 1:
        raise OptionError(f"a batch needs at least one worker process, not {chosen.workers}")
    sink = open_sink(output, rows, suffix)
    if chosen.by_site:
        check_by_site(sources, rows)
    settings = (list(sources), rows, suffix, chosen.chunk_rows, chosen.ordered, chosen.render_budget)
    state = StateFile(output, (*settings, "by site") if chosen.by_site else settings)
    saved = state.load(resume=chosen.resume, overwrite=chosen.overwrite)
    if chosen.resume and saved is None and output.exists():
        return Summary(was_finished=True)  # a finished run leaves no state
    batch = _Batch(sources, sink, state, chosen, rows)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        batch.open(saved)
        if progress is not None:
            batch.summary.total = count_records(sources)
        if chosen.by_site:
            batch.learn_sites(progress)
        batch.write_all(progress)
        sink.finish()
        state.remove()
        sink.clean()
    except OSError as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"cannot write {output}: {(error.strerror or str(error)).lower()}") from error
    finally:
        with suppress(OSError):
            sink.close()
    return batch.summary


class _Batch:
    """A run: what it reads, what it has written, and how it goes on."""

    def __init__(
        self, sources: Sequence[str], sink: Sink, state: StateFile, options: BatchOptions, rows: RowOptions
    ) -> None:
        self._sources, self._sink, self._state, self._options, self._rows = sources, sink, state, options, rows
        self.summary = Summary()
        self._done = DoneNumbers()
        self._chunk: list[Encoded] = []
        self._errors: list[bytes] = []
        self._errors_size = self._drawn = 0
        self._escalation = None if rows.render == "never" else _escalation(options, rows, sink)

    def open(self, saved: dict[str, Any] | None) -> None:
        """Begin, or go on from a state. What was written after that state is removed."""
        if saved is None:
            self._save(None)  # from now on a kill leaves a state, even before the first row
            self._sink.open(None)
        else:
            self.summary.statuses.update(saved["statuses"])
            self.summary.resumed = self.summary.rows
            self._done = DoneNumbers.from_json(saved["done"])
            self._errors_size, self._drawn = saved["errors"], saved["drawn"]
            if self._escalation is not None:
                self._escalation.drawn = self._drawn
            self._sink.open(saved["sink"])
        if self._options.errors is not None:
            with self._options.errors.open("ab") as file:
                file.truncate(self._errors_size)

    def learn_sites(self, progress: Callable[[Summary], None] | None) -> None:
        """Learn the sites of all pages, unless the run that is resumed has."""

        def show(pages: int) -> None:
            self.summary.learned_from = pages
            if progress is not None:
                progress(self.summary)

        if not self._state.sites.is_dir():
            learn_sites(
                self._sources,
                self._state.sites,
                self._rows,
                workers=self._options.workers,
                max_seconds=self._options.max_page_seconds,
                max_memory=self._options.max_page_memory,
                progress=show,
            )
        self.summary.learned_from = 0
        self._rows = with_profiles(self._rows, self._state.sites)
        if self._escalation is not None:
            self._escalation = _escalation(self._options, self._rows, self._sink)
            self._escalation.drawn = self._drawn

    def write_all(self, progress: Callable[[Summary], None] | None) -> None:
        """Write the rows of all pages that have none yet."""
        start = time.monotonic()
        records = enumerate(read_records(self._sources, self._rows.max_page_bytes))
        pairs = map_pairs(
            (numbered for numbered in records if numbered[0] not in self._done),
            PageWorker(self._rows, self._sink.encoding, self._options.max_page_seconds),
            workers=self._options.workers,
            max_memory=self._options.max_page_memory,
            ordered=self._options.ordered,
            prepare=load_default_model,
        )
        rows = (done for done, _ in pairs) if self._escalation is None else self._escalation.apply(pairs)
        for number, status, row in rows:
            self._add(number, status, row)
            if len(self._chunk) == self._options.chunk_rows:
                self._write_chunk()
                self.summary.seconds = time.monotonic() - start
                if progress is not None:
                    progress(self.summary)
        if self._chunk:
            self._write_chunk()
        self.summary.seconds = time.monotonic() - start
        if progress is not None:
            progress(self.summary)

    def _add(self, number: int, status: str, row: Encoded) -> None:
        self._chunk.append(row)
        self._done.add(number)
        if self._escalation is not None and number in self._escalation.fresh:
            self._escalation.fresh.remove(number)
            self._drawn += 1
        self.summary.statuses[status] += 1
        if status not in {"ok", "empty", "dropped"} and self._options.errors is not None:
            self._errors.append(row if isinstance(row, bytes) else encode_json(row))

    def _write_chunk(self) -> None:
        sink_state = self._sink.write(self._chunk)
        if self._options.errors is not None and self._errors:
            with self._options.errors.open("ab") as file:
                file.write(b"".join(self._errors))
                self._errors_size = file.tell()
        self._save(sink_state)
        self._chunk.clear()
        self._errors.clear()

    def _save(self, sink_state: dict[str, Any] | None) -> None:
        self._state.save(
            {
                "statuses": dict(self.summary.statuses),
                "done": self._done.as_json(),
                "errors": self._errors_size,
                "drawn": self._drawn,
                "sink": sink_state,
            }
        )


def _escalation(options: BatchOptions, rows: RowOptions, sink: Sink) -> "Escalation":
    from tamis.batch.escalation import Escalation, RenderBudget, check_browser  # noqa: PLC0415 (an extra)

    check_browser()
    budget = RenderBudget.parse(options.render_budget)
    return Escalation(rows, sink.encoding, budget, options.network, options.max_page_seconds or 30.0)
