"""The alignment of two texts: their longest common subsequence, as pairs of equal stretches."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from tamis.errors import MissingExtraError
from tamis.evaluate.words import numbered
from tamis.page.sums import Bools

#: An alignment takes as many bits as the product of the two lengths: at most 250 MB.
_MOST_BITS: Final = 2_000_000_000
#: The share of the shorter text that two texts much alike have in common. Measured with 50,000 words: 0.51 s without
#: the assumption; with it 0.36 s at 0.5 and 0.11 s at 0.9 for texts alike, 0.09 s more than without for others.
_ALIKE: Final = 0.9


class Stretch(NamedTuple):
    """`length` words that are the same in both texts, beginning at `left` in one and at `right` in the other."""

    left: int
    right: int
    length: int


def common_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two lists of words.

    >>> common_length("a b c d".split(), "b x d".split())
    2
    """
    try:
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 (an extra: only the evaluation needs it)
    except ImportError as error:
        raise MissingExtraError.for_module("rapidfuzz", "eval") from error
    words, others = numbered(left, right)
    # Texts that are much alike are compared five times faster when that may be assumed; where it proves wrong, the
    # answer is 0 and costs a sixth more.
    alike = int(_ALIKE * min(len(words), len(others)))
    return int(LCSseq.similarity(words, others, score_cutoff=alike) or LCSseq.similarity(words, others))


def align(left: Sequence[str], right: Sequence[str]) -> list[Stretch] | None:
    """Return the equal stretches of two lists of words; None when the texts are too long to align.

    >>> align("a b c d".split(), "b c x d".split())
    [Stretch(left=1, right=0, length=2), Stretch(left=3, right=3, length=1)]
    >>> align("for the news the council met".split(), "the council met".split())
    [Stretch(left=3, right=0, length=3)]
    """
    if len(left) * len(right) > _MOST_BITS:
        return None
    try:
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 (as above)
    except ImportError as error:
        raise MissingExtraError.for_module("rapidfuzz", "eval") from error
    stretches = [
        Stretch(step.src_start, step.dest_start, step.src_end - step.src_start)
        for step in LCSseq.opcodes(*numbered(left, right))
        if step.tag == "equal"
    ]
    return _gathered(stretches, left, right)


def _gathered(stretches: list[Stretch], left: Sequence[str], right: Sequence[str]) -> list[Stretch]:
    """Return an alignment of the same length in which no short stretch stands apart that could join its neighbour.

    Of the many longest common subsequences any will do for a count, but not for a reader: a lone "the" of a menu
    may have been aligned where the "The" that begins the next paragraph aligns as well.
    """
    ahead = _joined_ahead(stretches, left, right)
    back = _joined_ahead(_mirrored(ahead, len(left), len(right)), left[::-1], right[::-1])
    return _mirrored(back, len(left), len(right))


def _joined_ahead(stretches: list[Stretch], left: Sequence[str], right: Sequence[str]) -> list[Stretch]:
    """Return stretches, each shorter one joined to the one after it where one text has no gap between them."""
    out: list[Stretch] = []
    for here in reversed(stretches):
        if out and here.length < out[-1].length:
            after = out[-1]
            gap_left = after.left - here.left - here.length
            gap_right = after.right - here.right - here.length
            text, at = (left, after.left) if gap_right == 0 else (right, after.right)
            fits = min(gap_left, gap_right) == 0 and here.length <= max(gap_left, gap_right)
            if fits and text[at - here.length : at] == left[here.left : here.left + here.length]:
                out[-1] = Stretch(after.left - here.length, after.right - here.length, after.length + here.length)
                continue
        out.append(here)
    return out[::-1]


def _mirrored(stretches: list[Stretch], left: int, right: int) -> list[Stretch]:
    """Return stretches as they are in the two texts (of these lengths) read backwards."""
    return [
        Stretch(left - each.left - each.length, right - each.right - each.length, each.length)
        for each in reversed(stretches)
    ]


def aligned(left: Sequence[str], right: Sequence[str]) -> Bools | None:
    """Return which words of the left text align with the right one; None when the texts are too long.

    >>> aligned("a b c d".split(), "b x d".split()).tolist()
    [False, True, False, True]
    """
    stretches = align(left, right)
    if stretches is None:
        return None
    out = np.zeros(len(left), dtype=np.bool_)
    for stretch in stretches:
        out[stretch.left : stretch.left + stretch.length] = True
    return out
