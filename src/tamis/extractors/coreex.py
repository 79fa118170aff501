"""CoreEx: the part of a page with the most text to the fewest links.

J. Prasad, A. Paepcke: CoreEx: content extraction from online news articles. Proceedings of CIKM (2008) 1391–1392,
and the technical report of the same name, Stanford InfoLab.

Every node counts its words and its links, a link with all its text being one word and one link. The score of a node
is its share of words that are no links, with a gentle push towards nodes that hold more of the page; the answer is
the set S of the best node's children that are nearly free of links. Scores are those of the element holding the text.
"""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis.extractors.base import Selection
from tamis.html import tags
from tamis.page import Page, parse_page
from tamis.page.sums import Bools, child_sums, in_subtree, nesting, subtree_sums

Floats = npt.NDArray[np.float64]

_FORMS = tags.tag_mask("select form input textarea option")
_SCRIPTS = tags.tag_mask("script style")
_SLACK = 2  # characters: runs of text are counted without the spaces between them


@dataclass(frozen=True, slots=True)
class Counts:
    """Words and links of each row's subtree: the paper's textCnt and linkCnt."""

    text: Floats
    link: Floats

    def ratio(self) -> Floats:
        """Return (textCnt − linkCnt) / textCnt, 0 where there is no text."""
        return np.where(self.text > 0, (self.text - self.link) / np.maximum(self.text, 1), 0.0)


@dataclass(frozen=True, slots=True)
class CoreEx:
    """Prasad and Paepcke's method; `R1` … `R6` are the rows of their table 1.

    Attributes:
        weight_text: how much a node's share of the page's words counts (section 2.2.1: 0.01; 0 is basic scoring).
        subset: answer with the children of the best node that are nearly free of links (section 2.2.2).
        threshold: how free of links a child must be to belong to that set.
        ignore_forms: leave form elements out (section 3.2).
        remove_scripts: leave scripts out; otherwise their code counts as words, as in the authors' parser.
        to_xhtml: read the page again from its serialisation, to show that it changes nothing.
        page_wide_forms: keep a form that holds most of the page's words; the paper's own weakness (section 6.1),
            mended here and off in the presets.
        recover_title: add the header before the answer, or what repeats the page's title (section 6.1).
        index_ratio: the page is an index when the ratio of its body is smaller. The paper leaves telling the two
            apart by the scored tree to future work; ``python bench/coreex_index.py WCXB`` prints the sweep: right
            on 0.80 of articles and indexes alike, where the answer's share of the page's words is right on 0.73.
    """

    weight_text: float = 0.01
    subset: bool = True
    threshold: float = 0.9
    ignore_forms: bool = True
    remove_scripts: bool = True
    to_xhtml: bool = False
    page_wide_forms: bool = True
    recover_title: bool = True
    index_ratio: float = 0.835
    name: str = "coreex"
    summary: str = "most text to fewest links, over sets of siblings"
    source: ClassVar[str] = "Prasad, Paepcke 2008"

    def select(self, page: Page) -> Selection:
        """Select the best set of nodes."""
        if self.to_xhtml:
            return self._by_round_trip(page)
        counts, left_out = self.count(page)
        score = self._scores(page, counts)
        best = _highest(page, score)
        kept = in_subtree(page.end, self._answer(page, counts, best)) & ~left_out
        title = self._title(page, best, kept) if self.recover_title else np.zeros(0, dtype=np.int64)
        return Selection.from_mask(
            page,
            kept | in_subtree(page.end, title),
            score[np.maximum(page.parent, 0)],
            ("outside the best nodes", "in the best nodes"),
            title=" ".join(page.row_text(int(title[0])).split()) if len(title) else None,
            page_type="article" if counts.ratio()[page.body] >= self.index_ratio else "index",
        )

    def count(self, page: Page) -> tuple[Counts, Bools]:
        """Return the counts, and the rows that preprocessing leaves out.

        >>> page = parse_page("<p>two words <a href=/x>and a link</a></p>")
        >>> counts, _ = CoreEx().count(page)
        >>> float(counts.text[page.body]), float(counts.link[page.body])
        (3.0, 1.0)
        """
        words = np.where(page.hidden == 0, page.words, 0).astype(np.float64)
        if not self.remove_scripts:
            words += _code_words(page)
        left_out = np.zeros(len(page), dtype=np.bool_)
        if self.ignore_forms:
            forms = np.flatnonzero(_FORMS[page.tag])
            if self.page_wide_forms and len(forms):
                total = subtree_sums(page.end, words)
                forms = forms[total[forms] <= total[page.body] / 2]
            left_out = in_subtree(page.end, forms)
        links = np.flatnonzero((page.tag == tags.IDS["a"]) & page.link)
        in_link = nesting(page.end, links)
        outermost = links[in_link[links] == 1]
        link = np.zeros(len(page))
        link[outermost] = 1.0
        text = np.where(in_link > 0, 0.0, words) + link
        text[left_out] = 0.0
        link[left_out] = 0.0
        return Counts(subtree_sums(page.end, text), subtree_sums(page.end, link)), left_out

    def _scores(self, page: Page, counts: Counts) -> Floats:
        """Return the score of each row; -1 where a row cannot be the answer."""
        used = counts
        if self.subset:
            chosen = self._free_of_links(page, counts)
            used = Counts(
                child_sums(page.parent, np.where(chosen, counts.text, 0)),
                child_sums(page.parent, np.where(chosen, counts.link, 0)),
            )
        share = used.text / max(float(counts.text[page.body]), 1.0)
        score = (1 - self.weight_text) * used.ratio() + self.weight_text * share
        may_win = in_subtree(page.end, np.array([page.body])) & (used.text > 0)
        return np.where(may_win, score, -1.0)

    def _free_of_links(self, page: Page, counts: Counts) -> Bools:
        return np.asarray((counts.ratio() > self.threshold) & (page.is_element | page.is_text))

    def _answer(self, page: Page, counts: Counts, best: int) -> npt.NDArray[np.int64]:
        """Return the rows of S, or the best row itself without subset selection."""
        if best < 0:
            return np.zeros(0, dtype=np.int64)
        if not self.subset:
            return np.array([best])
        return np.flatnonzero(self._free_of_links(page, counts) & (page.parent == best))

    def _title(self, page: Page, best: int, kept: Bools) -> npt.NDArray[np.int64]:
        """Return the row of the title, found in one of the paper's two ways, as an array of one or none."""
        none = np.zeros(0, dtype=np.int64)
        if best < 0:
            return none
        headers = np.flatnonzero(tags.HEADING[page.tag] & (page.hidden == 0))
        before = headers[(headers < best) & (page.parent[headers] == page.parent[best])]
        if len(before):
            return np.asarray(before[-1:])
        titles = page.rows_of("title")
        wanted = " ".join(page.row_text(int(titles[0])).split()).casefold() if len(titles) else ""
        if not wanted:
            return none
        size = len(wanted)
        near = page.is_element & (page.hidden == 0) & (np.abs(subtree_sums(page.end, page.chars) - size) <= _SLACK)
        for row in np.flatnonzero(near).tolist():
            if " ".join(page.row_text(row).split()).casefold() == wanted and not kept[row]:
                return np.array([row])
        return none

    def _by_round_trip(self, page: Page) -> Selection:
        """Select on the page read again from its serialisation, carried back to the rows of this one."""
        document = page.nodes[0]
        assert isinstance(document, turbohtml.Document)
        again = parse_page(document.serialize())
        found = replace(self, to_xhtml=False).select(again)
        if len(again) != len(page) or (again.tag != page.tag).any():  # markup that no serialiser can write back
            return replace(self, to_xhtml=False).select(page)
        return Selection.from_mask(page, found.mask, found.score, ("outside the best nodes", "in the best nodes"))


