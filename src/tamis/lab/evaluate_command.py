"""``tamis eval`` and ``tamis compare``: measure extractors and third-party tools, or show them side by side."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from tamis.cli.fetch_options import FetchOptions
from tamis.cli.options import Argument, Option, make_command
from tamis.cli.settings import setting
from tamis.errors import CorpusError, OptionError, SourceError
from tamis.sources.quantities import Duration

if TYPE_CHECKING:
    from tamis.lab.evaluate.corpora import BrokenPage
    from tamis.lab.evaluate.metric_registry import Metric
    from tamis.lab.evaluate.run import Plan, Result
    from tamis.lab.evaluate.table import Table

# ruff: noqa: B008 (`Duration` is a number, groups of options are frozen)
# ruff: noqa: PLC0415 (numpy, parsers and third-party tools load in the commands, not for --help)

_MAX_NAMED_PAGES = 5  # of the pages that could not be used, per reason


TableFormat = StrEnum("TableFormat", ["text", "markdown"])
GroupBy = StrEnum("GroupBy", ["page_type", "site", "language", "level", "tag"])


def eval_command(  # noqa: PLR0917 (each is an option of the command line)
    corpora: Annotated[list[Path], Argument(help="Folders of labelled pages, or JSON Lines files of them.")],
    extractor: Annotated[
        str | None,
        Option(
            "--extractor",
            "-e",
            help="Extraction method, or several, or third-party tools, separated by commas.",
        ),
    ] = None,
    profile: Annotated[
        list[Path] | None,
        Option("--profile", help="A site profile, made by `tamis learn` or `tamis train`; may be repeated."),
    ] = None,
    metric: Annotated[
        str, Option("--metric", "-m", help="Metrics, separated by commas, or all of them: all.")
    ] = "words",
    by: Annotated[
        list[GroupBy] | None,
        Option("--by", help="Also print a table by page type, site, language … Repeatable."),
    ] = None,
    baseline: Annotated[
        str | None, Option("--baseline", help="Test the difference between each extractor and this one.")
    ] = None,
    jobs: Annotated[int, Option("--jobs", "-j", min=1, help="Number of parallel jobs: worker processes.")] = 1,
    corpus_format: Annotated[
        str | None, Option("--corpus-format", help="Format of the corpora, if it is not recognized.")
    ] = None,
    pages: Annotated[
        int | None, Option("--pages", min=1, help="Maximum number of pages per corpus, evenly spread.")
    ] = None,
    wall_timeout: Annotated[Duration, setting("wall_timeout")] = Duration(60),
    output: Annotated[
        Path | None, Option("--output", "-o", help="Output path: a file for the results, .jsonl or .parquet.")
    ] = None,
    javascript_tools: Annotated[
        bool,
        Option(
            "--javascript-tools",
            help="Also measure Readability.js and defuddle; npm installs them into a cache (needs Node.js).",
        ),
    ] = False,
    layout: Annotated[
        Path | None, Option("--layout", help="Folder of layouts, saved by `tamis render`, for visual methods.")
    ] = None,
    report: Annotated[
        Path | None, Option("--report", help="File for an HTML report: tables, charts and the worst pages.")
    ] = None,
    format: Annotated[  # noqa: A002 (named as the flag)
        TableFormat, Option("--format", "-f", help="Output format.")
    ] = TableFormat.text,
) -> None:
    """Measure extractors on labelled pages and print tables."""
    from tamis.lab.evaluate.corpora import open_corpora, unique_corpora
    from tamis.lab.evaluate.metric_registry import get_metrics
    from tamis.lab.evaluate.run import Plan
    from tamis.lab.evaluate.tools import Tool, open_profile, open_tool

    default = "" if profile else _default_extractor()
    names = [*_split_names(extractor or default), *([baseline] if baseline else [])]
    if layout is not None and not layout.is_dir():
        raise SourceError(f"no such folder: {layout}")
    if report is not None and not report.absolute().parent.is_dir():  # not only after the run, which may take hours
        raise SourceError(f"cannot write {report}: no such folder")
    if javascript_tools:
        names += _install_javascript_tools()
    # A tool in JavaScript is stopped before the worker process that waits for it.
    opened: list[Tool] = [open_tool(name, layout, 0.9 * wall_timeout) for name in names]
    tools = {tool.name: tool for tool in (*opened, *map(open_profile, profile or ()))}
    if not tools:
        raise OptionError("name at least one extractor or third-party tool")
    metrics = get_metrics(_split_names(metric))
    plan = Plan(
        corpora=unique_corpora(corpus for path in corpora for corpus in open_corpora(path, corpus_format)),
        tools=list(tools.values()),
        metrics=[each.name for each in metrics],
        jobs=jobs,
        timeout=wall_timeout,
        pages=pages,
    )
    results, broken = _measure(plan, output)
    tables = _tables(
        plan, results, metrics, [group.value for group in by or ()], baseline and open_tool(baseline).name
    )
    _print_versions(plan, broken)
    _print_failures(results)
    if not results:
        raise CorpusError("no page could be used")
    for table in tables:
        click.echo()
        if not table.rows:
            click.echo(f"{table.title}: no page and tool that it applies to")
            continue
        click.echo(table.markdown() if format is TableFormat.markdown else table.text())
    if report is not None:
        _write(report, _report(plan, results, metrics[0], tables, broken))


def _install_javascript_tools() -> list[str]:
    """Install the tools in JavaScript if they are not there, and return their names."""
    from tamis.lab.evaluate.javascript import JAVASCRIPT_TOOLS, install

    install()
    return list(JAVASCRIPT_TOOLS)


def _split_names(names: str) -> list[str]:
    return [name for name in (part.strip() for part in names.split(",")) if name]


def _default_extractor() -> str:
    from tamis.api import Options

    return Options().resolve().name


def _measure(plan: "Plan", output: Path | None) -> "tuple[list[Result], list[BrokenPage]]":
    """Run the plan with a progress bar on stderr. Results are written to the file as they arrive."""
    from contextlib import nullcontext

    from tamis.lab.evaluate.run import Result, ResultFile, run

    results: list[Result] = []
    broken: list[BrokenPage] = []
    total = len(plan.tasks()) * len(plan.tools)
    with (
        ResultFile(output) if output is not None else nullcontext() as file,
        click.progressbar(length=total, label="measuring", file=sys.stderr) as bar,
    ):
        for result in run(plan):
            if isinstance(result, Result):
                results.append(result)
                if file is not None:
                    file.write(result)
                bar.update(1)
            else:
                broken.append(result)
                bar.update(len(plan.tools))
    order = {corpus.name: index for index, corpus in enumerate(plan.corpora)}
    results.sort(key=lambda result: (order[result.corpus], result.page, result.tool))
    return results, broken


def _tables(
    plan: "Plan",
    results: "list[Result]",
    metrics: "Sequence[Metric]",
    groups: Sequence[str],
    baseline: str | None,
) -> "list[Table]":
    from tamis.lab.evaluate.table import difference_table, group_table, score_table

    tools = [tool.name for tool in plan.tools]
    # Times do not depend on the metric, so only the first table has them.
    tables = [score_table(results, tools, metric, with_times=metric is metrics[0]) for metric in metrics]
    for metric in metrics:
        tables += [group_table(results, tools, metric, group) for group in groups]
        if baseline is not None:
            tables.append(difference_table(results, tools, metric, baseline))
    return tables


def _print_versions(plan: "Plan", broken: "Sequence[BrokenPage]") -> None:
    from collections import Counter

    click.echo(", ".join(f"{tool.name} {tool.version}" for tool in plan.tools))
    for (corpus, reason), count in sorted(Counter((page.corpus, page.reason) for page in broken).items()):
        names = [page.id for page in broken if (page.corpus, page.reason) == (corpus, reason)]
        more = ", …" if count > _MAX_NAMED_PAGES else ""
        click.echo(f"{corpus}: {count} not used: {reason} ({', '.join(names[:_MAX_NAMED_PAGES])}{more})")


def _print_failures(results: "Sequence[Result]") -> None:
    """Print how often each tool failed and why, the most frequent reasons first."""
    from collections import Counter

    failures = Counter((result.corpus, result.tool, result.error) for result in results if result.error)
    for (corpus, tool, error), count in failures.most_common(_MAX_NAMED_PAGES):
        page = next(
            result.page for result in results if (result.corpus, result.tool, result.error) == (corpus, tool, error)
        )
        more = ", …" if count > 1 else ""
        click.echo(f"{corpus}: {tool} failed on {count}: {' '.join((error or '').split())} ({page}{more})")


def _report(
    plan: "Plan",
    results: "list[Result]",
    metric: "Metric",
    tables: "Sequence[Table]",
    broken: "Sequence[BrokenPage]",
) -> str:
    """Return the report. The first tool runs again on its worst pages, this time keeping the texts."""
    from dataclasses import replace

    from tamis.lab.evaluate.report import report_html
    from tamis.lab.evaluate.run import Result, run
    from tamis.lab.evaluate.table import worst_pages

    worst = [(result.corpus, result.page) for result in worst_pages(results, plan.tools[0].name, metric.main_column)]
    second_plan = replace(plan, tools=plan.tools[:1], pages=None, keep_text=True, only=frozenset(worst))
    with_texts = {(result.corpus, result.page): result for result in run(second_plan) if isinstance(result, Result)}
    failures = [with_texts[key] for key in worst if key in with_texts]
    versions = {tool.name: tool.version for tool in plan.tools}
    return report_html(results, versions, metric, tables, failures, broken)


def compare_command(
    page: Annotated[str, Argument(help="A file, a URL (https://…), or - for standard input.")],
    others: Annotated[
        str | None,
        Option(
            "--tools",
            help="Extractors and third-party tools to show, separated by commas. Default: all that are installed.",
        ),
    ] = None,
    extractor: Annotated[
        str | None, Option("--extractor", "-e", help="Extraction method, shown in the first column.")
    ] = None,
    output: Annotated[
        Path | None, Option("--output", "-o", help="Output path: an HTML page, instead of the terminal.")
    ] = None,
    width: Annotated[
        int | None, Option("--line-width", min=20, max=1000, help="Width of the output. Default: the terminal.")
    ] = None,
    fetching: FetchOptions = FetchOptions(),
) -> None:
    """Show what several extractors keep of one page, side by side (extra: third-party, for other programs)."""
    import shutil

    from tamis.cli.output import check_suffix, use_color
    from tamis.lab.evaluate.compare import compare_page, comparison_html, comparison_text
    from tamis.lab.evaluate.corpora.reader import decode_markup
    from tamis.lab.evaluate.run import silence_output
    from tamis.lab.evaluate.tools import installed_tools, open_tool
    from tamis.sources import open_pages

    check_suffix(output, ".html", ".htm")
    compared = installed_tools() if others is None else _split_names(others)
    names = dict.fromkeys([extractor or _default_extractor(), *compared])
    tools = [open_tool(name) for name in names]
    sources = list(open_pages([page]))
    if len(sources) != 1:
        raise OptionError(f"{page} has several pages; name one")
    try:
        markup, url, encoding = sources[0].read(**fetching.keywords())
    except SourceError as error:
        raise SourceError(f"{sources[0].name}: {error}") from error
    silence_output()
    comparison = compare_page(decode_markup(markup, encoding)[0], tools, url, sources[0].stem)
    if output is not None:
        _write(output, comparison_html(comparison))
        return
    color = use_color(sys.stdout)
    text = comparison_text(comparison, width or shutil.get_terminal_size((120, 24)).columns, color=color)
    click.echo(text, color=color)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    from tamis.cli.output import print_message

    print_message(f"wrote {path}")


evaluate = make_command(
    eval_command,
    "eval",
    examples=(
        "tamis eval labelled/ -e sift,cetd",
        "tamis eval labelled/ -o results.jsonl",
    ),
)
compare = make_command(
    compare_command,
    "compare",
    examples=(
        "tamis compare page.html",
        "tamis compare page.html -o compare.html",
    ),
)
