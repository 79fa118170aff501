"""The function that engines run on many machines: Arrow batches of pages in, Arrow batches of rows out."""

import os
import pickle
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, cast

from tamis.batch.rows import Row, RowOptions, make_row, rows_to_batch
from tamis.batch.worker import PageWorker, Task, group, load_default_model
from tamis.errors import OptionError
from tamis.processes import Budget, Supervisor
from tamis.processes.pool import ProcessPool
from tamis.sources.readers import read_input
from tamis.sources.records import Record

# Worker processes that are kept between the calls of a job.
#
# An engine calls a job once for each part of its data, in a process that it uses again. To start workers and load the
# model each time would cost more than a small part does. So a pool that is free stays, one in each process of the
# engine, and the next call with the same options takes it. Workers end with the process that started them.

_lock = threading.Lock()
_free: "tuple[Supervisor[Any, Any], ProcessPool] | None" = None


@contextmanager
def reusable_pool(supervisor: "Supervisor[Any, Any]") -> Iterator[ProcessPool]:
    """Provide the pool of an equal supervisor that was used before and is free, or a new one.

    After an exception, or where the caller stops early, the pool is closed: its workers may still be at work.
    """
    pool = _take(supervisor) or supervisor.open_pool()
    try:
        yield pool
    except BaseException:
        pool.close()
        raise
    _keep(supervisor, pool)


def close_reusable_pool() -> None:
    """End the workers that are kept, if there are any."""
    _keep(None, None)


def _take(supervisor: "Supervisor[Any, Any]") -> ProcessPool | None:
    global _free  # noqa: PLW0603 (one process, one free pool)
    with _lock:
        if _free is None or not _is_equal(_free[0], supervisor):
            return None
        pool = _free[1]
        _free = None
        return pool


def _is_equal(first: object, second: object) -> bool:
    try:
        return first == second
    except ValueError:  # an extractor that holds arrays
        return pickle.dumps(first) == pickle.dumps(second)


def _keep(supervisor: "Supervisor[Any, Any] | None", pool: ProcessPool | None) -> None:
    global _free
    with _lock:
        replaced, _free = _free, None if supervisor is None or pool is None else (supervisor, pool)
    if replaced is not None:
        replaced[1].close()


def _forget() -> None:
    """Forget the pool in a forked process: its threads and workers are those of the parent."""
    global _free, _lock
    _free, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


# The function that engines run on many machines: Arrow batches of pages in, Arrow batches of rows out.
#
# ::
#
#     batches of pages ─┐                   ┌─► worker process ─┐
#                       ├─► Record ─► tasks ┤   (supervised)    ├─► Row ─► batches of rows
#     batches of paths ─┘                   └─► …              ─┘
#
# It imports no engine. Spark, Ray and DataTrove call it, each through a thin module of this package. Every page
# runs in a worker process under the supervisor, because an engine by itself ends the job when a page ends its
# process, or tries again without end. Here such a page is a row with a status, as every page is.

#: Columns of the input, by the names that crawls use. The first one that a batch has is taken.
HTML_COLUMNS: Final = ("html", "content", "body", "raw_content")
URL_COLUMNS: Final = ("url", "source_url", "uri")
#: Rows of a batch that is returned: enough that a batch costs little beside its rows.
_BATCH_ROWS: Final = 256
_BATCH_CHARS: Final = 16_000_000  #: or this much text, so that few batches are in memory


@dataclass(frozen=True, slots=True)
class JobOptions:
    """How a job runs in each process of an engine.

    Attributes:
        rows: the columns of a row, and how content is chosen and shown.
        workers: worker processes for each process of the engine. One is right where the engine runs a process for
            each core. 0 extracts in the process of the engine, without limits of time and memory, to debug.
        wall_timeout: seconds after which a page is given up.
        max_memory: bytes that a worker process may hold.
    """

    rows: RowOptions = field(default_factory=RowOptions)
    workers: int = 1
    wall_timeout: float | None = 30.0
    max_memory: int | None = 2_000_000_000

    def __post_init__(self) -> None:
        if self.rows.render != "never":
            raise OptionError("an engine's processes render no pages: leave RowOptions.render as it is")


