"""Extraction as a step of a DataTrove pipeline, in the place of its Trafilatura step.

::

    pipeline = [
        WarcReader("crawl/", glob_pattern="*.warc.gz"),
        Tamis(),
        GopherQualityFilter(),
        JsonlWriter("documents/"),
    ]
"""

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from tamis.batch.job import JobOptions, extract_records
from tamis.batch.rows import Row, RowOptions
from tamis.errors import MissingExtraError, OptionError
from tamis.sources.records import Record

try:
    from datatrove.pipeline.extractors.base import BaseExtractor
except ImportError:  # the extra is missing: `Tamis` says so when it is made
    BaseExtractor = object

if TYPE_CHECKING:
    from datatrove.data import Document
    from datatrove.pipeline.writers.disk_base import DiskWriter


class Tamis(BaseExtractor):  # type: ignore[misc]  # DataTrove has no types
    """Replaces the HTML of each document by its main content, and adds its title, page type and confidence.

    Every document runs in a worker process under limits; one that hangs or ends its process is recorded, and the
    process is replaced. Documents keep their order. As in DataTrove's own extractors, a document without text is
    dropped; `exclusion_writer` keeps it, with its status and error.

    Args:
        options: how content is chosen and shown, and the limits of a page. The column ``text`` or ``markdown`` that
            comes first becomes the text; the other columns become metadata.
        timeout: seconds after which a page is given up; the options' if None.
        exclusion_writer: gets the documents that are dropped.
        keep_all: forward documents without text as well. All documents then have ``status`` and ``error`` in their
            metadata.
    """

    name = "🧺 Tamis"

    def __init__(
        self,
        options: JobOptions | None = None,
        *,
        timeout: float | None = None,
        exclusion_writer: "DiskWriter | None" = None,
        keep_all: bool = False,
    ) -> None:
        if BaseExtractor is object:
            raise MissingExtraError("datatrove is not installed; add it with: pip install 'tamis[batch]' datatrove")
        chosen = options or JobOptions()
        seconds = chosen.wall_timeout if timeout is None else timeout
        super().__init__(timeout=seconds)
        self.options = JobOptions(chosen.rows, chosen.workers, seconds, chosen.max_memory)
        self.exclusion_writer = exclusion_writer
        self.keep_all = keep_all
        self.text_column = _text_column(chosen.rows)

    def extract(self, text: str) -> str:
        """Return the main content of one page, extracted in this process."""
        row = next(extract_records([Record("page", body=text)], JobOptions(self.options.rows, workers=0)))
        return row[self.text_column] or ""

    def run(
        self,
        data: "Iterable[Document]",
        rank: int = 0,
        world_size: int = 1,  # noqa: ARG002 (the signature of a step)
    ) -> "Iterator[Document]":
        """Yield the documents that have text."""
        waiting: deque[Document] = deque()  # those whose rows are not there yet, in order
        rows = extract_records(_records(data, waiting), self.options)
        with self.exclusion_writer or nullcontext() as writer:
            while True:
                with self.track_time():
                    row = next(rows, None)
                if row is None:
                    return
                document = waiting.popleft()
                self._fill(document, row)
                if document.text or self.keep_all:
                    self.stat_update("forwarded")
                    self.update_doc_stats(document)
                    yield document
                    continue
                self.stat_update("dropped", f"dropped_{row['status'].replace(' ', '_')}")
                if writer is not None:
                    writer.write(document, rank)

    def _fill(self, document: "Document", row: Row) -> None:
        """Write a row into its document."""
        self.stat_update("total")
        document.text = row[self.text_column] or ""
        names = [name for name in self.options.rows.columns if name != self.text_column]
        added: dict[str, Any] = {name: row[name] for name in names if row[name] is not None}
        if self.keep_all or not document.text:
            added |= {"status": row["status"], "error": row["error"]}
        document.metadata.update(added)


def _records(documents: "Iterable[Document]", waiting: "deque[Document]") -> Iterator[Record]:
    for document in documents or ():
        waiting.append(document)
        yield Record(document.id, document.metadata.get("url"), document.text)


def _text_column(rows: RowOptions) -> str:
    for column in rows.columns:
        if column in {"text", "markdown"}:
            return column
    raise OptionError("a pipeline of DataTrove needs the column 'text' or 'markdown'")
