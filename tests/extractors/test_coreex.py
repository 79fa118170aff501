"""Prasad 2008: its running example, the six configurations, the title, forms, articles and indexes."""

import pytest

import tamis
from tamis.extractors import registry
from tamis.extractors.coreex import CoreEx, preset
from tamis.page import parse_page

# Figure 3 of the paper in words: a paragraph with a link, and a list.
FIGURE_3 = """<body><p>A paragraph <a href=x>with a link</a></p>
<div>Note: <ul><li>First item here</li><li>Second</li></ul></div>"""
PROSE = "<p>" + "Words of the story that is told here at some length. " * 8 + "</p>"


def counts_at(html, tag, method=None):
    page = parse_page(html)
    counts, _ = (method or CoreEx()).count(page)
    row = page.rows_of(tag)[0]
    return counts.text[row], counts.link[row]


def test_a_link_is_one_word_and_one_link_whatever_its_text():
    assert counts_at(FIGURE_3, "p") == (3, 1)
    assert counts_at(FIGURE_3, "ul") == (4, 0)
    assert counts_at(FIGURE_3, "body") == (8, 1)


def test_a_link_inside_a_link_is_not_counted_twice():
    html = "<body><a href=x>outer <svg><a href=y>inner</a></svg></a> text"
    assert counts_at(html, "body") == (2, 1)


def test_basic_scoring_prefers_small_nodes_and_weighted_scoring_mends_it():
    html = f"<div><h3>Tiny</h3></div><div>{PROSE * 3}<p>One <a href=x>link</a> here.</p></div>"
    assert len(tamis.extract(html, extractor="coreex-r1").text) < 20
    assert "Words of the story" in tamis.extract(html, extractor="coreex-r2").text


def test_subset_selection_leaves_the_advertisements_between_paragraphs_out():
    advert = "<div>" + "<a href=x>Buy</a> now " * 4 + "</div>"
    html = f"<body><div>{PROSE * 15}{advert}{PROSE * 15}</div></body>"
    assert "Buy" in tamis.extract(html, extractor="coreex-r2").text
    found = tamis.extract(html, extractor="coreex-r3").text
    assert "Buy" not in found
    assert found.count("Words of the story") == 240


def test_forms_are_ignored_from_r4_on():
    html = f"<body><div>{PROSE}<form>Tell us what you think of all this please</form></div></body>"
    assert "Tell us" in tamis.extract(html, extractor="coreex-r3").text
    assert "Tell us" not in tamis.extract(html, extractor="coreex-r4").text


def test_scripts_count_as_words_until_r5():
    html = f"<div><script>{'var a = 1 ; ' * 500}</script></div><div>{PROSE}</div>"
    assert counts_at(html, "div", preset(4))[0] == 2500
    assert counts_at(html, "div", preset(5))[0] == 0
    assert "Words of the story" in tamis.extract(html, extractor="coreex-r5").text


def test_a_round_trip_through_a_serialiser_changes_nothing(golden):
    html = golden.html.decode("utf-8")
    assert tamis.extract(html, extractor="coreex-r6").text == tamis.extract(html, extractor="coreex-r5").text


def test_a_page_wrapped_in_a_form_yields_nothing_in_the_presets_and_its_content_by_default():
    html = f"<body><form>{PROSE * 2}<p>Menu <a href=x>x</a></p></form></body>"
    assert tamis.extract(html, extractor="coreex-r5").text == ""
    assert "Words of the story" in tamis.extract(html, extractor="coreex").text


def test_the_title_is_the_last_header_before_the_answers_parent():
    html = f"<body><h2>Section</h2><h1>The headline</h1><p>By A. Writer</p><div>{PROSE}{PROSE}</div></body>"
    found = tamis.extract(html, extractor="coreex")
    assert found.title == "The headline"
    assert "The headline" in found.text


def test_else_the_title_is_what_repeats_the_pages_title():
    story = f"<div><div>{PROSE}{PROSE}</div></div>"
    html = f"<title>A storm of apples</title><div><span>A  storm of apples</span></div><div>{story}</div>"
    found = tamis.extract(html, extractor="coreex")
    assert found.title == "A storm of apples"


@pytest.mark.parametrize("number", range(1, 7))
def test_presets_are_registered_with_the_papers_defaults(number):
    method = registry.get(f"coreex-r{number}")
    assert method == preset(number)
    assert not method.page_wide_forms


def test_articles_and_indexes_are_told_apart():
    links = "<li><a href=x>Headline of a story</a></li>" * 40
    assert tamis.extract(f"<div>{PROSE * 3}</div>", extractor="coreex").selection.page_type == "article"
    index = f"<h1>News</h1><ul>{links}</ul><p>All rights reserved.</p>"
    assert tamis.extract(index, extractor="coreex").selection.page_type == "index"
