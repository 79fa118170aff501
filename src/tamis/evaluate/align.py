"""Align two texts by their longest common subsequence (LCS) of words."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from tamis.errors import MissingExtraError
from tamis.evaluate.words import word_ids
from tamis.page.sums import Bools

#: An alignment takes as many bits as the product of the two lengths. This is 250 MB.
_MAX_ALIGNMENT_BITS: Final = 2_000_000_000
#: The LCS of two similar texts has at least this share of the shorter one. Measured with 50,000 words: 0.51 s without
#: the assumption; with it 0.36 s at 0.5 and 0.11 s at 0.9 for similar texts, 0.09 s more than without for others.
_SIMILAR_SHARE: Final = 0.9


class MatchingBlock(NamedTuple):
    """A run of `length` words that both texts have, starting at `left` in one and at `right` in the other."""

    left: int
    right: int
    length: int


def lcs_length(left: Sequence[str], right: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two lists of words.

    >>> lcs_length("a b c d".split(), "b x d".split())
    2
    """
    try:
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 (an extra: only the evaluation needs it)
    except ImportError as error:
        raise MissingExtraError.for_module("rapidfuzz", "eval") from error
    left_ids, right_ids = word_ids(left, right)
    # With a cutoff, similar texts are compared five times faster. The result is 0 if they are not similar, and then
    # the second call costs a sixth more than without a cutoff.
    cutoff = int(_SIMILAR_SHARE * min(len(left_ids), len(right_ids)))
    return int(LCSseq.similarity(left_ids, right_ids, score_cutoff=cutoff) or LCSseq.similarity(left_ids, right_ids))


def matching_blocks(left: Sequence[str], right: Sequence[str]) -> list[MatchingBlock] | None:
    """Return the matching blocks of two lists of words, or None if the texts are too long to align.

    >>> matching_blocks("a b c d".split(), "b c x d".split())
    [MatchingBlock(left=1, right=0, length=2), MatchingBlock(left=3, right=3, length=1)]
    >>> matching_blocks("for the news the council met".split(), "the council met".split())
    [MatchingBlock(left=3, right=0, length=3)]
    """
    if len(left) * len(right) > _MAX_ALIGNMENT_BITS:
        return None
    try:
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 (as above)
    except ImportError as error:
        raise MissingExtraError.for_module("rapidfuzz", "eval") from error
    blocks = [
        MatchingBlock(opcode.src_start, opcode.dest_start, opcode.src_end - opcode.src_start)
        for opcode in LCSseq.opcodes(*word_ids(left, right))
        if opcode.tag == "equal"
    ]
    return _merge_short_blocks(blocks, left, right)


def _merge_short_blocks(
    blocks: list[MatchingBlock], left: Sequence[str], right: Sequence[str]
) -> list[MatchingBlock]:
    """Return an alignment of the same length in which short blocks are merged into their neighbours where possible.

    Every longest common subsequence gives the same score, but not the same diff: a lone "the" of a menu may have been
    aligned although the "The" that begins the next paragraph aligns as well.
    """
    forward = _merge_forward(blocks, left, right)
    backward = _merge_forward(_reverse(forward, len(left), len(right)), left[::-1], right[::-1])
    return _reverse(backward, len(left), len(right))


def _merge_forward(blocks: list[MatchingBlock], left: Sequence[str], right: Sequence[str]) -> list[MatchingBlock]:
    """Return the blocks, each shorter one merged into the next one if one text has no gap between them."""
    merged: list[MatchingBlock] = []
    for block in reversed(blocks):
        if merged and block.length < merged[-1].length:
            following = merged[-1]
            gap_left = following.left - block.left - block.length
            gap_right = following.right - block.right - block.length
            text, start = (left, following.left) if gap_right == 0 else (right, following.right)
            fits = min(gap_left, gap_right) == 0 and block.length <= max(gap_left, gap_right)
            if fits and text[start - block.length : start] == left[block.left : block.left + block.length]:
                merged[-1] = MatchingBlock(
                    following.left - block.length, following.right - block.length, following.length + block.length
                )
                continue
        merged.append(block)
    return merged[::-1]


def _reverse(blocks: list[MatchingBlock], left_length: int, right_length: int) -> list[MatchingBlock]:
    """Return the blocks of the same two texts, reversed."""
    return [
        MatchingBlock(
            left_length - block.left - block.length, right_length - block.right - block.length, block.length
        )
        for block in reversed(blocks)
    ]


def aligned_words(left: Sequence[str], right: Sequence[str]) -> Bools | None:
    """Return a mask of the words of the left text that align with the right one, or None if the texts are too long.

    >>> aligned_words("a b c d".split(), "b x d".split()).tolist()
    [False, True, False, True]
    """
    blocks = matching_blocks(left, right)
    if blocks is None:
        return None
    mask = np.zeros(len(left), dtype=np.bool_)
    for block in blocks:
        mask[block.left : block.left + block.length] = True
    return mask
