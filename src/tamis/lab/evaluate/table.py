"""Tables of results: means and intervals by corpus, page type and site, differences from a baseline."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Final
from unicodedata import east_asian_width

import numpy as np
import numpy.typing as npt

from tamis.lab.evaluate.metric_registry import Metric
from tamis.lab.evaluate.run import Result
from tamis.lab.evaluate.structure import POOLED_PARTS

# Means, medians, bootstrap intervals, and a paired test of the difference between two tools.
#
# Samples are drawn with a fixed seed: the same scores give the same table on any machine.

Floats = npt.NDArray[np.float64]

#: Resamples of a bootstrap. With 2,000, the ends of a 95 % interval of a typical corpus (1,500 pages, standard
#: deviation 0.25) have a standard error of 0.0004 from sampling, less than a table prints.
RESAMPLES: Final = 2000
#: The share of resampled means within an interval.
CONFIDENCE: Final = 0.95
_SEED: Final = 20080521
#: Entries of the index matrix that are drawn at once: 8 MB for a corpus of any size.
_CHUNK_SIZE: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Summary:
    """The mean and median of the scores of some pages; `low` and `high` are the interval of the mean."""

    pages: int
    mean: float
    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two tools on the same pages.

    Attributes:
        mean: the mean of the differences, first minus second.
        p: the two-sided p value: twice the share of resampled means on the other side of zero.
    """

    mean: float
    low: float
    high: float
    p: float


