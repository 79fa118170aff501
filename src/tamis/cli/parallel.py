"""Many pages of the command in worker processes, on the machinery of `tamis.batch`."""

import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, cast

from tamis.batch.rows import Row, RowOptions
from tamis.batch.run import Summary
from tamis.batch.worker import PageWorker, load_default_model, map_pairs
from tamis.cli.output import print_message
from tamis.cli.progress import Progress, describe
from tamis.cli.run import PageJob, PageResult
from tamis.extractors.registry import needs_layout
from tamis.sources import Source
from tamis.sources.records import Record

#: The limits of a page, as in ``tamis batch``. A page that a browser renders has the browser's own.
MAX_SECONDS: Final = 30.0
MAX_MEMORY: Final = 2_000_000_000


@dataclass(frozen=True)
class _SourceJob:
    """A `PageJob` as a function from records to rows."""

    job: PageJob

    def __call__(self, record: Record, _options: RowOptions) -> Row:
        body = record.body if isinstance(record.body, bytes) else None
        name = record.path or record.id
        result = self.job(Source(name, "", record.id if record.id != name else None, body))
        return {"status": result.status, "error": None, "result": result}


def map_pages(
    job: PageJob, sources: list[Source], jobs: int | None, *, is_quiet: bool, to_stdout: bool
) -> Iterator[tuple[Source, PageResult]]:
    """Yield what comes of each page, in order, and show the progress.

    Args:
        job: what is done with a page.
        sources: the pages.
        jobs: the number of worker processes; one for each core if None.
        is_quiet: show nothing.
        to_stdout: whether the results are written to standard output. On a terminal, they are progress enough.
    """
    uses_browser = job.loader.render != "never" or needs_layout(job.options.resolve())
    worker = PageWorker(RowOptions(()), "values", None if uses_browser else MAX_SECONDS, _SourceJob(job))
    summary, start = Summary(total=len(sources)), time.monotonic()
    progress = Progress(is_shown=not is_quiet and not (to_stdout and sys.stdout.isatty()))
    pairs = map_pairs(
        enumerate(map(_record, sources)),
        worker,
        workers=min(jobs or os.cpu_count() or 1, len(sources)),
        max_memory=None if uses_browser else MAX_MEMORY,
        prepare=load_default_model,
    )
    for done, _ in pairs:
        number, status, values = done.number, done.status, cast("Row", done.row)
        result = values.get("result") or PageResult("error", (values["error"],))
        summary.statuses[status] += 1
        summary.seconds = time.monotonic() - start
        progress.clear()
        yield sources[number], result
        progress.show(summary)
    progress.clear()
    if not is_quiet:
        print_message(describe(summary))


def _record(source: Source) -> Record:
    """Return the record of a page. Worker processes have no standard input, so that it is read here."""
    source = replace(source, body=sys.stdin.buffer.read()) if source.name == "-" else source
    return Record(source.relative or source.name, body=source.body, path=source.name)
