"""The table of fields, and what follows from it."""

import dataclasses
import datetime as dt
import re
import typing
from collections.abc import Mapping
from pathlib import Path

import pytest

import tamis
from tamis.metadata import FIELDS, Metadata
from tamis.render.csv import COLUMNS
from tamis.render.schema import SCHEMA

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "metadata.md"
PAGE = "<html lang=en><title>Tea</title><meta name=author content='Ann Lee'><meta name=keywords content='a, b'><p>x"


def test_table_has_the_attributes_of_metadata_in_order():
    names = [attribute.name for attribute in dataclasses.fields(Metadata)]
    assert names == [*(field.name for field in FIELDS), "sources", "origin"]


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_table_has_the_type_and_the_default_of_the_attribute(field):
    annotation = typing.get_type_hints(Metadata)[field.name]
    expected = {
        "text": (str | None, None),
        "list": (tuple[str, ...], ()),
        "number": (int | None, None),
        "moment": (dt.datetime | None, None),
        "flag": (bool | None, None),
        "map": (Mapping[str, str], {}),
    }[field.type]
    assert (annotation, getattr(Metadata(), field.name)) == expected


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_field_has_summary_and_readers(field):
    assert field.summary.endswith(".")
    assert all(reader.reads for reader in field.readers)
    assert field.readers


def test_readers_are_asked_in_order():
    json_ld = '<script type="application/ld+json">{"@type": "Article", "keywords": "from JSON-LD"}</script>'
    meta = "<meta name=keywords content='from meta'>"
    link = "<a rel=tag>from links</a>"
    for html, tag in ((json_ld + meta + link, "from JSON-LD"), (meta + link, "from meta"), (link, "from links")):
        assert tamis.extract(html, extractor="body").metadata.tags == (tag,)


def test_sources_name_exactly_the_fields_with_a_value():
    metadata = tamis.extract(PAGE, "https://example.org/", extractor="body").metadata
    with_value = [field.name for field in FIELDS if getattr(metadata, field.name) not in (None, (), {})]
    assert list(metadata.sources) == with_value


def test_schema_has_every_field():
    properties = SCHEMA["properties"]["metadata"]["properties"]
    assert list(properties) == [*(field.name for field in FIELDS), "sources"]
    types_of_fields = {"text": ["string", "null"], "list": "array", "number": ["integer", "null"]}
    types_of_fields |= {"moment": ["string", "null"], "flag": ["boolean", "null"], "map": "object"}
    assert {field.name: properties[field.name]["type"] for field in FIELDS} == {
        field.name: types_of_fields[field.type] for field in FIELDS
    }


def test_front_matter_has_the_fields_that_the_table_shows_there():
    moment = dt.datetime(2024, 5, 1, tzinfo=dt.UTC)
    by_type = {"list": ("x",), "text": "x", "number": 7, "moment": moment, "flag": True, "map": {"a": "b"}}
    values = {field.name: by_type[field.type] for field in FIELDS}
    extraction = tamis.extract("<p>x", extractor="body")
    vars(extraction)["metadata"] = Metadata(**values)
    front_matter = extraction.render("markdown", with_metadata=True).text.split("---")[1]
    names = re.findall(r"(?m)^(\w+):", front_matter)
    assert names == [field.name for field in FIELDS if field.in_front_matter]


def test_csv_has_the_fields_that_the_table_shows_there():
    assert list(COLUMNS[1:-3]) == [field.name for field in FIELDS if field.in_csv]


def test_language_is_that_of_the_content_and_keeps_the_declared_region():
    text = "Das Wasser kocht, und der Tee ist gleich fertig; bitte noch einen Augenblick warten. " * 3
    for declared, language in (("", "de"), ("fr", "de"), ("de-AT", "de-AT")):
        metadata = tamis.extract(f"<html lang='{declared}'><p>{text}", extractor="body").metadata
        assert (metadata.language, metadata.declared_language) == (language, declared or None)
    for declared in ("no", "nb-NO"):
        norwegian = "Kvinnen ble funnet av et redningsmannskap på fjellet sent i går kveld, sier politiet til avisen."
        assert tamis.extract(f"<html lang={declared}><p>{norwegian}", extractor="body").metadata.language == declared


