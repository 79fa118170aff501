"""SST: the site style tree.

L. Yi, B. Liu, X. Li: Eliminating noisy information in web pages for data mining. KDD 2003, 296–305.

Pages of one site share their layout. Their trees are laid over each other into one tree of *element nodes* (a
block-level element or a piece of text) and *styles* (the sequence of children that an element has on a page). A
node that looks the same and says the same on every page is noise; one that varies is content. How much it varies
is an entropy: of the styles below an element, of the words in a piece of text.
A profile keeps only the noisy nodes, each as a hash of its way down the tree, so it is small and holds no text.
Selects text rows below no noisy node; without a profile one page stands alone, and nothing in it can be told
to repeat: all of its text is kept, and the reason says so.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import ClassVar, Final

import numpy as np

from tamis.errors import OptionError
from tamis.extractors.base import Selection
from tamis.html import tags
from tamis.model.weights import Weights
from tamis.page import Page
from tamis.page.sums import nearest_ancestor, subtree_sums

#: The paper's γ: the more styles an element has, the more its own variety counts and the less what is below.
GAMMA: Final = 0.9
#: Nodes whose importance, and that of all below them, is under this are noise. The paper sets it by site.
THRESHOLD: Final = 0.2
_MASK: Final = (1 << 64) - 1
_TEXT: Final = 1  # the tag of a piece of text
#: Containers of the whole page: their classes name the page, not the layout (``page-id-123``).
_WHOLE: Final = tags.tag_mask("html body")


@dataclass(frozen=True, slots=True)
class StyleNodes:
    """The element nodes of one page, parents before children.

    Attributes:
        row: the row of each: the element, or the first row of a piece of text.
        stop: the row after its last.
        key: which node of the site's tree it is: the same way down, through the same styles, is the same node.
        style: which style it has; 0 for a piece of text.
        parent: the index of its parent among these nodes, -1 for the first.
    """

    row: list[int]
    stop: list[int]
    key: list[int]
    style: list[int]
    parent: list[int]


def _mix(*numbers: int) -> int:
    """Return a hash of numbers that is the same on every machine (multiply and shift, as splitmix64 does)."""
    state = 0x9E3779B97F4A7C15
    for number in numbers:
        state = ((state ^ number) * 0xBF58476D1CE4E5B9) & _MASK
        state ^= state >> 29
    return state


def style_nodes(page: Page) -> StyleNodes:
    """Find the element nodes of a page.

    >>> from tamis.page import parse_page
    >>> one, two = (style_nodes(parse_page(f"<ul><li>Home<li>News</ul><p>{text}</p>")) for text in ("a", "b"))
    >>> one.key == two.key, len(one.key)
    (True, 9)
    """
    blocks = page.blocks
    held = subtree_sums(page.end, (blocks.block_of >= 0).astype(np.int64))
    elements = np.flatnonzero(tags.BLOCK[page.tag] & page.is_element & (page.hidden == 0) & (held > 0))
    around = nearest_ancestor(page.end, elements)
    rows = np.concatenate((elements, blocks.start))
    owner = np.concatenate((around[page.parent[elements]], around[blocks.start]))
    stops = np.concatenate((page.end[elements].astype(np.int64), blocks.stop))
    order = np.argsort(rows, kind="stable")
    index = {int(row): number for number, row in enumerate(rows[order].tolist())}
    parent = [index.get(row, -1) for row in owner[order].tolist()]
    looks = _looks(page, rows[order].tolist(), (order >= len(elements)).tolist())
    shape, place = [0] * len(looks), [0] * len(looks)  # the children's looks hashed together, and who is which
    size = [0] * len(looks)
    for number, above in enumerate(parent):
        if above >= 0:
            place[number] = size[above]
            size[above] += 1
            shape[above] = _mix(shape[above], looks[number])
    key, style = [0] * len(looks), [0] * len(looks)
    for number, above in enumerate(parent):
        key[number] = _mix(style[above] if above >= 0 else 0, place[number], looks[number])
        style[number] = _mix(key[number], shape[number]) if size[number] else 0
    return StyleNodes(rows[order].tolist(), stops[order].tolist(), key, style, parent)


def _looks(page: Page, rows: list[int], is_text: list[bool]) -> list[int]:
    """Return a hash of how each node looks: its tag and its class, which is what sets its style today."""
    classes = page.attribute("class")
    known: dict[str, int] = {}
    out = []
    for row, text in zip(rows, is_text, strict=True):
        if text:
            out.append(_TEXT)
            continue
        words = "" if _WHOLE[page.tag[row]] else " ".join(sorted(classes.get(row, "").split()))
        name = f"{tags.NAMES[page.tag[row]]} {words}"
        if name not in known:
            known[name] = int.from_bytes(blake2b(name.encode("utf-8", "replace"), digest_size=8).digest(), "little")
        out.append(known[name])
    return out


@dataclass(slots=True)
class _Node:
    """An element node of the site's tree while it grows."""

    parent_style: int
    styles: Counter[int] = field(default_factory=Counter)
    words: dict[str, list[int]] = field(default_factory=dict)  # for each word, how often it is on each page
    pages: int = 0


