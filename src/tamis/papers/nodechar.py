"""NodeChar: node characteristics, text density and hyperlink density of a node and its neighbours.

Q. Liu, M. Shao, L. Wu, G. Zhao, G. Fan, J. Li: Main content extraction from web pages based on node characteristics.
Journal of Computing Science and Engineering 11(2), 2017. doi:10.5626/JCSE.2017.11.2.39

A node is a run of text in a container. Its density is how full its lines are on a screen. Similar neighbours are
fused. A node with few links is content if it, the next or the previous node is dense. A page whose content is too
sparse is an index page (the paper's "catalogue"): nothing is selected, and its links are returned. Scores are line
densities.
"""

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final, Literal

import numpy as np
import numpy.typing as npt

from tamis.extractors.registry import Link, Selection
from tamis.html import characters, tags
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree, prefix_sums

Floats = npt.NDArray[np.float64]

#: The paper's four classes of tags (section II-A). Its "etc." is completed with the other tags of HTML.
INTERACTION: Final = tags.tag_mask(
    "script noscript applet object embed input button select option optgroup textarea datalist output progress meter "
    "iframe frame frameset noframes audio video canvas map area dialog menuitem param source track"
)
STYLE: Final = tags.tag_mask(
    "b i u s em strong small big tt font strike sub sup code kbd samp var cite q mark abbr acronym dfn ins del span "
    "a bdi bdo br wbr img ruby rt rp rb rtc time data label nobr blink marquee basefont picture svg math"
)
METADATA: Final = tags.tag_mask("head title meta link style base template")
#: All other tags are containers. A node is a run of text in its nearest container, a block of `Page.blocks`. The
#: paper lists ``span`` among the containers, but inside a paragraph it only styles text: as a container it would cut
#: sentences into pieces too short for any density. Here it counts as style.


# Text as lines on a screen: Liu 2017 measures density by the number of lines that a node's text fills.
#
# A full-width character takes two columns, a combining mark none. Lines break at white space and next to full-width
# characters, as in typesetting; a word longer than a line is cut.

COLUMNS: Final = 80  #: Liu 2017's maxLen: the maximum number of characters in a line


@cache
def _widths() -> npt.NDArray[np.uint8]:
    table = np.ones(characters.BMP_SIZE, dtype=np.uint8)
    for code in range(characters.BMP_SIZE):
        char = chr(code)
        if unicodedata.east_asian_width(char) in "WF":
            table[code] = 2
        elif unicodedata.combining(char):
            table[code] = 0
    return table


