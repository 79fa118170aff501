"""The public function, its options, its results and its errors."""

import importlib
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import tamis
from tamis import Options, errors
from tamis.extractors import registry


def test_all_public_names_exist():
    for name in tamis.__all__:
        assert getattr(tamis, name) is not None
    assert sorted(tamis.__all__) == tamis.__all__
    assert set(dir(tamis)) == {*tamis.__all__, "__version__"}
    with pytest.raises(AttributeError, match="nonsense"):
        tamis.nonsense  # noqa: B018


def test_every_error_is_public_documented_and_in_the_tree():
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    assert all(issubclass(error, errors.TamisError) for error in classes)
    for error in classes:
        assert error.__name__ in errors.__doc__
        assert error.__name__ in tamis.__all__


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
    assert tamis.extract("<p>x", options=options).extractor == "body"
    with pytest.raises(errors.OptionError, match="give options or keywords, not both"):
        tamis.extract("<p>x", options=options, extractor="cetd")


def test_wrong_options_are_named():
    with pytest.raises(TypeError, match="extractr"):
        tamis.extract("<p>x", extractr="body")
    with pytest.raises(errors.OptionError, match="links must be True or False, not 'no'"):
        tamis.extract("<p>x", links="no")
    with pytest.raises(errors.OptionError, match="favor must be"):
        tamis.extract("<p>x", favor="precisoin")
    with pytest.raises(errors.UnknownExtractorError, match="did you mean nodechar"):
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


def test_join_pages_and_extract_page_say_what_they_take():
    with pytest.raises(errors.OptionError, match="join_pages takes extractions, not NoneType"):
        tamis.join_pages([None])
    with pytest.raises(errors.MarkupTypeError, match="expected a Page, got str"):
        tamis.extract_page("<p>x")
