"""CETD-auto: the choice between `cectd` and `cehtd`."""

import numpy as np
import pytest

import tamis
from tamis.extractors import cetd_auto
from tamis.extractors.cehtd import select_by_layout
from tamis.extractors.cetd import Cectd
from tamis.extractors.cetd_auto import WEIGHTS, content_column, features, layout_logit
from tamis.page import parse_page
from tamis.page.layout import LAYOUT_COLUMNS, Layout, with_layout


def page_with_layout(markup, spans):
    """Return a page with a layout made by hand: left and right edge by the first word; elements are 0 to 1000."""
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
    mask = np.zeros(len(page), dtype=bool)
    for row in np.flatnonzero(page.is_text):
        mask[row] = page.row_text(row).split()[:1] in [[word] for word in words]
    return mask


def test_features_are_shares_of_characters():
    page = page_with_layout(PAGE + "<script></script>", {"one": (300, 700), "two": (300, 700), "three": (900, 1000)})
    values = features(page, page.layout, rows(page, "one", "two", "three", "four"), rows(page, "one"))
    assert values == pytest.approx(
        {
            "dropped in column": 1 / 4,
            "dropped outside column": 1 / 4,
            "dropped invisible": 1 / 4,
            "added": 0,
            "text keeps": 1,
            "agreement": 1 / 4,
        }
    )
    values = features(page, page.layout, rows(page, "one"), rows(page, "one", "two"))
    assert (values["dropped in column"], values["added"], values["agreement"]) == (0, 1 / 4, 1 / 2)
    assert values.keys() == WEIGHTS.keys()


def test_hidden_text_is_not_counted_on_a_page_without_scripts():
    page = page_with_layout(PAGE, {"one": (300, 700), "two": (300, 700), "three": (900, 1000)})
    values = features(page, page.layout, rows(page, "one", "four"), rows(page, "one"))
    assert values["dropped invisible"] == 0
    assert values["agreement"] == 1
    assert values["text keeps"] == pytest.approx(1 / 3)


def test_features_of_empty_selections_are_finite():
    page = page_with_layout(PAGE, {})
    nothing = np.zeros(len(page), dtype=bool)
    assert all(np.isfinite(list(features(page, page.layout, nothing, nothing).values())))


def test_content_column_ignores_outliers():
    page = page_with_layout("<p>one" + " abc" * 30 + "</p><p>two</p>", {"one": (300, 700), "two": (0, 1000)})
    assert content_column(page, page.layout, rows(page, "one", "two")) == (300, 700)


HIDDEN = "<div><p>" + "one sentence that goes on for a while. " * 5 + "</p></div>"
HIDDEN += "<div><p>" + "two sentences that nobody sees, and they go on. " * 9 + "</p></div>"


@pytest.mark.parametrize("bias", [1e9, -1e9])
def test_logit_chooses_between_the_two_selections(monkeypatch, bias):
    page = page_with_layout(HIDDEN, {"one": (300, 700)})
    by_text, by_layout = Cectd().select(page), select_by_layout(page, page.layout)
    assert (by_text.mask != by_layout.mask).any()
    monkeypatch.setattr(cetd_auto, "BIAS", bias)
    chosen = tamis.extract_page(page, extractor="cetd-auto").selection
    assert (chosen.mask == (by_layout if bias > 0 else by_text).mask).all()


def test_text_dropped_inside_the_column_lowers_the_logit_most():
    same = dict.fromkeys(WEIGHTS, 0.2)
    assert (
        layout_logit({**same, "dropped in column": 0.6})
        < layout_logit({**same, "dropped outside column": 0.6})
        < layout_logit(same)
    )
