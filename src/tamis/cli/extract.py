"""``tamis extract``: print the main content of pages, or write it to files."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer.core import TyperCommand

from tamis.cli.page_loader import PageLoader
from tamis.errors import BrowserError, MissingExtraError, OptionError, SourceError, TamisError
from tamis.render.options import RenderOptions
from tamis.render.registry import Format, formats, get_format

if TYPE_CHECKING:
    from tamis.api import Extraction, Options
    from tamis.sources import Source

# ruff: noqa: PLC0415 (numpy, the parser and the extractors load where they are used, not for --help)

#: Formats whose records have the title as a value of its own: their text has it only with ``--title``.
_RECORDS = frozenset({"json", "jsonl", "csv", "parquet"})


class ExtractCommand(TyperCommand):
    """The command, with the registered formats in the help of ``--format``."""

    def get_params(self, ctx: Any) -> Any:  # noqa: ANN401 (typer vendors click, which has no public types)
        """Return the parameters of the command."""
        params = super().get_params(ctx)
        for param in params:
            if param.name == "format":
                names = "; ".join(f"{' or '.join(entry.names)} ({entry.summary})" for entry in formats())
                param.help = f"Output format: {names}."  # type: ignore[attr-defined]
        return params


def command(  # noqa: PLR0917 (each is an option of the command line)
    pages: Annotated[
        list[str] | None, typer.Argument(help="Files, folders, URLs (https://…), or - for standard input.")
    ] = None,
    extractor: Annotated[str | None, typer.Option("--extractor", "-e", help="Extraction method.")] = None,
    profile: Annotated[
        Path | None, typer.Option("--profile", help="A site profile, made by `tamis train`, instead of --extractor.")
    ] = None,
    format: Annotated[str, typer.Option("--format", "-f", help="Output format.", show_default=True)] = "text",  # noqa: A002 (named as the flag)
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Output path: a file, or a folder if there are several pages."),
    ] = None,
    url: Annotated[str | None, typer.Option("--url", help="URL of the page, to resolve its links.")] = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Character encoding, as the HTTP header gives it.")
    ] = None,
    favor: Annotated[
        str | None,
        typer.Option(
            "--favor", help="Favor precision, recall or balance, or give a number of logits (above 0 keeps less)."
        ),
    ] = None,
    with_metadata: Annotated[
        bool, typer.Option("--with-metadata", help="Write the metadata first: title, authors, date and so on.")
    ] = False,
    links: Annotated[bool, typer.Option("--links/--no-links", help="Write the URLs of links.")] = True,
    images: Annotated[bool, typer.Option("--images/--no-images", help="Write images.")] = True,
    tables: Annotated[bool, typer.Option("--tables/--no-tables", help="Write data tables.")] = True,
    comments: Annotated[
        bool, typer.Option("--comments/--no-comments", help="Write readers' comments after the content.")
    ] = False,
    title: Annotated[
        bool | None,
        typer.Option("--title/--no-title", help="Write the page's title first, unless the content begins with it."),
    ] = None,
    provenance: Annotated[
        bool, typer.Option("--provenance", help="JSON only: locate every part in the page and in each output.")
    ] = False,
    structure: Annotated[
        Literal["rebuilt", "original"],
        typer.Option("--structure", help="HTML only: rebuilt from the content, or in the page's original elements."),
    ] = "rebuilt",
    render: Annotated[
        bool, typer.Option("--render", help="Run the page's scripts in Chromium first (needs tamis[visual]).")
    ] = False,
    allow_network: Annotated[
        bool,
        typer.Option(
            "--allow-network", help="Let pages load their resources, with --render. Pages from URLs always may."
        ),
    ] = False,
    layout: Annotated[
        Path | None, typer.Option("--layout", help="Folder of layouts, saved by `tamis render`, for visual methods.")
    ] = None,
    list_extractors: Annotated[
        bool, typer.Option("--list-extractors", help="List the extraction methods and exit.")
    ] = False,
) -> None:
    """Extract the main content of pages."""
    if list_extractors:
        _print_extractors()
        return
    if not pages:
        raise OptionError("no page given; try: tamis page.html, tamis https://…, tamis - < page.html")
    from tamis.api.options import Options, read_favor

    options = Options(encoding=encoding, favor=read_favor(favor))
    if profile is not None:
        from tamis.extractors.profiles import load_profile

        if extractor is not None:
            raise OptionError("a profile has its own method: give --profile or --extractor, not both")
        options = options.replace(extractor=load_profile(profile))
    if extractor is not None:
        options = options.replace(extractor=extractor)
        options.resolve()  # report an unknown name before any page is read
    if allow_network and not render:
        raise OptionError("--allow-network needs --render: a page that is not rendered loads nothing")
    if render and layout is not None:
        raise OptionError("a rendered page has its own layout: give --render or --layout, not both")
    render_options = RenderOptions(
        links=links,
        images=images,
        tables=tables,
        comments=comments,
        with_metadata=with_metadata,
        provenance=provenance,
        structure=structure,
        title=title if title is not None or format in _RECORDS else True,
    )
    run = _Run(options, render_options, PageLoader(render, allow_network, layout), get_format(format), output, url)
    run.write(pages)


@dataclass(frozen=True)
class _Run:
    """A run of the command: how to read pages, and how and where to write them."""

    options: "Options"
    render_options: RenderOptions
    loader: PageLoader
    format: Format
    output: Path | None
    url: str | None

    def write(self, names: list[str]) -> None:
        """Write the named pages. Exit with 1 if some of them failed, and with 2 if all did."""
        from tamis.sources import open_pages

        sources = list(open_pages(names))
        extracted = self._write_table(sources) if self.format.table_writer else self._write_pages(sources)
        if extracted < len(sources):
            raise typer.Exit(code=1 if extracted else 2)

    def _write_table(self, sources: "list[Source]") -> int:
        """Write all pages into one table; return how many could be read."""
        rows = [(extraction, source.name) for source, extraction in self._extractions(sources)]
        table = self.format.write_table(rows)
        if self.output is not None:
            _write_file(self.output, table)
        else:
            _print(table)
        return len(rows)

    def _write_pages(self, sources: "list[Source]") -> int:
        """Write an output for each page; return how many could be read."""
        output = self.output
        folder = output if output is not None and (len(sources) > 1 or output.is_dir()) else None
        if folder is not None and folder.exists() and not folder.is_dir():
            raise OptionError(f"{folder} is a file; several pages need a folder")
        extracted = 0
        file_names: set[str] = set()
        for source, extraction in self._extractions(sources):
            extracted += 1
            text = self._render(extraction)
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                path = folder / _file_name(source.stem, self.format.suffix, file_names)
                path.write_text(text, encoding="utf-8")
            elif output is not None:
                _write_file(output, text)
            else:
                if len(sources) > 1 and self.format.name == "text":
                    typer.echo(f"==> {source.name} <==")
                _print(text)
        return extracted

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
                typer.echo(f"tamis: {source.name}: {error}", err=True)
                continue
            for message in (loaded.warning, extraction.selection.note, extraction.empty_reason):
                if message:
                    typer.echo(f"tamis: {source.name}: {message}", err=True)
            yield source, extraction

    def _render(self, extraction: "Extraction") -> str:
        # Plain text without positions has a faster writer, see `tamis.render.row_text`.
        text = extraction.text if self.format.name == "text" else ""
        text = text or extraction.render(self.format).text  # an index page has no text, but links
        return text.rstrip("\n") + "\n" if text else ""


def _write_file(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"cannot write {path}: {error.strerror}") from error


def _file_name(stem: str, suffix: str, taken: set[str]) -> str:
    """Return a file name that no other page of this run has, and add it to those taken."""
    name, number = f"{stem}.{suffix}", 1
    while name in taken:
        number += 1
        name = f"{stem}-{number}.{suffix}"
    taken.add(name)
    return name


def _print(text: str) -> None:
    """Print UTF-8 in every locale: web pages are not ASCII."""
    stream = typer.get_binary_stream("stdout")
    stream.write(text.encode("utf-8"))
    stream.flush()


def _print_extractors() -> None:
    from tamis.extractors import registry

    rows = [(entry.name, entry.source, entry.summary) for entry in map(registry.get, registry.names())]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, source, summary in rows:
        typer.echo(f"{name:<{widths[0]}}  {source:<{widths[1]}}  {summary}")
