import csv
import html
import io
import json
import sys
from xml.etree import ElementTree as ET

import lxml.html
import pytest
from lxml import etree

from tamis.compat import trafilatura as ours
from tests.compat.pages import ARTICLE, COMMENT, COMMENTED, EMPTY, SENTENCES
from tests.compat.real import load, outcome
from tests.serve.loopback import Site

theirs = load("trafilatura")
FUNCTIONS = ["extract", "bare_extraction", "extract_with_metadata", "extract_metadata", "baseline", "html2txt"]


def comparable(value):
    """Return a value with documents, elements and days as plain values."""
    if hasattr(value, "as_dict"):
        return comparable(value.as_dict())
    if isinstance(value, dict):
        return {name: comparable(item) for name, item in value.items() if name != "filedate"}
    if isinstance(value, tuple):
        return tuple(map(comparable, value))
    return etree.tostring(value) if isinstance(value, etree._Element) else value or None


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("page", [*EMPTY, "hello", None, 5, "https://example.org/"], ids=repr)
def test_failure_values_are_the_same(name, page):
    values = [outcome(getattr(package, name), page) for package in (ours, theirs)]
    assert comparable(values[0]) == comparable(values[1])


@pytest.mark.parametrize("with_metadata", [False, True])
@pytest.mark.parametrize("form", ["txt", "markdown", "html", "json", "xml", "xmltei", "csv"])
def test_every_format_is_a_string_of_the_same_form(form, with_metadata):
    texts = [
        outcome(package.extract, ARTICLE, output_format=form, with_metadata=with_metadata)
        for package in (ours, theirs)
    ]
    assert all(isinstance(text, str) for text in texts)
    assert all(SENTENCES[2].strip() in text for text in texts)
    assert "Imprint" not in texts[0]
    forms = {
        "json": lambda text: list(json.loads(text)),
        "csv": lambda text: len(next(csv.reader(io.StringIO(text), delimiter="\t"))),
        "xml": lambda text: [element.tag for element in etree.fromstring(text)],
        "xmltei": lambda text: etree.fromstring(text.encode()).tag,
        "html": lambda text: [element.tag for element in lxml.html.document_fromstring(text)],
    }
    read = forms.get(form, lambda text: text.startswith("---\ntitle: How tea is made"))
    assert read(texts[0]) == read(texts[1])


def test_metadata_has_the_same_fields_types_and_values():
    mine, real = (outcome(package.extract_metadata, ARTICLE).as_dict() for package in (ours, theirs))
    assert list(mine) == list(real)
    for name in ("title", "author", "url", "hostname", "sitename", "date", "description", "image", "filedate"):
        assert mine[name] == real[name], name
    for name in mine.keys() - {"language", "pagetype"}:  # Tamis knows more
        assert type(mine[name]) is type(real[name]), name


@pytest.mark.parametrize(
    "title", ["Tea: a guide", '"Tea" & milk', "No", "- tea", "Tea #2 or C# or", "Ready:", "2024", "Thé’s"]
)
def test_front_matter_is_yaml_with_the_metadata(title):
    yaml = pytest.importorskip("yaml")
    page = ARTICLE.replace("How tea is made", html.escape(title)).replace("tea, water", "it's, &quot;hot&quot;")
    document = ours.extract_metadata(page)
    front_matter = yaml.safe_load(ours.extract(page, with_metadata=True).split("---\n")[1])
    for name, value in front_matter.items():
        assert value == getattr(document, name) or name == "fingerprint"
    assert front_matter["title"] == document.title
    assert front_matter["tags"] == ["it's", '"hot"']


def test_bare_extraction_has_metadata_only_if_asked():
    mine, real = (outcome(package.bare_extraction, ARTICLE) for package in (ours, theirs))
    assert (mine.title, mine.date) == (real.title, real.date) == (None, None)
    assert mine.body.tag == real.body.tag == "body"
    assert [element.tag for element in mine.body][:2] == ["p", "p"]
    assert outcome(ours.bare_extraction, ARTICLE, with_metadata=True).title == "How tea is made"
    assert isinstance(outcome(ours.bare_extraction, ARTICLE, as_dict=True), dict)


def test_extract_with_metadata_has_the_output_as_its_text():
    for package in (ours, theirs):
        document = outcome(package.extract_with_metadata, ARTICLE, record_id="7")
        assert document.text.startswith("---\ntitle: How tea is made")
        assert (document.id, document.author, document.comments) == ("7", "Ann Lee", None)


@pytest.mark.parametrize(
    "keywords",
    [
        {"output_format": "nope"},
        {"output_format": "python"},
        {"max_tree_size": 3},
        {"nope": 1},
    ],
    ids=str,
)
def test_invalid_keywords_raise_the_same_type(keywords):
    assert outcome(ours.extract, ARTICLE, **keywords) is outcome(theirs.extract, ARTICLE, **keywords)


