"""The decision function of a support vector machine with RBF kernel, in NumPy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError

Floats = npt.NDArray[np.float64]

_BATCH: Final = 1024  # points per batch: the kernel matrix stays small however many points a page has


@dataclass(frozen=True, slots=True, eq=False)
class Svm:
    """A fitted support vector machine.

    Attributes:
        vectors: the support vectors.
        coefficients: their coefficients.
        bias: the bias.
        gamma: the width of the kernel.

    >>> machine = Svm(np.array([[0.0], [1.0]]), np.array([-1.0, 1.0]), bias=0.0, gamma=1.0)
    >>> machine.decide(np.array([[0.0], [0.5], [1.0]])).round(3).tolist()
    [-0.632, 0.0, 0.632]
    """

    vectors: Floats
    coefficients: Floats
    bias: float
    gamma: float

    def decide(self, points: Floats) -> Floats:
        """Return the decision value of each point: positive for the positive class, larger where it is surer."""
        out = np.empty(len(points))
        square = (self.vectors**2).sum(axis=1)
        for first in range(0, len(points), _BATCH):
            batch = points[first : first + _BATCH]
            distance = (batch**2).sum(axis=1)[:, None] + square - 2 * batch @ self.vectors.T
            kernel = np.exp(-self.gamma * np.maximum(distance, 0))
            out[first : first + _BATCH] = kernel @ self.coefficients + self.bias
        return out

    def to_values(self) -> dict[str, Any]:
        """Return the machine as plain lists and numbers."""
        return {
            "vectors": self.vectors.tolist(),
            "coefficients": self.coefficients.tolist(),
            "bias": float(self.bias),
            "gamma": float(self.gamma),
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> "Svm":
        """Make a machine from what `to_values` returned. Other values raise an `OptionError`."""
        try:
            vectors = np.array(values["vectors"], dtype=np.float64)
            coefficients = np.array(values["coefficients"], dtype=np.float64)
            machine = cls(vectors, coefficients, float(values["bias"]), float(values["gamma"]))
        except (KeyError, TypeError, ValueError) as error:
            raise OptionError(f"invalid values for a support vector machine: {error}") from error
        if vectors.ndim != 2 or vectors.shape[0] != len(coefficients):  # noqa: PLR2004 (vectors by features)
            raise OptionError("invalid values for a support vector machine: the shapes do not match")
        return machine
