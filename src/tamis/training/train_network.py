"""Training of the network, in NumPy: its gradients by hand, Adam, one cycle of the learning rate.

Pages of a batch are laid end to end; rows of other pages are never neighbours. The loss of a block is cross-entropy
weighted by the logarithm of its words; the loss of a page is one minus the F1 that its probabilities promise; a
little of the loss is for the kind of page. Same seed, same data, same parameters.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.model.network import LIMIT, REACHES, Parameters, fresh

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Example:
    """A page to learn from.

    Attributes:
        matrix: its features, blocks by columns.
        size: the size of each block, as the extractor will know it.
        words: the words of each block, as the metric counts them.
        hits: how many of them are in the gold text.
        kind: the number of its kind, -1 when unknown.
    """

    matrix: npt.NDArray[Any]
    size: npt.NDArray[np.float64]
    words: npt.NDArray[np.float64]
    hits: npt.NDArray[np.float64]
    kind: int


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train. The numbers were chosen by cross-validation on WCXB dev; docs/sift.md has the table."""

    epochs: int = 10
    first: int = 96
    width: int = 64
    rate: float = 2e-3
    decay: float = 1e-4
    dropout: float = 0.2
    batch: int = 16
    page_loss: float = 1.0
    kind_loss: float = 0.1
    hide: float = 0.3  #: how often a group of features is hidden from a page, so that nothing leans on one alone
    seed: int = 0


_NOT_TRAINED: Final = ("mean", "scale")
_LONGEST: Final = 1500  # blocks of a page used at a time: a random stretch of a longer page is enough


def standardise(examples: Sequence[Example]) -> tuple[Floats, Floats]:
    """Return the mean of each feature and its scale: one over its deviation, or less if that leads beyond `LIMIT`."""
    matrix = np.concatenate([example.matrix for example in examples]).astype(np.float32)
    mean = matrix.mean(axis=0)
    reach = np.maximum(matrix.max(axis=0) - mean, mean - matrix.min(axis=0))
    scale = np.minimum(1 / (matrix.std(axis=0) + 1e-3), LIMIT / np.maximum(reach, 1e-3))
    return mean, scale.astype(np.float32)


def train(
    examples: Sequence[Example],
    kinds: int,
    recipe: Recipe,
    groups: Sequence[npt.NDArray[np.int64]] = (),
    report: Callable[[str], None] | None = None,
) -> Parameters:
    """Return the parameters of a network trained on some pages; `groups` are columns to hide at times."""
    random = np.random.default_rng(recipe.seed)
    features = examples[0].matrix.shape[1]
    parameters = fresh(features, kinds, recipe.first, recipe.width, recipe.seed)
    parameters["mean"], parameters["scale"] = standardise(examples)
    adam = _Adam(parameters, recipe, recipe.epochs * math.ceil(len(examples) / recipe.batch))
    for epoch in range(recipe.epochs):
        total = 0.0
        order = random.permutation(len(examples))
        for first in range(0, len(order), recipe.batch):
            batch = _Batch.of([examples[number] for number in order[first : first + recipe.batch]], random)
            values = (batch.matrix - parameters["mean"]) * parameters["scale"]
            for group in groups:
                hidden = random.random(len(batch.starts)) < recipe.hide
                values[np.ix_(hidden[batch.page], group)] = 0.0
            loss, gradients = _gradients(parameters, batch, values, recipe, random)
            adam.step(gradients)
            total += loss
        if report is not None:
            report(f"epoch {epoch + 1}: loss {total:.3f}")
    return parameters


