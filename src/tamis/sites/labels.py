r"""Labels of a page: which blocks a person says are content.

A label is the text of the content, in a file beside the page, or a JSON file of marked blocks:

    {"format": "tamis marks 1", "url": "https://example.org/tea",
     "marks": [{"row": 57, "text": "Share this page", "content": false}]}

``text`` is the text of the block, ``row`` its first text row where the page was marked; the row tells apart blocks
with the same text, and may be left out. Blocks that are not marked are not judged.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError, needs_extra
from tamis.page import Page
from tamis.page.sums import Bools
from tamis.sift.site import raw_texts, text_key

MARKS_FORMAT: Final = "tamis marks 1"
_NEWTON_STEPS: Final = 12
_PRIOR: Final = 10.0  #: the weight of an offset of 0; chosen on the hosts of docs/lab/sites.md
MAX_OFFSET: Final = 4.0
#: Of a template with a mark: a person has seen the decision, and wants another.
MAX_MARKED_OFFSET: Final = 8.0
#: A word; in scripts that are written without spaces, a character.
_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_MAX_ALIGNED: Final = 40_000  #: words of a page, and of a text, that are aligned: the cost is their product

#: Words of a block that count, and the words that count as one observation: a few pages decide about a template.
_MAX_WORDS: Final = 30.0
_WORDS_PER_UNIT: Final = 10.0
#: A mark counts more than any block of a text: a person has looked at this block and no other.
_MARK_WEIGHT: Final = 200.0
_HALF: Final = 0.5  #: of the words of a block: with more in the text, it is content


@dataclass(frozen=True, slots=True)
class BlockLabels:
    """The labels of the blocks of a page.

    Attributes:
        content: how much of each block is content, from 0 to 1.
        weight: how much each label counts; 0 for a block that is not judged.
        is_marked: whether a person marked blocks, instead of giving the whole content.
    """

    content: npt.NDArray[np.float64]
    weight: npt.NDArray[np.float64]
    is_marked: bool

    def correct(self, page: Page, selected: Bools) -> Bools:
        """Return the text rows that are content: those of labelled blocks by their labels, others as selected."""
        mask, blocks = selected.copy(), page.blocks
        for block in (self.weight > 0).nonzero()[0].tolist():
            rows = slice(blocks.start[block], blocks.stop[block])
            mask[rows] = page.shown[rows] & (self.content[block] > _HALF)
        return mask


def labels_from_text(page: Page, content: str) -> BlockLabels:
    """Return how much of each block is in the text of a page's content, aligned word by word.

    Needs the extra ``eval``.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>Home<p>Boil the water, and wait.")
    >>> labels_from_text(page, "Boil the water and wait").content.tolist()
    [0.0, 1.0]
    """
    vocabulary: dict[str, int] = {}
    blocks = [_words(text, vocabulary) for text in raw_texts(page)]
    words = [word for block in blocks for word in block]
    is_common = common_words(words[:_MAX_ALIGNED], _words(content, vocabulary)[:_MAX_ALIGNED])
    counts = np.array([len(block) for block in blocks], dtype=np.int64)
    block_of = np.repeat(np.arange(len(blocks)), counts)[: len(is_common)]
    share = np.bincount(block_of, is_common, len(blocks)) / np.maximum(counts, 1)
    return BlockLabels(share, np.minimum(counts, _MAX_WORDS) / _WORDS_PER_UNIT, is_marked=False)


def common_words(left: Sequence[int], right: Sequence[int]) -> Bools:
    """Return which words of the left text are in its longest common subsequence with the right one.

    Words are numbers, which are compared faster. Needs the extra ``eval``.

    >>> common_words([1, 2, 3, 4], [2, 9, 4]).tolist()
    [False, True, False, True]
    """
    with needs_extra("rapidfuzz", "eval"):
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 (an extra)
    mask = np.zeros(len(left), dtype=np.bool_)
    for step in LCSseq.opcodes(left, right):
        if step.tag == "equal":
            mask[step.src_start : step.src_end] = True
    return mask


def _words(text: str, vocabulary: dict[str, int]) -> list[int]:
    """Return the words of a text as numbers; in scripts without spaces, a character is a word."""
    return [vocabulary.setdefault(word, len(vocabulary)) for word in _WORD.findall(text.lower())]


def labels_from_marks(page: Page, marks: str, name: str = "the marks") -> BlockLabels:
    """Return the labels in a JSON file of marked blocks.

    >>> from tamis.page import parse_page
    >>> marks = '{"format": "tamis marks 1", "marks": [{"text": "Home", "content": false}]}'
    >>> labels = labels_from_marks(parse_page("<p>Home<p>Boil the water."), marks)
    >>> labels.weight.tolist()
    [200.0, 0.0]

    Raises:
        OptionError: the file is not one of marks, or marks a text that the page does not have.
    """
    content, weight = np.zeros(len(page.blocks)), np.zeros(len(page.blocks))
    keys = [text_key(text) for text in raw_texts(page)]
    for mark in _read_marks(marks, name):
        blocks = [block for block, key in enumerate(keys) if key == text_key(mark["text"])]
        if not blocks:
            raise OptionError(f"{name} marks a text that the page does not have: {mark['text'][:60]!r}")
        at_row = [block for block in blocks if page.blocks.start[block] == mark.get("row")]
        for block in at_row or blocks:
            content[block], weight[block] = float(mark["content"]), _MARK_WEIGHT
    return BlockLabels(content, weight, is_marked=True)


def _read_marks(text: str, name: str) -> list[dict[str, Any]]:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise OptionError(f"{name} is not JSON: {error}") from error
    if not isinstance(value, dict) or value.get("format") != MARKS_FORMAT or not isinstance(value.get("marks"), list):
        raise OptionError(f"{name} is not a file of marks ({MARKS_FORMAT})")
    for mark in value["marks"]:
        valid = isinstance(mark, dict) and isinstance(mark.get("text"), str) and isinstance(mark.get("content"), bool)
        if not valid:
            raise OptionError(f"{name}: each mark has a text, and content true or false")
    return list(value["marks"])


def fit_offset(
    logits: npt.NDArray[np.float64],
    labels: npt.NDArray[np.float64],
    weight: npt.NDArray[np.float64],
    limit: float = MAX_OFFSET,
) -> float:
    """Return the logits to add to the blocks of a template, so that they agree with their labels.

    The most probable offset, by Newton's method, if offsets are normally distributed around 0 before any label is
    seen: few labels change little.

    >>> round(fit_offset(np.array([2.0, 2.0]), np.array([0.0, 0.0]), np.array([9.0, 9.0])), 1)
    -1.2
    """
    offset = 0.0
    for _ in range(_NEWTON_STEPS):
        probs = 1 / (1 + np.exp(-np.clip(logits + offset, -30, 30)))
        gradient = float((weight * (probs - labels)).sum()) + _PRIOR * offset
        curvature = float((weight * probs * (1 - probs)).sum()) + _PRIOR
        offset = float(np.clip(offset - gradient / curvature, -limit, limit))
    return offset
