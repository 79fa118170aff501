"""Features on small pages, computed by hand, and independent of irrelevant markup."""

from itertools import pairwise

import numpy as np
import pytest

from tamis._core.loader import core
from tamis._core.names import word_table
from tamis.page import parse_page
from tamis.sift.features import NAMES, measure
from tamis.sift.schema import CATEGORY_OF, NAME_CATEGORIES


def column(html, name):
    return measure(parse_page(html)).column(name).tolist()


def test_matrix_has_one_row_per_block_and_finite_values(golden):
    features = measure(parse_page(golden.html))
    assert features.matrix.shape == (len(parse_page(golden.html).blocks), len(NAMES))
    assert len(features.matrix) == len(features.size)
    assert np.isfinite(features.matrix).all()


def test_text_features_of_small_blocks():
    html = "<p>One, two. Three!</p><p><a href=x>Link</a></p><p>tail:</p>"
    assert column(html, "link_share") == [0, 1, 0]
    assert column(html, "ends_stop") == [1, 0, 0]
    assert column(html, "ends_punctuation") == [0, 0, 1]
    assert column(html, "starts_uppercase") == [1, 1, 0]
    assert column(html, "stop_rate")[0] == pytest.approx(2 / (measure(parse_page(html)).size[0] + 1))


def test_size_is_comparable_across_scripts():
    sizes = [
        measure(parse_page(f"<p>{text}</p>")).size[0]
        for text in (
            "The baker gets up at four in the morning and the whole street smells of bread.",
            "面包师凌晨四点起床，整条街都弥漫着面包的香味。",
            "パン屋は朝の四時に起きて、通り全体がパンの匂いに包まれる。",
            "Пекарь встаёт в четыре утра, и вся улица пахнет свежим хлебом с самого рассвета.",
        )
    ]
    assert max(sizes) < 2 * min(sizes)


def test_ancestors_are_counted_by_tag_and_by_name():
    html = "<nav class=main-menu><ul>" + "<li>a</li>" * 6 + "</ul></nav><div id=articleBody><p>text</p></div>"
    assert column(html, "ancestor:nav") == [1] * 6 + [0]
    assert column(html, "far:nav") == [1] * 6 + [0]
    assert column(html, "near:content") == [0] * 6 + [1]


def test_categorize_reads_the_words_of_names():
    names = ["sidebar-left", "postBody", "xyz", "site-footer nav"]
    first, numbers = core.categorize(names, word_table(CATEGORY_OF), len(NAME_CATEGORIES))
    categories = [{NAME_CATEGORIES[number] for number in numbers[a:b]} for a, b in pairwise(first)]
    assert categories == [{"sidebar"}, {"post", "body"}, set(), {"footer", "nav"}]


def test_wrappers_do_not_change_level_features():
    plain = "<div><p>One sentence.</p><p>Two sentences. Here.</p></div><ul><li>x</li><li>y</li></ul>"
    wrapped = plain.replace("<p>", "<section><div><p>").replace("</p>", "</p></div></section>")
    for level in range(3):
        for name in ("size", "blocks", "position", "link_share"):
            assert column(plain, f"{name}@{level}") == column(wrapped, f"{name}@{level}")


def test_similar_siblings_have_the_same_tag_and_class():
    html = "<div><div class=post>a b</div><div class=post>c d</div><div class=post>e f</div><p>other</p></div>"
    assert np.expm1(column(html, "similar_siblings@0")).round().tolist() == [2, 2, 2, 0]


def test_in_metadata_finds_descriptions_and_json_ld():
    text = "A description that is long enough to be quoted by the page itself, and more."
    other = "Something else entirely, and of some length too, so that it could be quoted."
    html = f'<meta name=description content="{text}"><p>{text}</p><p>{other}</p>'
    assert column(html, "in_metadata") == [1, 0]
    script = f'<script type="application/ld+json">{{"articleBody": "{text}"}}</script><p>{text}</p>'
    assert column(script, "in_metadata") == [1]


def test_repeats_count_equal_short_blocks():
    html = "<p>Add to cart</p><p>A longer text that stands here only once, as prose does.</p><p>Add to cart</p>"
    assert np.expm1(column(html, "repeats")).round().tolist() == [1, 0, 1]


def test_quotes_earlier_compares_beginnings_and_ends():
    post = "Hello, my name is Tom and I come from a town by the sea, where the boats go out at four in the morning."
    quote = post[7:]
    other = "Something else entirely, and of some length too, so that it could be quoted by somebody further down."
    html = f"<p>{post}</p><blockquote>{quote}</blockquote><p>{other}</p>"
    assert column(html, "quotes_earlier") == [0, 1, 0]


def test_title_match_ignores_the_site_name():
    assert column("<title>Bread at dawn - Site</title><h1>Bread at dawn</h1><p>Other</p>", "title_match")[0] > 0.6


def test_page_without_blocks_has_no_rows():
    assert measure(parse_page("")).matrix.shape == (0, len(NAMES))
