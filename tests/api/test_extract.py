"""The public function, its options, its results and its errors."""

import gzip
import importlib
import inspect
import re
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

import tamis
from tamis import errors
from tamis.api.extraction import extract_with
from tamis.api.options import ChoiceKeywords, Options
from tamis.extractors import registry
from tamis.render.registry import RenderKeywords, RenderOptions


def test_all_public_names_exist():
    for name in tamis.__all__:
        assert getattr(tamis, name) is not None
    assert sorted(tamis.__all__) == tamis.__all__
    assert set(dir(tamis)) == {*tamis.__all__, "__version__"}
    assert len(tamis.__all__) <= 30
    with pytest.raises(AttributeError, match="nonsense"):
        tamis.nonsense  # noqa: B018
    with pytest.raises(AttributeError, match="no attribute 'extrct'; did you mean extract"):
        tamis.extrct  # noqa: B018


def test_every_public_name_is_in_the_table_of_its_document():
    text = (Path(__file__).parents[2] / "docs/api.md").read_text("utf-8")
    table = dict(re.findall(r"^\| `(\w+)` \|.*\| (stable|may change) \|$", text, re.MULTILINE))
    assert sorted(table) == tamis.__all__
    chooses = text.partition("## What chooses")[2].partition("## What shows")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", chooses, re.MULTILINE)) == set(ChoiceKeywords.__annotations__)
    shows = text.partition("## What shows")[2].partition("## Errors")[0]
    common = "`links`, `images`, `tables`, `comments`, `title`, `with_metadata`"
    for methods, options in re.findall(r"^\| (`to_.*) \| (.*) \|$", shows, re.MULTILINE):
        keywords = set(re.findall(r"`(\w+)`", options.replace("these", common)))
        for name in re.findall(r"to_\w+", methods):
            assert set(inspect.signature(getattr(tamis.Extraction, name)).parameters) - {"self"} == keywords


def test_every_error_is_documented_and_in_the_tree():
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    assert all(issubclass(error, errors.TamisError) for error in classes)
    for error in classes:
        assert error.__name__ in errors.__doc__


def test_an_extraction_has_text_title_and_blocks():
    extraction = tamis.extract(
        "<title>Site</title><h1>Tea</h1><p>Boil water, wait.</p>", "https://e.org/", extractor="body"
    )
    assert extraction
    assert extraction.text == "Tea\n\nBoil water, wait."
    assert extraction.title == "Tea"
    assert extraction.html == "<h1>Tea</h1><p>Boil water, wait.</p>"
    assert [(block.tag, block.text) for block in extraction.blocks] == [("h1", "Tea"), ("p", "Boil water, wait.")]
    assert extraction.blocks[0].reason == "shown"
    assert extraction.url == "https://e.org/"


@pytest.mark.parametrize(
    ("markup", "reason"),
    [
        ("", "the page is empty"),
        (b"  \n", "the page is empty"),
        ("<p hidden>x", "the page has no visible text"),
        ("<script>x</script>", "the page has no visible text"),
        (b"%PDF-1.7 some text", "not a web page but a PDF document"),
        (b"\x89PNG\r\n\x1a\n\0\0", "not a web page but a PNG image"),
        (b"\x00\x01\x02\x03 \xff\xfe", "not a web page but binary data"),
    ],
)
def test_an_empty_result_has_a_reason(markup, reason):
    extraction = tamis.extract(markup)
    assert not extraction
    assert extraction.empty_reason == reason


def test_options_are_a_frozen_value():
    options = Options(extractor="body")
    with pytest.raises(FrozenInstanceError):
        options.extractor = "cetd"
    assert options.replace(encoding="utf-8") == Options(extractor="body", encoding="utf-8")
    assert extract_with("<p>x", None, options).extractor == "body"
    assert options.replace(extractor=None) == Options()


def test_the_keywords_of_options_are_their_attributes():
    assert list(ChoiceKeywords.__annotations__) == [field.name for field in fields(Options)]
    assert list(RenderKeywords.__annotations__) == [field.name for field in fields(RenderOptions)]
    keywords = set(inspect.signature(tamis.extract).parameters) - {"html", "url"}
    assert keywords == set(ChoiceKeywords.__annotations__)


def test_render_options_can_be_reset():
    assert RenderOptions(title=False, links=False).replace(title=None) == RenderOptions(links=False)


@pytest.mark.parametrize("name", ["text", "markdown", "html", "json", "xml"])
def test_a_method_has_the_options_that_its_format_shows(name):
    page = "<title>Tea</title><p>Boil <a href=/w>water</a>.<img src=/a.png alt=A width=300 height=300></p>"
    extraction = tamis.extract(page, "https://e.org/", extractor="body")
    method = getattr(extraction, f"to_{name}")
    assert method() == getattr(extraction, name)
    for keyword in set(inspect.signature(method).parameters) & {"links", "images", "title", "with_metadata"}:
        assert method(**{keyword: False}).split() == extraction.render(name, **{keyword: False}).text.split()


def test_wrong_options_are_named():
    with pytest.raises(TypeError, match="extractr"):
        tamis.extract("<p>x", extractr="body")
    with pytest.raises(errors.OptionError, match="favor must be"):
        tamis.extract("<p>x", favor="precisoin")
    with pytest.raises(errors.UnknownNameError, match="did you mean nodechar"):
        tamis.extract("<p>x", extractor="nodecher")
    with pytest.raises(errors.MarkupTypeError):
        tamis.extract(12)


