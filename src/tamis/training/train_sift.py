"""Training of sift: cross-validation by site, the fit of the shift and the calibration, and the final networks.

Large networks teach small ones. A student learns from the labels and from the outputs of its teachers on the same
pages (distillation): it scores higher than one that learns from labels alone, and runs in a fraction of the time of
its teachers. Everything is fitted on held-out pages: the pages of each fold are scored by networks that saw none of
its sites, and neither did their teachers. The logit shift and the calibration come from those scores. The shipped
networks are then trained on all pages.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.extractors.sift import decide
from tamis.features import NAMES, Features
from tamis.model.choice import sigmoid
from tamis.model.network import Network, Parameters, size_share
from tamis.model.sift_model import PAGE_TYPES, SiftModel
from tamis.training.sift_samples import Sample, assign_folds
from tamis.training.train_network import TrainConfig, train

Floats = npt.NDArray[np.float64]

#: Groups of features for feature dropout, by the beginnings of their names.
_FEATURE_GROUPS: Final = (
    ("near:", "far:"),
    ("ancestor:",),
    ("container:",),
    ("page_",),
    (
        "block_position", "text_position", "after_h1", "h1_distance", "has_h1", "heading_level", "size_since_heading",
        "depth",
    ),
    ("after_title", "title_distance", "size_since_title", "best_title_match", "title_match"),
    ("in_prose", "blocks_before_prose", "blocks_after_prose", "levels_to_prose", "prose_share"),
    ("similar_siblings@", "template_"),
    ("in_metadata", "repeats", "quotes_earlier"),
    ("declares:", "path:", "path_"),
    ("article_",),
    ("heading_title_match", "heading_link_share"),
)  # fmt: skip
#: Flat from 0.3 to 0.5 in cross-validation: pages below have no gold text, or none that is on the page.
_MIN_EXPECTED_F1: Final = 0.4
_SHIFTS: Final = np.arange(0.0, 2.01, 0.25)
#: The largest shift with a mean F1 this close to the best is taken: where keeping less costs nothing, less is better.
_SHIFT_TOLERANCE: Final = 0.001
_CALIBRATION_POINTS: Final = 9


@dataclass(frozen=True, slots=True)
class Student:
    """A small network: its hyperparameters, and the weight of the labels; the teachers have the rest."""

    config: TrainConfig
    label_weight: float


#: Teachers are wide; students are small enough to run beside a parser. The first student learns from the labels
#: alone. The second learns half from its teachers, and is more robust on pages unlike those of WCXB (docs/sift.md).
TEACHER: Final = TrainConfig(hidden=96, width=64)
STUDENTS: Final = (
    Student(TrainConfig(hidden=96, width=48), label_weight=1.0),
    Student(TrainConfig(hidden=64, width=32, epochs=14), label_weight=0.5),
)
_UNFITTED: Final = SiftModel((), PAGE_TYPES, 0.0, _MIN_EXPECTED_F1, np.array([[0.0, 1.0], [0.0, 1.0]]), {})


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained model, and its held-out results.

    Attributes:
        model: ready to use.
        scores: the words F1 of each page, from networks that did not see its site.
        confidence: the confidence of each of those results.
        page_types: the predicted type of each page.
    """

    model: SiftModel
    scores: Floats
    confidence: Floats
    page_types: list[str]


