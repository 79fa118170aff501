"""The network: its gradients against finite differences, its training, its determinism."""

import numpy as np
import pytest

from tamis._kernels import inference as infer
from tamis._kernels import loader
from tamis.model.network import REACHES, Network, fresh
from tamis.training import train_network
from tamis.training.train_network import Example, Recipe, train


def examples(seed=0, pages=12):
    random = np.random.default_rng(seed)
    out = []
    for _ in range(pages):
        count = int(random.integers(1, 30))
        matrix = random.standard_normal((count, 5))
        words = random.integers(1, 20, count).astype(np.float64)
        out.append(Example(matrix, words, words, words * (matrix[:, 0] > 0), int(matrix[:, 1].mean() > 0)))
    return out


def test_gradients_equal_finite_differences():
    random = np.random.default_rng(1)
    batch = train_network._Batch.of(examples(pages=3), random)
    own = fresh(5, 2, 7, 6, seed=2)
    own = {
        name: (values + 0.1 * random.standard_normal(values.shape)).astype(np.float64) for name, values in own.items()
    }
    recipe = Recipe(dropout=0.0)
    matrix = batch.matrix.astype(np.float64)
    _, gradients = train_network._gradients(own, batch, matrix, recipe, random)
    for name, gradient in gradients.items():
        place = tuple(int(random.integers(0, size)) for size in own[name].shape)
        kept, step = own[name][place], 1e-4
        losses = []
        for change in (step, -step):
            own[name][place] = kept + change
            losses.append(train_network._gradients(own, batch, matrix, recipe, random)[0])
        own[name][place] = kept
        assert gradient[place] == pytest.approx((losses[0] - losses[1]) / (2 * step), abs=2e-3)


def test_a_batch_reads_pages_as_the_network_does():
    parameters = fresh(5, 2, 7, 6, seed=3)
    pages = examples(pages=4)
    batch = train_network._Batch.of(pages, np.random.default_rng(0))
    network = Network(parameters)
    alone = np.concatenate([network.forward(page.matrix.astype(np.float32), page.size)[0] for page in pages])
    grads = []

    def remember(_batch, logits, kinds, _recipe):
        grads.append(logits)
        return 0.0, np.zeros_like(logits), np.zeros_like(kinds)

    original = train_network._loss
    train_network._loss = remember
    try:
        train_network._gradients(parameters, batch, batch.matrix, Recipe(dropout=0.0), np.random.default_rng(0))
    finally:
        train_network._loss = original
    assert grads[0] == pytest.approx(alone, abs=1e-4)


def test_it_learns_and_the_same_seed_gives_the_same_parameters():
    recipe = Recipe(epochs=30, first=8, width=8, batch=4, rate=5e-3, dropout=0.0, hide=0.0)
    pages = examples(pages=80)
    first, second = train(pages, 2, recipe), train(pages, 2, recipe)
    assert all((first[name] == second[name]).all() for name in first)
    network = Network(first)
    right = []
    for page in examples(seed=9):
        logits, _ = network.forward(page.matrix.astype(np.float32), page.size)
        right += ((logits > 0) == (page.hits > 0)).tolist()
    assert np.mean(right) > 0.85


@pytest.mark.parametrize("own", [loader.inference or infer, infer], ids=["as it runs", "as it stands"])
@pytest.mark.parametrize(("blocks", "first", "width"), [(6, 16, 16), (7, 7, 5), (23, 48, 24), (40, 30, 50)])
def test_the_loop_says_what_numpy_says(own, blocks, first, width):
    """Layers that are no multiple of its step are filled up, a page's end is done twice: nothing of that shows."""
    random = np.random.default_rng(blocks)
    parameters = fresh(12, 3, first, width, seed=1)
    parameters = {
        name: (values + 0.1 * random.standard_normal(values.shape)).astype(np.float32)
        for name, values in parameters.items()
    }
    network = Network(parameters)
    matrix = np.asfortranarray(random.standard_normal((blocks, 12)), dtype=np.float32)
    matrix[:, ::4] = 0  # features that no block has
    matrix[:6, 1] = 0  # and one that the first blocks have not
    share = random.random(blocks).astype(np.float32)
    tiles = -(-blocks // infer.BLOCKS)
    values, features = np.empty(tiles * 12 * infer.BLOCKS, dtype=np.int32), np.empty(tiles * 12, dtype=np.int32)
    ends = own.pack(np.ascontiguousarray(matrix.T).view(np.int32), values, features)
    assert features[: ends[0]].tolist() == [2, 3, 5, 6, 7, 9, 10, 11]
    _, _, _, units, filled, *_ = network.flat
    room = np.full(own.room_for(blocks, units, filled, REACHES[-1]), np.nan, dtype=np.float32)
    packed = values.view(np.float32), features, ends, np.empty(2 * len(features), dtype=np.int32)
    logits, kinds = own.infer(packed, share, network.flat, room)
    expected, expected_kinds = network.forward_plain(matrix, share)
    assert np.frombuffer(logits, dtype=np.float32) == pytest.approx(expected, rel=1e-4, abs=1e-4)
    assert np.frombuffer(kinds, dtype=np.float32) == pytest.approx(expected_kinds, rel=1e-4, abs=1e-4)


def test_a_page_of_one_block_is_read_too():
    network = Network(fresh(5, 2, 24, 24, seed=3))
    matrix = np.ones((1, 5), dtype=np.float32)
    logits, kinds = network.forward(matrix, np.ones(1))
    assert np.isfinite(logits).all()
    assert logits == pytest.approx(network.forward_plain(matrix, np.ones(1, dtype=np.float32))[0])
    assert kinds.shape == (2,)
