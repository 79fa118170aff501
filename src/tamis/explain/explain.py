"""Explain a selection: contributions from the network of sift, scores and reasons from other extractors."""

import json
import math
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.explain.figures import Agreement, Figure, make_figures, measure_agreement
from tamis.explain.words import (
    AROUND,
    GROUP_COLUMNS,
    OWN_GROUPS,
    SITE,
    boilerplate_words,
    describe,
    is_telling,
    join_phrases,
)
from tamis.extractors.registry import Selection
from tamis.page import Page
from tamis.page.deadline import check_time
from tamis.sift.choice import choose_blocks, logit_shift_for, sigmoid
from tamis.sift.contributions import GroupValues, group_values
from tamis.sift.extractor import SiftScores, link_penalty, shipped
from tamis.sift.features import Features, prune, read_element_names
from tamis.sift.schema import NAMES
from tamis.sift.site import raw_texts

# `Explanation`: why the blocks of a page were kept or dropped, as data.

FORMAT: Final = "tamis explanation 1"


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a group of features adds to the logit of a block.

    Attributes:
        group: the name of the group, see `tamis.explain.words`.
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
    """The groups, one or two, that would turn a decision around if they were those of an average block."""

    groups: tuple[str, ...]
    probability: float
    words: str


@dataclass(frozen=True, slots=True)
class BlockExplanation:
    """Why a block was kept or dropped.

    Attributes:
        number: its number among the blocks of the page, from 0.
        row: its first text row in the page.
        tag: the block-level element that contains it.
        kept: whether some of it was selected.
        kept_share: the share of its characters that was selected.
        score: the largest score of its rows, in the extractor's own unit.
        words: the decision and its strongest evidence, as sentences.
        probability: its probability to be content; None if the extractor has none.
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
        return asdict(self)


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """Why the blocks of a page were kept or dropped.

    Attributes:
        method: ``"shapley"`` if contributions are Shapley values of groups of features, ``"scores"`` if the extractor
            has no network and says no more than its scores and reasons.
        blocks: all blocks of the page, in document order.
        threshold: the probability from which blocks are kept on this page; None if there is none.
        note: a remark on the page as a whole, such as why it has no content.
        page_type: the page type, if the extractor determines it.
        confidence: the F1 that the extractor expects, if it knows.
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

    def as_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON values."""
        names = "extractor method url title page_type confidence threshold note hidden_words"
        return {
            "format": FORMAT,
            **{name: getattr(self, name) for name in names.split()},
            "blocks": [block.as_dict() for block in self.blocks],
            "figures": [figure.as_dict() for figure in self.figures],
            "agreement": self.agreement.as_dict(),
        }

    @property
    def json(self) -> str:
        """The explanation as JSON."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=1)


# Sentences about blocks: the decision, what speaks for it and against it, and what is around a block.

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
    assert block.probability is not None, "the network has pruned it"
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
    if not block.contributions:
        return parts[0]
    for label, sign in (("For it", 1), ("Against it", -1)):
        strong = [each for each in block.contributions if sign * each.logits > _MIN_LOGITS][:_STRONGEST]
        if strong:
            parts.append(f"{label}: {'; '.join(each.words for each in strong)}.")
    return " ".join(parts)


# Explain a selection: contributions from the network of sift, scores and reasons from other extractors.

#: Blocks whose contributions are computed, a millisecond each: the kept ones first, then those that are nearest to
#: the threshold. Of 150 pages of our corpora, 92 % have no more; 500 were .6 seconds for a page of tiny blocks.
MAX_BLOCKS: Final = 250
_PLAYERS: Final = (*OWN_GROUPS, AROUND)
_PHRASES: Final = 2  #: of a group
_NEAREST: Final = 2  #: blocks on each side that words mention
_ROUNDING: Final = 1e-6  #: logits below this are not evidence of a site


