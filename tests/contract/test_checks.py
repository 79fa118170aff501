"""Each check of the contract fails for an extractor that breaks its promise."""

from dataclasses import dataclass

import numpy as np
import pytest

from tamis.errors import OptionError
from tamis.extractors.registry import Selection
from tamis.page import parse_page
from tests.contract import checks

MARKUP = "<h1>Tea</h1><p>Water just off the boil.</p><p hidden>Not shown.</p>"


@dataclass
class Broken:
    name: str = "broken"
    summary: str = "breaks a promise"
    source: str = "tests"


class SelectsHiddenRows(Broken):
    def select(self, page):
        return Selection(page.is_text, np.zeros(len(page)), np.zeros(len(page), dtype=np.uint8))


class SelectsOtherRows(Broken):
    def select(self, page):
        rows = len(page) + 1
        return Selection(np.zeros(rows, dtype=np.bool_), np.zeros(rows), np.zeros(rows, dtype=np.uint8))


class ScoresNan(Broken):
    def select(self, page):
        return Selection(page.shown, np.full(len(page), np.nan), np.zeros(len(page), dtype=np.uint8))


class GivesUnknownReasons(Broken):
    def select(self, page):
        return Selection(page.shown, np.zeros(len(page)), np.full(len(page), 9, dtype=np.uint8))


class ReturnsMask(Broken):
    def select(self, page):
        return page.shown


class SelectsAtRandom(Broken):
    def select(self, page):
        return Selection.from_mask(page, page.shown, np.random.default_rng().random(len(page)))


class ChangesThePage(Broken):
    def select(self, page):
        page.hidden[-1] = 0
        return Selection.from_mask(page, page.shown)


class TakesQuadraticMemory(Broken):
    def select(self, page):
        _ = np.zeros((len(page) // 4, len(page)), dtype=np.uint8)
        return Selection.from_mask(page, page.shown)


class Recurses(Broken):
    def select(self, page):
        def depth(row):
            return 0 if row < 0 else 1 + depth(page.parent[row])

        depth(len(page) - 1)
        return Selection.from_mask(page, page.shown)


@pytest.mark.parametrize("extractor", [SelectsHiddenRows(), SelectsOtherRows(), ScoresNan(), GivesUnknownReasons()])
def test_invalid_selection_fails(extractor):
    page = parse_page(MARKUP)
    with pytest.raises(AssertionError):
        checks.check_selection(page, extractor.select(page))


@pytest.mark.parametrize("extractor", [SelectsAtRandom(), ChangesThePage()])
def test_selection_that_is_not_repeatable_fails(extractor):
    with pytest.raises(AssertionError):
        checks.check_repeatable(extractor, lambda: parse_page(MARKUP))


@pytest.mark.parametrize("extractor", [SelectsHiddenRows(), SelectsOtherRows(), ReturnsMask()])
def test_invalid_result_on_hostile_markup_fails(extractor):
    with pytest.raises((AssertionError, OptionError)):
        checks.check_hostile(extractor, parse_page(MARKUP))


@pytest.mark.slow
def test_quadratic_memory_fails():
    with pytest.raises(AssertionError):
        checks.check_linear_memory(TakesQuadraticMemory(), parse_page, "<div>")


def test_recursion_over_the_depth_of_the_page_fails():
    with pytest.raises(RecursionError):
        checks.check_no_recursion(Recurses(), parse_page)


@pytest.mark.parametrize(
    "description", [{"name": ""}, {"name": "Upper"}, {"summary": ""}, {"summary": "a\nb"}, {"source": ""}]
)
def test_incomplete_description_fails(description):
    class Described(Broken):
        def select(self, page):
            return Selection.from_mask(page, page.shown)

    checks.check_description(Described())
    with pytest.raises(AssertionError):
        checks.check_description(Described(**description))
