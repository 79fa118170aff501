"""A page as a sequence: of words and tags, of characters of its source."""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.html import characters, tags
from tamis.page import Page
from tamis.page.sums import prefix_sums

# A page as a sequence of words and tags, as in BTE (Finn 2001) and DSC (Pinto 2002).

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
        sums = prefix_sums(tokens)
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


# The source text of a page: which characters are shown text, and where tags and lines are.

Bools = npt.NDArray[np.bool_]

#: A tag, or something whose tags do not count: a comment, a script, a style. Each alternative ends at the next "<" or
#: at the end of the source, so the search takes linear time on any input.
_TAG_OR_OPAQUE: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|<[a-z/][^<>]*>?", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class SourceText:
    """The source of a page, as positions of characters.

    Attributes:
        visible: one entry per character: whether it is shown text and not white space.
        tags: the positions where tags begin.
        line_ends: the positions of line ends.
        rows: the shown text rows that have a position in the source.
        start: one entry per such row: where it begins.
        stop: one entry per such row: where it ends.
    """

    visible: Bools
    tags: npt.NDArray[np.int64]
    line_ends: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    stop: npt.NDArray[np.int64]


def read_source_text(page: Page) -> SourceText:
    r"""Return the source text of a page.

    >>> from tamis.page import parse_page
    >>> source = read_source_text(parse_page("<p>a b\n<!-- <i> --></p>"))
    >>> "".join(".x"[int(visible)] for visible in source.visible), source.tags.tolist(), source.line_ends.tolist()
    ('...x.x.................', [0, 19], [6])
    """
    source = page.positions.source
    rows = np.flatnonzero(page.shown & (page.positions.start >= 0))
    start, stop = page.positions.start[rows], page.positions.stop[rows]
    codes = np.frombuffer(source.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    blank = (codes <= ord(" ")) | (codes == 0xA0)  # noqa: PLR2004 (the no-break space)
    matches = _TAG_OR_OPAQUE.finditer(source)
    tags = [match.start() for match in matches if match[1] is None and not match[0].startswith("<!--")]
    return SourceText(
        visible=_in_spans(len(source), start, stop) & ~blank,
        tags=np.array(tags, dtype=np.int64),
        line_ends=np.flatnonzero(codes == ord("\n")),
        rows=rows,
        start=start,
        stop=stop,
    )


def _in_spans(length: int, start: npt.NDArray[np.int64], stop: npt.NDArray[np.int64]) -> Bools:
    """Return which positions are inside one of the spans."""
    change = np.bincount(start, minlength=length + 1) - np.bincount(stop, minlength=length + 1)
    return np.asarray(np.cumsum(change[:length]) > 0)


def visible_share(source: SourceText, mask: Bools) -> npt.NDArray[np.float64]:
    """Return for each row of the source the share of its visible characters for which `mask` is true."""
    visible = prefix_sums(source.visible)
    masked = prefix_sums(source.visible & mask)
    total = visible[source.stop] - visible[source.start]
    return np.asarray((masked[source.stop] - masked[source.start]) / np.maximum(total, 1))
