"""SST: the site style tree.

L. Yi, B. Liu, X. Li: Eliminating noisy information in web pages for data mining. KDD 2003, 296–305.

Pages of one site share their layout. Their trees are merged into one tree of *element nodes* (block-level elements or
text blocks) and *styles* (the sequence of children that an element has on a page). A node with the same style and the
same text on every page is noise; a node that varies is content. The variation is an entropy: of the styles of an
element, or of the words of a text block.
A profile keeps only the noisy nodes, each as a hash of its path in the tree, so it is small and holds no text.
Selects the text rows that are not below a noisy node. Without a profile nothing is known to repeat: all text is kept,
and the reason says so.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import ClassVar, Final

import numpy as np

from tamis.errors import OptionError
from tamis.extractors.registry import Selection
from tamis.extractors.weights import Weights
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import nearest_ancestor, subtree_sums

#: The paper's γ: the more styles an element has, the more its own entropy counts, and the less that of its children.
GAMMA: Final = 0.9
#: A node is noise if its importance and that of all nodes below it are lower. The paper sets it for each site.
THRESHOLD: Final = 0.2
_UINT64_MAX: Final = (1 << 64) - 1
_TEXT_HASH: Final = 1  #: the appearance of a text block
#: Containers of the whole page: their classes identify the page, not the layout (``page-id-123``).
_PAGE_TAGS: Final = tags.tag_mask("html body")


@dataclass(frozen=True, slots=True)
class StyleNodes:
    """The element nodes of one page, parents before children.

    Attributes:
        row: the row of the element, or the first row of the text block.
        stop: the row after its last.
        key: identifies the node in the site's tree: the same path through the same styles is the same node.
        style: identifies the element's style; 0 for a text block.
        parent: the index of the parent among these nodes, -1 for the first.
    """

    row: list[int]
    stop: list[int]
    key: list[int]
    style: list[int]
    parent: list[int]


def _hash(*numbers: int) -> int:
    """Return a hash of numbers that is the same on every machine (multiply and shift, as in splitmix64)."""
    state = 0x9E3779B97F4A7C15
    for number in numbers:
        state = ((state ^ number) * 0xBF58476D1CE4E5B9) & _UINT64_MAX
        state ^= state >> 29
    return state


def style_nodes(page: Page) -> StyleNodes:
    """Return the element nodes of a page.

    >>> from tamis.page import parse_page
    >>> first, second = (style_nodes(parse_page(f"<ul><li>Home<li>News</ul><p>{text}</p>")) for text in ("a", "b"))
    >>> first.key == second.key, len(first.key)
    (True, 9)
    """
    blocks = page.blocks
    text_rows = subtree_sums(page.end, (blocks.block_of >= 0).astype(np.int64))
    elements = np.flatnonzero(tags.BLOCK[page.tag] & page.is_element & (page.hidden == 0) & (text_rows > 0))
    nearest = nearest_ancestor(page.end, elements)
    rows = np.concatenate((elements, blocks.start))
    parent_rows = np.concatenate((nearest[page.parent[elements]], nearest[blocks.start]))
    stops = np.concatenate((page.end[elements].astype(np.int64), blocks.stop))
    order = np.argsort(rows, kind="stable")
    index = {int(row): number for number, row in enumerate(rows[order].tolist())}
    parents = [index.get(row, -1) for row in parent_rows[order].tolist()]
    appearance = _appearance(page, rows[order].tolist(), (order >= len(elements)).tolist())
    count = len(appearance)
    children, children_hash, child_index = [0] * count, [0] * count, [0] * count
    for node, parent in enumerate(parents):
        if parent >= 0:
            child_index[node] = children[parent]
            children[parent] += 1
            children_hash[parent] = _hash(children_hash[parent], appearance[node])
    key, style = [0] * count, [0] * count
    for node, parent in enumerate(parents):
        key[node] = _hash(style[parent] if parent >= 0 else 0, child_index[node], appearance[node])
        style[node] = _hash(key[node], children_hash[node]) if children[node] else 0
    return StyleNodes(rows[order].tolist(), stops[order].tolist(), key, style, parents)


def _appearance(page: Page, rows: list[int], is_text: list[bool]) -> list[int]:
    """Return a hash of each node's appearance: its tag and its classes, which determine its style today."""
    classes = page.attribute("class")
    hash_of: dict[str, int] = {}
    hashes = []
    for row, text in zip(rows, is_text, strict=True):
        if text:
            hashes.append(_TEXT_HASH)
            continue
        class_names = "" if _PAGE_TAGS[page.tag[row]] else " ".join(sorted(classes.get(row, "").split()))
        name = f"{tags.NAMES[page.tag[row]]} {class_names}"
        if name not in hash_of:
            hash_of[name] = int.from_bytes(blake2b(name.encode("utf-8", "replace"), digest_size=8).digest(), "little")
        hashes.append(hash_of[name])
    return hashes


@dataclass(slots=True)
class _Node:
    """An element node of the site's tree.

    Attributes:
        parent_style: the style of its parent.
        styles: the number of pages with each of its styles.
        words: for a text block, the number of occurrences of each word on each page that has it.
        pages: the number of pages with the node.
    """

    parent_style: int
    styles: Counter[int] = field(default_factory=Counter)
    words: dict[str, list[int]] = field(default_factory=dict)
    pages: int = 0


def _entropy(counts: Iterable[int], base: int) -> float:
    """Return the entropy of counts. With the number of pages as base: 0 if all are the same, 1 if all differ."""
    total = sum(counts)
    return -sum(count / total * math.log(count / total, base) for count in counts if count)


