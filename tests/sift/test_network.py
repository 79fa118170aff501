"""The network: compiled and in NumPy."""

import numpy as np
import pytest

from tamis._core import loader
from tamis.sift.network import Network, init_params, pool
from tests.needs import needs


def random_network(hidden, width, seed=1):
    random = np.random.default_rng(seed)
    parameters = init_params(12, 3, hidden, width, seed=1)
    return Network(
        {
            name: (values + 0.1 * random.standard_normal(values.shape)).astype(np.float32)
            for name, values in parameters.items()
        }
    )


@needs("AVX2")
@pytest.mark.parametrize("blocks", [6, 7, 11, 12, 23, 40])
@pytest.mark.parametrize(("hidden", "width"), [(16, 16), (7, 5), (48, 24), (30, 50)])
def test_compiled_networks_equal_numpy(blocks, hidden, width):
    """Layers are padded to a multiple of 16 units and the last tile overlaps the one before: neither may show."""
    random = np.random.default_rng(blocks)
    matrix = np.asfortranarray(random.standard_normal((blocks, 12)), dtype=np.float32)
    matrix[:, ::4] = 0  # features that no block has
    matrix[:6, 1] = 0  # a feature that the first tile does not have
    share = random.random(blocks).astype(np.float32)
    networks = [random_network(hidden, width), random_network(width, hidden)]
    outputs, pooled = loader.inference.forward_all(
        np.ascontiguousarray(matrix.T), share, [network.flat for network in networks]
    )
    assert pooled == pytest.approx(pool(matrix.T, share), rel=1e-5, abs=1e-5)
    for model, (logits, page_types) in zip(networks, outputs, strict=True):
        expected, expected_page_types = model.forward_plain(matrix, share)
        assert logits == pytest.approx(expected, rel=1e-4, abs=1e-4)
        assert page_types == pytest.approx(expected_page_types, rel=1e-4, abs=1e-4)


@needs("AVX2")
def test_compiled_bounds_are_those_of_numpy():
    random = np.random.default_rng(2)
    matrix, bounds = random.standard_normal((12, 30)).astype(np.float32), random.random(12).astype(np.float32)
    expected = np.minimum(matrix, bounds[:, None])
    loader.inference.bound_features(matrix, bounds)
    assert (matrix == expected).all()
    with pytest.raises(ValueError, match="12 features with 11 bounds"):
        loader.inference.bound_features(matrix, bounds[1:])


@needs("AVX2")
def test_compiled_networks_give_the_same_bits_for_every_page_of_a_batch():
    random = np.random.default_rng(5)
    matrix, share = random.standard_normal((12, 30)).astype(np.float32), random.random(30).astype(np.float32)
    network = random_network(24, 24).flat
    first, second = (loader.inference.forward_all(matrix, share, [network, network])[0] for _ in range(2))
    for logits, page_types in [*first, *second]:
        assert (logits == first[0][0]).all()
        assert (page_types == first[0][1]).all()


@needs("AVX2")
@pytest.mark.parametrize(
    ("matrix", "share", "changed"),
    [
        ((12, 5), 5, {}),  # fewer blocks than a tile
        ((12, 30), 29, {}),
        ((0, 30), 30, {}),
        ((11, 30), 30, {}),  # fewer features than the network has
        ((12, 30), 30, {0: np.zeros(10, dtype=np.float32)}),
        ((12, 30), 30, {1: 15}),
        ((12, 30), 30, {2: 0}),
        ((12, 30), 30, {3: 0}),
        ((12, 30), 30, {3: 4}),
        ((12, 30), 30, {4: np.array([], dtype=np.intc)}),
        ((12, 30), 30, {4: np.array([1, 2, 8, 4], dtype=np.intc)}),
        ((12, 30), 30, {4: np.array([1, 2, -4, 8], dtype=np.intc)}),
    ],
)
def test_compiled_networks_reject_shapes_that_do_not_fit(matrix, share, changed):
    network = [changed.get(index, value) for index, value in enumerate(random_network(24, 24).flat)]
    with pytest.raises(ValueError, match=r"features|weights|network|dilations"):
        loader.inference.forward_all(
            np.zeros(matrix, dtype=np.float32), np.zeros(share, dtype=np.float32), [tuple(network)]
        )


def test_page_of_one_block_has_outputs():
    network = Network(init_params(5, 2, 24, 24, seed=3))
    matrix = np.ones((1, 5), dtype=np.float32)
    logits, type_logits = network.forward(matrix, np.ones(1))
    assert np.isfinite(logits).all()
    assert logits == pytest.approx(network.forward_plain(matrix, np.ones(1, dtype=np.float32))[0])
    assert type_logits.shape == (2,)
