"""Which formulas belong to the content: those in selected text, and those that stand alone between it."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.document.detect.formulas.delimited import DelimitedFormula, find_delimited
from tamis.document.detect.formulas.find import FormulaMatch, find_formulas
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

Counts = npt.NDArray[np.int64]
#: Elements in which a formula alone is an entry, and no line of its own.
_ENTRIES: Final = tags.tag_mask("li td th dt dd h1 h2 h3 h4 h5 h6 caption figcaption summary legend option")
_MAX_LEVELS: Final = 12  #: from a formula up to an element with selected text


@dataclass(frozen=True, slots=True)
class ContentFormulas:
    """The formulas of the content: elements by row, and those between delimiters in order."""

    elements: dict[int, FormulaMatch] = field(default_factory=dict)
    delimited: list[DelimitedFormula] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.elements or self.delimited)


def content_formulas(page: Page, mask: Bools) -> ContentFormulas:
    r"""Return the formulas that belong to the selected rows. Each says whether it is displayed.

    >>> from tamis.page import parse_page
    >>> page = parse_page(r"<p>We get</p><p>\[a=b\]</p><p>as planned.</p>")
    >>> words = page.is_text & (page.nonspace > 5)
    >>> [formula.tex for formula in content_formulas(page, words & (page.nonspace != 7)).delimited]
    ['a=b']
    """
    elements = find_formulas(page)
    in_formula = np.zeros(len(page), dtype=np.bool_)
    for row, formula in elements.items():
        in_formula[row : formula.stop] = True
    delimited = find_delimited(page, in_formula)
    if not elements and not delimited:
        return ContentFormulas()
    return _Choice(page, mask, in_formula, delimited).choose(elements)


class _Choice:
    """Counts over the page that decide where each formula belongs."""

    def __init__(self, page: Page, mask: Bools, in_formula: Bools, delimited: list[DelimitedFormula]) -> None:
        self.page, self.mask, self.delimited = page, mask, delimited
        self.selected = prefix_sums(mask)
        chars = np.where((page.hidden == 0) & page.is_text & ~in_formula, page.nonspace, 0).astype(np.int64)
        for formula in delimited:
            inside = formula.stop - formula.start - _spaces(page.text[formula.start : formula.stop])
            chars[formula.first] -= (
                inside  # a formula of several rows may take more than the first has: only sums count
            )
        self.unselected_chars = prefix_sums(np.where(mask, 0, chars))
        rows = np.flatnonzero(mask)
        self.alone_runs: set[int] = set()
        self.first, self.last = (int(rows[0]), int(rows[-1])) if len(rows) else (0, -1)
        self.selected_runs = frozenset(np.unique(page.inline_run[mask]).tolist())
        images = (page.tag == tags.IDS["img"]) & ~in_formula & (page.hidden == 0)
        by_run = np.bincount(page.inline_run, weights=chars + images)
        self.other_runs = by_run > 0  # runs of inline content with text or images besides formulas

    def choose(self, elements: dict[int, FormulaMatch]) -> ContentFormulas:
        run = self.page.inline_run
        runs = Counter(int(run[row]) for row in elements) + Counter(int(run[found.first]) for found in self.delimited)
        self.alone_runs = {number for number, count in runs.items() if count == 1 and not self.other_runs[number]}
        kept = {}
        for row, formula in elements.items():
            if not self._belongs(row, formula.stop):
                continue
            display = formula.display
            if display is None:
                block = int(self.page.block_ancestor[row])
                display = int(run[row]) in self.alone_runs and not self._is_entry(block)
            kept[row] = FormulaMatch(formula.tex, display, formula.stop)
        delimited = [found for found in self.delimited if self._belongs(found.first, found.last + 1)]
        return ContentFormulas(kept, delimited)

    def _is_entry(self, block: int) -> bool:
        """Tell whether a formula alone in a block is an entry. A ``dd`` without terms only indents, as in a wiki."""
        page = self.page
        if page.tag[block] == tags.IDS["dd"]:
            outer = int(page.parent[block])
            return bool((page.tag[outer : page.end[outer]] == tags.IDS["dt"]).any())
        return bool(_ENTRIES[page.tag[block]])

    def _belongs(self, row: int, stop: int) -> bool:  # noqa: PLR0911 (one return per case)
        """Tell whether a formula is in selected text, or alone in its block between selected text."""
        page = self.page
        if self.selected[stop] > self.selected[row]:
            return True
        run = int(page.inline_run[row])
        if page.hidden[row] or self.last < 0:
            return False
        if run in self.selected_runs:
            return True
        if self.other_runs[run]:
            return False
        inner = row
        for _ in range(_MAX_LEVELS):
            outer = int(page.parent[inner])
            if outer <= 0:
                return False
            if self.selected[page.end[outer]] > self.selected[outer]:
                break
            inner = outer
        else:
            return False
        if self.unselected_chars[page.end[inner]] > self.unselected_chars[inner]:
            return False
        if self.first < row < self.last:
            return True
        near = (row, self.first) if row < self.first else (self.last, row)
        return bool(self.unselected_chars[near[1]] == self.unselected_chars[near[0]])


def _spaces(text: str) -> int:
    return sum(map(str.isspace, text))