def _code_words(page: Page) -> Floats:
    """Return the words of the code in scripts and styles, which the table itself does not keep."""
    out = np.zeros(len(page))
    for row in np.flatnonzero(_SCRIPTS[page.tag]).tolist():
        if page.end[row] > row + 1:
            out[row + 1] = len(page.nodes[row + 1].data.split())  # type: ignore[attr-defined]
    return out


def _highest(page: Page, score: Floats) -> int:
    """Return the row of the largest score, the higher node of equals, then the first; -1 where there is none."""
    top = float(score.max(initial=-1.0))
    if top < 0:
        return -1
    equals = np.flatnonzero(score == top)
    return int(equals[np.argmin(page.depth[equals])])


def preset(number: int) -> CoreEx:
    """Return one of the configurations R1 … R6 of the paper's table 1, each an addition to the one before.

    >>> preset(2).weight_text, preset(2).subset, preset(5).remove_scripts
    (0.01, False, True)
    """
    words = ("basic scoring", "weighted scoring", "subset selection", "ignoring forms", "removing scripts", "XHTML")
    return CoreEx(
        weight_text=0.01 if number >= 2 else 0.0,  # noqa: PLR2004 (R2)
        subset=number >= 3,  # noqa: PLR2004 (R3)
        ignore_forms=number >= 4,  # noqa: PLR2004 (R4)
        remove_scripts=number >= 5,  # noqa: PLR2004 (R5)
        to_xhtml=number >= 6,  # noqa: PLR2004 (R6)
        page_wide_forms=False,
        recover_title=False,
        name=f"coreex-r{number}",
        summary=f"CoreEx as in its table 1, row {number}: {'+ ' if number > 2 else ''}{words[number - 1]}",  # noqa: PLR2004
    )


def R1() -> CoreEx:  # noqa: N802 (the paper's names)
    """Return basic scoring."""
    return preset(1)


def R2() -> CoreEx:  # noqa: N802
    """Return R1 with weighted scoring."""
    return preset(2)


def R3() -> CoreEx:  # noqa: N802
    """Return R2 with subset selection."""
    return preset(3)


def R4() -> CoreEx:  # noqa: N802
    """Return R3, ignoring forms."""
    return preset(4)


def R5() -> CoreEx:  # noqa: N802
    """Return R4, removing scripts."""
    return preset(5)


def R6() -> CoreEx:  # noqa: N802
    """Return R5 through XHTML."""
    return preset(6)