class StyleTree:
    """The style tree of a site, built page by page.

    >>> from tamis.page import parse_page
    >>> tree = StyleTree()
    >>> for text in ("Tea is green.", "Milk is white."):
    ...     tree.add(parse_page(f"<ul><li>Home<li>News</ul><p>{text}</p>"))
    >>> page = parse_page("<ul><li>Home<li>News</ul><p>Rain is wet.</p>")
    >>> [page.row_text(row) for row in Sst(tree.noisy(), tree.pages).select(page).mask.nonzero()[0]]
    ['Rain is wet.']
    """

    def __init__(self) -> None:
        self.pages = 0
        self._nodes: dict[int, _Node] = {}

    def add(self, page: Page) -> None:
        """Add a page to the tree."""
        self.pages += 1
        page_nodes = style_nodes(page)
        for index, key in enumerate(page_nodes.key):
            parent = page_nodes.parent[index]
            node = self._nodes.setdefault(key, _Node(page_nodes.style[parent] if parent >= 0 else 0))
            node.pages += 1
            if page_nodes.style[index]:
                node.styles[page_nodes.style[index]] += 1
                continue
            text = page.text[page.offset[page_nodes.row[index]] : page.offset[page_nodes.stop[index]]]
            for word, count in Counter(text.lower().split()).items():
                node.words.setdefault(word, []).append(count)

    def importance(self) -> dict[int, float]:
        """Return the composite importance of each node by its key."""
        importance: dict[int, float] = {}
        children: dict[int, list[float]] = {}  # the importance of the children, by style
        for key, node in reversed(self._nodes.items()):  # children were added after their parents
            importance[key] = self._composite_importance(node, children)
            children.setdefault(node.parent_style, []).append(importance[key])
        return importance

    @staticmethod
    def _composite_importance(node: _Node, children: dict[int, list[float]]) -> float:
        if node.pages == 1:  # "m = 1": a node of one page repeats nothing
            return 1.0
        if not node.styles:
            entropies = [_entropy(counts, node.pages) for counts in node.words.values()]
            return 1 - sum(entropies) / max(len(entropies), 1)
        node_importance = _entropy(node.styles.values(), node.pages)
        total = node.styles.total()
        children_importance = 0.0
        for style, count in node.styles.items():
            values = children.get(style, [1.0])
            children_importance += count / total * sum(values) / len(values)
        weight = GAMMA ** len(node.styles)
        return (1 - weight) * node_importance + weight * children_importance

    def noisy(self, threshold: float = THRESHOLD) -> frozenset[int]:
        """Return the keys of the maximal noisy nodes: nodes that are noise with all nodes below them."""
        importance = self.importance()
        clean_styles: set[int] = set()  # styles with a child that is not noise, or has such a node below it
        noise: set[int] = set()
        for key, node in reversed(self._nodes.items()):
            if importance[key] < threshold and not clean_styles.intersection(node.styles):
                noise.add(key)
            else:
                clean_styles.add(node.parent_style)
        noisy_styles = {style for key in noise for style in self._nodes[key].styles}
        return frozenset(key for key in noise if self._nodes[key].parent_style not in noisy_styles)

    def to_weights(self, threshold: float = THRESHOLD) -> Weights:
        """Return the profile of the site."""
        noisy = sorted(f"{key:016x}" for key in self.noisy(threshold))
        return Weights(
            "sst", {"noisy": noisy, "pages": self.pages}, {"threshold": threshold, "nodes": len(self._nodes)}
        )


@dataclass(frozen=True, slots=True)
class Sst:
    """The text that varies between the pages of a site.

    Attributes:
        noisy: the keys of the nodes that do not vary, from `StyleTree.noisy`.
        pages: the number of pages in the tree; 0 if there is no profile.

    >>> from tamis.page import parse_page
    >>> Sst().select(parse_page("<p>a")).reasons[1]
    'kept: without a site profile nothing is known to repeat'
    """

    noisy: frozenset[int] = frozenset()
    pages: int = 0
    name: ClassVar[str] = "sst"
    summary: ClassVar[str] = "text that varies between the pages of a site (needs a profile)"
    source: ClassVar[str] = "Yi, Liu, Li 2003"

    @classmethod
    def from_weights(cls, weights: Weights) -> "Sst":
        """Return the extractor that a weights file describes."""
        try:
            return cls(frozenset(int(key, 16) for key in weights.values["noisy"]), int(weights.values["pages"]))
        except (KeyError, TypeError, ValueError) as error:
            raise OptionError(f"invalid weights of a site style tree: {error}") from error

    def select(self, page: Page) -> Selection:
        """Select the text that is not below a noisy node."""
        if not self.pages:
            reason = "kept: without a site profile nothing is known to repeat"
            return Selection.from_mask(page, page.is_text, reasons=("not shown", reason))
        nodes = style_nodes(page)
        noisy = [index for index, key in enumerate(nodes.key) if key in self.noisy]
        kept = np.ones(len(page), dtype=np.bool_)
        if noisy:
            start, stop = (np.array([column[index] for index in noisy]) for column in (nodes.row, nodes.stop))
            change = np.bincount(start, minlength=len(page) + 1) - np.bincount(stop, minlength=len(page) + 1)
            kept = np.cumsum(change[:-1]) == 0
        return Selection.from_mask(
            page, kept, reasons=("the same on pages of the site", "varies between pages of the site")
        )
