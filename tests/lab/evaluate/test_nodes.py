import numpy as np
import pytest

from tamis.api import extract
from tamis.lab.evaluate.corpora import LabelledPage
from tamis.lab.evaluate.metric_registry import Output, get_metrics, gold_rows, match_nodes
from tamis.page import parse_page

PAGE = """<nav><a>Home</a><a>Sport</a></nav><h1>Rain</h1><p>It rained <b>all</b> day.</p>
<p>The road was wet.</p><footer>About the paper</footer><p hidden>It rained all day.</p>"""


def _texts(page, mask):
    return [page.row_text(row).strip() for row in np.flatnonzero(mask)]


def test_gold_rows_are_those_whose_words_align_with_the_gold_text():
    page = parse_page(PAGE)
    gold = gold_rows(page, "Rain\n\nIt rained all day.\n\nThe road was wet.")
    assert _texts(page, gold) == ["Rain", "It rained", "all", "day.", "The road was wet."]


def test_match_nodes_computed_by_hand():
    page = parse_page(PAGE)
    selected = np.array([page.row_text(row) in {"The road was wet.", "About the paper"} for row in range(len(page))])
    match = match_nodes(page, selected & page.is_text, "Rain It rained all day. The road was wet.")
    # One of two selected rows and one of five gold rows; 4 of 7 selected words and 4 of 9 gold words.
    assert (match.nodes.precision, match.nodes.recall) == (1 / 2, 1 / 5)
    assert (match.text.precision, match.text.recall) == pytest.approx((4 / 7, 4 / 9))


def test_texts_too_long_to_align_have_no_node_scores(monkeypatch):
    monkeypatch.setattr("tamis.lab.evaluate.metrics._MAX_ALIGNMENT_BITS", 10)
    page = parse_page(PAGE)
    assert match_nodes(page, page.is_text, "Rain all day") is None


def test_empty_extraction_scores_zero_instead_of_being_skipped():
    page = LabelledPage("1", "<p>It rained.</p>", "It rained.")
    empty = extract(page.html, extractor="nodechar")  # the page is too short for it
    assert not empty
    for metric in get_metrics(["nodes", "text"]):
        assert metric.score(Output("", empty), page)[metric.main_column] == 0
        assert metric.score(Output(""), page) == {}


def test_empty_selection_scores_zero_if_the_page_shows_no_gold_text():
    page = parse_page("<title>It rained all day.")
    assert match_nodes(page, page.is_text & (page.hidden == 0), "It rained all day.").nodes.f1 == 0
    assert match_nodes(page, page.is_text & (page.hidden == 0), "").nodes.f1 == 1
