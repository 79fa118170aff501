import random
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evaluate import metrics
from tamis.evaluate.align import align, aligned, common_length
from tamis.evaluate.metrics import Match
from tamis.evaluate.words import words_of

texts = st.lists(st.sampled_from(["tea", "cup", "pot", "rain", "day", "the", "a", "of"]), max_size=30).map(" ".join)


def test_words_worked_by_hand():
    # Predicted: tea tea pot rain (4 words). Gold: tea pot pot (3 words). In common: tea, pot.
    assert metrics.words("Tea tea, pot. Rain", "tea pot pot") == Match(2 / 4, 2 / 3, 4 / 7)


def test_words_of_chinese_are_characters():
    # Two of four predicted characters are right, and two of three wanted ones are there.
    assert metrics.words("首页下雨", "下雨了") == Match(2 / 4, 2 / 3, 4 / 7)


def test_lcs_worked_by_hand():
    # The longest common subsequence of "a b c d e" and "b d a e" is "b d e".
    found = metrics.lcs("a b c d e", "b d a e")
    assert (found.precision, found.recall) == (3 / 5, 3 / 4)
    assert found.f1 == pytest.approx(2 / 3)


def test_cleaneval_worked_by_hand():
    # Alignment: remove a, keep b, remove c, keep d, insert a, keep e: six operations, three of them kept.
    assert metrics.cleaneval("a b c d e", "b d a e") == 3 / 6


@pytest.mark.parametrize("metric", [metrics.words, metrics.lcs, metrics.sentences])
def test_empty_texts(metric):
    assert metric("", "") == Match(1.0, 1.0, 1.0)
    assert metric("tea", "") == metric("", "tea") == Match(0.0, 0.0, 0.0)


def test_cleaneval_of_empty_texts():
    assert (metrics.cleaneval("", ""), metrics.cleaneval("tea", ""), metrics.cleaneval("", "tea")) == (1, 0, 0)


@given(texts, texts)
def test_cleaneval_is_what_its_edit_script_says(left, right):
    a, b = words_of(left), words_of(right)
    common = common_length(a, b)
    distance, alignment = len(a) + len(b) - 2 * common, len(a) + len(b) - common
    assert metrics.cleaneval(left, right) == pytest.approx(1 - distance / alignment if alignment else 1)


@given(texts, texts)
def test_cleaneval_follows_from_the_f1_of_lcs(left, right):
    # With F = 2 LCS / (|a| + |b|), LCS / (|a| + |b| - LCS) is F / (2 - F).
    f1 = metrics.lcs(left, right).f1
    assert metrics.cleaneval(left, right) == pytest.approx(f1 / (2 - f1))


def _slow_common_length(a, b):
    row = [0] * (len(b) + 1)
    for x in a:
        above = row[:]
        for j, y in enumerate(b, start=1):
            row[j] = above[j - 1] + 1 if x == y else max(above[j], row[j - 1])
    return row[-1]


@given(texts, texts)
def test_common_length_is_that_of_the_textbook(left, right):
    a, b = words_of(left), words_of(right)
    assert common_length(a, b) == _slow_common_length(a, b)


@given(texts, texts)
def test_an_alignment_pairs_equal_words_in_order_and_is_longest(left, right):
    a, b = words_of(left), words_of(right)
    stretches = align(a, b)
    for each in stretches:
        assert a[each.left : each.left + each.length] == b[each.right : each.right + each.length]
    for one, two in pairwise(stretches):
        assert one.left + one.length <= two.left
        assert one.right + one.length <= two.right
    assert sum(each.length for each in stretches) == common_length(a, b)
    assert aligned(a, b).sum() == common_length(a, b)


def test_an_alignment_keeps_words_together():
    page = ["sign", "up", "for", "the", "news", "the", "council", "will", "meet"]
    assert aligned(page, ["the", "council", "will", "meet"]).tolist() == [False] * 5 + [True] * 4
    assert aligned(page[::-1], ["meet", "will", "council", "the"]).tolist() == [True] * 4 + [False] * 5


@given(texts, texts)
def test_matches_lie_between_zero_and_one_and_order_costs(left, right):
    bag, ordered = metrics.words(left, right), metrics.lcs(left, right)
    for found in (bag, ordered):
        assert 0 <= found.f1 <= 1
        assert min(found.precision, found.recall) - 1e-9 <= found.f1 <= max(found.precision, found.recall) + 1e-9
    assert ordered.f1 <= bag.f1 + 1e-9


@given(texts)
def test_a_text_matches_itself(text):
    assert metrics.words(text, text).f1 == metrics.lcs(text, text).f1 == metrics.cleaneval(text, text) == 1
    assert metrics.acceptable(text, text) == "accurate"


def test_fifty_thousand_words_are_scored_in_under_a_second():
    draw = random.Random(1)
    words = [f"w{draw.randrange(8000)}" for _ in range(50_000)]
    kept = [word for word in words if draw.random() < 0.9]
    predicted, gold = " ".join(kept), " ".join(words)
    began = time.process_time()
    assert metrics.lcs(predicted, gold).precision == 1.0
    assert time.process_time() - began < 1.0


def test_acceptable_is_a_count_of_words_within_five_per_cent():
    gold = " ".join(["word"] * 100)
    assert metrics.acceptable("Word! " * 100, gold) == "accurate"
    assert metrics.acceptable("word " * 96, gold) == metrics.acceptable("word " * 104, gold) == "acceptable"
    assert metrics.acceptable("word " * 95, gold) == metrics.acceptable("word " * 105, gold) == "wrong"
    assert metrics.acceptable("", "") == "accurate"
    assert metrics.acceptable("menu", "") == "wrong"


def test_sentences_worked_by_hand():
    # Three sentences given, four wanted, two of them the same.
    found = metrics.sentences("It rained. All day. Menu", "It rained. All night. It rained. All day.")
    assert (found.precision, found.recall) == (2 / 3, 2 / 4)


def test_sentences_of_chinese():
    assert metrics.sentences("下雨了。广告。", "下雨了。路很滑。").f1 == 0.5


def test_snippets_are_words_in_a_row_whatever_stands_between_them():
    text = "The night ferry\n returns — in June. 下雨了"
    assert metrics.snippets(text, ["night ferry returns", "June", "下雨"], ["Subscribe"]).score == 1.0
    assert metrics.snippets(text, ["light ferry"], ["ferry return"]) == metrics.Snippets(0.0, 1.0, 0.5)
    assert metrics.snippets("", [], []) == metrics.Snippets(1.0, 1.0, 1.0)


def test_parts_have_their_own_recall():
    assert metrics.parts("rain day day", {"headline": "Rain", "body": "rain all day", "none": ""}) == {
        "headline": 1.0,
        "body": 2 / 3,
    }
