"""A run of the command: read the pages, write what they hold, and say how it went."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tamis.cli.bundle import bundle_for
from tamis.cli.output import PARQUET, Destination, Folder, is_folder, print_message
from tamis.cli.page_job import PageJob, PageResult
from tamis.cli.writers import FilePerPage, OneTable, OneText, PageWriter, ParquetTable
from tamis.errors import OptionError
from tamis.render.registry import get_format

if TYPE_CHECKING:
    from tamis.cli.encoders import Encoding
    from tamis.sources import Source

# ruff: noqa: PLC0415 (numpy, the parser and the extractors load where they are used, not for --help)

SUCCESS, NO_CONTENT, USAGE = 0, 1, 2
#: From so many pages on, worker processes are started without -j: to start one takes as long as dozens of pages.
_MANY_PAGES: Final = 100


@dataclass(frozen=True)
class Run:
    """What is done with each page, and where the results go.

    Attributes:
        job: reads, extracts and encodes a page.
        output: a file or a folder; None for standard output.
        jobs: the number of worker processes; None chooses, and starts none for few pages.
        verbosity: -1 for no messages about pages, 1 for one about each.
    """

    job: PageJob
    output: str | None = None
    jobs: int | None = None
    verbosity: int = 0

    def write(self, names: list[str]) -> int:
        """Write the named pages; return the exit code."""
        from tamis.sources import open_pages

        _check_pages(names)
        sources = list(open_pages(names))
        several = len(sources) > 1
        writer, encoding = self._writer(
            several=several, in_folder=several or any(Path(name).is_dir() for name in names)
        )
        job = replace(self.job, encoding=encoding, several=several)
        read = written = 0
        try:
            for source, result in self._results(job, sources):
                if result.fatal is not None:
                    raise result.fatal
                read += result.status != "error"
                if self.verbosity >= 0:
                    for message in result.messages:
                        print_message(f"{source.name}: {message}")
                if result.content is not None:
                    writer.add(source, result.content)
                    written += 1
        finally:
            writer.close()
        return SUCCESS if written == len(sources) else NO_CONTENT if read else USAGE

    def _results(self, job: PageJob, sources: "list[Source]") -> "Iterator[tuple[Source, PageResult]]":
        """Yield what comes of each page, in order."""
        if len(sources) < (_MANY_PAGES if self.jobs is None else 2) or self.jobs == 1:
            for source in sources:
                yield source, job(source)
            return
        from tamis.cli.parallel import map_pages

        yield from map_pages(job, sources, self.jobs, is_quiet=self.verbosity < 0, to_stdout=self.output is None)

    def _writer(self, *, several: bool, in_folder: bool) -> "tuple[PageWriter, Encoding]":  # noqa: PLR0911 (one case per output)
        """Return where pages go, and what each one becomes."""
        output, name = self.output, self.job.format
        destination = Destination(Path(output) if output is not None else None)
        one_file = self.job.field is not None or self.job.chunks is not None or name in {"csv", "jsonl", PARQUET}
        if output is not None and is_folder(output, several=in_folder and not one_file):
            if one_file:
                raise OptionError(f"{output} is a folder; this output is one file")
            return FilePerPage(Folder(Path(output)), get_format(name).suffix), "page"
        if self.job.field is not None:
            return OneText(destination), "field"
        if self.job.chunks is not None:
            return OneText(destination), "chunks"
        if name == PARQUET:
            return ParquetTable(destination.path, self.job.render_options.include), "record"
        if name == "jsonl" or (name == "json" and several):
            return OneText(destination), "line"
        if name == "csv":
            from tamis.render.csv import render_csv

            return OneText(destination, start=render_csv([])), "csv"
        format_ = get_format(name)
        if format_.table_writer is not None:
            return OneTable(destination, format_), "table"
        if several:
            return OneText.from_bundle(destination, bundle_for(name)), "bundle"
        return OneText(destination), "page"


def _check_pages(names: list[str]) -> None:
    """Raise an `OptionError` for a file that holds many pages."""
    from tamis.sources.files import PAGE_SUFFIXES

    for name in names:
        path = Path(name)
        if path.suffix and not name.lower().endswith(PAGE_SUFFIXES) and path.is_file():
            from tamis.batch.sources.kinds import CONTAINER_SUFFIXES

            if name.lower().endswith(CONTAINER_SUFFIXES):
                raise OptionError(f"{name} holds many pages; extract them with: tamis batch {name} -o rows.jsonl")
