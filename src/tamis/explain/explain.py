"""Explain a selection: contributions from the network of sift, scores and reasons from other extractors."""

from dataclasses import replace
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.explain.explanation import BlockExplanation, Contribution, Explanation, Flip
from tamis.explain.groups import AROUND, GROUP_COLUMNS, GROUPS, OWN_GROUPS, SITE
from tamis.explain.words import boilerplate_words, describe
from tamis.extractors.base import Selection
from tamis.extractors.sift import Reselect, shipped
from tamis.features import NAMES
from tamis.model.choice import choose_blocks, logit_shift_for, sigmoid
from tamis.model.coalitions import GroupValues, group_values
from tamis.page import Page
from tamis.sites.block_keys import raw_texts

Floats = npt.NDArray[np.float64]

#: Blocks whose contributions are computed, a few milliseconds each: the kept ones first, then those that are nearest
#: to the threshold.
MAX_BLOCKS: Final = 1000
_PLAYERS: Final = (*OWN_GROUPS, AROUND)
_TITLES: Final = {group.name: group.title.lower() for group in GROUPS}
_PHRASES: Final = 2  #: of a group
_NEAREST: Final = 2  #: blocks on each side that words mention
_STRONGEST: Final = 2  #: groups for, and against, in the words of a block
_MIN_LOGITS: Final = 0.05  #: of a contribution that is worth a word


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
    if isinstance(scores, Reselect) and len(page.blocks):
        method, notes = "shapley", [note]
        facts, threshold, limit_note = _explain_scores(page, scores, facts)
        notes.append(limit_note)
        note = "; ".join(filter(None, notes)) or None
    else:
        method = "scores"
        facts = [replace(each, words=_score_words(each)) for each in facts]
    return Explanation(
        extractor, method, tuple(facts), threshold, note, url, title, selection.page_type, selection.confidence, page,
        selection,
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


def _score_words(block: BlockExplanation) -> str:
    return f"{'Kept' if block.kept else 'Dropped'}: {block.reason}. Its score is {block.score:.3g}."


def _explain_scores(
    page: Page, scores: Reselect, blocks: list[BlockExplanation]
) -> tuple[list[BlockExplanation], float, str | None]:
    """Return blocks with probabilities, contributions and words, the threshold, and a remark if some have none."""
    model = scores.extractor.model or shipped(scores.extractor.name)
    features, judged = scores.features, scores.page
    logits = scores.logits - model.logit_shift
    favor = logit_shift_for(scores.extractor.favor)
    # The prefix with the highest expected F1 has the blocks that are likelier than half of it.
    _, expected_f1 = choose_blocks(sigmoid(logits - favor), features.size)
    threshold = _logit(expected_f1 / 2) + favor
    plain = logits if scores.extractor.site is None else model.predict(features)[0] - model.logit_shift
    numbers = page.blocks.block_of[judged.blocks.start].tolist()  # of the blocks that the network has judged
    is_dropped = np.array([not blocks[number].kept for number in numbers])
    order = np.lexsort((np.abs(logits - threshold), is_dropped))
    chosen = np.sort(order[:MAX_BLOCKS])
    values = group_values(model.networks, features.matrix, features.size, GROUP_COLUMNS, chosen)
    position = {int(block): index for index, block in enumerate(chosen)}
    probs = sigmoid(logits)

    def neighbours(number: int) -> Floats:
        return np.concatenate([probs[max(0, number - _NEAREST) : number], probs[number + 1 : number + 1 + _NEAREST]])

    least = float(sigmoid(np.array(threshold)))
    out = [replace(block, words=_boilerplate_words(page, block, judged.removed)) for block in blocks]
    for index, number in enumerate(numbers):
        block = replace(blocks[number], logit=float(logits[index]), probability=float(probs[index]))
        if index in position:
            site = float(logits[index] - plain[index])
            block = _with_contributions(
                judged, index, block, values, position[index], features.matrix[index], site, neighbours(index)
            )
            block = replace(block, flip=_find_flip(block, values, position[index], threshold))
        out[number] = replace(block, words=_decision_words(block, least))
    remark = None
    if expected_f1 < model.min_expected_f1:
        remark = f"the expected F1 is {expected_f1:.2f}: below {model.min_expected_f1:.2f} a page has no main content"
    if len(chosen) < len(numbers):
        limit = f"contributions are computed for {MAX_BLOCKS} of {len(numbers)} blocks"
        remark = f"{remark}; {limit}" if remark else limit
    return out, least, remark


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
    around = _around_words(shapley[-1], neighbours)
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
        known = "boilerplate" if site < 0 else "content"
        out.append(Contribution(SITE.name, site, f"the profile of the site knows it as {known}"))
    return replace(
        block,
        base=float(values.base[index]) + offset - site,
        contributions=tuple(sorted(out, key=lambda each: -abs(each.logits))),
    )


def _around_words(logits: float, neighbours: Floats) -> str:
    """Return what the nearest blocks are, or what the rest of the page says if that is something else."""
    likely = int((neighbours > 0.5).sum())  # noqa: PLR2004 (likelier than not)
    if len(neighbours) and (likely * 2 > len(neighbours)) == (logits > 0):
        some = f"{likely}" if logits > 0 else f"only {likely}"
        share = "all" if likely == len(neighbours) else "none" if not likely else some
        return f"{share} of the {len(neighbours)} blocks next to it {'looks' if likely == 1 else 'look'} like content"
    return f"the rest of the page speaks {'for' if logits > 0 else 'against'} it"


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
        phrase = describe(NAMES[column], float(stored[column]), page, block)
        if phrase is not None and phrase not in phrases:
            phrases.append(phrase)
    return ", ".join(phrases) or f"its {_TITLES[OWN_GROUPS[player].name]}, taken together"


def _find_flip(block: BlockExplanation, values: GroupValues, index: int, threshold: float) -> Flip | None:
    """Return the one group, or the two, without which the block would be on the other side of the threshold."""
    assert block.logit is not None, "the network has judged it"
    is_above = block.logit > threshold
    if is_above != block.kept:
        return None  # a rule decided, not the network
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
            titles = " and its ".join(_TITLES[name] for name in names)
            outcome = "dropped" if is_above else "kept"
            words = f"It would be {outcome} if its {titles} were as for an average block ({probability:.2f})."
            return Flip(names, probability, words)
    return None


def _decision_words(block: BlockExplanation, threshold: float) -> str:
    """Return the decision about a block and its strongest evidence."""
    assert block.probability is not None, "the network has judged it"
    decision = "Kept" if block.kept else "Dropped"
    sentence = f"{decision}: the probability to be content is {block.probability:.2f}"
    if block.kept and block.probability < threshold:
        sentence += f", below the threshold of {threshold:.2f}, but the blocks around it need it"
    elif not block.kept and block.probability > threshold:
        sentence += f", above the threshold of {threshold:.2f}, but a rule leaves it out ({block.reason})"
    else:
        sentence += f" (threshold {threshold:.2f})"
    parts = [sentence + "."]
    for label, sign in (("For it", 1), ("Against it", -1)):
        strong = [each for each in block.contributions if sign * each.logits > _MIN_LOGITS][:_STRONGEST]
        if strong:
            parts.append(f"{label}: {'; '.join(each.words for each in strong)}.")
    return " ".join(parts)
