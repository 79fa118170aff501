"""``tamis extract``: print the main content of pages, or write it to files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tamis.cli.complete import (
    complete_field,
    complete_format,
    complete_include,
)
from tamis.cli.extraction_options import ExtractorOption, FavorOption, ProfileOption, UrlOption
from tamis.cli.fields import check_field
from tamis.cli.output import PARQUET, RECORDS, choose_format, stdin_is_piped
from tamis.cli.page_job import PageJob
from tamis.cli.page_loader import PageLoader
from tamis.cli.render_flag import RENDER_HELP, RenderCommand, RenderFlag
from tamis.cli.run import Run
from tamis.errors import OptionError
from tamis.render.options import RenderOptions
from tamis.render.registry import formats

if TYPE_CHECKING:
    from tamis.api import Options

# ruff: noqa: PLC0415 (numpy, the parser and the extractors load where they are used, not for --help)

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
    if list_extractors:
        _print_extractors()
        return
    options = read_options(encoding, favor, extractor, profile)
    limits = {
        "max_bytes": max_bytes,
        "max_nodes": max_nodes,
        "max_seconds": max_seconds,
        "max_output": max_output and max(1, round(max_output * 1_000_000)),
    }
    options = _with_limits(options, {name: value for name, value in limits.items() if value is not None})
    if allow_network and not render:
        raise OptionError("--allow-network needs --render: a page that is not rendered loads nothing")
    if render and layout is not None:
        raise OptionError("a rendered page has its own layout: give --render or --layout, not both")
    if quiet and verbose:
        raise OptionError("give --quiet or --verbose, not both")
    shortcuts = {"--json": as_json, "--markdown": as_markdown, "--html": as_html}
    given = {flag: flag.lstrip("-") for flag, is_given in shortcuts.items() if is_given}
    if format is not None:
        given["--format"] = format
    output = None if output == "-" else output
    format_name = choose_format(given, output)
    _check_combination(format_name, given, field, chunks, include)
    if chunks is not None and not given:
        format_name = "markdown"
    render_options = RenderOptions(
        links=links,
        images=images,
        tables=tables,
        comments=comments,
        with_metadata=with_metadata,
        provenance=provenance,
        structure=structure,
        title=title if title is not None or format_name in RECORDS or field is not None else True,
        include=tuple(dict.fromkeys(name.strip() for name in include.split(","))) if include else (),
    )
    verbosity = -1 if quiet else 1 if verbose else 0
    loader = PageLoader(render, allow_network, layout)
    job = PageJob(
        options, render_options, loader, format_name, url=url, field=field, chunks=chunks, verbosity=verbosity
    )
    raise typer.Exit(code=Run(job, output, jobs, verbosity).write(pages or _piped_page()))


def _piped_page() -> list[str]:
    """Return the name of standard input, if there is any."""
    if not stdin_is_piped():
        raise OptionError("no page given; try: tamis page.html, tamis https://…, cat page.html | tamis")
    return ["-"]


def read_options(encoding: str | None, favor: str | None, extractor: str | None, profile: Path | None) -> "Options":
    """Return how the content is chosen. An unknown name is an error before any page is read."""
    from tamis.api.options import Options, read_favor

    options = Options(encoding=encoding, favor=read_favor(favor))
    if extractor is not None:
        options = options.replace(extractor=extractor)
        options.resolve()
    if profile is None:
        return options
    if not profile.is_dir():
        _check_profile(profile, extractor)
    return options.replace(profile=profile)


def _with_limits(options: "Options", limits: dict[str, Any]) -> "Options":
    """Return options with the limits that were given."""
    from tamis.api.limits import Limits

    return options.replace(limits=Limits(**limits)) if limits else options


def _check_combination(
    format_name: str, given: dict[str, str], field: str | None, chunks: int | None, include: str | None
) -> None:
    """Raise an `OptionError` for an unknown field, and for options that have no meaning together."""
    if field is not None:
        check_field(field)
    if include and format_name not in {"json", "jsonl", PARQUET}:
        raise OptionError("--with adds outputs to JSON: give --json, too")
    if field is not None and chunks is not None:
        raise OptionError("give --field or --chunks, not both")
    if chunks is not None and given and format_name not in {"markdown", "text", "json", "jsonl"}:
        raise OptionError(f"the text of chunks is markdown or text, not {format_name}")


def _check_profile(path: Path, extractor: str | None) -> None:
    """Raise an `OptionError` for an invalid profile, and for one of another extractor than the one that is named."""
    from tamis.extractors.profiles import load_profile

    method = load_profile(path)
    if extractor is not None and extractor != method.name:
        raise OptionError(f"{path} is a profile of {method.name}, not of {extractor}")


def _print_extractors() -> None:
    from tamis.extractors import registry

    rows = [(entry.name, entry.source, entry.summary) for entry in map(registry.get, registry.names())]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, source, summary in rows:
        typer.echo(f"{name:<{widths[0]}}  {source:<{widths[1]}}  {summary}")
