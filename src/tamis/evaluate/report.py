"""A run as one self-contained HTML page: tables, charts, and the worst pages with their differences in colour."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from tamis.evaluate.charts import Point, box_plot, scatter_plot
from tamis.evaluate.corpora import BrokenPage
from tamis.evaluate.difference import difference
from tamis.evaluate.html_page import html_page
from tamis.evaluate.metric_registry import Metric
from tamis.evaluate.results import Result
from tamis.evaluate.table import Table, column_values, corpus_names, format_number

_TITLE: Final = "Content extraction: evaluation"
_TAGS: Final = {"both": ("", ""), "missing": ("<del>", "</del>"), "extra": ("<ins>", "</ins>")}


def report_html(
    results: Sequence[Result],
    versions: Mapping[str, str],
    metric: Metric,
    tables: Sequence[Table],
    failures: Sequence[Result],
    broken: Sequence[BrokenPage] = (),
) -> str:
    """Return the report of a run.

    Args:
        results: the results of the run.
        versions: the tools in order, with their versions. The first is plotted against the second.
        metric: the metric of the charts.
        tables: the tables that were printed.
        failures: the worst pages, with their texts (`Result.text` and `Result.gold`).
        broken: the pages that could not be used.
    """
    tools = list(versions)
    corpora = corpus_names(results)
    pages = len({(result.corpus, result.page) for result in results})
    tool_versions = ", ".join(f"{escape(name)} {escape(version)}" for name, version in versions.items())
    parts = [
        f"<h1>{_TITLE}</h1>",
        f'<p class="note">{pages} pages of {escape(", ".join(corpora))}. {tool_versions}.</p>',
        *(_table(table) for table in tables),
        f"<h2>Distribution of {escape(metric.main_column)}</h2>",
        '<p class="note">Box: the middle half of pages. Line: median. Diamond and number: mean. Dots: outliers.</p>',
        *_box_plots(results, corpora, tools, metric.main_column),
    ]
    if len(tools) > 1:
        parts += _scatter_plot(results, corpora, tools[1], tools[0], metric.main_column)
    if failures:
        parts.append(_failures(failures, metric.main_column))
    if broken:
        parts.append(_broken(broken))
    return html_page(_TITLE, "\n".join(parts))


def _table(table: Table) -> str:
    def row(cells: Sequence[str], tag: str, *, first: bool = False) -> str:
        markup = "".join(
            f"<{tag}{' class=name' if column < table.name_columns else ''}>{escape(cell)}</{tag}>"
            for column, cell in enumerate(cells)
        )
        return f"<tr class=first>{markup}</tr>" if first else f"<tr>{markup}</tr>"

    body = "".join(
        row(cells, "td", first=number > 0 and cells[0] != table.rows[number - 1][0])
        for number, cells in enumerate(table.rows)
    )
    head = row(table.header, "th")
    return f'<h2>{escape(table.title)}</h2><div class="scroll"><table>{head}{body}</table></div>'


def _box_plots(results: Sequence[Result], corpora: Sequence[str], tools: Sequence[str], column: str) -> list[str]:
    figures = []
    for corpus in corpora:
        of_corpus = [result for result in results if result.corpus == corpus]
        series = {
            tool: column_values((result for result in of_corpus if result.tool == tool), column) for tool in tools
        }
        figures.append(f"<h3>{escape(corpus)}</h3><figure>{box_plot(series)}</figure>")
    return figures


def _scatter_plot(
    results: Sequence[Result], corpora: Sequence[str], x_tool: str, y_tool: str, column: str
) -> list[str]:
    scores: dict[tuple[str, str], dict[str, float]] = {}
    for result in results:
        if column in result.scores:
            scores.setdefault((result.corpus, result.page), {})[result.tool] = result.scores[column]
    points = [
        Point(by_tool[x_tool], by_tool[y_tool], f"{corpus} {page}", corpora.index(corpus))
        for (corpus, page), by_tool in scores.items()
        if x_tool in by_tool and y_tool in by_tool
    ]
    better = sum(1 for point in points if point.y > point.x)
    worse = sum(1 for point in points if point.y < point.x)
    legend = "".join(f'<span class="group{n % 6}">{escape(corpus)}</span>' for n, corpus in enumerate(corpora))
    note = (
        f"A dot is a page. Above the diagonal {escape(y_tool)} is better ({better} pages), below it {escape(x_tool)} "
        f"({worse}). {len(points) - better - worse} pages have the same score."
    )
    return [
        f"<h2>{escape(y_tool)} against {escape(x_tool)}, page by page</h2>",
        f'<p class="note">{note}</p>',
        f'<p class="key">{legend}</p>',
        f"<figure>{scatter_plot(points, x_tool, y_tool)}</figure>",
    ]


def _failures(failures: Sequence[Result], column: str) -> str:
    note = (
        "Plain: in both texts. <del>Struck out</del>: in the gold text, missing from the result. "
        "<ins>Marked</ins>: in the result, not in the gold text."
    )
    parts = [
        f"<h2>The {len(failures)} worst pages of {escape(failures[0].tool)}</h2>",
        f'<p class="note">{note}</p>',
    ]
    for number, result in enumerate(failures):
        text, gold = result.text or "", result.gold or ""
        runs = difference(text, gold)
        marked = "".join(f"{_TAGS[run.type][0]}{escape(run.text)}{_TAGS[run.type][1]}" for run in runs)
        error = f'<p class="error">{escape(result.error)}</p>' if result.error else ""
        link = (
            f' <a href="{escape(result.url)}" rel="noreferrer">{escape(result.url)}</a>'
            if result.url and result.url.startswith(("http://", "https://"))
            else ""
        )
        sizes = f"{len(text.split())} words, gold {len(gold.split())}"
        parts.append(
            f"<details{' open' if number == 0 else ''}><summary><b>{format_number(result.scores.get(column))}</b>"
            f'<span class="where">{escape(result.corpus)} {escape(result.page)}{link}</span>'
            f'<span class="faint">{escape(result.page_type or "")} {sizes}</span></summary>'
            f'<div class="diff">{error}{marked or "<i>both are empty</i>"}</div></details>'
        )
    return "\n".join(parts)


def _broken(broken: Sequence[BrokenPage]) -> str:
    rows = "".join(
        f"<tr><td class=name>{escape(page.corpus)}</td><td class=name>{escape(page.id)}</td>"
        f"<td class=name>{escape(page.reason)}</td></tr>"
        for page in sorted(broken, key=lambda page: (page.corpus, page.id))
    )
    return (
        f"<h2>Pages that could not be used: {len(broken)}</h2><details><summary>Which, and why</summary>"
        f'<div class="diff"><table>{rows}</table></div></details>'
    )
