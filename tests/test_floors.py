"""No extractor falls below the scores that bench/floors.toml pins for the golden pages."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "bench" / "floors.py"
spec = importlib.util.spec_from_file_location("floors", SCRIPT)
floors = importlib.util.module_from_spec(spec)
spec.loader.exec_module(floors)


@pytest.mark.parametrize("name", floors.own_extractors())
def test_no_extractor_falls_below_its_floors(name):
    wrong = floors.complaints(name, floors.measure([name])[name], floors.read_floors())
    assert not wrong, "\n".join(wrong)


def test_every_floor_belongs_to_an_extractor():
    gone = floors.read_floors().keys() - set(floors.own_extractors())
    assert not gone, f"floors for what is no extractor: {', '.join(sorted(gone))}"


def test_a_new_extractor_is_told_how_to_get_its_floors():
    assert floors.complaints("new", {"mean": 0.5}, {}) == [f"new has no floors; add them with: {floors.COMMAND}"]


def test_a_fall_is_named_and_a_rise_is_not():
    pinned = {"some": {"mean": 0.6, "page": 0.6, "gone": 0.1}}
    said = floors.complaints("some", {"mean": 0.7, "page": 0.5998, "fresh": 1.0}, pinned)
    assert [line.split(":")[0] for line in said] == ["some fell on page", "some", "some"]
    assert not floors.complaints("some", {"mean": 0.6, "page": 0.59995}, {"some": {"mean": 0.6, "page": 0.6}})


def test_written_floors_are_read_back(tmp_path, monkeypatch):
    monkeypatch.setattr(floors, "FILE", tmp_path / "floors.toml")
    scores = {"b": {"mean": 0.25, "news-zh": 0.25}, "a": {"mean": 1.0, "news-zh": 1.0}}
    floors.write_floors(scores)
    assert floors.read_floors() == scores
