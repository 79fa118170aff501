"""CEDS (Yu 2017): the paper's figures, equation, threshold and removal of noise."""

import numpy as np
import pytest

import tamis
from tamis.page import parse_page
from tamis.papers.ceds import Ceds, best_threshold, fuse, real_nodes, typical_levels

FIGURE_2 = """<div><ul><li><a href=1>Bagehot's notebook</a></li><li><a href=2>Buttonwood's notebook</a></li>
<li><a href=3>Speakers' Corner</a></li></ul><p>x</p></div>"""


def leaves(page):
    return np.flatnonzero(page.shown)


def test_real_nodes_of_figure_2_are_the_list_items():
    page = parse_page(FIGURE_2)
    assert [page.tag_name(int(real_nodes(page)[row])) for row in leaves(page)] == ["li", "li", "li", "p"]


def test_neighbouring_siblings_are_fused_into_their_parent():
    page = parse_page(FIGURE_2)
    assert [page.tag_name(int(row)) for row in fuse(page, leaves(page))] == ["ul"]


def test_leaves_of_different_levels_are_not_fused():
    page = parse_page("<div><div><p>a</p><p>b</p></div><p>c</p></div>")
    inner = page.rows_of("div")[1]
    assert fuse(page, leaves(page)).tolist() == [inner]


def test_importance_equals_equation_1():
    page = parse_page("<div><p>one</p><p>three</p><p>two <a href=1>x</a></p></div><div><p>other</p></div>")
    rows = leaves(page)
    by_leaves = Ceds(count="leaves").select(page).score
    texts = {page.row_text(int(row)).strip(): float(by_leaves[row]) for row in rows}
    # The div is the block of "one" and "three". The last p, whose texts are siblings, is another block.
    level = page.depth[rows[0]]
    assert texts["one"] == pytest.approx(2 / (1 * level))
    assert texts["two"] == pytest.approx(
        1 / (1 * (level + 1))
    )  # two levels of equal frequency: the deeper one counts


def test_importance_by_default_counts_characters_of_plain_text():
    page = parse_page("<div><p>one</p><p>three</p><p>two <a href=1>x</a></p></div><div><p>other</p></div>")
    rows = leaves(page)
    texts = {page.row_text(int(row)).strip(): float(Ceds().select(page).score[row]) for row in rows}
    assert texts["one"] == pytest.approx(len("onethree") / page.depth[rows[0]])
    assert texts["two"] == pytest.approx(len("two") / (page.depth[rows[0]] + 1))


def test_footer_of_separators_does_not_beat_an_article():
    separators = "<p>|</p>" * 9
    prose = f"<p>{'A sentence of some length. ' * 9}</p><p>{'And another one here. ' * 9}</p>"
    html = f"<div>{prose}</div><div>{separators}</div>"
    page = parse_page(html)
    kept = {page.row_text(row)[:10] for row in Ceds().select(page).mask.nonzero()[0]}
    assert kept == {"A sentence", "And anothe"}
    printed = {page.row_text(row)[:10] for row in Ceds(count="leaves").select(page).mask.nonzero()[0]}
    assert printed == {"|"}


def test_typical_level_is_the_most_frequent_then_the_deepest():
    levels, group = np.array([3, 3, 7, 4, 5]), np.array([0, 0, 0, 1, 1])
    assert typical_levels(levels, group, 2).tolist() == [3, 5]


def test_best_threshold_has_the_largest_variance_between_classes():
    values = np.array([1.0] * 9 + [1.6, 9.0])
    mean = values.mean()

    def variance(threshold):
        above = values > threshold
        return above.mean() * (1 - above.mean()) * (values[above].mean() - values[~above].mean()) ** 2

    threshold = best_threshold(values)
    assert 1 <= threshold / mean <= 3
    assert variance(threshold) == max(variance(mean * (1 + k / 10)) for k in range(21))


def test_leaf_far_below_its_neighbours_is_noise():
    deep = "<div>" * 6 + "advert" + "</div>" * 6
    prose = "".join(f"<p>Paragraph number {k} of the story.</p>" for k in range(6))
    html = f"<div><section>{prose}<div><p>A quote.</p>{deep}</div>{prose}</section></div><ul><li><a href=1>x</a></ul>"
    text = tamis.extract(html, extractor="ceds").text
    assert "Paragraph number 5" in text
    assert "advert" not in text


def test_page_of_one_block_is_content():
    assert tamis.extract("<p>Only one thing here.</p>", extractor="ceds").text == "Only one thing here."
