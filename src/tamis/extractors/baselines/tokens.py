"""A page as a sequence of words and tags, as in BTE (Finn 2001) and DSC (Pinto 2002)."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.html import characters, tags
from tamis.page import Page

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TokenRuns:
    """The lengths of the runs in the token sequence: tags, words, tags, words … tags.

    Attributes:
        rows: the shown text rows, in document order.
        words: one entry per row: its number of words.
        tags: one entry per row: the number of tags before it; one more entry for those after the last row.
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
        """Return for each text row the share of its words for which `tokens`, a mask over all tokens, is true."""
        stop = np.cumsum(self.words) + np.cumsum(self.tags[:-1])
        sums = np.concatenate(([0], np.cumsum(tokens)))
        return np.asarray((sums[stop] - sums[stop - self.words]) / np.maximum(self.words, 1))


def count_tokens(page: Page) -> TokenRuns:
    """Count the words of each shown text row and the tags between them.

    Tags are the start tags of shown elements and the end tags of those that can have content, whether the author
    wrote them or not. In scripts without spaces between words, each character counts as a word.

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
    tags_before = np.concatenate(([0], before[rows], [before[-1]]))
    return TokenRuns(rows, _count_words(page)[rows], np.diff(tags_before))


def _count_words(page: Page) -> Counts:
    """Return the number of words in each row; each wide character is a word."""
    wide = page.char_classes == characters.WIDE
    if not wide.any():
        return page.words.astype(np.int64)
    nonspace = page.char_classes != characters.SPACE
    starts = nonspace.copy()
    starts[1:] &= wide[1:] | wide[:-1] | ~nonspace[:-1]
    first = page.offset[:-1][page.offset[1:] > page.offset[:-1]]
    starts[first] = nonspace[first]
    return page.count(starts)
