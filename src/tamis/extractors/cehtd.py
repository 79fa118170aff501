"""CEHTD: text density weighted by visual importance.

D. Song, F. Sun, L. Liao: A hybrid approach for content extraction with text density and visual importance of DOM
nodes. Knowledge and Information Systems 42 (2015) 75–96, section 3.4.

Readers look at the middle of a page. So a character counts by how much of a normal distribution, laid over the
widest element, its text covers on the screen, and hidden text counts nothing. Everything else is as in cetd.py. Needs
boxes (extra ``visual``): those of the page where it has some, else Chromium draws it. Scores are hybrid densities.
"""

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Final

import numpy as np

from tamis.extractors.base import Selection
from tamis.extractors.cetd import Cectd, Floats, composite, count, run_term, select_densest
from tamis.page import Page
from tamis.page.layout import Layout
from tamis.page.sums import Bools, subtree_sums

#: Why a page without layout is selected by its text alone.
NO_LAYOUT: Final = "the page has no layout (see tamis.visual)"
_ROOT_TWO: Final = math.sqrt(2)


def widest(page: Page, layout: Layout) -> tuple[float, float] | None:
    """Return the edges of Node_L, "the node with a longest horizontal span under the root node"; None without one.

    The root is ``body`` ("our study of HTML web pages begins from the <body> tag"), and what is under it does not
    include it: a body is as wide as the window on nearly every page and would say nothing about it. Of equals the
    first counts, which is the outermost.
    """
    below = page.is_element & layout.visible
    below[: page.body + 1] = False
    below[page.end[page.body] :] = False
    span = np.where(below, layout.right - layout.left, 0)
    row = int(np.argmax(span))
    return (float(layout.left[row]), float(layout.right[row])) if span[row] > 0 else None


def visual_importance(page: Page, layout: Layout) -> Floats:
    """Return VI of each text row (definition 3.3): the share of the distribution between its leaf's edges.

    A leaf is "an innermost tag encompassing text only", with that tag's box; text that stands beside elements is a
    leaf of its own, with the box of a Range around it.
    """
    out = np.zeros(len(page))
    edges = widest(page, layout)
    if edges is None:
        return out
    middle, sigma = (edges[0] + edges[1]) / 2, (edges[1] - edges[0]) / 2
    rows = np.flatnonzero(page.is_text & layout.visible & (page.chars > 0))
    parent = page.parent[rows]
    inner = np.bincount(page.parent[1:], weights=page.is_element[1:], minlength=len(page)) == 0
    leaf = np.where(inner[parent] & layout.visible[parent], parent, rows)
    first, last = ((side[leaf].astype(np.float64) - middle) / sigma for side in (layout.left, layout.right))
    out[rows] = [_normal(b) - _normal(a) for a, b in zip(first.tolist(), last.tolist(), strict=True)]
    return out


def _normal(x: float) -> float:
    """Return Φ(x), the standard normal distribution function."""
    return (1 + math.erf(x / _ROOT_TWO)) / 2


def hybrid_characters(page: Page, layout: Layout) -> Floats:
    """Return HC of each text row: its characters weighted by visual importance."""
    return np.where(page.hidden == 0, page.chars * visual_importance(page, layout), 0.0)


def hybrid_density(page: Page, hybrid: Floats) -> tuple[Floats, Floats]:
    """Return definition 3.4 for every element, and what each bare run of text adds to its parent's DensitySum.

    ``C_i`` and ``C_b`` become ``HC_i`` and ``HC_b``, "while the remaining is exactly the same": links are counted as
    before. ``T_i`` is HC/C where it is 0. A density can be negative, where links have more characters than are left
    after weighting; then it is below every threshold that a page without such elements has.
    """
    counts = count(page)
    weighted = subtree_sums(page.end, hybrid)
    bare = weighted / np.maximum(counts.chars, 1)
    share = float(counts.link_chars[page.body]) / (float(weighted[page.body]) or 1.0)
    density = composite(weighted, np.where(counts.tags > 0, counts.tags, bare), counts, share)
    return density, run_term(hybrid, share)


@dataclass(frozen=True, slots=True)
class Cehtd:
    """Hybrid text density with DensitySum (the paper's CEHTD-DS)."""

    name: ClassVar[str] = "cehtd"
    summary: ClassVar[str] = "text density weighted by where a browser draws the text"
    source: ClassVar[str] = "Song, Sun, Liao 2015"
    needs_layout: ClassVar[bool] = True

    def select(self, page: Page) -> Selection:
        """Select the densest elements, by what a reader sees of them."""
        layout = page.layout
        if layout is None:
            return by_text_alone(page, NO_LAYOUT)
        return select_hybrid(page, layout)


def select_hybrid(page: Page, layout: Layout) -> Selection:
    """Select by hybrid density."""
    hybrid = hybrid_characters(page, layout)
    if not hybrid.any():
        return by_text_alone(page, "nothing of the page is seen")
    density, run = hybrid_density(page, hybrid)
    return _only(select_densest(page, density, run), layout.visible)


def by_text_alone(page: Page, reason: str) -> Selection:
    """Select without layout, and say why."""
    return replace(Cectd().select(page), note=f"selected by text alone: {reason}")


def _only(selection: Selection, seen: Bools) -> Selection:
    """Return a selection without what is not seen: hidden text counts nothing, so it is no content either."""
    mask = selection.mask & seen
    return replace(selection, mask=mask, reason=np.where(mask, selection.reason, 0).astype(np.uint8))
