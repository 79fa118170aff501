"""Training of sift: cross-validation by site, what is fitted, the final networks, and the report."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from multiprocessing import get_context
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from tamis.api import extract
from tamis.errors import CorpusError, OptionError
from tamis.lab.evaluate.corpora import Corpus as LabelledPages
from tamis.lab.evaluate.corpora import LabelledPage
from tamis.lab.evaluate.metrics import words
from tamis.lab.training.network import Example, TrainConfig, fit_page_types, train
from tamis.lab.training.samples import (
    UNKNOWN,
    Corpus,
    Sample,
    assign_folds,
    examples_of,
    fit_headline,
    score_headline,
    type_examples_of,
)
from tamis.sift.choice import sigmoid
from tamis.sift.extractor import Sift, decide, link_penalty
from tamis.sift.features import NAMES, Features
from tamis.sift.network import Network, Parameters, SiftModel
from tamis.sift.schema import PAGE_TYPES

# The held-out results of a training: as a table, for the card, and page by page.


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The results of the pages of a corpus, from networks that did not see their site, or the corpus."""

    samples: list[Sample]
    scores: "Floats"
    confidence: "Floats"
    page_types: list[str]


@dataclass(frozen=True, slots=True)
class Summary:
    """A table to print, and the same figures for the card."""

    table: str
    card: dict[str, object]


def summarize(trained: "Trained") -> Summary:
    """Summarize the held-out scores by corpus and page type, the accuracy of the page type, and the confidence."""
    first, *_ = trained.held_out.values()
    lines = [
        f"{name:<20}{len(held.samples):>6} pages  {held.scores.mean():.4f}" for name, held in trained.held_out.items()
    ]
    by_corpus = {name: round(float(held.scores.mean()), 4) for name, held in trained.held_out.items()}
    mean = float(np.mean([held.scores.mean() for held in trained.held_out.values()]))
    lines.append(f"{'mean of corpora':<32}  {mean:.4f}")
    true_types = np.array([sample.example.page_type for sample in first.samples])
    by_page_type = {}
    for number, name in enumerate(PAGE_TYPES):
        of_type = true_types == number
        if of_type.any():
            by_page_type[name] = round(float(first.scores[of_type].mean()), 4)
            lines.append(f"  {name:<18}{int(of_type.sum()):>6} pages  {by_page_type[name]:.4f}")
    known = true_types >= 0
    predicted = np.array([PAGE_TYPES.index(name) if name in PAGE_TYPES else -1 for name in first.page_types])
    accuracy = float((predicted == true_types)[known].mean()) if known.any() else 0.0
    lines.append(f"accuracy of the page type: {accuracy:.4f}")
    varies = float(np.std(first.confidence)) > 0 and float(np.std(first.scores)) > 0
    correlation = float(np.corrcoef(first.confidence, first.scores)[0, 1]) if varies else 0.0
    lines.append(f"confidence: correlation with the true F1 {correlation:.3f}")
    lines.append(f"logit shift: {trained.model.logit_shift}")
    card: dict[str, object] = {
        "words F1, held out": by_corpus,
        "mean of corpora": round(mean, 4),
        "words F1 by page type": by_page_type,
        "page type accuracy": round(accuracy, 4),
        "confidence correlation": round(correlation, 3),
        "pages below F1 0.5": {
            name: f"{int((held.scores < _FAILED).sum())} of {len(held.samples)}"
            for name, held in trained.held_out.items()
        },
    }
    return Summary("\n".join(lines), card)


def write_results(path: Path, trained: "Trained") -> None:
    """Write the held-out result of each page as JSON Lines."""
    lines = [
        json.dumps(
            {
                "corpus": name,
                "page": sample.page_id,
                "site": sample.site,
                "page_type": PAGE_TYPES[sample.example.page_type] if sample.example.page_type >= 0 else None,
                "predicted_page_type": predicted,
                "f1": round(float(score), 4),
                "confidence": round(float(confidence), 4),
            }
        )
        for name, held in trained.held_out.items()
        for sample, score, confidence, predicted in zip(
            held.samples, held.scores, held.confidence, held.page_types, strict=True
        )
    ]
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise OptionError(f"cannot write {path}: {error.strerror}") from error


