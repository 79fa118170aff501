"""Node characteristics: lines of text and links, judged beside the neighbours.

H. Liu et al.: Extracting main content of web pages by node characteristics, for a reading agent (2017).

Only containers carry nodes. A node's density is how full its lines are on a screen; nodes that look alike are fused
with their neighbours; a node with few links is content when it, the next or the previous one is dense. A page whose
content is too thin has none: it is a catalogue, and the answer is its links. Scores are line densities.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from tamis.extractors.base import Link, Selection
from tamis.html import characters, tags
from tamis.page import Page
from tamis.page.lines import COLUMNS, break_lines, widths
from tamis.page.sums import Bools, in_subtree

Floats = npt.NDArray[np.float64]

#: The paper's four classes of tags (section II-A), its "etc." filled in with the rest of HTML.
INTERACTION: Final = tags.tag_mask(
    "script noscript applet object embed input button select option optgroup textarea datalist output progress meter "
    "iframe frame frameset noframes audio video canvas map area dialog menuitem param source track"
)
STYLE: Final = tags.tag_mask(
    "b i u s em strong small big tt font strike sub sup code kbd samp var cite q mark abbr acronym dfn ins del span "
    "a bdi bdo br wbr img ruby rt rp rb rtc time data label nobr blink marquee basefont picture svg math"
)
METADATA: Final = tags.tag_mask("head title meta link style base template")
#: What is left carries nodes: a node is a run of text in its nearest container, a block of `Page.blocks`. The paper
#: lists ``span`` among containers, yet inside a paragraph it only styles; as a node of its own it would cut sentences
#: into pieces too short for any density. It counts as style here.
CONTAINER: Final = ~(INTERACTION | STYLE | METADATA)


@dataclass(frozen=True, slots=True)
class NodeChar:
    """Liu's method. Options are the paper's numbers; `similarity` has none there.

    Attributes:
        columns: characters of one line on the screen, full-width ones counting two (maxLen).
        max_link: a node with a larger share of link characters is noise (θ).
        min_density: a node, or its neighbour, must fill its lines this far (δ).
        density_weight: how much a difference in density counts when nodes are compared (α; links count 1 − α).
        similarity: nodes that differ by less are fused (ε). ``python bench/nodechar_fusion.py CORPUS`` prints the
            sweep that chose it: within 0.3 points of its best from 0 to 0.15, falling beyond on CleanEval.
        page_density: the kept text must be denser, or the page is a catalogue.
        page_marks: and have more punctuation marks.
    """

    columns: int = COLUMNS
    max_link: float = 0.333
    min_density: float = 0.5
    density_weight: float = 0.2
    similarity: float = 0.02
    page_density: float = 0.3
    page_marks: int = 2
    name: ClassVar[str] = "nodechar"
    summary: ClassVar[str] = "how full a node's lines are, its links, its neighbours; else a catalogue"
    source: ClassVar[str] = "Liu et al. 2017"

    def select(self, page: Page) -> Selection:
        """Select content nodes, or find that the page is a catalogue."""
        blocks = page.blocks
        blocked = in_subtree(page.end, np.flatnonzero(INTERACTION[page.tag] | METADATA[page.tag]))
        nodes = np.flatnonzero(~blocked[blocks.start])
        if not len(nodes):
            return self._catalogue(page, np.zeros(len(page)))
        measures = self._measure(page, nodes)
        group = self._fuse(measures)
        density, link = self._characteristics(measures.fused(group))
        content = self._classify(density, link)
        node_content = np.zeros(len(blocks), dtype=np.bool_)
        node_content[nodes] = content[group]
        node_density = np.zeros(len(blocks))
        node_density[nodes] = density[group]
        score = blocks.broadcast(node_density)
        if self._is_catalogue(page, measures, content[group], nodes):
            return self._catalogue(page, score)
        kept = blocks.broadcast(node_content).astype(np.bool_)
        return Selection.from_mask(page, kept, score, _REASONS, title=page_title(page), page_type="article")

    def _catalogue(self, page: Page, score: Floats) -> Selection:
        """Return the selection of a page without main content: nothing, and every link (section II-C-4)."""
        nothing = np.zeros(len(page), dtype=np.bool_)
        found = links(page)
        return Selection.from_mask(
            page, nothing, score, _REASONS, title=page_title(page), index_links=found, page_type="catalogue"
        )

    def _measure(self, page: Page, nodes: npt.NDArray[np.int64]) -> "_Measures":
        """Measure each node: characters as columns, link columns, lines, and the last line."""
        blocks = page.blocks
        width = np.where(page.char_classes == characters.SPACE, 0, widths(page.codes)).astype(np.int64)
        columns = page.count(width) + np.maximum(page.words - 1, 0)
        total = blocks.sum(columns)[nodes]
        linked = blocks.sum(np.where(page.link, columns, 0))[nodes]
        lines = np.ones(len(nodes))
        last = total.copy()
        for node in np.flatnonzero(total > self.columns).tolist():
            start, stop = blocks.start[nodes[node]], blocks.stop[nodes[node]]
            text = " ".join(page.text[page.offset[start] : page.offset[stop]].split())
            codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
            found = break_lines(codes, self.columns)
            lines[node] = len(found)
            first, end = found[-1]
            last[node] = widths(codes[first:end]).sum()
        return _Measures(total, linked, lines, last)

    def _fuse(self, measures: "_Measures") -> npt.NDArray[np.int64]:
        """Return the fused node of each node: neighbours are merged while they differ by less than ε.

        From left to right, as text is read; a merged node is measured anew before it meets the next one.
        """
        density, link = self._characteristics(measures)
        own_density, own_link = density.tolist(), link.tolist()
        columns, linked = measures.columns.tolist(), measures.linked.tolist()
        lines, last = measures.lines.tolist(), measures.last.tolist()
        group = np.zeros(len(columns), dtype=np.int64)
        number = 0
        now = [columns[0], linked[0], lines[0]]
        now_density, now_link = own_density[0], own_link[0]
        for node in range(1, len(columns)):
            apart = abs(now_density - own_density[node]) * self.density_weight
            apart += abs(now_link - own_link[node]) * (1 - self.density_weight)
            if apart < self.similarity:
                now = [now[0] + columns[node], now[1] + linked[node], now[2] + lines[node]]
                now_density = (now[0] - last[node]) / ((now[2] - 1) * self.columns)
                now_link = now[1] / max(now[0], 1)
            else:
                number += 1
                now = [columns[node], linked[node], lines[node]]
                now_density, now_link = own_density[node], own_link[node]
            group[node] = number
        return group

    def _characteristics(self, measures: "_Measures") -> tuple[Floats, Floats]:
        """Return δ (definition 1, the last line left out where there are several) and θ (definition 2)."""
        several = measures.lines > 1
        counted = np.where(several, measures.columns - measures.last, measures.columns)
        density = counted / (np.where(several, measures.lines - 1, 1) * self.columns)
        return density, measures.linked / np.maximum(measures.columns, 1)

    def _classify(self, density: Floats, link: Floats) -> Bools:
        """Return the paper's figure 2: few links, and dense itself or beside a dense node."""
        dense = density >= self.min_density
        beside = dense.copy()
        beside[1:] |= dense[:-1]
        beside[:-1] |= dense[1:]
        return np.asarray((link < self.max_link) & beside)

    def _is_catalogue(self, page: Page, measures: "_Measures", content: Bools, nodes: npt.NDArray[np.int64]) -> bool:
        """Return whether the kept text is too thin to be content (section II-C-4)."""
        if not content.any():
            return True
        marks = np.isin(page.char_classes, (characters.STOP, characters.COMMA, characters.PUNCTUATION))
        enough = page.blocks.sum(page.count(marks))[nodes][content].sum() > self.page_marks
        whole = measures.fused(np.where(content, 0, 1))
        density, _ = self._characteristics(whole)
        return not (enough and density[0] > self.page_density)


