"""`extract_many`: rows of many pages, as an iterator."""

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from tamis.batch.rows import Row, RowOptions, make_row
from tamis.batch.worker import PageWorker, load_default_model, map_pairs
from tamis.errors import OptionError
from tamis.sources.records import Record


def extract_many(
    pages: "Iterable[str | bytes | Record | Mapping[str, object]]",
    *,
    workers: int = 1,
    options: RowOptions | None = None,
    max_page_seconds: float | None = None,
    max_page_memory: int | None = None,
    ordered: bool = True,
) -> Iterator[Row]:
    """Yield one row for each page, whatever happens to it.

    Args:
        pages: HTML, records, or mappings with ``html`` and, if known, ``url`` and ``id``. Taken as needed.
        workers: the number of worker processes; 0 extracts in this process, without limits of time and memory.
        options: the columns of a row, and how content is chosen and shown.
        max_page_seconds: seconds after which a page is given up.
        max_page_memory: bytes that a worker process may hold.
        ordered: rows in the order of the pages, else as they are done.

    >>> rows = extract_many(["<p>Boil the water, and wait. Then pour it over.</p>", "<p></p>"], workers=0)
    >>> [(row["id"], row["status"]) for row in rows]
    [('0', 'ok'), ('1', 'empty')]
    """
    chosen = options or RowOptions()
    records = ((number, _record(page, number)) for number, page in enumerate(pages))
    if workers == 0:
        if chosen.render != "never":
            raise OptionError("a browser renders pages beside worker processes: give workers=1 or more")
        return (make_row(record, chosen) for _, record in records)
    worker = PageWorker(chosen, "values", max_page_seconds)
    pairs = map_pairs(
        records, worker, workers=workers, max_memory=max_page_memory, ordered=ordered, prepare=load_default_model
    )
    if chosen.render == "never":
        return (cast("Row", done.row) for done, _ in pairs)
    from tamis.batch.escalation import Escalation  # noqa: PLC0415 (only where pages are rendered)

    return (cast("Row", done.row) for done in Escalation(chosen, "values").apply(pairs))


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
