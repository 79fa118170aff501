"""Training of sift: cross-validation by site, the choice of how much to keep, and the final networks.

Large networks teach small ones: a small one learns from the labels and from what the large ones make of the same
pages, which comes out better than labels alone and runs in a fraction of the time. Everything is chosen on pages that
the networks at hand were not trained on: each fold's pages are judged by networks that saw none of its sites, and
neither did their teachers; from those judgements come the shift, the least expected F1 and the knots of the
confidence. The shipped networks are then trained on all pages.
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

from tamis.extractors.sift import KINDS, Model, decide
from tamis.features import NAMES, Features
from tamis.model.choice import chances
from tamis.model.network import Network, Parameters, share_of
from tamis.training.sift_samples import Sample, folds_of
from tamis.training.train_network import Recipe, train

Floats = npt.NDArray[np.float64]

#: Groups of features that training hides from pages at times, so that none is leaned on alone.
_GROUPS: Final = (
    ("near:", "far:"),
    ("above:",),
    ("host:",),
    ("page_",),
    ("block_place", "text_place", "after_h1", "from_h1", "h1_seen", "heading_above", "since_heading", "depth"),
    ("after_title", "from_title", "since_title", "title_seen", "title_match"),
    ("in_prose", "before_prose", "after_prose", "height_to_prose", "prose_share"),
    ("twins@", "template"),
    ("told", "repeats", "echo"),
)
_LEAST: Final = 0.4  # flat from 0.3 to 0.5 in cross-validation: what lies below has no gold text, or not on the page
_STEPS: Final = np.arange(0.0, 2.01, 0.25)
#: The largest shift is taken whose pages lose no more than this: where keeping less costs nothing, less is better.
_SLACK: Final = 0.001
_KNOTS: Final = 9


@dataclass(frozen=True, slots=True)
class Student:
    """A small network: how it is trained, and how much it believes the labels; the rest it learns of its teachers."""

    recipe: Recipe
    trust: float


#: The teachers are wide; what is shipped is small enough to run beside a parser. The first learns from the labels
#: alone, the second half from its teachers; it is the more robust on pages unlike those it has seen (docs/sift.md).
TEACHER: Final = Recipe(first=96, width=64)
STUDENTS: Final = (
    Student(Recipe(first=96, width=48), 1.0),
    Student(Recipe(first=64, width=32, epochs=14), 0.5),
)
_RAW: Final = Model((), KINDS, 0.0, _LEAST, np.array([[0.0, 1.0], [0.0, 1.0]]), {})


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained model with its cross-validated judgements.

    Attributes:
        model: ready to use.
        scores: the words F1 of each page, judged by networks that did not see its site.
        expected: the confidence in each of those answers.
        kinds: the kind that was told for each page.
    """

    model: Model
    scores: Floats
    expected: Floats
    kinds: list[str]


