"""The work of a worker process: a few pages at a time, each one under its own limits."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from tamis.batch.rows import (
    RENDERED,
    WANTED,
    Encoded,
    Row,
    RowEncoding,
    RowOptions,
    RowStatus,
    encode_json,
    error_row,
    make_row,
)
from tamis.processes import Budget, Failure, Outcome, Supervisor, emit, step
from tamis.sources.records import Record

#: Pages of a task: enough that sending them costs little beside extracting them.
_TASK_PAGES: Final = 16
_TASK_BYTES: Final = 4_000_000  #: or this many bytes, so few pages are in memory
_STATUS: Final[dict[str, RowStatus]] = {
    "timeout": "timeout",
    "cpu": "timeout",
    "memory": "memory",
    "crash": "crash",
    "error": "error",
}


@dataclass(frozen=True, slots=True)
class Numbered:
    """A record and its number in the batch. `retried` is set after its process has ended once."""

    number: int
    record: Record
    retried: bool = False


class Done(NamedTuple):
    """The row of a page, with its number in the batch, its status, its id and what went wrong."""

    number: int
    status: RowStatus
    row: Encoded
    id: str = ""
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """Pages to extract, and rows of pages that failed in an earlier process, which are sent on."""

    pages: tuple[Numbered, ...]
    failed: "tuple[Done, ...]" = ()


@dataclass(frozen=True, slots=True)
class PageWorker:
    """Extracts the pages of a task. Picklable: it is sent to each worker process once.

    Attributes:
        options: how a page becomes a row.
        encoding: how rows are sent.
        max_seconds: seconds after which a page is given up.
        make: returns the row of a page.
    """

    options: RowOptions
    encoding: RowEncoding = "json"
    max_seconds: float | None = None
    make: Callable[[Record, RowOptions], Row] = make_row

    def __call__(self, task: Task) -> None:
        """Extract each page, and send its row at once: it is safe if the next page ends the process."""
        for done in task.failed:
            emit(done)
        for page in task.pages:
            with step(page.number, self.max_seconds):
                row = self.make(page.record, self.options)
                wanted = row.get(RENDERED) == WANTED
                done = self._done(page, row)
                emit(done._replace(row=row) if wanted else done)

    def encode(self, row: Row) -> Encoded:
        """Return a row as the sink takes it."""
        return encode_json(row) if self.encoding == "json" else row

    def after_failure(self, failure: Failure[Task]) -> Task | None:
        """Return the task that goes on after a failed one, or None if all of its rows are there.

        A page whose process ended is tried once more, because something else may have ended it.
        """
        done = {each.number for each in failure.emitted}
        unsent = tuple(each for each in failure.task.failed if each.number not in done)
        left = [page for page in failure.task.pages if page.number not in done]
        if not left:
            return Task((), unsent) if unsent else None
        culprit = next((page for page in left if page.number == failure.step), left[0])
        rest = [page for page in left if page is not culprit]
        if failure.status == "crash" and not culprit.retried:
            return Task((replace(culprit, retried=True), *rest), unsent)
        row = error_row(culprit.record, _STATUS[failure.status], failure.message, self.options)
        return Task(tuple(rest), (*unsent, self._done(culprit, row)))

    def _done(self, page: Numbered, row: Row) -> Done:
        return Done(page.number, row["status"], self.encode(row), page.record.id, row.get("error"))

    @staticmethod
    def rows(outcome: Outcome[Task, None]) -> list["Done"]:
        """Return the rows of a task, in the order of its pages, one for each."""
        found = {done.number: done for done in outcome.emitted}
        return sorted(found.values(), key=lambda done: done.number)


def group(records: Iterable[tuple[int, Record]]) -> Iterator[Task]:
    """Yield tasks of some pages each."""
    pages: list[Numbered] = []
    size = 0
    for number, record in records:
        pages.append(Numbered(number, record))
        size += len(record.body or b"")
        if len(pages) == _TASK_PAGES or size >= _TASK_BYTES:
            yield Task(tuple(pages))
            pages, size = [], 0
    if pages:
        yield Task(tuple(pages))


def map_pairs(
    records: Iterable[tuple[int, Record]],
    worker: PageWorker,
    *,
    workers: int,
    max_memory: int | None = None,
    ordered: bool = True,
    prepare: Callable[[], None] | None = None,
) -> "Iterator[tuple[Done, Record]]":
    """Yield the row of each record beside it: every record has exactly one."""
    supervisor: Supervisor[Task, None] = Supervisor(
        worker, size=workers, prepare=prepare, budget=Budget(memory=max_memory)
    )
    for outcome in supervisor.map(group(records), ordered=ordered, resume=worker.after_failure):
        pages = {page.number: page.record for page in outcome.task.pages}
        for done in worker.rows(outcome):
            yield done, pages[done.number]


def load_default_model() -> None:
    """Load what the first page would load, so that every page costs the same."""
    from tamis.api import extract  # noqa: PLC0415 (in a worker process)

    extract("<p>tea").text  # noqa: B018 (loads modules and weights)
