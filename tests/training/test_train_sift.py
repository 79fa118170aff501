"""Training of sift: distillation, and scores from networks that did not see the page."""

import numpy as np
import pytest

from tamis.features import NAMES
from tamis.model.network import Network, init_params
from tamis.model.sift_model import PAGE_TYPES
from tamis.training import train_sift
from tamis.training.batch import Example
from tamis.training.sift_samples import Sample, assign_folds
from tamis.training.train_network import TrainConfig


def sample(number, fallback=()):
    random = np.random.default_rng(number)
    words = np.full(6, 10.0)
    matrix = random.random((6, len(NAMES)))
    example = Example(matrix, words, words, np.array([10.0, 0, 10, 0, 10, 0]), number % len(PAGE_TYPES))
    numbers = np.arange(60, dtype=np.int32)
    block = numbers // 10
    fallback_words = np.array(fallback, dtype=np.int32)
    return Sample(str(number), f"site{number // 2}", example, numbers, block, numbers[block % 2 == 0], fallback_words)


def test_distilled_labels_are_the_mean_of_labels_and_teacher_outputs():
    teacher = init_params(len(NAMES), len(PAGE_TYPES), 4, 4, seed=1)
    (distilled,) = train_sift.distilled([sample(1)], [teacher], 0.5)
    example = sample(1).example
    logits, _ = Network(teacher).forward(example.matrix.astype(np.float32), example.size)
    expected = 0.5 * example.hits + 0.5 * example.words / (1 + np.exp(-logits))
    assert distilled.example.hits == pytest.approx(expected, rel=1e-4)


def test_pages_are_scored_by_networks_and_teachers_that_did_not_see_their_site(monkeypatch):
    samples = [sample(number) for number in range(12)]
    trained = {}

    def record_task(task):
        part, teachers, student = task
        config = student.config
        sites = {sample.site for sample in part}
        parameters = init_params(len(NAMES), len(PAGE_TYPES), config.hidden, config.width, config.seed)
        trained[id(parameters)] = (parameters, sites, [trained[id(teacher)][1] for teacher in teachers])
        return parameters

    class InProcess:
        """Runs tasks in this process, so that they can be recorded."""

        def __init__(self, *_, **__):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        map = staticmethod(map)

    predicted = []
    original = train_sift._predict

    def record_prediction(model, sample):
        predicted.append((model.networks, sample.site))
        return original(model, sample)

    monkeypatch.setattr(train_sift, "_fit_task", record_task)
    monkeypatch.setattr(train_sift, "ProcessPoolExecutor", InProcess)
    monkeypatch.setattr(train_sift, "_predict", record_prediction)
    small = TrainConfig(hidden=4, width=4)
    train_sift.train_sift(
        samples,
        teachers=2,
        folds=3,
        jobs=1,
        seed=0,
        card={},
        report=str,
        teacher=small,
        students=[train_sift.Student(small, 0.5)] * 2,
    )
    assert len(predicted) == len(samples)
    for networks, site in predicted:
        for network in networks:
            _, sites, teacher_sites = trained[id(network.parameters)]
            assert site not in sites
            assert teacher_sites == [sites, sites]


def test_folds_do_not_split_sites():
    samples = [sample(number) for number in range(12)]
    fold = assign_folds(samples, 3)
    assert all(fold[number] == fold[number + 1] for number in range(0, 12, 2))


def test_fallback_is_scored_where_nothing_is_kept():
    nothing = np.zeros(6, dtype=np.bool_)
    assert sample(1).f1(nothing) == 0.0
    assert sample(1, fallback=range(10)).f1(nothing) == pytest.approx(2 * 10 / (10 + 30))
    assert sample(1, fallback=range(10)).f1(~nothing) == sample(1).f1(~nothing)


def test_calibration_rises_and_ignores_rounding_differences():
    random = np.random.default_rng(2)
    expected = random.random(500)
    scores = np.clip(expected + 0.2 * random.standard_normal(500), 0, 1)
    calibration = train_sift._fit_calibration(expected, scores)
    assert (np.diff(calibration, axis=1) >= 0).all()
    assert np.array_equal(calibration, train_sift._fit_calibration(expected * (1 + 1e-9), scores))