def explain_selection(
    page: Page,
    selection: Selection,
    extractor: str,
    *,
    url: str | None = None,
    title: str | None = None,
    note: str | None = None,
    share: float = 1.0,
) -> Explanation:
    """Return why the blocks of a page were kept or dropped.

    `note` is a remark on the page as a whole, such as why it has no content. With a `share` below 1, only the first
    blocks of the page are explained.

    >>> from tamis.extractors import registry
    >>> from tamis.page import parse_page
    >>> page = parse_page("<nav><a href=/>Home</a></nav><p>" + "Boil the water, and wait. " * 9)
    >>> explanation = explain_selection(page, registry.get("sift").select(page), "sift")
    >>> menu, text = explanation.blocks
    >>> text.kept, abs(text.base + sum(each.logits for each in text.contributions) - text.logit) < 1e-9
    (True, True)
    """
    facts = _block_facts(page, selection, math.ceil(share * len(page.blocks)))
    threshold = None
    scores = selection.scores
    notes = [note, selection.profile_warning]
    if isinstance(scores, SiftScores) and len(page.blocks):
        method = "shapley"
        facts, threshold, limit_note = _explain_scores(page, scores, facts, math.ceil(share * MAX_BLOCKS))
        notes.append(limit_note)
    else:
        method = "scores"
        facts = [_complete(each, words=score_words(each)) for each in facts]
    return Explanation(
        extractor, method, tuple(facts), threshold, "; ".join(filter(None, notes)) or None, url, title,
        selection.page_type, selection.confidence, page, selection,
    )  # fmt: skip


def _complete(block: BlockExplanation, **values: object) -> BlockExplanation:
    """Return the block itself with some values set, before anybody has it.

    Copies of all its fields, step by step, took half of the time of explaining a page of many blocks.
    """
    for name, value in values.items():
        object.__setattr__(block, name, value)
    return block


def _block_facts(page: Page, selection: Selection, count: int) -> list[BlockExplanation]:
    """Return what every extractor says about each of the first blocks."""
    blocks = page.blocks
    if not count:
        return []
    rows, first = blocks.rows, blocks.first
    chars = page.nonspace[rows].astype(np.float64)
    kept_chars = np.add.reduceat(np.where(selection.mask[rows], chars, 0.0), first)
    shares = kept_chars / np.maximum(np.add.reduceat(chars, first), 1)
    score = np.maximum.reduceat(selection.score[rows], first)
    first_kept = np.minimum.reduceat(np.where(selection.mask[rows], rows, len(page)), first)
    is_kept = first_kept < len(page)
    reasons = selection.reason[np.where(is_kept, first_kept, rows[first])]
    columns = (blocks.start, blocks.container, is_kept, shares, score, reasons)
    out = []
    for number, (text, start, container, kept, share, best, reason) in enumerate(
        zip(raw_texts(page)[:count], *(column[:count].tolist() for column in columns), strict=True)
    ):
        check_time()
        tag, why = page.tag_name(container), selection.reasons[reason]
        out.append(BlockExplanation(number, start, " ".join(text.split()), tag, kept, share, best, why, words=""))
    return out  # words need the rest of the explanation


