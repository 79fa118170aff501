"""Tables of results: by corpus, and within a corpus by page type or by site."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Final, Literal
from unicodedata import east_asian_width

import numpy as np

from tamis.evaluate.measures import Measure
from tamis.evaluate.results import Result
from tamis.evaluate.statistics import compare, summarise

Group = Literal["page_type", "site"]
_NOTHING: Final = "–"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text. The first `named` columns hold names, the others figures."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    named: int = 1

    def text(self) -> str:
        """Return it for a terminal.

        >>> print(Table("Scores", ("tool", "F1"), (("cetd", "0.9"), ("a", "0.85"))).text())
        Scores
        tool    F1
        ----  ----
        cetd   0.9
        a     0.85
        """
        lines = [self.header, *self.rows]
        wide = [max(display_width(line[column]) for line in lines) for column in range(len(self.header))]
        rule = tuple("-" * each for each in wide)
        body = [self._line(line, wide) for line in (self.header, rule, *self.rows)]
        return "\n".join([self.title, *body])

    def _line(self, line: tuple[str, ...], wide: Sequence[int]) -> str:
        cells = [
            cell + " " * (wide[column] - display_width(cell))
            if column < self.named
            else " " * (wide[column] - display_width(cell)) + cell
            for column, cell in enumerate(line)
        ]
        return "  ".join(cells).rstrip()

    def markdown(self) -> str:
        """Return it as a Markdown table.

        >>> print(Table("Scores", ("tool", "F1"), (("cetd", "0.9"),)).markdown())
        **Scores**
        <BLANKLINE>
        | tool | F1 |
        | --- | ---: |
        | cetd | 0.9 |
        """
        rule = ["---" if column < self.named else "---:" for column in range(len(self.header))]
        lines = [self.header, rule, *self.rows]
        body = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
        return "\n".join([f"**{self.title}**", "", *body])


def display_width(text: str) -> int:
    """Return the columns a text takes on a terminal: two for a wide character."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def figure(value: float | None, digits: int = 3) -> str:
    """Return a number as a table prints it, a dash where there is none.

    >>> figure(0.12345), figure(None)
    ('0.123', '–')
    """
    return _NOTHING if value is None or isnan(value) else f"{value:.{digits}f}"


def corpora_of(results: Iterable[Result]) -> list[str]:
    """Return the corpora of results, in order of appearance."""
    return list(dict.fromkeys(result.corpus for result in results))


def values(results: Iterable[Result], column: str) -> list[float]:
    """Return a column of those results that have it."""
    return [result.scores[column] for result in results if column in result.scores]


def main_table(results: Sequence[Result], tools: Sequence[str], measure: Measure, *, times: bool = True) -> Table:
    """Return a row for each corpus and tool: means, and for the main column median and 95 % interval; then time.

    A corpus that has nothing for the metric, or a tool that it does not measure, has no row. Time is processor time
    a page, and its ratio to bare parsing of the same pages; failures are not counted in it.
    """
    columns = measure.columns or tuple(
        sorted({name for each in results for name in each.scores if name.startswith(f"{measure.name}.")})
    )
    header = ["corpus", "extractor", "pages", "errors", *(name.split(".", 1)[1] for name in columns)]
    header += ["median", "95 %", *(("ms", "× parse") if times else ())]
    rows = []
    for corpus in corpora_of(results):
        for tool in tools:
            own = [each for each in results if each.corpus == corpus and each.tool == tool]
            if not any(column in each.scores for each in own for column in columns):
                continue
            row = [corpus, tool, str(len(own)), str(sum(1 for each in own if each.error))]
            row += [figure(_mean(values(own, column))) for column in columns]
            summary = summarise(values(own, measure.main))
            interval = f"{figure(summary.low)}–{figure(summary.high)}" if summary.pages else _NOTHING
            rows.append((*row, figure(summary.median), interval, *(_times(own) if times else ())))
    return Table(f"{measure.name} (mean over pages)", tuple(header), tuple(rows), named=2)


def _mean(numbers: Sequence[float]) -> float | None:
    return float(np.mean(numbers)) if numbers else None


def _times(results: Sequence[Result]) -> tuple[str, str]:
    timed = [(each.cpu_ms, each.parse_ms) for each in results if each.cpu_ms is not None and each.parse_ms]
    if not timed:
        return _NOTHING, _NOTHING
    spent, bare = sum(cpu for cpu, _ in timed), sum(parse or 0.0 for _, parse in timed)
    return figure(spent / len(timed), 2), figure(spent / bare, 1) if bare else _NOTHING


def group_table(results: Sequence[Result], tools: Sequence[str], measure: Measure, group: Group) -> Table:
    """Return a row for each page type (or site) of each corpus, and a column for each tool."""
    rows = []
    for corpus in corpora_of(results):
        here = [each for each in results if each.corpus == corpus]
        names = sorted({getattr(each, group) or _NOTHING for each in here})
        for name in names:
            own = [each for each in here if (getattr(each, group) or _NOTHING) == name]
            pages = len({each.page for each in own})
            means = [figure(_mean(values((e for e in own if e.tool == tool), measure.main))) for tool in tools]
            if set(means) != {_NOTHING}:
                rows.append((corpus, name, str(pages), *means))
    return Table(f"{measure.main} by {group}", ("corpus", group, "pages", *tools), tuple(rows), named=2)


def difference_table(results: Sequence[Result], tools: Sequence[str], measure: Measure, baseline: str) -> Table:
    """Return how much each tool is better than the baseline on the pages that both have, with a paired test."""
    rows = []
    for corpus in corpora_of(results):
        by_tool = {
            tool: {
                each.page: each.scores[measure.main]
                for each in results
                if each.corpus == corpus and each.tool == tool and measure.main in each.scores
            }
            for tool in (*tools, baseline)
        }
        for tool in tools:
            if tool == baseline:
                continue
            pages = sorted(by_tool[tool].keys() & by_tool[baseline].keys())
            if not pages:
                continue
            found = compare([by_tool[tool][page] for page in pages], [by_tool[baseline][page] for page in pages])
            interval = f"{found.low:+.3f} to {found.high:+.3f}"
            rows.append((corpus, tool, str(len(pages)), f"{found.mean:+.3f}", interval, figure(found.p, 4)))
    header = ("corpus", "extractor", "pages", "difference", "95 %", "p")
    return Table(f"{measure.main} against {baseline} (paired bootstrap)", header, tuple(rows), named=2)


def worst(results: Sequence[Result], tool: str, column: str, count: int = 20) -> list[Result]:
    """Return the pages on which a tool scores least, of all corpora; the order is the same in every run."""
    own = [each for each in results if each.tool == tool and column in each.scores]
    return sorted(own, key=lambda each: (each.scores[column], each.corpus, each.page))[:count]
