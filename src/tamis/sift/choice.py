"""The choice of blocks: the probability-ranked prefix with the highest expected F1.

Blocks are ranked by their probability to be content. Of all prefixes of that ranking, the one with the highest F1 is
kept, computed as if the probabilities were true. `favor` shifts the logits first: a shift above 0 favors precision,
one below 0 favors recall.
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis._core.loader import core
from tamis.errors import OptionError, suggestion

Floats = npt.NDArray[np.float64]

#: The logit shift of each word for `favor`.
FAVOR_SHIFTS: Final = {"precision": 1.5, "recall": -1.5, "balance": 0.0}

#: Words of a page of which networks, having learned clean pages, take everything for content.
SHORT_PAGE: Final = 150.0


def logit_shift_for(favor: str | float | None) -> float:
    """Return the logit shift of a `favor`: a word, a finite number of logits, or None for no shift.

    >>> logit_shift_for("precision"), logit_shift_for(None), logit_shift_for(-0.5)
    (1.5, 0.0, -0.5)
    """
    if favor is None:
        return 0.0
    if isinstance(favor, str) and favor in FAVOR_SHIFTS:
        return FAVOR_SHIFTS[favor]
    if isinstance(favor, (int, float)) and not isinstance(favor, bool) and math.isfinite(favor):
        return float(favor)
    hint = f"; {suggestion(favor, FAVOR_SHIFTS)}" if isinstance(favor, str) else ""
    raise OptionError(f"favor must be 'precision', 'recall', 'balance' or a number, not {favor!r}{hint}")


def sigmoid(logits: Floats) -> Floats:
    """Return the probabilities of logits.

    >>> sigmoid(np.array([0.0])).tolist()
    [0.5]
    """
    return np.asarray(1 / (1 + np.exp(-np.minimum(np.maximum(logits, -30), 30))))  # np.clip is slower to call


def choose_blocks(probs: Floats, size: Floats) -> tuple[npt.NDArray[np.bool_], float]:
    """Return which blocks to keep, and the expected F1.

    >>> kept, expected_f1 = choose_blocks(np.array([0.9, 0.1, 0.8]), np.array([10.0, 10.0, 10.0]))
    >>> kept.tolist(), round(expected_f1, 3)
    ([True, False, True], 0.895)
    """
    kept = np.zeros(len(probs), dtype=np.bool_)
    if not len(probs):
        return kept, 0.0
    order = (-probs).argsort(kind="stable")
    _, expected_f1 = core.keep_best(order, probs, size, kept.view(np.uint8))
    return kept, expected_f1
