"""CETD: content extraction by text density.

D. Song, F. Sun, L. Liao: A hybrid approach for content extraction with text density and visual importance of DOM
nodes. Knowledge and Information Systems 42 (2015) 75–96.

Content is long and has simple markup, so it has many characters per tag. What surrounds it has few, and most of those
are links. Every element gets a density. The element with the largest DensitySum, the sum of its children's densities,
holds the content. The smallest density on the path from it up to ``body`` is the threshold that other elements must
reach. Selects the text rows below the marked elements. Scores are densities of the element that holds the text.
"""

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

import numpy as np
import numpy.typing as npt

from tamis.extractors.registry import Selection
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, child_sums, in_subtree, range_argmin, subtree_sums

Floats = npt.NDArray[np.float64]

#: Elements that do not count as tags ("script, comment and style tags are removed", section 3.2).
_REMOVED: Final = tags.tag_mask("script style noscript template head title meta link base")
_REASONS: Final = ("outside the dense elements", "in a dense element")


@dataclass(frozen=True, slots=True)
class Counts:
    """Characters, tags, link characters and link tags below each row, without the row itself."""

    chars: Floats
    tags: Floats
    link_chars: Floats
    link_tags: Floats


def count(page: Page) -> Counts:
    """Count the quantities in the paper's formulas.

    >>> from tamis.page import parse_page
    >>> counts = count(parse_page("<p>see <a>this page</a></p>"))
    >>> [int(column[4]) for column in (counts.chars, counts.tags, counts.link_chars, counts.link_tags)]
    [12, 1, 9, 1]
    """
    shown = np.where(page.hidden == 0, page.chars, 0)
    counted = page.is_element & ~in_subtree(page.end, np.flatnonzero(_REMOVED[page.tag]))  # and what they hold
    is_tag = counted.astype(np.int64)
    chars = subtree_sums(page.end, shown)
    tag_count = subtree_sums(page.end, is_tag) - is_tag
    link_chars = subtree_sums(page.end, np.where(page.link, shown, 0))
    link = (counted & page.link).astype(np.int64)
    # An element that holds only link tags and link characters is a link tag too, as in the authors' program.
    links_below = subtree_sums(page.end, link) - link
    wrapper = counted & ~page.link & (links_below > 0) & (link_chars == chars) & _only_links(page, counted, link)
    link = link + wrapper
    return Counts(
        chars.astype(np.float64),
        tag_count.astype(np.float64),
        link_chars.astype(np.float64),
        (subtree_sums(page.end, link) - link).astype(np.float64),
    )


def _only_links(page: Page, counted: Bools, link: npt.NDArray[np.int64]) -> Bools:
    """Return which elements hold only links and wrappers of links: there is a link in every branch below them."""
    links_in_subtree = subtree_sums(page.end, link)
    without_link = (counted & (links_in_subtree == 0)).astype(np.int64)
    return np.asarray(subtree_sums(page.end, without_link) == 0)


def text_density(counts: Counts) -> Floats:
    """Return the text density (definition 3.1): characters per tag; elements without tags count as having one."""
    return counts.chars / np.maximum(counts.tags, 1)


def composite_density(page: Page, counts: Counts) -> Floats:
    """Return the composite text density (definition 3.2), which is higher where there are few links.

    The printed formula has a logarithm whose base is ``ln(...)``; a quotient of logarithms is equal to it. Every
    denominator that would be 0 is 1, the last one included: on a page without links the base is 1, and the paper's
    density is infinite, which gives no order.
    """
    chars, tag_count = counts.chars, np.maximum(counts.tags, 1)
    return composite(chars, tag_count, counts, _link_share(page, counts))


