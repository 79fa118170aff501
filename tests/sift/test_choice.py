"""The choice of blocks: the set with the highest expected F1."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis import OptionError
from tamis._core.choice import _drop_islands
from tamis.sift.choice import choose_blocks, logit_shift_for, sigmoid

blocks = st.lists(st.tuples(st.floats(0.01, 0.99), st.floats(1, 50)), min_size=1, max_size=7)


def expected_f1(probs, size, kept):
    hits = sum(p * s for p, s, k in zip(probs, size, kept, strict=True) if k)
    kept_size = sum(s for s, k in zip(size, kept, strict=True) if k)
    return 2 * hits / (kept_size + sum(p * s for p, s in zip(probs, size, strict=True)))


@given(blocks)
def test_no_other_set_of_blocks_has_a_higher_expected_f1(pairs):
    probs, size = (np.array(column) for column in zip(*pairs, strict=True))
    kept, expected = choose_blocks(probs, size)
    subsets = itertools.product([True, False], repeat=len(size))
    best = max(expected_f1(probs, size, subset) for subset in subsets if any(subset))
    assert expected == pytest.approx(best, rel=1e-6)
    assert expected_f1(probs, size, kept) == pytest.approx(expected, rel=1e-6)


@given(blocks, st.floats(0.1, 3))
def test_favoring_precision_never_adds_a_block(pairs, shift):
    probs, size = (np.array(column) for column in zip(*pairs, strict=True))
    logits = np.log(probs / (1 - probs))
    less, more = choose_blocks(sigmoid(logits - shift), size)[0], choose_blocks(sigmoid(logits), size)[0]
    assert less.sum() <= more.sum() or probs[less].min() >= probs[more].min() - 1e-12


def test_favor_words_become_logit_shifts():
    assert logit_shift_for("precision") > 0 > logit_shift_for("recall")
    assert logit_shift_for(None) == logit_shift_for("balance") == 0
    assert logit_shift_for(0.25) == 0.25


@pytest.mark.parametrize("favor", ["accuracy", "", float("nan"), float("inf"), True, [1.0]])
def test_invalid_favor_raises_option_error(favor):
    with pytest.raises(OptionError, match="precision"):
        logit_shift_for(favor)


def test_no_blocks_give_an_empty_choice():
    kept, expected = choose_blocks(np.zeros(0), np.zeros(0))
    assert len(kept) == 0
    assert expected == 0


def left_after_islands(kept, probs, size):
    out = bytearray(kept.view(np.uint8))
    _drop_islands(out, probs, size)
    return np.flatnonzero(np.frombuffer(out, dtype=np.uint8)).tolist()


def test_improbable_groups_far_from_the_others_are_dropped():
    kept = np.zeros(80, dtype=bool)
    kept[[0, 1, 2, 3, 10, 40, 41, 79]] = True
    probs, size = np.full(80, 0.99), np.full(80, 10.0)
    probs[[10, 40, 41, 79]] = 0.6
    assert left_after_islands(kept, probs, size) == [0, 1, 2, 3, 10, 40, 41]  # 10 is near
    size[:4] = 30
    assert left_after_islands(kept, probs, size) == [0, 1, 2, 3, 10]  # 40 and 41 are small now
    probs[79] = 0.9
    assert left_after_islands(kept, probs, size) == [0, 1, 2, 3, 10, 79]
    assert left_after_islands(np.zeros(80, dtype=bool), probs, size) == []
