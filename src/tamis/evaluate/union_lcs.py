"""The union of longest common subsequences of lines, which ROUGE-Lsum counts, computed for all gold lines at once.

The words of the gold lines are the bits of one integer, with a free bit after each line. One addition advances the
comparison of a predicted word with all of them (H. Hyyrö: Bit-parallel LCS-length computation revisited, AWOCA 2004),
and the way back through the rows is bit-parallel, too. The cost is the product of the two lengths, divided by the
size of a machine word.
"""

from collections.abc import Sequence
from typing import Final

#: The rows of one predicted line take as many bits as the product of its words and the gold words. This is 125 MB; a
#: longer line is compared in parts.
_MAX_ROW_BITS: Final = 1_000_000_000


def union_lcs(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> list[str]:
    """Return the words of the gold lines that are in a longest common subsequence with at least one predicted line.

    Where several subsequences have the same length, the one is taken that the package rouge-score takes.

    >>> union_lcs([["w1", "w2", "w3", "w4", "w5"]], [["w1", "w2", "w6"], ["w1", "w3", "w8", "w9", "w5"]])
    ['w1', 'w2', 'w3', 'w5']
    """
    words: list[str | None] = []
    for line in gold:
        words += [*line, None]
    masks: dict[str, int] = {}
    positions: dict[str, list[int]] = {}
    for position, word in enumerate(words):
        if word is not None:
            positions.setdefault(word, []).append(position)
    for word, bits in positions.items():
        masks[word] = _bits(bits, len(words))
    all_words = _bits([position for position, word in enumerate(words) if word is not None], len(words))
    spans = _same_line_masks(all_words, max(map(len, gold), default=0))
    union = 0
    part = max(1, _MAX_ROW_BITS // max(1, len(words)))
    for line in dict.fromkeys(tuple(line) for line in predicted):
        for start in range(0, len(line), part):
            rows = [masks.get(word, 0) for word in line[start : start + part]]
            union |= _common(rows, all_words, spans)
    return _set_words(words, union)


def _bits(positions: Sequence[int], length: int) -> int:
    data = bytearray(length // 8 + 1)
    for position in positions:
        data[position >> 3] |= 1 << (position & 7)
    return int.from_bytes(data, "little")


def _set_words(words: Sequence[str | None], mask: int) -> list[str]:
    data = mask.to_bytes(len(words) // 8 + 1, "little")
    return [
        word for position, word in enumerate(words) if word is not None and data[position >> 3] >> (position & 7) & 1
    ]


def _same_line_masks(all_words: int, longest: int) -> list[tuple[int, int]]:
    """Return, for distances 1, 2, 4 …, the bits whose bit at that distance above is of the same line."""
    masks, distance, mask = [], 1, all_words & (all_words >> 1)
    while distance < longest:
        masks.append((distance, mask))
        mask &= mask >> distance
        distance *= 2
    return masks


def _common(matches: Sequence[int], all_words: int, spans: Sequence[tuple[int, int]]) -> int:
    """Return the bits of a longest common subsequence of each gold line with one predicted line.

    Args:
        matches: for each predicted word, the bits of the same gold words.
        all_words: the bits of all gold words.
        spans: see `_same_line_masks`.
    """
    # A zero bit: here the length of the subsequence grows by one. A carry ends in the free bit after its line.
    flat = all_words
    rows = []
    for match in matches:
        step = flat & match
        flat = ((flat + step) | (flat - step)) & all_words
        rows.append(flat)
    union, allowed = 0, all_words
    for match, row in zip(reversed(matches), reversed(rows), strict=True):
        # In each line, go down to the next word that matches or where the length grows.
        below = (match | ~row) & allowed
        for distance, mask in spans:
            below |= (below >> distance) & mask
        taken = below & ~(below >> 1) & match
        union |= taken
        allowed = below & ~taken
        if not allowed:
            break
    return union
