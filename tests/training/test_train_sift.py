"""Training of sift: teachers soften labels, and nothing is judged by who saw it."""

import numpy as np
import pytest

from tamis.extractors.sift import KINDS
from tamis.features import NAMES
from tamis.model.network import Network, fresh
from tamis.training import train_sift
from tamis.training.sift_samples import Sample, folds_of
from tamis.training.train_network import Example, Recipe


def sample(number, told=()):
    random = np.random.default_rng(number)
    words = np.full(6, 10.0)
    matrix = random.random((6, len(NAMES)))
    example = Example(matrix, words, words, np.array([10.0, 0, 10, 0, 10, 0]), number % len(KINDS))
    own = np.arange(60, dtype=np.int32)
    gold = own[(own // 10) % 2 == 0]
    return Sample(str(number), f"site{number // 2}", example, own, own // 10, gold, np.array(told, dtype=np.int32))


def test_a_student_learns_from_labels_and_from_its_teachers():
    teacher = fresh(len(NAMES), len(KINDS), 4, 4, seed=1)
    (softened,) = train_sift.taught([sample(1)], [teacher], 0.5)
    own = sample(1).example
    logits, _ = Network(teacher).forward(own.matrix.astype(np.float32), own.size)
    expected = 0.5 * own.hits + 0.5 * own.words / (1 + np.exp(-logits))
    assert softened.example.hits == pytest.approx(expected, rel=1e-4)


def test_every_page_is_judged_by_networks_and_teachers_that_did_not_see_its_site(monkeypatch):
    samples = [sample(number) for number in range(12)]
    seen = {}

    def remember(task):
        part, teachers, student = task
        recipe = student.recipe
        sites = {each.site for each in part}
        parameters = fresh(len(NAMES), len(KINDS), recipe.first, recipe.width, recipe.seed)
        seen[id(parameters)] = (parameters, sites, [seen[id(teacher)][1] for teacher in teachers])
        return parameters

    class Here:
        """Runs in this process what would run in others, so that it can be watched."""

        def __init__(self, *_, **__):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        map = staticmethod(map)

    judged = []
    monkeypatch.setattr(train_sift, "_fit_task", remember)
    monkeypatch.setattr(train_sift, "ProcessPoolExecutor", Here)
    original = train_sift._judge
    monkeypatch.setattr(
        train_sift, "_judge", lambda model, own: judged.append((model.networks, own.site)) or original(model, own)
    )
    small = Recipe(first=4, width=4)
    train_sift.train_sift(
        samples,
        teachers=2,
        folds=3,
        jobs=1,
        seed=0,
        card={},
        say=str,
        teacher=small,
        students=[train_sift.Student(small, 0.5)] * 2,
    )
    assert len(judged) == len(samples)
    for networks, site in judged:
        for network in networks:
            _, sites, of_teachers = seen[id(network.parameters)]
            assert site not in sites
            assert of_teachers == [sites, sites]


def test_sites_stay_whole_in_folds():
    samples = [sample(number) for number in range(12)]
    fold = folds_of(samples, 3)
    assert all(fold[number] == fold[number + 1] for number in range(0, 12, 2))


def test_what_stands_in_is_scored_where_nothing_is_kept():
    nothing = np.zeros(6, dtype=np.bool_)
    assert sample(1).f1(nothing) == 0.0
    assert sample(1, told=range(10)).f1(nothing) == pytest.approx(2 * 10 / (10 + 30))
    assert sample(1, told=range(10)).f1(~nothing) == sample(1).f1(~nothing)


def test_knots_rise_and_do_not_tell_compiled_loops_from_numpy():
    random = np.random.default_rng(2)
    expected = random.random(500)
    scores = np.clip(expected + 0.2 * random.standard_normal(500), 0, 1)
    knots = train_sift._knots(expected, scores)
    assert (np.diff(knots, axis=1) >= 0).all()
    assert np.array_equal(knots, train_sift._knots(expected * (1 + 1e-9), scores))
