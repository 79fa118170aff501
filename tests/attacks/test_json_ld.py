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
SCRIPT = '<script type=application/ld+json>{{"@context":"https://schema.org","@type":"Article","{}":{}}}</script>'


@pytest.mark.slow
@pytest.mark.parametrize("kind", VALUES)
def test_deep_values_are_no_error(kind):
    """Each name is in a script of its own, so that its readers meet the value of no other."""
    opening, closing = VALUES[kind]
    limit = sys.getrecursionlimit()
    for depth in (*range(limit - 140, limit + 10, 7), 20 * limit):
        value = opening * depth + '"y"' + closing * depth
        scripts = "".join(SCRIPT.format(name, value) for name in NAMES)
        assert tamis.extract(f"<title>Tea</title>{scripts}<p>Tea is hot.", extractor="body").metadata.title == "Tea"
