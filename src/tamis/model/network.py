"""A small network over the blocks of a page, in NumPy.

Two dense layers read each block's features. Then a few residual layers let blocks see their neighbours, one, two,
four and eight blocks away on each side, and the page as a whole (the mean weighted by size, and the maximum). What
comes out is a logit for each block, and one for each kind of page.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis._kernels.loader import inference

Floats = npt.NDArray[np.float32]
Parameters = dict[str, Floats]

REACHES: Final = (1, 2, 4, 8)  #: how far each residual layer looks to either side
LIMIT: Final = 6.0  #: scaled features reach at most so far on the pages trained on: rare ones do not drown the rest
#: Multiplications of one product up to which OpenBLAS works alone (interface/gemm.c: 65536 times 4).
_ALONE: Final = 262_144
_LINE: Final = 16  # numbers in a line of a processor's cache


class Network:
    """The parameters of one network, ready to use.

    Blocks are columns here, so that a block's neighbours lie beside it in memory. The mean and the scale of the
    features are worked into the first layer. Where the compiled `inference` is there, it does the work.
    """

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self._first = np.ascontiguousarray((parameters["scale"][:, None] * parameters["first"]).T)
        moved = parameters["first_bias"] - (parameters["mean"] * parameters["scale"]) @ parameters["first"]
        self._first_bias: Floats = np.asarray(moved, dtype=np.float32)[:, None]

    def forward(self, matrix: Floats, size: npt.NDArray[np.float64]) -> tuple[Floats, Floats]:
        """Return a logit for each block of a page, and one for each kind of page.

        >>> network = Network(fresh(features=3, kinds=2, first=4, width=4, seed=1))
        >>> logits, kinds = network.forward(np.ones((5, 3), dtype=np.float32), np.ones(5))
        >>> logits.shape, kinds.shape
        ((5,), (2,))
        """
        return forward_all([self], matrix, size)[0]

    def forward_plain(self, matrix: Floats, share: Floats) -> tuple[Floats, Floats]:
        """Return the same, in NumPy alone; `share` is what `share_of` says."""
        own, turned = self.parameters, self._turned
        state = _dense(self._first, matrix.T, self._first_bias)
        state = _dense(turned["second"], state, own["second_bias"][:, None])
        for layer, reach in enumerate(REACHES):
            whole: Floats = turned[f"whole{layer}"] @ _pooled(state, share) + own[f"bias{layer}"]
            state = state + _dense(turned[f"beside{layer}"], _neighbours(state, reach), whole[:, None])
        kinds = turned["kinds"] @ _pooled(state, share) + own["kinds_bias"]
        return np.asarray(turned["out"] @ state + own["out_bias"])[0], kinds

    @cached_property
    def _turned(self) -> Parameters:
        return {name: np.ascontiguousarray(value.T) for name, value in self.parameters.items() if value.ndim > 1}

    @cached_property
    def flat(self) -> tuple[Any, ...]:
        """The parameters as the compiled `inference` takes them, layers filled up with units that stay nought."""
        own = self.parameters
        units, width = _filled(own["first"].shape[1]), _filled(own["second"].shape[1])

        def filled(values: Floats, *shape: int) -> Floats:
            """Fill up to a shape; where the values have fewer dimensions, they are equal parts of its first."""
            parts = (
                values.reshape(-1, own["second"].shape[1], *values.shape[1:]) if len(shape) > values.ndim else values
            )
            grown = np.zeros(shape, dtype=np.float32)
            grown[tuple(map(slice, parts.shape))] = parts
            return grown.reshape(-1)

        inputs, kinds = len(own["first"]), len(own["kinds_bias"])
        parts = [
            filled(self._first.T, inputs, units),
            filled(self._first_bias[:, 0], units),
            filled(own["second"], units, width),
            filled(own["second_bias"], width),
        ]
        for k in range(len(REACHES)):
            parts += [
                filled(own[f"beside{k}"], 3, width, width),
                filled(own[f"whole{k}"], 2, width, width),
                filled(own[f"bias{k}"], width),
            ]
        parts += [
            filled(own["out"], width, 1),
            filled(own["kinds"], 2, width, kinds),
            own["kinds_bias"],
            own["out_bias"],
        ]
        weights = _aligned(sum(map(len, parts)))
        np.concatenate(parts, out=weights)
        return weights, units, width, kinds, np.array(REACHES, dtype=np.intc)


def share_of(size: npt.NDArray[np.float64]) -> Floats:
    """Return each block's part of the page."""
    return (size / max(float(size.sum()), 1e-6)).astype(np.float32)


def forward_all(
    networks: Sequence[Network], matrix: Floats, size: npt.NDArray[np.float64]
) -> list[tuple[Floats, Floats]]:
    """Return what each of some networks says of a page: a logit for each block, and one for each kind of page."""
    share = share_of(size)
    if inference is None or len(share) < inference.MIN_BLOCKS:
        return [network.forward_plain(matrix, share) for network in networks]
    columns = np.ascontiguousarray(matrix.T, dtype=np.float32)
    outputs: list[tuple[Floats, Floats]] = inference.forward_all(columns, share, [each.flat for each in networks])
    return outputs


def _aligned(size: int) -> Floats:
    """Return noughts that begin with a line of the processor's cache, so that what is read at once is in one line."""
    room = np.zeros(size + _LINE, dtype=np.float32)
    first = -(room.ctypes.data // room.itemsize) % _LINE
    return room[first : first + size]


def _filled(units: int) -> int:
    lanes = inference.LANES if inference is not None else 1
    return -(-units // lanes) * lanes


def _dense(weights: Floats, values: Floats, bias: Floats) -> Floats:
    """Return a layer of rectified units.

    A product is taken in pieces so small that OpenBLAS starts no threads: for these sizes they wait for each other
    longer than they work.
    """
    columns = values.shape[1]
    step = max(_ALONE // weights.size, 1)
    out = np.empty((len(weights), columns), dtype=np.float32)
    for first in range(0, columns, step):
        np.matmul(weights, values[:, first : first + step], out=out[:, first : first + step])
    out += bias
    np.maximum(out, 0, out=out)
    return out


def _pooled(state: Floats, share: Floats) -> Floats:
    return np.concatenate([state @ share, state.max(axis=1)])


def _neighbours(state: Floats, reach: int) -> Floats:
    """Return each column above the columns `reach` before and after it, with zeros beyond the ends."""
    width, columns = state.shape
    out = np.empty((3 * width, columns), dtype=np.float32)
    out[:width, :reach] = 0
    out[width : 2 * width] = state
    out[2 * width :, -reach:] = 0
    if columns > reach:
        out[:width, reach:] = state[:, :-reach]
        out[2 * width :, :-reach] = state[:, reach:]
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
