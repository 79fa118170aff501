"""Ridge (Bing 2008): the paper's equations computed by hand, its definitions checked for each cell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.page import parse_page
from tamis.papers.ridge import (
    MountainParameters,
    Mountains,
    Ridge,
    Svm,
    cell_scores,
    cut_cells,
    find_ridges,
    sentence_length,
    shipped_weights,
    smooth,
    with_blanks,
)

PROSE = "<p>Put the kettle on, and wait until it sings. Pour. Then wait three minutes, and no more.</p>"
MENU = "<ul>" + "<li><a href=/somewhere>menu</a></li>" * 30 + "</ul>"
ACCEPT_ALL = Svm(np.zeros((1, 4)), np.ones(1), 0.0, 0.0)
REJECT_ALL = Svm(np.zeros((1, 4)), -np.ones(1), 0.0, 0.0)


def scores(html, **options):
    page = parse_page(html)
    return cell_scores(page, cut_cells(page), **options).tolist()


def test_cell_score_equals_equation_1():
    # L = 10, P = 2, full stopped. Its span: half of 3 before, 10, half of 4 after. V = 10 / 13.5.
    assert scores("<p>Tea. Good.</p>") == [pytest.approx((10 / 75 + 2) * 1.5 * 10 / 13.5)]


def test_anchor_without_full_stop_has_half_the_score():
    # L = 3, no mark, an anchor. Its span: half of 3, 3, half of 4.
    assert scores("<a>tea</a>") == [pytest.approx(3 / 75 * 0.5 * 3 / 6.5)]


def test_scripts_between_cells_lower_the_visible_ratio():
    without_script = scores("<p>one two</p><p>one two</p>")[0]
    with_script = scores(f"<p>one two</p><script>{'x' * 99}</script><p>a</p>")[0]
    assert with_script < without_script / 3


def test_sentence_length_depends_on_the_script():
    assert [sentence_length(parse_page(text)) for text in ("Tea, please", "请给我茶", "من فضلك")] == [75, 12, 1]
    assert scores("<p>tea</p>", gamma=1.0)[0] == pytest.approx(75 * scores("<p>tea</p>")[0])


def test_one_blank_cell_represents_200_characters():
    cells = cut_cells(parse_page(f"<p>a</p><!--{'x' * 377}--><p>b</p><p>c</p>"))  # a gap of 4 + 4 + 377 + 3 + 3
    assert with_blanks(cells, 200).tolist() == [0, -1, 1, 2]
    assert with_blanks(cells, 50).tolist() == [0, *[-1] * 7, 1, 2]


def test_smooth_equals_equation_2():
    # The middle of 1 2 6 2 1: mean 2.4, neighbours (2-2.4)·0.8 twice and (1-2.4)·0.6 twice, over 4.
    assert smooth(np.array([1.0, 2, 6, 2, 1]), 5)[2] == pytest.approx(6 + (-0.32 * 2 - 0.84 * 2) / 4)


def test_neighbours_beyond_the_fourth_have_the_weight_one_tenth():
    values = np.zeros(11)
    values[0] = 11.0
    # Window 11: mean 1; one neighbour at distance 5 has 11-1, nine others 0-1, of weights 2·(0.8+0.6+0.4+0.2)+0.1.
    assert smooth(values, 11)[5] == pytest.approx((10 * 0.1 - 4.1) / 10)


def test_smooth_keeps_equal_scores():
    assert smooth(np.full(9, 2.0), 5).tolist() == [2.0] * 9


@given(st.lists(st.integers(0, 12), min_size=1, max_size=40), st.integers(1, 4), st.integers(0, 5))
def test_ridges_satisfy_definition_3(values, peak, span):
    cells = np.array(values, dtype=np.float64)
    mean = cells.mean()
    start, stop = find_ridges(cells, peak, span)
    for first, end in zip(start, stop, strict=True):
        assert cells[first:end].max() > peak * mean
        assert cells[first] > mean < cells[end - 1]
        low = "".join("01"[int(cell <= mean)] for cell in cells[first:end])
        assert "1" * (span + 1) not in low
    covered = np.zeros(len(cells), dtype=bool)
    for first, end in zip(start, stop, strict=True):
        covered[first:end] = True
    assert covered[(cells > peak * mean) & (cells > mean)].all()


def test_ridge_features_equal_equations_4_to_7():
    score = np.array([0.0, 4, 2, 0, 0, 8, 4, 6, 0, 0])
    mountains = Mountains(np.arange(10), score, np.array([1, 5]), np.array([3, 8]))
    # Means 3 and 6; 2 and 3 cells; first and second of two ridges; first cells 2 and 6 of 10.
    assert mountains.features().tolist() == [[0.5, pytest.approx(2 / 3), 0.5, 0.2], [1.0, 1.0, 1.0, 0.6]]
    assert mountains.ridge_of_cell().tolist() == [-1, 0, 0, -1, -1, 1, 1, 1, -1, -1]


def test_classifier_decides_which_ridges_are_content():
    html = MENU + PROSE * 5 + MENU * 2 + PROSE * 5 + MENU
    page = parse_page(html)
    kept = [page.row_text(row) for row in Ridge(classifier=ACCEPT_ALL).select(page).mask.nonzero()[0]]
    assert sum(text.startswith("Put") for text in kept) == 10
    selection = Ridge(classifier=REJECT_ALL, fallback=False).select(page)
    assert not selection.mask.any()
    assert {selection.reasons[reason] for reason in selection.reason} == {"in no ridge", "in a ridge of boilerplate"}


def test_thresholds_may_leave_blank_cells_out():
    cells = "<p>Put the kettle on, and wait until it sings. Pour it.</p>" * 4
    page = parse_page(f"{cells}<!--{'x' * 40_000}--><p>One more sentence, with a comma, of the same length.</p>")
    counted, left_out = (
        Ridge(MountainParameters(real_mean=real_mean), ACCEPT_ALL, fallback=False).select(page).mask.sum()
        for real_mean in (False, True)
    )
    assert counted == 4  # the last cell is small: its half of the comment counts as its source
    assert left_out == 0


def test_card_of_the_shipped_classifier_names_its_data():
    card = shipped_weights().card
    assert card["data"] == ["wcxb/dev", "dragnet", "l3s-gn1"]
    assert "no longer measure" in card["note"]


def test_page_without_a_ridge_of_content_gives_its_cells_above_the_mean():
    page = parse_page("<p>Short.</p><p>A longer sentence, with some words in it, and a full stop.</p><p>Bye</p>")
    selection = Ridge(classifier=REJECT_ALL).select(page)
    assert [page.row_text(row)[:8] for row in selection.mask.nonzero()[0]] == ["A longer"]
    assert "a page without a ridge" in selection.reasons[selection.reason.max()]


def test_span_decides_which_cells_form_one_ridge():
    html = (PROSE * 2 + MENU) * 2
    extractors = (Ridge(MountainParameters(span=span), ACCEPT_ALL) for span in (5, 100))
    narrow, wide = (tamis.extract(html, extractor=extractor).text for extractor in extractors)
    assert len(wide) > len(narrow)


def test_shipped_classifier_selects_an_article():
    text = tamis.extract(MENU + PROSE * 6 + MENU * 2, extractor="ridge").text
    assert text.count("kettle") == 6
    assert text.count("menu") <= 2  # smoothing raises the cells next to the article


def test_shipped_weights_name_their_training_data():
    card = shipped_weights().card
    assert "WCXB" in card["note"]
    assert "CC BY 4.0" in card["note"]
    assert card["cross-validation"]["pages"] > 1000


def test_shipped_classifier_is_small():
    assert 0 < shipped_weights().card["support vectors"] < 3000
