"""Training of the network, in NumPy: batches, gradients by hand, Adam, and the page type."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.sift.model import softmax
from tamis.sift.network import DILATIONS, MAX_SCALED, Network, Parameters, init_params, pool, size_share

# The Adam optimizer.

_NOT_TRAINED: Final = ("mean", "scale")  # of the features: computed from the data


class Adam:
    """Adam with decoupled weight decay, clipped gradients and a one-cycle learning rate."""

    def __init__(self, parameters: Parameters, learning_rate: float, weight_decay: float, steps: int) -> None:
        self.parameters, self.steps, self.done = parameters, steps, 0
        self.learning_rate, self.weight_decay = learning_rate, weight_decay
        trained = [name for name in parameters if name not in _NOT_TRAINED]
        self.mean = {name: np.zeros_like(parameters[name]) for name in trained}
        self.square = {name: np.zeros_like(parameters[name]) for name in trained}

    def _current_rate(self) -> float:
        """Rise from a 25th to the full rate over 15 % of the steps, then fall to almost zero, along cosines."""
        warmup = 0.15 * self.steps
        if self.done < warmup:
            share = (1 - math.cos(math.pi * self.done / warmup)) / 2
            return self.learning_rate * (0.04 + 0.96 * share)
        share = (1 + math.cos(math.pi * (self.done - warmup) / max(self.steps - warmup, 1))) / 2
        return self.learning_rate * (1e-5 + share)

    def step(self, gradients: Parameters) -> None:
        """Update the parameters in place."""
        learning_rate = self._current_rate()
        self.done += 1
        norm = math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients.values()))
        scale = min(1.0, 1.0 / max(norm, 1e-9))
        first, second = 1 - 0.9**self.done, 1 - 0.999**self.done  # the bias corrections
        for name, gradient in gradients.items():
            mean, square = self.mean[name], self.square[name]
            mean += 0.1 * (gradient * scale - mean)
            square += 0.001 * ((gradient * scale) ** 2 - square)
            values = self.parameters[name]
            step = (mean / first) / (np.sqrt(square / second) + 1e-8)
            values -= learning_rate * (step + self.weight_decay * values)


# Training pages, and batches of them: the blocks of several pages, concatenated.

Floats = npt.NDArray[np.float32]

_MAX_BLOCKS: Final = 1500  # blocks of a page per batch: a random part of a longer page is enough


@dataclass(frozen=True, slots=True)
class Example:
    """A training page.

    Attributes:
        matrix: its features, blocks by columns.
        size: the estimated size of each block, as the extractor knows it.
        words: the words of each block, as the metric counts them.
        hits: how many of them are in the gold text.
        page_type: the index of its page type, -1 if unknown.
        corpus: the index of its corpus. The first corpus defines what is content; others differ a little.
        weight: the weight of the page in the loss.
    """

    matrix: npt.NDArray[Any]
    size: npt.NDArray[np.float64]
    words: npt.NDArray[np.float64]
    hits: npt.NDArray[np.float64]
    page_type: int
    corpus: int = 0
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Batch:
    """The blocks of several pages, concatenated.

    Attributes:
        matrix: the features of the blocks.
        size: the size of each block.
        words: the words of each block.
        hits: how many of them are in the gold text.
        page: the page of each block, as an index into the batch.
        starts: the first block of each page.
        page_types: the page type of each page, -1 if unknown.
        corpora: the corpus of each page.
        weights: the weight of each page.
    """

    matrix: Floats
    size: Floats
    words: Floats
    hits: Floats
    page: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    page_types: npt.NDArray[np.int64]
    corpora: npt.NDArray[np.int64]
    weights: Floats

    @classmethod
    def from_examples(cls, examples: Sequence[Example], random: np.random.Generator) -> "Batch":
        """Concatenate pages. Of a page with too many blocks, take a random part."""
        slices = []
        for example in examples:
            count = len(example.words)
            first = int(random.integers(0, count - _MAX_BLOCKS + 1)) if count > _MAX_BLOCKS else 0
            slices.append(slice(first, first + _MAX_BLOCKS))
        lengths = [len(example.words[cut]) for example, cut in zip(examples, slices, strict=True)]

        def joined(name: str) -> Floats:
            parts = [getattr(example, name)[cut] for example, cut in zip(examples, slices, strict=True)]
            return np.concatenate(parts).astype(np.float32)

        return cls(
            joined("matrix"),
            joined("size"),
            joined("words"),
            joined("hits"),
            np.repeat(np.arange(len(examples)), lengths),
            np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.int64),
            np.array([example.page_type for example in examples]),
            np.array([example.corpus for example in examples]),
            np.array([example.weight for example in examples], dtype=np.float32),
        )

    def sum(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Sum rows over each page."""
        return np.asarray(np.add.reduceat(values, self.starts, axis=0))

    def neighbours(self, state: Floats, dilation: int) -> Floats:
        """Concatenate to each row the rows `dilation` before and after it on the same page."""
        width = state.shape[1]
        out = np.zeros((len(state), 3 * width), dtype=np.float32)
        out[:, width : 2 * width] = state
        if len(state) > dilation:
            same = (self.page[dilation:] == self.page[:-dilation])[:, None]
            out[dilation:, :width] = state[:-dilation] * same
            out[:-dilation, 2 * width :] = state[dilation:] * same
        return out

    def neighbours_gradient(self, gradient: npt.NDArray[Any], dilation: int) -> npt.NDArray[Any]:
        """Return the gradient of the rows from the gradient of `neighbours`."""
        width = gradient.shape[1] // 3
        out = gradient[:, width : 2 * width].copy()
        if len(gradient) > dilation:
            same = (self.page[dilation:] == self.page[:-dilation])[:, None]
            out[:-dilation] += gradient[dilation:, :width] * same
            out[dilation:] += gradient[:-dilation, 2 * width :] * same
        return out


