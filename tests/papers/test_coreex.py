"""CoreEx (Prasad 2008): the paper's example, its six configurations, titles, forms, index pages."""

from dataclasses import replace

import pytest

import tamis
from tamis.extractors import registry
from tamis.page import parse_page
from tamis.papers.coreex import CoreEx, preset

# Figure 3 of the paper in words: a paragraph with a link, and a list.
FIGURE_3 = """<body><p>A paragraph <a href=x>with a link</a></p>
<div>Note: <ul><li>First item here</li><li>Second</li></ul></div>"""
PROSE = "<p>" + "Words of the story that is told here at some length. " * 8 + "</p>"


def counts_at(html, tag, extractor=None):
    page = parse_page(html)
    counts, _ = (extractor or CoreEx()).count(page)
    row = page.rows_of(tag)[0]
    return counts.text[row], counts.link[row]


def test_link_counts_as_one_word_and_one_link():
    assert counts_at(FIGURE_3, "p") == (3, 1)
    assert counts_at(FIGURE_3, "ul") == (4, 0)
    assert counts_at(FIGURE_3, "body") == (8, 1)


def test_nested_link_is_counted_once():
    html = "<body><a href=x>outer <svg><a href=y>inner</a></svg></a> text"
    assert counts_at(html, "body") == (2, 1)


def test_basic_scoring_prefers_small_nodes_and_weighted_scoring_does_not():
    html = f"<div><h3>Tiny</h3></div><div>{PROSE * 3}<p>One <a href=x>link</a> here.</p></div>"
    assert len(tamis.extract(html, extractor="coreex-r1").text) < 20
    assert "Words of the story" in tamis.extract(html, extractor="coreex-r2").text


def test_subset_selection_drops_advertisements_between_paragraphs():
    advert = "<div>" + "<a href=x>Buy</a> now " * 4 + "</div>"
    html = f"<body><div>{PROSE * 15}{advert}{PROSE * 15}</div></body>"
    assert "Buy" in tamis.extract(html, extractor="coreex-r2").text
    text = tamis.extract(html, extractor="coreex-r3").text
    assert "Buy" not in text
    assert text.count("Words of the story") == 240


def test_forms_are_ignored_since_r4():
    html = f"<body><div>{PROSE}<form>Tell us what you think of all this please</form></div></body>"
    assert "Tell us" in tamis.extract(html, extractor="coreex-r3").text
    assert "Tell us" not in tamis.extract(html, extractor="coreex-r4").text


def test_scripts_are_no_words_unless_they_are_counted():
    html = f"<div><script>{'var a = 1 ; ' * 500}</script></div><div>{PROSE}</div>"
    for number in range(1, 6):
        assert counts_at(html, "div", preset(number))[0] == 0
        assert "Words of the story" in tamis.extract(html, extractor=f"coreex-r{number}").text
    assert counts_at(html, "div", replace(preset(4), script_words=True))[0] == 2500


def test_script_that_counts_as_words_wins_a_page_with_a_link():
    html = f"<div><script>var a = 1</script></div><div>{PROSE}<a href=x>more</a></div>"
    assert "Words of the story" in tamis.extract(html, extractor=preset(1)).text
    assert tamis.extract(html, extractor=replace(preset(1), script_words=True)).text == ""


def test_presets_have_the_printed_weight_and_the_default_a_larger_one():
    assert {preset(number).weight_text for number in range(2, 7)} == {0.01}
    linked = f"<div>{PROSE}<p>Beside <a href=/x>one link</a> here</p></div>"
    html = f"<div>{'<a href=/y>Menu</a> ' * 30}</div><div>{linked * 9}</div>"
    whole, printed = (tamis.extract(html, extractor=name).text for name in ("coreex", "coreex-r2"))
    assert whole.count("Words of the story") == 72
    assert printed.count("Words of the story") == 8


@pytest.mark.parametrize("text", ["日本語の文章です。" * 9, "ภาษาไทยไม่เว้นวรรค" * 9])
def test_scripts_without_spaces_are_counted_by_their_characters(text):
    html = f"<div>{text}</div>"
    assert counts_at(html, "div", CoreEx())[0] > 20
    assert counts_at(html, "div", preset(5))[0] == 1


