"""CETD and CECTD (Song 2015) against the paper's numbers and examples."""

import math

import numpy as np
import pytest

import tamis
from tamis.page import parse_page
from tamis.papers.cetd import Cectd, Cetd, composite_density, count, density_sums, smooth, text_density

EXAMPLE = """
<div class="main">
  <div class="article">
    <div class="story-header">
      Lunch with the FT: Biz Stone</div>
    <div class="story-body">
      Though the value of the company was
      <a>recently estimated at $3.7bn</a>
    </div></div></div>
"""


def test_text_density_of_the_papers_example_3_1():
    page = parse_page(EXAMPLE)
    rows = [*page.rows_of("div"), *page.rows_of("a")]
    counts = count(page)
    density = text_density(counts)
    assert [int(counts.chars[row]) for row in rows] == [91, 91, 28, 63, 28]
    assert [max(int(counts.tags[row]), 1) for row in rows] == [4, 3, 1, 1, 1]
    assert [round(float(density[row]), 2) for row in rows] == [22.75, 30.33, 28, 63, 28]


@pytest.mark.parametrize("tag", ["a", "button", "select"])
def test_text_of_links_buttons_and_selects_counts_as_link_text(tag):
    page = parse_page(f"<div>text <{tag}><option>one two</option></{tag}></div>")
    counts = count(page)
    assert counts.link_chars[page.rows_of("div")[0]] == len("one two")


def test_element_that_holds_only_links_counts_as_a_link_tag():
    page = parse_page("<ul><li><a>one</a></li><li><a>two</a></li></ul><ul><li><a>x</a> and text</li></ul>")
    counts = count(page)
    first, second = page.rows_of("ul")
    assert (counts.tags[first], counts.link_tags[first]) == (4, 4)
    assert (counts.tags[second], counts.link_tags[second]) == (2, 1)


def test_scripts_and_styles_are_not_counted():
    page = parse_page("<div><script>var a</script><style>b</style><!--c--><p>text</p></div>")
    counts = count(page)
    row = page.rows_of("div")[0]
    assert (counts.chars[row], counts.tags[row]) == (4, 1)


@pytest.mark.parametrize("tag", ["template", "noscript"])
def test_tags_inside_what_is_not_shown_are_not_counted(tag):
    page = parse_page(f"<div><{tag}><p>one</p><p>two</p></{tag}><p>text</p></div>")
    counts = count(page)
    row = page.rows_of("div")[0]
    assert (counts.chars[row], counts.tags[row], counts.link_tags[row]) == (4, 1, 0)


@pytest.mark.parametrize("extractor", [Cetd, Cectd])
def test_one_block_is_the_element_with_the_largest_density_sum(extractor):
    story = "<p>A paragraph of the story, which says something at length.</p>" * 6
    aside = "<p>Another text of some length, about something else.</p>" * 3
    html = f"<ul><li><a href=/>Home</a></li></ul><div>{story}</div><div>{aside}</div>"
    every, one = (tamis.extract(html, extractor=extractor(blocks=blocks)).text for blocks in ("all", "one"))
    assert "something else" in every
    assert one.count("A paragraph") == 6
    assert "something else" not in one


def test_text_between_children_counts_in_the_density_sum():
    page = parse_page("<div>some text<br>more text<br>end</div>")
    density = text_density(count(page))
    sums = density_sums(page, density, page.chars.astype(np.float64))
    assert sums[page.rows_of("div")[0]] == len("some text") + len("more text") + len("end")


def test_all_content_blocks_are_selected():
    prose = "<p>" + "A sentence of some length that says a thing. " * 6 + "</p>"
    navigation = "<ul>" + "<li><a href=/x>go</a></li>" * 12 + "</ul>"
    html = f"<div>{navigation}</div><div>{prose * 3}</div><div>{navigation}</div><div>{prose * 2}</div>"
    extraction = tamis.extract(html, extractor="cetd")
    assert len(extraction.blocks) == 5
    assert "go" not in extraction.text


def test_html_of_the_content_keeps_its_structure():
    html = (
        "<div><ul><li><a href=/x>go</a></ul></div><div class=c onclick=x()><h2>Head</h2>"
        "<p>Some <em>good</em> prose that goes on for a while, and on.</p><script>no()</script></div>"
    )
    extraction = tamis.extract(html, extractor="cetd")
    assert extraction.html == "<h2>Head</h2><p>Some <em>good</em> prose that goes on for a while, and on.</p>"


def composite_formula(chars, tags, link_chars, link_tags, body_links, body_chars):
    base = math.log(
        math.log(chars / max(chars - link_chars, 1) * link_chars + body_links / body_chars * chars + math.e)
    )
    return chars / tags * math.log(chars / max(link_chars, 1) * tags / max(link_tags, 1)) / base


def test_composite_density_of_the_papers_example_equals_the_formula():
    page = parse_page(EXAMPLE)
    counts = count(page)
    density = composite_density(page, counts)
    main, _, _, story, *_ = page.rows_of("div")
    assert density[main] == pytest.approx(composite_formula(91, 4, 28, 1, 28, 91))
    assert density[story] == pytest.approx(composite_formula(63, 1, 28, 1, 28, 91))
    assert density[page.rows_of("a")[0]] == 0  # only links


def test_densities_of_a_page_without_links_are_finite():
    page = parse_page("<div><p>some text</p><p>more of it</p></div>")
    assert np.isfinite(composite_density(page, count(page))).all()


def test_composite_density_of_prose_is_far_above_that_of_link_lists():
    html = "<ul>" + "<li><a href=/x>A long headline that links somewhere</a></li>" * 8 + "</ul>"
    page = parse_page(f"<div>{html}</div><div><p>Prose with no link in it, of a good length.</p></div>")
    counts = count(page)
    row_list, row_prose = page.rows_of("ul")[0], page.rows_of("p")[0]
    assert text_density(counts)[row_list] > 0
    assert composite_density(page, counts)[row_list] < 0.01 * composite_density(page, counts)[row_prose]


def test_text_of_an_ancestor_of_content_is_kept():
    page = "<body>Lead text.<div>" + "<p>A sentence that goes on and on, to the end of the line.</p>" * 4 + "</div>"
    assert "Lead text." in tamis.extract(page, extractor="cectd").text


def test_smooth_averages_over_sibling_elements():
    page = parse_page("<div><p>a</p>text<p>b</p><p>c</p></div>")
    density = np.zeros(len(page))
    density[page.rows_of("p")] = [4.0, 8.0, 0.0]
    assert smooth(page, density)[page.rows_of("p")].tolist() == [(8 + 8) / 3, (4 + 16 + 0) / 4, 8 / 3]


def test_cectd_s_keeps_a_short_paragraph_between_long_ones():
    prose = "<p>" + "A sentence of some length that says a thing. " * 6 + "</p>"
    html = f"<div><ul>{'<li><a href=/x>go there</a></li>' * 9}</ul></div><div>{prose}<p>Short.</p>{prose}</div>"
    assert "Short." in tamis.extract(html, extractor="cectd-s").text
