"""A run as one self-contained HTML page: tables, charts, and the worst pages with their differences."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final, Literal

import numpy as np

from tamis.lab.evaluate.corpora import BrokenPage
from tamis.lab.evaluate.metric_registry import Metric
from tamis.lab.evaluate.metrics import MatchingBlock, is_cjk, matching_blocks
from tamis.lab.evaluate.run import Result
from tamis.lab.evaluate.table import Table, column_values, corpus_names, format_number

# The frame of the HTML pages of the evaluation: one style sheet, no scripts, no external resources.

STYLE_SHEET: Final = (Path(__file__).parent / "assets" / "report.css").read_text("utf-8")


def html_page(title: str, body: str) -> str:
    """Return a complete HTML page.

    >>> html_page("a & b", "<p>c").splitlines()[4]
    '<title>a &amp; b</title>'
    """
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{escape(title)}</title>\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        # Texts of unknown pages are shown here. They are escaped; the policy is a second line of defence.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<style>{STYLE_SHEET}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


# The word-by-word difference of two texts: what both have, what is missing, what is extra.

RunType = Literal["both", "missing", "extra"]
#: Longer texts are cut. A report shows twenty differences, and nobody reads on.
_MAX_WORDS: Final = 4000
_WORD: Final = re.compile(r"\S+\s*|\s+")
_CHARACTER: Final = re.compile(r"\S\s*|\s+")


@dataclass(frozen=True, slots=True)
class Run:
    """A run of text: in both texts, missing from the predicted text, or extra in it."""

    type: RunType
    text: str


def difference(predicted: str, gold: str) -> list[Run]:
    """Return the gold text and the predicted text as one sequence of runs.

    >>> [(run.type, run.text) for run in difference("Menu It rained.", "It rained. All day.")]
    [('extra', 'Menu '), ('both', 'It rained. '), ('missing', 'All day.')]
    """
    cjk = is_cjk(gold)
    left = split_tokens(predicted.strip(), cjk=cjk)[:_MAX_WORDS]
    right = split_tokens(gold.strip(), cjk=cjk)[:_MAX_WORDS]
    blocks = matching_blocks([token_key(token) for token in left], [token_key(token) for token in right])
    assert blocks is not None  # both texts were cut
    runs: list[Run] = []
    left_end = right_end = 0
    for block in (*blocks, MatchingBlock(len(left), len(right), 0)):
        _add(runs, "extra", left[left_end : block.left])
        _add(runs, "missing", right[right_end : block.right])
        left_end, right_end = block.left + block.length, block.right + block.length
        _add(runs, "both", right[block.right : right_end])
    return runs


def split_tokens(text: str, *, cjk: bool) -> list[str]:
    """Split a text into words with the white space after them. Joined, the tokens give the text again.

    >>> split_tokens("It rained.  All day", cjk=False)
    ['It ', 'rained.  ', 'All ', 'day']
    """
    tokens: list[str] = (_CHARACTER if cjk else _WORD).findall(text)
    return tokens


def token_key(token: str) -> str:
    """Return what a token is compared by: its letters and digits, or its punctuation if it has none.

    >>> token_key("Rained, "), token_key("– ")
    ('rained', '–')
    """
    return re.sub(r"\W+", "", token).lower() or token.strip()


def _add(runs: list[Run], run_type: RunType, tokens: list[str]) -> None:
    if tokens:
        runs.append(Run(run_type, "".join(tokens)))


# Two charts for the report, as inline SVG: a box plot, and a scatter plot of one tool against another.

#: Sizes of the box plot in pixels: its width, the column of names on the left, the column of numbers on the right,
#: and the height of a row.
_WIDTH: Final = 860
_NAME_WIDTH: Final = 170
_NUMBER_WIDTH: Final = 70
_ROW_HEIGHT: Final = 30
#: Whiskers end at the last value within this many interquartile ranges (J. Tukey: Exploratory Data Analysis, 1977).
_WHISKER_RANGE: Final = 1.5
#: Sizes of the scatter plot in pixels: its side, and the margin for the axes.
_SCATTER_SIDE: Final = 460
_MARGIN: Final = 52
_TICKS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def box_plot(series: Mapping[str, Sequence[float]]) -> str:
    """Return one box per tool: quartiles, median, whiskers, outliers, and a diamond for the mean."""
    shown = {name: np.asarray(values) for name, values in series.items() if len(values)}
    height = _ROW_HEIGHT * len(shown) + 34

    def x(value: float) -> float:
        return _NAME_WIDTH + value * (_WIDTH - _NAME_WIDTH - _NUMBER_WIDTH)

    parts = [f'<svg class="chart" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="box plot">']
    for tick in _TICKS:
        parts.append(f'<line class="grid" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="4" y2="{height - 24}"/>')
        parts.append(f'<text class="tick" x="{x(tick):.1f}" y="{height - 8}" text-anchor="middle">{tick:g}</text>')
    for number, (name, values) in enumerate(shown.items()):
        middle = number * _ROW_HEIGHT + 4 + _ROW_HEIGHT / 2
        low, median, high = np.quantile(values, [0.25, 0.5, 0.75])
        reach = _WHISKER_RANGE * (high - low)
        inner = values[(values >= low - reach) & (values <= high + reach)]
        parts.append(
            f'<text class="name" x="{_NAME_WIDTH - 12}" y="{middle + 4}" text-anchor="end">{escape(name)}</text>'
        )
        parts += [
            f'<circle class="outlier" cx="{x(value):.1f}" cy="{middle}" r="1.8"/>'
            # Rounded, so that values in the same pixel are drawn once.
            for value in sorted(
                {round(float(value), 2) for value in values if value < inner.min() or value > inner.max()}
            )
        ]
        ends = f'x1="{x(inner.min()):.1f}" x2="{x(inner.max()):.1f}"'
        parts.append(f'<line class="whisker" {ends} y1="{middle}" y2="{middle}"/>')
        box = f'x="{x(low):.1f}" width="{max(1.0, x(high) - x(low)):.1f}" y="{middle - 8}" height="16"'
        parts.append(f'<rect class="box" {box} rx="2"><title>{escape(name)}: {low:.3f} to {high:.3f}</title></rect>')
        parts.append(
            f'<line class="median" x1="{x(median):.1f}" x2="{x(median):.1f}" y1="{middle - 8}" y2="{middle + 8}"/>'
        )
        mean = float(values.mean())
        parts.append(
            f'<path class="mean" d="M{x(mean):.1f} {middle - 5}l5 5l-5 5l-5-5z"><title>mean {mean:.3f}</title></path>'
        )
        parts.append(f'<text class="tick" x="{_WIDTH - 4}" y="{middle + 4}" text-anchor="end">{mean:.3f}</text>')
    return "".join([*parts, "</svg>"])


@dataclass(frozen=True, slots=True)
class Point:
    """A page in a scatter plot: its two scores, its name, and the number of its corpus."""

    x: float
    y: float
    name: str
    group: int = 0


def scatter_plot(points: Sequence[Point], x_name: str, y_name: str) -> str:
    """Return a scatter plot of pages. Above the diagonal, the tool on the y axis is better."""
    span = _SCATTER_SIDE - _MARGIN - 12

    def center(point: Point) -> str:
        return f'cx="{_MARGIN + point.x * span:.1f}" cy="{12 + (1 - point.y) * span:.1f}"'

    parts = [
        f'<svg class="chart scatter" viewBox="0 0 {_SCATTER_SIDE} {_SCATTER_SIDE}" role="img" aria-label="scatter">'
    ]
    for tick in _TICKS:
        right, down = _MARGIN + tick * span, 12 + (1 - tick) * span
        parts.append(f'<line class="grid" x1="{right:.1f}" x2="{right:.1f}" y1="12" y2="{12 + span}"/>')
        parts.append(f'<line class="grid" x1="{_MARGIN}" x2="{_MARGIN + span}" y1="{down:.1f}" y2="{down:.1f}"/>')
        parts.append(f'<text class="tick" x="{right:.1f}" y="{28 + span}" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text class="tick" x="{_MARGIN - 8}" y="{down + 4:.1f}" text-anchor="end">{tick:g}</text>')
    parts.append(f'<line class="diagonal" x1="{_MARGIN}" y1="{12 + span}" x2="{_MARGIN + span}" y2="12"/>')
    parts += [
        f'<circle class="dot group{point.group % 6}" {center(point)} r="3"><title>{escape(point.name)}: '
        f"{escape(x_name)} {point.x:.3f}, {escape(y_name)} {point.y:.3f}</title></circle>"
        for point in points
    ]
    middle = 12 + span / 2
    parts.append(
        f'<text class="axis" x="{_MARGIN + span / 2}" y="{_SCATTER_SIDE - 4}" text-anchor="middle">'
        f"{escape(x_name)} →</text>"
    )
    turn = f'transform="rotate(-90 13 {middle})"'
    parts.append(f'<text class="axis" x="13" y="{middle}" text-anchor="middle" {turn}>{escape(y_name)} →</text>')
    return "".join([*parts, "</svg>"])


# A run as one self-contained HTML page: tables, charts, and the worst pages with their differences in colour.

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

    The first tool of `versions` is plotted against the second. `failures` are the worst pages, with their texts.
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
