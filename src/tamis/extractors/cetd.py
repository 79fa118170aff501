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
from tamis.page import Page, tags
from tamis.page.sums import Bools, child_sums, inside, range_argmin, subtree_sums

Floats = npt.NDArray[np.float64]

#: Elements that are no tags of the page a reader sees ("script, comment and style tags are removed", sect. 3.2).
_REMOVED: Final = tags.table("script style noscript template head title meta link base")


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


def run_density(lengths: Floats) -> Floats:
    """Return what a bare run of text adds to its parent's DensitySum under plain text density: its length."""
    return lengths


def density_sums(page: Page, density: Floats, run: Floats) -> Floats:
    """Return Song's definition 3.5: the sum of the densities of an element's children.

    As in the authors' program, text between the children adds a term of its own (`run`, given for each text row),
    and an element without children has its own density; otherwise ``<div>text<br>text</div>`` would score nothing.
    """
    terms = np.where(page.is_element, density, np.where(page.is_text & (page.hidden == 0), run, 0.0))
    sums = child_sums(page.parent, terms)
    has_element = np.bincount(page.parent[1:], weights=page.is_element[1:], minlength=len(page)) > 0
    return np.where(has_element, sums, np.maximum(density, sums) if len(density) else sums)


def mark(page: Page, density: Floats, sums: Floats) -> npt.NDArray[np.int64]:
    """Return the rows that hold content: algorithm 2 of the paper, for all elements at once."""
    body = page.body
    low = np.where(page.is_element, -sums, np.inf)
    last = int(page.end[body]) - 1
    top = int(range_argmin(low, np.array([body]), np.array([last]))[0])
    threshold = np.inf
    row = top
    while row >= body:
        threshold = min(threshold, float(density[row]))
        row = int(page.parent[row])
    below = page.is_element & inside(page.end, np.array([body]))
    visited = below & ~inside(page.end, np.flatnonzero(below & (density < threshold)))
    rows = np.flatnonzero(visited & (density > 0))
    if not len(rows):
        return rows
    return np.unique(range_argmin(low, rows, page.end[rows].astype(np.int64) - 1))


def select_densest(page: Page, density: Floats, run: Floats) -> Selection:
    """Select the text below the elements that algorithm 2 marks."""
    density = np.where(page.is_element, density, 0.0)
    marked = mark(page, density, density_sums(page, density, run))
    kept = inside(page.end, marked) if len(marked) else np.zeros(len(page), dtype=np.bool_)
    held_by = density[np.maximum(page.parent, 0)]
    return Selection.of(page, kept, held_by, ("outside the dense elements", "in a dense element"))


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
        return select_densest(page, text_density(counts), run_density(page.chars.astype(np.float64)))
