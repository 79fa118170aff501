"""JSON has everything that was found, and says which parts are made of which blocks."""

import json
from pathlib import Path

import jsonschema
import pytest

import tamis
from tamis.document.parts import parts_in_order
from tamis.render.schema import SCHEMA

URL = "https://example.org/tea/"
PAGE = """<html lang=en><title>Tea</title><meta name=author content="Ann Lee"><meta property="article:published_time"
content="2024-03-04"><body><h1>Tea</h1><p>Boil <a href="soft">soft water</a>, then <a href="#fn">wait</a>.</p>
<figure><img src="pot.png" alt="A pot" width=640 height=480><figcaption>The <b>pot</b>.</figcaption></figure>
<h2>Kinds</h2><ul><li>green <a href="soft">soft water</a><li>black</ul>
<table><tr><th>kind<th>minutes<tr><td>green<td>2</table><pre><code>brew( tea )</code></pre>
<p style="display:none">Ignore all hidden instructions for readers.</p>"""


def all_parts(parts):
    for part in parts:
        yield part
        for key in ("parts", "terms", "details"):
            yield from all_parts(part.get(key, ()))


@pytest.fixture(scope="module")
def extraction():
    return tamis.extract(PAGE, URL, extractor="body")


@pytest.fixture(scope="module")
def record(extraction):
    return json.loads(extraction.json)


def test_metadata_page_type_confidence_and_warnings_are_always_there(record):
    assert record["metadata"]["authors"] == ["Ann Lee"]
    assert record["metadata"]["date"] == "2024-03-04"
    assert {"page_type", "page_type_probability", "confidence"} <= record.keys()
    assert record["warnings"][0]["type"] == "hidden text"


def test_links_and_images_are_lists(record):
    assert record["links"] == [
        {"text": "soft water", "url": f"{URL}soft"},
        {"text": "wait", "url": f"{URL}#fn"},
    ]
    assert record["images"] == [
        {"url": f"{URL}pot.png", "alt": "A pot", "caption": "The pot.", "width": 640, "height": 480}
    ]


def test_switches_empty_the_lists(extraction):
    record = json.loads(extraction.render("json", links=False, images=False).text)
    assert (record["links"], record["images"]) == ([], [])
    table = tamis.extract('<table><tr><th>a<th>b<tr><td><a href="/x">x</a><td>2</table><p>y', URL, extractor="body")
    assert len(json.loads(table.json)["links"]) == 1
    assert json.loads(table.render("json", tables=False).text)["links"] == []


def test_text_is_the_text_of_programs_whatever_else_is_shown(extraction):
    for options in ({}, {"with_metadata": True}, {"comments": True}, {"contents": ("markdown",)}):
        assert json.loads(extraction.render("json", **options).text)["text"] == extraction.text
    located = json.loads(extraction.render("json", provenance=True, with_metadata=True).text)
    assert located["text"] == extraction.render("text").text


def test_included_outputs_are_those_of_the_formats(extraction):
    record = json.loads(extraction.render("json", contents=("markdown", "html", "xml"), with_metadata=True).text)
    assert record["markdown"] == extraction.markdown
    assert record["html"] == extraction.html
    assert record["xml"] == extraction.xml
    jsonschema.validate(record, SCHEMA)
    with pytest.raises(tamis.OptionError, match="no content of JSON is named 'docx'; there are markdown, html, xml"):
        extraction.render("json", contents=("docx",))
    with pytest.raises(tamis.OptionError, match="contents must be names of formats, not 5"):
        extraction.render("json", contents=5)
    assert extraction.to_json(contents="markdown") == extraction.render("json", contents=["markdown"]).text


def test_every_part_has_its_id_level_text_and_markdown(extraction, record):
    parts = list(all_parts(record["document"]))
    assert sorted(part["id"] for part in parts) == list(range(len(list(extraction.document))))
    by_type = {part["type"]: part for part in parts}
    assert (by_type["list"]["level"], by_type["figure"]["level"]) == (2, 1)
    assert by_type["list"]["text"] == "green soft water\nblack"
    assert by_type["list"]["markdown"] == f"- green [soft water]({URL}soft)\n- black"
    assert by_type["item"]["markdown"] == "black"
    assert by_type["row"]["markdown"] == "| green | 2 |"
    assert by_type["cell"]["text"] == "2"
    assert by_type["code"]["markdown"] == "```\nbrew( tea )\n```"
    assert by_type["heading"]["markdown"] == "## Kinds"


def test_blocks_and_parts_point_at_each_other(record):
    parts = {part["id"]: part for part in all_parts(record["document"])}
    for number, block in enumerate(record["blocks"]):
        part = parts[block["part"]]
        assert part["blocks"][0] <= number < part["blocks"][1]
        assert block["text"].split()[0] in part["text"]
    assert parts[0]["blocks"] == [0, 1]
    assert {block["part"] for block in record["blocks"]} <= parts.keys()


def test_parts_have_probabilities_where_the_extractor_has(record):
    assert {part["probability"] for part in all_parts(record["document"])} == {None}
    page = (Path(__file__).parents[1] / "pages" / "news-comments" / "page.html").read_bytes()
    extraction = tamis.extract(page)
    learned = json.loads(extraction.json)
    parts = {part["id"]: part for part in all_parts(learned["document"])}
    for block in learned["blocks"]:
        part = parts[block["part"]]
        if part["blocks"] == [learned["blocks"].index(block), learned["blocks"].index(block) + 1]:
            assert part["probability"] == pytest.approx(block["score"], abs=1e-5)
    assert all(part["probability"] is None or 0 < part["probability"] <= 1 for part in parts.values())
    assert any(part["probability"] for part in parts.values())


@pytest.mark.slow
def test_text_from_metadata_has_no_scores():
    page = (
        "<title>Tea</title><meta name=description content='"
        + "Boil the water and wait. " * 20
        + "'><div id=app></div>"
    )
    extraction = tamis.extract(page)
    assert extraction.selection.metadata_fallback is not None
    record = json.loads(extraction.json)
    assert record["text"].startswith("Boil")
    assert [part["probability"] for part in record["document"]] == [None]
    jsonschema.validate(record, SCHEMA)


def test_ids_are_those_of_the_document(extraction, record):
    ids = {part: number for number, part in enumerate(parts_in_order(extraction.document.parts))}
    figure = next(part for part in ids if type(part).__name__ == "Figure")
    assert next(part for part in all_parts(record["document"]) if part["id"] == ids[figure])["type"] == "figure"


def test_jsonl_is_one_line(extraction):
    line = extraction.render("jsonl").text
    assert "\n" not in line
    assert json.loads(line) == json.loads(extraction.json)
