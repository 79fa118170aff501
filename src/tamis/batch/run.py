"""`run`: a batch from sources to a sink, which can be killed at any moment and resumed, and what it has done."""

import hashlib
import json
import os
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tamis.batch.by_site import check_by_site, learn_sites, with_profiles
from tamis.batch.rows import Encoded, RowOptions, encode_json
from tamis.batch.sinks import CHUNK_ROWS, Sink, open_sink
from tamis.batch.worker import Done, PageWorker, load_default_model, map_pairs
from tamis.errors import OptionError, SourceError
from tamis.sources.downloads import with_downloads
from tamis.sources.fetch import Requests
from tamis.sources.guard import Policy
from tamis.sources.readers import count_records, read_records
from tamis.sources.records import Record

if TYPE_CHECKING:
    from tamis.batch.escalation import Escalation


_MAX_PROBLEMS: Final = 20  #: kinds of problems that are told apart
_MAX_EXAMPLES: Final = 3


@dataclass(slots=True)
class Problem:
    """What went wrong with some pages, and the ids of the first ones."""

    status: str
    error: str
    count: int = 0
    examples: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Summary:
    """What a batch has done so far.

    Attributes:
        statuses: the number of rows of each status.
        resumed: rows that an earlier run had written.
        seconds: the time of this run.
        total: the number of pages of the whole batch, if it is known.
        learned_from: the pages that were read so far to learn their sites; 0 before and after that.
        was_finished: an earlier run had finished, so that there was nothing to resume.
        problems: what went wrong, the first twenty kinds.

    >>> half = Summary(Counter(ok=90, error=10), seconds=2.0, total=200)
    >>> half.rows, half.rate, half.seconds_left
    (100, 50.0, 2.0)
    """

    statuses: Counter[str] = field(default_factory=Counter)
    resumed: int = 0
    seconds: float = 0.0
    total: int | None = None
    learned_from: int = 0
    was_finished: bool = False
    problems: list[Problem] = field(default_factory=list)

    def add_problem(self, status: str, error: str | None, name: str) -> None:
        """Count what went wrong with a page."""
        reason = error or status
        for problem in self.problems:
            if (problem.status, problem.error) == (status, reason):
                break
        else:
            is_new = len(self.problems) < _MAX_PROBLEMS
            problem = Problem(status, reason) if is_new else self.problems[-1]
            if is_new:
                self.problems.append(problem)
            else:
                problem.status, problem.error = "error", "other reasons"
        problem.count += 1
        if len(problem.examples) < _MAX_EXAMPLES:
            problem.examples.append(name)

    @property
    def rows(self) -> int:
        """All rows, those of earlier runs included."""
        return sum(self.statuses.values())

    @property
    def rate(self) -> float:
        """Pages per second of this run."""
        return (self.rows - self.resumed) / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        """The time that the other pages will take at this rate, if their number is known."""
        if self.total is None or not self.rate:
            return None
        return max(0, self.total - self.rows) / self.rate


# The state of an unfinished run, in a file beside its output: which pages have rows, and where the output ends.

_VERSION: Final = 4


class DoneNumbers:
    """The numbers of the pages that have rows: all below one, and some above it where the order is free.

    >>> done = DoneNumbers()
    >>> for number in (0, 1, 5, 6, 9):
    ...     done.add(number)
    >>> done.as_json()
    {'below': 2, 'ranges': [[5, 7], [9, 10]]}
    >>> 6 in DoneNumbers.from_json(done.as_json()), 4 in done
    (True, False)
    """

    def __init__(self, below: int = 0, above: Iterable[int] = ()) -> None:
        self._below, self._above = below, set(above)

    def add(self, number: int) -> None:
        """Add a number."""
        if number != self._below:
            self._above.add(number)
            return
        self._below += 1
        while self._below in self._above:
            self._above.remove(self._below)
            self._below += 1

    def __contains__(self, number: int) -> bool:
        return number < self._below or number in self._above

    def as_json(self) -> dict[str, Any]:
        """Return the numbers as JSON."""
        ranges: list[list[int]] = []
        for number in sorted(self._above):
            if ranges and ranges[-1][1] == number:
                ranges[-1][1] += 1
            else:
                ranges.append([number, number + 1])
        return {"below": self._below, "ranges": ranges}

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> "DoneNumbers":
        """Return the numbers that `as_json` wrote."""
        return cls(values["below"], (number for start, end in values["ranges"] for number in range(start, end)))


