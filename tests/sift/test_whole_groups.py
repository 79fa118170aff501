"""Whole lists and tables: half of the items or rows brings all of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamis.page import parse_page
from tests.sift.steps import complete_groups, settle_lists


def table(*rows):
    cells = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    return f"<table><tr>{'</tr><tr>'.join(cells)}</tr></table>"


def completed(html, words):
    """Return the blocks of a page after completion; those with one of the words were kept."""
    page = parse_page(html)
    texts = [" ".join(page.row_text(row).split()) for row in page.blocks.rows]
    kept = np.array([any(word in text for word in words.split()) for text in texts])
    completed_blocks = complete_groups(page, kept, np.zeros(len(kept), bool))
    return [text for text, is_kept in zip(texts, completed_blocks, strict=True) if is_kept]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("flour salt", ["flour", "water", "salt", "yeast"]),
        ("flour", ["flour"]),
        ("bread", ["bread"]),
    ],
)
def test_half_of_the_items_bring_the_list(words, expected):
    html = "<p>bread</p><ul><li>flour</li><li>water</li><li>salt</li><li>yeast</li></ul>"
    assert completed(html, words) == expected


def test_half_of_the_rows_bring_the_table_with_its_cells():
    html = table(("green", "70"), ("black", "95"), ("white", "80"))
    assert completed(html, "green 70 black") == ["green", "70", "black", "95", "white", "80"]


def test_an_item_that_is_much_larger_stays_out():
    html = f"<ul><li>flour</li><li>water</li><li>{'advertising ' * 9}</li></ul>"
    assert completed(html, "flour water") == ["flour", "water"]


def test_a_layout_table_is_not_completed():
    html = table(("<h2>Menu</h2>", "tea"), ("green", "70"), ("black", "95"))
    assert completed(html, "green 70 black 95") == ["green", "70", "black", "95"]


def test_excluded_blocks_stay_out():
    page = parse_page("<ul><li>flour</li><li>water</li><li>salt</li></ul>")
    kept, excluded = np.array([True, True, False]), np.array([False, False, True])
    assert complete_groups(page, kept, excluded).tolist() == [True, True, False]


LIST = "<p>bread and butter</p><ul><li>flour</li><li>water</li><li>salt</li><li>yeast</li></ul>"


def settled(html, words, probability):
    """Return the blocks of a page whose lists are settled; those with one of the words were kept."""
    page = parse_page(html)
    texts = [" ".join(page.row_text(row).split()) for row in page.blocks.rows]
    kept = np.array([any(word in text for word in words.split()) for text in texts])
    nothing = np.zeros(len(kept), bool)
    out = settle_lists(page, kept, np.full(len(kept), probability), nothing)
    return [text for text, is_kept in zip(texts, out, strict=True) if is_kept]


@pytest.mark.parametrize(
    ("words", "probability", "expected"),
    [
        ("bread flour", 0.45, ["bread and butter", "flour", "water", "salt", "yeast"]),
        ("bread flour", 0.2, ["bread and butter"]),
        ("bread flour water salt", 0.2, ["bread and butter", "flour", "water", "salt"]),  # most of it
        ("bread", 0.45, ["bread and butter"]),
        ("bread flour water salt yeast", 0.1, ["bread and butter", "flour", "water", "salt", "yeast"]),
    ],
)
def test_a_short_list_is_whole_or_left_out(words, probability, expected):
    assert settled(LIST, words, probability) == expected


def test_a_long_list_is_left_as_it_is():
    posts = "".join(f"<li>{name} {'says that tea is good. ' * 60}</li>" for name in ("Ann", "Bob", "Cleo"))
    assert len(settled(f"<p>Tea</p><ul>{posts}</ul>", "Ann", 0.2)) == 1


@given(st.lists(st.booleans(), min_size=5, max_size=5), st.floats(0.01, 0.99))
def test_settling_lists_twice_changes_nothing(flags, probability):
    page = parse_page(LIST)
    kept, nothing = np.array(flags), np.zeros(5, bool)
    probs = np.full(5, probability)
    once = settle_lists(page, kept, probs, nothing)
    assert (settle_lists(page, once, probs, nothing) == once).all()
    assert once[0] == kept[0]


def test_what_is_excluded_is_not_completed():
    page = parse_page(LIST)
    kept, excluded = np.array([True, True, False, False, False]), np.array([False, False, False, False, True])
    assert settle_lists(page, kept, np.full(5, 0.5), excluded).tolist() == [True, True, True, True, False]
