"""What the README shows of our golden pages is what the program makes of them."""

import re
from pathlib import Path

import pytest

import tamis

ROOT = Path(__file__).parents[1]
SHOWN = re.findall(
    r"docs/pictures/([\w-]+)\.png.*?````markdown\n(.*?)````", (ROOT / "README.md").read_text("utf-8"), re.DOTALL
)


def test_two_pages_are_shown():
    assert len({name for name, _ in SHOWN}) >= 2


@pytest.mark.parametrize(("name", "excerpt"), SHOWN)
def test_the_excerpts_are_real(name, excerpt):
    page = ROOT / "tests" / "pages" / name / "page.html"
    written = tamis.extract(page.read_bytes(), "https://www.example.org/").markdown
    place = 0
    for piece in excerpt.split("[…]"):
        place = written.index(piece.strip(), place)  # each is there, one after another


@pytest.mark.parametrize("name", [name for name, _ in SHOWN])
def test_the_pictures_are_small(name):
    picture = (ROOT / "docs" / "pictures" / f"{name}.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) < 150_000
