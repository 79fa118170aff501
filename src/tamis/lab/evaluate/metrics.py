"""The metrics: functions of a predicted text and the gold text, and the words that they compare."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import numpy as np

from tamis.errors import needs_extra
from tamis.page.sums import Bools

# Split texts into words and sentences for the metrics.
#
# A word is a lower-cased run of letters, digits and underscores (``\w+``), as in WCXB. Chinese, Japanese and Korean
# have no spaces between words, or spaces that say little, so text in them is compared by character. The gold text
# decides which of the two applies, once per page, so that every tool is measured alike.

#: Bopomofo, kana, Han with its extensions, Hangul: the Unicode blocks of these scripts.
_CJK: Final = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u30ff\u3105-\u318f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_WORD: Final = re.compile(r"\w+")
_CJK_CHARACTER_OR_WORD: Final = re.compile(f"[{_CJK}]|[^\\W{_CJK}]+")
_CJK_CHARACTER: Final = re.compile(f"[{_CJK}]")
#: The end of a sentence: closing punctuation, then its brackets or quotes, then white space. Full-width marks need no
#: space after them. A line end always ends a sentence: headings and list items have no full stop.
_SENTENCE_END: Final = re.compile(r"""(?<=[.!?…])["'”’»)\]]*(?=\s)|(?<=[。！？｡])["'”’」』）]*|[\r\n]+""")


def is_cjk(text: str) -> bool:
    """Return whether a text is compared by character: more than half of its words are single CJK characters.

    >>> is_cjk("面包师凌晨四点起床。"), is_cjk("The word 面包 means bread."), is_cjk("")
    (True, False, False)
    """
    words: list[str] = _CJK_CHARACTER_OR_WORD.findall(text)
    return 2 * sum(1 for word in words if _CJK_CHARACTER.match(word)) > len(words)


def split_words(text: str, *, cjk: bool = False) -> list[str]:
    """Return the words of a text in lower case; with `cjk`, each CJK character is a word.

    >>> split_words("It's 5 o'clock!")
    ['it', 's', '5', 'o', 'clock']
    >>> split_words("Linux入门", cjk=True)
    ['linux', '入', '门']
    """
    words: list[str] = (_CJK_CHARACTER_OR_WORD if cjk else _WORD).findall(text.lower())
    return words


def split_sentences(text: str, *, cjk: bool = False) -> list[tuple[str, ...]]:
    r"""Return the sentences of a text, each as a tuple of its words; sentences without words are left out.

    >>> split_sentences("Out of tea. Really?\nYes")
    [('out', 'of', 'tea'), ('really',), ('yes',)]
    """
    sentences = (tuple(split_words(sentence, cjk=cjk)) for sentence in _SENTENCE_END.split(text))
    return [sentence for sentence in sentences if sentence]


def word_ids(*texts: Iterable[str]) -> list[list[int]]:
    """Return texts with each distinct word replaced by an integer, the same in all texts.

    The longest common subsequence of long texts is much cheaper to compute on integers.

    >>> word_ids(["a", "b", "a"], ["b", "c"])
    [[0, 1, 0], [1, 2]]
    """
    ids: dict[str, int] = {}
    return [[ids.setdefault(word, len(ids)) for word in text] for text in texts]


# Align two texts by their longest common subsequence (LCS) of words.

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
    with needs_extra("rapidfuzz", "eval"):
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 (an extra: only the evaluation needs it)
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
    with needs_extra("rapidfuzz", "eval"):
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 (as above)
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


# The metrics: functions of a predicted text and the gold text.
#
# =============  =====================================================  ===========================
# `lcs`          LCS/|a|, LCS/|b| and F1 over words in order            Song 2015, eq. 6 and 7
# `cleaneval`    LCS / (|a| + |b| - LCS)                                Song 2015, eq. 8 transformed
# `words`        overlap of the two bags of words                       WCXB, Foley 2026
# `acceptable`   same text, or word counts within 5 %, or wrong         Liu 2017, eq. 4
# `sentences`    overlap of the two bags of sentences                   Bing 2008, section 5
# `snippets`     required texts present, forbidden texts absent         WCXB, Foley 2026
# `parts`        recall of each part of the gold text                   Prasad 2008, figure 9
# =============  =====================================================  ===========================
#
# Metrics over nodes instead of texts are in `tamis.lab.evaluate.metric_registry`, the definition of a word in
# `tamis.lab.evaluate.metrics`, the table columns of each metric in `tamis.lab.evaluate.metric_registry`. If both
# texts are empty, all scores are 1; if one of them is empty, they are 0.

#: "|N manual − N machine| / N manual < 5 %" (Liu 2017, equation 4).
ACCEPTABLE_SHARE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Match:
    """Precision, recall and their harmonic mean.

    >>> Match.from_counts(common=2, predicted=4, gold=2)
    Match(precision=0.5, recall=1.0, f1=0.6666666666666666)
    """

    precision: float
    recall: float
    f1: float

    @classmethod
    def from_counts(cls, common: float, predicted: float, gold: float) -> "Match":
        """Compute the scores from the sizes of the overlap, of the prediction and of the gold."""
        if not predicted and not gold:
            return cls(1.0, 1.0, 1.0)
        if not predicted or not gold or not common:
            return cls(0.0, 0.0, 0.0)
        # The harmonic mean of the two, with the fractions cancelled.
        return cls(common / predicted, common / gold, 2 * common / (predicted + gold))


@dataclass(frozen=True, slots=True)
class Snippets:
    """The share of required texts that are present, of forbidden texts that are absent, and of both together."""

    present: float
    absent: float
    score: float


Verdict = Literal["accurate", "acceptable", "wrong"]


def _split_both(predicted: str, gold: str) -> tuple[list[str], list[str]]:
    cjk = is_cjk(gold)
    return split_words(predicted, cjk=cjk), split_words(gold, cjk=cjk)


def _bag_overlap(predicted: Sequence[Hashable], gold: Sequence[Hashable]) -> Match:
    common = (Counter(predicted) & Counter(gold)).total()
    return Match.from_counts(common, len(predicted), len(gold))


def words(predicted: str, gold: str) -> Match:
    """Compare bags of words: how often each word occurs counts, its position does not.

    >>> words("the tea, the pot", "The pot!")
    Match(precision=0.5, recall=1.0, f1=0.6666666666666666)
    """
    return _bag_overlap(*_split_both(predicted, gold))


def lcs(predicted: str, gold: str) -> Match:
    """Compare words in order, by their longest common subsequence.

    >>> lcs("pot the, tea the", "The pot!").f1
    0.3333333333333333
    """
    left, right = _split_both(predicted, gold)
    return Match.from_counts(lcs_length(left, right), len(left), len(right))


def cleaneval(predicted: str, gold: str) -> float:
    """Return the score of CleanEval: the share of aligned words, with insertions and deletions only.

    With distance = |a| + |b| - 2 LCS and alignment length = |a| + |b| - LCS, the competition's
    1 - distance / alignment length is LCS / (|a| + |b| - LCS).

    >>> cleaneval("a b c", "b c d")
    0.5
    """
    left, right = _split_both(predicted, gold)
    common = lcs_length(left, right)
    alignment_length = len(left) + len(right) - common
    return common / alignment_length if alignment_length else 1.0


def acceptable(predicted: str, gold: str) -> Verdict:
    """Judge as Liu 2017 does: the same words in the same order, a number of words within 5 %, or wrong.

    >>> acceptable("one two", "One, two."), acceptable("one two", "one")
    ('accurate', 'wrong')
    """
    left, right = _split_both(predicted, gold)
    if left == right:
        return "accurate"
    return "acceptable" if abs(len(right) - len(left)) < ACCEPTABLE_SHARE * len(right) else "wrong"


def sentences(predicted: str, gold: str) -> Match:
    """Compare bags of sentences. A sentence counts if all its words are right.

    >>> sentences("It rained. All day.", "It rained. All night. All day.").recall
    0.6666666666666666
    """
    cjk = is_cjk(gold)
    return _bag_overlap(split_sentences(predicted, cjk=cjk), split_sentences(gold, cjk=cjk))


def snippets(predicted: str, required: Iterable[str], forbidden: Iterable[str]) -> Snippets:
    """Search for texts that must be present and texts that must be absent.

    A snippet is present if its words occur one after another; punctuation and white space may differ. Without
    required (or forbidden) texts the score is 1.

    >>> snippets("One cup of tea.", required=["cup of tea", "two cups"], forbidden=["Subscribe"])
    Snippets(present=0.5, absent=1.0, score=0.6666666666666666)
    """
    text = _delimit_words(predicted)
    present = [_delimit_words(snippet) in text for snippet in required]
    absent = [_delimit_words(snippet) not in text for snippet in forbidden]
    return Snippets(_true_share(present), _true_share(absent), _true_share(present + absent))


def _delimit_words(text: str) -> str:
    """Return the words of a text with a space on both sides of each, so that no snippet matches inside a word."""
    return f" {' '.join(split_words(text, cjk=True))} "


def _true_share(values: list[bool]) -> float:
    return sum(values) / len(values) if values else 1.0


def parts(predicted: str, gold: Mapping[str, str]) -> dict[str, float]:
    """Return the recall of words for each part of the gold (headline, body …) that has text.

    >>> parts("rain all day", {"headline": "Rain", "body": "It rained all day", "date": ""})
    {'headline': 1.0, 'body': 0.5}
    """
    cjk = is_cjk(" ".join(gold.values()))
    predicted_words = Counter(split_words(predicted, cjk=cjk))
    recall = {}
    for name, text in gold.items():
        part_words = Counter(split_words(text, cjk=cjk))
        if part_words:
            recall[name] = (part_words & predicted_words).total() / part_words.total()
    return recall


# The union of longest common subsequences of lines, which ROUGE-Lsum counts, computed for all gold lines at once.
#
# The words of the gold lines are the bits of one integer, with a free bit after each line. One addition advances
# the comparison of a predicted word with all of them (H. Hyyrö: Bit-parallel LCS-length computation revisited,
# AWOCA 2004), and the way back through the rows is also bit-parallel. The cost is the product of the two lengths,
# divided by the size of a machine word.

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


# ROUGE: n-grams, and the union of common subsequences of lines.
#
# C.-Y. Lin: ROUGE: a package for automatic evaluation of summaries. ACL workshop on text summarization 2004.


def count_ngrams(tokens: Sequence[Hashable], size: int) -> Counter[tuple[Hashable, ...]]:
    """Return how often each n-gram occurs.

    >>> count_ngrams("abab", 2)[("a", "b")]
    2
    """
    return Counter(zip(*(tokens[start:] for start in range(size)), strict=False))


def rouge_n(predicted: str, gold: str, size: int) -> Match:
    """Compare bags of n-grams of words. If a text has fewer than `size` words, both must have the same words.

    >>> rouge_n("the cat was here", "the cat is here", 2)
    Match(precision=0.3333333333333333, recall=0.3333333333333333, f1=0.3333333333333333)
    """
    cjk = is_cjk(gold)
    left, right = split_words(predicted, cjk=cjk), split_words(gold, cjk=cjk)
    if min(len(left), len(right)) < size:
        equal = float(left == right)
        return Match(equal, equal, equal)
    common = (count_ngrams(left, size) & count_ngrams(right, size)).total()
    return Match.from_counts(common, len(left) - size + 1, len(right) - size + 1)


def rouge_lsum(predicted: str, gold: str) -> Match:
    r"""Compare lines: a gold word counts if it is in a longest common subsequence of its line and a predicted line.

    A word counts at most as often as the prediction has it.

    >>> rouge_lsum("w1 w2 w6\nw1 w3 w8 w9 w5", "w1 w2 w3 w4 w5")
    Match(precision=0.5, recall=0.8, f1=0.6153846153846154)
    """
    cjk = is_cjk(gold)
    left, right = _split_lines(predicted, cjk=cjk), _split_lines(gold, cjk=cjk)
    predicted_words = Counter(word for line in left for word in line)
    common = (Counter(union_lcs(right, left)) & predicted_words).total()
    return Match.from_counts(common, predicted_words.total(), sum(map(len, right)))


def _split_lines(text: str, *, cjk: bool) -> list[list[str]]:
    lines = (split_words(line, cjk=cjk) for line in text.splitlines())
    return [line for line in lines if line]