def _variety(counts: Iterable[int], base: int) -> float:
    """Return the entropy of some counts, to the base of the number of pages: 0 for one way, 1 for all different."""
    total = sum(counts)
    return -sum(count / total * math.log(count / total, base) for count in counts if count)


class StyleTree:
    """The style tree of a site, grown page by page.

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
        """Lay a page over the tree."""
        self.pages += 1
        found = style_nodes(page)
        for number, key in enumerate(found.key):
            above = found.parent[number]
            node = self._nodes.setdefault(key, _Node(found.style[above] if above >= 0 else 0))
            node.pages += 1
            if found.style[number]:
                node.styles[found.style[number]] += 1
                continue
            text = page.text[page.offset[found.row[number]] : page.offset[found.stop[number]]]
            for word, times in Counter(text.lower().split()).items():
                node.words.setdefault(word, []).append(times)

    def importance(self) -> dict[int, float]:
        """Return the composite importance of each node by its key."""
        out: dict[int, float] = {}
        below: dict[int, list[float]] = {}  # by style, the importances of the children
        for key, node in reversed(self._nodes.items()):  # children came after their parents
            out[key] = self._composite(node, below)
            below.setdefault(node.parent_style, []).append(out[key])
        return out

    @staticmethod
    def _composite(node: _Node, below: dict[int, list[float]]) -> float:
        if node.pages == 1:  # "m = 1": seen once, it repeats nothing
            return 1.0
        if not node.styles:
            varieties = [_variety(times, node.pages) for times in node.words.values()]
            return 1 - sum(varieties) / max(len(varieties), 1)
        own = _variety(node.styles.values(), node.pages)
        total = node.styles.total()
        children = 0.0
        for style, times in node.styles.items():
            values = below.get(style, [1.0])
            children += times / total * sum(values) / len(values)
        fade = GAMMA ** len(node.styles)
        return (1 - fade) * own + fade * children

    def noisy(self, threshold: float = THRESHOLD) -> frozenset[int]:
        """Return the keys of the maximal noisy nodes: noisy with all that is below them."""
        importance = self.importance()
        clean_styles: set[int] = set()  # styles with a child that is not noisy all the way down
        noise: set[int] = set()
        for key, node in reversed(self._nodes.items()):
            if importance[key] < threshold and not clean_styles.intersection(node.styles):
                noise.add(key)
            else:
                clean_styles.add(node.parent_style)
        inner = {style for key in noise for style in self._nodes[key].styles}
        return frozenset(key for key in noise if self._nodes[key].parent_style not in inner)

    def to_weights(self, threshold: float = THRESHOLD) -> Weights:
        """Return the profile of the site."""
        noisy = sorted(f"{key:016x}" for key in self.noisy(threshold))
        return Weights(
            "sst", {"noisy": noisy, "pages": self.pages}, {"threshold": threshold, "nodes": len(self._nodes)}
        )


@dataclass(frozen=True, slots=True)
class Sst:
    """What varies between the pages of a site.

    Attributes:
        noisy: the nodes that do not, from `StyleTree.noisy`.
        pages: how many pages the tree was grown from; 0 is no tree.

    >>> from tamis.page import parse_page
    >>> Sst().select(parse_page("<p>a")).reasons[1]
    'kept: without a site profile nothing is known to repeat'
    """

    noisy: frozenset[int] = frozenset()
    pages: int = 0
    name: ClassVar[str] = "sst"
    summary: ClassVar[str] = "what varies between the pages of a site (needs a profile)"
    source: ClassVar[str] = "Yi, Liu, Li 2003"

    @classmethod
    def of(cls, weights: Weights) -> "Sst":
        """Return the extractor that a weights file describes."""
        try:
            return cls(frozenset(int(key, 16) for key in weights.values["noisy"]), int(weights.values["pages"]))
        except (KeyError, TypeError, ValueError) as error:
            raise OptionError(f"these are no values of a site style tree: {error}") from error

    def select(self, page: Page) -> Selection:
        """Select the text that is not below a noisy node."""
        if not self.pages:
            why = "kept: without a site profile nothing is known to repeat"
            return Selection.from_mask(page, page.is_text, reasons=("not shown", why))
        nodes = style_nodes(page)
        hits = [number for number, key in enumerate(nodes.key) if key in self.noisy]
        kept = np.ones(len(page), dtype=np.bool_)
        if hits:
            start, stop = (np.array([column[hit] for hit in hits]) for column in (nodes.row, nodes.stop))
            change = np.bincount(start, minlength=len(page) + 1) - np.bincount(stop, minlength=len(page) + 1)
            kept = np.cumsum(change[:-1]) == 0
        return Selection.from_mask(
            page, kept, reasons=("the same on pages of the site", "varies between pages of the site")
        )
