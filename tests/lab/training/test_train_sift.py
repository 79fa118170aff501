"""Training of sift: several corpora, and scores from networks that did not see the page."""

from dataclasses import replace

import numpy as np
import pytest

from tamis.api import extract
from tamis.lab.evaluate.corpora import LabelledPage
from tamis.lab.evaluate.metrics import words
from tamis.lab.training import sift
from tamis.lab.training.network import Example, TrainConfig
from tamis.lab.training.samples import Corpus, Sample, assign_folds, examples_of
from tamis.lab.training.sift import Member
from tamis.sift.extractor import Sift
from tamis.sift.features import NAMES, Features
from tamis.sift.network import Network, init_params
from tamis.sift.schema import PAGE_TYPES

SMALL = TrainConfig(hidden=4, width=4)


def sample(number, fallback=()):
    random = np.random.default_rng(number)
    words = np.full(6, 10.0)
    matrix = random.random((6, len(NAMES)))
    example = Example(matrix, words, words, np.array([10.0, 0, 10, 0, 10, 0]), number % len(PAGE_TYPES))
    numbers = np.arange(60, dtype=np.int32)
    block = numbers // 10
    fallback_words = np.array(fallback, dtype=np.int32)
    return Sample(str(number), f"site{number // 2}", example, numbers, block, numbers[block % 2 == 0], fallback_words)


def test_further_corpora_have_their_weight_and_no_page_type():
    corpora = [Corpus("a", [sample(1)]), Corpus("b", [sample(2)], weight=0.5)]
    first, second = examples_of(corpora)
    assert (first.corpus, first.weight, first.page_type) == (0, 1.0, 1)
    assert (second.corpus, second.weight, second.page_type) == (1, 0.5, -1)


def test_mean_of_averaged_networks_is_weighted_by_share():
    parameters = [init_params(len(NAMES), len(PAGE_TYPES), 4, 4, seed=seed) for seed in (1, 2)]
    members = [Member(SMALL, "first", 0.25), Member(SMALL, "all", 0.75)]
    example = sample(1).example
    matrix = example.matrix.astype(np.float32)
    plain = [Network(each).forward(matrix, example.size)[0] for each in parameters]
    model = replace(sift._UNFITTED, networks=sift.average(parameters, members))
    logits, _ = model.predict(Features(matrix, example.size))
    assert logits == pytest.approx(0.25 * plain[0] + 0.75 * plain[1], rel=1e-4)


class InProcess:
    """Runs tasks in this process, so that they can be recorded."""

    def __init__(self, *_, **__):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    map = staticmethod(map)


class Pages:
    """Pages as they are read from a corpus: one of two paragraphs is content."""

    @staticmethod
    def read(page_id):
        texts = [
            f"Boil the water of page {page_id}, and wait until it is quiet again. {word}" for word in ("Tea", "Pot")
        ]
        return LabelledPage(page_id, f"<title>Tea</title><p>{texts[0]}</p><p>{texts[1]}</p>", texts[0])


@pytest.fixture
def record(monkeypatch):
    """Return what is trained, with the sites it saw, and what is predicted and extracted; networks are random."""
    trained, predicted, extracted = {}, [], []
    original, extract = sift._predict, sift._extract_task

    def remember(corpora, kind):
        sites = {sample.site for corpus in corpora for sample in corpus.samples}
        parameters = init_params(len(NAMES), len(PAGE_TYPES), 4, 4, len(trained))
        trained[parameters["dense1"].tobytes()] = (sites, kind)
        return parameters

    def fit_types(task):
        corpora, networks, _ = task
        assert corpora[0].name == "a"  # the corpus with page types
        kinds = {trained[parameters["dense1"].tobytes()][1] for parameters in networks}
        assert kinds == ({"first", "all"} if len(corpora) > 1 else {"first"})
        return networks

    def record_prediction(model, sample):
        predicted.append((model.networks, sample.site))
        return original(model, sample)

    def record_extraction(task):
        extracted.extend((task[0].networks, f"site{int(page_id) // 2}") for page_id in task[2])
        return extract(task)

    monkeypatch.setattr(sift, "_extract_task", record_extraction)
    monkeypatch.setattr(sift, "_fit_task", lambda task: remember(task[0], task[1].corpora))
    monkeypatch.setattr(sift, "_page_type_task", fit_types)
    monkeypatch.setattr(sift, "ProcessPoolExecutor", InProcess)
    monkeypatch.setattr(sift, "_predict", record_prediction)
    return trained, predicted, extracted


MEMBERS = [Member(SMALL, "first", 0.5), Member(SMALL, "all", 0.5)]


