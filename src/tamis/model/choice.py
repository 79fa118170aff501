"""How much of a page to keep: the set of blocks with the best F1 to be expected.

Blocks are taken from the likeliest on; of all such prefixes the one is kept that promises the largest F1, if every
block's chance is true. `favor` shifts the chances first: above 0 towards precision, below 0 towards recall.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError

Floats = npt.NDArray[np.float64]

#: Logits by which the two words of the dial shift.
PRECISION: Final = 1.5
RECALL: Final = -1.5


def dial(favor: str | float | None) -> float:
    """Return the shift that a setting of the dial stands for.

    >>> dial("precision"), dial(None), dial(-0.5)
    (1.5, 0.0, -0.5)
    """
    if favor is None or favor == "balance":
        return 0.0
    if isinstance(favor, (int, float)):
        return float(favor)
    named = {"precision": PRECISION, "recall": RECALL}
    if favor not in named:
        raise OptionError(f"favor is 'precision', 'recall', 'balance' or a number, not {favor!r}")
    return named[favor]


def chances(logits: Floats) -> Floats:
    """Return probabilities.

    >>> chances(np.array([0.0])).tolist()
    [0.5]
    """
    return np.asarray(1 / (1 + np.exp(-np.minimum(np.maximum(logits, -30), 30))))  # np.clip has more to look after


def choose(chance: Floats, size: Floats) -> tuple[npt.NDArray[np.bool_], float]:
    """Return which blocks to keep, and the F1 that is to be expected.

    >>> kept, expected = choose(np.array([0.9, 0.1, 0.8]), np.array([10.0, 10.0, 10.0]))
    >>> kept.tolist(), round(expected, 3)
    ([True, False, True], 0.895)
    """
    kept = np.zeros(len(chance), dtype=np.bool_)
    if not len(chance):
        return kept, 0.0
    order = (-chance).argsort(kind="stable")
    sizes = size[order]
    hits = (chance[order] * sizes).cumsum()
    expected = hits / (sizes.cumsum() + max(float(hits[-1]), 1e-9))
    best = int(expected.argmax())
    kept[order[: best + 1]] = True
    return kept, 2 * float(expected[best])
