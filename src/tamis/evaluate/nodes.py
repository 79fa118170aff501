"""Precision and recall over the nodes of a page, plain and weighted by words.

J. Prasad, A. Paepcke: CoreEx: content extraction from online news articles. CIKM 2008, section 3.3.

The nodes are the shown text rows of a `Page` that have words. Which of them are content is found by aligning the
words of the page with the words of the gold text (the longest common subsequence): a row is content when at least
half of its words align. It needs the rows an extractor chose, so it measures our own extractors only.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.evaluate.align import aligned
from tamis.evaluate.metrics import Match
from tamis.evaluate.words import by_character, words_of
from tamis.page import Page
from tamis.page.sums import Bools

#: The share of a row's words that must align. Where it is set hardly matters: on L3S-GN1 86 % of rows align not at
#: all and 13 % wholly; one row in 2,000 lies between a quarter and three quarters.
_ALIGNED: Final = 0.5


@dataclass(frozen=True, slots=True)
class NodeMatch:
    """The match over nodes, and the match over nodes weighted by the number of their words."""

    nodes: Match
    text: Match


def row_words(page: Page, *, characters: bool) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Return the words of the shown text rows in order, and the row of each."""
    found: list[str] = []
    rows: list[int] = []
    for row in np.flatnonzero(page.shown).tolist():
        its = words_of(page.row_text(row), characters=characters)
        found += its
        rows += [row] * len(its)
    return found, np.array(rows, dtype=np.int64)


def gold_rows(page: Page, gold: str) -> Bools | None:
    """Return which rows of a page the gold text marks as content; None when that is too much to align.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<nav>Home</nav><p>Rain all day.</p><footer>Imprint</footer>")
    >>> [page.row_text(row) for row in gold_rows(page, "Rain all day.").nonzero()[0]]
    ['Rain all day.']
    """
    characters = by_character(gold)
    words, rows = row_words(page, characters=characters)
    hits = aligned(words, words_of(gold, characters=characters))
    if hits is None:
        return None
    total = np.bincount(rows, minlength=len(page))
    matched = np.bincount(rows[hits], minlength=len(page))
    return (total > 0) & (matched >= _ALIGNED * total)


def nodes(page: Page, chosen: Bools, gold: str) -> NodeMatch | None:
    """Compare the rows an extractor chose with those that the gold text marks.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>One</p><p>two three four</p><p>five</p>")
    >>> match = nodes(page, page.is_text, "two three four five")
    >>> match.nodes.precision, match.text.precision
    (0.6666666666666666, 0.8)
    """
    wanted = gold_rows(page, gold)
    if wanted is None:
        return None
    if not wanted.any() and words_of(gold, characters=by_character(gold)):  # nothing that is wanted is shown
        return NodeMatch(Match(0.0, 0.0, 0.0), Match(0.0, 0.0, 0.0))
    _, rows = row_words(page, characters=by_character(gold))
    weight = np.bincount(rows, minlength=len(page))
    given = chosen & (weight > 0)
    both = given & wanted
    return NodeMatch(
        nodes=Match.of(float(both.sum()), float(given.sum()), float(wanted.sum())),
        text=Match.of(float(weight[both].sum()), float(weight[given].sum()), float(weight[wanted].sum())),
    )
