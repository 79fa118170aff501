import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.lab.evaluate import metrics
from tamis.lab.evaluate.metrics import Match, lcs_length, split_words

texts = st.lists(st.sampled_from(["tea", "cup", "pot", "rain", "day", "the", "a", "of"]), max_size=30).map(" ".join)


def test_words_computed_by_hand():
    # Predicted: tea tea pot rain (4 words). Gold: tea pot pot (3 words). In common: tea, pot.
    assert metrics.words("Tea tea, pot. Rain", "tea pot pot") == Match(2 / 4, 2 / 3, 4 / 7)


def test_words_of_chinese_text_are_characters():
    # Two of four predicted characters are right, and two of three gold characters are present.
    assert metrics.words("首页下雨", "下雨了") == Match(2 / 4, 2 / 3, 4 / 7)


def test_lcs_computed_by_hand():
    # The longest common subsequence of "a b c d e" and "b d a e" is "b d e".
    match = metrics.lcs("a b c d e", "b d a e")
    assert (match.precision, match.recall) == (3 / 5, 3 / 4)
    assert match.f1 == pytest.approx(2 / 3)


def test_cleaneval_computed_by_hand():
    # Alignment: remove a, keep b, remove c, keep d, insert a, keep e: six operations, three of them kept.
    assert metrics.cleaneval("a b c d e", "b d a e") == 3 / 6


@pytest.mark.parametrize("metric", [metrics.words, metrics.lcs, metrics.sentences])
def test_empty_texts_score_one_if_both_are_empty_else_zero(metric):
    assert metric("", "") == Match(1.0, 1.0, 1.0)
    assert metric("tea", "") == metric("", "tea") == Match(0.0, 0.0, 0.0)


def test_cleaneval_of_empty_texts_is_one_if_both_are_empty_else_zero():
    assert (metrics.cleaneval("", ""), metrics.cleaneval("tea", ""), metrics.cleaneval("", "tea")) == (1, 0, 0)


@given(texts, texts)
def test_cleaneval_equals_its_definition_by_edit_distance(left, right):
    a, b = split_words(left), split_words(right)
    common = lcs_length(a, b)
    distance, alignment = len(a) + len(b) - 2 * common, len(a) + len(b) - common
    assert metrics.cleaneval(left, right) == pytest.approx(1 - distance / alignment if alignment else 1)


@given(texts, texts)
def test_cleaneval_follows_from_the_f1_of_lcs(left, right):
    # With F = 2 LCS / (|a| + |b|), LCS / (|a| + |b| - LCS) is F / (2 - F).
    f1 = metrics.lcs(left, right).f1
    assert metrics.cleaneval(left, right) == pytest.approx(f1 / (2 - f1))


@given(texts, texts)
def test_matches_are_between_zero_and_one_and_lcs_is_at_most_words(left, right):
    bag, ordered = metrics.words(left, right), metrics.lcs(left, right)
    for match in (bag, ordered):
        assert 0 <= match.f1 <= 1
        assert min(match.precision, match.recall) - 1e-9 <= match.f1 <= max(match.precision, match.recall) + 1e-9
    assert ordered.f1 <= bag.f1 + 1e-9


@given(texts)
def test_text_matches_itself(text):
    assert metrics.words(text, text).f1 == metrics.lcs(text, text).f1 == metrics.cleaneval(text, text) == 1
    assert metrics.acceptable(text, text) == "accurate"


def test_acceptable_allows_five_percent_more_or_fewer_words():
    gold = " ".join(["word"] * 100)
    assert metrics.acceptable("Word! " * 100, gold) == "accurate"
    assert metrics.acceptable("word " * 96, gold) == metrics.acceptable("word " * 104, gold) == "acceptable"
    assert metrics.acceptable("word " * 95, gold) == metrics.acceptable("word " * 105, gold) == "wrong"
    assert metrics.acceptable("", "") == "accurate"
    assert metrics.acceptable("menu", "") == "wrong"


def test_sentences_computed_by_hand():
    # Three predicted sentences, four gold sentences, two of them equal.
    match = metrics.sentences("It rained. All day. Menu", "It rained. All night. It rained. All day.")
    assert (match.precision, match.recall) == (2 / 3, 2 / 4)


def test_sentences_of_chinese_text_end_at_full_width_stops():
    assert metrics.sentences("下雨了。广告。", "下雨了。路很滑。").f1 == 0.5


def test_snippets_match_consecutive_words_across_punctuation():
    text = "The night ferry\n returns — in June. 下雨了"
    assert metrics.snippets(text, ["night ferry returns", "June", "下雨"], ["Subscribe"]).score == 1.0
    assert metrics.snippets(text, ["light ferry"], ["ferry return"]) == metrics.Snippets(0.0, 1.0, 0.5)
    assert metrics.snippets("", [], []) == metrics.Snippets(1.0, 1.0, 1.0)


def test_parts_are_scored_by_recall():
    assert metrics.parts("rain day day", {"headline": "Rain", "body": "rain all day", "none": ""}) == {
        "headline": 1.0,
        "body": 2 / 3,
    }
