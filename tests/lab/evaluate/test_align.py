import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.lab.evaluate.metrics import aligned_words, lcs_length, matching_blocks

words = st.lists(st.sampled_from(["tea", "cup", "pot", "rain", "day", "the", "a", "of"]), max_size=30)


def naive_lcs_length(left, right):
    row = [0] * (len(right) + 1)
    for left_word in left:
        above = row[:]
        for j, right_word in enumerate(right, start=1):
            row[j] = above[j - 1] + 1 if left_word == right_word else max(above[j], row[j - 1])
    return row[-1]


@given(words, words)
def test_lcs_length_equals_the_naive_one(left, right):
    assert lcs_length(left, right) == naive_lcs_length(left, right)


@given(words, words)
def test_matching_blocks_are_equal_ordered_and_longest(left, right):
    blocks = matching_blocks(left, right)
    for block in blocks:
        assert left[block.left : block.left + block.length] == right[block.right : block.right + block.length]
    for block, following in pairwise(blocks):
        assert block.left + block.length <= following.left
        assert block.right + block.length <= following.right
    assert sum(block.length for block in blocks) == lcs_length(left, right)
    assert aligned_words(left, right).sum() == lcs_length(left, right)


def test_alignment_keeps_words_together():
    page = ["sign", "up", "for", "the", "news", "the", "council", "will", "meet"]
    assert aligned_words(page, ["the", "council", "will", "meet"]).tolist() == [False] * 5 + [True] * 4
    assert aligned_words(page[::-1], ["meet", "will", "council", "the"]).tolist() == [True] * 4 + [False] * 5


@pytest.mark.slow
def test_lcs_length_of_long_texts_is_exact_for_similar_and_for_different_texts():
    rng = random.Random(1)
    text = [f"w{rng.randrange(8000)}" for _ in range(50_000)]
    most, few = ([word for word in text if rng.random() < share] for share in (0.95, 0.02))
    assert lcs_length(most, text) == len(most)
    assert lcs_length(["x"] * 40_000 + few, text) == len(few)  # under the share that similar texts have


def test_texts_too_long_to_align_have_no_blocks(monkeypatch):
    monkeypatch.setattr("tamis.lab.evaluate.metrics._MAX_ALIGNMENT_BITS", 10)
    assert matching_blocks(["a"] * 4, ["a"] * 4) is None
    assert aligned_words(["a"] * 4, ["a"] * 4) is None
