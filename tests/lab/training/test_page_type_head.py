"""The page type of a network: fitted again, to what the networks and the labels say."""

from dataclasses import replace

import numpy as np
import pytest

from tamis.lab.training.network import Example, fit_page_type, fit_page_types, type_target
from tamis.sift.network import Network, init_params, size_share, softmax

FEATURES, TYPES = 6, 2


def pages(count: int, seed: int) -> list[Example]:
    """Pages whose type is written in one feature of one block, which the network that is used has not learned."""
    random = np.random.default_rng(seed)
    out = []
    for _ in range(count):
        page_type = int(random.integers(TYPES))
        matrix = random.random((8, FEATURES)).astype(np.float16)
        matrix[int(random.integers(8)), 2] = 3.0 * page_type
        words = random.integers(1, 20, 8).astype(np.float64)
        out.append(Example(matrix, words, words, words * 0, page_type))
    return out


def network(seed: int) -> Network:
    parameters = init_params(FEATURES, TYPES, 5, 4, seed)
    random = np.random.default_rng(seed)
    return Network(
        {**parameters, "mean": random.random(FEATURES).astype(np.float32), "scale": parameters["scale"] * 2}
    )


def share_right(model: Network, examples: list[Example]) -> float:
    said = [model.forward(page.matrix.astype(np.float32), page.size)[1] for page in examples]
    return float(np.mean([logits.argmax() == page.page_type for logits, page in zip(said, examples, strict=True)]))


@pytest.mark.slow
def test_type_that_only_the_features_show_is_learned():
    first, train, test = network(1), pages(200, 1), pages(60, 2)
    targets = np.eye(TYPES)[[page.page_type for page in train]]
    fitted = Network(fit_page_type(first, train, targets))
    assert share_right(first, test) < 0.8
    assert share_right(fitted, test) > 0.9


@pytest.mark.slow
def test_logits_of_blocks_stay_the_same():
    first, train = network(1), pages(20, 1)
    fitted = Network(fit_page_type(first, train, np.full((20, TYPES), 0.5)))
    for page in train:
        matrix = page.matrix.astype(np.float32)
        assert np.array_equal(fitted.forward(matrix, page.size)[0], first.forward(matrix, page.size)[0])


def test_means_and_maxima_of_the_features_are_added():
    parameters = init_params(FEATURES, TYPES, 5, 4, 3)
    random = np.random.default_rng(3)
    extra = {name: random.random((FEATURES, TYPES), dtype=np.float32) for name in ("page_type_mean", "page_type_max")}
    page = pages(1, 3)[0]
    matrix, share = page.matrix.astype(np.float32), size_share(page.size)
    plain, more = (
        Network(parameters).forward(matrix, page.size)[1],
        Network(parameters | extra).forward(matrix, page.size)[1],
    )
    expected = plain + share @ matrix @ extra["page_type_mean"] + matrix.max(axis=0) @ extra["page_type_max"]
    assert more == pytest.approx(expected, rel=1e-4)


def test_target_is_half_the_label_and_half_what_the_networks_say():
    page, networks = pages(1, 4)[0], [network(1), network(2)]
    said = [softmax(each.forward(page.matrix.astype(np.float32), page.size)[1].tolist()) for each in networks]
    expected = 0.5 * np.mean(said, axis=0) + 0.5 * np.eye(TYPES)[page.page_type]
    assert type_target(page, networks, 0.5) == pytest.approx(expected, rel=1e-6)


@pytest.mark.slow
def test_networks_that_are_averaged_are_fitted_to_the_same_targets():
    networks, train = [network(1), network(2)], pages(60, 1)
    targets = np.array([type_target(page, networks, 0.5) for page in train])
    for fitted, each in zip(fit_page_types(networks, train), networks, strict=True):
        expected = fit_page_type(each, train, targets)
        assert all(np.array_equal(fitted[name], expected[name]) for name in expected)


def test_pages_without_a_type_leave_the_page_type_as_it_is():
    unlabelled = [Example(page.matrix, page.size, page.words, page.hits, -1) for page in pages(3, 1)]
    first = network(1)
    assert fit_page_types([first], unlabelled)[0] is first.parameters


@pytest.mark.slow
def test_other_pages_teach_with_their_weight():
    first, train = network(1), pages(200, 1)
    wrong = [replace(page, page_type=1 - page.page_type) for page in pages(200, 2)]
    lightly, heavily = (
        Network(fit_page_types([first], train, [replace(page, weight=weight) for page in wrong])[0])
        for weight in (0.05, 5.0)
    )
    assert share_right(lightly, pages(60, 3)) > 0.8
    assert share_right(heavily, pages(60, 3)) < 0.2
