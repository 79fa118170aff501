"""DSC: document slope curves.

D. Pinto, M. Branstein, R. Coleman, W. B. Croft, M. King, W. Li, X. Wei: QuASM: a system for question answering
using semi-structured data. JCDL 2002, 46–55.

The curve is the number of tags over the tokens of the page. It is flat where there is text. The tokens are cut into
windows. A section of content begins where the slope stays low for some windows, and ends where it stays high. Unlike
BTE, the method can find several sections.
Selects text rows with most of their words in such sections. Scores are 1 minus the slope around the words.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tamis.extractors.registry import Selection
from tamis.page import Page
from tamis.papers.baselines.sequences import count_tokens

Floats = npt.NDArray[np.float64]


def window_slopes(is_word: npt.NDArray[np.bool_], window: int) -> Floats:
    """Return the slope of the curve in each window of tokens: its tags per token.

    >>> window_slopes(np.array([False, False, True, True, True]), 2).tolist()
    [1.0, 0.0, 0.0]
    """
    starts = np.arange(0, len(is_word), window)
    tags = np.add.reduceat((~is_word).astype(np.int64), starts)
    return np.asarray(tags / np.diff(np.append(starts, len(is_word))))


def find_sections(low: npt.NDArray[np.bool_], min_windows: int) -> npt.NDArray[np.bool_]:
    """Return which windows are in a section: from `min_windows` consecutive low windows until as many high ones.

    >>> find_sections(np.array([0, 1, 1, 0, 1, 0, 0, 1], dtype=bool), 2).tolist()
    [False, True, True, True, True, False, False, False]
    """
    change = np.flatnonzero(np.diff(low, prepend=~low[:1]))
    length = np.diff(np.append(change, len(low)))
    long_run = change[length >= min_windows]
    run_start = np.zeros(len(low), dtype=np.int64)  # counted from 1; 0 before the first long run
    run_start[long_run] = long_run + 1
    run_start = np.maximum.accumulate(run_start)
    return np.asarray((run_start > 0) & low[np.maximum(run_start - 1, 0)])


@dataclass(frozen=True, slots=True)
class Dsc:
    """Sections where the document slope curve is flat.

    Attributes:
        window: tokens per window. No length is published. Of 5, 10, 20 and 40 this one is nearest to the precision
        and
            recall that Song 2015 report on CleanEval (0.92 and 0.62; ours on its development part: 0.89 and 0.68).
            Shorter windows find more.
        share: a slope is low if it is below this share of the slope of the whole page.
        min_windows: number of consecutive windows that begin or end a section.

    >>> from tamis.page import parse_page
    >>> prose = "Put the kettle on and wait until it sings, then pour. " * 9
    >>> page = parse_page("<ul>" + "<li><a>menu</a>" * 31 + f"</ul><p>{prose}</p><ul>" + "<li><a>end</a>" * 30)
    >>> [page.row_text(row)[:9] for row in Dsc().select(page).mask.nonzero()[0]]
    ['Put the k']
    """

    window: int = 20
    share: float = 0.5
    min_windows: int = 3
    name: ClassVar[str] = "dsc"
    summary: ClassVar[str] = "sections with few tags per token"
    source: ClassVar[str] = "Pinto et al. 2002"

    def select(self, page: Page) -> Selection:
        """Select the text rows of flat sections."""
        runs = count_tokens(page)
        kept, score = np.zeros(len(page), dtype=np.bool_), np.zeros(len(page))
        if len(runs.rows):
            is_word = runs.is_word()
            slopes = window_slopes(is_word, self.window)
            flat = find_sections(slopes < self.share * (1 - is_word.mean()), self.min_windows)
            window = np.arange(len(is_word)) // self.window
            kept[runs.rows] = runs.share(flat[window]) > 0.5  # noqa: PLR2004 (the majority of its words)
            middle = np.cumsum(runs.words) + np.cumsum(runs.tags[:-1]) - runs.words // 2 - 1
            score[runs.rows] = 1 - slopes[window[middle]]
        return Selection.from_mask(page, kept, score, ("where the slope is high", "in a flat section"))
