import json

import numpy as np
import pytest

from tamis._core.enums import Hidden
from tamis.page import parse_page


@pytest.mark.parametrize("template", ["<template>", "<div><template shadowrootmode=open>"])
def test_panel_in_a_template_is_read(template):
    """Found by fuzzing: the parent of the panel is a fragment, which has no attributes."""
    page = parse_page(f"{template}<p class=faq-answer hidden>Yes, three minutes.</p>")
    assert "Yes, three minutes." in page.text


def test_article_that_the_page_declares_is_shown_though_it_is_hidden():
    text = 'The kettle was old, and the "tea" that it made was older. ' * 12
    menu = "<ul>" + "<li><a href=/x>A section of the paper with a long name</a>" * 60 + "</ul>"
    declared = json.dumps({"@type": "NewsArticle", "articleBody": text})
    for script, shown in ((declared, True), ('{"@type": "NewsArticle"}', False)):
        page = parse_page(
            f'<script type="application/ld+json">{script}</script>{menu}<div hidden><p>{text}</p></div>'
        )
        assert ("kettle" in "".join(page.row_text(row) for row in np.flatnonzero(page.shown))) == shown


def test_visibility_that_hides_most_of_a_page_in_pieces_is_a_guard_of_a_script():
    text = "<section style='visibility: hidden'><p>" + "Boil the water, and wait. " * 20 + "</p></section>"
    assert not (parse_page(text * 3).hidden & Hidden.VISIBILITY).any()
    rest = "<p>" + "What everybody sees of this page. " * 30
    assert (parse_page(text * 3 + rest).hidden & Hidden.VISIBILITY).any()


def test_a_paragraph_that_waits_for_a_script_is_shown_beside_short_headings():
    page = parse_page(
        '<h1>ft_one_hot_encoder</h1><section><h2>Description</h2><span style="display:block;visibility:hidden"><p>'
        "One-hot encoding maps a column of label indices to a column of binary vectors, with at most a single "
        "one-value.</p></span></section>"
    )
    assert not (page.hidden & Hidden.VISIBILITY).any()


def test_what_a_site_builder_never_shows_is_hidden_though_it_is_most_of_the_page():
    other = "<div class='essay w-condition-invisible'><p>" + "The other essay, which is longer. " * 40 + "</p></div>"
    page = parse_page(f"<div class='w-dyn-item'><p>{'Boil the water, and wait. ' * 20}</p></div>{other}")
    shown = "".join(page.row_text(row) for row in np.flatnonzero(page.shown))
    assert "Boil the water" in shown
    assert "other essay" not in shown
