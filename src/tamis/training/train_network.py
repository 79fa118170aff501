"""Training of the network, in NumPy: gradients by hand, Adam, a one-cycle learning rate.

The pages of a batch are concatenated; blocks of different pages are never neighbours. The loss has three parts: the
cross-entropy of each block, weighted by the logarithm of its words; one minus the expected F1 of each page; and, with
a small weight, the cross-entropy of the page type. The same seed and data give the same parameters.

Pages may come from several corpora, whose labels differ: one keeps the comments, another the headline. The corpus of
a page is an input of the first layer most of the time, so that the network can follow each corpus without mixing them
up. What it learns where the corpus is hidden is the common part, and only that is kept.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis.model.network import DILATIONS, MAX_SCALED, Parameters, init_params
from tamis.training.adam import Adam
from tamis.training.batch import Batch, Example

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """The hyperparameters. They were chosen by cross-validation on WCXB dev; docs/sift.md has the table.

    Attributes:
        epochs: passes over the pages.
        hidden: units of the first dense layer.
        width: units of the second dense layer and of the residual layers.
        learning_rate: the highest learning rate of the cycle.
        weight_decay: decoupled weight decay.
        dropout: the share of units that are dropped.
        batch_size: pages per batch.
        page_loss: the weight of the expected F1 of each page.
        page_type_loss: the weight of the page type.
        feature_dropout: the probability of hiding a group of features from a page, so that the network relies on no
            single group.
        corpus_dropout: the probability of hiding the corpus of a page.
        seed: the seed of all random numbers.
    """

    epochs: int = 10
    hidden: int = 96
    width: int = 64
    learning_rate: float = 2e-3
    weight_decay: float = 1e-4
    dropout: float = 0.2
    batch_size: int = 16
    page_loss: float = 1.0
    page_type_loss: float = 0.1
    feature_dropout: float = 0.3
    corpus_dropout: float = 0.4
    seed: int = 0


def standardize(examples: Sequence[Example]) -> tuple[Floats, Floats]:
    """Return the mean and the scale of each feature.

    The scale is one over the standard deviation, or less where values would exceed `MAX_SCALED`.
    """
    matrix = np.concatenate([example.matrix for example in examples]).astype(np.float32)
    mean = matrix.mean(axis=0)
    largest = np.maximum(matrix.max(axis=0) - mean, mean - matrix.min(axis=0))
    scale = np.minimum(1 / (matrix.std(axis=0) + 1e-3), MAX_SCALED / np.maximum(largest, 1e-3))
    return mean, scale.astype(np.float32)


def train(
    examples: Sequence[Example],
    page_types: int,
    config: TrainConfig,
    groups: Sequence[npt.NDArray[np.int64]] = (),
    report: Callable[[str], None] | None = None,
) -> Parameters:
    """Train a network and return its parameters; `groups` are groups of columns for feature dropout."""
    random = np.random.default_rng(config.seed)
    features = examples[0].matrix.shape[1]
    corpora = 1 + max(example.corpus for example in examples)
    indicators = corpora if corpora > 1 else 0
    parameters = init_params(features + indicators, page_types, config.hidden, config.width, config.seed)
    mean, scale = standardize(examples)
    steps = config.epochs * math.ceil(len(examples) / config.batch_size)
    adam = Adam(parameters, config.learning_rate, config.weight_decay, steps)
    for epoch in range(config.epochs):
        total = 0.0
        order = random.permutation(len(examples))
        for first in range(0, len(order), config.batch_size):
            pages = [examples[number] for number in order[first : first + config.batch_size]]
            batch = Batch.from_examples(pages, random)
            values = (batch.matrix - mean) * scale
            for group in groups:
                hidden = random.random(len(batch.starts)) < config.feature_dropout
                values[np.ix_(hidden[batch.page], group)] = 0.0
            if indicators:
                values = np.concatenate([values, _indicators(batch, indicators, config, random)], axis=1)
            loss, gradients = _gradients(parameters, batch, values, config, random)
            adam.step(gradients)
            total += loss
        if report is not None:
            report(f"epoch {epoch + 1}: loss {total:.3f}")
    parameters["dense1"] = parameters["dense1"][:features]
    parameters["mean"], parameters["scale"] = mean, scale
    return parameters


def _indicators(batch: Batch, corpora: int, config: TrainConfig, random: np.random.Generator) -> Floats:
    """Return a column for each corpus: 1 for the blocks of its pages, unless the corpus of the page is hidden."""
    out = np.zeros((len(batch.starts), corpora), dtype=np.float32)
    shown = random.random(len(batch.starts)) >= config.corpus_dropout
    out[shown, batch.corpora[shown]] = 1
    return np.asarray(out[batch.page])


def _pool(batch: Batch, state: Floats, share: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return the weighted mean and the maximum of each page, and which rows are that maximum."""
    mean = batch.sum(state * share)
    maximum = np.maximum.reduceat(state, batch.starts, axis=0)
    return np.concatenate([mean, maximum], axis=1), state == maximum[batch.page]


def _pool_gradient(batch: Batch, gradient: Floats, share: Floats, is_max: npt.NDArray[np.bool_]) -> Floats:
    width = is_max.shape[1]
    ties = batch.sum(is_max.astype(np.float32))
    return np.asarray(
        gradient[:, :width][batch.page] * share + is_max * (gradient[:, width:] / ties)[batch.page], dtype=np.float32
    )


