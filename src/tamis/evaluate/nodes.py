"""Precision and recall over the nodes of a page, unweighted and weighted by words.

J. Prasad, A. Paepcke: CoreEx: content extraction from online news articles. CIKM 2008, section 3.3.

The nodes are the shown text rows of a `Page` that have words. The words of the page are aligned with the words of the
gold text by their longest common subsequence: a row is content if at least half of its words align. The metric needs
the rows that an extractor selected, so it applies to the extractors of Tamis only.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.evaluate.align import aligned_words
from tamis.evaluate.metrics import Match
from tamis.evaluate.words import is_cjk, split_words
from tamis.page import Page
from tamis.page.sums import Bools

#: The share of a row's words that must align. The value hardly matters: on L3S-GN1 86 % of rows have no aligned word
#: and 13 % align entirely; one row in 2,000 lies between a quarter and three quarters.
_MIN_ALIGNED_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class NodeMatch:
    """The match over nodes, and the match over nodes weighted by their number of words."""

    nodes: Match
    text: Match


def row_words(page: Page, *, cjk: bool) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Return the words of the shown text rows in order, and the row of each word."""
    words: list[str] = []
    rows: list[int] = []
    for row in np.flatnonzero(page.shown).tolist():
        words_of_row = split_words(page.row_text(row), cjk=cjk)
        words += words_of_row
        rows += [row] * len(words_of_row)
    return words, np.array(rows, dtype=np.int64)


def gold_rows(page: Page, gold: str) -> Bools | None:
    """Return a mask of the rows that are content by the gold text, or None if the texts are too long to align.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<nav>Home</nav><p>Rain all day.</p><footer>Imprint</footer>")
    >>> [page.row_text(row) for row in gold_rows(page, "Rain all day.").nonzero()[0]]
    ['Rain all day.']
    """
    cjk = is_cjk(gold)
    words, rows = row_words(page, cjk=cjk)
    aligned = aligned_words(words, split_words(gold, cjk=cjk))
    if aligned is None:
        return None
    word_counts = np.bincount(rows, minlength=len(page))
    aligned_counts = np.bincount(rows[aligned], minlength=len(page))
    return (word_counts > 0) & (aligned_counts >= _MIN_ALIGNED_SHARE * word_counts)


def match_nodes(page: Page, selected: Bools, gold: str) -> NodeMatch | None:
    """Compare the rows that an extractor selected with the rows that are content by the gold text.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>One</p><p>two three four</p><p>five</p>")
    >>> match = match_nodes(page, page.is_text, "two three four five")
    >>> match.nodes.precision, match.text.precision
    (0.6666666666666666, 0.8)
    """
    content = gold_rows(page, gold)
    if content is None:
        return None
    if not content.any() and split_words(gold, cjk=is_cjk(gold)):  # no content is shown on the page
        return NodeMatch(Match(0.0, 0.0, 0.0), Match(0.0, 0.0, 0.0))
    _, rows = row_words(page, cjk=is_cjk(gold))
    weight = np.bincount(rows, minlength=len(page))
    predicted = selected & (weight > 0)
    common = predicted & content
    return NodeMatch(
        nodes=Match.from_counts(float(common.sum()), float(predicted.sum()), float(content.sum())),
        text=Match.from_counts(
            float(weight[common].sum()), float(weight[predicted].sum()), float(weight[content].sum())
        ),
    )
