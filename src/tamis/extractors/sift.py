"""Sift: the learned extractor, and the default.

Features of each block (`tamis.features`) go through small networks (`tamis.model.network`) that give each block a
chance to be content and each page its kind; the blocks with the best F1 to be expected are kept. Trained on WCXB dev
alone; docs/sift.md has what was tried and measured. Scores are probabilities; the same page gives the same blocks on
any machine.
"""

import base64
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError
from tamis.extractors.base import Selection
from tamis.extractors.metadata_fallback import metadata_fallback
from tamis.features import NAMES, Features, measure
from tamis.html import tags
from tamis.model.choice import chances, choose, dial
from tamis.model.network import Network, forward_all
from tamis.model.weights import Weights, from_json
from tamis.page import Page
from tamis.page.sums import Bools

Floats = npt.NDArray[np.float64]

#: The kinds of pages that are told apart, in the order of the network's outputs (WCXB's seven).
KINDS: Final = ("article", "forum", "product", "collection", "listing", "documentation", "service")
_REASONS: Final = ("unlikely to be content", "likely to be content", "a comment", "asked for", "asked to be left out")
_CONTENT, _COMMENT, _ASKED, _LEFT = 1, 2, 3, 4
_COMMENT_COLUMNS: Final = [NAMES.index("near:comment"), NAMES.index("far:comment"), NAMES.index("above:pre")]
_META_COLUMN: Final = NAMES.index("near:meta")
_TITLE_COLUMN: Final = NAMES.index("title_match")
#: Comments are left out when there is a body beside them of at least so many words; else they are the page.
_BODY: Final = 100.0
#: … unless the page may well be a forum, whose posts are called comments too, or is hardly an article.
_FORUM: Final = 0.25
_ARTICLE: Final = 0.3
_FORUM_KIND: Final = KINDS.index("forum")
_ARTICLE_KIND: Final = KINDS.index("article")
_TITLE: Final = 0.5  # how much of a page's title a heading must say to be its headline
_LINE: Final = 25.0  # words: a byline is no longer


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that was learned.

    Attributes:
        networks: their logits are averaged.
        kinds: the kinds of pages.
        shift: how far the logits are shifted before choosing: above 0, less is kept.
        least: below this expected F1 the page is taken to have no main content.
        knots: expected F1 and what it turned out to be, on pages not trained on: two rows of equal length.
        card: data, date and scores.
    """

    networks: tuple[Network, ...]
    kinds: tuple[str, ...]
    shift: float
    least: float
    knots: Floats
    card: Mapping[str, Any]

    def read(self, features: Features) -> tuple[Floats, Floats]:
        """Return a logit for each block, and the chance of each kind of page."""
        told = forward_all(self.networks, features.matrix, features.size)
        logits = np.zeros(len(features.size))
        for said, _ in told:
            logits += said
        odds = [_softmax(kinds.tolist()) for _, kinds in told]
        return logits / len(told), np.array([sum(kind) / len(told) for kind in zip(*odds, strict=True)])


def _softmax(values: list[float]) -> list[float]:
    """Return chances; seven numbers are too few for NumPy to be worth its calls."""
    high = max(values)
    grown = [math.exp(value - high) for value in values]
    total = sum(grown)
    return [value / total for value in grown]


def to_weights(model: Model) -> Weights:
    """Return a model as a weights file: arrays as base64 of half-precision numbers."""
    networks = [{name: _packed(values) for name, values in net.parameters.items()} for net in model.networks]
    values = {
        "features": list(NAMES),
        "kinds": list(model.kinds),
        "networks": networks,
        "shift": model.shift,
        "least": model.least,
        "knots": model.knots.tolist(),
    }
    return Weights("sift", values, dict(model.card))


def from_weights(weights: Weights) -> Model:
    """Read a model from a weights file; features that do not fit this version are told."""
    values = weights.values
    if weights.method != "sift" or values.get("features") != list(NAMES):
        raise OptionError("these weights are not for the features of this version; train them again")
    networks = tuple(
        Network({name: _unpacked(packed) for name, packed in network.items()}) for network in values["networks"]
    )
    return Model(
        networks,
        tuple(values["kinds"]),
        float(values["shift"]),
        float(values["least"]),
        np.array(values["knots"]),
        weights.card,
    )


def _packed(values: npt.NDArray[Any]) -> dict[str, Any]:
    data = np.ascontiguousarray(values, dtype="<f2").tobytes()
    return {"shape": list(values.shape), "f2": base64.b64encode(data).decode("ascii")}


def _unpacked(packed: Mapping[str, Any]) -> npt.NDArray[np.float32]:
    data = np.frombuffer(base64.b64decode(packed["f2"]), dtype="<f2")
    return data.reshape(packed["shape"]).astype(np.float32)


@cache
def shipped() -> Model:
    """Return the model that comes with the package, its hash checked."""
    text = files("tamis.extractors").joinpath("data/sift.json").read_text("utf-8")
    return from_weights(from_json(text, "data/sift.json"))


@dataclass(frozen=True, slots=True)
class Sift:
    """The learned extractor.

    Attributes:
        favor: ``"precision"``, ``"recall"``, or a number of logits; above 0 keeps less.
        headline: ``"auto"`` keeps the headline where the model says so, as people who label pages do; ``"keep"`` and
            ``"drop"`` decide.
        byline: the same for short lines with author and date around it.
        model: learned weights; the shipped ones unless given.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<nav><a href=/>Home</a></nav><article><h1>Tea</h1><p>" + "Boil water, and wait. " * 9)
    >>> [page.row_text(row)[:20] for row in Sift().select(page).mask.nonzero()[0]]
    ['Boil water, and wait']
    """

    favor: str | float | None = None
    headline: str = "auto"
    byline: str = "auto"
    model: Model | None = None
    name: ClassVar[str] = "sift"
    summary: ClassVar[str] = "learned from labelled pages of every kind; the default"
    source: ClassVar[str] = "Tamis 2026"

    def select(self, page: Page) -> Selection:
        """Select the blocks with the best F1 to be expected."""
        features = measure(page)
        if not len(page.blocks):
            nothing = np.zeros(len(page), dtype=np.bool_)
            return Selection.from_mask(
                page, nothing, np.zeros(len(page)), confidence=0.0, metadata_fallback=metadata_fallback(page)
            )
        model = self.model or shipped()
        logits, odds = model.read(features)
        return self._choose(page, features, logits, odds)

    def _choose(self, page: Page, features: Features, logits: Floats, odds: Floats) -> Selection:
        model = self.model or shipped()
        shifted = logits - model.shift
        turned = dial(self.favor)
        chance = chances(shifted)
        kept, comments, expected = decide(
            features, chances(shifted - turned) if turned else chance, odds, model.least
        )
        reason = kept.astype(np.uint8) * _CONTENT
        reason[comments] = _COMMENT
        self._ask(page, features, kept, reason)
        blocks, rows = page.blocks, page.blocks.rows
        block = blocks.block_of[rows]
        mask, score = np.zeros(len(page), dtype=np.bool_), np.zeros(len(page))
        why = np.zeros(len(page), dtype=np.uint8)
        mask[rows], score[rows], why[rows] = kept[block], chance[block], reason[block]
        some = bool(kept.any())
        confidence = float(np.interp(expected, model.knots[0], model.knots[1])) if some else 0.0
        kind = int(odds.argmax())

        return Selection(
            mask=mask,
            score=score,
            reason=why,
            reasons=_REASONS,
            page_type=model.kinds[kind],
            page_type_probability=float(odds[kind]),
            confidence=confidence,
            metadata_fallback=None if some else metadata_fallback(page),
            reselect=_Reselect(self, page, features, logits, odds),
        )

    def _ask(self, page: Page, features: Features, kept: Bools, reason: npt.NDArray[np.uint8]) -> None:
        """Keep or drop headline and byline as asked for."""
        if self.headline == self.byline == "auto" or not kept.any():
            return
        for wish in (self.headline, self.byline):
            if wish not in {"auto", "keep", "drop"}:
                raise OptionError(f"'auto', 'keep' or 'drop', not {wish!r}")
        host = page.tag[page.blocks.container]
        match = np.where(tags.HEADING[host], features.matrix[:, _TITLE_COLUMN], 0.0)
        best = int(np.argmax(match))
        if self.headline != "auto" and match[best] >= _TITLE:
            kept[best] = self.headline == "keep"
            reason[best] = _ASKED if kept[best] else _LEFT
        lines = np.flatnonzero((features.matrix[:, _META_COLUMN] > 0) & (features.size <= _LINE))
        first = int(np.argmax(kept))
        lines = lines[np.abs(lines - first) <= 6]  # noqa: PLR2004 (blocks: a byline stands by the beginning)
        if self.byline != "auto":
            kept[lines] = self.byline == "keep"
            reason[lines] = _ASKED if self.byline == "keep" else _LEFT


@dataclass(frozen=True, slots=True, eq=False)
class _Reselect:
    """Selects again from the scores of a page. A value and not a closure, so that a `Selection` can be pickled."""

    extractor: Sift
    page: Page
    features: Features
    logits: Floats
    odds: Floats

    def __call__(self, favor: str | float | None) -> Selection:
        return replace(self.extractor, favor=favor)._choose(self.page, self.features, self.logits, self.odds)  # noqa: SLF001


def decide(features: Features, chance: Floats, odds: Floats, least: float) -> tuple[Bools, Bools, float]:
    """Return the blocks to keep, those left out as comments, and the F1 that is to be expected.

    Comments are blocks in elements that say so, beside the body of an article: a page of nothing but comments is a
    discussion.
    """
    kept, expected = choose(chance, features.size)
    if expected < least:
        kept[:] = False
    none = np.zeros(len(kept), dtype=np.bool_)
    if odds[_FORUM_KIND] >= _FORUM or odds[_ARTICLE_KIND] < _ARTICLE:
        return kept, none, expected
    near, far, code = (features.matrix[:, column] for column in _COMMENT_COLUMNS)
    called = near + far > 0
    if not called.any():
        return kept, none, expected
    comments = kept & called & (code == 0)  # a comment in code is another thing
    body = kept & ~comments
    if float(features.size[body].sum()) < _BODY:
        return kept, none, expected
    return body, comments, expected


def card() -> str:
    """Return what is known of the shipped model, as JSON."""
    return json.dumps(dict(shipped().card), indent=2, ensure_ascii=False)
