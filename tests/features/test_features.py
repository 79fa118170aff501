"""Features: by hand on small pages, and free of what must not matter."""

from itertools import pairwise

import numpy as np
import pytest

from tamis._kernels.loader import scan
from tamis._kernels.scan import hashes_of
from tamis.features import NAMES, measure
from tamis.features.name_categories import NOTIONS, SPELLINGS
from tamis.page import parse_page


def column(html, name):
    return measure(parse_page(html)).matrix[:, NAMES.index(name)].tolist()


def test_names_are_unique_and_one_a_column(golden):
    found = measure(parse_page(golden.html))
    assert len(set(NAMES)) == len(NAMES) == found.matrix.shape[1]
    assert len(found.matrix) == len(found.size) == len(parse_page(golden.html).blocks)
    assert np.isfinite(found.matrix).all()


def test_own_text():
    html = "<p>One, two. Three!</p><p><a href=x>Link</a></p><p>tail:</p>"
    assert column(html, "link_share") == [0, 1, 0]
    assert column(html, "ends_stop") == [1, 0, 0]
    assert column(html, "ends_mark") == [0, 0, 1]
    assert column(html, "begins_upper") == [1, 1, 0]
    assert column(html, "stops")[0] == pytest.approx(2 / (measure(parse_page(html)).size[0] + 1))


def test_size_means_the_same_in_every_script():
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


def test_elements_and_names_above_a_block():
    html = "<nav class=main-menu><ul>" + "<li>a</li>" * 6 + "</ul></nav><div id=articleBody><p>text</p></div>"
    assert column(html, "above:nav") == [1] * 6 + [0]
    assert column(html, "far:nav") == [1] * 6 + [0]
    assert column(html, "near:content") == [0] * 6 + [1]


def test_notions_are_read_from_parts_of_names():
    names = ["sidebar-left", "postBody", "xyz", "site-footer nav"]
    first, numbers = scan.categorize(names, hashes_of(SPELLINGS), len(NOTIONS))
    found = [{NOTIONS[number] for number in numbers[a:b]} for a, b in pairwise(first)]
    assert found == [{"sidebar"}, {"post", "body"}, set(), {"footer", "nav"}]


def test_wrappers_change_no_total():
    plain = "<div><p>One sentence.</p><p>Two sentences. Here.</p></div><ul><li>x</li><li>y</li></ul>"
    wrapped = plain.replace("<p>", "<section><div><p>").replace("</p>", "</p></div></section>")
    for height in range(3):
        for name in ("size", "blocks", "place", "link_share"):
            assert column(plain, f"{name}@{height}") == column(wrapped, f"{name}@{height}")


def test_twins_are_siblings_that_look_alike():
    html = "<div><div class=post>a b</div><div class=post>c d</div><div class=post>e f</div><p>other</p></div>"
    assert np.expm1(column(html, "twins@0")).round().tolist() == [2, 2, 2, 0]


def test_what_the_page_tells_of_itself_is_recognised():
    text = "A description that is long enough to be quoted by the page itself, and more."
    other = "Something else entirely, and of some length too, so that it could be quoted."
    html = f'<meta name=description content="{text}"><p>{text}</p><p>{other}</p>'
    assert column(html, "told") == [1, 0]
    script = f'<script type="application/ld+json">{{"articleBody": "{text}"}}</script><p>{text}</p>'
    assert column(script, "told") == [1]


def test_repeated_labels_are_counted():
    html = "<p>Add to cart</p><p>A longer text that stands here only once, as prose does.</p><p>Add to cart</p>"
    assert np.expm1(column(html, "repeats")).round().tolist() == [1, 0, 1]


def test_quotes_of_what_was_said_are_known_by_how_they_begin_or_end():
    said = "Hello, my name is Tom and I come from a town by the sea, where the boats go out at four in the morning."
    quote = said[7:]
    other = "Something else entirely, and of some length too, so that it could be quoted by somebody further down."
    html = f"<p>{said}</p><blockquote>{quote}</blockquote><p>{other}</p>"
    assert column(html, "echo") == [0, 1, 0]


def test_the_title_is_matched():
    assert column("<title>Bread at dawn - Site</title><h1>Bread at dawn</h1><p>Other</p>", "title_match")[0] > 0.6


def test_no_block_no_row():
    assert measure(parse_page("")).matrix.shape == (0, len(NAMES))
