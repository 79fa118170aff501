"""Limits of time, counted in calls of functions: a step that runs on without a look at the clock is over its limit.

The clock of these tests is the number of calls, Python's and built-in ones, so that every machine measures the same.
"""

import sys
from contextlib import contextmanager

import pytest

import tamis
from tamis import Limits
from tamis.api import options
from tamis.explain import explain
from tamis.extractors.registry import Selection
from tamis.page import deadline
from tests.attacks.pages import BY_NAME

CALLS = 1e-6  #: seconds of a call
EXCESS = 1.2  #: times the limit
TRIALS = 0.1  #: of a page, parsed to estimate the rest
PAGES = {
    "paragraphs": 1_500, "posts": 300, "notes": 300, "rows": 400, "definitions": 500, "code": 1_500,
    "AsciiMath matrices": 20, "quotations with footers": 400, "dollars": 4_000,
}  # fmt: skip


@contextmanager
def counting(monkeypatch):
    """Count calls, and let the limits of time be limits of calls."""
    count = [0]

    def profile(_frame, event, _argument):
        if event in {"call", "c_call"}:
            count[0] += 1

    def clock():
        return count[0] * CALLS

    with monkeypatch.context() as patch:
        patch.setattr(deadline, "monotonic", clock)
        patch.setattr(options, "monotonic", clock)
        sys.setprofile(profile)
        try:
            yield count
        finally:
            sys.setprofile(None)


def written(page, name, limits, monkeypatch, **options):
    """Return an output and the calls that it took."""
    extraction = tamis.extract(page, "https://example.org/a", extractor="body", limits=limits)
    with counting(monkeypatch) as count:
        rendered = extraction.render(name, **options)
        return rendered, count[0]


def check_time(page, entry, monkeypatch, **options):
    written(page, entry, Limits(), monkeypatch, **options)  # what is loaded on first use
    _, calls = written(page, entry, Limits(), monkeypatch, **options)
    limit = calls // 2
    rendered, used = written(page, entry, Limits(max_seconds=limit * CALLS), monkeypatch, **options)
    assert [warning.reason.partition(":")[0] for warning in rendered.warnings] == ["max_seconds"]
    assert used <= EXCESS * limit


