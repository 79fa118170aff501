import sys

import pytest

from tamis.compat import justext as ours
from tests.compat.pages import ARTICLE, SENTENCES
from tests.compat.real import load, outcome

theirs = load("justext")
ATTRIBUTES = {
    "text": str,
    "is_boilerplate": bool,
    "is_heading": bool,
    "heading": bool,
    "class_type": str,
    "cf_class": str,
    "dom_path": str,
    "xpath": str,
    "words_count": int,
    "text_nodes": list,
    "tags_count": int,
    "chars_count_in_links": int,
}


@pytest.mark.slow
def test_paragraphs_have_the_same_attributes_and_types():
    mine = ours.justext(ARTICLE, ours.get_stoplist("English"))
    real = theirs.justext(ARTICLE, theirs.get_stoplist("English"))
    assert type(mine) is type(real) is list
    for name, kind in ATTRIBUTES.items():
        assert type(getattr(mine[0], name)) is type(getattr(real[0], name)) is kind, name
    by_text = {paragraph.text: paragraph for paragraph in real}
    same = [(paragraph, by_text[paragraph.text]) for paragraph in mine if paragraph.text in by_text]
    assert len(same) > 10
    for left, right in same:
        path = left.dom_path.replace(".tbody", "")  # the HTML standard adds it to every table
        assert (path, left.words_count, len(left)) == (right.dom_path, right.words_count, len(right))
        assert left.xpath.replace("/tbody[1]", "") == right.xpath
        assert (left.is_heading, left.tags_count) == (right.is_heading, right.tags_count)
        assert left.links_density() == pytest.approx(right.links_density(), abs=0.02)
        assert left.stopwords_density({"the"}) == right.stopwords_density({"the"})


def test_content_is_good_and_menus_are_bad():
    paragraphs = {paragraph.text: paragraph for paragraph in ours.justext(ARTICLE.encode(), frozenset())}
    good = paragraphs[(SENTENCES[2] * 3).strip()]
    assert (good.class_type, good.is_boilerplate) == ("good", False)
    assert (paragraphs["Imprint"].class_type, paragraphs["Imprint"].is_boilerplate) == ("bad", True)
    assert not paragraphs["Silence"].is_boilerplate
    headings = [paragraph for paragraph in ours.justext(ARTICLE, no_headings=True) if paragraph.is_heading]
    assert headings
    assert all(paragraph.is_boilerplate for paragraph in headings)


@pytest.mark.parametrize("page", ["<html></html>", "hello", "one<br/>two", "<pre>one\ntwo</pre>"])
def test_pages_with_little_text(page):
    texts = [[item.text for item in package.justext(page, frozenset())] for package in (ours, theirs)]
    assert texts[0] == texts[1]


@pytest.mark.parametrize("page", ["", b"", "  ", None], ids=repr)
def test_input_that_is_no_page_raises(page):
    for package in (ours, theirs):
        assert issubclass(outcome(package.justext, page, frozenset()), Exception)


@pytest.mark.parametrize("page", ["", b"", "  "], ids=repr)
def test_empty_input_is_the_error_of_lxml_as_in_the_package(page):
    error = outcome(ours.justext, page, frozenset())
    assert issubclass(error, ours.JustextError)
    assert issubclass(error, outcome(theirs.justext, page, frozenset()))


def test_empty_input_is_an_error_without_lxml(monkeypatch):
    monkeypatch.setitem(sys.modules, "lxml", None)  # as if it were not installed
    assert outcome(ours.justext, "", frozenset()) is ours.JustextError


@pytest.mark.slow
def test_the_stop_words_of_each_language_are_those_of_the_package():
    assert ours.get_stoplists() == theirs.get_stoplists()
    assert all(ours.get_stoplist(name) == theirs.get_stoplist(name) for name in theirs.get_stoplists())
    assert outcome(ours.get_stoplist, "Elvish") is outcome(theirs.get_stoplist, "Elvish") is ValueError


def test_a_deep_paragraph_has_the_xpath_of_its_number():
    (paragraph,) = ours.justext("<div>" * 100 + "<p>Tea</p>", frozenset())
    assert paragraph.xpath.startswith("(//*)[")
    assert paragraph.xpath.count("[") == 1 + paragraph.xpath.count(")/")


def test_bytes_are_decoded_with_the_given_encoding():
    (paragraph,) = ours.justext("<p>Thé".encode("latin-1"), encoding="latin-1")
    assert paragraph.text == "Thé"


def test_a_stoplist_and_thresholds_say_once_that_they_have_no_effect():
    with pytest.warns(UserWarning, match="'stoplist' has no effect"):
        ours.justext(ARTICLE, {"the"})
    ours.justext(ARTICLE, {"the"})
    ours.justext(ARTICLE, ours.get_stoplist("English"))
    with pytest.warns(UserWarning, match="'length_low' has no effect"):
        ours.justext(ARTICLE, length_low=10)
    with pytest.warns(UserWarning, match="'enc_errors' has no effect"):
        ours.justext(ARTICLE, enc_errors="strict")
    ours.justext(ARTICLE.encode(), encoding="utf-8", enc_errors="strict")
