"""`Selection.from_mask`, and the checks of extractors and of what they return."""

from dataclasses import dataclass

import numpy as np
import pytest

from tamis.errors import OptionError
from tamis.extractors.registry import Link, Selection, check_extractor, checked_select
from tamis.page import parse_page
from tamis.papers.baselines.body import Body

PAGE = parse_page("<p>one</p><p hidden>two</p>")
ROWS = len(PAGE)


def test_from_mask_leaves_out_elements_and_hidden_text():
    selection = Selection.from_mask(PAGE, np.ones(ROWS, dtype=np.bool_))
    assert [PAGE.row_text(row) for row in selection.mask.nonzero()[0]] == ["one"]
    assert selection.score.tolist() == selection.reason.tolist() == selection.mask.astype(int).tolist()


def test_from_mask_replaces_scores_that_are_not_finite():
    score = np.full(ROWS, np.nan)
    score[0] = np.inf
    assert np.isfinite(Selection.from_mask(PAGE, PAGE.shown, score).score).all()


def test_from_mask_passes_its_keywords_on():
    class Scores:
        def select(self, favor):
            raise NotImplementedError(favor)

    keywords = {
        "title": "Tea",
        "index_links": (Link("Home", "/"),),
        "page_type": "article",
        "page_type_probability": 0.9,
        "confidence": 0.8,
        "metadata_fallback": ("text", "source"),
        "note": "a remark",
        "scores": Scores(),
    }
    selection = Selection.from_mask(PAGE, PAGE.shown, **keywords)
    assert {name: getattr(selection, name) for name in keywords} == keywords


@pytest.mark.parametrize(
    ("mask", "score", "message"),
    [
        (np.zeros(ROWS + 1, dtype=np.bool_), None, rf"mask has the shape \({ROWS + 1},\), expected .* {ROWS} rows"),
        ([True] * ROWS, None, "mask is a list, expected a NumPy array"),
        (PAGE.shown, np.zeros(1), r"score has the shape \(1,\)"),
        (PAGE.shown, 1.0, "score is a float"),
    ],
)
def test_from_mask_rejects_columns_that_do_not_fit_the_page(mask, score, message):
    with pytest.raises(OptionError, match=message):
        Selection.from_mask(PAGE, mask, score)


@dataclass
class Returns:
    """An extractor that returns a given value."""

    value: object
    name: str = "returns"
    summary: str = "returns a given value"
    source: str = "tests"

    def select(self, page):  # noqa: ARG002
        return self.value


def columns(rows, dtype=np.bool_):
    return Selection(np.zeros(rows, dtype=dtype), np.zeros(rows), np.zeros(rows, dtype=np.uint8))


def test_checked_select_returns_a_valid_selection():
    selection = columns(ROWS)
    assert checked_select(Returns(selection), PAGE) is selection
    assert checked_select(Body(), PAGE).mask.any()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "extractor 'returns' returned NoneType, expected a Selection"),
        (PAGE.shown, "extractor 'returns' returned ndarray, expected a Selection"),
        (columns(3), rf"extractor 'returns': mask has the shape \(3,\), expected one entry for each of {ROWS} rows"),
        (columns(ROWS, np.int64), "extractor 'returns': mask has type int64, expected bool"),
        (
            Selection(PAGE.shown, np.zeros(2), np.zeros(ROWS, dtype=np.uint8)),
            "extractor 'returns': score has the shape",
        ),
        (Selection(PAGE.shown, np.zeros(ROWS), [0] * ROWS), "extractor 'returns': reason is a list"),
    ],
)
def test_checked_select_says_what_was_expected(value, message):
    with pytest.raises(OptionError, match=message):
        checked_select(Returns(value), PAGE)


class NoSummary:
    name = "no-summary"
    source = "tests"

    def select(self, page):
        return Selection.from_mask(page, page.shown)


class NumberedName(NoSummary):
    name = 7
    summary = "its name is not a str"


def test_check_extractor_returns_an_extractor():
    extractor = Body()
    assert check_extractor(extractor) is extractor


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (NoSummary(), "NoSummary is not an extractor: it has no summary$"),
        ("cetd", "str is not an extractor: it has no name, summary, source, select"),
        (Body, r"got the class Body; pass an instance: Body\(\)"),
        (NumberedName(), "the name of an extractor is a str, not 7"),
    ],
)
def test_check_extractor_says_what_is_missing(value, message):
    with pytest.raises(OptionError, match=message):
        check_extractor(value)
