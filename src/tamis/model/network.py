"""A small network over the blocks of a page, in NumPy.

Two dense layers read each block's features. Then a few residual layers let blocks see their neighbours, one, two,
four and eight blocks away on each side, and the page as a whole (the mean weighted by size, and the maximum). What
comes out is a logit for each block, and one for each kind of page.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Parameters = dict[str, Floats]

REACHES: Final = (1, 2, 4, 8)  #: how far each residual layer looks to either side
LIMIT: Final = 6.0  #: standard deviations: what lies farther out says no more than this


@dataclass(frozen=True, slots=True)
class Network:
    """The parameters of one network, ready to use."""

    parameters: Parameters

    def forward(self, matrix: Floats, size: npt.NDArray[np.float64]) -> tuple[Floats, Floats]:
        """Return a logit for each block of a page, and one for each kind of page.

        >>> network = Network(fresh(features=3, kinds=2, first=4, width=4, seed=1))
        >>> logits, kinds = network.forward(np.ones((5, 3), dtype=np.float32), np.ones(5))
        >>> logits.shape, kinds.shape
        ((5,), (2,))
        """
        own = self.parameters
        values = np.clip((matrix - own["mean"]) * own["scale"], -LIMIT, LIMIT)
        state = np.maximum(values @ own["first"] + own["first_bias"], 0)
        state = np.maximum(state @ own["second"] + own["second_bias"], 0)
        share = (size / max(float(size.sum()), 1e-6)).astype(np.float32)
        for layer, reach in enumerate(REACHES):
            whole = _pooled(state, share) @ own[f"whole{layer}"] + own[f"bias{layer}"]
            state = state + np.maximum(beside(state, reach) @ own[f"beside{layer}"] + whole, 0)
        kinds = _pooled(state, share) @ own["kinds"] + own["kinds_bias"]
        return np.asarray(state @ own["out"] + own["out_bias"])[:, 0], kinds


def _pooled(state: Floats, share: Floats) -> Floats:
    return np.concatenate([share @ state, state.max(axis=0)])


def beside(state: Floats, reach: int) -> Floats:
    """Return each row beside the rows `reach` before and after it, with zeros beyond the ends.

    >>> beside(np.array([[1.0], [2.0], [3.0]], dtype=np.float32), 1).tolist()
    [[0.0, 1.0, 2.0], [1.0, 2.0, 3.0], [2.0, 3.0, 0.0]]
    """
    rows, width = state.shape
    out = np.zeros((rows, 3 * width), dtype=np.float32)
    out[:, width : 2 * width] = state
    if rows > reach:
        out[reach:, :width] = state[:-reach]
        out[:-reach, 2 * width :] = state[reach:]
    return out


def fresh(features: int, kinds: int, first: int, width: int, seed: int) -> Parameters:
    """Return parameters to begin training with, drawn from a seed."""
    random = np.random.default_rng(seed)

    def draw(rows: int, columns: int, gain: float = 2.0) -> Floats:
        drawn = random.standard_normal((rows, columns)) * np.sqrt(gain / rows)
        return np.asarray(drawn, dtype=np.float32)

    def zeros(size: int) -> Floats:
        return np.zeros(size, dtype=np.float32)

    out: Parameters = {
        "mean": zeros(features),
        "scale": np.ones(features, dtype=np.float32),
        "first": draw(features, first),
        "first_bias": zeros(first),
        "second": draw(first, width),
        "second_bias": zeros(width),
        "out": draw(width, 1, 1.0),
        "out_bias": zeros(1),
        "kinds": draw(2 * width, kinds, 1.0),
        "kinds_bias": zeros(kinds),
    }
    for layer in range(len(REACHES)):
        out[f"beside{layer}"] = draw(3 * width, width, 0.5)  # small: a residual layer begins near the identity
        out[f"whole{layer}"] = draw(2 * width, width, 0.5)
        out[f"bias{layer}"] = zeros(width)
    return out
