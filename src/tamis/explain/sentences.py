"""Sentences about blocks: the decision, what speaks for it and against it, and what is around a block."""

from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.explain.explanation import BlockExplanation

Floats = npt.NDArray[np.float64]

_STRONGEST: Final = 2  #: groups for, and against, in the words of a block
_MIN_LOGITS: Final = 0.05  #: of a contribution that is worth a word


def score_words(block: BlockExplanation) -> str:
    """Return the decision about a block of an extractor without a network."""
    return f"{'Kept' if block.kept else 'Dropped'}: {block.reason}. Its score is {block.score:.3g}."


def around_words(logits: float, neighbours: Floats) -> str:
    """Return what the nearest blocks are, or what the rest of the page says if that is something else.

    >>> around_words(1.0, np.array([0.9])), around_words(-1.0, np.array([0.1, 0.2]))
    ('the block next to it looks like content', 'none of the 2 blocks next to it look like content')
    """
    count, likely = len(neighbours), int((neighbours > 0.5).sum())  # noqa: PLR2004 (likelier than not)
    if not count or (likely * 2 > count) != (logits > 0):
        return f"the rest of the page speaks {'for' if logits > 0 else 'against'} it"
    if count == 1:
        return f"the block next to it {'looks' if likely else 'does not look'} like content"
    some = f"{likely}" if logits > 0 else f"only {likely}"
    share = "all" if likely == count else "none" if not likely else some
    return f"{share} of the {count} blocks next to it {'looks' if likely == 1 else 'look'} like content"


def decision_words(block: BlockExplanation, threshold: float, *, has_content: bool) -> str:
    """Return the decision about a block and its strongest evidence."""
    assert block.probability is not None, "the network has judged it"
    decision = "Kept" if block.kept else "Dropped"
    sentence = f"{decision}: the probability to be content is {block.probability:.2f}"
    if block.kept and block.probability < threshold:
        sentence += f", below the threshold of {threshold:.2f}, but the blocks around it need it"
    elif not block.kept and block.probability > threshold:
        why = f"a rule leaves it out ({block.reason})" if has_content else "the page as a whole has no main content"
        sentence += f", above the threshold of {threshold:.2f}, but {why}"
    else:
        sentence += f" (threshold {threshold:.2f})"
    parts = [sentence + "."]
    for label, sign in (("For it", 1), ("Against it", -1)):
        strong = [each for each in block.contributions if sign * each.logits > _MIN_LOGITS][:_STRONGEST]
        if strong:
            parts.append(f"{label}: {'; '.join(each.words for each in strong)}.")
    return " ".join(parts)
