"""The table of fields, and what follows from it."""

import dataclasses
import re
import types
import typing
from pathlib import Path

import pytest

import tamis
from tamis.metadata import FIELDS, Metadata
from tamis.render.csv import COLUMNS
from tamis.render.schema import SCHEMA

OUTPUT_PAGE = Path(__file__).parents[2] / "docs" / "output.md"
PAGE = "<html lang=en><title>Tea</title><meta name=author content='Ann Lee'><meta name=keywords content='a, b'><p>x"


def test_table_has_the_attributes_of_metadata_in_order():
    names = [attribute.name for attribute in dataclasses.fields(Metadata)]
    assert names == [*(field.name for field in FIELDS), "sources"]


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_table_has_the_type_and_the_default_of_the_attribute(field):
    annotation = typing.get_type_hints(Metadata)[field.name]
    expected = {"text": (str | None, None), "list": (tuple[str, ...], ())}[field.type]
    assert (annotation, getattr(Metadata(), field.name)) == expected
    assert isinstance(annotation, types.UnionType if field.type == "text" else types.GenericAlias)


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
    with_value = [field.name for field in FIELDS if getattr(metadata, field.name)]
    assert list(metadata.sources) == with_value


def test_schema_has_every_field():
    properties = SCHEMA["properties"]["metadata"]["properties"]
    assert list(properties) == [*(field.name for field in FIELDS), "sources"]
    assert {name for name, schema in properties.items() if schema["type"] == "array"} == {
        field.name for field in FIELDS if field.type == "list"
    }


def test_front_matter_has_the_fields_that_the_table_shows_there():
    values = {field.name: ("x",) if field.type == "list" else "x" for field in FIELDS}
    extraction = tamis.extract("<p>x", extractor="body")
    vars(extraction)["metadata"] = Metadata(**values)
    front_matter = extraction.render("markdown", with_metadata=True).text.split("---")[1]
    names = re.findall(r"(?m)^(\w+):", front_matter)
    assert names == [field.name for field in FIELDS if field.in_front_matter]


def test_csv_has_the_fields_that_the_table_shows_there():
    assert list(COLUMNS[1:-3]) == [field.name for field in FIELDS if field.in_csv]


def test_csv_shows_the_detected_language_of_a_page_that_declares_none():
    text = "Das Wasser kocht, und der Tee ist gleich fertig; bitte noch einen Augenblick warten."
    for html, language in ((f"<p>{text}", "de"), (f"<html lang=fr><p>{text}", "fr")):
        header, row = tamis.extract(html, extractor="body").render("csv").text.splitlines()
        assert row.split(",")[header.split(",").index("language")] == language


def documented_table() -> str:
    """Return the table of fields as docs/output.md has it."""
    lines = [
        "| field | type | what it is | read from, the most trusted first | shown in |",
        "| --- | --- | --- | --- | --- |",
    ]
    for field in FIELDS:
        reads = "; ".join(reader.reads for reader in field.readers)
        outputs = ["JSON", *["front matter"] * field.in_front_matter, *["CSV"] * field.in_csv]
        lines.append(f"| `{field.name}` | {field.type} | {field.summary} | {reads} | {', '.join(outputs)} |")
    return "\n".join(lines)


def test_documentation_has_the_table():
    table = documented_table()
    assert table in OUTPUT_PAGE.read_text(encoding="utf-8"), f"put this table into docs/output.md:\n{table}"
