"""Which block of a page is the headline: one linear layer over the features, for pages whose title is labelled.

The blocks of a page and "none of them" share a softmax: a page has one headline at most.
"""

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from tamis.html import tags
from tamis.render.row_text import block_texts
from tamis.training.adam import Adam

if TYPE_CHECKING:
    from tamis.page import Page
    from tamis.training.sift_samples import Sample

Floats = npt.NDArray[np.float32]

NO_HEADLINE: Final = -1  #: no block is like the labelled title
UNKNOWN: Final = -2  #: no title is labelled, or a block is only a little like it
_SAME: Final = 0.9  # words F1 of a block that is the title
_OTHER: Final = 0.6  # below this, no block is
_MAX_CHARS: Final = 400  # of a headline
#: Chosen on the folds of WCXB dev among 0.0001, 0.001 and 0.01.
_PENALTY: Final = 0.01
_STEPS: Final = 150
_LEARNING_RATE: Final = 0.05


def label_headline(page: "Page", title: str | None) -> int:
    """Return the block that is the labelled title, the first heading of several; or one of the constants above.

    >>> from tamis.page import parse_page
    >>> label_headline(parse_page("<p>Green tea</p><h1>Green Tea</h1><p>Boil water.</p>"), "Green tea")
    1
    """
    title_words = _words(title or "")
    if not title_words:
        return UNKNOWN
    best, same = 0.0, []
    for block, text in block_texts(page, page.shown):
        words = _words(text) if len(text) <= _MAX_CHARS else None
        if words:
            likeness = 2 * (words & title_words).total() / (words.total() + title_words.total())
            best = max(best, likeness)
            same += [block] if likeness >= _SAME else []
    if not same:
        return NO_HEADLINE if best < _OTHER else UNKNOWN
    is_heading = tags.HEADING[page.tag[page.blocks.container]]
    return next((block for block in same if is_heading[block]), same[0])


def fit_headline(samples: "Sequence[Sample]") -> Floats:
    """Return a weight for each feature, and the bias: above 0, the block with the highest sum is the headline."""
    known = [sample for sample in samples if sample.headline > UNKNOWN and len(sample.example.size)]
    matrix = np.concatenate([sample.example.matrix for sample in known]).astype(np.float32)
    lengths = [len(sample.example.size) for sample in known]
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.int64)
    page = np.repeat(np.arange(len(known)), lengths)
    mean, scale = matrix.mean(axis=0), 1 / (matrix.std(axis=0) + 0.01)
    matrix = (matrix - mean) * scale
    target = np.zeros(len(matrix), dtype=np.float32)
    for start, sample in zip(starts, known, strict=True):
        if sample.headline >= 0:
            target[start + sample.headline] = 1
    fitted = {"weights": np.zeros(matrix.shape[1], dtype=np.float32), "bias": np.full(1, -3.0, dtype=np.float32)}
    adam = Adam(fitted, _LEARNING_RATE, 0.0, _STEPS)
    for _ in range(_STEPS):
        logits = matrix @ fitted["weights"] + fitted["bias"]
        highest = np.maximum(np.maximum.reduceat(logits, starts), 0)  # "none" has the logit 0
        powers = np.exp(logits - highest[page])
        totals = np.add.reduceat(powers, starts) + np.exp(-highest)
        error = ((powers / totals[page] - target) / len(known)).astype(np.float32)
        adam.step({"weights": matrix.T @ error + _PENALTY * fitted["weights"], "bias": error.sum(keepdims=True)})
    weights = fitted["weights"] * scale
    return np.append(weights, fitted["bias"] - mean @ weights).astype(np.float32)


def score_headline(samples: "Sequence[Sample]", headline: Floats) -> dict[str, int]:
    """Return how many headlines are found, missed, or another block, and how many pages without one get one."""
    counts = Counter(
        {"found": 0, "another block": 0, "missed": 0, "none, and none found": 0, "none, but one found": 0}
    )
    for sample in samples:
        if sample.headline > UNKNOWN and len(sample.example.size):
            logits = np.asarray(sample.example.matrix, dtype=np.float32) @ headline[:-1] + headline[-1]
            predicted = int(logits.argmax()) if logits.max() > 0 else NO_HEADLINE
            if sample.headline == NO_HEADLINE:
                counts["none, and none found" if predicted == NO_HEADLINE else "none, but one found"] += 1
            else:
                missed = "missed" if predicted == NO_HEADLINE else "another block"
                counts["found" if predicted == sample.headline else missed] += 1
    return dict(counts)


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.casefold()))