@pytest.mark.slow
def test_pages_are_scored_by_networks_that_did_not_see_their_site_or_corpus(record):
    trained, predicted, extracted = record
    first = [sample(number) for number in range(12)]
    whole, by_site = [sample(number) for number in range(20, 24)], [sample(number) for number in range(30, 36)]
    corpora = [Corpus("a", first), Corpus("b", whole, 0.5), Corpus("c", by_site, by_site=True)]
    corpora = [replace(corpus, source=Pages) for corpus in corpora]
    measured = [Corpus("d", [sample(40)], source=Pages)]
    options = {"folds": 3, "jobs": 1, "seed": 0, "card": {}, "report": str, "members": MEMBERS, "measured": measured}
    fitted = {}
    result = sift.train_sift(corpora, **options, fitted=fitted)
    assert len(predicted) == len(first) + len(whole) + len(by_site)
    assert len(extracted) == len(predicted) + 1
    for networks, site in predicted + extracted:
        for network in networks:
            assert site not in trained[network.parameters["dense1"].tobytes()][0]
    assert [(name, len(held.scores)) for name, held in result.held_out.items()] == [
        ("a", 12), ("b", 4), ("c", 6), ("d", 1)
    ]  # fmt: skip
    seen = [trained[network.parameters["dense1"].tobytes()] for network in result.model.networks]
    everything = {s.site for s in first + whole + by_site}
    # One network of each kind for each fold and for all pages, and one of all corpora but "b".
    assert sorted(kind for _, kind in trained.values()) == ["all"] * 5 + ["first"] * 4
    assert seen == [({s.site for s in first}, "first"), (everything, "all")]
    alone = sift.train_sift(corpora[:1], **options, fitted=fitted)  # its networks are there
    assert len(trained) == len(fitted) == 9
    assert len(alone.model.networks) == 1


@pytest.mark.slow
def test_held_out_scores_are_those_of_the_extracted_text(record):
    pages = [sample(number) for number in range(6)]
    options = {"folds": 3, "jobs": 1, "seed": 0, "card": {}, "report": str, "members": MEMBERS}
    result = sift.train_sift([Corpus("a", pages, source=Pages)], **options)
    held = result.held_out["a"]
    networks = dict(zip([site for _, site in record[2]], [networks for networks, _ in record[2]], strict=True))
    for place, each in enumerate(held.samples):
        model = replace(result.model, networks=networks[each.site], headline=None)
        extraction = extract(Pages.read(each.page_id).html, extractor=Sift(model=model))
        assert held.scores[place] == words(extraction.text, Pages.read(each.page_id).gold).f1
        assert (held.confidence[place], held.page_types[place]) == (extraction.confidence, extraction.page_type)


def test_folds_that_are_not_held_out_are_learned_and_not_scored(record):
    trained, predicted, extracted = record
    first = [sample(number) for number in range(12)]
    options = {"folds": 3, "jobs": 1, "seed": 0, "card": {}, "report": str, "members": MEMBERS}
    result = sift.train_sift([Corpus("a", first, source=Pages)], **options, held_out_folds=1)
    held = {each.site for each, fold in zip(first, assign_folds(first, 3), strict=True) if fold == 0}
    assert {site for _, site in predicted} == {site for _, site in extracted} == held
    assert {each.site for each in result.held_out["a"].samples} == held
    assert len(trained) == 2  # without the fold, and of all pages


@pytest.mark.slow
def test_network_is_read_where_it_learned_the_same_pages(tmp_path, monkeypatch):
    corpora, member = [Corpus("a", [sample(number) for number in range(4)])], Member(SMALL, "first", 1.0)
    first = sift._fit_task((corpora, member, tmp_path))
    calls = []
    monkeypatch.setattr(sift, "train", lambda *arguments: calls.append(arguments) or first)
    again = sift._fit_task((corpora, member, tmp_path))
    assert not calls
    assert all(np.array_equal(first[name], again[name]) for name in first)
    sift._fit_task((corpora, replace(member, config=replace(SMALL, seed=1)), tmp_path))
    sift._fit_task(([replace(corpora[0], weight=0.5)], member, tmp_path))
    assert len(calls) == 2


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
    calibration = sift._fit_calibration(expected, scores)
    assert (np.diff(calibration, axis=1) >= 0).all()
    assert np.array_equal(calibration, sift._fit_calibration(expected * (1 + 1e-9), scores))


def test_bounds_are_near_the_largest_values_and_rare_features_have_one():
    samples = [sample(number) for number in range(6)]
    bounds = sift.feature_bounds([Corpus("a", samples)])
    matrix = np.concatenate([each.example.matrix for each in samples]).astype(np.float32)
    assert (bounds <= matrix.max(axis=0)).all()
    seen = (matrix > 0).any(axis=0)
    assert (bounds[seen] > 0).all()
    assert not bounds[~seen].any()