class StateFile:
    """The file of a state. It is replaced as a whole, never half written.

    Attributes:
        sites: a folder beside it for the profiles of a site-aware batch.
    """

    def __init__(self, output: Path, settings: tuple[Any, ...]) -> None:
        self._output, self._path = output, output.with_name(output.name + ".state")
        self.sites = output.with_name(output.name + ".sites")
        self._fingerprint = hashlib.sha256(repr(settings).encode()).hexdigest()

    def load(self, *, resume: bool, overwrite: bool) -> dict[str, Any] | None:
        """Return the state to go on from; None to begin.

        Raises:
            OptionError: there is a state that cannot be resumed or that was not asked for, or there is an output.
        """
        if not self._path.exists() and not (resume or overwrite) and _has_output(self._output):
            raise OptionError(
                f"{self._output} exists: give --overwrite to replace it, or --resume to go on with a run"
            )
        if not self._path.exists() or overwrite:
            shutil.rmtree(self.sites, ignore_errors=True)  # of other pages, perhaps
            return None
        if not resume:
            raise OptionError(
                f"{self._path} is of an interrupted run: give --resume to go on, or --overwrite to discard it"
            )
        try:
            saved: dict[str, Any] = json.loads(self._path.read_text("utf-8"))
        except (ValueError, OSError) as error:
            raise OptionError(f"{self._path} cannot be read: {error}; give --overwrite to discard it") from error
        if saved.get("version") != _VERSION or saved.get("fingerprint") != self._fingerprint:
            raise OptionError(
                f"{self._path} is of a run with other sources or options; give --overwrite to discard it"
            )
        return saved

    def save(self, values: dict[str, Any]) -> None:
        """Replace the state."""
        content = {"version": _VERSION, "fingerprint": self._fingerprint, **values}
        partial = self._path.with_name(self._path.name + ".partial")
        with partial.open("w", encoding="utf-8") as file:
            json.dump(content, file)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(self._path)

    def remove(self) -> None:
        """Remove the state: the run is finished."""
        self._path.unlink(missing_ok=True)
        shutil.rmtree(self.sites, ignore_errors=True)


def _has_output(path: Path) -> bool:
    """Return whether there is something to lose: a file that is not empty, or a folder with files."""
    if path.is_dir():
        return any(path.iterdir())
    return path.is_file() and path.stat().st_size > 0


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """How a batch runs.

    Attributes:
        workers: the number of worker processes.
        wall_timeout: seconds after which a page is given up.
        max_memory: bytes that a worker process may hold.
        ordered: rows in the order of the pages, else when they are ready, so no page waits for a slow one.
        resume: go on with a run that was interrupted.
        overwrite: replace an output that exists, and discard the state of an interrupted run.
        errors: a file for the rows of all pages that are not `ok`, as JSON Lines.
        render_budget: pages that a browser may render: a number (``"1000"``) or a share of the pages (``"5%"``).
        network: let rendered pages load their resources.
        policy: the addresses and ports that pages may be downloaded from, and that rendered pages may load from.
        requests: how pages are downloaded.
        fetch_timeout: seconds for downloading a page; that of `FetchLimits` if None.
        by_site: read all pages twice; what repeats on the pages of a host is evidence when they are decided.
        chunk_rows: rows that are written at once. A kill loses at most the work on one chunk.
    """

    workers: int = 1
    wall_timeout: float | None = None
    max_memory: int | None = None
    ordered: bool = True
    resume: bool = False
    overwrite: bool = False
    errors: Path | None = None
    render_budget: str = "5%"
    network: bool = False
    policy: Policy = field(default_factory=Policy)
    requests: Requests = field(default_factory=Requests)
    fetch_timeout: float | None = None
    by_site: bool = False
    chunk_rows: int = CHUNK_ROWS


