"""Means, medians, bootstrap intervals, and a paired test of the difference between two tools.

Samples are drawn with a fixed seed: the same scores give the same table on any machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

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
        low: the lower end of its interval.
        high: the upper end of its interval.
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
