"""The training of the networks: its batches, its loss, its determinism."""

from dataclasses import replace

import numpy as np
import pytest

from tamis.lab.training.network import Batch, Example, TrainConfig, batch_loss, forward, torch, train
from tamis.sift.network import Network, init_params


def examples(seed=0, pages=12):
    random = np.random.default_rng(seed)
    out = []
    for _ in range(pages):
        count = int(random.integers(1, 30))
        matrix = random.standard_normal((count, 5))
        words = random.integers(1, 20, count).astype(np.float64)
        out.append(Example(matrix, words, words, words * (matrix[:, 0] > 0), int(matrix[:, 1].mean() > 0)))
    return out


def test_batches_give_the_logits_of_single_pages():
    parameters = init_params(5, 2, 7, 6, seed=3)
    pages = examples(pages=4)
    batch = Batch(pages, np.random.default_rng(0))
    tensors = {name: torch.from_numpy(values) for name, values in parameters.items()}
    logits, type_logits = forward(tensors, batch, batch.matrix, 0.0)
    outputs = [Network(parameters).forward(page.matrix.astype(np.float32), page.size) for page in pages]
    assert logits.numpy() == pytest.approx(np.concatenate([of_blocks for of_blocks, _ in outputs]), abs=1e-4)
    assert type_logits.numpy() == pytest.approx(np.array([of_page for _, of_page in outputs]), abs=1e-4)


def test_loss_counts_pages_by_their_weight_and_knows_pages_without_a_type():
    pages = [replace(page, page_type=-1) for page in examples(pages=3)]
    config, random = TrainConfig(), np.random.default_rng(0)
    logits = torch.zeros(sum(len(page.words) for page in pages))
    alone = batch_loss(Batch(pages[:1], random), logits[: len(pages[0].words)], torch.zeros(1, 2), config)
    rest = [replace(page, weight=1e-9) for page in pages[1:]]
    together = batch_loss(Batch([pages[0], *rest], random), logits, torch.zeros(3, 2), config)
    assert float(together) == pytest.approx(float(alone), rel=1e-5)


@pytest.mark.slow
def test_training_learns_and_the_same_seed_gives_the_same_parameters():
    config = TrainConfig(
        epochs=30, hidden=8, width=8, batch_size=4, learning_rate=5e-3, dropout=0.0, feature_dropout=0.0
    )
    pages = examples(pages=80)
    first, second = train(pages, 2, config), train(pages, 2, config)
    assert all((first[name] == second[name]).all() for name in first)
    network = Network(first)
    correct = []
    for page in examples(seed=9):
        logits, _ = network.forward(page.matrix.astype(np.float32), page.size)
        correct += ((logits > 0) == (page.hits > 0)).tolist()
    assert np.mean(correct) > 0.85
