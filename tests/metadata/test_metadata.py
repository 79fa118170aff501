"""Metadata as a whole, and the fields that are read from one source after another."""

import pytest
from turbohtml.detect import detect_language

import tamis
from tamis.metadata.site import normalize
from tests.metadata.pages import read

JSON_LD = """<script type="application/ld+json">{"@context": "https://schema.org", "@graph": [
  {"@type": "WebSite", "@id": "#site", "name": "The Kettle"},
  {"@type": "Person", "@id": "#ann", "name": "Ann Lee"},
  {"@type": "NewsArticle", "headline": "How to brew tea",
   "author": [{"@id": "#ann"}, {"@type": "Person", "name": "Bo Ek"}],
   "datePublished": "2024-05-01T23:30:00-08:00", "dateModified": "2024-06-02", "keywords": "tea, water",
   "articleSection": "Kitchen", "image": {"url": "/pot.jpg"},
   "inLanguage": "en-GB", "alternativeHeadline": "Slowly"}]}</script>"""


def test_json_ld_is_trusted_first():
    metadata = read(
        f"<html lang=de><title>Brew | The Kettle</title><meta property='og:site_name' content='The Kettle'>{JSON_LD}"
        "<meta name=author content='Someone Else'><h1>How to brew tea</h1>"
        "<p>Boil the water, and then wait for it to cool a little. Pour it over the leaves, and wait for two minutes."
        " Take three if you like it strong. Then take the leaves out, and pour the tea into cups that are thin."
    )
    assert metadata.title == "How to brew tea"
    assert metadata.subtitle == "Slowly"
    assert metadata.authors == ("Ann Lee", "Bo Ek")
    assert (metadata.date, metadata.as_dict()["modified"]) == ("2024-05-01", "2024-06-02")
    assert metadata.site == "The Kettle"
    assert metadata.tags == ("tea", "water")
    assert metadata.categories == ("Kitchen",)
    assert metadata.image == "https://www.example.org/pot.jpg"
    assert (metadata.language, metadata.declared_language) == ("en", "de")
    assert metadata.sources["authors"] == "json-ld author"
    assert metadata.sources["title"] == "h1"
    assert metadata.sources["language"] == "text"


def test_visible_elements_are_read_without_structured_data():
    metadata = read(
        '<h1>Tea</h1><p class="byline">By Ann Lee | 3 May 2021</p><p>LONDON (Reuters) - Tea is dear.</p>'
        '<footer><a rel=license href="https://creativecommons.org/licenses/by-sa/4.0/">CC</a>'
        " © 2021 The Kettle</footer>"
    )
    assert metadata.authors == ("Ann Lee",)
    assert metadata.date == "2021-05-03"
    assert metadata.agency == "Reuters"
    assert metadata.license == "CC BY-SA 4.0"
    assert metadata.copyright == "© 2021 The Kettle"
    assert metadata.sources["date"] == "visible"


def test_location_is_read_from_the_dateline():
    assert read("<p>ALDERMOUTH, England - The ferry is back.</p>").location == "ALDERMOUTH, England"


def test_urls_with_unsafe_schemes_are_dropped():
    metadata = read('<link rel=canonical href="javascript:1"><meta property="og:image" content="data:x"><p>x')
    assert metadata.canonical is None
    assert metadata.image is None


@pytest.mark.parametrize("data", ["{", "[" * 1000, '{"@graph": 3}', '{"@type": 1, "author": {"name": {}}}', "null"])
def test_malformed_json_ld_is_ignored(data):
    assert read(f"<script type='application/ld+json'>{data}</script><h1>T</h1><p>x").title == "T"


def test_golden_pages_have_their_metadata(golden):
    metadata = tamis.extract(golden.html, golden.meta["url"]).metadata
    if golden.meta.get("date") and golden.meta["page_type"] == "article":
        assert metadata.date == golden.meta["date"]
    if golden.meta.get("title"):
        assert normalize(metadata.title) == normalize(golden.meta["title"])
    if golden.meta.get("author"):
        assert metadata.authors == (golden.meta["author"],)
    assert (metadata.language or "")[:2] in {golden.meta["language"][:2], ""} or golden.meta["page_type"] != "article"
    assert all(getattr(metadata, name) is not None for name in metadata.sources)


def test_metadata_is_read_on_first_use():
    extraction = tamis.extract("<p>x", extractor="body")
    assert extraction.text
    assert "metadata" not in vars(extraction)
    assert "document" not in vars(extraction)


