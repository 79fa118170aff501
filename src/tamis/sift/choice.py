"""The choice of blocks: the probability-ranked prefix with the highest expected F1, and what belongs to it.

Blocks are ranked by their probability to be content. Of all prefixes of that ranking, the one with the highest F1 is
kept, computed as if the probabilities were true. `favor` shifts the logits first: a shift above 0 favors precision,
one below 0 favors recall. Then structure among the kept blocks is completed, and so are half-kept lists and tables.
"""

import math
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis._core.loader import core
from tamis.errors import OptionError, closest_name
from tamis.html.callouts import callout_type
from tamis.page import Page
from tamis.page.sums import Bools

Floats = npt.NDArray[np.float64]

#: The logit shift of each word for `favor`.
FAVOR_SHIFTS: Final = {"precision": 1.5, "recall": -1.5, "balance": 0.0}


def logit_shift_for(favor: str | float | None) -> float:
    """Return the logit shift of a `favor`: a word, a finite number of logits, or None for no shift.

    >>> logit_shift_for("precision"), logit_shift_for(None), logit_shift_for(-0.5)
    (1.5, 0.0, -0.5)
    """
    if favor is None:
        return 0.0
    if isinstance(favor, str) and favor in FAVOR_SHIFTS:
        return FAVOR_SHIFTS[favor]
    if isinstance(favor, (int, float)) and not isinstance(favor, bool) and math.isfinite(favor):
        return float(favor)
    meant = closest_name(favor, FAVOR_SHIFTS)
    hint = f"; did you mean {meant}?" if meant else ""
    raise OptionError(f"favor must be 'precision', 'recall', 'balance' or a number, not {favor!r}{hint}")


def sigmoid(logits: Floats) -> Floats:
    """Return the probabilities of logits.

    >>> sigmoid(np.array([0.0])).tolist()
    [0.5]
    """
    return np.asarray(1 / (1 + np.exp(-np.minimum(np.maximum(logits, -30), 30))))  # np.clip is slower to call


def choose_blocks(probs: Floats, size: Floats) -> tuple[npt.NDArray[np.bool_], float]:
    """Return which blocks to keep, and the expected F1.

    >>> kept, expected_f1 = choose_blocks(np.array([0.9, 0.1, 0.8]), np.array([10.0, 10.0, 10.0]))
    >>> kept.tolist(), round(expected_f1, 3)
    ([True, False, True], 0.895)
    """
    kept = np.zeros(len(probs), dtype=np.bool_)
    if not len(probs):
        return kept, 0.0
    return kept, core.keep_best((-probs).argsort(kind="stable"), probs, size, kept.view(np.uint8))


#: Of a group of kept blocks on an article: the blocks up to the next group, the share of the size of the largest
#: group, and the mean probability. It is the list of other articles, far below. On pages that no network has seen, 32
#: pages of ten corpora are better and 4 worse. Swept 1 to 32, 0.03 to 0.5, 0.6 to 1.
_ISLAND_GAP, _MAX_ISLAND_SHARE, _MAX_ISLAND_PROBABILITY = 24, 0.3, 0.8


def drop_islands(kept: Bools, probs: Floats, size: Floats) -> Bools:
    """Return the kept blocks of an article without small groups of improbable ones far from the others.

    >>> kept = np.array([True] * 4 + [False] * 30 + [True])
    >>> np.flatnonzero(drop_islands(kept, np.array([0.99] * 34 + [0.6]), np.full(35, 20.0))).tolist()
    [0, 1, 2, 3]
    """
    blocks = np.flatnonzero(kept)
    starts = np.flatnonzero(np.diff(blocks, prepend=-2 * _ISLAND_GAP) > _ISLAND_GAP)
    if len(starts) <= 1:
        return kept
    sizes = np.add.reduceat(size[blocks], starts)
    means = np.add.reduceat(probs[blocks] * size[blocks], starts) / sizes
    is_island = (sizes < _MAX_ISLAND_SHARE * sizes.max()) & (means < _MAX_ISLAND_PROBABILITY)
    out = kept.copy()
    out[blocks[np.repeat(is_island, np.diff(starts, append=len(blocks)))]] = False
    return out


#: Of the heading of the main article, as its feature `title_match` has it; and of that article, in what is kept. Of
#: 660 pages of six corpora with several such headings, none changes.
_MIN_TITLE_MATCH, _MIN_MAIN_SHARE, _MIN_MAIN_BLOCKS = 0.5, 0.2, 3