@contextmanager
def single_threaded() -> Iterator[None]:
    """Make processes that start in this context multiply matrices with one thread each.

    Threads change the rounding, and after a thousand steps the network. There are enough processes for all cores.
    """
    names = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict.fromkeys(names, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def feature_groups() -> list[npt.NDArray[np.int64]]:
    """Return the columns of each group for feature dropout."""
    return [
        np.array([column for column, name in enumerate(NAMES) if name.startswith(prefixes)])
        for prefixes in _FEATURE_GROUPS
    ]


def fit(samples: Sequence[Sample], config: TrainConfig) -> Parameters:
    """Train one network on the trainable samples."""
    examples = [sample.example for sample in samples if sample.is_trainable]
    return train(examples, len(PAGE_TYPES), config, feature_groups())


def _fit_task(task: tuple[list[Sample], list[Parameters], Student]) -> Parameters:
    samples, teachers, student = task
    labels_only = not teachers or student.label_weight == 1
    return fit(samples if labels_only else distilled(samples, teachers, student.label_weight), student.config)


def distilled(samples: Sequence[Sample], teachers: Sequence[Parameters], label_weight: float) -> list[Sample]:
    """Return samples whose labels are a weighted mean of their own and of the outputs of teachers."""
    networks = [Network(teacher) for teacher in teachers]
    return [_distill(sample, networks, label_weight) if sample.is_trainable else sample for sample in samples]


def _distill(sample: Sample, teachers: list[Network], label_weight: float) -> Sample:
    example = sample.example
    features, share = example.matrix.astype(np.float32), size_share(example.size)
    # In NumPy even where the networks are compiled: they round differently, which is enough to train another network.
    logits = [teacher.forward_plain(features, share)[0].astype(np.float64) for teacher in teachers]
    teacher_hits = sigmoid(np.mean(logits, axis=0)) * example.words
    hits = label_weight * example.hits + (1 - label_weight) * teacher_hits
    return replace(sample, example=replace(example, hits=hits))


def train_sift(
    samples: list[Sample],
    *,
    teachers: int,
    folds: int,
    jobs: int,
    seed: int,
    card: dict[str, Any],
    report: Callable[[str], None],
    teacher: TrainConfig = TEACHER,
    students: Sequence[Student] = STUDENTS,
) -> Trained:
    """Cross-validate, fit the shift and the calibration, and train the final networks."""
    fold_of = assign_folds(samples, folds)
    # Each fold is held out once. The last part holds out none, and trains the shipped networks.
    parts = [
        [sample for sample, fold in zip(samples, fold_of, strict=True) if fold != held_out]
        for held_out in range(folds + 1)
    ]

    def fit_all(
        role: str, networks: Sequence[Student], teachers_of_part: list[list[Parameters]]
    ) -> list[list[Parameters]]:
        tasks = [
            (part, part_teachers, network)
            for part, part_teachers in zip(parts, teachers_of_part, strict=True)
            for network in networks
        ]
        fitted: list[Parameters] = []
        with single_threaded(), ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            for parameters in pool.map(_fit_task, tasks):
                fitted.append(parameters)
                report(f"trained {len(fitted)} of {len(tasks)} {role}")
        size = len(networks)
        return [fitted[size * part : size * (part + 1)] for part in range(len(parts))]

    no_teachers: list[list[Parameters]] = [[] for _ in parts]
    large = [Student(replace(teacher, seed=seed + number), 1.0) for number in range(teachers)]
    small = [replace(student, config=replace(student.config, seed=seed)) for student in students]
    fitted = fit_all("students", small, fit_all("teachers", large, no_teachers) if teachers else no_teachers)
    networks = [tuple(map(Network, part)) for part in fitted]
    outputs = [
        _predict(replace(_UNFITTED, networks=networks[fold]), sample)
        for sample, fold in zip(samples, fold_of, strict=True)
    ]
    logit_shift = _fit_shift(samples, outputs)
    scores, expected_f1 = _score(samples, outputs, logit_shift)
    calibration = _fit_calibration(expected_f1, scores)
    model = replace(_UNFITTED, networks=networks[folds], logit_shift=logit_shift, calibration=calibration, card=card)
    page_types = [PAGE_TYPES[int(np.argmax(type_probs))] for _, type_probs in outputs]
    return Trained(model, scores, np.interp(expected_f1, calibration[0], calibration[1]), page_types)


def _predict(model: SiftModel, sample: Sample) -> tuple[Floats, Floats]:
    if not len(sample.example.size):
        return np.zeros(0), np.full(len(PAGE_TYPES), 1 / len(PAGE_TYPES))
    return model.predict(_features(sample))


def _features(sample: Sample) -> Features:
    return Features(sample.example.matrix.astype(np.float32), sample.example.size)


def _fit_shift(samples: list[Sample], outputs: list[tuple[Floats, Floats]]) -> float:
    """Return the largest shift that costs next to nothing on held-out pages."""
    means = np.array([_score(samples, outputs, float(shift))[0].mean() for shift in _SHIFTS])
    return float(_SHIFTS[np.flatnonzero(means >= means.max() - _SHIFT_TOLERANCE)[-1]])


def _score(samples: list[Sample], outputs: list[tuple[Floats, Floats]], logit_shift: float) -> tuple[Floats, Floats]:
    """Return the F1 and the expected F1 of each page."""
    scores, expected = np.zeros(len(samples)), np.zeros(len(samples))
    for page, (sample, (logits, type_probs)) in enumerate(zip(samples, outputs, strict=True)):
        kept, _, expected[page] = decide(
            _features(sample), sigmoid(logits - logit_shift), type_probs, _MIN_EXPECTED_F1
        )
        scores[page] = sample.f1(kept)
    return scores, expected


def _fit_calibration(expected_f1: Floats, scores: Floats) -> Floats:
    """Return a rising line from expected to measured F1: means over groups of equal size, made to rise.

    Rounded to the digits that mean something: beyond them compiled loops and NumPy differ, and the weights file must
    not.
    """
    order = np.argsort(expected_f1, kind="stable")
    parts = [part for part in np.array_split(order, _CALIBRATION_POINTS) if len(part)]
    expected = np.array([float(expected_f1[part].mean()) for part in parts])
    measured = np.maximum.accumulate(np.array([float(scores[part].mean()) for part in parts]))
    return np.round(np.stack([expected, measured]), 4)
