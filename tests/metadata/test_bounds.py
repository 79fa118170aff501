"""Values of any length are read in linear time and cut."""

import json
import re

import pytest

import tamis
from tamis.metadata.site import MAX_LINE_CHARS
from tamis.metadata.structured import MAX_VALUE_CHARS
from tests.sampling import sampled

LENGTH = 30_000
VALUES = {
    "signs": "#" * LENGTH + "x",
    "spaced signs": "# " * LENGTH + "x",
    "bars": "|" * LENGTH,
    "site names": "Kettle | " * LENGTH,
    "combining characters": "a" + "\u0301\u0323" * (LENGTH // 2),
    "words": "Tea " * 250_000,
    "letters": "a" * 1_000_000,
    "braces": "{{" * LENGTH,
    "percent signs": "%a" * LENGTH,
    "digits": "1." * LENGTH,
}
PLACES = {
    "title": "<title>{0}</title><h1>Tea</h1>",
    "heading": "<title>Tea</title><h1>{0}</h1>",
    "everywhere": "<title>{0}</title><h1>{0}</h1><meta property=og:title content='{0}'>",
    "site": "<title>Tea | {0}</title><meta property=og:site_name content='{0}'><h1>Tea</h1>",
    "author": "<h1>Tea</h1><meta name=author content='{0}'><p class=byline>By {0}</p>",
    "date": "<h1>Tea</h1><meta name=date content='{0}'><p class=date>{0}</p>",
    "description": "<meta name=description content='{0}'><meta name=keywords content='{0}'><footer>© {0}</footer>",
}


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("value", sampled(VALUES, 3))
def test_metadata_of_hostile_values_is_bounded(value, place):
    """A value that took quadratic time would not end here: 30,000 signs squared are minutes."""
    html = PLACES[place].format(VALUES[value]) + "<p>Words of the page.</p>"
    metadata = tamis.extract(html, "https://www.example.org/a", extractor="body").metadata
    assert len(metadata.title or "") <= MAX_LINE_CHARS
    assert len(metadata.site or "") <= MAX_LINE_CHARS
    assert all(len(name) <= MAX_LINE_CHARS for name in metadata.authors)
    assert len(json.dumps(metadata.as_dict())) <= 20 * MAX_VALUE_CHARS


def test_structured_values_are_bounded():
    data = json.dumps({"@type": "Article", "headline": "Tea " * 250_000, "author": "Ann " * 250_000})
    metadata = tamis.extract(f'<script type="application/ld+json">{data}</script><p>x', extractor="body").metadata
    assert re.fullmatch(r"(Tea ?)+", metadata.title)
    assert len(metadata.title) <= MAX_LINE_CHARS


def test_urls_are_whole_or_absent():
    long = "https://example.org/" + "a" * MAX_VALUE_CHARS
    assert tamis.extract(f"<meta property=og:image content='{long}'><p>x", extractor="body").metadata.image is None
