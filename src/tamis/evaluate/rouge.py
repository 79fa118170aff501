"""ROUGE: n-grams, and the union of common subsequences of lines.

C.-Y. Lin: ROUGE: a package for automatic evaluation of summaries. ACL workshop on text summarization 2004.
"""

from collections import Counter
from collections.abc import Hashable, Sequence

from tamis.evaluate.metrics import Match
from tamis.evaluate.union_lcs import union_lcs
from tamis.evaluate.words import is_cjk, split_words


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
