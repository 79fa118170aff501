"""Structure that is easily lost: a page for each kind, and what it becomes."""

from pathlib import Path

import pytest

import tamis

PAGES = sorted(path.parent for path in Path(__file__).parent.glob("*/page.html"))
ADDRESS = "https://www.example.org/a/b"


@pytest.fixture(params=PAGES, ids=lambda folder: folder.name)
def folder(request):
    return request.param


@pytest.mark.parametrize(("form", "ending"), [("markdown", "md"), ("html", "html"), ("text", "txt"), ("xml", "xml")])
def test_every_page_becomes_what_is_expected(folder, form, ending):
    found = tamis.extract((folder / "page.html").read_bytes(), ADDRESS, extractor="body")
    assert found.render(form).text.rstrip("\n") + "\n" == (folder / f"expected.{ending}").read_text("utf-8")


def test_there_is_a_page_for_every_kind():
    assert {folder.name for folder in PAGES} == {
        "breaks",
        "captions",
        "code",
        "definitions",
        "figures",
        "footnotes",
        "formulas",
        "forum",
        "layout-table",
        "lists",
        "poem",
        "quotes",
        "rtl",
        "ruby",
        "tables",
    }
