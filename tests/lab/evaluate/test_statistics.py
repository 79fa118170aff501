import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.lab.evaluate.table import paired_bootstrap, resampled_means, summarise

scores = st.lists(st.floats(0, 1), min_size=1, max_size=40)


@given(scores)
def test_summary_interval_contains_the_mean(values):
    summary = summarise(values)
    assert summary.mean == pytest.approx(np.mean(values))
    assert summary.median == pytest.approx(np.median(values))
    assert min(values) - 1e-9 <= summary.low <= summary.mean + 1e-9
    assert summary.mean - 1e-9 <= summary.high <= max(values) + 1e-9


def test_interval_approaches_the_normal_distribution_for_many_pages():
    values = np.random.default_rng(3).uniform(0, 1, 4000)
    summary = summarise(values)
    error = 1.96 * values.std() / np.sqrt(len(values))
    assert summary.low == pytest.approx(summary.mean - error, abs=0.001)
    assert summary.high == pytest.approx(summary.mean + error, abs=0.001)


def test_no_values_give_nan():
    assert summarise([]).pages == 0
    assert np.isnan(summarise([]).mean)
    assert np.isnan(paired_bootstrap([], []).p)


def test_same_scores_give_the_same_interval():
    assert summarise([0.1, 0.5, 0.9]) == summarise([0.1, 0.5, 0.9])


def test_large_corpora_are_resampled_in_chunks():
    assert len(resampled_means(np.ones(600_000), 5)) == 5


def test_paired_bootstrap_separates_a_clear_difference_from_chance():
    rng = np.random.default_rng(5)
    base = rng.uniform(0.3, 0.9, 300)
    assert paired_bootstrap(list(base + 0.02), list(base)).p < 0.001
    noise = rng.normal(0, 0.05, 300)
    even = paired_bootstrap(list(base + noise - noise.mean()), list(base))
    assert even.p > 0.8
    assert even.low < 0 < even.high


@pytest.mark.slow
@given(scores)
def test_paired_bootstrap_is_symmetric(values):
    reverse = values[::-1]
    forward, backward = paired_bootstrap(values, reverse), paired_bootstrap(reverse, values)
    assert forward.mean == pytest.approx(-backward.mean, abs=1e-12)
    assert forward.p == pytest.approx(backward.p)


def test_unpaired_scores_are_a_value_error():
    with pytest.raises(ValueError, match="3 and 2"):
        paired_bootstrap([1, 2, 3], [1, 2])
