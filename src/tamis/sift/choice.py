"""What a choice of blocks needs from Python: `favor` as logits, and the code and callouts that classes tell.

The choice itself is in `tamis._core.choice`.
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis._core.loader import core
from tamis.errors import OptionError, closest_name
from tamis.html.callouts import callout_type
from tamis.page import Page

Floats = npt.NDArray[np.float64]

#: The logit shift of each word for `favor`.
FAVOR_SHIFTS: Final = {"precision": 1.5, "recall": -1.5, "balance": 0.0}


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
    meant = closest_name(favor, FAVOR_SHIFTS)
    hint = f"; did you mean {meant}?" if meant else ""
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
    return kept, core.keep_best(probs, size, kept.view(np.uint8))


#: Code without ``pre``: tables of code hosts and highlighters, and what editors draw.
_CODE_NAMES: Final = ("js-file-line-container", "syntaxhighlighter", "crayon-table", "cm-content", "CodeMirror-code")
_CODE_SELECTOR: Final = ",".join(f".{name}" for name in _CODE_NAMES)
#: Callout boxes of documentation systems. Names that cookie banners and forms have too (alert, notice) are not here.
_CALLOUT_NAMES: Final = (
    "admonition", "callout", "markdown-alert", "notecard", "custom-block", "starlight-aside", "information-macro",
)  # fmt: skip
_CALLOUT_SELECTOR: Final = ",".join(f"[class*='{name}']" for name in _CALLOUT_NAMES)


def code_and_callouts(page: Page) -> list[int]:
    """Return the code and the callouts of a page that are known by their class."""
    rows: list[int] = []
    classes = "\n".join(page.text_classes[1])
    if any(name in classes for name in _CODE_NAMES):
        rows += page.select(_CODE_SELECTOR)
    if any(name in classes for name in _CALLOUT_NAMES):
        rows += [row for row in page.select(_CALLOUT_SELECTOR) if _is_callout(page, row)]
    return rows


def _is_callout(page: Page, row: int) -> bool:
    kind, is_box = callout_type(page.attributes(row))
    return is_box and kind.isalpha()
