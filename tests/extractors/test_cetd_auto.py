"""The choice between text alone and boxes too."""

import numpy as np
import pytest

import tamis
from tamis.extractors import cetd_auto
from tamis.extractors.cehtd import select_hybrid
from tamis.extractors.cetd import Cectd
from tamis.extractors.cetd_auto import WEIGHTS, column, features, trust
from tamis.page import parse_page
from tamis.page.layout import LAYOUT_COLUMNS, Layout, with_layout


def boxed(markup, spans):
    """Return a page with boxes by hand: texts by their first word, left and right; all elements are 0 to 1000."""
    page = parse_page(markup)
    columns = {name: np.zeros(len(page), dtype) for name, dtype in LAYOUT_COLUMNS.items()}
    columns["bottom"] += 10
    columns["right"] += 1000
    for row in np.flatnonzero(page.is_text):
        first = (page.row_text(row).split() or [""])[0]
        columns["left"][row], columns["right"][row] = spans.get(first, (0, 0))
        columns["visibility"][row] = first not in spans
    return with_layout(page, Layout(**columns, width=1000, height=100, viewport=(1000, 1000)))


PAGE = "<p>one abcdef</p><p>two abcdef</p><p>three abcd</p><p>four abcde</p>"  # ten characters each


def rows(page, *words):
    wanted = np.zeros(len(page), dtype=bool)
    for row in np.flatnonzero(page.is_text):
        wanted[row] = page.row_text(row).split()[:1] in [[word] for word in words]
    return wanted


def test_features_are_shares_of_characters():
    page = boxed(PAGE + "<script></script>", {"one": (300, 700), "two": (300, 700), "three": (900, 1000)})
    found = features(page, page.layout, rows(page, "one", "two", "three", "four"), rows(page, "one"))
    assert found == pytest.approx(
        {
            "dropped in column": 1 / 4,
            "dropped beside": 1 / 4,
            "dropped unseen": 1 / 4,
            "added": 0,
            "text keeps": 1,
            "agreement": 1 / 4,
        }
    )
    found = features(page, page.layout, rows(page, "one"), rows(page, "one", "two"))
    assert (found["dropped in column"], found["added"], found["agreement"]) == (0, 1 / 4, 1 / 2)
    assert found.keys() == WEIGHTS.keys()


def test_what_no_script_can_show_is_not_counted():
    page = boxed(PAGE, {"one": (300, 700), "two": (300, 700), "three": (900, 1000)})
    found = features(page, page.layout, rows(page, "one", "four"), rows(page, "one"))
    assert found["dropped unseen"] == 0
    assert found["agreement"] == 1
    assert found["text keeps"] == pytest.approx(1 / 3)


def test_features_of_empty_selections_are_finite():
    page = boxed(PAGE, {})
    nothing = np.zeros(len(page), dtype=bool)
    assert all(np.isfinite(list(features(page, page.layout, nothing, nothing).values())))


def test_the_column_leaves_out_its_tails():
    page = boxed("<p>one" + " abc" * 30 + "</p><p>two</p>", {"one": (300, 700), "two": (0, 1000)})
    assert column(page, page.layout, rows(page, "one", "two")) == (300, 700)


HIDDEN = "<div><p>" + "one sentence that goes on for a while. " * 5 + "</p></div>"
HIDDEN += "<div><p>" + "two sentences that nobody sees, and they go on. " * 9 + "</p></div>"


@pytest.mark.parametrize("bias", [1e9, -1e9])
def test_it_is_one_of_the_two_by_what_the_features_say(monkeypatch, bias):
    page = boxed(HIDDEN, {"one": (300, 700)})
    by_text, by_boxes = Cectd().select(page), select_hybrid(page, page.layout)
    assert (by_text.mask != by_boxes.mask).any()
    monkeypatch.setattr(cetd_auto, "BIAS", bias)
    chosen = tamis.extract_page(page, extractor="cetd-auto").selection
    assert (chosen.mask == (by_boxes if bias > 0 else by_text).mask).all()


def test_dropping_what_stands_in_the_column_speaks_against_boxes():
    same = dict.fromkeys(WEIGHTS, 0.2)
    assert trust({**same, "dropped in column": 0.6}) < trust({**same, "dropped beside": 0.6}) < trust(same)
