"""No extractor falls below the scores that bench/floors.toml has for the golden pages."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parent.parent / "bench" / "floors.py"
spec = importlib.util.spec_from_file_location("floors", SCRIPT)
floors = importlib.util.module_from_spec(spec)
spec.loader.exec_module(floors)


@pytest.mark.slow
@pytest.mark.parametrize("name", floors.builtin_extractors())
def test_extractor_reaches_its_floors(name):
    violations = floors.violations(name, floors.measure([name])[name], floors.read_floors())
    assert not violations, "\n".join(violations)


def test_every_floor_belongs_to_an_extractor():
    unknown = floors.read_floors().keys() - set(floors.builtin_extractors())
    assert not unknown, f"floors of unknown extractors: {', '.join(sorted(unknown))}"


def test_extractor_without_floors_names_the_command():
    assert floors.violations("new", {"mean": 0.5}, {}) == [f"new has no floors; add them with: {floors.COMMAND}"]


def test_score_below_its_floor_is_a_violation_and_score_above_is_not():
    pinned = {"some": {"mean": 0.6, "page": 0.6, "removed": 0.1}}
    messages = floors.violations("some", {"mean": 0.7, "page": 0.5998, "added": 1.0}, pinned)
    assert [line.split(":")[0] for line in messages] == ["some fell on page", "some", "some"]
    assert not floors.violations("some", {"mean": 0.6, "page": 0.59995}, {"some": {"mean": 0.6, "page": 0.6}})


def test_floors_survive_a_round_trip_through_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(floors, "FILE", tmp_path / "floors.toml")
    scores = {"b": {"mean": 0.25, "news-zh": 0.25}, "a": {"mean": 1.0, "news-zh": 1.0}}
    floors.write_floors(scores)
    assert floors.read_floors() == scores
