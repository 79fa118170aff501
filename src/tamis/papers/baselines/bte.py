"""BTE: body text extraction.

A. Finn, N. Kushmerick, B. Smyth: Fact or fiction: content classification for digital libraries. Joint DELOS-NSF
Workshop on Personalisation and Recommender Systems in Digital Libraries, Dublin 2001.

A page is a sequence of words and tags. The content is one continuous region: the one with the most words inside and
the most tags outside. The sum of tags before, words inside and tags after equals, up to a constant, the sum of +1 per
word and -1 per tag inside. So the region is a maximum subarray, found in one pass. Selects the text rows of the
region. The score of a row is its number of words minus half the tags before and after it.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tamis.extractors.registry import Selection
from tamis.page import Page
from tamis.papers.baselines.sequences import TokenRuns, count_tokens


def best_region(runs: TokenRuns) -> tuple[int, int]:
    """Return the index of the region's first text row and the one after its last; the first of equally good regions.

    >>> from tamis.page import parse_page
    >>> best_region(count_tokens(parse_page("<i>a</i><p>b c d<b>e</b>f g</p><i>h</i>")))
    (1, 4)
    """
    if not len(runs.rows):
        return 0, 0
    sums = np.cumsum(runs.words) - np.cumsum(runs.tags[:-1])  # at the end of each run
    starts = sums - runs.words
    gain = sums - np.minimum.accumulate(starts)
    last = int(np.argmax(gain))
    return int(np.argmin(starts[: last + 1])), last + 1


@dataclass(frozen=True, slots=True)
class Bte:
    """The region with the most words and the fewest tags.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li>Home<li>News</ul><p>Water just <b>off</b> the boil, three minutes.</p><i>Next</i>")
    >>> [page.row_text(row) for row in Bte().select(page).mask.nonzero()[0]]
    ['Water just ', 'off', ' the boil, three minutes.']
    """

    name: ClassVar[str] = "bte"
    summary: ClassVar[str] = "the one region with the most words and the fewest tags"
    source: ClassVar[str] = "Finn, Kushmerick, Smyth 2001"

    def select(self, page: Page) -> Selection:
        """Select the text rows of the region."""
        runs = count_tokens(page)
        first, stop = best_region(runs)
        mask = np.zeros(len(page), dtype=np.bool_)
        mask[runs.rows[first:stop]] = True
        score = np.zeros(len(page))
        score[runs.rows] = runs.words - (runs.tags[:-1] + runs.tags[1:]) / 2
        return Selection.from_mask(page, mask, score, ("outside the region", "in the region with the most words"))
