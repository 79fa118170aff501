"""The Adam optimizer."""

import math
from typing import Final

import numpy as np

from tamis.model.network import Parameters

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