def test_a_short_text_does_not_contradict_the_declared_language():
    page = "<html lang=en><p>Boil soft water and wait.</p><h2>Green</h2><p>Seventy degrees, two minutes.</p>"
    assert tamis.extract(page, extractor="body").metadata.language == "en"


def documented_table() -> str:
    """Return the table of fields as docs/metadata.md has it."""
    lines = ["| field | type | what it is |", "| --- | --- | --- |"]
    lines += [f"| `{field.name}` | {field.type} | {field.summary} |" for field in FIELDS]
    return "\n".join(lines)


def test_documentation_has_the_table():
    table = documented_table()
    assert table in DOCUMENTATION.read_text(encoding="utf-8"), f"put this table into docs/metadata.md:\n{table}"


ICONS = (
    """<link rel="shortcut icon" href="/16.png" sizes="16x16"><link rel=icon href="/32.png" sizes="32x32 48x48">"""
)


def test_favicon_is_the_largest_icon_or_one_that_scales():
    svg = "<link rel=icon href=/any.svg type=image/svg+xml>"
    for html, url in ((ICONS, "https://e.org/32.png"), (ICONS + svg, "https://e.org/any.svg"), ("", None)):
        assert tamis.extract(f"{html}<p>x", "https://e.org/a/b", extractor="body").metadata.favicon == url
    unsafe = "<link rel=icon href='javascript:alert(1)'><p>x"
    assert tamis.extract(unsafe, "https://e.org/", extractor="body").metadata.favicon is None


def test_lead_image_is_the_declared_one_else_the_first_large_one_after_the_title():
    images = """<img src=/logo.png><h1>Tea</h1><img class=avatar src=/ann.jpg><img src=/dot.gif width=1 height=1>
    <figure><img src="data:image/gif;base64,AAAA" data-src=/pot.jpg></figure><img src=/cup.jpg><p>x"""
    declared = "<meta property=og:image content=/card.jpg>"
    for html, url in ((images, "https://e.org/pot.jpg"), (declared + images, "https://e.org/card.jpg")):
        assert tamis.extract(html, "https://e.org/a", extractor="body").metadata.image == url
    assert (
        tamis.extract("<img src=/logo.png><h1>Tea</h1><p>x", "https://e.org/a", extractor="body").metadata.image
        is None
    )


def test_words_and_reading_time_are_those_of_the_content():
    metadata = tamis.extract("<h1>Tea</h1>" + "<p>five words are in here</p>" * 100, extractor="body").metadata
    assert (metadata.word_count, metadata.reading_time) == (501, 3)
    chinese = tamis.extract("<p>" + "水" * 600, extractor="body").metadata
    assert (chinese.word_count, chinese.reading_time) == (600, 3)
    empty = tamis.extract("", extractor="body").metadata
    assert (empty.word_count, empty.reading_time, empty.excerpt) == (None, None, None)


def test_excerpt_is_the_first_paragraph_up_to_a_sentence():
    sentence = "Boil the water and wait for a while until it is quiet. "
    metadata = tamis.extract(f"<h1>Tea</h1><p>By Ann Lee</p><p>{sentence * 9}</p>", extractor="body").metadata
    assert metadata.excerpt == (sentence * 5).strip()
    assert tamis.extract("<p>Short.</p>", extractor="body").metadata.excerpt == "Short."


def test_csv_and_json_have_numbers():
    extraction = tamis.extract("<p>two words", extractor="body")
    header, row = extraction.render("csv").text.splitlines()
    assert row.split(",")[header.split(",").index("word_count")] == "2"
    assert '"reading_time": 1' in extraction.render("json", with_metadata=True).text


