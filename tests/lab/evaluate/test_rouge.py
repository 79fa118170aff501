import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.lab.evaluate.metrics import rouge_lsum, rouge_n, union_lcs

# The figures are those of the package rouge-score 0.1.2 for these two texts.
PREDICTED = """Home News Sport
The ferry left at dawn.
Nobody saw the ferry go, and nobody waved.
Read more"""
GOLD = """The ferry
The ferry left the harbour at dawn.
Nobody waved, and nobody saw it go."""


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (1, (0.7222222222222222, 0.8125, 0.7647058823529411)),
        (2, (0.47058823529411764, 0.5333333333333333, 0.5)),
        (3, (0.125, 0.14285714285714285, 0.13333333333333333)),
    ],
)
def test_rouge_n_agrees_with_rouge_score(size, expected):
    match = rouge_n(PREDICTED, GOLD, size)
    assert (match.precision, match.recall, match.f1) == pytest.approx(expected)


def test_rouge_lsum_agrees_with_rouge_score():
    match = rouge_lsum(PREDICTED, GOLD)
    assert (match.precision, match.recall, match.f1) == pytest.approx((0.5555555555555556, 0.625, 0.5882352941176471))


@pytest.mark.parametrize("score", [rouge_lsum, lambda left, right: rouge_n(left, right, 2)])
def test_rouge_of_empty_and_short_texts(score):
    assert score("", "").f1 == 1.0
    assert score("tea", "").f1 == score("", "tea").f1 == 0.0
    assert score("Tea", "tea!").f1 == 1.0
    assert score("tea", "pot").f1 == 0.0


def test_rouge_compares_chinese_by_character():
    assert rouge_n("下雨了", "下雨天", 2).f1 == 0.5


def naive_union(gold, predicted):
    """The table of lengths and the way back through it, for each pair of lines."""
    union = []
    for line in gold:
        taken = set()
        for other in predicted:
            table = [[0] * (len(other) + 1) for _ in range(len(line) + 1)]
            for i, word in enumerate(line, 1):
                for j, same in enumerate(other, 1):
                    table[i][j] = table[i - 1][j - 1] + 1 if word == same else max(table[i - 1][j], table[i][j - 1])
            i, j = len(line), len(other)
            while i and j:
                if line[i - 1] == other[j - 1]:
                    i, j = i - 1, j - 1
                    taken.add(i)
                elif table[i][j - 1] > table[i - 1][j]:
                    j -= 1
                else:
                    i -= 1
        union += [line[position] for position in sorted(taken)]
    return union


LINES = st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=9), max_size=5)


@given(LINES, LINES)
def test_union_of_subsequences_is_that_of_the_naive_algorithm(gold, predicted):
    assert union_lcs(gold, predicted) == naive_union(gold, predicted)


def test_long_lines_are_compared_whole(monkeypatch):
    words = [f"w{number % 700}" for number in range(1500)]
    gold = [words[400:1300]]
    assert union_lcs(gold, [words]) == gold[0]
    monkeypatch.setattr("tamis.lab.evaluate.metrics._MAX_ROW_BITS", 1)  # each word is a part of its own
    assert set(union_lcs(gold, [words])) == set(gold[0])
