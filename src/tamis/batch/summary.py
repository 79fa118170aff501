"""`Summary`: what a batch has done."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class Summary:
    """What a batch has done so far.

    Attributes:
        statuses: the number of rows of each status.
        resumed: rows that an earlier run had written.
        seconds: the time of this run.
        total: the number of pages of the whole batch, if it is known.
        learned_from: the pages that were read so far to learn their sites; 0 before and after that.
        was_finished: an earlier run had finished, so that there was nothing to resume.

    >>> half = Summary(Counter(ok=90, error=10), seconds=2.0, total=200)
    >>> half.rows, half.rate, half.seconds_left
    (100, 50.0, 2.0)
    """

    statuses: Counter[str] = field(default_factory=Counter)
    resumed: int = 0
    seconds: float = 0.0
    total: int | None = None
    learned_from: int = 0
    was_finished: bool = False

    @property
    def rows(self) -> int:
        """All rows, those of earlier runs included."""
        return sum(self.statuses.values())

    @property
    def rate(self) -> float:
        """Pages per second of this run."""
        return (self.rows - self.resumed) / self.seconds if self.seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        """The time that the other pages will take at this rate, if their number is known."""
        if self.total is None or not self.rate:
            return None
        return max(0, self.total - self.rows) / self.rate
