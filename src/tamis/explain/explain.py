"""Explain a selection: contributions from the network of sift, scores and reasons from other extractors."""

from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.explain.element_words import boilerplate_words
from tamis.explain.explanation import BlockExplanation, Contribution, Explanation, Flip
from tamis.explain.groups import AROUND, GROUP_COLUMNS, OWN_GROUPS, SITE
from tamis.explain.sentences import around_words, decision_words, score_words
from tamis.explain.words import describe, is_telling, join_phrases
from tamis.extractors.base import Selection
from tamis.extractors.sift import Reselect, shipped
from tamis.features import NAMES, Features
from tamis.features.boilerplate import without_boilerplate
from tamis.features.element_names import read_element_names
from tamis.model.choice import choose_blocks, logit_shift_for, sigmoid
from tamis.model.coalitions import GroupValues, group_values
from tamis.page import Page
from tamis.sites.block_keys import raw_texts

Floats = npt.NDArray[np.float64]

#: Blocks whose contributions are computed, a few milliseconds each: the kept ones first, then those that are nearest
#: to the threshold.
MAX_BLOCKS: Final = 1000
_PLAYERS: Final = (*OWN_GROUPS, AROUND)
_PHRASES: Final = 2  #: of a group
_NEAREST: Final = 2  #: blocks on each side that words mention
_ROUNDING: Final = 1e-6  #: logits that are no evidence of a site


def explain_selection(
    page: Page,
    selection: Selection,
    extractor: str,
    *,
    url: str | None = None,
    title: str | None = None,
    note: str | None = None,
) -> Explanation:
    """Return why the blocks of a page were kept or dropped.

    Args:
        page: the page.
        selection: what an extractor selected.
        extractor: the name of the extractor.
        url: the page's URL.
        title: the page's title.
        note: a remark on the page as a whole, such as why it has no content.

    >>> from tamis.extractors import registry
    >>> from tamis.page import parse_page
    >>> page = parse_page("<nav><a href=/>Home</a></nav><p>" + "Boil the water, and wait. " * 9)
    >>> explanation = explain_selection(page, registry.get("sift").select(page), "sift")
    >>> menu, text = explanation.blocks
    >>> text.kept, abs(text.base + sum(each.logits for each in text.contributions) - text.logit) < 1e-9
    (True, True)
    """
    facts = _block_facts(page, selection)
    threshold = None
    scores = selection.reselect
    notes = [note, selection.profile_warning]
    if isinstance(scores, Reselect) and len(page.blocks):
        method = "shapley"
        facts, threshold, limit_note = _explain_scores(page, scores, facts)
        notes.append(limit_note)
    else:
        method = "scores"
        facts = [replace(each, words=score_words(each)) for each in facts]
    return Explanation(
        extractor, method, tuple(facts), threshold, "; ".join(filter(None, notes)) or None, url, title,
        selection.page_type, selection.confidence, page, selection,
    )  # fmt: skip


def _block_facts(page: Page, selection: Selection) -> list[BlockExplanation]:
    """Return what every extractor says about each block."""
    blocks = page.blocks
    if not len(blocks):
        return []
    rows, first = blocks.rows, blocks.first
    chars = page.nonspace[rows].astype(np.float64)
    kept_chars = np.add.reduceat(np.where(selection.mask[rows], chars, 0.0), first)
    shares = kept_chars / np.maximum(np.add.reduceat(chars, first), 1)
    score = np.maximum.reduceat(selection.score[rows], first)
    stops = np.append(first[1:], len(rows))
    out = []
    for number, text in enumerate(raw_texts(page)):
        own_rows = rows[first[number] : stops[number]]
        kept_rows = own_rows[selection.mask[own_rows]]
        row = int(kept_rows[0] if len(kept_rows) else own_rows[0])
        out.append(
            BlockExplanation(
                number,
                int(blocks.start[number]),
                " ".join(text.split()),
                page.tag_name(int(blocks.container[number])),
                bool(len(kept_rows)),
                float(shares[number]),
                float(score[number]),
                selection.reasons[selection.reason[row]],
                words="",  # they need the rest of the explanation
            )
        )
    return out


