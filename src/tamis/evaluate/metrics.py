"""How well one text matches another: each metric a function of what was extracted and the gold text.

=============  =====================================================  ===========================
`lcs`          LCS/|a|, LCS/|b| and F1 over words in order            Song 2015, eq. 6 and 7
`cleaneval`    LCS / (|a| + |b| - LCS)                                Song 2015, eq. 8 transformed
`words`        overlap of the two bags of words                       WCXB, Foley 2026
`acceptable`   same text, or word counts within 5 %, or wrong         Liu 2017, eq. 4
`sentences`    overlap of the two bags of sentences                   Bing 2008, section 5
`snippets`     wanted texts present, unwanted texts absent            WCXB, Foley 2026
`parts`        share of each part of the gold that was found          Prasad 2008, figure 9
=============  =====================================================  ===========================

Over nodes rather than texts: `tamis.evaluate.nodes`. What a word is: `tamis.evaluate.words`. Where both texts are
empty, a page that has nothing was rightly given nothing, and the scores are 1; where one is empty they are 0.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tamis.evaluate.align import common_length
from tamis.evaluate.words import by_character, sentences_of, words_of

#: "|N manual − N machine| / N manual < 5 %" (Liu 2017, equation 4).
ACCEPTABLE_SHARE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Match:
    """Precision, recall and their harmonic mean.

    >>> Match.of(common=2, predicted=4, gold=2)
    Match(precision=0.5, recall=1.0, f1=0.6666666666666666)
    """

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, common: float, predicted: float, gold: float) -> "Match":
        """Return the scores for so much in common, so much predicted and so much wanted."""
        if not predicted and not gold:
            return cls(1.0, 1.0, 1.0)
        if not predicted or not gold or not common:
            return cls(0.0, 0.0, 0.0)
        # The harmonic mean of the two, with the fractions cancelled.
        return cls(common / predicted, common / gold, 2 * common / (predicted + gold))


@dataclass(frozen=True, slots=True)
class Snippets:
    """The share of wanted texts that are there, of unwanted texts that are not, and of both together."""

    present: float
    absent: float
    score: float


Verdict = Literal["accurate", "acceptable", "wrong"]


def _words(predicted: str, gold: str) -> tuple[list[str], list[str]]:
    characters = by_character(gold)
    return words_of(predicted, characters=characters), words_of(gold, characters=characters)


def _overlap(predicted: Sequence[Hashable], gold: Sequence[Hashable]) -> Match:
    common = (Counter(predicted) & Counter(gold)).total()
    return Match.of(common, len(predicted), len(gold))


def words(predicted: str, gold: str) -> Match:
    """Compare bags of words: order does not matter, how often a word occurs does.

    >>> words("the tea, the pot", "The pot!")
    Match(precision=0.5, recall=1.0, f1=0.6666666666666666)
    """
    return _overlap(*_words(predicted, gold))


def lcs(predicted: str, gold: str) -> Match:
    """Compare words in their order, by the longest common subsequence.

    >>> lcs("pot the, tea the", "The pot!").f1
    0.3333333333333333
    """
    left, right = _words(predicted, gold)
    return Match.of(common_length(left, right), len(left), len(right))


def cleaneval(predicted: str, gold: str) -> float:
    """Return CleanEval's score: the share of words that align, with insertions and removals only.

    With distance = |a| + |b| - 2 LCS and alignment length = |a| + |b| - LCS, the competition's
    1 - distance / alignment length is LCS / (|a| + |b| - LCS).

    >>> cleaneval("a b c", "b c d")
    0.5
    """
    left, right = _words(predicted, gold)
    common = common_length(left, right)
    aligned = len(left) + len(right) - common
    return common / aligned if aligned else 1.0


def acceptable(predicted: str, gold: str) -> Verdict:
    """Judge as Liu 2017 does: the same words in the same order, a count of words within 5 %, or wrong.

    >>> acceptable("one two", "One, two."), acceptable("one two", "one")
    ('accurate', 'wrong')
    """
    left, right = _words(predicted, gold)
    if left == right:
        return "accurate"
    return "acceptable" if abs(len(right) - len(left)) < ACCEPTABLE_SHARE * len(right) else "wrong"


def sentences(predicted: str, gold: str) -> Match:
    """Compare bags of sentences; a sentence counts when all its words are right.

    >>> sentences("It rained. All day.", "It rained. All night. All day.").recall
    0.6666666666666666
    """
    characters = by_character(gold)
    return _overlap(sentences_of(predicted, characters=characters), sentences_of(gold, characters=characters))


def snippets(predicted: str, required: Iterable[str], forbidden: Iterable[str]) -> Snippets:
    """Look for texts that must be there and texts that must not.

    A snippet is there when its words are, one after another; its punctuation and white space may differ. A page
    that wants nothing present (or absent) has all of it.

    >>> snippets("One cup of tea.", required=["cup of tea", "two cups"], forbidden=["Subscribe"])
    Snippets(present=0.5, absent=1.0, score=0.6666666666666666)
    """
    text = _joined(predicted)
    found = [_joined(snippet) in text for snippet in required]
    missing = [_joined(snippet) not in text for snippet in forbidden]
    return Snippets(_share(found), _share(missing), _share(found + missing))


def _joined(text: str) -> str:
    """Return the words of a text with a space around each, so that no snippet begins or ends within a word."""
    return f" {' '.join(words_of(text, characters=True))} "


def _share(answers: list[bool]) -> float:
    return sum(answers) / len(answers) if answers else 1.0


def parts(predicted: str, gold: Mapping[str, str]) -> dict[str, float]:
    """Return for each part of the gold (headline, body …) that has text, the share of its words that were found.

    >>> parts("rain all day", {"headline": "Rain", "body": "It rained all day", "date": ""})
    {'headline': 1.0, 'body': 0.5}
    """
    characters = by_character(" ".join(gold.values()))
    have = Counter(words_of(predicted, characters=characters))
    out = {}
    for name, text in gold.items():
        wanted = Counter(words_of(text, characters=characters))
        if wanted:
            out[name] = (wanted & have).total() / wanted.total()
    return out
