"""VIPS-leaf: visual segmentation, then the share of text leaves in each block.

The rival in Q. Liu, M. Shao, L. Wu, G. Zhao, G. Fan, J. Li: Main content extraction from web pages based on node
characteristics (2017), figure 3, with the segmentation of D. Cai, S. Yu, J.-R. Wen, W.-Y. Ma: VIPS: a vision-based
page segmentation algorithm, Microsoft Research MSR-TR-2003-79 (2003). Needs layout, as cehtd.py does.

A page is cut at ``hr``, at line-break children of inline nodes, where the background changes, and where it is large;
of what remains, blocks whose leaves are mostly text are content. A block is a run of siblings, so it is a slice of
rows. Scores are shares of text leaves.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from tamis.extractors.base import Selection
from tamis.extractors.cehtd import NO_LAYOUT, by_text_alone
from tamis.html import tags
from tamis.page import Page
from tamis.page.layout import Layout
from tamis.page.sums import Bools, nearest_ancestor, prefix_sums

_REASONS: Final = ("in a block of few text leaves", "in a block of text leaves")
_HR, _BR = tags.IDS["hr"], tags.IDS["br"]

#: The paper prints neither threshold. Chosen on the development pages of CleanEval by `python bench/visual.py sweep`,
#: see docs/visual.md.
RELATIVE: Final = 0.02
SHARE: Final = 0.4


@dataclass(frozen=True, slots=True)
class Block:
    """A run of siblings: the element that holds them, and the slice of rows they are."""

    host: int
    start: int
    stop: int


class Segmenter:
    """Cuts one page into blocks. Plain lists: it looks at single rows, which arrays are slow at."""

    def __init__(self, page: Page, layout: Layout, relative: float) -> None:
        seen = layout.visible
        self._root = page.body
        self._end = page.end.tolist()
        self._is_text = page.is_text.tolist()
        # In VIPS a line-break node is one that is not inline; `br` breaks lines without being a box.
        self._breaks = (page.is_element & (~layout.inline | (page.tag == _BR))).tolist()
        self._inline = layout.inline.tolist()
        self._background = layout.background.tolist()
        self._seen = seen.tolist()
        self._rule = (page.tag == _HR).tolist()
        self._rules = prefix_sums(page.tag == _HR).tolist()
        self._edges = [side.tolist() for side in (layout.left, layout.top, layout.right, layout.bottom)]
        body = float(layout.area[page.body])
        self._least = relative * (body or float(layout.width) * layout.height)

    def blocks(self) -> list[Block]:
        """Return the blocks in document order."""
        out = []
        queue = deque([self._inside(self._root)])
        while queue:
            block = self._unwrapped(queue.popleft())
            parts = None
            if not self._whole(block):
                parts = self._at_rules(block) or self._at_breaks(block) or self._at_backgrounds(block)
                parts = parts or self._in_children(block)
            if parts:
                queue.extend(parts)
            else:
                out.append(block)
        return sorted(out, key=lambda block: block.start)

    def _inside(self, row: int) -> Block:
        return Block(row, row + 1, self._end[row])

    def _children(self, block: Block) -> Iterator[int]:
        row = block.start
        while row < block.stop:
            yield row
            row = self._end[row]

    def _unwrapped(self, block: Block) -> Block:
        """Go down where a block is one element and nothing else."""
        while block.start < block.stop == self._end[block.start] and not self._is_text[block.start]:
            block = self._inside(block.start)
        return block

    def _whole(self, block: Block) -> bool:
        """Line 5: nothing below, nothing but text below, or small."""
        return all(self._is_text[row] for row in self._children(block)) or self._area(block) < self._least

    def _area(self, block: Block) -> float:
        """Return the size of a block: of its element where it is all of it, else what its rows cover together."""
        if block == self._inside(block.host) and self._seen[block.host]:
            left, top, right, bottom = (side[block.host] for side in self._edges)
            return float((right - left) * (bottom - top))
        seen = [row for row in self._children(block) if self._seen[row]]
        if not seen:
            return 0.0
        left, top = (min(side[row] for row in seen) for side in self._edges[:2])
        right, bottom = (max(side[row] for row in seen) for side in self._edges[2:])
        return float((right - left) * (bottom - top))

    def _at_rules(self, block: Block) -> list[Block]:
        """Line 10: cut at ``hr``; a child with one inside stands alone, and is cut in its turn."""
        if self._rules[block.stop] == self._rules[block.start]:
            return []
        holds = {row for row in self._children(block) if self._rules[self._end[row]] > self._rules[row]}
        return [part for part in self._cut(block, holds) if not self._rule[part.start]]

    def _at_breaks(self, block: Block) -> list[Block]:
        """Line 15: cut an inline node at its line-break children."""
        if not self._inline[block.host]:
            return []
        return self._cut(block, {row for row in self._children(block) if self._breaks[row]})

    def _at_backgrounds(self, block: Block) -> list[Block]:
        """Line 20: split off children with another background."""
        own = self._background[block.host]
        other = {
            row
            for row in self._children(block)
            if self._seen[row] and not self._is_text[row] and self._background[row] != own
        }
        return self._cut(block, other)

    def _in_children(self, block: Block) -> list[Block]:
        """Cut what is still too large for a block at its line-break children.

        The paper's figure has no such line, but its line 5 spares what is smaller than the relative size, and without
        this most pages, which have neither rules nor backgrounds, would be one block.
        """
        return self._cut(block, {row for row in self._children(block) if self._breaks[row]})

    def _cut(self, block: Block, alone: set[int]) -> list[Block]:
        """Return the parts of a block when some of its children stand alone; none if that changes nothing."""
        if not alone:
            return []
        parts = []
        start = block.start
        for row in sorted(alone):
            if row > start:
                parts.append(Block(block.host, start, row))
            start = self._end[row]
            parts.append(Block(block.host, row, start))
        if start < block.stop:
            parts.append(Block(block.host, start, block.stop))
        return parts


def leaves(page: Page, layout: Layout) -> tuple[Bools, Bools]:
    """Return which rows are leaves that a reader sees, and which of them are text.

    A leaf is a text run, or an element that holds neither text nor elements (a picture, a field). A text in a link is
    a leaf but no text leaf: the paper's method is to tell prose from lists of links.
    """
    text = page.is_text & layout.visible & (page.nonspace > 0)
    empty = page.is_element & layout.visible & (page.end == np.arange(len(page)) + 1)
    empty &= ~np.isin(page.tag, [_HR, _BR])
    return text | empty, text & ~page.link


@dataclass(frozen=True, slots=True)
class VipsLeaf:
    """Blocks of the rendered page whose leaves are mostly text.

    Attributes:
        relative: the share of the page's area below which a block is not cut any more.
        share: the share of text leaves above which a block is content.
    """

    relative: float = RELATIVE
    share: float = SHARE

    name: ClassVar[str] = "vips-leaf"
    summary: ClassVar[str] = "blocks of the rendered page with a large share of text leaves"
    source: ClassVar[str] = "Cai 2003, Liu 2017"
    needs_layout: ClassVar[bool] = True

    def select(self, page: Page) -> Selection:
        """Select the blocks of text leaves."""
        layout = page.layout
        if layout is None:
            return by_text_alone(page, NO_LAYOUT)
        any_leaf, text_leaf = leaves(page, layout)
        every, texts = prefix_sums(any_leaf), prefix_sums(text_leaf)
        score = np.zeros(len(page))
        headings = np.flatnonzero(tags.HEADING[page.tag])
        around = nearest_ancestor(page.end, headings)
        title = None
        for block in Segmenter(page, layout, self.relative).blocks():
            count = every[block.stop] - every[block.start]
            if count:
                score[block.start : block.stop] = (texts[block.stop] - texts[block.start]) / count
            title = title or _heading(page, block, int(around[block.start]) if block.start < block.stop else -1)
        return Selection.from_mask(page, (score > self.share) & layout.visible, score, _REASONS, title=title)


def _heading(page: Page, block: Block, around: int) -> str | None:
    """Return the heading that a block is in or that it has in it (line 29), None without one."""
    rows = np.flatnonzero(tags.HEADING[page.tag[block.start : block.stop]])
    row = around if around >= 0 else block.start + int(rows[0]) if len(rows) else -1
    return (" ".join(page.row_text(row).split()) or None) if row >= 0 else None
