"""Training of the network, in PyTorch: batches of pages, the loss, and the page type.

The pages of a batch are concatenated; blocks of different pages are never neighbours. The loss has three parts: the
cross-entropy of each block, weighted by the logarithm of its words; one minus the expected F1 of each page; and, with
a small weight, the cross-entropy of the page type. With one thread the same seed and data give the same parameters.

Pages may come from several corpora, whose labels differ: one keeps the comments, another the headline. The corpus of
a page is an input of the first layer most of the time, so that the network can follow each corpus without mixing them
up. What it learns where the corpus is hidden is the common part, and only that is kept.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import needs_extra
from tamis.sift.network import DILATIONS, MAX_SCALED, Network, Parameters, init_params, pool, size_share, softmax

with needs_extra("torch", "train"):
    import torch
    from torch import Tensor
    from torch.nn import functional

Floats = npt.NDArray[np.float32]

torch.set_num_threads(1)  # threads change the rounding, and after a thousand steps the network

_NOT_TRAINED: Final = ("mean", "scale")  # of the features: computed from the data
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
    """

    matrix: npt.NDArray[Any]
    size: npt.NDArray[np.float64]
    words: npt.NDArray[np.float64]
    hits: npt.NDArray[np.float64]
    page_type: int
    corpus: int = 0
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """The hyperparameters. They were chosen by cross-validation on WCXB dev; docs/lab/sift.md has the table.

    Attributes:
        epochs: passes over the pages.
        hidden: units of the first dense layer.
        width: units of the second dense layer and of the residual layers.
        learning_rate: the highest learning rate of the cycle.
        page_loss: the weight of the expected F1 of each page.
        feature_dropout: the probability of hiding a group of features from a page, so that the network relies on no
            single group.
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


class Batch:
    """The blocks of several pages, concatenated. Of a page with too many blocks, a random part is taken.

    Attributes:
        lengths: the blocks of each page.
        page: the page of each block, as an index into the batch.
    """

    def __init__(self, examples: Sequence[Example], random: np.random.Generator) -> None:
        slices = []
        for example in examples:
            count = len(example.words)
            first = int(random.integers(0, count - _MAX_BLOCKS + 1)) if count > _MAX_BLOCKS else 0
            slices.append(slice(first, first + _MAX_BLOCKS))

        def joined(name: str) -> Tensor:
            parts = [getattr(example, name)[cut] for example, cut in zip(examples, slices, strict=True)]
            return torch.from_numpy(np.concatenate(parts).astype(np.float32))

        self.matrix, self.size, self.words, self.hits = map(joined, ("matrix", "size", "words", "hits"))
        lengths = [len(example.words[cut]) for example, cut in zip(examples, slices, strict=True)]
        self.lengths = torch.tensor(lengths)
        self.page = torch.repeat_interleave(torch.arange(len(examples)), self.lengths)
        self.page_types = torch.tensor([example.page_type for example in examples])
        self.corpora = torch.tensor([example.corpus for example in examples])
        self.weights = torch.tensor([example.weight for example in examples], dtype=torch.float32)

    def sum(self, values: Tensor) -> Tensor:
        """Sum rows over each page."""
        return torch.zeros(len(self.lengths), *values.shape[1:]).index_add(0, self.page, values)

    def neighbours(self, state: Tensor, dilation: int) -> Tensor:
        """Concatenate to each row the rows `dilation` before and after it on the same page."""
        if len(state) <= dilation:
            return torch.cat([torch.zeros_like(state), state, torch.zeros_like(state)], dim=1)
        same = (self.page[dilation:] == self.page[:-dilation])[:, None]
        before = functional.pad(state[:-dilation] * same, (0, 0, dilation, 0))
        after = functional.pad(state[dilation:] * same, (0, 0, 0, dilation))
        return torch.cat([before, state, after], dim=1)

    def pool(self, state: Tensor, share: Tensor) -> Tensor:
        """Return the mean of each page, weighted by the share of each block, and its maximum."""
        return torch.cat([self.sum(state * share), torch.segment_reduce(state, "max", lengths=self.lengths)], dim=1)


def standardize(examples: Sequence[Example]) -> tuple[Floats, Floats]:
    """Return the mean and the scale of each feature.

    The scale is one over the standard deviation, or less where values would exceed `MAX_SCALED`.
    """
    matrix = np.concatenate([example.matrix for example in examples]).astype(np.float32)
    mean = matrix.mean(axis=0)
    largest = np.maximum(matrix.max(axis=0) - mean, mean - matrix.min(axis=0))
    scale = np.minimum(1 / (matrix.std(axis=0) + 1e-3), MAX_SCALED / np.maximum(largest, 1e-3))
    return mean, scale.astype(np.float32)


def minimize(parameters: Iterable[Tensor], steps: int, rate: float, decay: float, losses: Iterable[Tensor]) -> float:
    """Take a step of Adam for each loss, with clipped gradients and a one-cycle learning rate; return their sum."""
    trained = list(parameters)
    optimizer = torch.optim.AdamW(trained, lr=rate, weight_decay=decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, rate, total_steps=max(steps, 2), pct_start=0.15, cycle_momentum=False
    )
    total = 0.0
    for loss in losses:
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        schedule.step()
        total += float(loss.detach())
    return total


def train(
    examples: Sequence[Example],
    page_types: int,
    config: TrainConfig,
    groups: Sequence[npt.NDArray[np.int64]] = (),
) -> Parameters:
    """Train a network and return its parameters; `groups` are groups of columns for feature dropout."""
    random = np.random.default_rng(config.seed)
    torch.manual_seed(config.seed)
    features = examples[0].matrix.shape[1]
    corpora = 1 + max(example.corpus for example in examples)
    indicators = corpora if corpora > 1 else 0
    start = init_params(features + indicators, page_types, config.hidden, config.width, config.seed)
    parameters = {name: torch.from_numpy(array) for name, array in start.items() if name not in _NOT_TRAINED}
    for tensor in parameters.values():
        tensor.requires_grad_()
    mean, scale = standardize(examples)
    of_group = torch.zeros(len(groups), features)
    for number, group in enumerate(groups):
        of_group[number, group] = 1

    def losses() -> Iterable[Tensor]:
        for _ in range(config.epochs):
            order = random.permutation(len(examples))
            for first in range(0, len(order), config.batch_size):
                batch = Batch([examples[number] for number in order[first : first + config.batch_size]], random)
                values = (batch.matrix - torch.from_numpy(mean)) * torch.from_numpy(scale)
                if groups:
                    hidden = torch.rand(len(batch.lengths), len(groups)) < config.feature_dropout
                    values *= (1 - hidden.float() @ of_group)[batch.page]
                if indicators:
                    shown = torch.rand(len(batch.lengths), 1) >= config.corpus_dropout
                    columns = functional.one_hot(batch.corpora, indicators) * shown
                    values = torch.cat([values, columns[batch.page]], dim=1)
                yield batch_loss(batch, *forward(parameters, batch, values, config.dropout), config)

    steps = config.epochs * math.ceil(len(examples) / config.batch_size)
    minimize(parameters.values(), steps, config.learning_rate, config.weight_decay, losses())
    out = {name: tensor.detach().numpy() for name, tensor in parameters.items()}
    return {**out, "dense1": out["dense1"][:features], "mean": mean, "scale": scale}


def forward(params: Mapping[str, Tensor], batch: Batch, values: Tensor, dropout: float) -> tuple[Tensor, Tensor]:
    """Return a logit for each block of a batch, and one for each type of each page (`tamis.sift.network`)."""
    share = (batch.size / batch.sum(batch.size).clamp(min=1e-6)[batch.page])[:, None]
    hidden = functional.dropout(functional.relu(values @ params["dense1"] + params["dense1_bias"]), dropout)
    state = functional.relu(hidden @ params["dense2"] + params["dense2_bias"])
    for layer, dilation in enumerate(DILATIONS):
        context = batch.pool(state, share) @ params[f"context{layer}"] + params[f"bias{layer}"]
        neighbours = batch.neighbours(state, dilation) @ params[f"neighbour{layer}"]
        state = state + functional.dropout(functional.relu(neighbours + context[batch.page]), dropout)
    logits = (state @ params["out"] + params["out_bias"])[:, 0]
    return logits, batch.pool(state, share) @ params["page_type"] + params["page_type_bias"]


def batch_loss(batch: Batch, logits: Tensor, type_logits: Tensor, config: TrainConfig) -> Tensor:
    """Return the loss of a batch."""
    target = batch.hits / batch.words.clamp(min=1e-6)
    weight = torch.log1p(batch.words) * batch.weights[batch.page]
    each = functional.binary_cross_entropy_with_logits(logits, target, reduction="none")
    loss = (weight * each).sum() / weight.sum().clamp(min=1e-6)
    probs = torch.sigmoid(logits)
    expected_f1 = 2 * batch.sum(probs * batch.hits) / (batch.sum(probs * batch.words) + batch.sum(batch.hits) + 1)
    loss = loss + config.page_loss * (batch.weights * (1 - expected_f1)).sum() / batch.weights.sum()
    if bool((batch.page_types >= 0).any()):
        loss = loss + config.page_type_loss * functional.cross_entropy(type_logits, batch.page_types, ignore_index=-1)
    return loss


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

    `pages` are like those that the networks were trained on; those without a type are left out. `others` are further
    pages, with their weights.
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
    reader = _pooling(network)
    inputs = np.array([_inputs(reader, page) for page in pages], dtype=np.float32)
    weight = np.array([page.weight for page in pages], dtype=np.float32)
    weights, bias = fit_linear(inputs, weight, targets.astype(np.float32))
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


def fit_linear(inputs: Floats, weight: Floats, targets: Floats) -> tuple[Floats, Floats]:
    """Return the weights and biases of a softmax over `inputs`, fitted to `targets`; `weight` is that of each row."""
    weight = (weight / weight.sum())[:, None]
    mean = (weight * inputs).sum(axis=0)
    scale = 1 / (np.sqrt((weight * (inputs - mean) ** 2).sum(axis=0)) + 0.01)
    # Rows are columns here: the products, and those of the gradients, are four times as fast.
    columns = (((inputs - mean) * scale).T, weight.T, targets.T)
    values, rows, wanted = (torch.from_numpy(np.ascontiguousarray(column)) for column in columns)
    weights = torch.zeros(targets.shape[1], inputs.shape[1], requires_grad=True)
    bias = torch.zeros(targets.shape[1], 1, requires_grad=True)

    def losses() -> Iterable[Tensor]:
        for _ in range(_STEPS):
            log_probs = functional.log_softmax(weights @ values + bias, dim=0)
            yield -(rows * wanted * log_probs).sum() + _PENALTY / 2 * (weights**2).sum()

    minimize((weights, bias), _STEPS, _LEARNING_RATE, 0.0, losses())
    fitted = weights.detach().numpy().T * scale[:, None]
    return fitted, np.asarray(bias.detach().numpy()[:, 0] - mean @ fitted)


def fit_one_of_each(matrix: Floats, lengths: Sequence[int], target: Floats, penalty: float) -> Floats:
    """Return a weight for each feature, and the bias: above 0, the row with the highest sum is the one of its page.

    The rows of a page and "none of them" share a softmax. `target` has a 1 at the row that is meant, if any.
    """
    mean, scale = matrix.mean(axis=0), 1 / (matrix.std(axis=0) + 0.01)
    values, wanted, numbers = (
        torch.from_numpy((matrix - mean) * scale),
        torch.from_numpy(target),
        np.arange(len(lengths)),
    )
    pages = torch.from_numpy(np.concatenate([np.repeat(numbers, lengths), numbers]))
    weights = torch.zeros(matrix.shape[1], requires_grad=True)
    bias = torch.full((1,), -3.0, requires_grad=True)
    none = torch.zeros(len(lengths))

    def losses() -> Iterable[Tensor]:
        for _ in range(_STEPS // 2):
            logits = values @ weights + bias
            with_none = torch.cat([logits, none])  # "none" has the logit 0
            highest = none.scatter_reduce(0, pages, with_none.detach(), "amax")
            totals = torch.log(none.index_add(0, pages, torch.exp(with_none - highest[pages]))) + highest
            yield (totals.sum() - (wanted * logits).sum()) / len(lengths) + penalty / 2 * (weights**2).sum()

    minimize((weights, bias), _STEPS // 2, _LEARNING_RATE, 0.0, losses())
    fitted = weights.detach().numpy() * scale
    return np.append(fitted, bias.detach().numpy() - mean @ fitted).astype(np.float32)


def _pooling(network: Network) -> Network:
    """Return a network whose page types are what it has pooled."""
    pooled = 2 * network.parameters["dense2"].shape[1]
    kept = {name: array for name, array in network.parameters.items() if not name.startswith("page_type")}
    identity, none = np.eye(pooled, dtype=np.float32), np.zeros(pooled, dtype=np.float32)
    return Network({**kept, "page_type": identity, "page_type_bias": none})


def _inputs(reader: Network, page: Example) -> Floats:
    """Return what the page type reads: the pooled state, and the pooled features, standardized."""
    matrix = np.asarray(page.matrix, dtype=np.float32)
    standardized = (matrix - reader.parameters["mean"]) * reader.parameters["scale"]
    return np.concatenate([reader.forward(matrix, page.size)[1], pool(standardized.T, size_share(page.size))])
