"""The excerpts in the README are real output for the golden pages."""

import re
from pathlib import Path

import pytest

import tamis

ROOT = Path(__file__).parents[2]
SHOWN = re.findall(
    r"docs/pictures/([\w-]+)\.png.*?````markdown\n(.*?)````", (ROOT / "README.md").read_text("utf-8"), re.DOTALL
)


def test_readme_is_short_and_shows_a_page():
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 150
    assert SHOWN


@pytest.mark.parametrize(("name", "excerpt"), SHOWN)
def test_excerpt_is_real_output(name, excerpt):
    page = ROOT / "tests" / "pages" / name / "page.html"
    markdown = tamis.extract(page.read_bytes(), "https://www.example.org/").markdown
    start = 0
    for passage in excerpt.split("[…]"):
        start = markdown.find(passage.strip(), start)
        assert start >= 0, passage


@pytest.mark.parametrize("name", [name for name, _ in SHOWN])
def test_pictures_are_small_png_files(name):
    picture = (ROOT / "docs" / "pictures" / f"{name}.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 150_000
