"""CETD: content extraction by text density.

D. Song, F. Sun, L. Liao: A hybrid approach for content extraction with text density and visual importance of DOM
nodes. Knowledge and Information Systems 42 (2015) 75–96.

Content is long and simply marked up, so it has many characters a tag; what surrounds it has few, and most of
those are links. Every element gets a density. The element whose children's densities add up to most holds the
content; the smallest density on the way from it up to ``body`` is the threshold that other elements must reach.
Selects the text rows below the marked elements; scores are densities of the element that holds the text.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from tamis.extractors.base import Selection
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, child_sums, in_subtree, range_argmin, subtree_sums

Floats = npt.NDArray[np.float64]

#: Elements that are no tags of the page a reader sees ("script, comment and style tags are removed", sect. 3.2).
_REMOVED: Final = tags.tag_mask("script style noscript template head title meta link base")


_REASONS: Final = ("outside the dense elements", "in a dense element")


@dataclass(frozen=True, slots=True)
class Counts:
    """Characters, tags, link characters and link tags below each row, the row itself not counted."""

    chars: Floats
    tags: Floats
    link_chars: Floats
    link_tags: Floats


def count(page: Page) -> Counts:
    """Count what Song's formulas are made of.

    >>> from tamis.page import parse_page
    >>> counts = count(parse_page("<p>see <a>this page</a></p>"))
    >>> [int(column[4]) for column in (counts.chars, counts.tags, counts.link_chars, counts.link_tags)]
    [12, 1, 9, 1]
    """
    shown = np.where(page.hidden == 0, page.chars, 0)
    counted = page.is_element & ~_REMOVED[page.tag]
    own = counted.astype(np.int64)
    chars = subtree_sums(page.end, shown)
    tag_count = subtree_sums(page.end, own) - own
    link_chars = subtree_sums(page.end, np.where(page.link, shown, 0))
    link = (counted & page.link).astype(np.int64)
    # An element all of whose tags and characters are links is a link tag too, as the authors' program counts it.
    below = subtree_sums(page.end, link) - link
    wrapped = counted & ~page.link & (below > 0) & (link_chars == chars) & _only_links(page, counted, link)
    link = link + wrapped
    return Counts(
        chars.astype(np.float64),
        tag_count.astype(np.float64),
        link_chars.astype(np.float64),
        (subtree_sums(page.end, link) - link).astype(np.float64),
    )


def _only_links(page: Page, counted: Bools, link: npt.NDArray[np.int64]) -> Bools:
    """Return which elements hold no tag that is neither a link nor, all the way down, a wrapper of links.

    A leaf that is no link breaks the chain upwards; a wrapper needs at least one link below each branch.
    """
    below = subtree_sums(page.end, link)
    stray = (counted & (below == 0)).astype(np.int64)
    return np.asarray(subtree_sums(page.end, stray) == 0)


def text_density(counts: Counts) -> Floats:
    """Return Song's definition 3.1: characters a tag, with one tag where there is none."""
    return counts.chars / np.maximum(counts.tags, 1)


def composite_density(page: Page, counts: Counts) -> Floats:
    """Return Song's definition 3.2: text density, more of it where there are few links.

    The printed formula has a logarithm whose base is ``ln(...)``; a quotient of logarithms says the same. Every
    denominator that would be 0 is 1, the last one too: on a page without links the base is 1 and the paper calls
    the density infinite, which orders nothing.
    """
    chars, tag_count = counts.chars, np.maximum(counts.tags, 1)
    return composite(chars, tag_count, counts, _link_share(page, counts))


def composite(chars: Floats, tag_count: Floats, counts: Counts, share: float) -> Floats:
    """Return the composite density for given characters and tags; the hybrid density weighs them (see cehtd.py).

    Args:
        chars: C, the characters that count.
        tag_count: T, nowhere 0 where there are characters.
        counts: link characters, link tags, and the plain characters that links are taken from.
        share: LCb / Cb, the share of link characters of the whole page.
    """
    plain = np.maximum(counts.chars - counts.link_chars, 1)
    tag_count = np.where(tag_count > 0, tag_count, 1)
    amount = np.where(chars > 0, chars, 1)
    whole = np.log(amount / np.maximum(counts.link_chars, 1) * tag_count / np.maximum(counts.link_tags, 1))
    base = np.log(np.log(chars / plain * counts.link_chars + share * chars + np.e))
    return np.where(chars > 0, chars / tag_count * whole / np.where(base == 0, 1, base), 0.0)


def composite_run(page: Page, counts: Counts) -> Floats:
    """Return what a bare run of text of length n adds to its parent: n·ln(n) / ln(ln(share·n + e))."""
    return run_term(page.chars.astype(np.float64), _link_share(page, counts))


def run_term(length: Floats, share: float) -> Floats:
    """Return the term of a run for given lengths; a run of one character or less adds nothing."""
    length = np.maximum(length, 1)
    base = np.log(np.log(share * length + np.e))
    return length * np.log(length) / np.where(base == 0, 1, base)


def _link_share(page: Page, counts: Counts) -> float:
    """Return the share of link characters of the whole page, LCb / Cb."""
    return float(counts.link_chars[page.body] / max(counts.chars[page.body], 1))