def drop_next_articles(page: Page, kept: Bools, title_match: npt.NDArray[np.float32], size: Floats) -> Bools:
    """Return the kept blocks of an article without the articles that an endless scroll put below it.

    These are in elements like its own, with headings like its own. Its heading is the title that the page declares.

    >>> from tamis.page import parse_page
    >>> page = parse_page(3 * "<article><h1>Tea</h1><p>Boil water.<p>Wait.<p>Pour.</article>")
    >>> title_match = np.zeros(12, dtype=np.float32)
    >>> title_match[4] = 1
    >>> drop_next_articles(page, np.ones(12, dtype=np.bool_), title_match, np.ones(12)).nonzero()[0].tolist()
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    if page.tag_count("h1") <= 1:
        return kept
    first, last, _ = page.block_ranges
    headings = [row for row in page.rows_of("h1").tolist() if last[row] > first[row]]
    is_title = [bool(title_match[first[row]] >= _MIN_TITLE_MATCH) for row in headings]
    if not any(is_title) or is_title[-1]:
        return kept
    main = headings[is_title.index(True)]
    child: dict[int, int] = {}  # of each ancestor of the title: the one that contains it
    row = main
    while row > 0:
        child[int(page.parent[row])] = row
        row = int(page.parent[row])
    classes, out, kept_size = page.text_classes[0], kept.copy(), np.where(kept, size, 0.0)
    for heading, known in zip(headings, is_title, strict=True):
        row = heading
        while int(page.parent[row]) not in child:
            row = int(page.parent[row])
        own = child[int(page.parent[row])]
        if known or heading < main or heading == row or main == own:
            continue
        is_like = page.tag[row] == page.tag[own] and classes[row] == classes[own]
        article = slice(first[own], last[own])
        is_main = kept[article].sum() > _MIN_MAIN_BLOCKS and (
            kept_size[article].sum() >= _MIN_MAIN_SHARE * kept_size.sum()
        )
        if is_like and is_main:
            out[first[row] : last[row]] = False
    return out


# What belongs to kept blocks. The loops, and the constants, are in `tamis._core.completion` and
# `tamis._core.structure`.

#: Code without ``pre``: tables of code hosts and highlighters, and what editors draw.
_CODE_NAMES: Final = ("js-file-line-container", "syntaxhighlighter", "crayon-table", "cm-content", "CodeMirror-code")
_CODE_SELECTOR: Final = ",".join(f".{name}" for name in _CODE_NAMES)
#: Callout boxes of documentation systems. Names that cookie banners and forms have too (alert, notice) are not here.
_CALLOUT_NAMES: Final = (
    "admonition", "callout", "markdown-alert", "notecard", "custom-block", "starlight-aside", "information-macro",
)  # fmt: skip
_CALLOUT_SELECTOR: Final = ",".join(f"[class*='{name}']" for name in _CALLOUT_NAMES)
_CODE_PART, _CALLOUT_PART = 1, 2
_PARTS: Final = core.Parts({_CODE_PART: [name.lower() for name in _CODE_NAMES], _CALLOUT_PART: _CALLOUT_NAMES})


def complete_structure(
    page: Page, kept: Bools, excluded: Bools, *, quotations: bool = False, cards: bool = True, appeals: bool = True
) -> Bools:
    """Return the kept blocks with the code, formulas, callouts, headings and captions among them.

    The `excluded` blocks stay out. With `quotations`, short quotations among them are kept too. Without `cards`,
    cards of other articles between its paragraphs are left out; without `appeals`, boxes that ask for something
    twice or with a button. Labels, repeats and boxes with forms are left out.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<main><p>" + "Boil the water, and wait. " * 5 + "<pre>tea.brew()</pre></main>")
    >>> complete_structure(page, np.array([True, False]), np.zeros(2, dtype=np.bool_)).tolist()
    [True, True]
    """
    out = kept.copy()
    core.complete_structure(
        page.columns, page.text, page.attribute_source, kept.view(np.uint8), excluded.view(np.uint8),
        _code_and_callouts(page), out.view(np.uint8), quotations=quotations, cards=cards, appeals=appeals,
    )  # fmt: skip
    return out


def _code_and_callouts(page: Page) -> list[int]:
    """Return the code and the callouts of a page that are known by their class."""
    names = page.text_classes[1]
    found, _ = core.part_bits(list(names), _PARTS)
    if not found:
        return []
    rows: list[int] = []
    classes = "\n".join(names)
    if found & _CODE_PART and any(name in classes for name in _CODE_NAMES):
        rows += page.select(_CODE_SELECTOR)
    if found & _CALLOUT_PART and any(name in classes for name in _CALLOUT_NAMES):
        rows += [row for row in page.select(_CALLOUT_SELECTOR) if _is_callout(page, row)]
    return rows


def _is_callout(page: Page, row: int) -> bool:
    kind, is_box = callout_type(page.attributes(row))
    return is_box and kind.isalpha()


def settle_lists(page: Page, kept: Bools, probs: Floats, excluded: Bools) -> Bools:
    """Return the kept blocks with short lists whole, or without them where few of their items were kept.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>Take</p><ul><li>flour<li>water<li>salt</ul>")
    >>> kept = np.array([True, True, False, False])
    >>> settle_lists(page, kept, np.full(4, 0.45), np.zeros(4, dtype=np.bool_)).tolist()
    [True, True, True, True]
    >>> settle_lists(page, kept, np.full(4, 0.2), np.zeros(4, dtype=np.bool_)).tolist()
    [True, False, False, False]
    >>> page = parse_page("<p>Words</p><dl><dt>Tea<dd>A drink.<dt>Pot<dd>A vessel.</dl>")
    >>> settle_lists(page, np.array([True, True, False, False, True]), np.full(5, 0.45), np.zeros(5, np.bool_)).all()
    np.True_
    """
    if not (page.tag_count("li") or page.tag_count("dd")):
        return kept
    out = kept.copy()
    core.settle_lists(page.columns, kept.view(np.uint8), probs, excluded.view(np.uint8), out.view(np.uint8))
    return out


def complete_groups(page: Page, kept: Bools, excluded: Bools) -> Bools:
    """Return the kept blocks with the rest of lists and tables of which half is kept; `excluded` blocks stay out.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li>flour<li>water<li>salt</ul>")
    >>> complete_groups(page, np.array([True, False, True]), np.zeros(3, dtype=np.bool_)).tolist()
    [True, True, True]
    """
    has_rows = bool(page.tag_count("tr"))
    if not (has_rows or page.tag_count("li")):
        return kept
    out = kept.copy()
    tables = list(page.data_tables) if has_rows else []
    core.complete_groups(page.columns, kept.view(np.uint8), excluded.view(np.uint8), tables, out.view(np.uint8))
    return out