def _explain_scores(
    page: Page, scores: SiftScores, blocks: list[BlockExplanation], max_blocks: int
) -> tuple[list[BlockExplanation], float, str | None]:
    """Return blocks with probabilities, contributions and words, the threshold, and a remark if some have none."""
    model = scores.extractor.model or shipped(scores.extractor.name)
    favor = logit_shift_for(scores.extractor.favor)
    decided = scores.logits  # of the blocks of `scores.page`
    # The prefix with the highest expected F1 has the blocks that are likelier than half of it.
    penalty = link_penalty(scores.features, scores.type_probs)
    _, expected_f1 = choose_blocks(sigmoid(decided - favor - penalty), scores.features.size)
    threshold = _logit(expected_f1 / 2) + favor
    minimum = float(sigmoid(np.array(threshold)))
    pruned, features, logits = scores.page, scores.features, decided
    plain = logits
    out = list(blocks)
    if scores.extractor.site is None:
        numbers = page.blocks.block_of[pruned.blocks.start].tolist()  # of the blocks that the network has pruned
        removed = _removed_around(page, pruned)
        for block, rows in zip(blocks, removed, strict=False):  # those that the network has pruned; the others below
            if rows is not None:
                _complete(block, words=_boilerplate_words(page, block, rows))
    else:
        # A profile decides about all blocks. The network has pruned those that are not evident boilerplate.
        pruned = prune(page, read_element_names(page))
        removed = _removed_around(page, pruned)
        places = page.blocks.block_of[pruned.blocks.start]
        numbers = places.tolist()
        all_plain = scores.extractor.block_logits(page)
        features = Features(features.matrix[places], features.size[places])
        logits, plain = decided[places], all_plain[places]
        for number in sorted(set(range(len(blocks))) - set(numbers)):
            check_time()
            base, logit = float(all_plain[number]), float(decided[number])
            out[number] = _boilerplate_with_site(page, blocks[number], removed[number], base, logit, minimum)
    numbers = [number for number in numbers if number < len(blocks)]  # in order, as all numbers are
    is_dropped = np.array([not blocks[number].kept for number in numbers], dtype=np.bool_)
    order = np.lexsort((np.abs(logits - threshold)[: len(numbers)], is_dropped))
    chosen = np.sort(order[:max_blocks])
    values = group_values(model.networks, features.matrix, features.size, GROUP_COLUMNS, chosen)
    position = {int(block): index for index, block in enumerate(chosen)}
    plain_probs = sigmoid(plain)

    def neighbours(number: int) -> Floats:
        # As the network sees them: it does not know the site.
        before, after = plain_probs[max(0, number - _NEAREST) : number], plain_probs[number + 1 :][:_NEAREST]
        return np.concatenate([before, after])

    has_content = any(block.kept for block in blocks)
    for index, number in enumerate(numbers):
        check_time()
        # The probability is the score to the last digit: the compiled exponential function is not NumPy's.
        block = _complete(blocks[number], logit=float(logits[index]), probability=blocks[number].score)
        if index in position:
            site = _site_logits(float(logits[index]), float(plain[index]))
            block = _with_contributions(
                pruned, index, block, values, position[index], features.matrix[index], site, neighbours(index)
            )
            block = _complete(block, flip=_find_flip(block, values, position[index], threshold))
        out[number] = _complete(block, words=decision_words(block, minimum, has_content=has_content))
    remark = None
    if expected_f1 < model.min_expected_f1:
        remark = f"the expected F1 is {expected_f1:.2f}: below {model.min_expected_f1:.2f} a page has no main content"
    if len(chosen) < len(numbers):
        limit = f"contributions are computed for {len(chosen)} of {len(numbers)} blocks"
        remark = f"{remark}; {limit}" if remark else limit
    return out, minimum, remark


def _site_logits(logit: float, plain: float) -> float:
    """Return what the profile of a site has added to a logit; exactly 0 if that is only rounding."""
    site = logit - plain
    return site if abs(site) > _ROUNDING else 0.0


def _site_contribution(logits: float, logit: float) -> Contribution:
    """Return the evidence of a site: what it adds to a logit, and the probability without it."""
    known = "boilerplate" if logits < 0 else "content"
    without = float(sigmoid(np.array(logit - logits)))
    return Contribution(SITE.name, logits, f"the profile of the site knows it as {known}", without)


def _boilerplate_with_site(
    page: Page,
    block: BlockExplanation,
    removed: tuple[int, int] | None,
    base: float,
    logit: float,
    threshold: float,
) -> BlockExplanation:
    """Return evident boilerplate of a page with a profile: it has a fixed logit, and what the profile adds to it."""
    words = _boilerplate_words(page, block, removed)
    site = _site_logits(logit, base)
    if not site:
        return _complete(block, words=words)
    probability = float(sigmoid(np.array(logit)))
    contribution = _site_contribution(site, logit)
    words += f" {contribution.words[0].upper()}{contribution.words[1:]}: the probability is {probability:.2f} "
    words += f"(threshold {threshold:.2f})."
    return _complete(
        block, words=words, probability=probability, logit=logit, base=logit - site, contributions=(contribution,)
    )


def _removed_around(page: Page, pruned: Page) -> list[tuple[int, int] | None]:
    """Return the range of evident boilerplate that each block of a page is in."""
    around = np.full(len(page), -1, dtype=np.int64)
    for number in reversed(range(len(pruned.removed))):  # the outer one of two is the first
        around[slice(*pruned.removed[number])] = number
    return [pruned.removed[number] if number >= 0 else None for number in around[page.blocks.start].tolist()]


