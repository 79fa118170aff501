from pathlib import Path

import pytest

import tamis

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("pages/*/page.html"), *ROOT.glob("structure/*/page.html")])


@pytest.fixture(params=PAGES, ids=lambda path: path.parent.name)
def extraction(request):
    return tamis.extract(request.param.read_bytes(), "https://www.example.org/a/b", extractor="body")
