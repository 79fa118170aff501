"""Sift: the learned extractor, and the default.

Small networks (`tamis.sift.network`) read the features of each block (`tamis.sift.features`). They give each block a
probability to be content, and the page its type. The blocks with the highest expected F1 are kept
(`tamis.sift.choice`). docs/sift.md has the training data, docs/lab/sift.md what was tried.
Scores are probabilities. The same page gives the same blocks on any machine.
"""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from tamis._core.enums import Reason
from tamis._core.features import ALPHABETIC
from tamis._core.loader import core
from tamis.errors import OptionError
from tamis.extractors.registry import Selection
from tamis.extractors.weights import from_json
from tamis.lazy import dataclass
from tamis.page import Page
from tamis.page.parse import release_unused
from tamis.page.sums import Bools
from tamis.sift.choice import code_and_callouts, logit_shift_for
from tamis.sift.fallback import LITTLE_SHOWN, metadata_fallback
from tamis.sift.features import Features, measure, prune, read_element_names
from tamis.sift.network import SiftModel
from tamis.sift.schema import COLUMN, PAGE_TYPES
from tamis.sift.site import SiteProfile

Floats = npt.NDArray[np.float64]

#: In the order of `Reason`.
_REASONS: Final = (
    "unlikely to be content", "likely to be content", "comment", "kept by option", "dropped by option",
    "evident boilerplate", "repetition, label, advertisement, link or card",
)  # fmt: skip
_COLUMNS: Final = core.ChoiceColumns(COLUMN)
#: Comments are kept where the page is more likely a forum, whose posts are called comments too, or hardly an article.
#: The numbers were chosen on the folds of WCXB dev; docs/lab/sift.md has what they are worth elsewhere.
_FORUM, _MAX_FORUM_PROBABILITY = PAGE_TYPES.index("forum"), 0.5
_ARTICLE, _MIN_ARTICLE_PROBABILITY = PAGE_TYPES.index("article"), 0.1
_MIN_CARD_PROBABILITY: Final = 0.5  #: of an article, between whose paragraphs cards lead to other ones
_QUOTING_TYPES: Final = frozenset({"article", "documentation"})  #: whose quotations are content
#: What pages have and fragments of HTML do not.
_HEAD_TAGS: Final = ("title", "meta", "link", "style", "script")
#: Of evident boilerplate, which the network does not see: about what it says of menus that it sees.
_BOILERPLATE_LOGIT: Final = -7.75
_MAX_BYLINE: Final = 25.0  # words
_MAX_BYLINE_DISTANCE: Final = 6  # blocks from the first kept one


@cache
def shipped(name: str = "sift") -> SiftModel:
    """Return a model that comes with the package, after checking its hash."""
    file = f"{name}.json"
    text = Path(__file__).with_name("weights").joinpath(file).read_text("utf-8")
    return SiftModel.from_weights(from_json(text, file))


