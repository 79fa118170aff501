"""`Explanation`: why the blocks of a page were kept or dropped, as data."""

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.explain.agreement import Agreement, measure_agreement
from tamis.explain.figures import Figure, make_figures
from tamis.extractors.base import Selection
from tamis.page import Page

FORMAT: Final = "tamis explanation 1"


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a group of features adds to the logit of a block.

    Attributes:
        group: the name of the group, see `tamis.explain.groups`.
        logits: what it adds: above 0 speaks for content. With the block's `base`, all of them add up to its logit.
        words: what the block has, in words.
        probability_without: the probability of the block if this group were that of an average block, or without the
            evidence of the site.
    """

    group: str
    logits: float
    words: str
    probability_without: float


@dataclass(frozen=True, slots=True)
class Flip:
    """What would turn the decision about a block around: one or two groups, if they were those of an average block.

    Attributes:
        groups: the names of the groups.
        probability: the probability of the block then.
        words: the same as a sentence.
    """

    groups: tuple[str, ...]
    probability: float
    words: str


@dataclass(frozen=True, slots=True)
class BlockExplanation:
    """Why a block was kept or dropped.

    Attributes:
        number: its number among the blocks of the page, from 0.
        row: its first text row in the page.
        text: its text.
        tag: the block-level element that contains it.
        kept: whether some of it was selected.
        kept_share: the share of its characters that was selected.
        score: the largest score of its rows, in the extractor's own unit.
        reason: the extractor's reason.
        words: the decision and its strongest evidence, as sentences.
        probability: its probability to be content; None if the extractor has none.
        logit: the logit of that probability.
        base: the logit of an average block among average blocks, the same for each block up to rounding; of evident
            boilerplate that the profile of a site judges, the logit that all of it has.
        contributions: what groups of features add, the strongest first; empty if the extractor has no network.
        flip: what would turn the decision around, if one or two groups would.
    """

    number: int
    row: int
    text: str
    tag: str
    kept: bool
    kept_share: float
    score: float
    reason: str
    words: str
    probability: float | None = None
    logit: float | None = None
    base: float | None = None
    contributions: tuple[Contribution, ...] = ()
    flip: Flip | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON values."""
        values: dict[str, Any] = {name: getattr(self, name) for name in self.__dataclass_fields__}
        values["contributions"] = [
            {name: getattr(each, name) for name in each.__dataclass_fields__} for each in self.contributions
        ]
        if self.flip is not None:
            values["flip"] = {
                "groups": list(self.flip.groups), "probability": self.flip.probability, "words": self.flip.words
            }  # fmt: skip
        return values


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why the blocks of a page were kept or dropped.

    Attributes:
        extractor: the name of the extractor.
        method: ``"shapley"`` if contributions are Shapley values of groups of features, ``"scores"`` if the extractor
            has no network and says no more than its scores and reasons.
        blocks: all blocks of the page, in document order.
        threshold: the probability from which blocks are kept on this page; None if there is none.
        note: a remark on the page as a whole, such as why it has no content.
        url: the page's URL.
        title: the page's title.
        page_type: the page type, if the extractor determines it.
        confidence: the F1 that the extractor expects, if it knows.
        page: the page.
        selection: what was selected.
    """

    extractor: str
    method: str
    blocks: tuple[BlockExplanation, ...]
    threshold: float | None
    note: str | None
    url: str | None
    title: str | None
    page_type: str | None
    confidence: float | None
    page: Page
    selection: Selection

    def __repr__(self) -> str:
        kept = sum(block.kept for block in self.blocks)
        return f"<Explanation of {self.extractor}: {kept} of {len(self.blocks)} blocks kept>"

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """The pictures of the papers for this page."""
        return make_figures(self.page)

    @cached_property
    def agreement(self) -> Agreement:
        """What every registered extractor that can run here keeps of this page, and how far they agree."""
        return measure_agreement(self.page, self.extractor, self.selection)

    @property
    def hidden_words(self) -> int:
        """The words of the page that are not shown to a reader."""
        page = self.page
        below_body: npt.NDArray[np.bool_] = np.arange(len(page)) > page.body
        return int(page.words[page.is_text & (page.hidden != 0) & below_body].sum())

    def as_dict(self, *, figures: bool = True, agreement: bool = True) -> dict[str, Any]:
        """Return the explanation as JSON values, with or without the figures and the other extractors."""
        names = (
            "extractor",
            "method",
            "url",
            "title",
            "page_type",
            "confidence",
            "threshold",
            "note",
            "hidden_words",
        )
        values: dict[str, Any] = {"format": FORMAT, **{name: getattr(self, name) for name in names}}
        values["blocks"] = [block.as_dict() for block in self.blocks]
        if figures:
            values["figures"] = [figure.as_dict() for figure in self.figures]
        if agreement:
            values["agreement"] = self.agreement.as_dict()
        return values

    @property
    def json(self) -> str:
        """The explanation as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=1)
