"""CoreEx: the nodes with the highest ratio of text to links.

J. Prasad, A. Paepcke: CoreEx: content extraction from online news articles. Proceedings of CIKM (2008) 1391–1392,
and the technical report of the same name, Stanford InfoLab.

The words and the links of every node are counted; a link with all its text counts as one word and one link. The score
of a node is the share of its words that are not links, plus a small weight for its share of the page's words. The
result is the set S of the best node's children that are nearly free of links. Scores are those of the element that
holds the text.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tamis.extractors.registry import Selection
from tamis.html import characters, tags
from tamis.page import Page, parse_page
from tamis.page.sums import Bools, child_sums, in_subtree, nesting, prefix_sums, subtree_sums

Floats = npt.NDArray[np.float64]

_FORM_TAGS = tags.tag_mask("select form input textarea option")
_CODE_TAGS = tags.tag_mask("script style")
_REASONS = ("outside the best nodes", "in the best nodes")
#: Scripts that write no spaces between words, and the characters of a word there, roughly.
_UNSPACED = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF))
_UNSPACED_WORD = 4
_SEPARATORS = re.compile(r"\s+[-–—|:·»>/]+\s+|:\s+|\s*[|»]\s*")
_HEADLINE_WORDS = 3  # shorter parts of a title are names of sites and sections
_SHORTEST_TITLE = 6  # characters: shorter headings are in a title by chance
_MIN_SHARE = 0.6  # of the longest heading that is in the title: shorter ones are section headings
_LONGEST_TITLE = 500  # characters: longer ones are not titles, and comparing them with every element takes long
_TITLE_TOLERANCE = 2  # characters: text runs are counted without the spaces between them


@dataclass(frozen=True, slots=True)
class Counts:
    """Words and links of each row's subtree: the paper's textCnt and linkCnt."""

    text: Floats
    link: Floats

    def ratio(self) -> Floats:
        """Return (textCnt − linkCnt) / textCnt; 0 for rows without text."""
        return np.where(self.text > 0, (self.text - self.link) / np.maximum(self.text, 1), 0.0)


@dataclass(frozen=True, slots=True)
class CoreEx:
    """The method of Prasad and Paepcke. `R1` … `R6` are the rows of their table 1.

    Attributes:
        weight_text: weight of a node's share of the page's words (section 2.2.1). The paper prints 0.01 and says that
            weights change with the genre. With 0.01 one link in a hundred words costs more than the whole bonus of
            length, so a single paragraph beats the article; 0.1 does not. The presets keep 0.01; 0 is basic scoring.
        subset: select only the children of the best node that are nearly free of links (section 2.2.2).
        threshold: minimum ratio of text to links of such a child.
        ignore_forms: leave out form elements (section 3.2).
        remove_scripts: leave out scripts.
        script_words: where scripts are not removed, count their code as words. Off in the presets: counted, a script
            is a node without links and wins every page, while the paper reports a precision of 0.84 for R1.
        unspaced_words: count each character of Chinese, Japanese and Korean as a word, and each four of Thai, Lao,
            Khmer and Burmese: they write no spaces between words. Off in the presets.
        to_xhtml: serialize and parse the page first, to show that it changes nothing.
        page_wide_forms: keep a form that holds most of the page's words. Leaving it out is a weakness that the paper
            names (section 6.1); the presets leave it out.
        recover_title: add the heading before the result, or the element that repeats the page's title (section 6.1).
            Headings are looked for in the previous siblings of the best node, then in those of its ancestors.
        article_words: the page is an article if the result has at least this many words, else an index. The paper
            leaves the distinction by the scored tree to future work; ``python bench/coreex_index.py WCXB`` prints the
            sweep.
    """

    weight_text: float = 0.1
    subset: bool = True
    threshold: float = 0.9
    ignore_forms: bool = True
    remove_scripts: bool = True
    script_words: bool = False
    unspaced_words: bool = True
    to_xhtml: bool = False
    page_wide_forms: bool = True
    recover_title: bool = True
    article_words: int = 200
    name: str = "coreex"
    summary: str = "sibling nodes with the highest ratio of text to links"
    source: ClassVar[str] = "Prasad, Paepcke 2008"

    def select(self, page: Page) -> Selection:
        """Select the best set of sibling nodes."""
        if self.to_xhtml:
            return self._select_reparsed(page)
        counts, ignored = self.count(page)
        score = self._scores(page, counts)
        best = _highest(page, score)
        kept = in_subtree(page.end, self._result_rows(page, counts, best)) & ~ignored
        title = self._title(page, kept) if self.recover_title else np.zeros(0, dtype=np.int64)
        return Selection.from_mask(
            page,
            kept | in_subtree(page.end, title),
            score[np.maximum(page.parent, 0)],
            _REASONS,
            title=page.collapsed_text(int(title[0])) if len(title) else None,
            page_type="article" if self._words(page)[kept].sum() >= self.article_words else "index",
        )

    def count(self, page: Page) -> tuple[Counts, Bools]:
        """Return the counts, and the rows that preprocessing ignores.

        >>> page = parse_page("<p>two words <a href=/x>and a link</a></p>")
        >>> counts, _ = CoreEx().count(page)
        >>> float(counts.text[page.body]), float(counts.link[page.body])
        (3.0, 1.0)
        """
        words = self._words(page)
        if self.script_words and not self.remove_scripts:
            words += _code_words(page)
        ignored = np.zeros(len(page), dtype=np.bool_)
        if self.ignore_forms:
            forms = np.flatnonzero(_FORM_TAGS[page.tag])
            if self.page_wide_forms and len(forms):
                total = subtree_sums(page.end, words)
                forms = forms[total[forms] <= total[page.body] / 2]
            ignored = in_subtree(page.end, forms)
        links = np.flatnonzero((page.tag == tags.IDS["a"]) & page.link)
        in_link = nesting(page.end, links)
        outermost = links[in_link[links] == 1]
        link = np.zeros(len(page))
        link[outermost] = 1.0
        text = np.where(in_link > 0, 0.0, words) + link
        text[ignored] = 0.0
        link[ignored] = 0.0
        return Counts(subtree_sums(page.end, text), subtree_sums(page.end, link)), ignored

    def _words(self, page: Page) -> Floats:
        """Return the words of each visible text run."""
        words = page.words.astype(np.float64)
        if self.unspaced_words:
            words += page.char_counts.by_class[:, characters.WIDE]
            unspaced = (page.codes >= _UNSPACED[0][0]) & (page.codes <= _UNSPACED[-1][1])
            if unspaced.any():
                unspaced = np.any([(page.codes >= first) & (page.codes <= last) for first, last in _UNSPACED], axis=0)
                words += page.count(unspaced) / _UNSPACED_WORD
        return np.where(page.hidden == 0, words, 0.0)

    def _scores(self, page: Page, counts: Counts) -> Floats:
        """Return the score of each row; -1 if the row cannot be the best node."""
        used = counts
        if self.subset:
            subset = self._free_of_links(page, counts)
            used = Counts(
                child_sums(page.parent, np.where(subset, counts.text, 0)),
                child_sums(page.parent, np.where(subset, counts.link, 0)),
            )
        share = used.text / max(float(counts.text[page.body]), 1.0)
        score = (1 - self.weight_text) * used.ratio() + self.weight_text * share
        is_candidate = in_subtree(page.end, np.array([page.body])) & (used.text > 0)
        return np.where(is_candidate, score, -1.0)

    def _free_of_links(self, page: Page, counts: Counts) -> Bools:
        return np.asarray((counts.ratio() > self.threshold) & (page.is_element | page.is_text))

    def _result_rows(self, page: Page, counts: Counts, best: int) -> npt.NDArray[np.int64]:
        """Return the rows of S, or the best row if there is no subset selection."""
        if best < 0:
            return np.zeros(0, dtype=np.int64)
        if not self.subset:
            return np.array([best])
        return np.flatnonzero(self._free_of_links(page, counts) & (page.parent == best))

    def _title(self, page: Page, kept: Bools) -> npt.NDArray[np.int64]:
        """Return the row of the title as an array of length 1 or 0.

        The paper's two ways, both widened: a heading before the result, in the previous siblings of any ancestor,
        and the element whose text is the page's title. A heading that is part of the page's title comes first, in
        these places or in the result itself; of several, the one nearest to the text. Then comes the nearest heading
        before the result.
        """
        if not kept.any():
            return np.zeros(0, dtype=np.int64)
        titles = page.rows_of("title")
        title = _comparable(page, int(titles[0])) if len(titles) else ""
        sizes = subtree_sums(page.end, page.chars)
        visible = page.is_element & (page.hidden == 0) & (subtree_sums(page.end, page.nonspace) > 0)
        headings = np.flatnonzero(tags.HEADING[page.tag] & visible)
        headings = headings[headings > page.body]
        before = headings[page.end[headings] <= int(np.argmax(kept))]
        if 0 < len(title) <= _LONGEST_TITLE:
            text_row = int(np.argmax(np.where(kept, page.chars, 0)))
            kept_before = prefix_sums(kept)
            inside = kept_before[page.end[headings]] > kept_before[headings]
            candidates = headings[inside | (page.end[headings] <= text_row)]
            short = candidates[sizes[candidates] <= len(title) + _TITLE_TOLERANCE].tolist()
            matches = {row: len(text) for row in short if (text := _comparable(page, row)) in title}
            longest = max(matches.values(), default=0)
            if longest >= _SHORTEST_TITLE:
                # The name of the site may match too. The headline is not much shorter and nearer to the text.
                long = [row for row, length in matches.items() if length >= _MIN_SHARE * longest]
                return np.array([max((row for row in long if row < text_row), default=long[0])])
            row = _element_with_text(page, visible, sizes, (title, *filter(_is_headline, _SEPARATORS.split(title))))
            if row >= 0:
                return np.array([row])
        return before[-1:]

    def _select_reparsed(self, page: Page) -> Selection:
        """Serialize and parse the page, select there, and return the selection for the rows of this page."""
        reparsed = parse_page(page.document.serialize())
        selection = replace(self, to_xhtml=False).select(reparsed)
        if len(reparsed) != len(page) or (reparsed.tag != page.tag).any():  # not every document can be serialized
            return replace(self, to_xhtml=False).select(page)
        return Selection.from_mask(page, selection.mask, selection.score, _REASONS)


def _element_with_text(page: Page, visible: Bools, sizes: npt.NDArray[np.int64], texts: Sequence[str]) -> int:
    """Return the first visible element of the body with one of the texts, tried in order; -1 if there is none."""
    for text in texts:
        for row in np.flatnonzero(visible & (np.abs(sizes - len(text)) <= _TITLE_TOLERANCE)).tolist():
            if row > page.body and _comparable(page, row) == text:
                return int(row)
    return -1


def _is_headline(text: str) -> bool:
    return len(text.split()) >= _HEADLINE_WORDS


def _comparable(page: Page, row: int) -> str:
    return page.collapsed_text(row).casefold()


def _code_words(page: Page) -> Floats:
    """Return the number of words in each script and style. Their code is not in ``page.text``."""
    out = np.zeros(len(page))
    for row in np.flatnonzero(_CODE_TAGS[page.tag]).tolist():
        if page.end[row] > row + 1:
            out[row + 1] = len(page.raw_text(row + 1).split())
    return out


def _highest(page: Page, score: Floats) -> int:
    """Return the row with the largest score; of equal ones the highest in the tree, then the first. -1 if none."""
    best_score = float(score.max(initial=-1.0))
    if best_score < 0:
        return -1
    rows = np.flatnonzero(score == best_score)
    return int(rows[np.argmin(page.depth[rows])])


def preset(number: int) -> CoreEx:
    """Return a configuration R1 … R6 of the paper's table 1. Each adds one step to the previous one.

    >>> preset(2).weight_text, preset(2).subset, preset(5).remove_scripts
    (0.01, False, True)
    """
    steps = ("basic scoring", "weighted scoring", "subset selection", "ignoring forms", "removing scripts", "XHTML")
    return CoreEx(
        weight_text=0.01 if number >= 2 else 0.0,  # noqa: PLR2004 (R2)
        subset=number >= 3,  # noqa: PLR2004 (R3)
        ignore_forms=number >= 4,  # noqa: PLR2004 (R4)
        remove_scripts=number >= 5,  # noqa: PLR2004 (R5)
        to_xhtml=number >= 6,  # noqa: PLR2004 (R6)
        unspaced_words=False,
        page_wide_forms=False,
        recover_title=False,
        name=f"coreex-r{number}",
        summary=f"coreex, row R{number} of the paper's table 1: {'+ ' if number > 2 else ''}{steps[number - 1]}",  # noqa: PLR2004
    )


R1, R2, R3, R4, R5, R6 = (partial(preset, number) for number in range(1, 7))
