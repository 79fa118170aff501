"""Sift: its contract with any weights, and the shipped weights on the golden pages."""

import json
from dataclasses import replace

import numpy as np
import pytest

import tamis
from tamis.lab.evaluate.metrics import words
from tamis.page import parse_page
from tamis.sift.extractor import Sift, card, shipped
from tamis.sift.network import Network


def test_sift_is_the_default():
    assert tamis.extract("<p>Tea").extractor == "sift"
    assert tamis.extract("<p>Some text, a sentence of it.").extractor == "sift"


def test_golden_pages_score_well(golden):
    extraction = tamis.extract(golden.html, golden.meta["url"])
    # Articles in languages that the training data does not have; the English pages include harder page types.
    floor = 0.6 if golden.meta["language"].startswith("en") else 0.85
    assert words(extraction.text, golden.expected).f1 > floor


def test_golden_pages_keep_required_texts(golden):
    text = " ".join(tamis.extract(golden.html, golden.meta["url"]).text.split())
    present = [" ".join(snippet.split()) in text for snippet in golden.meta["with"]]
    assert sum(present) >= len(present) - 2


def test_block_scores_are_probabilities(golden):
    extraction = tamis.extract(golden.html)
    assert all(0 < block.score < 1 for block in extraction.blocks)


def test_confidence_and_page_type_are_given(golden):
    extraction = tamis.extract(golden.html)
    assert 0 < extraction.confidence <= 1
    assert extraction.selection.page_type in shipped().page_types
    assert 1 / 7 <= extraction.selection.page_type_probability <= 1


def test_reselect_equals_extracting_with_favor(golden):
    extraction = tamis.extract(golden.html)
    sizes = [len(extraction.reselect(favor).text) for favor in (3.0, "precision", None, "recall", -3.0)]
    assert sizes == sorted(sizes)
    assert extraction.reselect("precision").text == tamis.extract(golden.html, favor="precision").text
    assert extraction.reselect(None).text == extraction.text


def test_other_extractors_reject_favor():
    with pytest.raises(tamis.OptionError, match="cannot favor"):
        tamis.extract("<p>text", extractor="body", favor="recall")
    with pytest.raises(tamis.OptionError, match="cannot favor"):
        tamis.extract("<p>text", extractor="body").reselect("recall")


PROSE = "<p>" + "The baker gets up at four, and the street smells of bread by five. " * 6 + "</p>"
ARTICLE = f"""<title>Bread at dawn</title><nav><a href=/>Home</a><a href=/news>News</a></nav>
<article><h1>Bread at dawn</h1><div class=byline>By Ann Baker, 3 May 2021</div>{PROSE * 4}</article>
<div class=comments><div class=comment><p>I loved this story, my grandmother was a baker too.</p></div>
<div class=comment><p>Where is that street? I would like to go there one day.</p></div></div>
<footer><a href=/imprint>Imprint</a></footer>"""


def test_headline_and_byline_options():
    kept = tamis.extract(ARTICLE, extractor=Sift(headline="keep", byline="keep")).text
    assert kept.startswith("Bread at dawn")
    assert "By Ann Baker" in kept
    dropped = tamis.extract(ARTICLE, extractor=Sift(headline="drop", byline="drop")).text
    assert "Bread at dawn" not in dropped
    assert "By Ann Baker" not in dropped
    assert "The baker gets up" in dropped
    with pytest.raises(tamis.OptionError, match="auto"):
        tamis.extract(ARTICLE, extractor=Sift(headline="maybe"))


def test_comments_below_an_article_are_left_out():
    extraction = tamis.extract(ARTICLE)
    assert "The baker gets up" in extraction.text
    assert "grandmother" not in extraction.text


@pytest.mark.parametrize(
    ("page_type", "link", "is_kept"),
    [
        ("article", "A street that smelled", False),
        ("listing", "A street that smelled", True),
        ("article", "Bread at dawn smelled", True),  # the title
    ],
)
def test_links_of_an_article_need_a_higher_probability(page_type, link, is_kept):
    page = parse_page(ARTICLE.replace("</article>", f"<p><a href=/a>{link}</a></p></article>"))
    scores = Sift().select(page).scores
    is_link = scores.features.column("all_links") > 0
    probable = np.where(is_link, 1.0, scores.logits)  # three quarters
    type_probs = np.array([float(name == page_type) for name in shipped().page_types])
    selection = replace(scores, logits=probable, type_probs=type_probs).select(None)
    row = next(row for row in np.flatnonzero(selection.score > 0) if "smelled" in page.row_text(int(row)))
    assert 0.7 < selection.score[row] < 0.8
    assert selection.mask[row] == is_kept
    assert ("link" in selection.reasons[selection.reason[row]]) != is_kept


def test_card_names_the_training_data():
    values = json.loads(card())
    assert "WCXB" in values["note"]
    assert values["cross-validation"]["mean of corpora"] > 0.9
    assert values["folds held out"] == values["folds"]
    assert "words F1, held out" in values["cross-validation"]
    assert "pages below F1 0.5" in values["cross-validation"]


def test_selection_does_not_depend_on_rounding(golden):
    """Machines round differently: noise far above those differences must not change the selected blocks."""
    page = parse_page(golden.html)
    selection = Sift().select(page)
    networks = tuple(
        Network({**network.parameters, "out": network.parameters["out"] * (1 + 1e-6)})
        for network in shipped().networks
    )
    other = Sift(model=replace(shipped(), networks=networks)).select(page)
    assert (other.mask == selection.mask).all()
    assert np.abs(other.score - selection.score).max() < 1e-4


def test_page_of_nothing_but_a_menu_has_no_content():
    menu = "<nav><a href=/>Home</a> <a href=/b>Blog</a></nav>"
    assert not tamis.extract(f"{menu}<div id=root></div><script src=/app.js></script>").text
    related = "<div class=related-posts><a href=/a>Seven teapots</a></div>"
    for chrome in (menu, "<nav>Home Blog</nav>", related, "<footer>Written by nobody</footer>"):
        assert tamis.extract(f"{chrome}<div id=root><p>Boil the water.</p></div>").text == "Boil the water."


FRAGMENT = "".join(
    f"<p>{f'Boil the water in pot {pot}, and wait until it is quiet again. ' * 5}</p>" for pot in range(4)
)
LINKS = "<p><a href=/a>Older pots</a> <a href=/b>Newer pots</a></p>"


def test_fragment_of_html_is_whole_and_a_page_is_not():
    assert tamis.extract(FRAGMENT + LINKS).text.endswith("Older pots Newer pots")
    assert tamis.extract(f"<title>Tea</title>{FRAGMENT}{LINKS}").text.endswith("quiet again.")
    assert tamis.extract(FRAGMENT + LINKS, favor="precision").text.endswith("quiet again.")
    assert tamis.extract(f"<nav><a href=/>Home</a></nav>{FRAGMENT}").text.startswith("Boil")
