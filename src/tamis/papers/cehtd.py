"""CEHTD: text density weighted by visual importance.

D. Song, F. Sun, L. Liao: A hybrid approach for content extraction with text density and visual importance of DOM
nodes. Knowledge and Information Systems 42 (2015) 75–96, section 3.4.

Readers look at the middle of a page. So each character is weighted by its text's share of a normal distribution over
the widest element, and hidden text has the weight 0. Everything else is as in cetd.py. Reads ``page.layout``, which
the caller supplies (see `tamis.browser`); a page without a layout is selected by text alone. Scores are hybrid
densities.
"""

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from tamis.extractors.registry import Selection
from tamis.page import Page
from tamis.page.layout import Layout
from tamis.page.sums import Bools, subtree_sums
from tamis.papers.cetd import Cectd, Floats, composite, count, run_term, select_densest

#: The reason in the note of a page that is selected by text alone.
NO_LAYOUT: Final = "the page has no layout (see tamis.browser)"
_NOTHING_VISIBLE: Final = "nothing on the page is visible"
_SQRT_2: Final = math.sqrt(2)


def widest_element(page: Page, layout: Layout) -> tuple[float, float] | None:
    """Return the left and right edge of Node_L, "the node with a longest horizontal span under the root node".

    The root is ``body`` ("our study of HTML web pages begins from the <body> tag") and is not itself under the root:
    it is as wide as the window on nearly every page. Of equally wide elements the first one counts, which is the
    outermost. Returns None if no element is visible.
    """
    is_candidate = page.is_element & layout.visible
    is_candidate[: page.body + 1] = False
    is_candidate[page.end[page.body] :] = False
    span = np.where(is_candidate, layout.right - layout.left, 0)
    row = int(np.argmax(span))
    return (float(layout.left[row]), float(layout.right[row])) if span[row] > 0 else None


def visual_importance(page: Page, layout: Layout) -> Floats:
    """Return VI of each text row (definition 3.3): the share of the distribution between the edges of its leaf.

    A leaf is "an innermost tag encompassing text only", with that tag's rectangle. Text that has sibling elements is
    a leaf itself, with the rectangle of its own run.
    """
    importance = np.zeros(len(page))
    edges = widest_element(page, layout)
    if edges is None:
        return importance
    middle, sigma = (edges[0] + edges[1]) / 2, (edges[1] - edges[0]) / 2
    rows = np.flatnonzero(page.is_text & layout.visible & (page.chars > 0))
    parent = page.parent[rows]
    text_only = np.bincount(page.parent[1:], weights=page.is_element[1:], minlength=len(page)) == 0
    leaf = np.where(text_only[parent] & layout.visible[parent], parent, rows)
    left, right = ((edge[leaf].astype(np.float64) - middle) / sigma for edge in (layout.left, layout.right))
    importance[rows] = [_normal_cdf(b) - _normal_cdf(a) for a, b in zip(left.tolist(), right.tolist(), strict=True)]
    return importance


def _normal_cdf(x: float) -> float:
    """Return Φ(x), the standard normal distribution function."""
    return (1 + math.erf(x / _SQRT_2)) / 2


def hybrid_characters(page: Page, layout: Layout) -> Floats:
    """Return HC of each text row: its characters, weighted by visual importance."""
    return np.where(page.hidden == 0, page.chars * visual_importance(page, layout), 0.0)


def hybrid_density(page: Page, hybrid: Floats) -> tuple[Floats, Floats]:
    """Return the density of every element (definition 3.4), and the term of each text run in its parent's DensitySum.

    ``C_i`` and ``C_b`` become ``HC_i`` and ``HC_b``, "while the remaining is exactly the same": links are counted as
    before. Where ``T_i`` is 0 it becomes HC/C. A density is negative if the link characters outnumber the weighted
    characters; then it is below every threshold of a page without such elements.
    """
    counts = count(page)
    chars = subtree_sums(page.end, hybrid)
    weight = chars / np.maximum(counts.chars, 1)
    share = float(counts.link_chars[page.body]) / (float(chars[page.body]) or 1.0)
    density = composite(chars, np.where(counts.tags > 0, counts.tags, weight), counts, share)
    return density, run_term(hybrid, share)


@dataclass(frozen=True, slots=True)
class Cehtd:
    """Hybrid text density with DensitySum (the paper's CEHTD-DS)."""

    name: ClassVar[str] = "cehtd"
    summary: ClassVar[str] = "cectd weighted by the position of the text on the screen (needs a layout)"
    source: ClassVar[str] = "Song, Sun, Liao 2015"
    needs_layout: ClassVar[bool] = True

    def select(self, page: Page) -> Selection:
        """Select the densest elements by hybrid density."""
        layout = page.layout
        if layout is None:
            return select_by_text(page, NO_LAYOUT)
        return select_by_layout(page, layout)


def select_by_layout(page: Page, layout: Layout) -> Selection:
    """Select the densest elements by hybrid density, without text that is not visible."""
    hybrid = hybrid_characters(page, layout)
    if not hybrid.any():
        return select_by_text(page, _NOTHING_VISIBLE)
    density, run = hybrid_density(page, hybrid)
    return _restrict(select_densest(page, density, run), layout.visible)


def select_by_text(page: Page, reason: str) -> Selection:
    """Select with `Cectd`, without the layout, and note the reason."""
    return replace(Cectd().select(page), note=f"selected by text alone: {reason}")


def _restrict(selection: Selection, visible: Bools) -> Selection:
    """Return a selection of visible rows only: hidden text has the weight 0, so it is not content."""
    mask = selection.mask & visible
    return replace(selection, mask=mask, reason=np.where(mask, selection.reason, 0).astype(np.uint8))
