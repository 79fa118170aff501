"""What each registered extractor keeps of a page, and how far they agree."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.errors import TamisError
from tamis.extractors import registry
from tamis.extractors.base import Selection, checked_select
from tamis.extractors.registry import needs_layout
from tamis.page import Page


@dataclass(frozen=True, slots=True)
class ExtractorResult:
    """What an extractor keeps of a page.

    Attributes:
        name: its name in the registry.
        source: where the method is from.
        words: the words that it keeps.
        blocks: the blocks of which it keeps some.
        problem: why it did not run, or None.
    """

    name: str
    source: str
    words: int = 0
    blocks: int = 0
    problem: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """What extractors keep, and how far each two agree.

    Attributes:
        results: one for each extractor that ran; the one that is explained comes first.
        failures: those that cannot run here, each with its `problem`.
        matrix: the words F1 of each two: the words that both keep, twice, by the words of one and of the other; 1 if
            both keep nothing.
    """

    results: tuple[ExtractorResult, ...]
    failures: tuple[ExtractorResult, ...]
    matrix: npt.NDArray[np.float64]

    def as_dict(self) -> dict[str, Any]:
        """Return the table as JSON values."""
        return {
            "extractors": [{"name": each.name, "words": each.words, "blocks": each.blocks} for each in self.results],
            "matrix": [[round(value, 4) for value in row] for row in self.matrix.tolist()],
            "failures": {each.name: each.problem for each in self.failures},
        }


def measure_agreement(page: Page, name: str, selection: Selection) -> Agreement:
    """Run every registered extractor that can run on a page, and compare what they keep.

    Args:
        page: the page. Extractors that need a layout run if it has one.
        name: the extractor that is explained.
        selection: what it selected.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<nav><a href=/>Home</a></nav><p>Boil the water, and wait. Then pour.</p>")
    >>> agreement = measure_agreement(page, "body", registry.get("body").select(page))
    >>> agreement.results[0].words, agreement.matrix.shape == (len(agreement.results),) * 2
    (8, True)
    """
    results, failures, masks = [], [], []
    names = [name, *(each for each in registry.names() if each != name)]
    for each in names:
        source = ""
        try:
            method = registry.get(each) if each in registry.names() else None
            source = method.source if method else "given by the caller"
            if method is not None and each != name and needs_layout(method) and page.layout is None:
                failures.append(ExtractorResult(each, source, problem="needs the layout of a browser"))
                continue
            mask = selection.mask if each == name or method is None else checked_select(method, page).mask
        except TamisError as error:
            failures.append(ExtractorResult(each, source, problem=str(error)))
            continue
        blocks = len(np.unique(page.blocks.block_of[mask])) if mask.any() else 0
        results.append(ExtractorResult(each, source, int(page.words[mask].sum()), blocks))
        masks.append(mask)
    return Agreement(tuple(results), tuple(failures), _pairwise_f1(np.array(masks), page.words))


def _pairwise_f1(masks: npt.NDArray[np.bool_], words: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    weighted = masks * words.astype(np.float64)
    both = weighted @ masks.T.astype(np.float64)
    total = np.add.outer(weighted.sum(axis=1), weighted.sum(axis=1))
    return np.where(total > 0, 2 * both / np.maximum(total, 1), 1.0)
