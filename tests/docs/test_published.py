"""The figures of the README are read, and one that is no longer true is told. `make floors` measures them."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "bench" / "published.py"
spec = importlib.util.spec_from_file_location("published", SCRIPT)
published = importlib.util.module_from_spec(spec)
spec.loader.exec_module(published)


def test_every_figure_of_the_table_is_read():
    figures = published.published(published.README.read_text("utf-8"))
    assert figures.keys() == published.FOLDERS.keys()
    for values in figures.values():
        assert values.keys() == {"sift", "trafilatura", "resiliparse", "readability-lxml", "justext"}
        assert all(0.5 < value < 1 for value in values.values())
        assert values["sift"] == max(values.values())


def test_figures_of_corpora_that_no_weights_learned_from_are_read():
    figures = published.unseen(published.SIFT.read_text("utf-8"))
    assert figures.keys() == {folder for folders in published.UNSEEN.values() for folder in folders}
    assert all(0.5 < value < 1 for value in figures.values())


@pytest.mark.parametrize(
    ("measured", "messages"),
    [
        ({"sift": 0.9, "justext": 0.7}, 0),
        ({"sift": 0.95, "justext": 0.7}, 0),  # better than published
        ({"sift": 0.89, "justext": 0.7}, 1),
        ({"sift": 0.9, "justext": 0.72}, 1),  # another program does better than we say
        ({"sift": 0.8, "justext": 0.6}, 2),
    ],
)
def test_figure_that_is_no_longer_true_is_told(measured, messages):
    assert len(published.untrue({"sift": 0.9, "justext": 0.7}, measured, 0.002)) == messages


def test_program_that_fails_on_a_page_has_no_text_for_it(tmp_path, monkeypatch):
    class Fragile:
        def text(self, html, _url):
            if "\x0b" in html:
                raise ValueError("control characters")
            return "It rained all day."

    for number, sign in enumerate(("", "\x0b")):
        (tmp_path / f"{number}.html").write_text(f"<p>It rained all day.{sign}")
        (tmp_path / f"{number}.txt").write_text("It rained all day.")
    monkeypatch.setattr(published, "open_tool", lambda _: Fragile())
    assert published.measure(tmp_path, ["fragile"], 1) == {"fragile": 0.5}
