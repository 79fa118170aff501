import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.evaluate.statistics import compare, resampled_means, summarise

scores = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@given(scores)
def test_a_summary_bounds_its_mean(values):
    found = summarise(values)
    assert found.mean == pytest.approx(np.mean(values))
    assert found.median == pytest.approx(np.median(values))
    assert min(values) - 1e-9 <= found.low <= found.mean + 1e-9
    assert found.mean - 1e-9 <= found.high <= max(values) + 1e-9


def test_the_interval_is_that_of_the_normal_distribution_for_many_pages():
    values = np.random.default_rng(3).uniform(0, 1, 4000)
    found = summarise(values)
    error = 1.96 * values.std() / np.sqrt(len(values))
    assert found.low == pytest.approx(found.mean - error, abs=0.001)
    assert found.high == pytest.approx(found.mean + error, abs=0.001)


def test_no_values_have_no_mean():
    assert summarise([]).pages == 0
    assert np.isnan(summarise([]).mean)
    assert np.isnan(compare([], []).p)


def test_the_same_scores_give_the_same_interval():
    assert summarise([0.1, 0.5, 0.9]) == summarise([0.1, 0.5, 0.9])


def test_large_corpora_are_resampled_in_pieces():
    assert len(resampled_means(np.ones(600_000), 5)) == 5


def test_a_clear_difference_is_told_from_chance():
    draw = np.random.default_rng(5)
    base = draw.uniform(0.3, 0.9, 300)
    assert compare(list(base + 0.02), list(base)).p < 0.001
    noise = draw.normal(0, 0.05, 300)
    even = compare(list(base + noise - noise.mean()), list(base))
    assert even.p > 0.8
    assert even.low < 0 < even.high


@given(scores)
def test_a_difference_turned_round_has_the_same_p(values):
    other = values[::-1]
    one, two = compare(values, other), compare(other, values)
    assert one.mean == pytest.approx(-two.mean, abs=1e-12)
    assert one.p == pytest.approx(two.p)


def test_unpaired_scores_are_refused():
    with pytest.raises(ValueError, match="3 and 2"):
        compare([1, 2, 3], [1, 2])
