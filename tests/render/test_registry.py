"""The registry of formats: one entry per format, which every interface reads."""

import typing

import click.testing
import pytest

import tamis
from tamis.cli.app import app
from tamis.errors import OptionError
from tamis.render.registry import (
    Format,
    FormatName,
    Rendered,
    RenderOptions,
    formats,
    get_format,
    register_format,
    unregister_format,
)

PAGE = "<h1>Tea</h1><p>Boil water."


def write_shout(content, _options):
    return Rendered(content.text.upper(), {})


SHOUT = Format("shout", "shout", ("text/x-shout",), write_shout, ("loud",), "all letters in upper case")


@pytest.fixture
def shout():
    register_format(SHOUT)
    yield SHOUT
    unregister_format("shout")


def run(*args):
    return click.testing.CliRunner().invoke(app, [*map(str, args)], env={"COLUMNS": "200"})


def test_format_name_lists_the_names_and_aliases_of_the_registry():
    assert set(typing.get_args(FormatName)) == {name for entry in formats() for name in entry.names}


def test_names_aliases_and_suffixes_are_unique():
    names = [name for entry in formats() for name in entry.names]
    assert len(names) == len(set(names))
    assert len({entry.suffix for entry in formats()}) == len(formats())


@pytest.mark.parametrize("entry", formats(), ids=lambda entry: entry.name)
def test_every_format_writes_and_describes_itself(entry):
    extraction = tamis.extract(PAGE, extractor="body")
    written = "Tea" if entry.name in {"bibtex", "csl"} else "Boil water."  # citations have no content
    assert written in extraction.render(entry).text
    assert entry.summary
    assert entry.media_types
    assert all(extraction.render(alias).text == extraction.render(entry.name).text for alias in entry.aliases)


def test_content_type_names_the_encoding_of_text():
    assert get_format("text").content_type == "text/plain; charset=utf-8"
    assert get_format("json").content_type == "application/json"


@pytest.mark.usefixtures("shout")
@pytest.mark.parametrize("name", ["shout", "loud"])
def test_registered_format_is_found_by_name_and_alias(name):
    assert tamis.extract(PAGE, extractor="body").render(name).text == "TEA\n\nBOIL WATER."


@pytest.mark.usefixtures("shout")
def test_registered_format_is_written_and_described_by_the_command_line(tmp_path):
    (tmp_path / "page.html").write_text(PAGE)
    assert run("extract", tmp_path / "page.html", "-e", "body", "-f", "loud").stdout == "TEA\n\nBOIL WATER.\n"
    (tmp_path / "out").mkdir()
    assert run("extract", tmp_path / "page.html", "-e", "body", "-f", "shout", "-o", tmp_path / "out").exit_code == 0
    assert (tmp_path / "out" / "page.shout").read_text() == "TEA\n\nBOIL WATER.\n"
    assert "shout or loud (all letters in upper case)" in " ".join(run("extract", "--help").stdout.split())


def test_help_lists_every_format_with_its_summary():
    text = " ".join(run("extract", "--help").stdout.split())
    for entry in formats():
        assert f"{' or '.join(entry.names)} ({entry.summary})" in text


@pytest.mark.parametrize(
    "entry", [Format("md", "x", ("text/x",), write_shout), Format("x", "x", (), write_shout, ("text",))]
)
def test_name_of_another_format_cannot_be_registered(entry):
    with pytest.raises(OptionError, match="there is already a format"):
        register_format(entry)


def test_built_in_format_cannot_be_removed():
    unregister_format("markdown")
    unregister_format("unknown")
    assert get_format("markdown").suffix == "md"


def test_unknown_format_names_the_nearest_or_all():
    extraction = tamis.extract(PAGE, extractor="body")
    with pytest.raises(OptionError, match="no format is named 'mrkdown'; did you mean markdown"):
        extraction.render("mrkdown")
    with pytest.raises(OptionError, match="no format is named 'pdf'; there are text, txt, markdown"):
        extraction.render("pdf")


def test_format_without_a_table_writer_refuses_tables():
    with pytest.raises(OptionError, match="a file for each page"):
        get_format("text").write_table([], RenderOptions())
