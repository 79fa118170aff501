"""Training of the Mountain Model: weights of ridges, and the score of a page without a ridge of content."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.svm import SVC

from tamis.extractors.weights import Weights, from_json, to_json
from tamis.lab.evaluate.corpora import LabelledPage
from tamis.lab.training.ridge import RidgeConfig, Sample, cross_validate, from_scikit, make_sample, train
from tamis.page import parse_page
from tamis.papers.ridge import Cells, MountainParameters, Ridge, Svm

# Two equal ridges per page, in cells 0 to 2 and 10 to 12.
SHAPE = MountainParameters(smoothing=1, peak=2.0, span=2)
SCORES = np.array([9.0] * 3 + [0.0] * 7 + [9.0] * 3 + [0.0] * 7)


def page_with_content_in_ridge(number):
    """Return a page with a long ridge of content and a short one of boilerplate."""
    words, matched = np.zeros(20, dtype=np.int64), np.zeros(20, dtype=np.int64)
    words[[0, 10]] = (990, 10) if number == 0 else (10, 990)
    matched[0 if number == 0 else 10] = 990
    position = np.arange(20)
    return Sample(f"site {number}", Cells(position, position, position), SCORES, words, matched, 990)


@pytest.mark.parametrize(("word_weights", "is_content"), [(True, True), (False, False)])
def test_ridge_counts_by_its_share_of_the_words_of_its_page(word_weights, is_content):
    # The first ridge is boilerplate on two pages of three, but only ten words of it.
    samples = [page_with_content_in_ridge(number) for number in (0, 1, 1)]
    config = RidgeConfig(shape=SHAPE, word_weights=word_weights)
    classifier = Svm.from_values(train(samples, config, {}).values["svm"])
    features = samples[0].ridges(SHAPE)[0].features()
    assert (classifier.decide(features)[0] > 0) == is_content


def test_page_without_a_ridge_of_content_scores_by_what_the_extractor_selects():
    html = "<p>Short.</p><p>A longer sentence, with some words in it, and a full stop.</p><p>Bye</p>"
    labelled = LabelledPage("1", html, "A longer sentence, with some words in it, and a full stop.")
    sample = make_sample(labelled)
    page = parse_page(html)
    selected = Ridge(classifier=Svm(np.zeros((0, 4)), np.zeros(0), -1.0, 1.0)).select(page).mask
    cells = np.isin(sample.cells.row, selected.nonzero()[0])
    mountains = sample.ridges(MountainParameters())[0]
    assert sample.fallback(mountains) == (sample.words[cells].sum(), sample.matched[cells].sum()) == (12, 12)


def test_cross_validation_counts_the_fallback():
    samples = [replace(page_with_content_in_ridge(0), group=f"site {number}") for number in range(7)]
    flat = replace(samples[0], group="site 7", scores=np.ones(20), words=np.ones(20), matched=np.ones(20), gold=20)
    scores = cross_validate([*samples, flat], RidgeConfig(shape=SHAPE, folds=4))
    assert scores.mean > 0.98  # a page that counts as empty would leave 7/8


def fitted_svm(count=80, features=4, seed=0, **options):
    random = np.random.default_rng(seed)
    points = random.random((count, features))
    return SVC(gamma=2.0, **options).fit(points, points.sum(axis=1) + random.normal(0, 0.3, count) > features / 2)


@pytest.mark.parametrize("options", [{}, {"C": 50.0}, {"class_weight": "balanced"}])
def test_svm_decisions_equal_those_of_scikit_learn(options):
    fitted = fitted_svm(**options)
    machine_from_file = Svm.from_values(from_json(to_json(Weights("x", from_scikit(fitted).to_values()))).values)
    points = np.random.default_rng(9).random((3000, 4)) * 2 - 0.5
    assert np.abs(machine_from_file.decide(points) - fitted.decision_function(points)).max() < 1e-9


def test_svm_of_no_points_gives_no_decisions():
    assert from_scikit(fitted_svm()).decide(np.zeros((0, 4))).tolist() == []
