"""What is known about a page, and where it was said."""

import pytest

import tamis
from tamis.metadata.date import parse_day

LINKED = """<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
  {"@type": "WebSite", "@id": "#site", "name": "The Kettle"},
  {"@type": "Person", "@id": "#ann", "name": "Ann Lee"},
  {"@type": "NewsArticle", "headline": "How to brew tea",
   "author": [{"@id": "#ann"}, {"@type": "Person", "name": "Bo Ek"}],
   "datePublished": "2024-05-01T23:30:00-08:00", "dateModified": "2024-06-02", "keywords": "tea, water",
   "articleSection": "Kitchen", "image": {"url": "/pot.jpg"},
   "inLanguage": "en-GB", "alternativeHeadline": "Slowly"}]}</script>"""


def known(html, url="https://www.example.org/a", **options):
    return tamis.extract(html, url, extractor="body", **options).metadata


def test_linked_data_is_trusted_first():
    found = known(
        f"<html lang=de><title>Brew | The Kettle</title><meta property='og:site_name' content='The Kettle'>{LINKED}"
        "<meta name=author content='Someone Else'><h1>How to brew tea</h1>"
        "<p>Boil the water, and then wait for it to cool a little."
    )
    assert found.title == "How to brew tea"
    assert found.subtitle == "Slowly"
    assert found.authors == ("Ann Lee", "Bo Ek")
    assert (found.date, found.modified) == ("2024-05-01", "2024-06-02")
    assert found.site == "The Kettle"
    assert found.tags == ("tea", "water")
    assert found.categories == ("Kitchen",)
    assert found.image == "https://www.example.org/pot.jpg"
    assert (found.language, found.detected_language) == ("de", "en")
    assert found.sources["authors"] == "json-ld author"
    assert found.sources["title"] == "h1"
    assert found.sources["language"] == "html lang"


def test_visible_elements_are_read_where_data_is_missing():
    found = known(
        '<h1>Tea</h1><p class="byline">By Ann Lee | 3 May 2021</p><p>LONDON (Reuters) - Tea is dear.</p>'
        '<footer><a rel=license href="https://creativecommons.org/licenses/by-sa/4.0/">CC</a>'
        " © 2021 The Kettle</footer>"
    )
    assert found.authors == ("Ann Lee",)
    assert found.date == "2021-05-03"
    assert found.agency == "Reuters"
    assert found.license == "CC BY-SA 4.0"
    assert found.copyright == "© 2021 The Kettle"
    assert found.sources["date"] == "visible"


def test_the_dateline_is_the_location():
    assert known("<p>ALDERMOUTH, England - The ferry is back.</p>").location == "ALDERMOUTH, England"


@pytest.mark.parametrize("author", ["admin", "https://example.org/ann", "By", "Staff", "ann@example.org"])
def test_nobody_is_no_author(author):
    assert known(f"<meta name=author content='{author}'><p>Text.").authors == ()


def test_the_site_is_no_author():
    assert (
        known(
            "<meta property='og:site_name' content='The Kettle'><meta name=author content='The Kettle'><p>x"
        ).authors
        == ()
    )


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-05-01", "2024-05-01"),
        ("20240501T120000", "2024-05-01"),
        ("May 1st, 2024 at noon", "2024-05-01"),
        ("1 de mayo de 2024", "2024-05-01"),
        ("01.05.2024", "2024-05-01"),
        ("5/13/2024", "2024-05-13"),
        ("13/5/2024", "2024-05-13"),
        ("2024년 5월 1일", "2024-05-01"),
        ("1 мая 2024", "2024-05-01"),
        ("2024-13-45", None),
        ("1066-10-14", None),
        ("last week", None),
    ],
)
def test_days_in_many_ways_of_writing(text, day):
    assert parse_day(text) == day


def test_the_address_may_have_the_date():
    found = known("<p>x", "https://example.org/2021/10/09/tea/")
    assert (found.date, found.sources["date"]) == ("2021-10-09", "address")


def test_addresses_of_images_and_pages_are_safe():
    found = known('<link rel=canonical href="javascript:1"><meta property="og:image" content="data:x"><p>x')
    assert found.canonical is None
    assert found.image is None


@pytest.mark.parametrize("data", ["{", "[" * 1000, '{"@graph": 3}', '{"@type": 1, "author": {"name": {}}}', "null"])
def test_broken_data_is_no_error(data):
    assert known(f"<script type='application/ld+json'>{data}</script><h1>T</h1><p>x").title == "T"


def test_golden_pages(golden):
    found = tamis.extract(golden.html, golden.meta["url"]).metadata
    if golden.meta.get("date") and golden.meta["kind"] == "article":
        assert found.date == golden.meta["date"]
    if golden.meta.get("title"):
        assert found.title
    assert (found.detected_language or "")[:2] in {golden.meta["language"][:2], ""} or golden.meta[
        "kind"
    ] != "article"
    assert all(getattr(found, name) for name in found.sources)


def test_metadata_costs_nothing_until_it_is_asked_for():
    found = tamis.extract("<p>x", extractor="body")
    assert found.text
    assert "metadata" not in vars(found)
    assert "document" not in vars(found)
