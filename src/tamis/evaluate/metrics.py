"""The metrics: functions of a predicted text and the gold text.

=============  =====================================================  ===========================
`lcs`          LCS/|a|, LCS/|b| and F1 over words in order            Song 2015, eq. 6 and 7
`cleaneval`    LCS / (|a| + |b| - LCS)                                Song 2015, eq. 8 transformed
`words`        overlap of the two bags of words                       WCXB, Foley 2026
`acceptable`   same text, or word counts within 5 %, or wrong         Liu 2017, eq. 4
`sentences`    overlap of the two bags of sentences                   Bing 2008, section 5
`snippets`     required texts present, forbidden texts absent         WCXB, Foley 2026
`parts`        recall of each part of the gold text                   Prasad 2008, figure 9
=============  =====================================================  ===========================

Metrics over nodes instead of texts are in `tamis.evaluate.nodes`, the definition of a word in `tamis.evaluate.words`,
the table columns of each metric in `tamis.evaluate.metric_registry`. If both texts are empty, all scores are 1; if
one of them is empty, they are 0.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tamis.evaluate.align import lcs_length
from tamis.evaluate.words import is_cjk, split_sentences, split_words

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
