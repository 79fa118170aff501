"""The decision of a support vector machine with RBF kernel, in NumPy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError

Floats = npt.NDArray[np.float64]

_BATCH: Final = 1024  # points at a time: the kernel matrix stays small however many points a page has


@dataclass(frozen=True, slots=True, eq=False)
class Svm:
    """Support vectors, their coefficients, the bias and the width of the kernel.

    >>> machine = Svm(np.array([[0.0], [1.0]]), np.array([-1.0, 1.0]), bias=0.0, gamma=1.0)
    >>> machine.decide(np.array([[0.0], [0.5], [1.0]])).round(3).tolist()
    [-0.632, 0.0, 0.632]
    """

    vectors: Floats
    coefficients: Floats
    bias: float
    gamma: float

    def decide(self, points: Floats) -> Floats:
        """Return the decision for each point: positive is the positive class, far from 0 is sure."""
        out = np.empty(len(points))
        square = (self.vectors**2).sum(axis=1)
        for first in range(0, len(points), _BATCH):
            part = points[first : first + _BATCH]
            distance = (part**2).sum(axis=1)[:, None] + square - 2 * part @ self.vectors.T
            kernel = np.exp(-self.gamma * np.maximum(distance, 0))
            out[first : first + _BATCH] = kernel @ self.coefficients + self.bias
        return out

    def to_values(self) -> dict[str, Any]:
        """Return it as plain lists and numbers."""
        return {
            "vectors": self.vectors.tolist(),
            "coefficients": self.coefficients.tolist(),
            "bias": float(self.bias),
            "gamma": float(self.gamma),
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> "Svm":
        """Make it from what `to_values` gave; an `OptionError` says that it cannot be that."""
        try:
            vectors = np.array(values["vectors"], dtype=np.float64)
            coefficients = np.array(values["coefficients"], dtype=np.float64)
            machine = cls(vectors, coefficients, float(values["bias"]), float(values["gamma"]))
        except (KeyError, TypeError, ValueError) as error:
            raise OptionError(f"these are no values of a support vector machine: {error}") from error
        if vectors.ndim != 2 or vectors.shape[0] != len(coefficients):  # noqa: PLR2004 (vectors by features)
            raise OptionError("these are no values of a support vector machine: the shapes do not fit")
        return machine