# Training of sift: cross-validation by site, the fit of the shift and the calibration, and the final networks.
#
# Two networks are averaged. One learns from the first corpus alone, whose pages are of all types, and from the same
# pages in other scripts; the other also learns from further corpora, with less weight. When they are trained, their
# page types are fitted again.
#
# Everything is fitted on held-out pages: the pages of each fold of the first corpus are scored by networks that saw
# none of its sites. Further corpora are held out in the same way, or each as a whole. The logit shift comes from the
# mean over all corpora, the calibration from the first. The shipped networks are then trained on all pages.

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
_SHIFTS: Final = tuple(number / 4 for number in range(9))
_CALIBRATION_POINTS: Final = 9
_PAGES_OF_TASK: Final = 64  # that a process extracts at once
_FAILED: Final = 0.5  # F1 of a page that the card counts as a failure
#: Of the values of a feature. With the largest value as the bound, a heading of marks still misled the networks.
_BOUND: Final = 0.999


@dataclass(frozen=True, slots=True)
class Member:
    """One of the networks that are averaged.

    Attributes:
        corpora: what it learns from: the first corpus, or all.
        other_scripts: it also learns each page in another script.
    """

    config: TrainConfig
    corpora: Literal["first", "all"]
    share: float
    other_scripts: bool = False


#: Both learn more pages than the first corpus has, so fewer epochs are enough. docs/lab/sift.md has others.
MEMBERS: Final = (
    Member(TrainConfig(hidden=96, width=48, epochs=7), "first", 0.4, other_scripts=True),
    Member(TrainConfig(hidden=96, width=48, epochs=8), "all", 0.6),
)
_UNFITTED: Final = SiftModel((), PAGE_TYPES, 0.0, _MIN_EXPECTED_F1, np.array([[0.0, 1.0], [0.0, 1.0]]), {})


@dataclass(frozen=True, slots=True)
class Trained:
    """A trained model, and its held-out results.

    Attributes:
        held_out: the results of each corpus, the first one first; corpora that are only measured are the last.
    """

    model: SiftModel
    held_out: dict[str, HeldOut]


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


def _fit_task(task: tuple[list[Corpus], Member, Path | None]) -> Parameters:
    """Return a network: the one in the folder that learned the same pages in the same way, or a new one."""
    corpora, member, folder = task
    examples = examples_of(corpora if member.corpora == "all" else corpora[:1], other_scripts=member.other_scripts)
    fingerprint = _fingerprint(examples, repr(member.config))
    return _kept(folder, fingerprint, lambda: train(examples, len(PAGE_TYPES), member.config, feature_groups()))


def _kept(folder: Path | None, fingerprint: str, make: Callable[[], Parameters]) -> Parameters:
    """Return the parameters that a folder keeps under a fingerprint, or make them and keep them there."""
    file = None if folder is None else folder / f"{fingerprint}.npz"
    if file is not None and file.exists():
        with np.load(file) as arrays:
            return dict(arrays)
    parameters = make()
    if file is not None:
        written = file.with_suffix(".part")
        with written.open("wb") as stream:
            np.savez(stream, allow_pickle=False, **parameters)
        written.replace(file)
    return parameters


def _fingerprint(examples: Sequence[Example], *others: str) -> str:
    """Return a name for what is learned: equal examples and hyperparameters have equal names."""
    digest = blake2b("".join(others).encode(), digest_size=16)
    for example in examples:
        digest.update(repr((example.matrix.shape, example.page_type, example.corpus, example.weight)).encode())
        for array in (example.matrix, example.size, example.words, example.hits):
            digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def _page_type_task(task: tuple[list[Corpus], list[Parameters], Path | None]) -> list[Parameters]:
    """Return networks with page types that are fitted again, from the folder if it has them."""
    corpora, networks, folder = task
    pages, others = [each.example for each in corpora[0].samples if each.is_trainable], type_examples_of(corpora)
    states = [blake2b(array.tobytes()).hexdigest() for network in networks for array in network.values()]

    def fit() -> Parameters:
        fitted = fit_page_types([Network(each) for each in networks], pages, others)
        return {
            f"{number} {name}": array
            for number, (before, after) in enumerate(zip(networks, fitted, strict=True))
            for name, array in after.items()
            if array is not before.get(name)
        }

    changes = _kept(folder, _fingerprint([*pages, *others], *states), fit)
    out = [dict(network) for network in networks]
    for key, array in changes.items():
        number, name = key.split()
        out[int(number)][name] = array
    return out