@dataclass(frozen=True, slots=True)
class _Measures:
    """What density is made of, for each node; sums of them are the measures of merged nodes."""

    columns: Floats
    linked: Floats
    lines: Floats
    last: Floats

    def fused(self, group: npt.NDArray[np.int64]) -> "_Measures":
        """Return the measures of nodes merged by group: each part starts a line, the last one ends the node."""
        size = int(group.max()) + 1
        last = np.zeros(size)
        last[group] = self.last  # of several writers the last one stays
        return _Measures(
            np.bincount(group, self.columns, size).astype(np.float64),
            np.bincount(group, self.linked, size).astype(np.float64),
            np.bincount(group, self.lines, size).astype(np.float64),
            last,
        )


_REASONS: Final = ("a thin or linked node", "a dense node, or beside one")


def page_title(page: Page) -> str | None:
    """Return the page's title as the paper's processor keeps it: ``h1``, else ``title``.

    >>> from tamis.page import parse_page
    >>> page_title(parse_page("<title>Site</title><h1>Story</h1>"))
    'Story'
    """
    for name in ("h1", "title"):
        for row in page.rows_of(name).tolist():
            text = " ".join(page.row_text(row).split())
            if text:
                return text
    return None


def links(page: Page) -> tuple[Link, ...]:
    """Return every link of a page that has a text and an address, in document order.

    >>> from tamis.page import parse_page
    >>> links(parse_page('<a href="/a">One</a> <a href="/b"><img></a>'))
    (Link(text='One', href='/a'),)
    """
    addresses = page.attribute("href")
    out = []
    for row in page.rows_of("a").tolist():
        text = " ".join(page.row_text(row).split())
        if text and row in addresses and page.hidden[row] == 0:
            out.append(Link(text, addresses[row]))
    return tuple(out)
