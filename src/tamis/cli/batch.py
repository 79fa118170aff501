"""``tamis batch``: many pages into one file or a folder."""

import os
from pathlib import Path
from typing import Annotated, Final

import typer

from tamis.cli.output import print_message
from tamis.cli.progress import Progress, describe
from tamis.cli.render_flag import RENDER_HELP, RenderFlag
from tamis.errors import OptionError

# ruff: noqa: PLC0415 (numpy and the parser load in the worker processes, not for --help)

_SUFFIXES: Final = {"markdown": "md", "html": "html", "json": "json", "xml": "xml"}


def command(  # noqa: PLR0917 (typer passes options by name)
    sources: Annotated[
        list[str],
        typer.Argument(
            help="Folders, pages, URLs, lists of URLs (.txt), JSON Lines, Parquet, Arrow, WARC, WACZ, zip, tar; "
            "- for lines on standard input."
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Output path: .jsonl, .jsonl.gz, .jsonl.zst, .parquet or a folder.")
    ],
    fields: Annotated[
        str,
        typer.Option(
            "--fields",
            help="Columns of a row after id, url, status and error: formats, title, page_type, confidence, words, "
            "cpu_ms, metadata, warnings. In a folder, the first is the content of the files.",
        ),
    ] = "text,title,page_type,confidence",
    extractor: Annotated[str, typer.Option("--extractor", "-e", help="Extraction method.")] = "sift",
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Parallel jobs: processes. Default: one for each core.")
    ] = None,
    unordered: Annotated[
        bool, typer.Option("--unordered", help="Write rows as pages are done, and not in the order of the pages.")
    ] = False,
    profile: Annotated[
        Path | None,
        typer.Option("--profile", help="A site profile, or a folder of profiles named for hosts (`tamis learn`)."),
    ] = None,
    by_site: Annotated[
        bool,
        typer.Option("--by-site", help="Read all pages twice: learn first what repeats on the pages of each host."),
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a run that was interrupted.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Begin anew where a run was interrupted.")] = False,
    max_page_bytes: Annotated[
        int, typer.Option("--max-page-bytes", min=1, help="Larger pages are not extracted.")
    ] = 50_000_000,
    max_page_seconds: Annotated[
        float, typer.Option("--max-page-seconds", min=0.01, help="Seconds after which a page is given up.")
    ] = 30.0,
    max_page_memory: Annotated[
        int, typer.Option("--max-page-memory", min=100_000_000, help="Bytes that a worker process may hold.")
    ] = 2_000_000_000,
    errors: Annotated[
        Path | None, typer.Option("--errors", help="Write the rows of pages that were not extracted here, too.")
    ] = None,
    render: Annotated[RenderFlag | None, typer.Option("--render", help=RENDER_HELP)] = None,
    render_budget: Annotated[
        str,
        typer.Option(
            "--render-budget",
            help="Pages that may be drawn: a number, or a share of the pages so far.",
        ),
    ] = "5%",
    allow_network: Annotated[
        bool, typer.Option("--allow-network", help="Let pages load their resources, with --render.")
    ] = False,
    languages: Annotated[
        str | None,
        typer.Option("--languages", help="Keep pages in these languages, and those that name none: en,de."),
    ] = None,
    page_types: Annotated[str | None, typer.Option("--page-types", help="Keep pages of these types.")] = None,
    min_confidence: Annotated[
        float | None, typer.Option("--min-confidence", min=0, max=1, help="Keep pages of at least this confidence.")
    ] = None,
    min_words: Annotated[
        int | None, typer.Option("--min-words", min=1, help="Keep pages with at least this many words.")
    ] = None,
    keep_dropped: Annotated[
        bool, typer.Option("--keep-dropped", help="Write the content of dropped pages, too.")
    ] = False,
) -> None:
    """Extract many pages in parallel: one row per page, resumable after a kill (extra: batch)."""
    from tamis.api.options import Options
    from tamis.batch import BatchOptions, RowOptions, run
    from tamis.batch.rows import Filters

    if resume and overwrite:
        raise OptionError("give --resume or --overwrite, not both")
    if allow_network and render is None:
        raise OptionError("--allow-network needs --render: a page that is not rendered loads nothing")
    names = tuple(name.strip() for name in fields.split(",") if name.strip())
    if not names:
        raise OptionError("--fields names no column")
    choice = Options(extractor=extractor, profile=profile)
    choice.resolve()  # an unknown name is an error before any process starts
    row_options = RowOptions(
        names,
        choice,
        max_page_bytes=max_page_bytes,
        filters=Filters(_names(languages), min_confidence, _names(page_types), min_words),
        keep_dropped=keep_dropped,
        render=render or "never",
    )
    options = BatchOptions(
        workers=jobs or os.cpu_count() or 1,
        max_page_seconds=max_page_seconds,
        max_page_memory=max_page_memory,
        ordered=not unordered,
        resume=resume,
        overwrite=overwrite,
        errors=errors,
        render_budget=render_budget,
        network=allow_network,
        by_site=by_site,
    )
    progress = Progress()
    try:
        summary = run(
            sources,
            output,
            options=options,
            row_options=row_options,
            suffix=_SUFFIXES.get(names[0], "txt"),
            progress=progress.show,
        )
    except KeyboardInterrupt:
        progress.clear()
        print_message(f"interrupted; go on with: tamis batch … -o {output} --resume")
        raise typer.Exit(code=130) from None
    progress.clear()
    print_message(describe(summary))
    if not (summary.statuses["ok"] or summary.was_finished):
        raise typer.Exit(code=1)


def _names(text: str | None) -> frozenset[str] | None:
    return None if text is None else frozenset(name.strip().lower() for name in text.split(",") if name.strip())