class Shouting:
    name = "shouting"
    summary = "upper-case text alone"
    source = "a test"

    def select(self, page):
        upper = [page.is_text[row] and page.row_text(row).isupper() for row in range(len(page))]
        return tamis.Selection.from_mask(page, importlib.import_module("numpy").array(upper))


def test_an_extractor_can_be_given_or_registered():
    html = "<p>quiet</p><p>LOUD</p>"
    assert tamis.extract(html, extractor=Shouting()).text == "LOUD"
    tamis.register(Shouting)
    try:
        assert "shouting" in registry.names()
        assert tamis.extract(html, extractor="shouting").text == "LOUD"
    finally:
        registry.unregister("shouting")


def test_installed_packages_add_extractors(tmp_path, monkeypatch):
    package = tmp_path / "shouty-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: shouty\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[tamis.extractors]\nshouty = shouty_module:Shouty\n")
    (tmp_path / "shouty_module.py").write_text(
        "import tamis\n"
        "class Shouty:\n"
        "    name, summary, source = 'shouty', 'all text', 'a test'\n"
        "    def select(self, page):\n"
        "        return tamis.Selection.from_mask(page, page.is_text)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    registry._installed.cache_clear()
    try:
        assert tamis.extract("<p>text", extractor="shouty").text == "text"
    finally:
        registry._installed.cache_clear()


def test_golden_pages_have_content_and_title(golden):
    extraction = tamis.extract(golden.html, golden.meta["url"])
    assert extraction.text
    assert extraction.title
    words = set(extraction.text.split())
    assert len(words & set(golden.expected.split())) > 0.5 * len(set(golden.expected.split()))


def test_the_example_of_contributing_works(capsys):
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text("utf-8")
    program = text.split("```python\n")[1].split("```")[0]
    try:
        exec(compile(program, "CONTRIBUTING.md", "exec"), {"__name__": "example"})
    finally:
        registry.unregister("sentences")
    assert capsys.readouterr().out == "One. Two. Three.\n"


BODY = (
    "The mill turns again after forty years, and the miller's granddaughter has learned how to dress the stones. " * 5
)


def test_metadata_is_the_fallback_of_a_page_that_shows_nothing():
    data = f'<script type="application/ld+json">{{"@type": "Article", "articleBody": "{BODY}"}}</script>'
    extraction = tamis.extract(f"<title>The mill</title>{data}<body><div id=app></div><script>build()</script>")
    assert extraction
    assert extraction.text == BODY.strip()
    assert "The mill turns again" in extraction.markdown
    assert extraction.confidence == 0.0
    assert (extraction.warnings[0].type, "articleBody" in extraction.warnings[0].reason) == (
        "metadata fallback",
        True,
    )


def test_a_short_description_is_no_fallback():
    extraction = tamis.extract(
        '<meta name=description content="The best mill in town."><body><script>build()</script>'
    )
    assert not extraction
    assert extraction.empty_reason == "the page has no visible text"


def test_other_extractors_have_no_metadata_fallback():
    data = f'<script type="application/ld+json">{{"@type": "Article", "articleBody": "{BODY}"}}</script>'
    assert not tamis.extract(data, extractor="cetd")


@pytest.mark.parametrize("answer", [None, "text", [True]])
def test_an_extractor_that_returns_no_selection_is_named(answer):
    class Wrong:
        name, summary, source = "wrong", "returns something else", "a test"

        def select(self, _page):
            return answer

    with pytest.raises(errors.OptionError, match="wrong"):
        tamis.extract("<p>x", extractor=Wrong())


def test_join_pages_says_what_it_takes():
    with pytest.raises(errors.OptionError, match="join_pages takes extractions, not NoneType"):
        tamis.join_pages([None])


def test_a_path_is_read(tmp_path):
    (tmp_path / "page.html").write_bytes("<p>Grüße".encode())
    (tmp_path / "page.html.gz").write_bytes(gzip.compress("<p>Grüße".encode()))
    for name in ("page.html", "page.html.gz"):
        assert tamis.extract(tmp_path / name, extractor="body").text == "Grüße"
    with pytest.raises(tamis.SourceError, match=r"missing\.html cannot be read: no such file"):
        tamis.extract(tmp_path / "missing.html")


def test_a_file_is_read_up_to_the_limit(tmp_path):
    (tmp_path / "bomb.html.gz").write_bytes(gzip.compress(b"<p>Tea</p>" * 100_000))
    extraction = tamis.extract(tmp_path / "bomb.html.gz", extractor="body", limits=tamis.Limits(max_bytes=1000))
    assert len(extraction.page.markup) <= 1000
    assert "max_bytes" in extraction.warnings[0].reason


def test_a_parsed_page_is_taken():
    page = tamis.parse_page("<h1>Tea</h1><p>Boil water.")
    assert tamis.extract(page, "https://e.org/", extractor="body").text == "Tea\n\nBoil water."


def test_an_extraction_does_not_change():
    extraction = tamis.extract("<p>Tea</p>" * 99, extractor="body", limits=tamis.Limits(max_output=50))
    before = extraction.warnings
    rendered = extraction.render("markdown")
    assert [warning.type for warning in rendered.warnings] == ["limit reached"]
    assert extraction.warnings == before == ()
    with pytest.raises(FrozenInstanceError):
        extraction.url = "https://e.org/"
