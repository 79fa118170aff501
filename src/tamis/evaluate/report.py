"""A run as one self-contained page: tables, drawings, and the worst pages with their differences in colour."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from tamis.evaluate.charts import Dot, box_plot, scatter
from tamis.evaluate.corpora import BrokenPage
from tamis.evaluate.difference import difference
from tamis.evaluate.measures import Measure
from tamis.evaluate.results import Result
from tamis.evaluate.style import document
from tamis.evaluate.table import Table, corpora_of, figure, values

_TAGS: Final = {"both": ("", ""), "missing": ("<del>", "</del>"), "extra": ("<ins>", "</ins>")}


def write_report(
    results: Sequence[Result],
    versions: Mapping[str, str],
    measure: Measure,
    tables: Sequence[Table],
    failures: Sequence[Result],
    broken: Sequence[BrokenPage] = (),
) -> str:
    """Return the report as HTML.

    Args:
        results: what was measured.
        versions: the tools in their order, with their versions; the first is plotted against the second.
        measure: the metric that drawings show.
        tables: what was printed.
        failures: the worst pages, with their texts (`Result.text` and `Result.gold`).
        broken: pages that could not be used.
    """
    tools = list(versions)
    corpora = corpora_of(results)
    pages = len({(each.corpus, each.page) for each in results})
    told = ", ".join(f"{escape(name)} {escape(version)}" for name, version in versions.items())
    parts = [
        "<h1>Content extraction, measured</h1>",
        f'<p class="note">{pages} pages of {escape(", ".join(corpora))}. {told}.</p>',
        *(_table(table) for table in tables),
        f"<h2>How {escape(measure.main)} is spread</h2>",
        '<p class="note">Box: the middle half of pages. Line: median. Diamond and figure: mean. Dots: outliers.</p>',
        *_boxes(results, corpora, tools, measure.main),
    ]
    if len(tools) > 1:
        parts += _scatter(results, corpora, tools[0], tools[1], measure.main)
    if failures:
        parts.append(_failures(failures, measure.main))
    if broken:
        parts.append(_broken(broken))
    return document("Content extraction, measured", "\n".join(parts))


def _table(table: Table) -> str:
    def row(cells: Sequence[str], tag: str, *, first: bool = False) -> str:
        made = "".join(
            f"<{tag}{' class=name' if column < table.named else ''}>{escape(cell)}</{tag}>"
            for column, cell in enumerate(cells)
        )
        return f"<tr class=first>{made}</tr>" if first else f"<tr>{made}</tr>"

    body = "".join(
        row(cells, "td", first=number > 0 and cells[0] != table.rows[number - 1][0])
        for number, cells in enumerate(table.rows)
    )
    head = row(table.header, "th")
    return f'<h2>{escape(table.title)}</h2><div class="scroll"><table>{head}{body}</table></div>'


def _boxes(results: Sequence[Result], corpora: Sequence[str], tools: Sequence[str], column: str) -> list[str]:
    out = []
    for corpus in corpora:
        here = [each for each in results if each.corpus == corpus]
        series = {tool: values((each for each in here if each.tool == tool), column) for tool in tools}
        out.append(f"<h3>{escape(corpus)}</h3><figure>{box_plot(series)}</figure>")
    return out


def _scatter(results: Sequence[Result], corpora: Sequence[str], up: str, across: str, column: str) -> list[str]:
    scores: dict[tuple[str, str], dict[str, float]] = {}
    for each in results:
        if column in each.scores:
            scores.setdefault((each.corpus, each.page), {})[each.tool] = each.scores[column]
    dots = [
        Dot(pair[across], pair[up], f"{corpus} {page}", corpora.index(corpus))
        for (corpus, page), pair in scores.items()
        if up in pair and across in pair
    ]
    better = sum(1 for dot in dots if dot.y > dot.x)
    worse = sum(1 for dot in dots if dot.y < dot.x)
    key = "".join(f'<span class="group{n % 6}">{escape(corpus)}</span>' for n, corpus in enumerate(corpora))
    told = (
        f"A dot is a page. Above the diagonal {escape(up)} is better ({better} pages), below it {escape(across)} "
        f"({worse}); on {len(dots) - better - worse} both score the same."
    )
    return [
        f"<h2>{escape(up)} against {escape(across)}, page by page</h2>",
        f'<p class="note">{told}</p>',
        f'<p class="key">{key}</p>',
        f"<figure>{scatter(dots, across, up)}</figure>",
    ]


def _failures(failures: Sequence[Result], column: str) -> str:
    told = (
        "Plain: rightly kept. <del>Struck out</del>: in the gold text, missing from the result. "
        "<ins>Marked</ins>: in the result, not in the gold text."
    )
    parts = [
        f"<h2>The {len(failures)} worst pages of {escape(failures[0].tool)}</h2>",
        f'<p class="note">{told}</p>',
    ]
    for number, each in enumerate(failures):
        text, gold = each.text or "", each.gold or ""
        runs = difference(text, gold)
        shown = "".join(f"{_TAGS[run.sort][0]}{escape(run.text)}{_TAGS[run.sort][1]}" for run in runs)
        told = f'<p class="error">{escape(each.error)}</p>' if each.error else ""
        link = (
            f' <a href="{escape(each.url)}" rel="noreferrer">{escape(each.url)}</a>'
            if each.url and each.url.startswith(("http://", "https://"))
            else ""
        )
        sizes = f"{len(text.split())} words, gold {len(gold.split())}"
        parts.append(
            f"<details{' open' if number == 0 else ''}><summary><b>{figure(each.scores.get(column))}</b>"
            f'<span class="where">{escape(each.corpus)} {escape(each.page)}{link}</span>'
            f'<span class="faint">{escape(each.page_type or "")} {sizes}</span></summary>'
            f'<div class="diff">{told}{shown or "<i>both are empty</i>"}</div></details>'
        )
    return "\n".join(parts)


def _broken(broken: Sequence[BrokenPage]) -> str:
    rows = "".join(
        f"<tr><td class=name>{escape(each.corpus)}</td><td class=name>{escape(each.id)}</td>"
        f"<td class=name>{escape(each.reason)}</td></tr>"
        for each in sorted(broken, key=lambda page: (page.corpus, page.id))
    )
    return (
        f"<h2>Pages that could not be used: {len(broken)}</h2><details><summary>Which, and why</summary>"
        f'<div class="diff"><table>{rows}</table></div></details>'
    )
