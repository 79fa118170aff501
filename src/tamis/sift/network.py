"""The networks over the blocks of a page, and the learned model of sift that averages them.

Two dense layers read the features of each block. Four residual layers then add the neighbours of each block (one,
two, four and eight blocks away on each side) and the context of the page (the mean weighted by size, and the
maximum). The outputs are a logit for each block, and one for each page type. The type may also be read from the
features themselves, of which the mean and the maximum over the page are taken.
"""

import base64
import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis._core.loader import inference
from tamis.errors import OptionError
from tamis.extractors.weights import Weights
from tamis.lazy import cached_property, dataclass
from tamis.sift.features import LARGE, NAMES, Features

Floats = npt.NDArray[np.float32]
Parameters = dict[str, Floats]

DILATIONS: Final = (1, 2, 4, 8)  #: the distance of the neighbours in each residual layer, in blocks
#: The largest scaled feature on the training pages, so that rare features do not drown the others.
MAX_SCALED: Final = 6.0
#: The largest matrix product, in multiplications, for which OpenBLAS starts no threads (interface/gemm.c: 65536 * 4).
SINGLE_THREAD: Final = 262_144
_CACHE_LINE: Final = 16  # 32-bit numbers
#: The smallest page for the compiled networks, and what the units of their layers are a multiple of.
_MIN_BLOCKS, _LANES = inference.tile_sizes() if inference is not None else (0, 1)


class Network:
    """A network, ready to use.

    Blocks are columns here, so that neighbours are adjacent in memory. The mean and the scale of the features are
    folded into the first layer. Where the compiled `inference` is there, it does the work.
    """

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self._dense1 = np.ascontiguousarray((parameters["scale"][:, None] * parameters["dense1"]).T)
        bias = parameters["dense1_bias"] - (parameters["mean"] * parameters["scale"]) @ parameters["dense1"]
        self._dense1_bias: Floats = np.asarray(bias, dtype=np.float32)[:, None]

    def forward(self, matrix: Floats, size: npt.NDArray[np.float64]) -> tuple[Floats, Floats]:
        """Return a logit for each block of a page, and one for each page type.

        >>> network = Network(init_params(features=3, page_types=2, hidden=4, width=4, seed=1))
        >>> logits, type_logits = network.forward(np.ones((5, 3), dtype=np.float32), np.ones(5))
        >>> logits.shape, type_logits.shape
        ((5,), (2,))
        """
        return forward_all([self], matrix, size)[0]

    def forward_plain(self, matrix: Floats, share: Floats) -> tuple[Floats, Floats]:
        """Return the same as `forward`, in NumPy alone; `share` is the `size_share` of the blocks.

        What the page type reads from the features is not in it: `forward_all` adds it.
        """
        params, transposed = self.parameters, self._transposed
        state = self.state(matrix, share)
        type_logits = transposed["page_type"] @ pool(state, share) + params["page_type_bias"]
        return np.asarray(transposed["out"] @ state + params["out_bias"])[0], type_logits

    def state(self, matrix: Floats, share: Floats) -> Floats:
        """Return the last layer before the outputs, units by blocks."""
        params, transposed = self.parameters, self._transposed
        state = _dense(self._dense1, matrix.T, self._dense1_bias)
        state = _dense(transposed["dense2"], state, params["dense2_bias"][:, None])
        for layer, dilation in enumerate(DILATIONS):
            context: Floats = transposed[f"context{layer}"] @ pool(state, share) + params[f"bias{layer}"]
            state = state + _dense(transposed[f"neighbour{layer}"], _neighbours(state, dilation), context[:, None])
        return state

    @cached_property
    def page_type_features(self) -> Floats:
        """What the mean and the maximum of each feature say of each page type; zeros if that was not learned."""
        params = self.parameters
        none = np.zeros((len(params["dense1"]), len(params["page_type_bias"])), dtype=np.float32)
        return np.concatenate([params.get("page_type_mean", none), params.get("page_type_max", none)])

    @cached_property
    def _transposed(self) -> Parameters:
        return {name: np.ascontiguousarray(value.T) for name, value in self.parameters.items() if value.ndim > 1}

    @cached_property
    def flat(self) -> tuple[Any, ...]:
        """The parameters as the compiled `inference` takes them, layers padded with units that stay zero."""
        params = self.parameters
        hidden, width = _padded(params["dense1"].shape[1]), _padded(params["dense2"].shape[1])

        def pad(values: Floats, *shape: int) -> Floats:
            """Pad with zeros to a shape; of a shape with one dimension more, the first is parts of equal length."""
            parts = values
            if len(shape) > values.ndim:
                parts = values.reshape(-1, params["dense2"].shape[1], *values.shape[1:])
            padded = np.zeros(shape, dtype=np.float32)
            padded[tuple(map(slice, parts.shape))] = parts
            return padded.reshape(-1)

        inputs, page_types = len(params["dense1"]), len(params["page_type_bias"])
        parts = [
            pad(self._dense1.T, inputs, hidden),
            pad(self._dense1_bias[:, 0], hidden),
            pad(params["dense2"], hidden, width),
            pad(params["dense2_bias"], width),
        ]
        for layer in range(len(DILATIONS)):
            parts += [
                pad(params[f"neighbour{layer}"], 3, width, width),
                pad(params[f"context{layer}"], 2, width, width),
                pad(params[f"bias{layer}"], width),
            ]
        parts += [
            pad(params["out"], width, 1),
            pad(params["page_type"], 2, width, page_types),
            params["page_type_bias"],
            params["out_bias"],
        ]
        weights = _aligned(sum(map(len, parts)))
        np.concatenate(parts, out=weights)
        return weights, hidden, width, page_types, np.array(DILATIONS, dtype=np.intc)