def test_tags_may_have_commas():
    tags = "".join(f'<meta property="article:tag" content="{tag}">' for tag in ("Trump, Donald J", "Tea"))
    listed = '<meta name=keywords content="tea, water">'
    divided = '<meta name=keywords content="Lee, Ann; tea">'
    in_json = '<script type="application/ld+json">{"@type": "Article", "keywords": ["Lee, Ann", "tea"]}</script>'
    for html, expected in (
        (tags, ("Trump, Donald J", "Tea")),
        (listed, ("tea", "water")),
        (divided, ("Lee, Ann", "tea")),
        (in_json, ("Lee, Ann", "tea")),
    ):
        assert tamis.extract(f"{html}<p>x", extractor="body").metadata.tags == expected


@pytest.mark.parametrize(
    ("html", "free"),
    [
        ('<script type="application/ld+json">{"@type": "NewsArticle", "isAccessibleForFree": false}</script>', False),
        ('<script type="application/ld+json">{"@type": "Article", "isAccessibleForFree": "True"}</script>', True),
        ("<meta property=article:content_tier content=metered>", False),
        ("<meta property=article:content_tier content=free>", True),
        ("<p>x", None),
    ],
)
def test_paywall_is_what_the_page_declares(html, free):
    assert tamis.extract(f"{html}<p>x", extractor="body").metadata.accessible_for_free is free


def test_other_addresses_of_a_page():
    html = """<link rel=canonical href=/tea><link rel=amphtml href=/amp/tea><link rel=alternate hreflang=de href=/tee>
    <link rel=alternate hreflang=x-default href=/tea><link rel=alternate hreflang=fr href="javascript:1"><p>x"""
    metadata = tamis.extract(html, "https://e.org/a", extractor="body").metadata
    assert (metadata.canonical, metadata.amp_url) == ("https://e.org/tea", "https://e.org/amp/tea")
    assert metadata.alternates == {"de": "https://e.org/tee", "x-default": "https://e.org/tea"}


def test_videos_sounds_and_publisher():
    html = """<script type="application/ld+json">{"@type": "NewsArticle", "publisher": {"name": "Kettle Press"},
    "video": {"@type": "VideoObject", "contentUrl": "/a.mp4"}, "audio": [{"@type": "AudioObject", "url": "/a.mp3"}]}
    </script><video src=/b.mp4></video><audio><source src=/b.mp3></audio><p>x"""
    metadata = tamis.extract(html, "https://e.org/a", extractor="body").metadata
    assert (metadata.videos, metadata.audio) == (("https://e.org/a.mp4",), ("https://e.org/a.mp3",))
    assert metadata.candidates("videos")[1].value == ("https://e.org/b.mp4",)
    assert metadata.publisher == "Kettle Press"


def test_lead_image_is_not_the_default_of_the_site_and_has_its_size():
    shown = "<h1>Tea</h1><figure><img src=/pot.jpg width=640 height=480></figure><p>x"
    for declared in ("/img/og-default.png", "/logo.png", "/social-share.jpg", "/placeholder.jpg", "/mark.svg"):
        html = f'<meta property=og:image content="{declared}">{shown}'
        metadata = tamis.extract(html, "https://e.org/a", extractor="body").metadata
        assert metadata.image == "https://e.org/pot.jpg"
        assert (metadata.image_width, metadata.image_height) == (640, 480)
    own = """<meta property=og:image content=/card.jpg><meta property=og:image:width content=1200>
    <meta property=og:image:height content=630>"""
    metadata = tamis.extract(own + shown, "https://e.org/a", extractor="body").metadata
    assert (metadata.image, metadata.image_width, metadata.image_height) == ("https://e.org/card.jpg", 1200, 630)
    logo = '<meta property=og:image content="/kettle-logo.png"><h1>Tea</h1><p>x'
    assert tamis.extract(logo, "https://e.org/a", extractor="body").metadata.image is None


@pytest.mark.parametrize("name", ["U.S", "U.S.", "@politifact", "http://www.tmz.com", "www.tmz.com"])
def test_what_is_no_name_of_a_site_gives_way_to_the_canonical_host(name):
    html = f'<meta property=og:site_name content="{name}"><link rel=canonical href="https://www.kettle.org/tea"><p>x'
    assert tamis.extract(html, extractor="body").metadata.site == "kettle.org"