def _gradients(
    params: Parameters, batch: Batch, values: Floats, config: TrainConfig, random: np.random.Generator
) -> tuple[float, Parameters]:
    """Return the loss of a batch and the gradient of every parameter."""

    def dropout_mask(shape: tuple[int, ...]) -> Floats:
        kept = random.random(shape, dtype=np.float32) >= config.dropout
        return (kept / (1 - config.dropout)).astype(np.float32)

    share = (batch.size / np.maximum(batch.sum(batch.size), 1e-6)[batch.page])[:, None].astype(values.dtype)
    hidden = np.maximum(values @ params["dense1"] + params["dense1_bias"], 0)
    hidden_mask = dropout_mask(hidden.shape)
    embedding = np.maximum((hidden * hidden_mask) @ params["dense2"] + params["dense2_bias"], 0)
    state, layers = embedding, []
    for layer, dilation in enumerate(DILATIONS):
        pooled, is_max = _pool(batch, state, share)
        neighbours = batch.neighbours(state, dilation)
        context = pooled @ params[f"context{layer}"] + params[f"bias{layer}"]
        activation = np.maximum(neighbours @ params[f"neighbour{layer}"] + context[batch.page], 0)
        mask = dropout_mask(activation.shape)
        layers.append((pooled, is_max, neighbours, activation, mask))
        state = state + activation * mask
    pooled, is_max = _pool(batch, state, share)
    logits = (state @ params["out"] + params["out_bias"])[:, 0]
    type_logits = pooled @ params["page_type"] + params["page_type_bias"]
    loss, d_logits, d_type_logits = _loss(batch, logits, type_logits, config)

    out: Parameters = {
        "out": state.T @ d_logits[:, None],
        "out_bias": d_logits.sum(keepdims=True),
        "page_type": pooled.T @ d_type_logits,
        "page_type_bias": d_type_logits.sum(axis=0),
    }
    d_state = d_logits[:, None] @ params["out"].T + _pool_gradient(
        batch, d_type_logits @ params["page_type"].T, share, is_max
    )
    for layer, dilation in reversed(list(enumerate(DILATIONS))):
        pooled, is_max, neighbours, activation, mask = layers[layer]
        d_activation = d_state * mask * (activation > 0)
        d_context = batch.sum(d_activation)
        out[f"neighbour{layer}"] = neighbours.T @ d_activation
        out[f"context{layer}"] = pooled.T @ d_context
        out[f"bias{layer}"] = d_context.sum(axis=0)
        d_state = d_state + batch.neighbours_gradient(d_activation @ params[f"neighbour{layer}"].T, dilation)
        d_state = d_state + _pool_gradient(batch, d_context @ params[f"context{layer}"].T, share, is_max)
    d_embedding = d_state * (embedding > 0)
    out["dense2"] = (hidden * hidden_mask).T @ d_embedding
    out["dense2_bias"] = d_embedding.sum(axis=0)
    d_hidden = (d_embedding @ params["dense2"].T) * hidden_mask * (hidden > 0)
    out["dense1"] = values.T @ d_hidden
    out["dense1_bias"] = d_hidden.sum(axis=0)
    return loss, out


def _loss(batch: Batch, logits: Floats, type_logits: Floats, config: TrainConfig) -> tuple[float, Floats, Floats]:
    """Return the loss, and its gradients with respect to the logits of blocks and of page types."""
    probs = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    target = batch.hits / np.maximum(batch.words, 1e-6)
    page_weight = batch.weights / batch.weights.sum()
    weight = np.log1p(batch.words) * batch.weights[batch.page]
    weight = weight / max(float(weight.sum()), 1e-6)
    block_loss = float((weight * (np.logaddexp(0, logits) - target * logits)).sum())
    d_logits = weight * (probs - target)

    pages = len(batch.starts)
    expected_hits, expected_words = batch.sum(probs * batch.hits), batch.sum(probs * batch.words)
    total = expected_words + batch.sum(batch.hits) + 1
    expected_f1 = 2 * expected_hits / total
    slope = -2 * (batch.hits * total[batch.page] - expected_hits[batch.page] * batch.words) / total[batch.page] ** 2
    d_logits = d_logits + config.page_loss * page_weight[batch.page] * slope * probs * (1 - probs)

    type_probs = np.exp(type_logits - type_logits.max(axis=1, keepdims=True))
    type_probs /= type_probs.sum(axis=1, keepdims=True)
    known = batch.page_types >= 0
    true_type = (np.arange(pages), np.maximum(batch.page_types, 0))
    d_type_logits = type_probs.copy()
    d_type_logits[true_type] -= 1
    d_type_logits *= known[:, None] * config.page_type_loss / max(int(known.sum()), 1)
    type_loss = -np.log(type_probs[true_type] + 1e-9)
    loss = block_loss + config.page_loss * float((page_weight * (1 - expected_f1)).sum())
    loss += config.page_type_loss * float(type_loss[known].mean()) if known.any() else 0.0
    return loss, d_logits.astype(np.float32), d_type_logits.astype(np.float32)
