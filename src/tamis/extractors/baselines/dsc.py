"""DSC: document slope curves.

D. Pinto, M. Branstein, R. Coleman, W. B. Croft, M. King, W. Li, X. Wei: QuASM: a system for question answering
using semi-structured data. JCDL 2002, 46–55.

The curve counts tags over the tokens of the page. It is flat where there is text. A window moves over it; where
the slope stays low for some windows a section of content begins, where it stays high the section ends. So, other
than BTE, several pieces of text can be found.
Selects text rows that have most of their words in such sections; scores are 1 less the slope around the words.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tamis.extractors.base import Selection
from tamis.extractors.baselines.tokens import count_tokens
from tamis.page import Page

Floats = npt.NDArray[np.float64]


def window_slopes(is_word: npt.NDArray[np.bool_], window: int) -> Floats:
    """Return the slope of the curve in each of the windows that the tokens are cut into: its tags a token.

    >>> window_slopes(np.array([False, False, True, True, True]), 2).tolist()
    [1.0, 0.0, 0.0]
    """
    starts = np.arange(0, len(is_word), window)
    tags = np.add.reduceat((~is_word).astype(np.int64), starts)
    return np.asarray(tags / np.diff(np.append(starts, len(is_word))))


def sections(low: npt.NDArray[np.bool_], patience: int) -> npt.NDArray[np.bool_]:
    """Return which windows are in a section: from `patience` low windows in a row until as many high ones.

    >>> sections(np.array([0, 1, 1, 0, 1, 0, 0, 1], dtype=bool), 2).tolist()
    [False, True, True, True, True, False, False, False]
    """
    change = np.flatnonzero(np.diff(low, prepend=~low[:1]))
    length = np.diff(np.append(change, len(low)))
    sure = change[length >= patience]
    state = np.zeros(len(low), dtype=np.int64)
    state[sure] = np.where(low[sure], sure + 1, -sure - 1)
    last = np.maximum.accumulate(np.abs(state))  # the window, counted from 1, of the last change that lasted
    return np.asarray((last > 0) & low[np.maximum(last - 1, 0)])


@dataclass(frozen=True, slots=True)
class Dsc:
    """Sections where the document slope curve is flat.

    Attributes:
        window: tokens a window. No length is published; of 5, 10, 20 and 40 this one comes nearest to the precision
            and recall that Song 2015 measured on CleanEval (0.92 and 0.62; ours on its development part 0.89 and
            0.68), and shorter ones find more.
        share: a slope is low when it is below this share of the slope of the whole page.
        patience: how many windows in a row begin or end a section.

    >>> from tamis.page import parse_page
    >>> prose = "Put the kettle on and wait until it sings, then pour. " * 9
    >>> page = parse_page("<ul>" + "<li><a>menu</a>" * 31 + f"</ul><p>{prose}</p><ul>" + "<li><a>end</a>" * 30)
    >>> [page.row_text(row)[:9] for row in Dsc().select(page).mask.nonzero()[0]]
    ['Put the k']
    """

    window: int = 20
    share: float = 0.5
    patience: int = 3
    name: ClassVar[str] = "dsc"
    summary: ClassVar[str] = "where the tags-over-tokens curve is flat"
    source: ClassVar[str] = "Pinto et al. 2002"

    def select(self, page: Page) -> Selection:
        """Select the text of the flat sections."""
        runs = count_tokens(page)
        kept, score = np.zeros(len(page), dtype=np.bool_), np.zeros(len(page))
        if len(runs.rows):
            is_word = runs.is_word()
            slopes = window_slopes(is_word, self.window)
            flat = sections(slopes < self.share * (1 - is_word.mean()), self.patience)
            at = np.arange(len(is_word)) // self.window
            kept[runs.rows] = runs.share(flat[at]) > 0.5  # noqa: PLR2004 (most of its words)
            middle = np.cumsum(runs.words) + np.cumsum(runs.tags[:-1]) - runs.words // 2 - 1
            score[runs.rows] = 1 - slopes[at[middle]]
        return Selection.from_mask(page, kept, score, ("where the slope is high", "in a flat section"))
