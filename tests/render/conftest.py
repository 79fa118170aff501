from pathlib import Path

import pytest

import tamis
from tests.sampling import sampled

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("pages/*/page.html"), *ROOT.glob("structure/*/page.html")])


@pytest.fixture(scope="module", params=sampled(PAGES, 7), ids=lambda path: path.parent.name)
def extraction(request):
    return tamis.extract(request.param.read_bytes(), "https://www.example.org/a/b", extractor="body")