def widths(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """Return the number of columns of each code point; two beyond the first plane (ideographs, emoji).

    >>> widths(np.array([ord("a"), ord("漢"), 0x301, 0x1F600], dtype=np.uint32)).tolist()
    [1, 2, 0, 2]
    """
    out = _widths()[np.minimum(codes, characters.BMP_SIZE - 1)]
    out[codes >= characters.BMP_SIZE] = 2
    return out


def break_lines(codes: npt.NDArray[np.uint32], columns: int = COLUMNS) -> list[tuple[int, int]]:
    """Return the start and stop of each line of a text whose white space is collapsed, without trailing spaces."""
    width = widths(codes)
    column_of = prefix_sums(width)
    space = characters.classify(codes) == characters.SPACE
    # A line may end before position k if a space is there, or a wide character on either side.
    may_end = np.ones(len(codes) + 1, dtype=np.bool_)
    may_end[1:-1] = space[1:] | (width[1:] == 2) | (width[:-1] == 2)  # noqa: PLR2004 (two columns)
    ends: list[int] = np.flatnonzero(may_end).tolist()
    end_columns: list[int] = column_of[may_end].tolist()
    lines: list[tuple[int, int]] = []
    start, total = 0, len(codes)
    while start < total:
        limit = int(column_of[start]) + columns
        stop = ends[bisect_right(end_columns, limit) - 1]
        if stop <= start:  # one word, longer than the line
            stop = max(int(np.searchsorted(column_of, limit, side="right")) - 1, start + 1)
        lines.append((start, stop - 1 if stop - 1 > start and space[stop - 1] else stop))
        start = stop + 1 if stop < total and space[stop] else stop
    return lines


@dataclass(frozen=True, slots=True)
class NodeChar:
    """The method of Liu et al. The defaults are the paper's numbers, except `columns` and `similarity`.

    Attributes:
        columns: characters per line on the screen; a full-width character counts as two (maxLen). The paper prints no
            value; 80 is ours. ``python bench/nodechar_sweep.py CORPUS`` prints the sweep (docs/lab/reproduction.md):
            from 20 to 200, mean F1 rises by 3.6 points on news and falls by 2.0 on CleanEval; Chinese is best at 100
            to 120.
        max_link: maximum share of link characters in a content node (θ).
        min_density: minimum density of a content node or of its neighbour (δ).
        density_weight: weight of the difference in density when nodes are compared (α; links have 1 − α).
        similarity: neighbours that differ by less are fused (ε). ``python bench/nodechar_sweep.py CORPUS`` prints
            the sweep that chose it: within 0.3 points of its best from 0 to 0.15, falling beyond on CleanEval.
        page_density: if the density of the selected text is not higher, the page is an index page.
        page_marks: likewise if it does not have more punctuation marks.
        galleries: if half the captions of a gallery are content, so are the others, such as a short last one.
        neighbours: ``"siblings"`` are nodes in sibling containers, and one that is mostly links lends no density;
            ``"document"`` are the next and previous node, wherever they stand.
    """

    columns: int = COLUMNS
    max_link: float = 0.333
    min_density: float = 0.5
    density_weight: float = 0.2
    similarity: float = 0.02
    page_density: float = 0.3
    page_marks: int = 2
    galleries: bool = True
    neighbours: Literal["siblings", "document"] = "siblings"
    name: ClassVar[str] = "nodechar"
    summary: ClassVar[str] = "nodes with full lines and few links, and their neighbours; recognizes index pages"
    source: ClassVar[str] = "Liu et al. 2017"

    def select(self, page: Page) -> Selection:
        """Select content nodes, or none if the page is an index page."""
        blocks = page.blocks
        excluded = in_subtree(page.end, np.flatnonzero(INTERACTION[page.tag] | METADATA[page.tag]))
        nodes = np.flatnonzero(~excluded[blocks.start])
        if not len(nodes):
            return self._index_page(page, np.zeros(len(page)))
        measures = self._measure(page, nodes)
        group = self._fuse(measures)
        density, link = self._characteristics(measures.fused(group))
        content = self._classify(density, link, self._are_siblings(page, nodes, group))
        node_content = np.zeros(len(blocks), dtype=np.bool_)
        node_content[nodes] = content[group]
        if self.galleries:
            node_content[nodes] |= self._captions(page, nodes, content[group]) & (link[group] < self.max_link)
        node_density = np.zeros(len(blocks))
        node_density[nodes] = density[group]
        score = blocks.broadcast(node_density)
        if self._is_index(page, measures, content[group], nodes):
            return self._index_page(page, score)
        kept = blocks.broadcast(node_content).astype(np.bool_)
        return Selection.from_mask(page, kept, score, _REASONS, title=page_title(page), page_type="article")

    @staticmethod
    def _index_page(page: Page, score: Floats) -> Selection:
        """Return the selection of a page without main content: no rows, and every link (section II-C-4)."""
        return Selection.from_mask(
            page,
            np.zeros(len(page), dtype=np.bool_),
            score,
            _REASONS,
            title=page_title(page),
            index_links=links(page),
            page_type="index",
        )

    def _measure(self, page: Page, nodes: npt.NDArray[np.int64]) -> "_Measures":
        """Measure each node, in columns of the screen and in lines."""
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
            spans = break_lines(codes, self.columns)
            lines[node] = len(spans)
            first, end = spans[-1]
            last[node] = widths(codes[first:end]).sum()
        return _Measures(total, linked, lines, last)

    def _fuse(self, measures: "_Measures") -> npt.NDArray[np.int64]:
        """Return the fused node of each node: neighbours are fused while they differ by less than ε.

        Nodes are compared in reading order. A fused node is measured again before it is compared with the next one.
        """
        node_density, node_link = (column.tolist() for column in self._characteristics(measures))
        columns, linked = measures.columns.tolist(), measures.linked.tolist()
        lines, last = measures.lines.tolist(), measures.last.tolist()
        group = np.zeros(len(columns), dtype=np.int64)
        fused_node = 0
        fused_columns, fused_linked, fused_lines = columns[0], linked[0], lines[0]
        density, link = node_density[0], node_link[0]
        for node in range(1, len(columns)):
            difference = abs(density - node_density[node]) * self.density_weight
            difference += abs(link - node_link[node]) * (1 - self.density_weight)
            if difference < self.similarity:
                fused_columns += columns[node]
                fused_linked += linked[node]
                fused_lines += lines[node]
                density = (fused_columns - last[node]) / ((fused_lines - 1) * self.columns)
                link = fused_linked / max(fused_columns, 1)
            else:
                fused_node += 1
                fused_columns, fused_linked, fused_lines = columns[node], linked[node], lines[node]
                density, link = node_density[node], node_link[node]
            group[node] = fused_node
        return group

    def _characteristics(self, measures: "_Measures") -> tuple[Floats, Floats]:
        """Return δ (definition 1, without the last of several lines) and θ (definition 2)."""
        has_lines = measures.lines > 1
        counted = np.where(has_lines, measures.columns - measures.last, measures.columns)
        density = counted / (np.where(has_lines, measures.lines - 1, 1) * self.columns)
        return density, measures.linked / np.maximum(measures.columns, 1)

    def _are_siblings(self, page: Page, nodes: npt.NDArray[np.int64], group: npt.NDArray[np.int64]) -> Bools:
        """Return for each fused node but the last whether the next one is its neighbour: in a sibling container."""
        if self.neighbours == "document":
            return np.ones(int(group[-1]), dtype=np.bool_)
        container = page.blocks.container[nodes].astype(np.int64)
        border = np.flatnonzero(np.diff(group))
        left, right = container[border], container[border + 1]
        return np.asarray((left == right) | (page.parent[left] == page.parent[right]))

    def _classify(self, density: Floats, link: Floats, siblings: Bools) -> Bools:
        """Return which nodes are content (figure 2): few links, and dense or next to a dense node.

        A neighbour that is mostly links lends no density: a full line of links says nothing about what is beside it.
        """
        dense = density >= self.min_density
        lends = dense & (link < self.max_link) if self.neighbours == "siblings" else dense
        near_dense = dense.copy()
        near_dense[1:] |= lends[:-1] & siblings
        near_dense[:-1] |= lends[1:] & siblings
        return np.asarray((link < self.max_link) & near_dense)

    @staticmethod
    def _captions(page: Page, nodes: npt.NDArray[np.int64], content: Bools) -> Bools:
        """Return the nodes that are captions in a gallery of which at least half the captions are content.

        A caption is the only node in an element with an image. Elements with a common parent are a gallery.
        """
        container = page.blocks.container[nodes].astype(np.int64)
        images = prefix_sums(page.tag == tags.IDS["img"])
        item = np.where(images[page.end[container]] > images[container], container, page.parent[container])
        item = np.maximum(item, 0)
        has_image = (images[page.end[item]] > images[item]) & (item > page.body)
        start = page.blocks.start
        alone = np.searchsorted(start, page.end[item]) - np.searchsorted(start, item) == 1
        caption = has_image & alone
        gallery = np.maximum(page.parent[item], 0)
        captions = np.bincount(gallery[caption], minlength=len(page))
        kept = np.bincount(gallery[caption & content], minlength=len(page))
        return np.asarray(caption & (2 * kept >= captions)[gallery])

    def _is_index(self, page: Page, measures: "_Measures", content: Bools, nodes: npt.NDArray[np.int64]) -> bool:
        """Return whether the content nodes are too sparse, so that the page is an index page (section II-C-4)."""
        if not content.any():
            return True
        marks = np.isin(page.char_classes, (characters.STOP, characters.COMMA, characters.PUNCTUATION))
        has_marks = page.blocks.sum(page.count(marks))[nodes][content].sum() > self.page_marks
        density, _ = self._characteristics(measures.fused(np.where(content, 0, 1)))
        return not (has_marks and density[0] > self.page_density)


@dataclass(frozen=True, slots=True)
class _Measures:
    """The measures of each node that its densities are computed from.

    Attributes:
        columns: width of the text.
        linked: width of the text in links.
        lines: number of lines.
        last: width of the last line.
    """

    columns: Floats
    linked: Floats
    lines: Floats
    last: Floats

    def fused(self, group: npt.NDArray[np.int64]) -> "_Measures":
        """Return the measures of nodes fused by group: each part starts a line, and the last part ends the node."""
        size = int(group.max()) + 1
        last = np.zeros(size)
        last[group] = self.last  # the last assignment of a group stays
        return _Measures(
            np.bincount(group, self.columns, size).astype(np.float64),
            np.bincount(group, self.linked, size).astype(np.float64),
            np.bincount(group, self.lines, size).astype(np.float64),
            last,
        )


_REASONS: Final = ("a sparse node, or one with many links", "a dense node, or next to one")


def page_title(page: Page) -> str | None:
    """Return the page's title as the paper's preprocessing keeps it: ``h1``, else ``title``.

    >>> from tamis.page import parse_page
    >>> page_title(parse_page("<title>Site</title><h1>Story</h1>"))
    'Story'
    """
    for name in ("h1", "title"):
        for row in page.rows_of(name).tolist():
            text = page.collapsed_text(row)
            if text:
                return text
    return None


def links(page: Page) -> tuple[Link, ...]:
    """Return every link of a page that has a text and a URL, in document order.

    >>> from tamis.page import parse_page
    >>> links(parse_page('<a href="/a">One</a> <a href="/b"><img></a>'))
    (Link(text='One', href='/a'),)
    """
    urls = page.attribute("href")
    out = []
    for row in page.rows_of("a").tolist():
        text = page.collapsed_text(row)
        if text and row in urls and page.hidden[row] == 0:
            out.append(Link(text, urls[row]))
    return tuple(out)