@pytest.mark.parametrize(
    ("footer", "line"),
    [
        ("© 2021 The Kettle<a href=/t>Terms</a><a href=/p>Privacy</a>", "© 2021 The Kettle"),
        ("© 2021 The Kettle | <a href=/t>Terms</a> | <a href=/p>Privacy</a>", "© 2021 The Kettle"),
        ("© 2021 <a href=/>The Kettle</a> <a href=/t>Terms</a> <a href=/p>Privacy</a>", "© 2021 The Kettle"),
        ("<a href=/t>Terms</a> <a href=/p>Privacy</a> © 2021 <a href=/>The Kettle</a>.", "© 2021 The Kettle."),
        ("© 2021 <a href=/>The Kettle</a>. All rights reserved.", "© 2021 The Kettle. All rights reserved."),
    ],
)
def test_copyright_ends_before_the_menu(footer, line):
    assert read(f"<p>x<footer><p>{footer}</p></footer>").copyright == line


def test_copyright_is_one_line_and_shortened():
    long = "© 2021 The Kettle. All rights reserved. " + "Nothing may be copied without asking us first " * 5
    assert read(f"<p>x<footer><p>{long}</p><ul><li>Terms</li></ul></footer>").copyright == (
        "© 2021 The Kettle. All rights reserved."
    )
    assert (
        read("<p>x<footer><span>© 2021 The Kettle</span><div>Terms</div></footer>").copyright == "© 2021 The Kettle"
    )


def test_json_ld_may_have_line_breaks_in_strings_and_trailing_commas():
    data = '{"@type": "Article", "headline": "Tea", "description": "Two\nlines", "keywords": ["a", "b",],}'
    metadata = read(f'<script type="application/ld+json">{data}</script><p>x')
    assert (metadata.description, metadata.tags) == ("Two lines", ("a", "b"))


@pytest.mark.parametrize(
    ("given", "name"),
    [("The Kettle -", "The Kettle"), ("Kettle | All about tea", "Kettle"), ("kettle.example.", "kettle.example")],
)
def test_site_is_the_name_without_motto_and_separators(given, name):
    assert read(f'<meta property="og:site_name" content="{given}"><p>x').site == name


@pytest.mark.parametrize(
    ("head", "opening", "place"),
    [
        ("", "LONDON (Reuters) - Tea is dear.", "LONDON"),
        ("", "RENO, Nev. -- Tea is dear.", "RENO, Nev."),
        ("", "SUMMARY: Tea is dear.", None),
        ("", "MOVIE REVIEW - Tea is dear.", None),
        ("<meta name=geo.placename content='{geo_placename}'>", "Tea is dear.", None),
        ("<meta name=geo.placename content='Bronx'>", "Tea is dear.", "Bronx"),
    ],
)
def test_location_is_a_place(head, opening, place):
    assert read(f"{head}<p>{opening}").location == place


@pytest.mark.parametrize(
    ("page", "name"),
    [
        ("<a rel=license href='https://creativecommons.org/licenses/by-sa/4.0/'>x</a>", "CC BY-SA 4.0"),
        ("<a href='https://creativecommons.org/publicdomain/zero/1.0/'>x</a>", "CC0 1.0"),
        (
            "<meta name=dc.rights content='Under http://creativecommons.org/licenses/by/4.0/, freely'><p>x",
            "CC BY 4.0",
        ),
        ("<meta name=dc.rights content='Copyright The Kettle'><p>x", None),
    ],
)
def test_license_is_a_grant_of_rights(page, name):
    assert read(page).license == name


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("404 : Page Not Found", None),
        ("Le chat est sur la table, et le chien dort devant la porte de la cuisine.", "fr"),
        ("お湯を沸かして、三分待ってください。", "ja"),
    ],
)
def test_language_needs_enough_text(text, language):
    assert read(f"<p>{text}").language == language


@pytest.mark.parametrize(
    ("text", "chars"),
    [
        ("Der Tee ist fertig, und das Wasser kocht noch lange.", [52]),
        ("x", []),
        ("Boil water. " * 99, [500, 1187]),  # the beginning contradicts the declared language
        (
            "Das Wasser kocht, und der Tee ist gleich fertig; bitte noch einen Augenblick warten. " * 20,
            [500],
        ),  # it agrees, and the rest is not read
    ],
)
def test_language_is_detected_in_the_beginning_then_once_in_all_of_a_long_text(text, chars, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "tamis.metadata.language.detect_language", lambda sample: asked.append(sample) or detect_language(sample)
    )
    assert read(f"<html lang=de><p>{text}").declared_language == "de"
    assert list(map(len, asked)) == chars


@pytest.mark.parametrize("url", ["http://[", "", "://", "http://e.org:99999/x", "x" * 100_000])
def test_malformed_url_raises_nothing(url):
    extraction = tamis.extract("<h1>Tea</h1><p class=date>May 3, 2024</p><p>Boil <a href=/x>water</a>.", url)
    assert extraction.metadata.title == "Tea"
    for format_name in ("text", "markdown", "html", "json", "xml", "csv"):
        assert "Tea" in extraction.render(format_name, with_metadata=True).text
    assert tamis.next_page('<a rel=next href="https://e.org/2">2</a>', "http://[") == "https://e.org/2"
