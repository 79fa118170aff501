"""`extract_many`: rows of many pages, as an iterator."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Final, cast

from tamis.batch.rows import Row, RowOptions, make_row
from tamis.batch.worker import PageWorker, load_default_model, map_pairs
from tamis.errors import OptionError
from tamis.sources.records import Record

#: Pages that are extracted, or wait to be, for each thread: no thread waits for the next page, and few are in memory.
_AHEAD: Final = 4


def extract_many(
    pages: "Iterable[str | bytes | Record | Mapping[str, object]]",
    *,
    workers: int | None = None,
    processes: bool = False,
    options: RowOptions | None = None,
    wall_timeout: float | None = None,
    max_memory: int | None = None,
    ordered: bool = True,
) -> Iterator[Row]:
    """Yield one row for each page, whatever happens to it.

    Args:
        pages: HTML, records, or mappings with ``html`` and, if known, ``url`` and ``id``. Taken as needed.
        workers: the number of threads or processes, one for each core if None; 0 extracts in this thread.
        processes: extract in worker processes instead of threads. A page that hangs, swells or crashes is a row then
            and ends nothing else. A script needs ``if __name__ == "__main__":`` around what it does.
        options: the columns of a row, and how content is chosen and shown.
        wall_timeout: seconds after which a page is given up; needs processes.
        max_memory: bytes that a worker process may hold; needs processes.
        ordered: rows in the order of the pages, else when they are ready.

    >>> rows = extract_many(["<p>Boil the water, and wait. Then pour it over.</p>", "<p></p>"])
    >>> [(row["id"], row["status"]) for row in rows]
    [('0', 'ok'), ('1', 'empty')]
    """
    chosen = options or RowOptions()
    records = ((number, _record(page, number)) for number, page in enumerate(pages))
    count = (os.cpu_count() or 1) if workers is None else workers
    if count < 0:
        raise OptionError(f"workers is a number of threads or processes, not {workers}")
    if not processes or count == 0:
        if chosen.render != "never":
            raise OptionError("a browser renders pages beside worker processes: give processes=True")
        if wall_timeout is not None or max_memory is not None:
            raise OptionError("limits of time and memory hold for worker processes: give processes=True")
        if count == 0:
            return (make_row(record, chosen) for _, record in records)
        return _in_threads((record for _, record in records), chosen, count, ordered=ordered)
    worker = PageWorker(chosen, "values", wall_timeout)
    pairs = map_pairs(
        records, worker, workers=count, max_memory=max_memory, ordered=ordered, prepare=load_default_model
    )
    if chosen.render == "never":
        return (cast("Row", done.row) for done, _ in pairs)
    from tamis.batch.escalation import Escalation  # noqa: PLC0415 (only where pages are rendered)

    return (cast("Row", done.row) for done in Escalation(chosen, "values").apply(pairs))


def _in_threads(records: Iterable[Record], options: RowOptions, threads: int, *, ordered: bool) -> Iterator[Row]:
    """Yield the rows of records from a few threads. The compiled loops run beside each other."""
    waiting: deque[Future[Row]] = deque()
    with ThreadPoolExecutor(threads, "tamis-extract") as pool:
        try:
            for record in records:
                waiting.append(pool.submit(make_row, record, options))
                if len(waiting) >= _AHEAD * threads:
                    yield _take(waiting, ordered=ordered)
            while waiting:
                yield _take(waiting, ordered=ordered)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _take(waiting: "deque[Future[Row]]", *, ordered: bool) -> Row:
    if not ordered:
        done = wait(waiting, return_when=FIRST_COMPLETED).done
        waiting.rotate(-next(index for index, future in enumerate(waiting) if future in done))
    return waiting.popleft().result()


def _record(page: "str | bytes | Record | Mapping[str, object]", number: int) -> Record:
    if isinstance(page, Record):
        return page
    if isinstance(page, (str, bytes)):
        return Record(str(number), body=page)
    if isinstance(page, Mapping):
        html, url, name = page.get("html"), page.get("url"), page.get("id")
        if isinstance(html, (str, bytes)):
            return Record(str(number if name is None else name), str(url) if url else None, html)
    return Record(str(number), error=f"expected HTML, a Record or a mapping with html, got {type(page).__name__}")