def composite(chars: Floats, tag_count: Floats, counts: Counts, share: float) -> Floats:
    """Return the composite density for given characters and tags. The hybrid density weights them (see cehtd.py).

    Args:
        chars: C, characters or weighted characters.
        tag_count: T, above 0 where there are characters.
        counts: for link characters, link tags and plain characters.
        share: LCb / Cb, the share of link characters in the whole page.
    """
    plain = np.maximum(counts.chars - counts.link_chars, 1)
    tag_count = np.where(tag_count > 0, tag_count, 1)
    positive_chars = np.where(chars > 0, chars, 1)
    log_ratio = np.log(
        positive_chars / np.maximum(counts.link_chars, 1) * tag_count / np.maximum(counts.link_tags, 1)
    )
    base = np.log(np.log(chars / plain * counts.link_chars + share * chars + np.e))
    return np.where(chars > 0, chars / tag_count * log_ratio / np.where(base == 0, 1, base), 0.0)


def composite_run(page: Page, counts: Counts) -> Floats:
    """Return the term that a text run of length n adds to its parent's sum: n·ln(n) / ln(ln(share·n + e))."""
    return run_term(page.chars.astype(np.float64), _link_share(page, counts))


def run_term(length: Floats, share: float) -> Floats:
    """Return the terms of text runs of given lengths; 0 for at most one character."""
    length = np.maximum(length, 1)
    base = np.log(np.log(share * length + np.e))
    return length * np.log(length) / np.where(base == 0, 1, base)


def _link_share(page: Page, counts: Counts) -> float:
    """Return LCb / Cb, the share of link characters in the whole page."""
    return float(counts.link_chars[page.body] / max(counts.chars[page.body], 1))


def density_sums(page: Page, density: Floats, run: Floats) -> Floats:
    """Return the DensitySum of each element (definition 3.5): the sum of the densities of its children.

    As in the authors' program, each text run between the children adds a term (`run`, one entry per row), and the sum
    of an element without children is at least its density. Otherwise ``<div>text<br>text</div>`` would have the sum
    0.
    """
    terms = np.where(page.is_element, density, np.where(page.is_text & (page.hidden == 0), run, 0.0))
    sums = child_sums(page.parent, terms)
    has_element = np.bincount(page.parent[1:], weights=page.is_element[1:], minlength=len(page)) > 0
    return np.where(has_element, sums, np.maximum(density, sums))


def content_rows(page: Page, density: Floats, sums: Floats) -> npt.NDArray[np.int64]:
    """Return the rows that algorithm 2 marks as content, computed for all elements at once."""
    body = page.body
    negative_sums = np.where(page.is_element, -sums, np.inf)
    last = int(page.end[body]) - 1
    densest = int(range_argmin(negative_sums, np.array([body]), np.array([last]))[0])
    threshold = path_minimum(page, density, densest)
    below = page.is_element & in_subtree(page.end, np.array([body]))
    visited = below & ~in_subtree(page.end, np.flatnonzero(below & (density < threshold)))
    rows = np.flatnonzero(visited & (density > 0))
    if not len(rows):
        return rows
    return np.unique(range_argmin(negative_sums, rows, page.end[rows].astype(np.int64) - 1))


def path_minimum(page: Page, density: Floats, row: int) -> float:
    """Return the smallest density on the path from a row up to ``body``."""
    path = (np.arange(len(page)) <= row) & (page.end > row)
    path[: page.body] = False
    return float(density[path].min(initial=np.inf))


def select_densest(page: Page, density: Floats, run: Floats, blocks: Literal["all", "one"] = "all") -> Selection:
    """Select the text below the elements that algorithm 2 marks, or below the one with the largest DensitySum."""
    density = np.where(page.is_element, density, 0.0)
    sums = density_sums(page, density, run)
    if blocks == "one":
        below = page.is_element & in_subtree(page.end, np.array([page.body]))
        marked = np.array([int(np.argmax(np.where(below, sums, -1.0)))])
        return Selection.from_mask(page, in_subtree(page.end, marked), density[page.parent], _REASONS)
    marked = content_rows(page, density, sums)
    # As in the authors' program, the output keeps content elements, their subtrees and their ancestors and removes
    # other elements. So text that is a direct child of an ancestor stays.
    in_ancestor = page.is_text & _contains(page, marked)[page.parent]
    return Selection.from_mask(page, in_subtree(page.end, marked) | in_ancestor, density[page.parent], _REASONS)