def test_keywords_that_refuse_a_page_return_none():
    assert ours.extract(ARTICLE, target_language="fr") is None
    assert ours.extract(ARTICLE, target_language="en") is not None
    assert ours.extract(ARTICLE, url_blacklist={"https://example.org/tea"}) is None
    undated = ARTICLE.replace("article:published_time", "other")
    assert ours.extract(ARTICLE, only_with_metadata=True).startswith("---")
    assert ours.extract(undated, only_with_metadata=True) is None


def test_keywords_change_what_is_written():
    linked = ours.extract(ARTICLE, "https://example.org/", include_links=True)
    assert "Read [about scales](https://example.org/scales)." in linked
    assert "\nSilence\n" in linked
    pictured = ARTICLE.replace("Read <a", "<img src=/p.png alt=pot> Read <a")
    assert "![pot](" in ours.extract(pictured, include_images=True)
    assert "pot]" not in ours.extract(pictured)
    assert "seventy" in ours.extract(ARTICLE)
    assert "seventy" not in ours.extract(ARTICLE, include_tables=False)
    assert "## Silence" in ours.extract(ARTICLE, include_formatting=True)
    assert "## Silence" not in ours.extract(ARTICLE)
    assert "woollen" not in ours.extract(ARTICLE, prune_xpath="//p[@class='quiet']")
    assert "woollen" not in ours.extract(ARTICLE, prune_xpath=["//footer", "//p[@class='quiet']"])
    assert ours.extract_metadata(ARTICLE, author_blacklist={"ann lee"}).author is None
    assert len(ours.extract(ARTICLE, favor_recall=True)) >= len(ours.extract(ARTICLE, favor_precision=True))


def test_comments_follow_the_content_unless_they_are_left_out():
    assert COMMENT in ours.extract(COMMENTED)
    assert COMMENT not in ours.extract(COMMENTED, include_comments=False)
    document = ours.bare_extraction(COMMENTED)
    assert COMMENT in document.comments
    assert COMMENT not in document.text
    assert ours.bare_extraction(COMMENTED, include_comments=False).comments is None


def test_the_extractor_of_trafilatura_is_read():
    options = load("trafilatura.settings").Extractor(output_format="json", with_metadata=True, links=True)
    assert json.loads(ours.extract(ARTICLE, options=options))["author"] == "Ann Lee"


def test_pages_are_taken_as_bytes_responses_and_elements():
    text = ours.extract(ARTICLE)
    response = type("Response", (), {"data": ARTICLE.encode()})()
    for page in (ARTICLE.encode(), bytearray(ARTICLE.encode()), response, lxml.html.fromstring(ARTICLE)):
        assert ours.extract(page) == text


def test_elements_are_those_of_the_standard_library_without_lxml(monkeypatch):
    monkeypatch.setitem(sys.modules, "lxml", None)  # as if it were not installed
    body, text, length = ours.baseline(ARTICLE)
    assert isinstance(body, ET.Element)
    assert length == len(text) > 500
    assert [element.tag for element in ET.fromstring(ours.extract(ARTICLE, output_format="xml"))] == [
        "main",
        "comments",
    ]


def test_a_keyword_without_effect_says_so_once():
    with pytest.warns(UserWarning, match="'deduplicate' has no effect") as caught:
        ours.extract(ARTICLE, deduplicate=True)
    assert caught[0].filename == __file__
    ours.extract(ARTICLE, deduplicate=True)  # a second warning would be an error
    ours.extract(ARTICLE, fast=True)


def test_fingerprints_are_near_for_similar_texts_and_far_for_others():
    def distance(left, right):
        prints = [ours.bare_extraction(page).fingerprint for page in (left, right)]
        return (int(prints[0], 16) ^ int(prints[1], 16)).bit_count()

    other = "<main><p>" + "Bridges of iron were built over every river in the valley that year. " * 12
    assert distance(ARTICLE, ARTICLE.replace("low flame", "high flame", 1)) < 8 < distance(ARTICLE, other)


def test_fetch_url_returns_the_decoded_page_or_none():
    with Site() as site:
        site.pages["/tea"] = lambda handler: handler.respond(
            "<p>Thé".encode("cp1252"), Content_Type="text/html; charset=windows-1252"
        )
        assert ours.fetch_url(site.url("/tea"), allow_private=True) == "<p>Thé"
        assert ours.fetch_url(site.url("/none"), allow_private=True) is None
        assert ours.fetch_url(site.url("/tea")) is None  # private networks are closed
        assert outcome(theirs.fetch_url, site.url("/none")) is None
    for url in ("", "x"):
        assert ours.fetch_url(url) is outcome(theirs.fetch_url, url) is None
