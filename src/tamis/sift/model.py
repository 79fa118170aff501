"""The learned model of sift: averaged networks, and the numbers that were fitted on held-out pages.

A weights file lists the names of its features in the order of its columns. Reading it maps names to the columns of
`tamis.sift.schema`, so that a file keeps its meaning when columns move.
"""

import base64
import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError
from tamis.extractors.weights import Weights
from tamis.lazy import cached_property
from tamis.sift.features import LARGE, NAMES, Features
from tamis.sift.network import Network, Parameters, forward_all

Floats = npt.NDArray[np.float64]

_PER_FEATURE: Final = ("mean", "scale", "dense1")  # parameters with one row per feature
_PER_FEATURE_IF_THERE: Final = ("page_type_mean", "page_type_max")


@dataclass(frozen=True)
class SiftModel:
    """Everything that was learned.

    Attributes:
        networks: the networks, whose logits are averaged.
        page_types: the page types, in the order of the networks' outputs.
        logit_shift: subtracted from the logits before the choice: above 0, less is kept.
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
    calibration: Floats
    card: Mapping[str, Any]
    headline: npt.NDArray[np.float32] | None = None
    bounds: npt.NDArray[np.float32] | None = None

    def bound(self, features: Features) -> Features:
        """Return features within the bounds. The matrix is changed: a copy would double its memory."""
        if self.bounds is None:
            return features
        if len(features.size) < LARGE:
            np.minimum(features.matrix, self.bounds, out=features.matrix)
            return features
        for column, bound in zip(features.matrix.T, self.bounds, strict=True):
            if bound < 0 or column.any():
                np.minimum(column, bound, out=column)
        return features

    def predict(self, features: Features) -> tuple[Floats, Floats]:
        """Return a logit for each block, and the probability of each page type; features are bounded before."""
        outputs = forward_all(self.networks, features.matrix, features.size)
        logits = np.zeros(len(features.size))
        for block_logits, _ in outputs:
            logits += block_logits
        type_probs = [softmax(type_logits.tolist()) for _, type_logits in outputs]
        mean_probs = [sum(probs) / len(outputs) for probs in zip(*type_probs, strict=True)]
        return logits / len(outputs), np.array(mean_probs)

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
