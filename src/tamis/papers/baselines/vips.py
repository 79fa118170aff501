"""VIPS-leaf: visual segmentation, then the share of text leaves in each block.

The baseline in Q. Liu, M. Shao, L. Wu, G. Zhao, G. Fan, J. Li: Main content extraction from web pages based on node
characteristics, Journal of Computing Science and Engineering 11(2), 2017, figure 3; with the segmentation of D. Cai,
S. Yu, J.-R. Wen, W.-Y. Ma: VIPS: a vision-based page segmentation algorithm, Microsoft Research MSR-TR-2003-79
(2003). Reads ``page.layout``, as cehtd.py does.

A page is cut at ``hr``, at line-break children of inline nodes, where the background changes, and where a block is
large. Blocks whose leaves are mostly text are content. A block is a run of siblings, so it is a slice of rows. Scores
are shares of text leaves.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from tamis.extractors.registry import Selection
from tamis.html import tags
from tamis.page import Page
from tamis.page.layout import Layout
from tamis.page.sums import Bools, nearest_ancestor, prefix_sums
from tamis.papers.cehtd import NO_LAYOUT, select_by_text

_REASONS: Final = ("in a block with few text leaves", "in a block of mostly text leaves")
_HR, _BR = tags.IDS["hr"], tags.IDS["br"]

#: The paper prints neither threshold. Chosen on the development pages of CleanEval by `python bench/visual.py sweep`,
#: see docs/lab/visual.md.
RELATIVE_SIZE: Final = 0.02
MIN_TEXT_SHARE: Final = 0.4


@dataclass(frozen=True, slots=True)
class Block:
    """A run of siblings.

    Attributes:
        parent: the row of their parent.
        start: the row of the first sibling.
        stop: the row after the subtree of the last one.
    """

    parent: int
    start: int
    stop: int


class Segmenter:
    """Cuts a page into blocks. It uses lists, because access to single rows of arrays is slow."""

    def __init__(self, page: Page, layout: Layout, relative_size: float) -> None:
        self._root = page.body
        self._end = page.end.tolist()
        self._is_text = page.is_text.tolist()
        # In VIPS a line-break node is a node that is not inline; `br` also breaks lines.
        self._is_line_break = (page.is_element & (~layout.inline | (page.tag == _BR))).tolist()
        self._is_inline = layout.inline.tolist()
        self._background = layout.background.tolist()
        self._visible = layout.visible.tolist()
        self._is_rule = (page.tag == _HR).tolist()
        self._rules_before = prefix_sums(page.tag == _HR).tolist()
        self._edges = [edge.tolist() for edge in (layout.left, layout.top, layout.right, layout.bottom)]
        page_area = float(layout.area[page.body]) or float(layout.width) * layout.height
        self._min_area = relative_size * page_area

    def blocks(self) -> list[Block]:
        """Return the blocks in document order."""
        finished = []
        queue = deque([self._children_block(self._root)])
        while queue:
            block = self._unwrap(queue.popleft())
            parts = None
            if not self._is_indivisible(block):
                parts = (
                    self._cut_at_rules(block) or self._cut_at_line_breaks(block) or self._cut_at_backgrounds(block)
                )
                parts = parts or self._cut_large(block)
            if parts:
                queue.extend(parts)
            else:
                finished.append(block)
        return sorted(finished, key=lambda block: block.start)

    def _children_block(self, row: int) -> Block:
        """Return the block of all children of a row."""
        return Block(row, row + 1, self._end[row])

    def _children(self, block: Block) -> Iterator[int]:
        row = block.start
        while row < block.stop:
            yield row
            row = self._end[row]

    def _unwrap(self, block: Block) -> Block:
        """Return the innermost block: while a block is a single element, its children."""
        while block.start < block.stop == self._end[block.start] and not self._is_text[block.start]:
            block = self._children_block(block.start)
        return block

    def _is_indivisible(self, block: Block) -> bool:
        """Return whether a block has no children, only text children, or a small area (line 5)."""
        return all(self._is_text[row] for row in self._children(block)) or self._area(block) < self._min_area

    def _area(self, block: Block) -> float:
        """Return the area of the parent if a block has all its children, else of their bounding box."""
        if block == self._children_block(block.parent) and self._visible[block.parent]:
            left, top, right, bottom = (edge[block.parent] for edge in self._edges)
            return float((right - left) * (bottom - top))
        visible = [row for row in self._children(block) if self._visible[row]]
        if not visible:
            return 0.0
        left, top = (min(edge[row] for row in visible) for edge in self._edges[:2])
        right, bottom = (max(edge[row] for row in visible) for edge in self._edges[2:])
        return float((right - left) * (bottom - top))

    def _cut_at_rules(self, block: Block) -> list[Block]:
        """Cut at ``hr`` (line 10). A child with an ``hr`` inside becomes a block, which is cut later."""
        if self._rules_before[block.stop] == self._rules_before[block.start]:
            return []
        with_rule = {
            row for row in self._children(block) if self._rules_before[self._end[row]] > self._rules_before[row]
        }
        return [part for part in self._cut(block, with_rule) if not self._is_rule[part.start]]

    def _cut_at_line_breaks(self, block: Block) -> list[Block]:
        """Cut an inline node at its line-break children (line 15)."""
        if not self._is_inline[block.parent]:
            return []
        return self._cut(block, {row for row in self._children(block) if self._is_line_break[row]})

    def _cut_at_backgrounds(self, block: Block) -> list[Block]:
        """Split off children with a different background (line 20)."""
        background = self._background[block.parent]
        different = {
            row
            for row in self._children(block)
            if self._visible[row] and not self._is_text[row] and self._background[row] != background
        }
        return self._cut(block, different)

    def _cut_large(self, block: Block) -> list[Block]:
        """Cut a block that is still large at its line-break children.

        The paper's figure has no such line, but its line 5 does not cut blocks below the relative size. Without this
        step most pages, which have neither rules nor backgrounds, would be one block.
        """
        return self._cut(block, {row for row in self._children(block) if self._is_line_break[row]})

    def _cut(self, block: Block, separate: set[int]) -> list[Block]:
        """Return the parts of a block if some children become separate blocks; an empty list if none do."""
        if not separate:
            return []
        parts = []
        start = block.start
        for row in sorted(separate):
            if row > start:
                parts.append(Block(block.parent, start, row))
            start = self._end[row]
            parts.append(Block(block.parent, row, start))
        if start < block.stop:
            parts.append(Block(block.parent, start, block.stop))
        return parts


def visible_leaves(page: Page, layout: Layout) -> tuple[Bools, Bools]:
    """Return which rows are visible leaves, and which of them are text leaves.

    A leaf is a text run, or an element without content (an image, a form field). A text in a link is a leaf but not a
    text leaf: the method is meant to distinguish prose from lists of links.
    """
    text = page.is_text & layout.visible & (page.nonspace > 0)
    empty = page.is_element & layout.visible & (page.end == np.arange(len(page)) + 1)
    empty &= ~np.isin(page.tag, [_HR, _BR])
    return text | empty, text & ~page.link


@dataclass(frozen=True, slots=True)
class VipsLeaf:
    """Blocks of the rendered page whose leaves are mostly text.

    Attributes:
        relative_size: blocks with a smaller share of the page's area are not cut.
        min_text_share: blocks with a larger share of text leaves are content.
    """

    relative_size: float = RELATIVE_SIZE
    min_text_share: float = MIN_TEXT_SHARE

    name: ClassVar[str] = "vips-leaf"
    summary: ClassVar[str] = "visual blocks with a large share of text leaves (needs a layout)"
    source: ClassVar[str] = "Cai 2003, Liu 2017"
    needs_layout: ClassVar[bool] = True

    def select(self, page: Page) -> Selection:
        """Select the blocks with mostly text leaves."""
        layout = page.layout
        if layout is None:
            return select_by_text(page, NO_LAYOUT)
        leaves_before, text_leaves_before = (prefix_sums(mask) for mask in visible_leaves(page, layout))
        score = np.zeros(len(page))
        headings = np.flatnonzero(tags.HEADING[page.tag])
        heading_around = nearest_ancestor(page.end, headings)
        title = None
        for block in Segmenter(page, layout, self.relative_size).blocks():
            leaves = leaves_before[block.stop] - leaves_before[block.start]
            text_leaves = text_leaves_before[block.stop] - text_leaves_before[block.start]
            if leaves:
                score[block.start : block.stop] = text_leaves / leaves
            around = int(heading_around[block.start]) if block.start < block.stop else -1
            title = title or _heading_text(page, block, around)
        return Selection.from_mask(page, (score > self.min_text_share) & layout.visible, score, _REASONS, title=title)


def _heading_text(page: Page, block: Block, around: int) -> str | None:
    """Return the text of the heading around a block, at row `around`, or of the first one inside it (line 29)."""
    rows = np.flatnonzero(tags.HEADING[page.tag[block.start : block.stop]])
    row = around if around >= 0 else block.start + int(rows[0]) if len(rows) else -1
    return (page.collapsed_text(row) or None) if row >= 0 else None
