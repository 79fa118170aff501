"""NodeChar (Liu 2017): densities computed by hand, fusion, neighbours, index pages."""

import numpy as np
import pytest

import tamis
from tamis.html import tags
from tamis.page import parse_page
from tamis.papers.nodechar import INTERACTION, METADATA, STYLE, NodeChar

LONG = "The baker gets up at four in the morning, and the street smells of bread by five. " * 4
PROSE = LONG.strip()


def densities(html, **options):
    page = parse_page(html)
    extractor = NodeChar(**options)
    measures = extractor._measure(page, np.arange(len(page.blocks)))
    density, link = extractor._characteristics(measures)
    return density.round(4).tolist(), link.round(4).tolist()


def test_every_tag_belongs_to_one_class():
    classes = INTERACTION.astype(int) + STYLE + METADATA
    assert (classes <= 1).all()
    assert not any(classes[tags.IDS[name]] for name in ("div", "table", "p", "td", "tr"))  # containers


def test_density_of_one_line_is_its_share_of_the_columns():
    assert densities(f"<p>{'a' * 40}</p>") == ([0.5], [0.0])


def test_full_width_characters_count_twice():
    assert densities(f"<p>{'漢' * 20}</p>") == ([0.5], [0.0])


def test_density_ignores_the_last_of_several_lines():
    words = "abcd " * 20  # 99 columns: 80 on the first line with the space that ends it, 19 on the last
    assert densities(f"<p>{words}</p>")[0] == [1.0]


def test_link_density_is_the_share_of_link_characters():
    assert densities("<p>1234567 <a href=x>abc</a></p>")[1] == [pytest.approx(3 / 10, abs=0.03)]


def test_node_next_to_a_dense_node_is_content_unless_it_has_many_links():
    density, link = np.array([0.1, 0.9, 0.1, 0.1, 0.9]), np.array([0.0, 0.0, 0.0, 0.0, 0.5])
    siblings = np.ones(4, dtype=np.bool_)
    by_document = NodeChar(neighbours="document")
    assert by_document._classify(density, link, siblings).tolist() == [True, True, True, True, False]
    # A neighbour that is mostly links lends no density.
    assert NodeChar()._classify(density, link, siblings).tolist() == [True, True, True, False, False]
    # Nor does one in a container elsewhere.
    siblings[0] = False
    assert NodeChar()._classify(density, link, siblings).tolist() == [False, True, True, False, False]


def test_gallery_keeps_its_short_last_caption():
    captions = ["A caption that fills most of a line, with the names of all who stand there.", "The end."]
    figures = "".join(f"<div><img src=/{k}.jpg><p>{caption}</p></div>" for k, caption in enumerate(captions))
    page = parse_page(f"<p>{PROSE}</p><section>{figures}</section><footer><p>Imprint</p></footer>")

    def kept(method):
        return [page.row_text(row) for row in method.select(page).mask.nonzero()[0]]

    assert kept(NodeChar()) == [PROSE, *captions]
    assert kept(NodeChar(galleries=False)) == [PROSE, captions[0]]


def test_similar_neighbours_are_fused():
    extractor = NodeChar(similarity=0.05)
    page = parse_page("<p>aaaa aaaa</p><p>bbbb bbbbb</p><p><a href=x>link link</a></p>")
    measures = extractor._measure(page, np.arange(3))
    assert extractor._fuse(measures).tolist() == [0, 0, 1]
    assert NodeChar(similarity=0.0)._fuse(measures).tolist() == [0, 1, 2]


def test_main_content_between_menus_is_selected():
    menu = "<ul>" + "<li><a href=/x>Entry</a></li>" * 12 + "</ul>"
    extraction = tamis.extract(
        f"<title>T</title>{menu}<h1>Bread</h1><p>{LONG}</p><p>{LONG}</p>{menu}", extractor="nodechar"
    )
    assert extraction.text.startswith("Bread")
    assert "Entry" not in extraction.text
    assert extraction.title == "Bread"
    assert extraction.index_links == ()


def test_page_without_main_content_is_an_index_page_with_its_links():
    html = "<title>Portal</title>" + "".join(f"<li><a href=/{k}>Story {k}</a></li>" for k in range(20))
    extraction = tamis.extract(html, extractor="nodechar")
    assert extraction.text == ""
    assert extraction.empty_reason == "no content was found, but an index of 20 links"
    assert len(extraction.index_links) == 20
    assert (extraction.index_links[3].text, extraction.index_links[3].href) == ("Story 3", "/3")
    assert extraction.title == "Portal"
    assert extraction.selection.page_type == "index"


def test_interaction_tags_are_not_content():
    extraction = tamis.extract(f"<p>{LONG}</p><button>{LONG}</button><p>{LONG}</p>", extractor="nodechar")
    assert extraction.text.count("The baker") == 8
