"""``tamis eval`` and ``tamis compare``: extractors and peers, measured and side by side."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tamis.errors import OptionError, SourceError

if TYPE_CHECKING:
    from tamis.evaluate.corpora import BrokenPage
    from tamis.evaluate.measures import Measure
    from tamis.evaluate.results import Result
    from tamis.evaluate.run import Plan
    from tamis.evaluate.table import Table

# ruff: noqa: PLC0415 (numpy, parsers and peers load in the commands, not for --help)


class TableFormat(StrEnum):
    """How tables are printed."""

    text = "text"
    markdown = "markdown"


class GroupBy(StrEnum):
    """What else a table is made by."""

    page_type = "page_type"
    site = "site"


def eval_command(  # noqa: PLR0917 (each is an option of the command line)
    corpora: Annotated[list[Path], typer.Argument(help="Folders of labelled pages.")],
    extractors: Annotated[
        str | None, typer.Option("--extractors", "-e", help="Ours and peers, by name, with commas.")
    ] = None,
    metric: Annotated[str, typer.Option("--metric", "-m", help="Metrics, with commas, or all.")] = "words",
    by: Annotated[list[GroupBy] | None, typer.Option("--by", help="Another table, by this.")] = None,
    baseline: Annotated[
        str | None, typer.Option("--baseline", help="Test the difference of each extractor from this one.")
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes at once.")] = 1,
    corpus_layout: Annotated[
        str | None, typer.Option("--corpus-layout", help="The layout of the corpora, where it is not recognized.")
    ] = None,
    pages: Annotated[
        int | None, typer.Option("--pages", min=1, help="At most so many of each corpus, evenly spread.")
    ] = None,
    timeout: Annotated[float, typer.Option("--timeout", min=0.1, help="Seconds a tool may take a page.")] = 60.0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Results page by page: x.jsonl or x.parquet.")
    ] = None,
    layout: Annotated[
        Path | None,
        typer.Option("--layout", help="A folder from `tamis render --corpus`: nothing is rendered again."),
    ] = None,
    report: Annotated[Path | None, typer.Option("--report", help="A page with tables and drawings.")] = None,
    form: Annotated[TableFormat, typer.Option("--format", "-f", help="How to print.")] = TableFormat.text,
) -> None:
    """Measure extractors on labelled pages and print a table."""
    from tamis.evaluate.corpora import open_corpora
    from tamis.evaluate.measures import measures_named
    from tamis.evaluate.run import Plan
    from tamis.evaluate.tools import open_tool

    names = [*_listed(extractors or _default_extractor()), *([baseline] if baseline else [])]
    if layout is not None and not layout.is_dir():
        raise SourceError(f"no such folder: {layout}")
    tools = {tool.name: tool for tool in (open_tool(name, layout) for name in names)}
    measures = measures_named(_listed(metric))
    plan = Plan(
        corpora=[corpus for path in corpora for corpus in open_corpora(path, corpus_layout)],
        tools=list(tools.values()),
        metrics=[measure.name for measure in measures],
        jobs=jobs,
        limit=timeout,
        pages=pages,
    )
    results, broken = _measure(plan, output)
    tables = _tables(
        plan, results, measures, [group.value for group in by or ()], baseline and open_tool(baseline).name
    )
    _print_versions(plan, broken)
    for table in tables:
        typer.echo()
        typer.echo(table.markdown() if form is TableFormat.markdown else table.text())
    if report is not None:
        _write(report, _report(plan, results, measures[0], tables, broken))


def _listed(names: str) -> list[str]:
    return [name for name in (part.strip() for part in names.split(",")) if name]


def _default_extractor() -> str:
    from tamis.api import Options

    return Options().resolve().name


def _measure(plan: "Plan", output: Path | None) -> "tuple[list[Result], list[BrokenPage]]":
    """Run the plan with a bar on stderr, results going to the file as they come."""
    from contextlib import nullcontext

    from tamis.evaluate.results import Result, ResultFile
    from tamis.evaluate.run import run

    results: list[Result] = []
    broken: list[BrokenPage] = []
    total = len(plan.tasks()) * len(plan.tools)
    with (
        ResultFile(output) if output is not None else nullcontext() as file,
        typer.progressbar(length=total, label="measuring", file=sys.stderr) as bar,
    ):
        for result in run(plan):
            if isinstance(result, Result):
                results.append(result)
                if file is not None:
                    file.add(result)
                bar.update(1)
            else:
                broken.append(result)
                bar.update(len(plan.tools))
    order = {corpus.name: place for place, corpus in enumerate(plan.corpora)}
    results.sort(key=lambda result: (order[result.corpus], result.page, result.tool))
    return results, broken


def _tables(
    plan: "Plan",
    results: "list[Result]",
    measures: "Sequence[Measure]",
    groups: Sequence[str],
    baseline: str | None,
) -> "list[Table]":
    from tamis.evaluate.table import difference_table, group_table, main_table

    tools = [tool.name for tool in plan.tools]
    # Time is the same by every metric: it stands in the first table alone.
    tables = [main_table(results, tools, each, times=each is measures[0]) for each in measures]
    for measure in measures:
        tables += [
            group_table(results, tools, measure, "site" if group == "site" else "page_type") for group in groups
        ]
        if baseline is not None:
            tables.append(difference_table(results, tools, measure, baseline))
    return tables


def _print_versions(plan: "Plan", broken: "Sequence[BrokenPage]") -> None:
    from collections import Counter

    typer.echo(", ".join(f"{tool.name} {tool.version}" for tool in plan.tools))
    for (corpus, reason), count in sorted(Counter((page.corpus, page.reason) for page in broken).items()):
        some = ", ".join([page.id for page in broken if (page.corpus, page.reason) == (corpus, reason)][:5])
        more = ", …" if count > 5 else ""  # noqa: PLR2004 (as many as are named)
        typer.echo(f"{corpus}: {count} not used: {reason} ({some}{more})")


def _report(
    plan: "Plan",
    results: "list[Result]",
    measure: "Measure",
    tables: "Sequence[Table]",
    broken: "Sequence[BrokenPage]",
) -> str:
    """Return the report; the first tool's worst pages are run once more, to have their texts."""
    from dataclasses import replace

    from tamis.evaluate.report import write_report
    from tamis.evaluate.results import Result
    from tamis.evaluate.run import run
    from tamis.evaluate.table import worst

    chosen = worst(results, plan.tools[0].name, measure.main)
    again = replace(
        plan, tools=plan.tools[:1], pages=None, keep=True, only=frozenset((each.corpus, each.page) for each in chosen)
    )
    texts = {(each.corpus, each.page): each for each in run(again) if isinstance(each, Result)}
    failures = [texts[key] for each in chosen if (key := (each.corpus, each.page)) in texts]
    versions = {tool.name: tool.version for tool in plan.tools}
    return write_report(results, versions, measure, tables, failures, broken)


