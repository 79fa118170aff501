"""The page as Finn and Pinto read it: a sequence of words and tags."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.html import characters, tags
from tamis.page import Page

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TokenRuns:
    """The token sequence with its runs counted: tags, words, tags, words … tags.

    Attributes:
        rows: the shown text rows, in document order.
        words: the words of each.
        tags: the tags before each, and those after the last: one entry more than there are rows.
    """

    rows: Counts
    words: Counts
    tags: Counts

    def __len__(self) -> int:
        return int(self.words.sum() + self.tags.sum())

    def is_word(self) -> npt.NDArray[np.bool_]:
        """Return for each token whether it is a word.

        >>> from tamis.page import parse_page
        >>> "".join("tw"[int(word)] for word in count_tokens(parse_page("<p>a b</p>c")).is_word())
        'tttwwtwtt'
        """
        lengths = np.empty(2 * len(self.words) + 1, dtype=np.int64)
        lengths[0::2], lengths[1::2] = self.tags, self.words
        return np.repeat(np.arange(len(lengths)) % 2 == 1, lengths)

    def share(self, tokens: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        """Return for each text row the share of its words that are among the tokens."""
        stop = np.cumsum(self.words) + np.cumsum(self.tags[:-1])
        sums = np.concatenate(([0], np.cumsum(tokens)))
        return np.asarray((sums[stop] - sums[stop - self.words]) / np.maximum(self.words, 1))


def count_tokens(page: Page) -> TokenRuns:
    """Count the words of each shown text row and the tags between them.

    Tags are the start tags of shown elements and the end tags of those that have content, as if the page were
    written out in full: what an author may leave out is no sign of anything. A character of a script written
    without spaces counts as a word.

    >>> from tamis.page import parse_page
    >>> runs = count_tokens(parse_page("<p>a b<br>c</p>漢字"))
    >>> runs.words.tolist(), runs.tags.tolist()
    ([2, 1, 2], [3, 1, 1, 2])
    """
    shown = page.is_element & (page.hidden == 0) & ~tags.RAW[page.tag]
    closed = page.end[shown & ~tags.VOID[page.tag]]
    before = np.cumsum(np.bincount(closed, minlength=len(page) + 1))
    before[1:] += np.cumsum(shown)
    rows = np.flatnonzero(page.shown)
    at = np.concatenate(([0], before[rows], [before[-1]]))
    return TokenRuns(rows, _words(page)[rows], np.diff(at))


def _words(page: Page) -> Counts:
    """Return the words of each text run, a wide character being a word of its own."""
    wide = page.char_classes == characters.WIDE
    if not wide.any():
        return page.words.astype(np.int64)
    dark = page.char_classes != characters.SPACE
    starts = dark.copy()
    starts[1:] &= wide[1:] | wide[:-1] | ~dark[:-1]
    first = page.offset[:-1][page.offset[1:] > page.offset[:-1]]
    starts[first] = dark[first]
    return page.count(starts)
