"""The progress of many pages, on standard error."""

import sys
import time
from typing import TYPE_CHECKING, Final

from tamis.cli.output import print_message

if TYPE_CHECKING:
    from tamis.batch import Summary

_LINE_SECONDS: Final = 10.0  #: between lines of progress where the output is not a terminal
_BAR_SECONDS: Final = 0.2
_BAR_WIDTH: Final = 20
_MINUTE, _HOUR = 60, 3600
_WHOLE_RATE: Final = 10  #: pages per second from which a whole number is enough


def describe(summary: "Summary") -> str:
    """Return what was done, in one line."""
    if summary.learned_from:
        return f"{summary.learned_from:,} pages read, to learn their sites"
    if summary.was_finished:
        return "nothing to do: the earlier run has finished"
    if not summary.rows:
        return "no pages"
    counts = ", ".join(f"{count:,} {status}" for status, count in sorted(summary.statuses.items()))
    earlier = f" ({summary.resumed:,} by an earlier run)" if summary.resumed else ""
    rate = f"{summary.rate:,.0f}" if summary.rate >= _WHOLE_RATE else f"{summary.rate:.1f}"
    pages = "page" if summary.rows == 1 else "pages"
    return f"{summary.rows:,} {pages}{earlier}: {counts}; {rate} pages/s"


def describe_problems(summary: "Summary") -> list[str]:
    """Return a line for each kind of problem: how many pages have it, the reason, and the first of them."""
    lines = []
    for problem in summary.problems:
        pages = "page" if problem.count == 1 else "pages"
        more = ", …" if problem.count > len(problem.examples) else ""
        what = problem.error if problem.status == "error" else f"{problem.status}: {problem.error}"
        lines.append(f"{problem.count:,} {pages}, {what}: {', '.join(problem.examples)}{more}")
    return lines


def describe_progress(summary: "Summary") -> str:
    """Return what was done so far, and how much time is left if the number of pages is known."""
    if summary.total is None or not summary.rows or summary.learned_from:
        return describe(summary)
    done = min(1.0, summary.rows / summary.total) if summary.total else 1.0
    bar = ("█" * round(done * _BAR_WIDTH)).ljust(_BAR_WIDTH, "·")
    left = summary.seconds_left
    text = describe(summary).partition(" page")[2].removeprefix("s")
    return f"{bar} {summary.rows:,} of {summary.total:,} pages ({done:.0%}){text}" + (
        "" if left is None else f", {duration(left)} left"
    )


def duration(seconds: float) -> str:
    """Return a time for people.

    >>> duration(42.3), duration(200), duration(7330)
    ('42 s', '3 min', '2 h 02 min')
    """
    if seconds < 2 * _MINUTE:
        return f"{seconds:.0f} s"
    if seconds < 2 * _HOUR:
        return f"{seconds / _MINUTE:.0f} min"
    return f"{seconds // _HOUR:.0f} h {seconds % _HOUR // _MINUTE:02.0f} min"


class Progress:
    """Shows the progress on standard error: a bar on a terminal, else a line at times."""

    def __init__(self, *, is_shown: bool = True) -> None:
        self._is_shown, self._terminal = is_shown, sys.stderr.isatty()
        self._shown = time.monotonic()
        self._width = 0

    def show(self, summary: "Summary") -> None:
        """Show what was done so far, if the last time is long enough ago."""
        now = time.monotonic()
        if not self._is_shown or now - self._shown < (_BAR_SECONDS if self._terminal else _LINE_SECONDS):
            return
        self._shown = now
        line = describe_progress(summary)
        if self._terminal:
            sys.stderr.write("\r" + line.ljust(self._width))
            self._width = len(line)
            sys.stderr.flush()
        else:
            print_message(line)

    def clear(self) -> None:
        """Remove the bar from a terminal, before anything else is written there."""
        if self._terminal and self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0