def card(name: str = "sift") -> str:
    """Return the card of a shipped model, as JSON."""
    return json.dumps(dict(shipped(name).card), indent=2, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Sift:
    """The learned extractor.

    Attributes:
        favor: ``"precision"``, ``"recall"``, or a number of logits (above 0 keeps less).
        headline: ``"keep"`` or ``"drop"`` the headline; ``"auto"`` leaves it to the model, which learned what people
            who label pages do.
        byline: the same for short lines with author and date near the start.
        model: the learned model; None for the shipped one.
        site: what was learned about the site that the pages are from.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<nav><a href=/>Home</a></nav><article><h1>Tea</h1><p>" + "Boil water, and wait. " * 9)
    >>> [page.row_text(row)[:20] for row in Sift().select(page).mask.nonzero()[0]]
    ['Tea', 'Boil water, and wait']
    """

    favor: str | float | None = None
    headline: str = "auto"
    byline: str = "auto"
    model: SiftModel | None = None
    site: SiteProfile | None = None
    name: ClassVar[str] = "sift"
    summary: ClassVar[str] = "learned from labelled pages of seven types; the default"
    source: ClassVar[str] = "Tamis 2026"

    @property
    def _model(self) -> SiftModel:
        return self.model or shipped(self.name)

    def select(self, page: Page) -> Selection:
        """Select the blocks with the highest expected F1."""
        if not page.columns.block_count:
            nothing = np.zeros(len(page), dtype=np.bool_)
            return Selection.from_mask(
                page, nothing, np.zeros(len(page)), confidence=0.0, metadata_fallback=metadata_fallback(page)
            )
        pruned, features, logits, type_probs = self._score(page)
        if self.site is None:
            return self._choose(pruned, features, logits, type_probs)
        # A profile may know better what is boilerplate: it has a say about every block.
        features, logits = _expand(page, pruned, features, logits)
        adjusted, warning = self.site.adjust(page, features.size, logits)
        selection = self._choose(page, features, adjusted, type_probs)
        return replace(selection, profile_warning=warning)

    def _score(self, page: Page) -> tuple[Page, Features, Floats, Floats]:
        """Return the page without evident boilerplate; features and logits of its blocks; page type probabilities."""
        names = read_element_names(page)
        pruned = prune(page, names)
        features = self._model.bound(measure(pruned, names))
        release_unused(page)
        return pruned, features, *self._model.predict(features)

    def block_logits(self, page: Page) -> Floats:
        """Return the logit of each block, without the evidence of a site; above 0 is likely content."""
        if not page.columns.block_count:
            return np.zeros(0)
        pruned, features, logits, _ = self._score(page)
        return _expand(page, pruned, features, logits)[1]

    def _choose(self, page: Page, features: Features, logits: Floats, type_probs: Floats) -> Selection:
        model, columns = self._model, page.columns
        page_type = int(type_probs.argmax())
        is_article = bool(type_probs[_ARTICLE] >= _MIN_CARD_PROBABILITY)
        fallback = metadata_fallback(page, has_content=True) if columns.word_count < LITTLE_SHOWN else None
        kept, block_reason = np.zeros((2, len(logits)), dtype=np.uint8)
        mask, reason = np.zeros((2, len(page)), dtype=np.uint8)
        score = np.zeros(len(page))
        expected_f1, has_kept = core.choose(
            columns, page.text, page.attribute_source, features.matrix, _COLUMNS, features.size, logits,
            list(page.data_tables) if page.tag_count("tr") else [], code_and_callouts(page),
            kept, block_reason, mask, score, reason,
            favor=logit_shift_for(self.favor),
            minimum=model.min_expected_f1,
            is_article=is_article,
            may_have_comments=may_have_comments(type_probs),
            is_fragment=self.site is None and _is_fragment(page),
            is_declared=fallback is not None,
            quotations=model.page_types[page_type] in _QUOTING_TYPES,
        )  # fmt: skip
        if not self.headline == self.byline == "auto" and kept.any():
            self._apply_options(features, kept.view(np.bool_), block_reason)
            core.change_rows(columns, kept, block_reason, mask, reason)
        for start, stop in page.removed:
            reason[start:stop] = Reason.BOILERPLATE
        any_kept = bool(kept.any())
        return Selection(
            mask=mask.view(np.bool_),
            score=score,
            reason=reason,
            reasons=_REASONS,
            page_type=model.page_types[page_type],
            page_type_probability=float(type_probs[page_type]),
            confidence=model.calibrate(expected_f1) if any_kept else 0.0,
            metadata_fallback=None if any_kept else (fallback if has_kept else None) or metadata_fallback(page),
            scores=SiftScores(self, page, features, logits, type_probs),
            scores_are_probabilities=True,
        )

    def _apply_options(self, features: Features, kept: Bools, reason: npt.NDArray[np.uint8]) -> None:
        """Keep or drop the headline and the byline as the options say."""
        for option in (self.headline, self.byline):
            if option not in {"auto", "keep", "drop"}:
                raise OptionError(f"headline and byline must be 'auto', 'keep' or 'drop', not {option!r}")
        model = self._model
        headline = model.find_headline(features) if self.headline != "auto" else None
        if headline is not None:
            kept[headline] = self.headline == "keep"
            reason[headline] = Reason.KEPT if kept[headline] else Reason.DROPPED
        bylines = np.flatnonzero((features.column("near:meta") > 0) & (features.size <= _MAX_BYLINE))
        first_kept = int(np.argmax(kept))
        bylines = bylines[np.abs(bylines - first_kept) <= _MAX_BYLINE_DISTANCE]
        if self.byline != "auto":
            kept[bylines] = self.byline == "keep"
            reason[bylines] = Reason.KEPT if self.byline == "keep" else Reason.DROPPED


def _expand(page: Page, pruned: Page, features: Features, logits: Floats) -> tuple[Features, Floats]:
    """Return features and logits of all blocks of a page; those of evident boilerplate are zeros and low logits."""
    if pruned is page:
        return features, logits
    places = page.blocks.block_of[pruned.blocks.start]
    matrix = np.zeros((len(page.blocks), features.matrix.shape[1]), dtype=np.float32)
    matrix[places] = features.matrix
    size = page.blocks.sum(page.nonspace) / ALPHABETIC
    size[places] = features.size
    out = np.full(len(page.blocks), _BOILERPLATE_LOGIT)
    out[places] = logits
    return Features(matrix, size), out


@dataclass(frozen=True, slots=True)
class SiftOpen(Sift):
    """Sift with weights that were learned from WCXB alone, which is licensed for any use (CC BY 4.0).

    The weights of `Sift` were learned from research corpora as well; NOTICE has the terms.
    """

    name: ClassVar[str] = "sift-open"
    summary: ClassVar[str] = "sift with weights of openly licensed pages alone"


@dataclass(frozen=True, slots=True, eq=False)
class SiftScores:
    """The features and logits of the blocks of a page, from which they are chosen.

    Attributes:
        extractor: what they are scored by.
        page: the page, without its evident boilerplate unless a profile decides about all blocks.
        features: of each block.
        logits: of each block, shifted: above 0 is likely content.
        type_probs: the probability of each page type.
    """

    extractor: Sift
    page: Page
    features: Features
    logits: Floats
    type_probs: Floats

    def select(self, favor: str | float | None) -> Selection:
        """Return what is chosen with a `favor`."""
        return replace(self.extractor, favor=favor)._choose(self.page, self.features, self.logits, self.type_probs)  # noqa: SLF001


def link_penalty(features: Features, type_probs: Floats) -> Floats:
    """Return the logits that each block loses before the choice: those of links on an article, and 0."""
    out = np.zeros(len(features.size))
    if type_probs[_ARTICLE] >= _MIN_CARD_PROBABILITY:
        core.penalize_links(features.matrix, _COLUMNS, features.size, out)
    return out


def may_have_comments(type_probs: Floats) -> bool:
    """Tell whether comments on a page are beside its content: it may be an article, and is hardly a forum."""
    is_forum = type_probs[_FORUM] >= _MAX_FORUM_PROBABILITY
    return not is_forum and bool(type_probs[_ARTICLE] >= _MIN_ARTICLE_PROBABILITY)


def decide(
    features: Features, probs: Floats, type_probs: Floats, min_expected_f1: float
) -> tuple[Bools, Bools, float]:
    """Return the blocks to keep, the blocks left out as comments, and the expected F1, for training.

    Comments are blocks in elements that are named so, beside the body of an article. A page of nothing but comments
    is a discussion, and keeps them.
    """
    kept, comments = np.zeros((2, len(probs)), dtype=np.bool_)
    expected_f1 = core.settle_choice(
        features.matrix, _COLUMNS, probs, features.size, min_expected_f1, kept.view(np.uint8),
        comments.view(np.uint8), in_article=may_have_comments(type_probs),
    )  # fmt: skip
    return kept, comments, expected_f1


def _is_fragment(page: Page) -> bool:
    """Tell whether a page is HTML without a head and without evident boilerplate: an item of a feed, our own HTML."""
    return not len(page.removed) and not any(map(page.tag_count, _HEAD_TAGS))