# Training of the network, in NumPy: gradients by hand, Adam, a one-cycle learning rate.
#
# The pages of a batch are concatenated; blocks of different pages are never neighbours. The loss has three parts:
# the cross-entropy of each block, weighted by the logarithm of its words; one minus the expected F1 of each page;
# and, with a small weight, the cross-entropy of the page type. The same seed and data give the same parameters.
#
# Pages may come from several corpora, whose labels differ: one keeps the comments, another the headline. The corpus
# of a page is an input of the first layer most of the time, so that the network can follow each corpus without
# mixing them up. What it learns where the corpus is hidden is the common part, and only that is kept.


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """The hyperparameters. They were chosen by cross-validation on WCXB dev; docs/lab/sift.md has the table.

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


# The page type: a linear layer that is fitted again when a network is trained.
#
# It reads what the network has pooled and, beside it, the mean and the maximum of each feature over the page.
# Trained together with the blocks, the type is the smaller part of the loss, and a small network has no room for
# it. The layer learns labels and what the networks said of the page type before, in equal parts. Of pages that the
# networks do not know (short pages, other scripts, corpora of articles) the labels count for more.

#: Chosen on the folds of WCXB dev, where penalties from 0.01 to 0.2 differ by 0.003.
_PENALTY: Final = 0.05
_STEPS: Final = 300
_LEARNING_RATE: Final = 0.05
_LABEL_SHARE: Final = 0.5  # of the label in the target; the rest is what the networks say
_OTHER_LABEL_SHARE: Final = 0.8  # the same for other pages


def fit_page_types(
    networks: Sequence[Network], pages: Sequence[Example], others: Sequence[Example] = ()
) -> list[Parameters]:
    """Return the parameters of networks that are averaged, the page type of each fitted to the same targets.

    Args:
        networks: the networks.
        pages: pages like those that the networks were trained on; those without a type are left out.
        others: further pages, with their weights.
    """
    labelled = [page for page in pages if page.page_type >= 0]
    if not labelled:
        return [network.parameters for network in networks]
    further = [page for page in others if page.page_type >= 0]
    targets = [type_target(page, networks, _LABEL_SHARE) for page in labelled]
    targets += [type_target(page, networks, _OTHER_LABEL_SHARE) for page in further]
    return [fit_page_type(network, [*labelled, *further], np.array(targets)) for network in networks]


def type_target(page: Example, networks: Sequence[Network], label_share: float) -> npt.NDArray[np.float64]:
    """Return the probability of each type of a labelled page: the mean of what networks say, and its label."""
    matrix = np.asarray(page.matrix, dtype=np.float32)
    predicted = np.mean([softmax(network.forward(matrix, page.size)[1].tolist()) for network in networks], axis=0)
    out = np.asarray((1 - label_share) * predicted, dtype=np.float64)
    out[page.page_type] += label_share
    return out


def fit_page_type(network: Network, pages: Sequence[Example], targets: npt.NDArray[np.float64]) -> Parameters:
    """Return the parameters of a network with a page type that is fitted to targets, pages by types.

    The loss is the cross-entropy, weighted by page, with a penalty on the squares of the weights; all pages are one
    batch.
    """
    inputs = np.array([_inputs(network, page) for page in pages], dtype=np.float32)
    weight = np.array([page.weight for page in pages], dtype=np.float32)
    weight = (weight / weight.sum())[:, None]
    mean = (weight * inputs).sum(axis=0)
    scale = 1 / (np.sqrt((weight * (inputs - mean) ** 2).sum(axis=0)) + 0.01)
    inputs = (inputs - mean) * scale
    fitted = {
        "weights": np.zeros((inputs.shape[1], targets.shape[1]), dtype=np.float32),
        "bias": np.zeros(targets.shape[1], dtype=np.float32),
    }
    adam = Adam(fitted, _LEARNING_RATE, 0.0, _STEPS)
    for _ in range(_STEPS):
        logits = inputs @ fitted["weights"] + fitted["bias"]
        probs = np.exp(logits - logits.max(axis=1, keepdims=True))
        error = (weight * (probs / probs.sum(axis=1, keepdims=True) - targets)).astype(np.float32)
        adam.step({"weights": inputs.T @ error + _PENALTY * fitted["weights"], "bias": error.sum(axis=0)})
    weights = fitted["weights"] * scale[:, None]
    bias = fitted["bias"] - mean @ weights
    pooled, features = 2 * network.parameters["dense2"].shape[1], len(network.parameters["dense1"])
    # The features are standardized here and not in `Network`: their mean moves into the bias.
    of_mean, of_max = np.split(weights[pooled:] * np.tile(network.parameters["scale"], 2)[:, None], [features])
    bias = bias - network.parameters["mean"] @ (of_mean + of_max)
    return {
        **network.parameters,
        "page_type": weights[:pooled],
        "page_type_bias": bias,
        "page_type_mean": of_mean,
        "page_type_max": of_max,
    }


def _inputs(network: Network, page: Example) -> Floats:
    """Return what the page type reads: the pooled state, and the pooled features, standardized."""
    matrix, share = np.asarray(page.matrix, dtype=np.float32), size_share(page.size)
    standardized = (matrix - network.parameters["mean"]) * network.parameters["scale"]
    return np.concatenate([pool(network.state(matrix, share), share), pool(standardized.T, share)])
