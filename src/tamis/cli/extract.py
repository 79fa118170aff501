"""``tamis extract``: print the main content of pages, or write it to files."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from tamis.cli.complete import (
    complete_field,
    complete_format,
    complete_include,
)
from tamis.cli.extraction import Arguments, extract_pages
from tamis.cli.extraction_options import ExtractorOption, FavorOption, ProfileOption, UrlOption
from tamis.cli.render_flag import RENDER_HELP, RenderCommand, RenderFlag
from tamis.render.registry import formats

EPILOG = (
    "Exit codes: 0 if all pages have content; 1 if a page has none, is not a web page or cannot be read; 2 for wrong "
    "usage, an output that cannot be written, or if no page can be read."
)


class ExtractCommand(RenderCommand):
    """The command, with the registered formats in the help of ``--format``."""

    def format_options(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401 (typer's click has no public types)
        """Write the options. The formats of installed packages are looked up here, and not for every page."""
        for param in self.params:
            if param.name == "format":
                names = "; ".join(f"{' or '.join(entry.names)} ({entry.summary})" for entry in formats())
                param.help = f"Output format: {names}; parquet (a table, needs tamis[parquet]). Default: text."  # type: ignore[attr-defined]
        super().format_options(ctx, formatter)


def command(  # noqa: PLR0917 (each is an option of the command line)
    pages: Annotated[
        list[str] | None, typer.Argument(help="Files, folders, URLs (https://…), or - for standard input.")
    ] = None,
    extractor: ExtractorOption = None,
    profile: ProfileOption = None,
    format: Annotated[  # noqa: A002 (named as the flag)
        str | None, typer.Option("--format", "-f", help="Output format.", autocompletion=complete_format)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Write JSON, the same as --format json.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", "--md", help="The same as --format markdown.")] = False,
    as_html: Annotated[bool, typer.Option("--html", help="The same as --format html.")] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            help="Output path: a file, whose suffix chooses the format, a folder with a file per page, or - for "
            "standard output.",
        ),
    ] = None,
    field: Annotated[
        str | None,
        typer.Option(
            "--field", help="Write one field: title, authors, date, text, links …", autocompletion=complete_field
        ),
    ] = None,
    include: Annotated[
        str | None,
        typer.Option(
            "--with",
            help="Include these, separated by commas: outputs in JSON (markdown, html, xml).",
            autocompletion=complete_include,
        ),
    ] = None,
    chunks: Annotated[
        int | None,
        typer.Option(
            "--chunks", min=1, help="Write chunks of at most this many tokens as JSON Lines, for retrieval."
        ),
    ] = None,
    url: UrlOption = None,
    encoding: Annotated[
        str | None, typer.Option("--encoding", help="Character encoding, as the HTTP header gives it.")
    ] = None,
    favor: FavorOption = None,
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
    render: Annotated[RenderFlag | None, typer.Option("--render", help=RENDER_HELP)] = None,
    allow_network: Annotated[
        bool,
        typer.Option(
            "--allow-network", help="Let pages load their resources, with --render. Pages from URLs always may."
        ),
    ] = False,
    layout: Annotated[
        Path | None, typer.Option("--layout", help="Folder of layouts, saved by `tamis render`, for visual methods.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=1, help="Parallel jobs: processes. Default: one for each core, from 100 pages on."
        ),
    ] = None,
    max_bytes: Annotated[
        int | None, typer.Option("--max-bytes", min=1, help="Bytes of a page that are read. Default: 20 million.")
    ] = None,
    max_nodes: Annotated[
        int | None,
        typer.Option(
            "--max-nodes", min=1, help="Elements and text runs of a page that are read. Default: a million."
        ),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(
            "--max-seconds", help="Seconds for reading a page, and again for each output. Default: no limit."
        ),
    ] = None,
    max_output: Annotated[
        float | None,
        typer.Option("--max-output", min=0.000001, help="Megabytes of the output for one page. Default: 50."),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print no messages about pages.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print what was found in each page, and warnings, to stderr.")
    ] = False,
    list_extractors: Annotated[
        bool, typer.Option("--list-extractors", help="List the extraction methods and exit.")
    ] = False,
) -> None:
    """Extract the main content of pages."""
    given = dict(locals())
    if given.pop("list_extractors"):
        _print_extractors()
        return
    raise typer.Exit(code=extract_pages(Arguments(**given)))


def _print_extractors() -> None:
    from tamis.extractors import registry  # noqa: PLC0415 (loaded here, not for --help)

    rows = [(entry.name, entry.source, entry.summary) for entry in map(registry.get, registry.names())]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, source, summary in rows:
        typer.echo(f"{name:<{widths[0]}}  {source:<{widths[1]}}  {summary}")
