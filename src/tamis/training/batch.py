"""Training pages, and batches of them: the blocks of several pages, concatenated."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_MAX_BLOCKS: Final = 1500  # blocks of a page per batch: a random part of a longer page is enough


@dataclass(frozen=True, slots=True)
class Example:
    """A training page.

    Attributes:
        matrix: its features, blocks by columns.
        size: the estimated size of each block, as the extractor knows it.
        words: the words of each block, as the metric counts them.
        hits: how many of them are in the gold text.
        page_type: the index of its page type, -1 if unknown.
        corpus: the index of its corpus. The first corpus defines what is content; others differ a little.
        weight: the weight of the page in the loss.
    """

    matrix: npt.NDArray[Any]
    size: npt.NDArray[np.float64]
    words: npt.NDArray[np.float64]
    hits: npt.NDArray[np.float64]
    page_type: int
    corpus: int = 0
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Batch:
    """The blocks of several pages, concatenated.

    Attributes:
        matrix: the features of the blocks.
        size: the size of each block.
        words: the words of each block.
        hits: how many of them are in the gold text.
        page: the page of each block, as an index into the batch.
        starts: the first block of each page.
        page_types: the page type of each page, -1 if unknown.
        corpora: the corpus of each page.
        weights: the weight of each page.
    """

    matrix: Floats
    size: Floats
    words: Floats
    hits: Floats
    page: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int64]
    page_types: npt.NDArray[np.int64]
    corpora: npt.NDArray[np.int64]
    weights: Floats

    @classmethod
    def from_examples(cls, examples: Sequence[Example], random: np.random.Generator) -> "Batch":
        """Concatenate pages. Of a page with too many blocks, take a random part."""
        slices = []
        for example in examples:
            count = len(example.words)
            first = int(random.integers(0, count - _MAX_BLOCKS + 1)) if count > _MAX_BLOCKS else 0
            slices.append(slice(first, first + _MAX_BLOCKS))
        lengths = [len(example.words[cut]) for example, cut in zip(examples, slices, strict=True)]

        def joined(name: str) -> Floats:
            parts = [getattr(example, name)[cut] for example, cut in zip(examples, slices, strict=True)]
            return np.concatenate(parts).astype(np.float32)

        return cls(
            joined("matrix"),
            joined("size"),
            joined("words"),
            joined("hits"),
            np.repeat(np.arange(len(examples)), lengths),
            np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.int64),
            np.array([example.page_type for example in examples]),
            np.array([example.corpus for example in examples]),
            np.array([example.weight for example in examples], dtype=np.float32),
        )

    def sum(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Sum rows over each page."""
        return np.asarray(np.add.reduceat(values, self.starts, axis=0))

    def neighbours(self, state: Floats, dilation: int) -> Floats:
        """Concatenate to each row the rows `dilation` before and after it on the same page."""
        width = state.shape[1]
        out = np.zeros((len(state), 3 * width), dtype=np.float32)
        out[:, width : 2 * width] = state
        if len(state) > dilation:
            same = (self.page[dilation:] == self.page[:-dilation])[:, None]
            out[dilation:, :width] = state[:-dilation] * same
            out[:-dilation, 2 * width :] = state[dilation:] * same
        return out

    def neighbours_gradient(self, gradient: npt.NDArray[Any], dilation: int) -> npt.NDArray[Any]:
        """Return the gradient of the rows from the gradient of `neighbours`."""
        width = gradient.shape[1] // 3
        out = gradient[:, width : 2 * width].copy()
        if len(gradient) > dilation:
            same = (self.page[dilation:] == self.page[:-dilation])[:, None]
            out[:-dilation] += gradient[dilation:, :width] * same
            out[dilation:] += gradient[:-dilation, 2 * width :] * same
        return out
