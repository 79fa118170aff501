"""Sift: what it promises whatever the weights, and what the shipped weights do on pages we wrote."""

import json

import numpy as np
import pytest

import tamis
from tamis.evaluate.metrics import words
from tamis.extractors.sift import Sift, card, from_weights, shipped, to_weights
from tamis.model.weights import from_json, to_json
from tamis.page import parse_page


def test_it_is_the_default():
    assert tamis.Options().extractor == "sift"
    assert tamis.extract("<p>Some text, a sentence of it.").extractor == "sift"


def test_golden_pages_score_well(golden):
    found = tamis.extract(golden.html, golden.meta["url"])
    assert words(found.text, golden.expected).f1 > 0.6


def test_languages_it_has_not_seen(golden):
    if golden.meta["language"].startswith("en"):
        assert golden.expected
        return
    found = tamis.extract(golden.html, golden.meta["url"])
    assert words(found.text, golden.expected).f1 > 0.85


def test_must_have_texts_are_there(golden):
    text = " ".join(tamis.extract(golden.html, golden.meta["url"]).text.split())
    present = [" ".join(snippet.split()) in text for snippet in golden.meta["with"]]
    assert sum(present) >= len(present) - 2


def test_every_block_carries_its_probability(golden):
    found = tamis.extract(golden.html)
    assert all(0 < block.score < 1 for block in found.blocks)


def test_confidence_and_kind_are_told(golden):
    found = tamis.extract(golden.html)
    assert 0 < found.confidence <= 1
    assert found.selection.page_type in shipped().kinds
    assert 1 / 7 <= found.selection.page_type_probability <= 1


def test_the_dial_turns_without_reading_again(golden):
    found = tamis.extract(golden.html)
    sizes = [len(found.reselect(favor).text) for favor in (3.0, "precision", None, "recall", -3.0)]
    assert sizes == sorted(sizes)
    assert found.reselect("precision").text == tamis.extract(golden.html, favor="precision").text
    assert found.reselect(None).text == found.text


def test_other_extractors_have_no_dial():
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


def test_headline_and_byline_are_options():
    kept = tamis.extract(ARTICLE, extractor=Sift(headline="keep", byline="keep")).text
    assert kept.startswith("Bread at dawn")
    assert "By Ann Baker" in kept
    dropped = tamis.extract(ARTICLE, extractor=Sift(headline="drop", byline="drop")).text
    assert "Bread at dawn" not in dropped
    assert "By Ann Baker" not in dropped
    assert "The baker gets up" in dropped
    with pytest.raises(tamis.OptionError, match="auto"):
        tamis.extract(ARTICLE, extractor=Sift(headline="maybe"))


def test_comments_below_an_article_are_not_its_body():
    found = tamis.extract(ARTICLE)
    assert "The baker gets up" in found.text
    assert "grandmother" not in found.text


def test_weights_survive_a_file_and_a_wrong_one_is_told():
    model = shipped()
    again = from_weights(from_json(to_json(to_weights(model))))
    page = parse_page(ARTICLE)
    assert (Sift(model=again).select(page).score == Sift().select(page).score).all()
    wrong = to_weights(model)
    changed = dict(wrong.values) | {"features": ["other"]}
    with pytest.raises(tamis.OptionError, match="train them again"):
        from_weights(type(wrong)("sift", changed))


def test_the_card_says_where_the_weights_come_from():
    told = json.loads(card())
    assert "WCXB" in told["note"]
    assert told["cross-validation"]["words F1"] > 0.8


def test_the_choice_does_not_hang_on_the_last_bits(golden):
    """Another machine rounds otherwise: noise far above its differences must not change the chosen blocks."""
    page = parse_page(golden.html)
    found = Sift().select(page)
    model = shipped()
    nudged = [
        type(net)({name: values * (1 + 1e-6) if name == "out" else values for name, values in net.parameters.items()})
        for net in model.networks
    ]
    other = Sift(model=type(model)(tuple(nudged), model.kinds, model.shift, model.least, model.knots, model.card))
    assert (other.select(page).mask == found.mask).all()
    assert np.abs(other.select(page).score - found.score).max() < 1e-4
