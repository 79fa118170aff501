"""A run of the command: read the pages, write what they hold, and say how it went."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from tamis.cli.bundle import BUNDLES, Bundle
from tamis.cli.output import PARQUET, Destination, Folder, is_folder
from tamis.cli.page_loader import PageLoader
from tamis.cli.writers import Chunks, FilePerPage, JsonLines, OneField, OnePage, OneTable, PageWriter, SeveralPages
from tamis.errors import BrowserError, MissingExtraError, OptionError, TamisError
from tamis.render.options import RenderOptions
from tamis.render.registry import get_format

if TYPE_CHECKING:
    from tamis.api import Extraction, Options
    from tamis.sources import Source

# ruff: noqa: PLC0415 (numpy, the parser and the extractors load where they are used, not for --help)

SUCCESS, NO_CONTENT, USAGE = 0, 1, 2


@dataclass(frozen=True)
class Run:
    """How to read pages, and how and where to write them.

    Attributes:
        options: how the content is chosen.
        render_options: how it is shown.
        loader: reads the pages.
        format: the name of the format.
        output: a file or a folder; None for standard output.
        url: the URL of the pages, if it was given.
        field: the one field to write.
        chunks: the size of the chunks to write.
        verbosity: -1 for no messages about pages, 1 for one about each.
    """

    options: "Options"
    render_options: RenderOptions
    loader: PageLoader
    format: str = "text"
    output: str | None = None
    url: str | None = None
    field: str | None = None
    chunks: int | None = None
    verbosity: int = 0

    def write(self, names: list[str]) -> int:
        """Write the named pages; return the exit code."""
        from tamis.sources import open_pages

        sources = list(open_pages(names))
        several = len(sources) > 1
        writer = self._writer(several=several, in_folder=several or any(Path(name).is_dir() for name in names))
        read = written = 0
        try:
            for source, extraction in self._extractions(sources):
                read += 1
                if extraction or extraction.index_links or (self.field is not None and not _is_binary(extraction)):
                    written += writer.add(source, extraction)
        finally:
            writer.close()
        return SUCCESS if written == len(sources) else NO_CONTENT if read else USAGE

    def _writer(self, *, several: bool, in_folder: bool) -> PageWriter:  # noqa: PLR0911 (one case per output)
        output, name = self.output, self.format
        destination = Destination(Path(output) if output is not None else None)
        one_file = self.field is not None or self.chunks is not None or name in {"csv", "jsonl", PARQUET}
        if output is not None and is_folder(output, several=in_folder and not one_file):
            if one_file:
                raise OptionError(f"{output} is a folder; this output is one file")
            return FilePerPage(Folder(Path(output)), get_format(name))
        if self.field is not None:
            return OneField(destination, self.field, as_json=name in {"json", "jsonl"}, is_named=several)
        if self.chunks is not None:
            return Chunks(destination, self.chunks, "text" if name == "text" else "markdown")
        if name == PARQUET:
            from tamis.cli.parquet import ParquetFile

            return ParquetFile(destination.path)
        if name == "jsonl" or (name == "json" and several):
            return JsonLines(destination)
        format_ = get_format(name)
        if format_.table_writer is not None:
            return OneTable(destination, format_)
        if several:
            return SeveralPages(BUNDLES.get(name, Bundle)(destination), format_)
        return OnePage(destination, format_)

    def _extractions(self, sources: "list[Source]") -> "Iterator[tuple[Source, Extraction]]":
        """Yield the extractions of the pages that can be read. An error is printed and does not stop the run."""
        from tamis.api import extract_page

        for source in sources:
            try:
                loaded = self.loader.read(source, self.options)
                url = self.url or loaded.url
                extraction = extract_page(loaded.page, url, options=self.options, render_options=self.render_options)
            except (BrowserError, MissingExtraError):  # every page would fail
                raise
            except TamisError as error:
                self._say(source, str(error))
                continue
            self._say(source, loaded.warning, extraction.selection.note)
            if self.field is None or _is_binary(extraction):
                self._say(source, extraction.empty_reason)
            if self.verbosity > 0 and extraction:
                self._say(
                    source, summary(extraction), *(f"{each.type}: {each.reason}" for each in extraction.warnings)
                )
            yield source, extraction

    def _say(self, source: "Source", *messages: str | None) -> None:
        for message in messages:
            if message and self.verbosity >= 0:
                typer.echo(f"tamis: {source.name}: {message}", err=True)


def _is_binary(extraction: "Extraction") -> bool:
    return (extraction.empty_reason or "").startswith("not a web page")


def summary(extraction: "Extraction") -> str:
    """Return what was found, in one line."""
    page_type, confidence = extraction.page_type, extraction.confidence
    facts = [f"{len(extraction.blocks)} of {len(extraction.page.blocks)} blocks by {extraction.extractor}"]
    if page_type is not None:
        probability = extraction.page_type_probability
        facts.append(page_type + (f" ({probability:.2f})" if probability is not None else ""))
    if confidence is not None:
        facts.append(f"confidence {confidence:.2f}")
    if extraction.page.encoding:
        facts.append(extraction.page.encoding)
    return ", ".join(facts)
