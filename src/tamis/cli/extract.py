"""``tamis extract``: print the main content of pages, or write it to files."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import click

from tamis.cli.complete import complete_contents, complete_field, complete_format
from tamis.cli.extraction_options import (
    CONTENT,
    ColumnsOption,
    ExcludeOption,
    ExtractorOption,
    FavorOption,
    IncludeOption,
    OverwriteOption,
    ProfileOption,
    UrlOption,
)
from tamis.cli.fetch_options import AccessOptions, AllowNetworkOption, FetchOptions, RenderCommand, RenderOption
from tamis.cli.options import Argument, Option, make_command
from tamis.cli.output import RECORDS, ROWS, choose_format, stdin_is_piped
from tamis.cli.run import PageJob, PageLoader, Run
from tamis.cli.writers import check_field
from tamis.errors import OptionError
from tamis.lazy import dataclass
from tamis.render.registry import RenderOptions, formats
from tamis.sources.quantities import Duration, Size

if TYPE_CHECKING:
    from tamis.api import Options
    from tamis.batch.rows import RowOptions

# ruff: noqa: PLC0415 (numpy, the parser and the extractors load where they are used, not for --help)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Arguments:
    """The arguments of ``tamis extract``."""

    pages: Annotated[
        list[str] | None, Argument(help="Files, folders, URLs (https://…), or - for standard input.")
    ] = None
    extractor: ExtractorOption = None
    profile: ProfileOption = None
    format: Annotated[str | None, Option("--format", "-f", help="Output format.", autocompletion=complete_format)] = (
        None
    )
    as_json: Annotated[bool, Option("--json", help="Write JSON, the same as --format json.")] = False
    as_markdown: Annotated[bool, Option("--markdown", "--md", help="The same as --format markdown.")] = False
    as_html: Annotated[bool, Option("--html", help="The same as --format html.")] = False
    as_bibtex: Annotated[bool, Option("--bibtex", help="The citation, the same as --format bibtex.")] = False
    output: Annotated[
        str | None,
        Option(
            "--output",
            "-o",
            help="Output path: a file, whose suffix chooses the format, a folder with a file per page, or - for "
            "standard output.",
        ),
    ] = None
    field: Annotated[
        str | None,
        Option("--field", help="Write one field: title, authors, date, text, links …", autocompletion=complete_field),
    ] = None
    contents: Annotated[
        str | None,
        Option(
            "--with",
            help="Include these, separated by commas: outputs in JSON (markdown, html, xml).",
            autocompletion=complete_contents,
        ),
    ] = None
    include: IncludeOption = None
    exclude: ExcludeOption = None
    chunks: Annotated[
        int | None,
        Option("--chunks", min=1, help="Write chunks of at most this many tokens, for retrieval, as JSON Lines."),
    ] = None
    overlap: Annotated[
        int,
        Option("--overlap", min=0, help="Tokens of a chunk that the next one repeats, in whole sentences."),
    ] = 0
    columns: ColumnsOption = None
    overwrite: OverwriteOption = False
    url: UrlOption = None
    encoding: Annotated[
        str | None, Option("--encoding", help="Character encoding, as the HTTP header gives it.", panel=CONTENT)
    ] = None
    favor: FavorOption = None
    with_metadata: Annotated[
        bool, Option("--with-metadata", help="Write the metadata first: title, authors, date and so on.")
    ] = False
    links: Annotated[bool, Option("--links/--no-links", help="Write the URLs of links.")] = True
    images: Annotated[bool, Option("--images/--no-images", help="Write images.")] = True
    tables: Annotated[bool, Option("--tables/--no-tables", help="Write data tables.")] = True
    comments: Annotated[
        bool, Option("--comments/--no-comments", help="Write readers' comments after the content.")
    ] = False
    title: Annotated[
        bool | None,
        Option("--title/--no-title", help="Write the page's title first, unless the content begins with it."),
    ] = None
    rules: Annotated[
        bool, Option("--rules/--no-rules", help="Use the rules of known sites. TAMIS_RULES names a folder of others.")
    ] = True
    facts: Annotated[
        bool,
        Option("--facts/--no-facts", help="Markdown only: write facts of a product, recipe or event that it lacks."),
    ] = True
    replies: Annotated[
        Literal["quotes", "list"],
        Option("--replies", help="Markdown only: write answers to a post as quotations in it, or as a nested list."),
    ] = "quotes"
    clean_urls: Annotated[
        bool, Option("--clean-urls/--keep-urls", help="Write links without parameters that track readers.")
    ] = True
    provenance: Annotated[
        bool, Option("--provenance", help="JSON only: locate every part in the page and in each output.")
    ] = False
    structure: Annotated[
        Literal["rebuilt", "original"],
        Option("--structure", help="HTML only: rebuilt from the content, or in the page's original elements."),
    ] = "rebuilt"
    render: RenderOption = "never"
    allow_network: AllowNetworkOption = False
    access: AccessOptions = AccessOptions()
    fetching: FetchOptions = FetchOptions()
    layout: Annotated[
        Path | None,
        Option("--layout", help="Folder of layouts, saved by `tamis render`, for visual methods.", panel=CONTENT),
    ] = None
    jobs: Annotated[
        int | None,
        Option(
            "--jobs",
            "-j",
            min=1,
            help="Number of parallel jobs: worker processes. Default: one per core, from 100 pages on.",
        ),
    ] = None
    max_bytes: Annotated[
        Size | None,
        Option("--max-bytes", min=1, help="Size of a page: no more of it is read. Default: 20MB.", panel="Limits"),
    ] = None
    max_nodes: Annotated[
        int | None,
        Option(
            "--max-nodes",
            min=1,
            help="Elements and text runs of a page that are read. Default: a million.",
            panel="Limits",
        ),
    ] = None
    max_seconds: Annotated[
        Duration | None,
        Option(
            "--max-seconds",
            help="Time for reading a page, and again for each output. Default: no limit.",
            panel="Limits",
        ),
    ] = None
    max_output: Annotated[
        Size | None,
        Option(
            "--max-output",
            min=1,
            help="Size of the output for one page. Default: 12 times the page, between 4MB and 50MB.",
            panel="Limits",
        ),
    ] = None
    quiet: Annotated[bool, Option("--quiet", "-q", help="Print no messages about pages.")] = False
    verbose: Annotated[
        bool, Option("--verbose", "-v", help="Print what was found in each page, and warnings, to stderr.")
    ] = False
    list_extractors: Annotated[bool, Option("--list-extractors", help="List the extraction methods and exit.")] = (
        False
    )


def extract_pages(given: Arguments) -> int:
    """Extract pages and write what they hold; return the exit code."""
    # Nothing here multiplies large matrices, and to start a thread for each core takes NumPy 0.04 s and more.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    options = read_options(given.encoding, given.favor, given.extractor, given.profile)
    options = options if given.rules else options.replace(rules=False)
    options = options.replace(include=given.include or (), exclude=given.exclude or ())
    limits = {
        "max_bytes": given.max_bytes,
        "max_nodes": given.max_nodes,
        "max_seconds": given.max_seconds,
        "max_output": given.max_output,
    }
    options = _with_limits(options, {name: value for name, value in limits.items() if value is not None})
    is_rendered = given.render != "never"
    if given.allow_network and not is_rendered:
        raise OptionError("--allow-network needs --render: a page that is not rendered loads nothing")
    if is_rendered and given.layout is not None:
        raise OptionError("a rendered page has its own layout: give --render or --layout, not both")
    if given.quiet and given.verbose:
        raise OptionError("give --quiet or --verbose, not both")
    shortcuts = {
        "--json": given.as_json,
        "--markdown": given.as_markdown,
        "--html": given.as_html,
        "--bibtex": given.as_bibtex,
    }
    named = {flag: flag.lstrip("-") for flag, is_given in shortcuts.items() if is_given}
    if given.format is not None:
        named["--format"] = given.format
    output = None if given.output == "-" else given.output
    format_name = choose_format(named, output)
    _check_combination(format_name, named, given)
    if given.chunks is not None and not named:
        format_name = "markdown"
    render_options = RenderOptions(
        links=given.links,
        images=given.images,
        tables=given.tables,
        comments=given.comments,
        with_metadata=given.with_metadata and format_name not in ROWS,  # rows have columns for it
        provenance=given.provenance,
        facts=given.facts,
        clean_urls=given.clean_urls,
        replies=given.replies,
        structure=given.structure,
        title=given.title if given.title is not None or format_name in RECORDS or given.field is not None else True,
        contents=[name.strip() for name in given.contents.split(",")] if given.contents else (),
    )
    verbosity = -1 if given.quiet else 1 if given.verbose else 0
    policy = given.access.policy() if is_rendered else None
    loader = PageLoader(given.render, given.allow_network, policy, given.layout, given.fetching.keywords())
    job = PageJob(
        options,
        render_options,
        loader,
        format_name,
        url=given.url,
        field=given.field,
        chunks=given.chunks,
        overlap=given.overlap,
        rows=_row_options(given, options, render_options) if format_name in ROWS else None,
        verbosity=verbosity,
    )
    return Run(job, output, given.jobs, verbosity, overwrite=given.overwrite).write(given.pages or _piped_page())


def _row_options(given: Arguments, options: "Options", render_options: RenderOptions) -> "RowOptions":
    """Return how pages become rows: the default columns or those that were asked for, and the outputs of --with."""
    from tamis.batch.rows import DEFAULT_COLUMNS, RowOptions, read_columns

    columns = DEFAULT_COLUMNS if given.columns is None else read_columns(given.columns)
    return RowOptions(tuple(dict.fromkeys((*columns, *render_options.contents))), options, render_options)


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
    from tamis.api.options import Limits

    return options.replace(limits=Limits(**limits)) if limits else options


def _check_combination(format_name: str, named: dict[str, str], given: Arguments) -> None:
    """Raise an `OptionError` for an unknown field, and for options that have no meaning together."""
    if given.field is not None:
        check_field(given.field)
    if given.columns is not None and format_name not in ROWS:
        raise OptionError(f"--columns chooses the columns of rows: give --format {', '.join(sorted(ROWS))}")
    if given.contents and format_name not in {"json", *ROWS}:
        raise OptionError("--with adds outputs to JSON: give --json as well")
    if given.field is not None and given.chunks is not None:
        raise OptionError("give --field or --chunks, not both")
    if given.chunks is not None and named and format_name not in {"markdown", "text", "json", "jsonl"}:
        raise OptionError(f"the text of chunks is markdown or text, not {format_name}")


def _check_profile(path: Path, extractor: str | None) -> None:
    """Raise an `OptionError` for an invalid profile, and for one of another extractor than the one that is named."""
    from tamis.sites.rules import load_profile

    method = load_profile(path)
    if extractor is not None and extractor != method.name:
        raise OptionError(f"{path} is a profile of {method.name}, not of {extractor}")


EPILOG = (
    "Exit codes: 0 if all pages have content; 1 if a page has no content, is not a web page or cannot be read; 2 for "
    "wrong usage, an output that cannot be written, or if no page can be read."
)


class ExtractCommand(RenderCommand):
    """The command, with the registered formats in the help of ``--format``."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options. The formats of installed packages are looked up here, and not for every page."""
        for param in self.params:
            if param.name == "format" and isinstance(param, click.Option):
                names = "; ".join(f"{' or '.join(entry.names)} ({entry.summary})" for entry in formats())
                param.help = f"Output format: {names}; parquet (a table, needs tamis[batch]). Default: text."
        super().format_options(ctx, formatter)


def _run(given: Arguments) -> None:
    """Extract the main content of pages."""
    if given.list_extractors:
        _print_extractors()
        return
    raise click.exceptions.Exit(extract_pages(given))


def _print_extractors() -> None:
    from tamis.extractors import registry

    rows = [(entry.name, entry.source, entry.summary) for entry in map(registry.get, registry.names())]
    widths = [max(len(row[column]) for row in rows) for column in range(2)]
    for name, source, summary in rows:
        click.echo(f"{name:<{widths[0]}}  {source:<{widths[1]}}  {summary}")


command = make_command(
    Arguments,
    "extract",
    run=_run,
    cls=ExtractCommand,
    epilog=EPILOG,
    examples=(
        "tamis page.html                       the content as plain text",
        "tamis https://example.org --md -o tea.md",
    ),
)