def compare_command(
    page: Annotated[str, typer.Argument(help="A file, an address (https://…), or - for stdin.")],
    others: Annotated[str, typer.Option("--with", help="Extractors and peers, by name, with commas.")],
    extractor: Annotated[
        str | None, typer.Option("--extractor", "-e", help="Our extractor in the first column.")
    ] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write it as a page, too.")] = None,
    width: Annotated[int | None, typer.Option("--width", min=20, help="Columns of the terminal.")] = None,
) -> None:
    """Show what several extractors keep of one page, side by side."""
    import logging
    import shutil
    import warnings

    from tamis.evaluate.compare import compare_page, comparison_html, side_by_side
    from tamis.evaluate.corpora.decode import decode_markup
    from tamis.evaluate.tools import open_tool
    from tamis.sources import open_pages

    names = dict.fromkeys([extractor or _default_extractor(), *_listed(others)])
    tools = [open_tool(name) for name in names]
    sources = list(open_pages([page]))
    if len(sources) != 1:
        raise OptionError(f"{page} has several pages; name one")
    markup, url, charset = sources[0].read()
    warnings.simplefilter("ignore")  # what peers have to say would bury the page
    logging.disable(logging.CRITICAL)
    found = compare_page(decode_markup(markup, charset)[0], tools, url, sources[0].stem)
    typer.echo(side_by_side(found, width or shutil.get_terminal_size((120, 24)).columns))
    if html is not None:
        _write(html, comparison_html(found))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"cannot write {path}: {error.strerror}") from error
    typer.echo(f"wrote {path}", err=True)