def train_sift(
    corpora: Sequence[Corpus],
    *,
    folds: int,
    jobs: int,
    seed: int,
    card: dict[str, Any],
    report: Callable[[str], None],
    members: Sequence[Member] = MEMBERS,
    measured: Sequence[Corpus] = (),
    fitted: "dict[tuple[object, ...], Parameters] | None" = None,
    held_out_folds: int | None = None,
    folder: Path | None = None,
) -> Trained:
    """Cross-validate, fit the shift and the calibration, train the final networks, and score `measured` corpora.

    Networks in `fitted` are not trained again, and those that are trained are added to it; `folder` keeps them for
    another run. With `held_out_folds`, only that many folds are held out and scored.
    """
    first, *further = corpora
    members = [replace(member, config=replace(member.config, seed=member.config.seed + seed)) for member in members]
    if not further:  # a network of all corpora would be one more of the first
        members = [member for member in members if member.corpora == "first"] or members
        shares = sum(member.share for member in members)
        members = [replace(member, share=member.share / shares) for member in members]
    # Each fold is held out once, then each corpus that is held out as a whole. The last part holds out nothing: the
    # shipped networks.
    left_out = [corpus for corpus in further if not corpus.by_site]
    used = min(held_out_folds or folds, folds)
    parts = [
        [corpus if corpus in left_out else corpus.without(fold, folds) for corpus in corpora] for fold in range(used)
    ]
    parts += [[corpus for corpus in corpora if corpus is not other] for other in left_out]
    parts.append(list(corpora))
    models = _fit_all(parts, members, jobs, report, {} if fitted is None else fitted, folder)
    scored, outputs, of_pages = [], [], []
    for corpus in corpora:
        pages = corpus.samples
        if corpus in left_out:
            of_page = [used + left_out.index(corpus)] * len(pages)
        else:
            number = assign_folds(pages, folds)
            pages = [sample for sample, fold in zip(pages, number, strict=True) if fold < used]
            of_page = [int(fold) for fold in number if fold < used]
        scored.append(replace(corpus, samples=pages))
        of_pages.append(of_page)
        outputs.append([_predict(models[part], sample) for part, sample in zip(of_page, pages, strict=True)])
    logit_shift = _fit_shift(scored, outputs)
    scores, expected_f1 = _score(scored[0].samples, outputs[0], logit_shift)
    calibration = _fit_calibration(expected_f1, scores)
    headline, found = _fit_headline(first.samples, assign_folds(first.samples, folds), used)
    card["headlines, held out"] = found
    models = [replace(model, logit_shift=logit_shift, calibration=calibration) for model in models]
    of_pages += [[len(models) - 1] * len(corpus.samples) for corpus in measured]
    held_out = {
        corpus.name: _extract_held_out(corpus, of_page, models, jobs)
        for corpus, of_page in zip((*scored, *measured), of_pages, strict=True)
    }
    return Trained(replace(models[-1], headline=headline, card=card), held_out)


def _extract_held_out(corpus: Corpus, of_page: Sequence[int], models: Sequence[SiftModel], jobs: int) -> HeldOut:
    """Return the results of a corpus, as `tamis eval` has them, from the model of each page."""
    tasks: list[tuple[SiftModel, LabelledPages | None, list[str]]] = []
    places: list[int] = []
    for part, model in enumerate(models):
        numbers = [number for number, of_number in enumerate(of_page) if of_number == part]
        for start in range(0, len(numbers), _PAGES_OF_TASK):
            group = numbers[start : start + _PAGES_OF_TASK]
            tasks.append((model, corpus.source, [corpus.samples[number].page_id for number in group]))
            places += group
    with single_threaded(), ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        results = [result for group in pool.map(_extract_task, tasks) for result in group]
    in_order = [result for _, result in sorted(zip(places, results, strict=True), key=itemgetter(0))]
    scores, confidence, page_types = zip(*in_order, strict=True) if in_order else ((), (), ())
    return HeldOut(corpus.samples, np.array(scores), np.array(confidence), list(page_types))


def _extract_task(task: "tuple[SiftModel, LabelledPages | None, list[str]]") -> list[tuple[float, float, str]]:
    """Return the words F1, the confidence and the page type of what is extracted from some pages with a model."""
    model, source, page_ids = task
    extractor = Sift(model=model)
    out = []
    for page_id in page_ids:
        labelled = None if source is None else source.read(page_id)
        if not isinstance(labelled, LabelledPage):
            raise CorpusError(f"page {page_id} cannot be read again")
        extraction = extract(labelled.html, labelled.url, extractor=extractor, rules=False)
        confidence, page_type = extraction.confidence or 0.0, extraction.page_type or ""
        out.append((words(extraction.text, labelled.gold).f1, confidence, page_type))
    return out