def _contains(page: Page, rows: npt.NDArray[np.int64]) -> Bools:
    """Return which rows have one of `rows` in their subtree."""
    return np.asarray(subtree_sums(page.end, np.bincount(rows, minlength=len(page))) > 0)


@dataclass(frozen=True, slots=True)
class Cetd:
    """Plain text density with DensitySum (the paper's CETD-DS).

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li><a>Home</a></ul><div><p>A paragraph that says something.<p>And one more.</div>")
    >>> [page.row_text(row) for row in Cetd().select(page).mask.nonzero()[0]]
    ['A paragraph that says something.', 'And one more.']

    Attributes:
        blocks: ``"all"`` blocks of content (algorithm 2), or ``"one"``, for pages whose content is one block (section
            3.5.2): the element with the largest DensitySum alone.
    """

    blocks: Literal["all", "one"] = "all"
    name: ClassVar[str] = "cetd"
    summary: ClassVar[str] = "elements with the most characters per tag"
    source: ClassVar[str] = "Song, Sun, Liao 2015"

    def select(self, page: Page) -> Selection:
        """Select the densest elements."""
        counts = count(page)
        return select_densest(page, text_density(counts), page.chars.astype(np.float64), self.blocks)


@dataclass(frozen=True, slots=True)
class Cectd:
    """Composite text density with DensitySum (the paper's CECTD-DS).

    Attributes:
        blocks: as for `Cetd`.
    """

    blocks: Literal["all", "one"] = "all"
    name: ClassVar[str] = "cectd"
    summary: ClassVar[str] = "elements with the most characters per tag and the fewest links"
    source: ClassVar[str] = "Song, Sun, Liao 2015"

    def select(self, page: Page) -> Selection:
        """Select the densest elements."""
        counts = count(page)
        return select_densest(page, composite_density(page, counts), composite_run(page, counts), self.blocks)


def smooth(page: Page, density: Floats) -> Floats:
    """Return the densities averaged with those of the previous and the next sibling element.

    The paper says "simply weighted averaging with sibling nodes" and gives no weights. ½ for the element and ¼ for
    each neighbour is the smallest binomial kernel. Where a sibling is missing, the remaining weights are scaled to
    one.
    """
    rows = np.flatnonzero(page.is_element)
    rows = rows[np.argsort(page.parent[rows], kind="stable")]  # siblings are adjacent, in document order
    is_sibling = (page.parent[rows[1:]] == page.parent[rows[:-1]]).astype(np.float64)
    element_density = density[rows]
    total, weight = 2 * element_density, np.full(len(rows), 2.0)
    total[1:] += is_sibling * element_density[:-1]
    total[:-1] += is_sibling * element_density[1:]
    weight[1:] += is_sibling
    weight[:-1] += is_sibling
    out = density.copy()
    out[rows] = total / weight
    return out


@dataclass(frozen=True, slots=True)
class CectdS:
    """Composite text density with smoothing instead of DensitySum (the paper's CECTD-S, for comparison).

    The paper gives no threshold for this variant. As with DensitySum, it is the smallest density on the path up to
    ``body``, here from the element with the largest smoothed density.
    """

    name: ClassVar[str] = "cectd-s"
    summary: ClassVar[str] = "like cectd, smoothed over siblings instead of summed"
    source: ClassVar[str] = "Song, Sun, Liao 2015"

    def select(self, page: Page) -> Selection:
        """Select the text of elements whose density reaches the threshold."""
        counts = count(page)
        below = page.is_element & in_subtree(page.end, np.array([page.body])) & (counts.chars > 0)
        density = np.where(page.is_element, composite_density(page, counts), 0.0)
        density = smooth(page, density)
        threshold = path_minimum(page, density, int(np.argmax(np.where(below, density, -1.0))))
        kept = page.is_text & (below & (density >= threshold))[page.parent]
        return Selection.from_mask(page, kept, density[page.parent], _REASONS)
