"""Liu 2017: densities by hand, fusion, neighbours, the catalogue."""

import numpy as np
import pytest

import tamis
from tamis.extractors.nodechar import CONTAINER, INTERACTION, METADATA, STYLE, NodeChar
from tamis.html import tags
from tamis.page import parse_page

LONG = "The baker gets up at four in the morning, and the street smells of bread by five. " * 4


def densities(html, **options):
    page = parse_page(html)
    method = NodeChar(**options)
    measures = method._measure(page, np.arange(len(page.blocks)))
    density, link = method._characteristics(measures)
    return density.round(4).tolist(), link.round(4).tolist()


def test_every_tag_is_in_exactly_one_class():
    assert (INTERACTION.astype(int) + STYLE + METADATA + CONTAINER == 1).all()
    assert all(CONTAINER[tags.IDS[name]] for name in ("div", "table", "p", "td", "tr"))


def test_density_of_one_line_is_its_share_of_the_screen():
    assert densities(f"<p>{'a' * 40}</p>") == ([0.5], [0.0])


def test_full_width_characters_count_twice():
    assert densities(f"<p>{'漢' * 20}</p>") == ([0.5], [0.0])


def test_the_last_of_several_lines_is_left_out():
    words = "abcd " * 20  # 99 columns: 80 on the first line with the space that ends it, 19 on the last
    assert densities(f"<p>{words}</p>")[0] == [1.0]


def test_link_density_is_the_share_of_link_characters():
    assert densities("<p>1234567 <a href=x>abc</a></p>")[1] == [pytest.approx(3 / 10, abs=0.03)]


def test_a_short_node_beside_a_dense_one_is_content_and_a_linked_one_is_not():
    method = NodeChar()
    density, link = np.array([0.1, 0.9, 0.1, 0.1, 0.9]), np.array([0.0, 0.0, 0.0, 0.0, 0.5])
    assert method._classify(density, link).tolist() == [True, True, True, True, False]


def test_similar_neighbours_are_fused():
    method = NodeChar(similarity=0.05)
    page = parse_page("<p>aaaa aaaa</p><p>bbbb bbbbb</p><p><a href=x>link link</a></p>")
    measures = method._measure(page, np.arange(3))
    assert method._fuse(measures).tolist() == [0, 0, 1]
    assert NodeChar(similarity=0.0)._fuse(measures).tolist() == [0, 1, 2]


def test_main_content_is_found_between_link_blocks():
    menu = "<ul>" + "<li><a href=/x>Entry</a></li>" * 12 + "</ul>"
    found = tamis.extract(
        f"<title>T</title>{menu}<h1>Bread</h1><p>{LONG}</p><p>{LONG}</p>{menu}", extractor="nodechar"
    )
    assert found.text.startswith("Bread")
    assert "Entry" not in found.text
    assert found.title == "Bread"
    assert found.index_links == ()


def test_a_page_without_main_content_is_a_catalogue_of_its_links():
    html = "<title>Portal</title>" + "".join(f"<li><a href=/{k}>Story {k}</a></li>" for k in range(20))
    found = tamis.extract(html, extractor="nodechar")
    assert found.text == ""
    assert found.empty_reason == "no content was found, but an index of 20 links"
    assert len(found.index_links) == 20
    assert (found.index_links[3].text, found.index_links[3].href) == ("Story 3", "/3")
    assert found.title == "Portal"


def test_interaction_tags_carry_no_content():
    found = tamis.extract(f"<p>{LONG}</p><button>{LONG}</button><p>{LONG}</p>", extractor="nodechar")
    assert found.text.count("The baker") == 8
