"""`include` and `exclude`: CSS selectors of what can be content."""

import pickle

import pytest

import tamis
from tamis.batch import extract_many
from tamis.batch.rows import RowOptions

PAGE = """<title>Tea | The kitchen</title><body><nav><a href=/>Home</a></nav>
<article><h1>Tea</h1><p class=lead>Boil.</p>
<div class=ad><p>Buy!</p><img src=/ad.png width=500 height=400 alt=ad></div><p>Wait.</p>
<figure><img src=/tea.png width=500 height=400 alt=tea></figure></article>
<section id=comments><p>Nice.</p></section></body>"""


def extract(**options):
    return tamis.extract(PAGE, "https://e.org/", **options)


def test_all_text_of_what_is_included_is_content_unless_an_extractor_is_named():
    assert extract(include="#comments").text == "Nice."
    assert extract(include="#comments").extractor == "body"
    assert extract(include=["#comments", "h1"]).text == "Tea\n\nNice."
    assert extract(include="article", extractor="cetd").extractor == "cetd"
    assert "Nice." not in extract(include="article", extractor="cetd").text
    assert extract(exclude=".ad").extractor == "sift"


def test_what_is_excluded_is_in_no_output():
    extraction = extract(include="article", exclude=(".ad", "figure"))
    assert extraction.text == "Tea\n\nBoil.\n\nWait."
    for name in ("text", "markdown", "html", "json", "xml"):
        output = extraction.render(name, comments=True).text
        assert "Buy" not in output, name
        assert ".png" not in output.partition('"metadata"')[0], name
    assert "png" not in extraction.to_html(structure="original")
    assert "/tea.png" in extract(include="article").markdown


def test_an_exclusion_inside_an_inclusion_wins_and_elements_around_stay():
    assert extract(include="p", exclude=".ad").text == "Boil.\n\nWait.\n\nNice."
    assert extract(include="article, article p", exclude="h1, .ad").text == "Boil.\n\nWait."


def test_metadata_is_that_of_the_whole_page():
    assert extract(include="#comments").title == "Tea"
    assert extract(exclude="h1").title == "Tea"


def test_what_is_left_out_is_no_hidden_text():
    assert extract(include="#comments").warnings == ()


def test_nothing_left_has_a_reason():
    assert extract(include=".nothing").empty_reason == "include and exclude leave no visible text"
    assert extract(exclude="body").empty_reason == "include and exclude leave no visible text"


def test_a_text_of_metadata_does_not_replace_what_was_left_out():
    body = "The mill turns again after forty years, and the miller's granddaughter dresses the stones. " * 5
    data = f'<script type="application/ld+json">{{"@type": "Article", "articleBody": "{body}"}}</script>'
    assert tamis.extract(f"{data}<div class=app></div>", exclude=".ad")
    assert not tamis.extract(f"{data}<div class=ad>{body}</div>", exclude=".ad")


def test_a_restricted_extraction_pickles():
    extraction = extract(exclude=".ad", extractor="body")
    again = pickle.loads(pickle.dumps(extraction))
    assert again.markdown == extraction.markdown
    assert (again.page.hidden == extraction.page.hidden).all()


def test_a_page_of_an_extraction_can_be_read_again_without_its_selectors():
    assert "Home" in tamis.extract(extract(include="article").page, extractor="body").text


def test_reselection_stays_within_the_selectors():
    words = "Water just off the boil, three minutes, no more. " * 9
    extraction = tamis.extract(f"<main><p>{words}</p><p class=ad>{words}</p></main>", exclude=".ad")
    assert extraction.reselect("recall").text.count("Water") == 9


def test_batches_have_them():
    options = RowOptions(("text",), options=tamis.api.Options(include="#comments"))
    (row,) = extract_many([PAGE], workers=0, options=options)
    assert row["text"] == "Nice."


@pytest.mark.parametrize("selector", ["", "p:has(", ">>", "p::before"])
def test_an_invalid_selector_is_an_option_error(selector):
    with pytest.raises(tamis.OptionError, match="exclude: not a CSS selector"):
        tamis.extract(PAGE, exclude=selector)
