"""Limits: a page beyond them gives a partial result with a warning, in any thread."""

import json
import threading
from time import monotonic

import pytest

import tamis
from tamis import Limits
from tamis.api.options import cut_markup
from tamis.errors import OptionError
from tamis.page.deadline import OutOfTimeError, check_time, time_limit
from tamis.render.json import PartValues
from tamis.render.registry import formats

PARAGRAPH = "<p>Water just off the boil, three minutes, no more; then pour it into the pot.</p>"
ARTICLE = "<h1>Tea</h1>" + PARAGRAPH * 600


def reached(extraction):
    return [warning.reason.partition(":")[0] for warning in extraction.warnings if warning.type == "limit reached"]


def test_ordinary_page_reaches_no_limit():
    extraction = tamis.extract(ARTICLE)
    assert extraction.json
    assert reached(extraction) == []


@pytest.mark.parametrize("html", [ARTICLE, ARTICLE.encode()])
def test_only_max_bytes_are_read(html):
    extraction = tamis.extract(html, extractor="body", limits=Limits(max_bytes=10_000))
    assert len(extraction.page.markup) <= 10_000
    assert extraction.text.startswith("Tea\n\nWater")
    assert reached(extraction) == ["max_bytes"]
    assert json.loads(extraction.json)["warnings"][0]["type"] == "limit reached"


def test_only_max_nodes_are_read():
    extraction = tamis.extract(ARTICLE + "<b>x</b>" * 3000, extractor="body", limits=Limits(max_nodes=3000))
    assert 500 < len(extraction.page) <= 3000
    assert extraction.text.startswith("Tea\n\nWater")
    assert reached(extraction) == ["max_nodes"]


CONTENT_FORMATS = [
    entry for entry in formats() if entry.name not in {"bibtex", "csl"}
]  # a record without the content


@pytest.mark.slow
@pytest.mark.parametrize("entry", CONTENT_FORMATS, ids=lambda entry: entry.name)
def test_outputs_have_at_most_max_output(entry):
    extraction = tamis.extract(ARTICLE, extractor="body", limits=Limits(max_output=20_000))
    rendered = extraction.render(entry)
    output = rendered.text
    assert len(output) <= 20_000
    assert "Water just off the boil" in output
    assert reached(rendered) == ["max_output"]
    assert reached(extraction) == []  # it does not change with what was made of it
    if entry.name == "json":
        assert "limit reached" in [warning["type"] for warning in json.loads(output)["warnings"]]


def test_chunks_and_explanations_have_at_most_max_output():
    extraction = tamis.extract(ARTICLE, extractor="body", limits=Limits(max_output=20_000))
    chunks = extraction.chunks()
    assert 10_000 < sum(len(chunk.text) for chunk in chunks) <= 20_000
    assert reached(chunks) == ["max_output"]
    for extractor in ("sift", "cetd"):
        explanation = tamis.extract(ARTICLE, extractor=extractor, limits=Limits(max_output=20_000)).explain()
        assert 1_000 < sum(len(block.text) + len(block.words) for block in explanation.blocks) <= 20_000
        assert "max_output" in explanation.note


@pytest.mark.slow
def test_an_output_far_larger_than_its_page_is_cut(monkeypatch):
    """The JSON of a page of nothing but tiny parts is seventy times as large as the page."""
    written = []
    values = PartValues.values
    monkeypatch.setattr(PartValues, "values", lambda self, number: written.append(1) or values(self, number))
    extraction = tamis.extract("<ul>" + "<li>x" * 24_000, extractor="body")
    rendered = extraction.render("json")
    assert 3_000_000 < len(rendered.text) <= 4_000_000
    assert reached(rendered) == ["max_output"]
    assert "limit reached" in [warning["type"] for warning in json.loads(rendered.text)["warnings"]]
    assert len(written) < len(extraction.document.in_order)  # what is left out is not written before
    assert reached(extraction.render("markdown")) == []


def test_text_has_at_most_max_output():
    extraction = tamis.extract(ARTICLE, limits=Limits(max_output=5000))
    assert 2000 < len(extraction.text) <= 5000
    assert reached(extraction.render("text")) == ["max_output"]


def test_output_that_is_out_of_time_is_partial():
    # The clock of the loops has passed after any deadline that is this short; a second attempt is for less content.
    extraction = tamis.extract(ARTICLE, extractor="body")
    hurried = tamis.extract(extraction.page, extractor="body", limits=Limits(max_seconds=1e-6))
    rendered = hurried.render("markdown")
    assert len(rendered.text) < len(extraction.markdown)
    assert reached(rendered) == ["max_seconds"]


def test_page_that_would_take_too_long_is_cut_before():
    extraction = tamis.extract(ARTICLE * 20, extractor="body", limits=Limits(max_seconds=0.01))
    assert len(extraction.page.markup) < len(ARTICLE) * 20
    assert "max_seconds" in reached(extraction)


def test_seconds_are_limited_in_any_thread():
    outcome = []

    def work():
        begin = monotonic()
        with time_limit(0.05):
            try:
                while monotonic() - begin < 60:
                    check_time()
            except OutOfTimeError:
                outcome.append("stopped")

    thread = threading.Thread(target=work)
    with time_limit(3600):  # of this thread alone
        thread.start()
        thread.join()
    assert outcome == ["stopped"]


@pytest.mark.parametrize(
    "values",
    [
        {"max_bytes": 0},
        {"max_nodes": "9"},
        {"max_seconds": -1},
        {"max_output": 0},
        {"max_memory": 0},
        {"max_seconds": True},
    ],
)
def test_invalid_limit_is_an_option_error(values):
    with pytest.raises(OptionError, match=next(iter(values))):
        Limits(**values)


def test_limits_of_another_type_are_an_option_error():
    with pytest.raises(OptionError, match="limits must be"):
        tamis.extract("<p>x", limits=5)


def test_a_page_is_cut_between_tags_and_characters():
    html = "<p class='a b'>Grüße</p>" * 3
    for size in range(1, len(html)):
        assert cut_markup(html, size) == html[: len(cut_markup(html, size))]
    data = html.encode()
    for size in range(1, len(data)):
        cut_markup(data, size).decode()
