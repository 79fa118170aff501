import numpy as np
import pytest

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
