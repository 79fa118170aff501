import numpy as np
import pytest

from tamis.api import extract
from tamis.evaluate.corpora import LabelledPage
from tamis.evaluate.measures import Output, measures_named
from tamis.evaluate.nodes import gold_rows, nodes
from tamis.page import parse_page

PAGE = """<nav><a>Home</a><a>Sport</a></nav><h1>Rain</h1><p>It rained <b>all</b> day.</p>
<p>The road was wet.</p><footer>About the paper</footer><p hidden>It rained all day.</p>"""


def _texts(page, mask):
    return [page.row_text(row).strip() for row in np.flatnonzero(mask)]


def test_rows_are_content_when_their_words_align_with_the_gold_text():
    page = parse_page(PAGE)
    gold = gold_rows(page, "Rain\n\nIt rained all day.\n\nThe road was wet.")
    assert _texts(page, gold) == ["Rain", "It rained", "all", "day.", "The road was wet."]


def test_nodes_and_words_worked_by_hand():
    page = parse_page(PAGE)
    chosen = np.array([page.row_text(row) in {"The road was wet.", "About the paper"} for row in range(len(page))])
    found = nodes(page, chosen & page.is_text, "Rain It rained all day. The road was wet.")
    # One of two chosen rows and one of five gold rows; 4 of 7 chosen words and 4 of 9 gold words.
    assert (found.nodes.precision, found.nodes.recall) == (1 / 2, 1 / 5)
    assert (found.text.precision, found.text.recall) == pytest.approx((4 / 7, 4 / 9))


def test_a_text_too_long_to_align_has_no_node_scores(monkeypatch):
    monkeypatch.setattr("tamis.evaluate.align._MOST_BITS", 10)
    page = parse_page(PAGE)
    assert nodes(page, page.is_text, "Rain all day") is None


def test_an_extraction_that_is_empty_scores_zero_and_is_not_left_out():
    page = LabelledPage("1", "<p>It rained.</p>", "It rained.")
    nothing = extract(page.html, extractor="nodechar")  # too thin for it
    assert not nothing
    for measure in measures_named(["nodes", "text"]):
        assert measure.of(Output("", nothing), page)[measure.main] == 0
        assert measure.of(Output(""), page) == {}


def test_a_page_that_shows_nothing_of_the_gold_text_is_not_right_by_being_empty():
    page = parse_page("<title>It rained all day.")
    assert nodes(page, page.is_text & (page.hidden == 0), "It rained all day.").nodes.f1 == 0
    assert nodes(page, page.is_text & (page.hidden == 0), "").nodes.f1 == 1
