"""``tamis batch``: many pages into one file or a folder."""

import os
from pathlib import Path
from typing import Annotated

import click

from tamis.cli.extraction_options import (
    ColumnsOption,
    ExcludeOption,
    ExtractorOption,
    IncludeOption,
    JobsOption,
    OverwriteOption,
)
from tamis.cli.fetch_options import (
    AccessOptions,
    AllowNetworkOption,
    FetchOptions,
    RenderCommand,
    RenderOption,
    RobotsOption,
)
from tamis.cli.options import Argument, Option, make_command, option
from tamis.cli.output import print_message
from tamis.cli.progress import Progress, describe, describe_problems
from tamis.cli.settings import setting
from tamis.errors import OptionError, UnknownNameError
from tamis.sources.quantities import Duration, Size

# ruff: noqa: B008 (`Size` and `Duration` are numbers, groups of options are frozen)
# ruff: noqa: PLC0415 (numpy and the parser load in the worker processes, not for --help)


def _batch(  # noqa: PLR0917 (each is an option of the command line)
    sources: Annotated[
        list[str],
        Argument(
            help="Folders, pages, URLs, lists of URLs (.txt), JSON Lines, Parquet, Arrow, WARC, WACZ, zip, tar; "
            "- for lines on standard input."
        ),
    ],
    output: Annotated[
        Path, Option("--output", "-o", help="Output path: .jsonl, .csv (also .gz, .zst), .parquet or a folder.")
    ],
    columns: ColumnsOption = None,
    extractor: ExtractorOption = None,
    include: IncludeOption = None,
    exclude: ExcludeOption = None,
    jobs: JobsOption = None,
    unordered: Annotated[
        bool, Option("--unordered", help="Write each row when its page is done, in any order.")
    ] = False,
    profile: Annotated[
        Path | None,
        Option("--profile", help="A site profile, or a folder of profiles named for hosts (`tamis learn`)."),
    ] = None,
    by_site: Annotated[
        bool,
        Option("--by-site", help="Read all pages twice: learn first what repeats on the pages of each host."),
    ] = False,
    resume: Annotated[bool, Option("--resume", help="Go on with a run that was interrupted.")] = False,
    overwrite: OverwriteOption = False,
    max_bytes: Annotated[
        Size, option("max_bytes", "Size of a page: larger ones are not extracted.", "Limits", minimum=1)
    ] = Size(50_000_000),
    wall_timeout: Annotated[Duration, setting("wall_timeout")] = Duration(30),
    max_memory: Annotated[Size, setting("max_memory")] = Size(2_000_000_000),
    errors: Annotated[
        Path | None,
        Option("--errors", help="File for the rows of all pages that are not ok, with the reasons."),
    ] = None,
    render: RenderOption = "never",
    render_budget: Annotated[
        str,
        Option(
            "--render-budget",
            help="Pages that may be rendered: a number, or a share of the pages so far.",
        ),
    ] = "5%",
    allow_network: AllowNetworkOption = False,
    access: AccessOptions = AccessOptions(),
    fetching: FetchOptions = FetchOptions(),
    robots: RobotsOption = False,
    languages: Annotated[
        str | None,
        Option("--languages", help="Keep pages in these languages, and those of unknown language: en,de."),
    ] = None,
    page_types: Annotated[str | None, Option("--page-types", help="Keep pages of these types.")] = None,
    min_confidence: Annotated[
        float | None, Option("--min-confidence", min=0, max=1, help="Keep pages of at least this confidence.")
    ] = None,
    min_words: Annotated[
        int | None, Option("--min-words", min=1, help="Keep pages with at least this many words.")
    ] = None,
    chunks: Annotated[
        int | None,
        Option("--chunks", min=1, help="Write chunks of at most this many tokens, in a column of that name."),
    ] = None,
    overlap: Annotated[
        int, Option("--overlap", min=0, help="Tokens of a chunk that the next one repeats, in whole sentences.")
    ] = 0,
    keep_dropped: Annotated[bool, Option("--keep-dropped", help="Also write the content of dropped pages.")] = False,
) -> None:
    """Extract many pages in parallel: one row per page, resumable after a kill (extra: batch)."""
    from tamis.api.options import Options
    from tamis.batch import BatchOptions, RowOptions, run
    from tamis.batch.rows import DEFAULT_COLUMNS, Filters, read_columns
    from tamis.render.registry import RenderOptions
    from tamis.sift.schema import PAGE_TYPES
    from tamis.sources.fetch import Requests

    if resume and overwrite:
        raise OptionError("give --resume or --overwrite, not both")
    if allow_network and render == "never":
        raise OptionError("--allow-network needs --render: a page that is not rendered loads nothing")
    choice = Options(extractor, profile=profile, include=include or (), exclude=exclude or ())
    choice.resolve()  # an unknown name is an error before any process starts
    types = _names(page_types)
    for name in sorted(types or ()) if extractor in {None, "sift", "sift-open"} else ():
        if name not in PAGE_TYPES:
            raise UnknownNameError.among("page type", name, PAGE_TYPES)
    named = DEFAULT_COLUMNS if columns is None else read_columns(columns)
    row_options = RowOptions(
        named if chunks is None else tuple(dict.fromkeys((*named, "chunks"))),
        choice,
        RenderOptions(max_tokens=chunks, overlap=overlap),
        max_bytes=max_bytes,
        filters=Filters(_names(languages), min_confidence, types, min_words),
        keep_dropped=keep_dropped,
        render=render,
    )
    options = BatchOptions(
        workers=jobs or os.cpu_count() or 1,
        wall_timeout=wall_timeout,
        max_memory=max_memory,
        ordered=not unordered,
        resume=resume,
        overwrite=overwrite,
        errors=errors,
        render_budget=render_budget,
        network=allow_network,
        policy=access.policy(),
        requests=Requests(**fetching.requests(robots=robots)),
        fetch_timeout=fetching.fetch_timeout,
        by_site=by_site,
    )
    progress = Progress()
    try:
        summary = run(
            sources,
            output,
            options=options,
            row_options=row_options,
            progress=progress.show,
        )
    except KeyboardInterrupt:
        progress.clear()
        print_message(f"interrupted; go on with: tamis batch … -o {output} --resume")
        raise click.exceptions.Exit(130) from None
    progress.clear()
    print_message(describe(summary))
    for line in describe_problems(summary):
        print_message(line)
    if not (summary.statuses["ok"] or summary.was_finished):
        raise click.exceptions.Exit(1)


def _names(text: str | None) -> frozenset[str] | None:
    return None if text is None else frozenset(name.strip().lower() for name in text.split(",") if name.strip())


command = make_command(
    _batch,
    "batch",
    cls=RenderCommand,
    examples=(
        "tamis batch crawl/ -o rows.parquet",
        "tamis batch crawl.warc.gz -o rows.jsonl --columns title,date,text --resume",
        "tamis sitemap https://example.org | tamis batch - -o rows.parquet",
    ),
)