@pytest.mark.slow
@pytest.mark.parametrize("attack", PAGES)
@pytest.mark.parametrize("entry", ["text", "markdown", "html", "json", "xml"])
def test_outputs_keep_to_their_time(attack, entry, monkeypatch):
    check_time(BY_NAME[attack].page(PAGES[attack]), entry, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("attack", ["paragraphs", "rows", "notes"])
@pytest.mark.parametrize(
    ("entry", "options"),
    [
        ("json", {"provenance": True, "comments": True, "contents": ("html", "xml")}),
        ("html", {"structure": "original"}),
        ("markdown", {"with_metadata": True}),
        ("jsonl", {}),
    ],
    ids=["provenance", "original", "with metadata", "jsonl"],
)
def test_outputs_with_options_keep_to_their_time(attack, entry, options, monkeypatch):
    check_time(BY_NAME[attack].page(PAGES[attack]), entry, monkeypatch, **options)


@pytest.mark.slow
@pytest.mark.parametrize(
    "attack", ["long list", "paragraphs", "nested quotations", "header of a long table", "posts"]
)
def test_chunks_keep_to_their_time(attack, monkeypatch):
    page = BY_NAME[attack].page(600)

    def chunks(limits):
        extraction = tamis.extract(page, "https://example.org/a", extractor="body", limits=limits)
        with counting(monkeypatch) as count:
            return extraction.chunks(64), count[0]

    chunks(Limits())  # what is loaded on first use
    whole, calls = chunks(Limits())
    limit = calls // 2
    some, used = chunks(Limits(max_seconds=limit * CALLS))
    assert [warning.reason.partition(":")[0] for warning in some.warnings] == ["max_seconds"]
    assert not whole.warnings
    assert len(some) < len(whole)
    assert used <= EXCESS * limit


@pytest.mark.slow
@pytest.mark.parametrize("extractor", ["sift", "cetd"])
def test_explanations_keep_to_their_time(extractor, monkeypatch):
    page = BY_NAME["paragraphs"].page(1_500)

    def explained(limits):
        extraction = tamis.extract(page, "https://example.org/a", extractor=extractor, limits=limits)
        with counting(monkeypatch) as count:
            return extraction.explain(), count[0]

    explained(Limits())
    whole, calls = explained(Limits())
    limit = calls // 2
    some, used = explained(Limits(max_seconds=limit * CALLS))
    assert "max_seconds" in some.note
    assert some.blocks == whole.blocks[: len(some.blocks)] or len(some.blocks) < len(whole.blocks)
    assert used <= EXCESS * limit


class Slow:
    """An extractor that calls a function several times for each row."""

    name = summary = source = "slow"

    def select(self, page):
        for _ in range(50 * len(page)):
            abs(1)
        return Selection.from_mask(page, page.is_text)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_reading_and_selecting_keep_to_their_time(share, monkeypatch):
    markup = "<p>Boil the water, and wait.</p>" * 3_000
    slow = Slow()
    with counting(monkeypatch) as count:
        whole = tamis.extract(markup, extractor=slow)
        calls = count[0]
    with counting(monkeypatch) as count:
        cut = tamis.extract(markup, extractor=slow, limits=Limits(max_seconds=share * calls * CALLS))
        used = count[0]
    assert used <= EXCESS * share * calls
    assert len(cut.page) >= 0.8 * (share - TRIALS) * len(whole.page)
    assert [warning.type for warning in cut.warnings] == ["limit reached"]


def test_small_pages_are_not_tried(monkeypatch):
    selected = []
    slow = Slow()
    monkeypatch.setattr(slow, "select", lambda page: selected.append(1) or Slow.select(slow, page), raising=False)
    assert not tamis.extract("<p>Boil the water.", extractor=slow, limits=Limits(max_seconds=60)).warnings
    assert len(selected) == 1


@pytest.mark.slow
@pytest.mark.parametrize("attack", ["meta elements", "JSON-LD scripts", "JSON-LD, large", "microdata", "dates"])
def test_metadata_of_what_is_read_keeps_to_the_time(attack, monkeypatch):
    """As many bytes are read as their seconds allow: metadata of them takes no longer."""
    extractions = [
        tamis.extract(BY_NAME[attack].page(size), extractor="body")
        for size in (50, BY_NAME[attack].size // 40, BY_NAME[attack].size // 4)
    ]
    assert extractions[0].metadata  # what is loaded on first use
    calls = []
    for extraction in extractions[1:]:
        with counting(monkeypatch) as count:
            assert extraction.metadata
            calls.append(count[0])
    read = [len(extraction.page.markup) for extraction in extractions[1:]]
    seconds = (read[1] - read[0]) / options._BYTES_PER_SECOND
    assert (calls[1] - calls[0]) * CALLS <= seconds


def test_explanations_without_time_have_no_blocks():
    page = tamis.parse_page("<p>Boil the water, and wait.</p>" * 50)
    for extractor in ("sift", "cetd"):
        explanation = tamis.extract(page, extractor=extractor, limits=Limits(max_seconds=1e-9)).explain()
        assert explanation.blocks == ()
        assert "max_seconds" in explanation.note


def test_first_blocks_that_are_all_boilerplate_are_explained():
    menu = "".join(f"<li><a href=/{number}>Section {number}</a></li>" for number in range(12))
    page = tamis.parse_page(f"<nav><ul>{menu}</ul></nav>" + "<p>Boil the water, and wait. Then pour.</p>" * 90)
    selection = tamis.extract(page).selection
    explanation = explain.explain_selection(page, selection, "sift", share=0.05)
    assert [block.contributions for block in explanation.blocks] == [()] * 6


def test_elements_that_are_opened_again_have_a_share_of_the_seconds():
    """Their number is the square of the tags: by its beginning, such a page seems to take far less time."""
    markup = BY_NAME["reopened formatting"].page(8_000)
    whole = tamis.extract(markup, extractor="body")
    cut = tamis.extract(markup, extractor="body", limits=Limits(max_seconds=0.1))
    assert len(cut.page) < 0.2 * len(whole.page)
    assert any(warning.reason.startswith("max_seconds") for warning in cut.warnings)
