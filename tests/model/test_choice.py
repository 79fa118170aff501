"""How much of a page to keep."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis import OptionError
from tamis.model.choice import chances, choose, dial

blocks = st.lists(st.tuples(st.floats(0.01, 0.99), st.floats(1, 50)), min_size=1, max_size=7)


def promise(chance, size, kept):
    hits = sum(c * s for c, s, k in zip(chance, size, kept, strict=True) if k)
    said = sum(s for s, k in zip(size, kept, strict=True) if k)
    return 2 * hits / (said + sum(c * s for c, s in zip(chance, size, strict=True)))


@given(blocks)
def test_no_other_set_of_blocks_promises_more(pairs):
    chance, size = (np.array(column) for column in zip(*pairs, strict=True))
    kept, expected = choose(chance, size)
    best = max(
        promise(chance, size, some) for some in itertools.product([True, False], repeat=len(size)) if any(some)
    )
    assert expected == pytest.approx(best, rel=1e-6)
    assert promise(chance, size, kept) == pytest.approx(expected, rel=1e-6)


@given(blocks, st.floats(0.1, 3))
def test_favouring_precision_never_adds_a_block(pairs, shift):
    chance, size = (np.array(column) for column in zip(*pairs, strict=True))
    logits = np.log(chance / (1 - chance))
    less, more = choose(chances(logits - shift), size)[0], choose(chances(logits), size)[0]
    assert less.sum() <= more.sum() or chance[less].min() >= chance[more].min() - 1e-12


def test_the_dial():
    assert dial("precision") > 0 > dial("recall")
    assert dial(None) == dial("balance") == 0
    with pytest.raises(OptionError, match="precision"):
        dial("accuracy")


def test_nothing_to_choose_from():
    kept, expected = choose(np.zeros(0), np.zeros(0))
    assert len(kept) == 0
    assert expected == 0