def test_title_is_found_inside_previous_siblings_and_those_of_ancestors():
    html = (
        "<title>Apples fall - The Orchard</title><h2>The Orchard</h2><div><div><h1>Apples fall</h1></div>"
        f"<div><section>{PROSE}</section></div></div>"
    )
    assert tamis.extract(html, extractor="coreex").title == "Apples fall"


@pytest.mark.parametrize(
    "headings",
    [
        "<h1>The Orchard Magazine</h1><h2>Apples fall far</h2>",
        "<h1>The Orchard Magazine</h1><h2>Apples fall far</h2><h3>Apples</h3>",
        "<h2>Apples fall far</h2>",
    ],
)
def test_title_is_the_heading_of_the_page_title_that_is_nearest_to_the_text(headings):
    html = f"<title>Apples fall far | The Orchard Magazine</title>{headings}<div>{PROSE}</div>"
    assert tamis.extract(html, extractor="coreex").title == "Apples fall far"


def test_title_beside_the_result_in_the_same_element_is_found():
    heading = "<h2><a href=/a>Apples fall far</a></h2>"
    html = f"<title>Apples fall far -- The Orchard</title><h1>The Orchard</h1><div>{heading}{PROSE}</div>"
    assert tamis.extract(html, extractor="coreex").title == "Apples fall far"


def test_title_may_be_any_element_that_says_what_the_page_title_says_beside_the_site():
    html = f"<title>The Orchard: Apples fall far</title><b>Apples fall far</b><div>{PROSE}</div><h3>More</h3>"
    assert tamis.extract(html, extractor="coreex").title == "Apples fall far"


def test_scripts_removed_in_r5():
    html = f"<div><script>{'var a = 1 ; ' * 500}</script></div><div>{PROSE}</div>"
    assert counts_at(html, "div", replace(preset(5), script_words=True))[0] == 0
    assert "Words of the story" in tamis.extract(html, extractor="coreex-r5").text


def test_serializing_and_parsing_the_page_changes_nothing(golden):
    html = golden.html.decode("utf-8")
    assert tamis.extract(html, extractor="coreex-r6").text == tamis.extract(html, extractor="coreex-r5").text


def test_page_inside_a_form_is_empty_in_the_presets_but_not_by_default():
    html = f"<body><form>{PROSE * 2}<p>Menu <a href=x>x</a></p></form></body>"
    assert tamis.extract(html, extractor="coreex-r5").text == ""
    assert "Words of the story" in tamis.extract(html, extractor="coreex").text


def test_title_is_the_last_heading_before_the_best_node():
    html = f"<body><h2>Section</h2><h1>The headline</h1><p>By A. Writer</p><div>{PROSE}{PROSE}</div></body>"
    extraction = tamis.extract(html, extractor="coreex")
    assert extraction.title == "The headline"
    assert "The headline" in extraction.text


def test_title_without_heading_is_the_element_that_repeats_the_page_title():
    story = f"<div><div>{PROSE}{PROSE}</div></div>"
    html = f"<title>A storm of apples</title><div><span>A  storm of apples</span></div><div>{story}</div>"
    extraction = tamis.extract(html, extractor="coreex")
    assert extraction.title == "A storm of apples"


@pytest.mark.parametrize("number", range(1, 7))
def test_presets_are_registered(number):
    extractor = registry.get(f"coreex-r{number}")
    assert extractor == preset(number)
    assert not extractor.page_wide_forms


def test_page_type_distinguishes_articles_and_indexes():
    links = "<li><a href=x>Headline of a story</a></li>" * 40
    assert tamis.extract(f"<div>{PROSE * 3}</div>", extractor="coreex").selection.page_type == "article"
    index = f"<h1>News</h1><ul>{links}</ul><p>All rights reserved.</p>"
    assert tamis.extract(index, extractor="coreex").selection.page_type == "index"


@pytest.mark.parametrize(("paragraphs", "page_type"), [(3, "article"), (2, "index")])
def test_words_of_the_result_and_not_links_of_the_page_make_an_article(paragraphs, page_type):
    # 88 words a paragraph; the article has 200 or more. Most words of either page are links.
    links = "<li><a href=x>Headline of a story</a></li>" * 400
    html = f"<ul>{links}</ul><div>{PROSE * paragraphs}</div>"
    assert tamis.extract(html, extractor="coreex").selection.page_type == page_type