@contextmanager
def one_thread_each() -> Iterator[None]:
    """Have processes that start in here multiply matrices with one thread each, however many cores there are.

    Threads round differently, and after a thousand steps that is another network; and there are processes enough.
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


def groups() -> list[npt.NDArray[np.int64]]:
    """Return the columns of each group that training hides at times."""
    return [
        np.array([place for place, name in enumerate(NAMES) if name.startswith(prefixes)]) for prefixes in _GROUPS
    ]


def fit(samples: Sequence[Sample], recipe: Recipe) -> Parameters:
    """Train one network on the samples that teach."""
    examples = [sample.example for sample in samples if sample.teaches]
    return train(examples, len(KINDS), recipe, groups())


def _fit_task(task: tuple[list[Sample], list[Parameters], Student]) -> Parameters:
    samples, teachers, student = task
    alone = not teachers or student.trust == 1
    return fit(samples if alone else taught(samples, teachers, student.trust), student.recipe)


def taught(samples: Sequence[Sample], teachers: Sequence[Parameters], trust: float) -> list[Sample]:
    """Return samples whose labels are their own as far as they are trusted, and else what the teachers say."""
    networks = [Network(teacher) for teacher in teachers]
    return [_taught(sample, networks, trust) if sample.teaches else sample for sample in samples]


def _taught(sample: Sample, teachers: list[Network], trust: float) -> Sample:
    own = sample.example
    features, share = own.matrix.astype(np.float32), share_of(own.size)
    # In NumPy, whatever is compiled: what is learned must not depend on it, and rounding is enough to.
    told = [teacher.forward_plain(features, share)[0].astype(np.float64) for teacher in teachers]
    said = chances(np.mean(told, axis=0)) * own.words
    return replace(sample, example=replace(own, hits=trust * own.hits + (1 - trust) * said))


def train_sift(
    samples: list[Sample],
    *,
    teachers: int,
    folds: int,
    jobs: int,
    seed: int,
    card: dict[str, Any],
    say: Callable[[str], None],
    teacher: Recipe = TEACHER,
    students: Sequence[Student] = STUDENTS,
) -> Trained:
    """Cross-validate, choose, and train the final networks."""
    fold = folds_of(samples, folds)
    # Every fold is held out once; the last time none is, and that gives what is shipped.
    parts = [[sample for sample, own in zip(samples, fold, strict=True) if own != held] for held in range(folds + 1)]

    def fit_all(
        who: str, all_of_them: Sequence[Student], taught_by: list[list[Parameters]]
    ) -> list[list[Parameters]]:
        tasks = [(part, by, each) for part, by in zip(parts, taught_by, strict=True) for each in all_of_them]
        fitted: list[Parameters] = []
        with one_thread_each(), ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            for parameters in pool.map(_fit_task, tasks):
                fitted.append(parameters)
                say(f"trained {len(fitted)} of {len(tasks)} {who}")
        size = len(all_of_them)
        return [fitted[size * part : size * (part + 1)] for part in range(len(parts))]

    nobody: list[list[Parameters]] = [[] for _ in parts]
    wise = [Student(replace(teacher, seed=seed + number), 1.0) for number in range(teachers)]
    small = [replace(student, recipe=replace(student.recipe, seed=seed)) for student in students]
    fitted = fit_all("students", small, fit_all("teachers", wise, nobody) if teachers else nobody)
    nets = [tuple(map(Network, part)) for part in fitted]
    judged = [_judge(replace(_RAW, networks=nets[own]), sample) for sample, own in zip(samples, fold, strict=True)]
    shift = _shift(samples, judged)
    scores, expected = _score(samples, judged, shift)
    knots = _knots(expected, scores)
    final = replace(_RAW, networks=nets[folds], shift=shift, knots=knots, card=card)
    kinds = [KINDS[int(np.argmax(odds))] for _, odds in judged]
    return Trained(final, scores, np.interp(expected, knots[0], knots[1]), kinds)


def _judge(model: Model, sample: Sample) -> tuple[Floats, Floats]:
    if not len(sample.example.size):
        return np.zeros(0), np.full(len(KINDS), 1 / len(KINDS))
    return model.read(_features(sample))


def _features(sample: Sample) -> Features:
    return Features(sample.example.matrix.astype(np.float32), sample.example.size)


def _answer(sample: Sample, judged: tuple[Floats, Floats], shift: float) -> tuple[float, float]:
    """Return the F1 of what would be kept, and the F1 that was expected."""
    logits, odds = judged
    kept, _, expected = decide(_features(sample), chances(logits - shift), odds, _LEAST)
    return sample.f1(kept), expected


def _shift(samples: list[Sample], judged: list[tuple[Floats, Floats]]) -> float:
    """Return the largest shift that costs next to nothing, on held-out judgements."""
    means = np.array([_score(samples, judged, float(step))[0].mean() for step in _STEPS])
    return float(_STEPS[np.flatnonzero(means >= means.max() - _SLACK)[-1]])


def _score(samples: list[Sample], judged: list[tuple[Floats, Floats]], shift: float) -> tuple[Floats, Floats]:
    answers = [_answer(sample, told, shift) for sample, told in zip(samples, judged, strict=True)]
    return np.array([f1 for f1, _ in answers]), np.array([expected for _, expected in answers])


def _knots(expected: Floats, scores: Floats) -> Floats:
    """Return a rising line from expected F1 to the F1 that came of it: means over equal groups, made to rise.

    In as many digits as mean something: beyond them compiled loops and NumPy differ, and the file is to be the same.
    """
    order = np.argsort(expected, kind="stable")
    parts = [part for part in np.array_split(order, _KNOTS) if len(part)]
    at = np.array([float(expected[part].mean()) for part in parts])
    came = np.maximum.accumulate(np.array([float(scores[part].mean()) for part in parts]))
    return np.round(np.stack([at, came]), 4)