def _boilerplate_words(page: Page, block: BlockExplanation, rows: tuple[int, int] | None) -> str:
    """Return why a block was left out before the network pruned the others; ``""`` for the others."""
    if rows is None:
        return ""
    decision = "Kept" if block.kept else "Dropped"  # a profile may keep it
    return f"{decision}: evident boilerplate, {boilerplate_words(page, *rows)}. The network does not see it."


def _logit(probability: float) -> float:
    clipped = min(max(probability, 1e-12), 1 - 1e-12)
    return float(np.log(clipped / (1 - clipped)))


def _with_contributions(
    page: Page,
    number: int,
    block: BlockExplanation,
    values: GroupValues,
    index: int,
    stored: npt.NDArray[np.float32],
    site: float,
    neighbours: Floats,
) -> BlockExplanation:
    """Return a block with its contributions, the strongest first; `number` is its number in the pruned page."""
    assert block.logit is not None, "the network has pruned it"
    shapley = values.shapley[index].tolist()
    around = around_words(shapley[-1], neighbours)
    offset = block.logit - float(values.base[index]) - sum(shapley)  # the site, the model's shift, and rounding
    out = []
    for player, group in enumerate(_PLAYERS):
        without = block.logit + float(values.without[index, player]) - float(values.base[index]) - sum(shapley)
        words = (
            around
            if group is AROUND
            else _group_words(page, number, player, values.slopes[index], stored, shapley[player])
        )
        out.append(Contribution(group.name, shapley[player], words, float(sigmoid(np.array(without)))))
    if site:
        out.append(_site_contribution(site, block.logit))
    return _complete(
        block,
        base=float(values.base[index]) + offset - site,
        contributions=tuple(sorted(out, key=lambda each: -abs(each.logits))),
    )


def _group_words(
    page: Page, block: int, player: int, slopes: Floats, stored: npt.NDArray[np.float32], logits: float
) -> str:
    """Return words for a group: what its strongest features say, of those that speak as the group does."""
    columns = np.array(GROUP_COLUMNS[player])
    strength = slopes[columns] * np.sign(logits)
    order = np.argsort(-strength, kind="stable")
    phrases: list[str] = []
    for column in columns[order[strength[order] > 0]].tolist():
        if len(phrases) == _PHRASES:
            break
        if not is_telling(NAMES[column], stored, page, block):
            continue
        phrase = describe(NAMES[column], float(stored[column]), page, block)
        if phrase is not None and phrase not in phrases:
            phrases.append(phrase)
    return join_phrases(phrases) or f"{OWN_GROUPS[player].subject}, taken together"


def _find_flip(block: BlockExplanation, values: GroupValues, index: int, threshold: float) -> Flip | None:
    """Return the one group, or the two, without which the block would be on the other side of the threshold."""
    assert block.logit is not None, "the network has pruned it"
    is_above = block.logit > threshold
    if is_above != block.kept:
        return None  # a rule decided, not the network
    site = next((each for each in block.contributions if each.group == SITE.name), None)
    if site is not None and (block.logit - site.logits > threshold) != is_above:
        outcome = "dropped" if is_above else "kept"
        words = f"It would be {outcome} without {SITE.subject} ({site.probability_without:.2f})."
        return Flip((SITE.name,), site.probability_without, words)
    offset = block.logit - float(values.base[index] + values.shapley[index].sum())
    one = [((player,), float(values.without[index, player])) for player in range(len(_PLAYERS))]
    two = [
        ((first, second), float(values.without_two[index, first, second]))
        for first, second in combinations(range(len(_PLAYERS)), 2)
    ]
    for candidates in (one, two):
        players, logit = (min if is_above else max)(candidates, key=lambda each: each[1])
        if (logit + offset > threshold) != is_above:
            names = tuple(_PLAYERS[player].name for player in players)
            probability = float(sigmoid(np.array(logit + offset)))
            subjects = " and ".join(_PLAYERS[player].subject for player in players)
            outcome = "dropped" if is_above else "kept"
            words = f"It would be {outcome} if {subjects} were as for an average block ({probability:.2f})."
            return Flip(names, probability, words)
    return None
