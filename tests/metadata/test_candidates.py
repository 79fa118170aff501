"""Every field says where its value comes from, what else it could be, and how sure it is."""

import json
import pickle
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

import tamis
from tamis.cli.explain import command
from tamis.errors import UnknownNameError
from tamis.metadata import FIELDS
from tests.metadata.pages import read

PAGE = """<html lang=en-GB><title>Tea at noon | The Kettle</title><meta property=og:site_name content="The Kettle">
<meta property=article:published_time content=2024-05-01T09:30:00+02:00><meta name=author content="Ann Lee">
<h1>Tea at noon</h1><p class=byline>By Ann Lee</p><time datetime=2024-05-09>9 May 2024</time><p>Pour, and wait."""


def test_first_candidate_is_the_value_and_its_source():
    metadata = read(PAGE)
    for field in FIELDS:
        candidates = metadata.candidates(field.name)
        value = getattr(metadata, field.name)
        assert bool(candidates) == (field.name in metadata.sources)
        if candidates:
            assert (candidates[0].value, candidates[0].source) == (value, metadata.sources[field.name])


def test_runners_up_follow_each_once():
    dates = read(PAGE).candidates("date")
    assert sorted(candidate.value for candidate in dates) == ["2024-05-01", "2024-05-09"]
    titles = [candidate.value for candidate in read(PAGE).candidates("title")]
    assert titles == ["Tea at noon"]


def test_a_value_that_several_sources_have_is_surer():
    alone = read("<meta name=author content='Ann Lee'><h1>Tea</h1><p>Pour, and wait.").candidates("authors")[0]
    both = read(PAGE).candidates("authors")[0]
    assert alone.value == both.value == ("Ann Lee",)
    assert 0 < alone.confidence < both.confidence < 1
    for name in ("title", "authors", "date"):
        assert sum(candidate.confidence for candidate in read(PAGE).candidates(name)) <= 1


def test_fields_without_labelled_pages_have_no_confidence():
    (candidate,) = read("<meta property=og:image content=/pot.jpg><h1>Tea</h1>").candidates("image")
    assert (candidate.value, candidate.confidence) == ("https://www.example.org/pot.jpg", None)


def test_unknown_fields_are_an_error_that_names_a_known_one():
    with pytest.raises(UnknownNameError, match="date"):
        read(PAGE).candidates("dates")


def test_pickled_metadata_keeps_its_values_and_leaves_the_page_behind():
    metadata = read(PAGE)
    copy = pickle.loads(pickle.dumps(metadata))
    assert copy == metadata
    assert copy.origin is None
    assert [candidate.value for candidate in copy.candidates("title")] == ["Tea at noon"]


def test_moments_have_time_and_zone_where_the_page_gives_them():
    head = """<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Tea",
    "datePublished": "2024-05-01T23:30:00-08:00", "dateModified": "2024-05-03 08:00:00"}</script>"""
    metadata = read(f"{head}<h1>Tea</h1><p>x")
    assert metadata.date == "2024-05-01"
    assert metadata.published.isoformat() == "2024-05-01T23:30:00-08:00"
    assert metadata.modified == datetime(2024, 5, 3, 8, tzinfo=UTC)
    assert metadata.as_dict()["modified"] == "2024-05-03T08:00:00+00:00"


def test_a_day_without_a_time_is_its_midnight_in_utc_and_shown_as_a_day():
    metadata = read("<meta name=date content=2024-05-01><h1>Tea</h1><p>Last updated: 4 June 2024</p>")
    assert metadata.published == datetime(2024, 5, 1, tzinfo=UTC)
    assert metadata.modified == datetime(2024, 6, 4, tzinfo=UTC)
    assert metadata.sources["modified"] == "visible update"
    shown = metadata.as_dict()
    assert (shown["published"], shown["modified"]) == ("2024-05-01", "2024-06-04")


def test_published_is_the_moment_of_the_shown_day_in_another_time_zone():
    head = '<meta property="article:published_time" content="2024-05-01T22:30:00Z">'
    metadata = read(f"{head}<h1>Tea</h1><p>x", "https://example.org/2024/05/02/tea")
    assert (metadata.date, metadata.published.isoformat()) == ("2024-05-02", "2024-05-01T22:30:00+00:00")


@pytest.mark.slow
def test_deep_and_odd_structured_data_raises_nothing():
    deep = "[" * 500 + "]" * 500
    nested = '{"@type": "NewsArticle", "name": ' * 90 + deep + "}" * 90
    values = (
        f'{{"@type": "NewsArticle", "headline": {deep}, "author": {{"@type": "Organization", "name": {deep}}}}}',
        f'{{"@type": "NewsArticle", "author": {{"@id": {deep}}}, "image": {deep}, "keywords": {deep}}}',
        f'{{"@type": {deep}, "@id": {deep}, "datePublished": {deep}, "isPartOf": {deep}, "video": {deep}}}',
        '{"@type": "NewsArticle", "author": {"@id": "#a"}, "image": {"@id": "#a"}, "isPartOf": {"@id": "#a"}}',
        nested,
        "[" * 100_000,
    )
    for value in values:
        metadata = read(f'<script type="application/ld+json">{value}</script><h1>Tea</h1><p>Pour, and wait.')
        assert metadata.title == "Tea"
        assert json.dumps(metadata.as_dict())
        assert all(metadata.candidates(field.name) is not None for field in FIELDS)


def test_structured_data_of_a_page_is_read_by_every_extractor():
    assert tamis.extract(PAGE, extractor="coreex").metadata.site == "The Kettle"


def test_explain_shows_the_candidates(tmp_path):
    path = tmp_path / "tea.html"
    path.write_text(PAGE, encoding="utf-8")
    text = CliRunner().invoke(command, [str(path)]).stdout
    assert "2024-05-0" in text.partition("\nmetadata\n")[2]
    assert " sure)" in text