def run(
    sources: Sequence[str],
    output: Path,
    *,
    options: BatchOptions | None = None,
    row_options: RowOptions | None = None,
    progress: Callable[[Summary], None] | None = None,
) -> Summary:
    """Extract all pages of the sources into a file or a folder; return what was done.

    Every page has one row. A run that was killed is resumed with ``BatchOptions(resume=True)``: nothing is lost and
    nothing is written twice. Unless the order of the rows is free, the output is the same, byte for byte, as that of
    a run that was not killed.

    Args:
        sources: files, folders, URLs, archives: see `tamis.sources.readers`.
        output: a file (`tamis.batch.sinks.SUFFIXES`) or a folder.
        options: how the batch runs.
        row_options: the columns of a row, and how content is chosen and shown.
        progress: called now and then with what was done so far.

    Raises:
        OptionError: the output exists or has the state of another run, its name says no format, or there are no
            workers.
        SourceError: the output cannot be written.
    """
    chosen, rows = options or BatchOptions(), row_options or RowOptions()
    if chosen.workers < 1:
        raise OptionError(f"a batch needs at least one worker process, not {chosen.workers}")
    sink = open_sink(output, rows)
    if chosen.by_site:
        check_by_site(sources, rows)
    settings = (list(sources), rows, chosen.chunk_rows, chosen.ordered, chosen.render_budget)
    state = StateFile(output, (*settings, "by site") if chosen.by_site else settings)
    saved = state.load(resume=chosen.resume, overwrite=chosen.overwrite)
    if chosen.resume and saved is None and output.exists():
        sink.clean()  # of a run that was killed right after it had finished
        return Summary(was_finished=True)  # a finished run leaves no state
    if chosen.errors is not None and not chosen.overwrite:
        is_own = saved is not None and saved["errors_file"] == str(chosen.errors)
        if not is_own and _has_output(chosen.errors):
            raise OptionError(f"{chosen.errors} exists: give --overwrite to replace it (--errors)")
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
        self._errors_size = self._rendered = 0
        self._escalation = None if rows.render == "never" else _escalation(options, rows, sink)

    def open(self, saved: dict[str, Any] | None) -> None:
        """Begin, or go on from a state. What was written after that state is removed."""
        if saved is None:
            self._save(None)  # from now on a kill leaves a state, even before the first row
            self._sink.open(None)
        else:
            self.summary.statuses.update(saved["statuses"])
            self.summary.problems = [Problem(**problem) for problem in saved["problems"]]
            self.summary.resumed = self.summary.rows
            self._done = DoneNumbers.from_json(saved["done"])
            self._errors_size, self._rendered = saved["errors"], saved["rendered"]
            if self._escalation is not None:
                self._escalation.rendered = self._rendered
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
                self._pages(DoneNumbers()),
                self._state.sites,
                self._rows,
                check_by_site(self._sources, self._rows),
                workers=self._options.workers,
                max_seconds=self._options.wall_timeout,
                max_memory=self._options.max_memory,
                progress=show,
            )
        self.summary.learned_from = 0
        self._rows = with_profiles(self._rows, self._state.sites)
        if self._escalation is not None:
            self._escalation = _escalation(self._options, self._rows, self._sink)
            self._escalation.rendered = self._rendered

    def write_all(self, progress: Callable[[Summary], None] | None) -> None:
        """Write the rows of all pages that have none yet."""
        start = time.monotonic()
        pairs = map_pairs(
            self._pages(self._done),
            PageWorker(self._rows, self._sink.encoding, self._options.wall_timeout),
            workers=self._options.workers,
            max_memory=self._options.max_memory,
            ordered=self._options.ordered,
            prepare=load_default_model,
        )
        rows = (done for done, _ in pairs) if self._escalation is None else self._escalation.apply(pairs)
        for done in rows:
            self._add(done)
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

    def _pages(self, done: DoneNumbers) -> Iterator[tuple[int, Record]]:
        """Yield the pages that are not done, with their numbers."""
        records = enumerate(read_records(self._sources, self._rows.max_bytes))
        return with_downloads(
            (numbered for numbered in records if numbered[0] not in done),
            max_bytes=self._rows.max_bytes,
            policy=self._options.policy,
            requests=self._options.requests,
            timeout=self._options.fetch_timeout,
        )

    def _add(self, done: Done) -> None:
        number, status, row = done[:3]
        self._chunk.append(row)
        self._done.add(number)
        if self._escalation is not None and number in self._escalation.newly_rendered:
            self._escalation.newly_rendered.remove(number)
            self._rendered += 1
        self.summary.statuses[status] += 1
        if status == "ok":
            return
        if status not in {"empty", "dropped"}:
            self.summary.add_problem(status, done.error, done.id)
        if self._options.errors is not None:
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
                "problems": [asdict(problem) for problem in self.summary.problems],
                "done": self._done.as_json(),
                "errors": self._errors_size,
                "errors_file": str(self._options.errors),
                "rendered": self._rendered,
                "sink": sink_state,
            }
        )


def _escalation(options: BatchOptions, rows: RowOptions, sink: Sink) -> "Escalation":
    from tamis.batch.escalation import Escalation, RenderBudget  # noqa: PLC0415 (an extra)
    from tamis.browser.config import check_available  # noqa: PLC0415 (likewise)

    check_available()
    budget = RenderBudget.parse(options.render_budget)
    seconds = options.wall_timeout or 30.0
    return Escalation(rows, sink.encoding, budget, options.network, options.policy, seconds)