def density_sums(page: Page, density: Floats, run: Floats) -> Floats:
    """Return Song's definition 3.5: the sum of the densities of an element's children.

    As in the authors' program, text between the children adds a term of its own (`run`, given for each text row),
    and an element without children has its own density; otherwise ``<div>text<br>text</div>`` would score nothing.
    """
    terms = np.where(page.is_element, density, np.where(page.is_text & (page.hidden == 0), run, 0.0))
    sums = child_sums(page.parent, terms)
    has_element = np.bincount(page.parent[1:], weights=page.is_element[1:], minlength=len(page)) > 0
    return np.where(has_element, sums, np.maximum(density, sums))


def mark(page: Page, density: Floats, sums: Floats) -> npt.NDArray[np.int64]:
    """Return the rows that hold content: algorithm 2 of the paper, for all elements at once."""
    body = page.body
    low = np.where(page.is_element, -sums, np.inf)
    last = int(page.end[body]) - 1
    top = int(range_argmin(low, np.array([body]), np.array([last]))[0])
    threshold = path_minimum(page, density, top)
    below = page.is_element & in_subtree(page.end, np.array([body]))
    visited = below & ~in_subtree(page.end, np.flatnonzero(below & (density < threshold)))
    rows = np.flatnonzero(visited & (density > 0))
    if not len(rows):
        return rows
    return np.unique(range_argmin(low, rows, page.end[rows].astype(np.int64) - 1))


def path_minimum(page: Page, density: Floats, row: int) -> float:
    """Return the smallest density from a row up to ``body``."""
    path = (np.arange(len(page)) <= row) & (page.end > row)
    path[: page.body] = False
    return float(density[path].min(initial=np.inf))


def select_densest(page: Page, density: Floats, run: Floats) -> Selection:
    """Select the text below the elements that algorithm 2 marks."""
    density = np.where(page.is_element, density, 0.0)
    marked = mark(page, density, density_sums(page, density, run))
    # Output keeps content elements, their subtrees and their ancestors; what is removed is other elements, so text
    # that stands bare in an ancestor stays, as it does in the authors' program.
    above = page.is_text & _holds(page, marked)[page.parent]
    return Selection.from_mask(page, in_subtree(page.end, marked) | above, density[page.parent], _REASONS)


def _holds(page: Page, rows: npt.NDArray[np.int64]) -> Bools:
    """Return which rows have one of `rows` in their subtree."""
    return np.asarray(subtree_sums(page.end, np.bincount(rows, minlength=len(page))) > 0)


@dataclass(frozen=True, slots=True)
class Cetd:
    """Plain text density with DensitySum (the paper's CETD-DS).

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li><a>Home</a></ul><div><p>A paragraph that says something.<p>And one more.</div>")
    >>> [page.row_text(row) for row in Cetd().select(page).mask.nonzero()[0]]
    ['A paragraph that says something.', 'And one more.']
    """

    name: ClassVar[str] = "cetd"
    summary: ClassVar[str] = "characters a tag, summed over siblings"
    source: ClassVar[str] = "Song, Sun, Liao 2015"

    def select(self, page: Page) -> Selection:
        """Select the densest elements."""
        counts = count(page)
        return select_densest(page, text_density(counts), page.chars.astype(np.float64))


@dataclass(frozen=True, slots=True)
class Cectd:
    """Composite text density with DensitySum (the paper's CECTD-DS)."""

    name: ClassVar[str] = "cectd"
    summary: ClassVar[str] = "text density that counts links against, summed over siblings"
    source: ClassVar[str] = "Song, Sun, Liao 2015"

    def select(self, page: Page) -> Selection:
        """Select the densest elements."""
        counts = count(page)
        return select_densest(page, composite_density(page, counts), composite_run(page, counts))


def smooth(page: Page, density: Floats) -> Floats:
    """Return densities averaged with those of the sibling elements on either side.

    The paper says "simply weighted averaging with sibling nodes" and no weights; ½ for the element and ¼ for each
    neighbour is the smallest binomial kernel. At an edge the weights that remain are scaled to one.
    """
    rows = np.flatnonzero(page.is_element)
    rows = rows[np.argsort(page.parent[rows], kind="stable")]  # siblings stand together, in order
    beside = (page.parent[rows[1:]] == page.parent[rows[:-1]]).astype(np.float64)
    own = density[rows]
    total, weight = 2 * own, np.full(len(rows), 2.0)
    total[1:] += beside * own[:-1]
    total[:-1] += beside * own[1:]
    weight[1:] += beside
    weight[:-1] += beside
    out = density.copy()
    out[rows] = total / weight
    return out


@dataclass(frozen=True, slots=True)
class CectdS:
    """Composite text density with smoothing instead of DensitySum (the paper's CECTD-S, for comparison).

    The paper gives no threshold of its own for this form. As with DensitySum it is the smallest density on the way
    up to ``body``, here from the element of largest smoothed density.
    """

    name: ClassVar[str] = "cectd-s"
    summary: ClassVar[str] = "composite text density, smoothed over siblings"
    source: ClassVar[str] = "Song, Sun, Liao 2015"

    def select(self, page: Page) -> Selection:
        """Select text whose element is dense enough."""
        counts = count(page)
        below = page.is_element & in_subtree(page.end, np.array([page.body])) & (counts.chars > 0)
        density = np.where(page.is_element, composite_density(page, counts), 0.0)
        density = smooth(page, density)
        threshold = path_minimum(page, density, int(np.argmax(np.where(below, density, -1.0))))
        kept = page.is_text & (below & (density >= threshold))[page.parent]
        return Selection.from_mask(page, kept, density[page.parent], _REASONS)