def extract_batches(batches: Iterable[Any], options: JobOptions | None = None) -> Iterator[Any]:
    """Yield the rows of Arrow batches of pages, as Arrow batches: one row for each page, in the order of the pages.

    The input has a column of HTML (``html``, ``content``, ``body`` or ``raw_content``; text or bytes), and, if known,
    ``url``, ``id`` and ``encoding``. A page without an id is named by its URL, else by its number.

    Or it has a column ``path``: archives that are read here, with all of their pages (WARC, Parquet, JSON Lines, zip,
    …: see `tamis.sources.readers`). Where such a row has an ``id``, the ids of its pages begin with it.

    The output has the schema of `tamis.batch.rows.arrow_schema`. There is at least one batch, which may be empty.

    >>> import pyarrow as pa
    >>> pages = pa.RecordBatch.from_pydict({"id": ["a"], "html": ["<p>Boil the water, and wait. Then pour it over."]})
    >>> next(extract_batches([pages], JobOptions(workers=0))).select(["id", "status"]).to_pylist()
    [{'id': 'a', 'status': 'ok'}]
    """
    chosen = options or JobOptions()
    rows: list[Row] = []
    chars, is_empty = 0, True
    for row in extract_records(_records(batches, chosen.rows.max_bytes), chosen):
        rows.append(row)
        chars += sum(len(value) for value in row.values() if isinstance(value, str))
        if len(rows) == _BATCH_ROWS or chars >= _BATCH_CHARS:
            yield rows_to_batch(rows, chosen.rows)
            rows, chars, is_empty = [], 0, False
    if rows or is_empty:
        yield rows_to_batch(rows, chosen.rows)


def extract_records(records: Iterable[Record], options: JobOptions) -> Iterator[Row]:
    """Yield one row for each record, in order. The worker processes are kept for the next call."""
    if options.workers == 0:
        yield from (make_row(record, options.rows) for record in records)
        return
    worker = PageWorker(options.rows, "values", options.wall_timeout)
    supervisor: Supervisor[Task, None] = Supervisor(
        worker, size=options.workers, prepare=load_default_model, budget=Budget(memory=options.max_memory)
    )
    with reusable_pool(supervisor) as pool:
        for outcome in supervisor.map(group(enumerate(records)), resume=worker.after_failure, pool=pool):
            for done in worker.rows(outcome):
                yield cast("Row", done.row)


def _records(batches: Iterable[Any], max_bytes: int | None) -> Iterator[Record]:
    number = 0
    for batch in batches:
        columns = {name: batch.column(name) for name in batch.schema.names}
        for index in range(batch.num_rows):
            number += 1
            values = _Values(columns, index)
            path = values.text("path")
            if path is not None and not values.has(HTML_COLUMNS):
                prefix = values.text("id")
                yield from read_input(path, max_bytes, f"{prefix}/" if prefix else "")
            else:
                yield _page(values, number)


class _Values:
    """The values of one row. Only those that are asked for leave Arrow."""

    def __init__(self, columns: dict[str, Any], index: int) -> None:
        self._columns, self._index = columns, index

    def has(self, names: Iterable[str]) -> bool:
        return any(name in self._columns for name in names)

    def get(self, name: str) -> object:
        return self._columns[name][self._index].as_py() if name in self._columns else None

    def text(self, *names: str) -> str | None:
        """Return the first value that is not missing, as text."""
        for name in names:
            value = self.get(name)
            if value is not None and value != "":
                return str(value)
        return None


def _page(values: _Values, number: int) -> Record:
    url = values.text(*URL_COLUMNS)
    name = values.text("id") or url or f"row {number}"
    for column in HTML_COLUMNS:
        body = values.get(column)
        if isinstance(body, (str, bytes)):
            return Record(name, url, body, values.text("encoding"))
    return Record(name, url, error=f"has none of {', '.join(HTML_COLUMNS)}, and no path")