def _explain_scores(
    page: Page, scores: Reselect, blocks: list[BlockExplanation]
) -> tuple[list[BlockExplanation], float, str | None]:
    """Return blocks with probabilities, contributions and words, the threshold, and a remark if some have none."""
    model = scores.extractor.model or shipped(scores.extractor.name)
    favor = logit_shift_for(scores.extractor.favor)
    decided = scores.logits - model.logit_shift  # of the blocks of `scores.page`
    # The prefix with the highest expected F1 has the blocks that are likelier than half of it.
    _, expected_f1 = choose_blocks(sigmoid(decided - favor), scores.features.size)
    threshold = _logit(expected_f1 / 2) + favor
    least = float(sigmoid(np.array(threshold)))
    judged, features, logits = scores.page, scores.features, decided
    plain = logits
    out = list(blocks)
    if scores.extractor.site is None:
        numbers = page.blocks.block_of[judged.blocks.start].tolist()  # of the blocks that the network has judged
        out = [replace(block, words=_boilerplate_words(page, block, judged.removed)) for block in blocks]
    else:
        # A profile decides about all blocks. The network has judged those that are no evident boilerplate.
        judged = without_boilerplate(page, read_element_names(page))
        places = page.blocks.block_of[judged.blocks.start]
        numbers = places.tolist()
        all_plain = scores.extractor.block_logits(page)
        features = Features(features.matrix[places], features.size[places])
        logits, plain = decided[places], all_plain[places]
        for number in sorted(set(range(len(blocks))) - set(numbers)):
            base, logit = float(all_plain[number]), float(decided[number])
            out[number] = _boilerplate_with_site(page, blocks[number], judged.removed, base, logit, least)
    is_dropped = np.array([not blocks[number].kept for number in numbers], dtype=np.bool_)
    order = np.lexsort((np.abs(logits - threshold), is_dropped))
    chosen = np.sort(order[:MAX_BLOCKS])
    values = group_values(model.networks, features.matrix, features.size, GROUP_COLUMNS, chosen)
    position = {int(block): index for index, block in enumerate(chosen)}
    probs, plain_probs = sigmoid(logits), sigmoid(plain)

    def neighbours(number: int) -> Floats:
        # As the network sees them: it does not know the site.
        before, after = plain_probs[max(0, number - _NEAREST) : number], plain_probs[number + 1 :][:_NEAREST]
        return np.concatenate([before, after])

    has_content = any(block.kept for block in blocks)
    for index, number in enumerate(numbers):
        block = replace(blocks[number], logit=float(logits[index]), probability=float(probs[index]))
        if index in position:
            site = _site_logits(float(logits[index]), float(plain[index]))
            block = _with_contributions(
                judged, index, block, values, position[index], features.matrix[index], site, neighbours(index)
            )
            block = replace(block, flip=_find_flip(block, values, position[index], threshold))
        out[number] = replace(block, words=decision_words(block, least, has_content=has_content))
    remark = None
    if expected_f1 < model.min_expected_f1:
        remark = f"the expected F1 is {expected_f1:.2f}: below {model.min_expected_f1:.2f} a page has no main content"
    if len(chosen) < len(numbers):
        limit = f"contributions are computed for {MAX_BLOCKS} of {len(numbers)} blocks"
        remark = f"{remark}; {limit}" if remark else limit
    return out, least, remark


def _site_logits(logit: float, plain: float) -> float:
    """Return what the profile of a site has added to a logit; exactly 0 if that is no more than rounding."""
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
    removed: tuple[tuple[int, int], ...],
    base: float,
    logit: float,
    threshold: float,
) -> BlockExplanation:
    """Return evident boilerplate of a page with a profile: it has a fixed logit, and what the profile adds to it."""
    words = _boilerplate_words(page, block, removed)
    site = _site_logits(logit, base)
    if not site:
        return replace(block, words=words)
    probability = float(sigmoid(np.array(logit)))
    contribution = _site_contribution(site, logit)
    if block.kept:
        words = words.replace("Dropped: e", "Kept: e", 1)
    words += f" {contribution.words[0].upper()}{contribution.words[1:]}: the probability is {probability:.2f} "
    words += f"(threshold {threshold:.2f})."
    return replace(
        block, words=words, probability=probability, logit=logit, base=logit - site, contributions=(contribution,)
    )


def _boilerplate_words(page: Page, block: BlockExplanation, removed: tuple[tuple[int, int], ...]) -> str:
    """Return why a block was left out before the network judged the others; ``""`` for the others."""
    rows = next((rows for rows in removed if rows[0] <= block.row < rows[1]), None)
    if rows is None:
        return ""
    return f"Dropped: evident boilerplate, {boilerplate_words(page, *rows)}. The network does not see it."


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
    """Return a block with its contributions, the strongest first; `number` is its number in the judged page."""
    assert block.logit is not None, "the network has judged it"
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
    return replace(
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
    assert block.logit is not None, "the network has judged it"
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
