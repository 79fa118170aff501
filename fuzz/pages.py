"""Targets that read a page: the columns, every extractor, every format, metadata, URLs of links."""

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable

import tamis
from tamis.extractors import registry
from tamis.html.urls import safe_url
from tamis.render.registry import formats

URL = "https://example.org/a/b"


def columns(data: bytes) -> None:
    """Rows, text and source positions of a page agree with each other."""
    page = tamis.parse_page(data)
    assert page.offset[-1] == len(page.text)
    assert len(page.positions.start) == len(page)
    assert (page.end > range(len(page))).all()
    assert page.parent[0] < 0 or page.parent[0] == 0


def extractors(data: bytes) -> None:
    """Every extractor selects shown text alone, and twice the same."""
    page = tamis.parse_page(data)
    for name in registry.names():
        selection = tamis.extract(page, extractor=name).selection
        assert not (selection.mask & ~page.shown).any(), name
        assert (selection.mask == registry.get(name).select(page).mask).all(), name


def all_formats(data: bytes) -> None:
    """Every format can be encoded, JSON and XML can be parsed."""
    extraction = tamis.extract(data, URL, extractor="body")
    outputs = {entry.name: extraction.render(entry, provenance=True, comments=True).text for entry in formats()}
    for text in outputs.values():
        text.encode()
    json.loads(outputs["json"])
    ET.fromstring(outputs["xml"])  # noqa: S314 (our own output)


def metadata(data: bytes) -> None:
    """Metadata and warnings are found, and can be encoded."""
    extraction = tamis.extract(data, URL, extractor="body")
    json.dumps(extraction.metadata.as_dict()).encode()
    assert all(warning.as_dict() for warning in extraction.warnings)


def default(data: bytes) -> None:
    """The default's text and the links to other pages."""
    extraction = tamis.extract(data, URL)
    extraction.text.encode()
    assert bool(extraction) == (extraction.empty_reason is None)
    tamis.next_page(data, URL)


def urls(data: bytes) -> None:
    """A URL that runs a script is never kept."""
    url, _, base = data.decode("utf-8", "replace").partition("\n")
    found = safe_url(url, base or None)
    assert found is None or "javascript:" not in found[:11].lower()


TARGETS: dict[str, Callable[[bytes], None]] = {
    "columns": columns,
    "extractors": extractors,
    "formats": all_formats,
    "metadata": metadata,
    "default": default,
    "urls": urls,
}