def _fit_headline(
    samples: list[Sample], fold_of: npt.NDArray[np.int64], held_out_folds: int
) -> tuple[npt.NDArray[np.float32] | None, dict[str, int]]:
    """Return what tells the headline, and the counts of `score_headline` on held-out pages; None without titles."""
    if not any(sample.headline > UNKNOWN for sample in samples):
        return None, {}
    found: Counter[str] = Counter()
    for fold in range(held_out_folds):
        inside = [sample for sample, number in zip(samples, fold_of, strict=True) if number != fold]
        outside = [sample for sample, number in zip(samples, fold_of, strict=True) if number == fold]
        found.update(score_headline(outside, fit_headline(inside)))
    return fit_headline(samples), dict(found)


def _fit_all(
    parts: list[list[Corpus]],
    members: Sequence[Member],
    jobs: int,
    report: Callable[[str], None],
    fitted: dict[tuple[object, ...], Parameters],
    folder: Path | None,
) -> list[SiftModel]:
    """Return a model for each part of the data. Networks that see the same pages are trained once."""
    tasks: dict[tuple[object, ...], tuple[list[Corpus], Member, Path | None]] = {}
    keys = []
    for part in parts:
        for member in members:
            seen = part if member.corpora == "all" else part[:1]
            pages = ((corpus.name, tuple(sample.page_id for sample in corpus.samples)) for corpus in seen)
            keys.append((replace(member, share=1.0), *pages))
            if keys[-1] not in fitted:
                tasks.setdefault(keys[-1], (seen, member, folder))
    size = len(members)
    models: list[SiftModel] = []
    with single_threaded(), ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for number, (key, parameters) in enumerate(zip(tasks, pool.map(_fit_task, tasks.values()), strict=True)):
            fitted[key] = parameters
            report(f"trained {number + 1} of {len(tasks)} networks")
        of_part = [[fitted[key] for key in keys[size * k : size * (k + 1)]] for k in range(len(parts))]
        for each in pool.map(_page_type_task, [(*each, folder) for each in zip(parts, of_part, strict=True)]):
            bounds = feature_bounds(parts[len(models)])
            models.append(replace(_UNFITTED, networks=average(each, members), bounds=bounds))
            report(f"fitted the page types of {len(models)} of {len(parts)} models")
    return models


def feature_bounds(corpora: Sequence[Corpus]) -> npt.NDArray[np.float32]:
    """Return the bound of each feature: 999 of 1,000 values above 0 on the pages of corpora are not larger."""
    matrix = np.concatenate([sample.example.matrix.T for corpus in corpora for sample in corpus.samples], axis=1)
    out = np.zeros(len(matrix), dtype=np.float32)
    for column, row in enumerate(matrix):
        values = row[row > 0].astype(np.float32)
        out[column] = np.quantile(values, _BOUND) if len(values) else 0
    return out


def average(parameters: Sequence[Parameters], members: Sequence[Member]) -> tuple[Network, ...]:
    """Return networks whose plain mean is the mean weighted by the members' shares."""
    return tuple(
        Network(
            {
                name: array * np.float32(member.share * len(members)) if name in {"out", "out_bias"} else array
                for name, array in network.items()
            }
        )
        for network, member in zip(parameters, members, strict=True)
    )


def _predict(model: SiftModel, sample: Sample) -> tuple[Floats, Floats]:
    if not len(sample.example.size):
        return np.zeros(0), np.full(len(PAGE_TYPES), 1 / len(PAGE_TYPES))
    return model.predict(model.bound(_features(sample)))


def _features(sample: Sample) -> Features:
    return Features(sample.example.matrix.astype(np.float32), sample.example.size)


def _fit_shift(corpora: Sequence[Corpus], outputs: list[list[tuple[Floats, Floats]]]) -> float:
    """Return the shift with the highest F1 on held-out pages, in the mean over corpora."""
    results = list(zip(corpora, outputs, strict=True))
    means = [
        np.mean([_score(corpus.samples, of_corpus, shift)[0].mean() for corpus, of_corpus in results])
        for shift in _SHIFTS
    ]
    return _SHIFTS[int(np.argmax(means))]


def _score(samples: list[Sample], outputs: list[tuple[Floats, Floats]], logit_shift: float) -> tuple[Floats, Floats]:
    """Return the F1 and the expected F1 of each page."""
    scores, expected = np.zeros(len(samples)), np.zeros(len(samples))
    for page, (sample, (logits, type_probs)) in enumerate(zip(samples, outputs, strict=True)):
        features = _features(sample)
        probs = sigmoid(logits - logit_shift - link_penalty(features, type_probs))
        kept, _, expected[page] = decide(features, probs, type_probs, _MIN_EXPECTED_F1)
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