@dataclass(frozen=True, slots=True)
class _Batch:
    matrix: Floats
    size: Floats
    words: Floats
    hits: Floats
    page: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    kinds: npt.NDArray[np.int64]

    @classmethod
    def of(cls, examples: Sequence[Example], random: np.random.Generator) -> "_Batch":
        slices = []
        for example in examples:
            count = len(example.words)
            first = int(random.integers(0, count - _LONGEST + 1)) if count > _LONGEST else 0
            slices.append(slice(first, first + _LONGEST))
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
            np.array([example.kind for example in examples]),
        )

    def sum(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Sum rows over each page."""
        return np.asarray(np.add.reduceat(values, self.starts, axis=0))

    def beside(self, state: Floats, reach: int) -> Floats:
        """Return rows beside their neighbours of the same page."""
        width = state.shape[1]
        out = np.zeros((len(state), 3 * width), dtype=np.float32)
        out[:, width : 2 * width] = state
        if len(state) > reach:
            same = (self.page[reach:] == self.page[:-reach])[:, None]
            out[reach:, :width] = state[:-reach] * same
            out[:-reach, 2 * width :] = state[reach:] * same
        return out

    def from_beside(self, gradient: npt.NDArray[Any], reach: int) -> npt.NDArray[Any]:
        """Return the gradient of rows from that of their neighbourhoods."""
        width = gradient.shape[1] // 3
        out = gradient[:, width : 2 * width].copy()
        if len(gradient) > reach:
            same = (self.page[reach:] == self.page[:-reach])[:, None]
            out[:-reach] += gradient[reach:, :width] * same
            out[reach:] += gradient[:-reach, 2 * width :] * same
        return out


def _pool(batch: _Batch, state: Floats, share: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return the weighted mean and the maximum of each page, and which rows are that maximum."""
    mean = batch.sum(state * share)
    most = np.maximum.reduceat(state, batch.starts, axis=0)
    return np.concatenate([mean, most], axis=1), state == most[batch.page]


def _unpool(batch: _Batch, gradient: Floats, share: Floats, at_most: npt.NDArray[np.bool_]) -> Floats:
    width = at_most.shape[1]
    ties = batch.sum(at_most.astype(np.float32))
    return np.asarray(
        gradient[:, :width][batch.page] * share + at_most * (gradient[:, width:] / ties)[batch.page], dtype=np.float32
    )


def _gradients(
    own: Parameters, batch: _Batch, values: Floats, recipe: Recipe, random: np.random.Generator
) -> tuple[float, Parameters]:
    """Return the loss of a batch and the gradient of every parameter."""

    def thin(shape: tuple[int, ...]) -> Floats:
        kept = random.random(shape, dtype=np.float32) >= recipe.dropout
        return (kept / (1 - recipe.dropout)).astype(np.float32)

    share = (batch.size / np.maximum(batch.sum(batch.size), 1e-6)[batch.page])[:, None].astype(values.dtype)
    one = np.maximum(values @ own["first"] + own["first_bias"], 0)
    thin_one = thin(one.shape)
    two = np.maximum((one * thin_one) @ own["second"] + own["second_bias"], 0)
    state, kept = two, []
    for layer, reach in enumerate(REACHES):
        pooled, at_most = _pool(batch, state, share)
        near = batch.beside(state, reach)
        whole = pooled @ own[f"whole{layer}"] + own[f"bias{layer}"]
        bent = np.maximum(near @ own[f"beside{layer}"] + whole[batch.page], 0)
        thinned = thin(bent.shape)
        kept.append((pooled, at_most, near, bent, thinned))
        state = state + bent * thinned
    pooled, at_most = _pool(batch, state, share)
    logits = (state @ own["out"] + own["out_bias"])[:, 0]
    loss, of_logits, of_kinds = _loss(batch, logits, pooled @ own["kinds"] + own["kinds_bias"], recipe)

    out: Parameters = {
        "out": state.T @ of_logits[:, None],
        "out_bias": of_logits.sum(keepdims=True),
        "kinds": pooled.T @ of_kinds,
        "kinds_bias": of_kinds.sum(axis=0),
    }
    of_state = of_logits[:, None] @ own["out"].T + _unpool(batch, of_kinds @ own["kinds"].T, share, at_most)
    for layer, reach in reversed(list(enumerate(REACHES))):
        pooled, at_most, near, bent, thinned = kept[layer]
        of_bent = of_state * thinned * (bent > 0)
        of_whole = batch.sum(of_bent)
        out[f"beside{layer}"] = near.T @ of_bent
        out[f"whole{layer}"] = pooled.T @ of_whole
        out[f"bias{layer}"] = of_whole.sum(axis=0)
        of_state = of_state + batch.from_beside(of_bent @ own[f"beside{layer}"].T, reach)
        of_state = of_state + _unpool(batch, of_whole @ own[f"whole{layer}"].T, share, at_most)
    of_two = of_state * (two > 0)
    out["second"] = (one * thin_one).T @ of_two
    out["second_bias"] = of_two.sum(axis=0)
    of_one = (of_two @ own["second"].T) * thin_one * (one > 0)
    out["first"] = values.T @ of_one
    out["first_bias"] = of_one.sum(axis=0)
    return loss, out


def _loss(batch: _Batch, logits: Floats, kinds: Floats, recipe: Recipe) -> tuple[float, Floats, Floats]:
    """Return the loss and its gradients with respect to the logits of blocks and of kinds."""
    chance = 1 / (1 + np.exp(-np.clip(logits, -30, 30)))
    truth = batch.hits / np.maximum(batch.words, 1e-6)
    weight = np.log1p(batch.words)
    weight = weight / max(float(weight.sum()), 1e-6)
    entropy = float((weight * (np.logaddexp(0, logits) - truth * logits)).sum())
    of_logits = weight * (chance - truth)

    pages = len(batch.starts)
    both, said = batch.sum(chance * batch.hits), batch.sum(chance * batch.words)
    total = said + batch.sum(batch.hits) + 1
    promised = 2 * both / total
    slope = -2 * (batch.hits * total[batch.page] - both[batch.page] * batch.words) / total[batch.page] ** 2
    of_logits = of_logits + recipe.page_loss / pages * slope * chance * (1 - chance)

    odds = np.exp(kinds - kinds.max(axis=1, keepdims=True))
    odds /= odds.sum(axis=1, keepdims=True)
    known = batch.kinds >= 0
    of_kinds = odds.copy()
    of_kinds[np.arange(pages), np.maximum(batch.kinds, 0)] -= 1
    of_kinds *= known[:, None] * recipe.kind_loss / max(int(known.sum()), 1)
    surprise = -np.log(odds[np.arange(pages), np.maximum(batch.kinds, 0)] + 1e-9)
    loss = entropy + recipe.page_loss * float((1 - promised).mean())
    loss += recipe.kind_loss * float(surprise[known].mean()) if known.any() else 0.0
    return loss, of_logits.astype(np.float32), of_kinds.astype(np.float32)


class _Adam:
    """Adam with decoupled weight decay, clipped gradients and one cycle of the learning rate."""

    def __init__(self, parameters: Parameters, recipe: Recipe, steps: int) -> None:
        self.parameters, self.recipe, self.steps, self.done = parameters, recipe, steps, 0
        trained = [name for name in parameters if name not in _NOT_TRAINED]
        self.mean = {name: np.zeros_like(parameters[name]) for name in trained}
        self.square = {name: np.zeros_like(parameters[name]) for name in trained}

    def _rate(self) -> float:
        """Rise from a 25th to the full rate over 15 % of the steps, then fall to almost nothing, by cosines."""
        warm = 0.15 * self.steps
        if self.done < warm:
            share = (1 - math.cos(math.pi * self.done / warm)) / 2
            return self.recipe.rate * (0.04 + 0.96 * share)
        share = (1 + math.cos(math.pi * (self.done - warm) / max(self.steps - warm, 1))) / 2
        return self.recipe.rate * (1e-5 + share)

    def step(self, gradients: Parameters) -> None:
        rate = self._rate()
        self.done += 1
        norm = math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients.values()))
        scale = min(1.0, 1.0 / max(norm, 1e-9))
        first, second = 1 - 0.9**self.done, 1 - 0.999**self.done
        for name, gradient in gradients.items():
            mean, square = self.mean[name], self.square[name]
            mean += 0.1 * (gradient * scale - mean)
            square += 0.001 * ((gradient * scale) ** 2 - square)
            own = self.parameters[name]
            own -= rate * ((mean / first) / (np.sqrt(square / second) + 1e-8) + self.recipe.decay * own)