def size_share(size: npt.NDArray[np.float64]) -> Floats:
    """Return the share of each block in the size of the page."""
    return (size / max(float(size.sum()), 1e-6)).astype(np.float32)


def forward_all(
    networks: Sequence[Network], matrix: Floats, size: npt.NDArray[np.float64]
) -> list[tuple[Floats, Floats]]:
    """Return the outputs of several networks for a page: a logit for each block, and one for each page type."""
    share, columns = size_share(size), np.ascontiguousarray(matrix.T, dtype=np.float32)
    outputs: list[tuple[Floats, Floats]]
    if inference is None or len(share) < _MIN_BLOCKS:
        outputs, pooled = [network.forward_plain(matrix, share) for network in networks], pool(columns, share)
    else:
        outputs, pooled = inference.forward_all(columns, share, [network.flat for network in networks])
    if not any("page_type_mean" in network.parameters for network in networks):
        return outputs
    return [
        (logits, type_logits + pooled @ network.page_type_features)
        for network, (logits, type_logits) in zip(networks, outputs, strict=True)
    ]


def _aligned(size: int) -> Floats:
    """Return zeros that begin at a cache line, so that a vector of numbers is never read from two lines."""
    buffer = np.zeros(size + _CACHE_LINE, dtype=np.float32)
    first = -(buffer.ctypes.data // buffer.itemsize) % _CACHE_LINE
    return buffer[first : first + size]


def _padded(units: int) -> int:
    return -(-units // _LANES) * _LANES


def _dense(weights: Floats, values: Floats, bias: Floats) -> Floats:
    """Return a dense layer with ReLU.

    The product is split so that OpenBLAS starts no threads: for these sizes, threads wait for each other longer than
    they work.
    """
    columns = values.shape[1]
    step = max(SINGLE_THREAD // weights.size, 1)
    out = np.empty((len(weights), columns), dtype=np.float32)
    for first in range(0, columns, step):
        np.matmul(weights, values[:, first : first + step], out=out[:, first : first + step])
    out += bias
    np.maximum(out, 0, out=out)
    return out


def pool(state: Floats, share: Floats) -> Floats:
    """Return the mean, weighted by the share of each block, and the maximum of each unit; blocks are columns."""
    return np.concatenate([state @ share, state.max(axis=1)])


def _neighbours(state: Floats, dilation: int) -> Floats:
    """Stack, for each block, the state `dilation` blocks before it, its own, and the one after; zeros at the ends."""
    width, columns = state.shape
    out = np.empty((3 * width, columns), dtype=np.float32)
    out[:width, :dilation] = 0
    out[width : 2 * width] = state
    out[2 * width :, -dilation:] = 0
    if columns > dilation:
        out[:width, dilation:] = state[:, :-dilation]
        out[2 * width :, :-dilation] = state[:, dilation:]
    return out


def init_params(features: int, page_types: int, hidden: int, width: int, seed: int) -> Parameters:
    """Return random parameters to start training with."""
    random = np.random.default_rng(seed)

    def draw(rows: int, columns: int, gain: float = 2.0) -> Floats:
        return np.asarray(random.standard_normal((rows, columns)) * np.sqrt(gain / rows), dtype=np.float32)

    def zeros(size: int) -> Floats:
        return np.zeros(size, dtype=np.float32)

    out: Parameters = {
        "mean": zeros(features),
        "scale": np.ones(features, dtype=np.float32),
        "dense1": draw(features, hidden),
        "dense1_bias": zeros(hidden),
        "dense2": draw(hidden, width),
        "dense2_bias": zeros(width),
        "out": draw(width, 1, 1.0),
        "out_bias": zeros(1),
        "page_type": draw(2 * width, page_types, 1.0),
        "page_type_bias": zeros(page_types),
    }
    for layer in range(len(DILATIONS)):
        out[f"neighbour{layer}"] = draw(3 * width, width, 0.5)  # small: a residual layer starts near the identity
        out[f"context{layer}"] = draw(2 * width, width, 0.5)
        out[f"bias{layer}"] = zeros(width)
    return out


# The learned model: averaged networks, and the numbers that were fitted on held-out pages.
#
# A weights file lists the names of its features in the order of its columns. Reading it maps names to the columns of
# `tamis.sift.schema`, so that a file keeps its meaning when columns move.

Doubles = npt.NDArray[np.float64]

_PER_FEATURE: Final = ("mean", "scale", "dense1")  # parameters with one row per feature
_PER_FEATURE_IF_THERE: Final = ("page_type_mean", "page_type_max")


@dataclass(frozen=True)
class SiftModel:
    """Everything that was learned.

    Attributes:
        networks: the networks, whose logits are averaged.
        page_types: the page types, in the order of the networks' outputs.
        logit_shift: subtracted from the logits: above 0, less is kept.
        min_expected_f1: below this expected F1, the page is taken to have no main content.
        calibration: expected F1, and the mean F1 measured at that value on held-out pages: two rows of equal length.
        card: data, date and scores.
        headline: a weight for each feature, and a bias, that tell the headline; None if they were not learned.
        bounds: of each feature; a larger value counts as that. A network would be led far astray by values that it
            has hardly seen. None for no bounds.
    """

    networks: tuple[Network, ...]
    page_types: tuple[str, ...]
    logit_shift: float
    min_expected_f1: float
    calibration: Doubles
    card: Mapping[str, Any]
    headline: npt.NDArray[np.float32] | None = None
    bounds: npt.NDArray[np.float32] | None = None

    def bound(self, features: Features) -> Features:
        """Return features within the bounds. The matrix is changed: a copy would double its memory."""
        if self.bounds is None:
            return features
        columns = features.matrix.T
        if inference is not None and columns.flags.c_contiguous and columns.dtype == np.float32:
            inference.bound_features(columns, self.bounds)
            return features
        if len(features.size) < LARGE:
            np.minimum(features.matrix, self.bounds, out=features.matrix)
            return features
        for column, bound in zip(features.matrix.T, self.bounds, strict=True):
            if bound < 0 or column.any():
                np.minimum(column, bound, out=column)
        return features

    def predict(self, features: Features) -> tuple[Doubles, Doubles]:
        """Return a shifted logit for each block, and the probability of each page type; bound the features before."""
        outputs = forward_all(self.networks, features.matrix, features.size)
        logits = np.zeros(len(features.size))
        for block_logits, _ in outputs:
            logits += block_logits
        type_probs = [softmax(type_logits.tolist()) for _, type_logits in outputs]
        mean_probs = [sum(probs) / len(outputs) for probs in zip(*type_probs, strict=True)]
        return logits / len(outputs) - self.logit_shift, np.array(mean_probs)

    def find_headline(self, features: Features) -> int | None:
        """Return the block that is the headline of a page, or None."""
        if self.headline is None or not len(features.size):
            return None
        logits = features.matrix @ self.headline[:-1] + self.headline[-1]
        best = int(logits.argmax())
        return best if logits[best] > 0 else None

    def calibrate(self, expected_f1: float) -> float:
        """Return the F1 that held-out pages had at an expected F1."""
        expected, found = self._calibration
        place = bisect_right(expected, expected_f1) - 1
        if place < 0 or place + 1 == len(expected):
            return found[max(place, 0)]
        slope = (found[place + 1] - found[place]) / (expected[place + 1] - expected[place])
        return slope * (expected_f1 - expected[place]) + found[place]

    @cached_property
    def _calibration(self) -> tuple[list[float], list[float]]:
        """The calibration as lists: NumPy is slower for one number."""
        expected, found = self.calibration.tolist()
        return expected, found

    def to_weights(self) -> Weights:
        """Return the model as a weights file. Arrays are base64 of half-precision numbers."""
        values = {
            "features": list(NAMES),
            "page_types": list(self.page_types),
            "networks": [
                {name: _encode(array) for name, array in network.parameters.items()} for network in self.networks
            ],
            "logit_shift": self.logit_shift,
            "min_expected_f1": self.min_expected_f1,
            "calibration": self.calibration.tolist(),
        }
        if self.bounds is not None:
            values["bounds"] = _encode(self.bounds)
        if self.headline is not None:
            values["headline"] = _encode(self.headline)
        return Weights("sift", values, dict(self.card))

    @classmethod
    def from_weights(cls, weights: Weights) -> "SiftModel":
        """Read a model from a weights file. An `OptionError` names the features that do not fit this version."""
        if weights.method != "sift":
            raise OptionError(f"these weights are for {weights.method}, not for sift")
        values = weights.values
        try:
            order = _column_order(values["features"])
            networks = tuple(Network(_decode_parameters(network, order)) for network in values["networks"])
            return cls(
                networks,
                tuple(values["page_types"]),
                float(values["logit_shift"]),
                float(values["min_expected_f1"]),
                np.array(values["calibration"], dtype=np.float64),
                weights.card,
                _decode_headline(values.get("headline"), order),
                _decode_bounds(values.get("bounds"), order),
            )
        except KeyError as error:
            raise OptionError(f"these weights have no {error}; train them again") from error


def _column_order(names: Sequence[str]) -> list[int]:
    """Return the file's column of each feature of the schema.

    >>> _column_order(NAMES)[:3], _column_order(NAMES[::-1])[-3:]
    ([0, 1, 2], [2, 1, 0])
    """
    column = {name: number for number, name in enumerate(names)}
    if len(column) < len(names):
        raise OptionError("these weights list a feature twice; train them again")
    missing = [name for name in NAMES if name not in column]
    unknown = sorted(column.keys() - set(NAMES))
    if missing or unknown:
        problems = [f"lack {', '.join(missing)}"] if missing else []
        problems += [f"have unknown {', '.join(unknown)}"] if unknown else []
        raise OptionError(f"the features of these weights do not fit this version: they {' and '.join(problems)}")
    return [column[name] for name in NAMES]


def _decode_parameters(encoded: Mapping[str, Any], order: list[int]) -> Parameters:
    """Return the parameters of a network, with the rows of features in the order of the schema."""
    parameters = {name: _decode(array) for name, array in encoded.items()}
    for name in (*_PER_FEATURE, *(name for name in _PER_FEATURE_IF_THERE if name in parameters)):
        if len(parameters[name]) != len(order):
            raise OptionError(f"these weights are damaged: {name} has {len(parameters[name])} rows, not {len(order)}")
        parameters[name] = parameters[name][order]
    return parameters


def _decode_headline(encoded: Mapping[str, Any] | None, order: list[int]) -> npt.NDArray[np.float32] | None:
    """Return the weights of the headline, in the order of the schema, and their bias."""
    if encoded is None:
        return None
    headline = _decode(encoded)
    if len(headline) != len(order) + 1:
        raise OptionError(f"these weights are damaged: headline has {len(headline)} numbers, not {len(order) + 1}")
    return np.append(headline[order], headline[-1]).astype(np.float32)


def _decode_bounds(encoded: Mapping[str, Any] | None, order: list[int]) -> npt.NDArray[np.float32] | None:
    """Return the bounds of features, in the order of the schema."""
    if encoded is None:
        return None
    bounds = _decode(encoded)
    if bounds.shape != (len(order),):
        raise OptionError(f"these weights are damaged: bounds has {len(bounds)} numbers, not {len(order)}")
    return bounds[order]


def _encode(array: npt.NDArray[Any]) -> dict[str, Any]:
    data = np.ascontiguousarray(array, dtype="<f2").tobytes()
    return {"shape": list(array.shape), "f2": base64.b64encode(data).decode("ascii")}


def _decode(encoded: Mapping[str, Any]) -> npt.NDArray[np.float32]:
    data = np.frombuffer(base64.b64decode(encoded["f2"]), dtype="<f2")
    return data.reshape(encoded["shape"]).astype(np.float32)


def softmax(logits: list[float]) -> list[float]:
    """Return probabilities. NumPy is slower for seven numbers."""
    highest = max(logits)
    powers = [math.exp(logit - highest) for logit in logits]
    total = sum(powers)
    return [power / total for power in powers]