def resampled_means(values: Sequence[float] | Floats, resamples: int = RESAMPLES) -> Floats:
    """Return the means of `resamples` samples of the same size, drawn with replacement.

    >>> resampled_means([1.0, 1.0, 1.0], 2).tolist()
    [1.0, 1.0]
    """
    array = np.asarray(values, dtype=np.float64)
    rng = np.random.default_rng(_SEED)
    rows = max(1, _CHUNK_SIZE // max(1, len(array)))
    means = [
        array[rng.integers(0, len(array), (min(rows, resamples - start), len(array)))].mean(axis=1)
        for start in range(0, resamples, rows)
    ]
    return np.concatenate(means)


def summarise(values: Sequence[float] | Floats) -> Summary:
    """Return the mean, the median and the bootstrap interval of the mean (percentiles); NaN for no values.

    >>> summarise([0.5, 0.5, 0.5])
    Summary(pages=3, mean=0.5, median=0.5, low=0.5, high=0.5)
    """
    array = np.asarray(values, dtype=np.float64)
    if not len(array):
        return Summary(0, np.nan, np.nan, np.nan, np.nan)
    low, high = _interval(resampled_means(array))
    return Summary(len(array), float(array.mean()), float(np.median(array)), low, high)


def paired_bootstrap(first: Sequence[float], second: Sequence[float]) -> Difference:
    """Test the difference between the scores of two tools on the same pages, in the same order.

    >>> paired_bootstrap([0.9, 0.8, 0.9, 0.7], [0.5, 0.6, 0.4, 0.6]).p < 0.01
    True
    >>> paired_bootstrap([0.5, 0.6], [0.5, 0.6]).p
    1.0
    """
    if len(first) != len(second):
        raise ValueError(f"paired scores differ in number: {len(first)} and {len(second)}")
    difference = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    if not len(difference):
        return Difference(np.nan, np.nan, np.nan, np.nan)
    means = resampled_means(difference)
    low, high = _interval(means)
    # One is added above and below, so that no finite number of resamples gives p = 0.
    tail = min(int((means <= 0).sum()), int((means >= 0).sum()))
    p = min(1.0, 2 * (tail + 1) / (len(means) + 1))
    return Difference(float(difference.mean()), low, high, p)


def _interval(means: Floats) -> tuple[float, float]:
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


# Tables of results: by corpus, by page type, by site, and differences from a baseline.

_NO_VALUE: Final = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text. The first `name_columns` columns have names, the others numbers."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    name_columns: int = 1

    def text(self) -> str:
        """Return the table for a terminal.

        >>> print(Table("Scores", ("tool", "F1"), (("cetd", "0.9"), ("a", "0.85"))).text())
        Scores
        tool    F1
        ----  ----
        cetd   0.9
        a     0.85
        """
        lines = [self.header, *self.rows]
        widths = [max(display_width(line[column]) for line in lines) for column in range(len(self.header))]
        rule = tuple("-" * width for width in widths)
        body = [self._line(line, widths) for line in (self.header, rule, *self.rows)]
        return "\n".join([self.title, *body])

    def _line(self, line: tuple[str, ...], widths: Sequence[int]) -> str:
        cells = [
            cell + " " * (widths[column] - display_width(cell))
            if column < self.name_columns
            else " " * (widths[column] - display_width(cell)) + cell
            for column, cell in enumerate(line)
        ]
        return "  ".join(cells).rstrip()

    def markdown(self) -> str:
        """Return the table as Markdown.

        >>> print(Table("Scores", ("tool", "F1"), (("cetd", "0.9"),)).markdown())
        **Scores**
        <BLANKLINE>
        | tool | F1 |
        | --- | ---: |
        | cetd | 0.9 |
        """
        rule = ["---" if column < self.name_columns else "---:" for column in range(len(self.header))]
        lines = [self.header, rule, *self.rows]
        body = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
        return "\n".join([f"**{self.title}**", "", *body])


def display_width(text: str) -> int:
    """Return how many columns a text takes on a terminal: two for a wide character."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def format_number(value: float | None, digits: int = 3) -> str:
    """Return a number with fixed decimals, or a dash for None and NaN.

    >>> format_number(0.12345), format_number(None)
    ('0.123', '–')
    """
    return _NO_VALUE if value is None or isnan(value) else f"{value:.{digits}f}"


def corpus_names(results: Iterable[Result]) -> list[str]:
    """Return the names of the corpora, in order of appearance."""
    return list(dict.fromkeys(result.corpus for result in results))


def column_values(results: Iterable[Result], column: str) -> list[float]:
    """Return the values of a column, for the results that have it."""
    return [result.scores[column] for result in results if column in result.scores]


def score_table(results: Sequence[Result], tools: Sequence[str], metric: Metric, *, with_times: bool = True) -> Table:
    """Return a row for each corpus and tool: means, the median and 95 % interval of the main column, and times.

    A tool has no row for a corpus if the metric does not apply to them. Times are CPU time per page and its ratio to
    parsing the same pages and nothing else, without failures.
    """
    columns = metric.columns or tuple(
        sorted({name for result in results for name in result.scores if name.startswith(f"{metric.name}.")})
    )
    header = ["corpus", "extractor", "pages", "errors", *(name.split(".", 1)[1] for name in columns)]
    header += ["median", "95 %", *(("ms", "× parse") if with_times else ())]
    rows = []
    for corpus in corpus_names(results):
        for tool in tools:
            group = [result for result in results if result.corpus == corpus and result.tool == tool]
            if not any(column in result.scores for result in group for column in columns):
                continue
            row = [corpus, tool, str(len(group)), str(sum(1 for result in group if result.error))]
            row += [format_number(_pooled(group, column)) for column in columns]
            summary = summarise(column_values(group, metric.main_column))
            interval = f"{format_number(summary.low)}–{format_number(summary.high)}" if summary.pages else _NO_VALUE
            rows.append((*row, format_number(summary.median), interval, *(_times(group) if with_times else ())))
    is_pooled = any(f"{column}.equal" in result.scores for result in results for column in columns)
    how = "F1 over the elements of all pages" if is_pooled else "mean over pages"
    return Table(f"{metric.name} ({how})", tuple(header), tuple(rows), name_columns=2)


def _pooled(group: Sequence[Result], column: str) -> float | None:
    """Return the F1 of all pages together where their elements were counted, else the mean over pages."""
    equal, predicted, gold = (sum(column_values(group, f"{column}.{part}")) for part in POOLED_PARTS)
    if predicted + gold:
        return 2 * equal / (predicted + gold)
    return _mean(column_values(group, column))


def _mean(numbers: Sequence[float]) -> float | None:
    return float(np.mean(numbers)) if numbers else None


def _times(results: Sequence[Result]) -> tuple[str, str]:
    timed = [(result.cpu_ms, result.parse_ms) for result in results if result.cpu_ms is not None and result.parse_ms]
    if not timed:
        return _NO_VALUE, _NO_VALUE
    cpu, parse = sum(cpu for cpu, _ in timed), sum(parse or 0.0 for _, parse in timed)
    return format_number(cpu / len(timed), 2), format_number(cpu / parse, 1) if parse else _NO_VALUE


def group_table(results: Sequence[Result], tools: Sequence[str], metric: Metric, group_by: str) -> Table:
    """Return a row for each page type (or site, language, level, tag) of each corpus, and a column for each tool.

    A page with several tags counts for each of them.
    """
    rows = []
    for corpus in corpus_names(results):
        of_corpus = [result for result in results if result.corpus == corpus]
        names = sorted({name for result in of_corpus for name in _group_names(result, group_by)})
        for name in names:
            group = [result for result in of_corpus if name in _group_names(result, group_by)]
            pages = len({result.page for result in group})
            scores = [
                column_values((result for result in group if result.tool == tool), metric.main_column)
                for tool in tools
            ]
            means = [format_number(_mean(values)) for values in scores]
            if set(means) != {_NO_VALUE}:
                rows.append((corpus, name, str(pages), *means))
    header = ("corpus", group_by, "pages", *tools)
    return Table(f"{metric.main_column} by {group_by}", header, tuple(rows), name_columns=2)


def _group_names(result: Result, group_by: str) -> tuple[str, ...]:
    if group_by == "tag":
        return result.tags or (_NO_VALUE,)
    return (getattr(result, group_by) or _NO_VALUE,)


def difference_table(results: Sequence[Result], tools: Sequence[str], metric: Metric, baseline: str) -> Table:
    """Return the difference between each tool and a baseline on the pages that both have, with a paired test."""
    column = metric.main_column
    rows = []
    for corpus in corpus_names(results):
        by_tool = {
            tool: {
                result.page: result.scores[column]
                for result in results
                if result.corpus == corpus and result.tool == tool and column in result.scores
            }
            for tool in (*tools, baseline)
        }
        for tool in tools:
            if tool == baseline:
                continue
            pages = sorted(by_tool[tool].keys() & by_tool[baseline].keys())
            if not pages:
                continue
            test = paired_bootstrap(
                [by_tool[tool][page] for page in pages], [by_tool[baseline][page] for page in pages]
            )
            interval = f"{test.low:+.3f} to {test.high:+.3f}"
            rows.append((corpus, tool, str(len(pages)), f"{test.mean:+.3f}", interval, format_number(test.p, 4)))
    header = ("corpus", "extractor", "pages", "difference", "95 %", "p")
    return Table(f"{column} against {baseline} (paired bootstrap)", header, tuple(rows), name_columns=2)


def worst_pages(results: Sequence[Result], tool: str, column: str, count: int = 20) -> list[Result]:
    """Return the results with a tool's lowest scores, of all corpora, in an order that is the same in every run."""
    scored = [result for result in results if result.tool == tool and column in result.scores]
    return sorted(scored, key=lambda result: (result.scores[column], result.corpus, result.page))[:count]
