"""Structured data that is nested about as deep as the interpreter's stack: no reader of it ends in an error."""

import sys

import pytest

import tamis

NAMES = ("@type", "@id", "@graph", "author", "headline", "image", "datePublished", "publisher", "mainEntityOfPage")
VALUES = {
    "objects": ('{"x":', "}"),
    "lists": ("[", "]"),
    "names": ('{"name":', "}"),
    "values": ('{"@value":', "}"),
    "graphs": ('{"@graph":[', "]}"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("name", NAMES)
def test_deep_values_are_no_error(name, kind):
    opening, closing = VALUES[kind]
    limit = sys.getrecursionlimit()
    for depth in (*range(limit - 140, limit + 10, 2), 20 * limit):
        value = opening * depth + '"y"' + closing * depth
        data = f'{{"@context": "https://schema.org", "@type": "Article", "{name}": {value}}}'
        page = f"<title>Tea</title><script type=application/ld+json>{data}</script><p>Tea is hot."
        assert tamis.extract(page, extractor="body").metadata.title == "Tea"
