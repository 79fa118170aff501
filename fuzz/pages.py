"""Targets that read a page: columns, extractors, documents, formats, chunks, metadata, rules of sites, URLs."""

import json
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import tamis
from tamis.errors import TamisError
from tamis.extractors import registry
from tamis.html.text import safe_url
from tamis.render.registry import formats
from tamis.sites.rules import load_rules, read_rule

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
        first, second = (tamis.extract(page, extractor=name).selection.mask for _ in range(2))
        assert not (first & ~page.shown).any(), name
        assert (first == second).all(), name


def all_formats(data: bytes) -> None:
    """Every format can be encoded, JSON and XML can be parsed."""
    extraction = tamis.extract(data, URL, extractor="body")
    outputs = {entry.name: extraction.render(entry, provenance=True, comments=True).text for entry in formats()}
    for text in outputs.values():
        text.encode()
    json.loads(outputs["json"])
    ET.fromstring(outputs["xml"])  # noqa: S314 (our own output)


def documents(data: bytes) -> None:
    """The document, the posts and the facts of what the default extractor selects."""
    extraction = tamis.extract(data, URL)
    assert all(extraction.selection.mask[block.row] for block in extraction.blocks)
    assert all(post.author is None or post.author.strip() for post in extraction.posts)
    assert all(fact.source for fact in extraction.facts)
    extraction.to_html(structure="original").encode()


def chunks(data: bytes) -> None:
    """Chunks keep their limit, which the first byte gives, and can be encoded."""
    limit = 8 + (data[0] if data else 0)
    extraction = tamis.extract(data[1:], URL, extractor="body")
    for overlap in (0, limit // 4):
        for chunk in extraction.chunks(limit, overlap=overlap):
            assert chunk.tokens <= limit, (chunk.tokens, limit)
            chunk.text.encode()


RULE_FILE = Path(tempfile.gettempdir()) / "tamis-fuzz-rule.toml"


def rules(data: bytes) -> None:
    """A rule before the last zero byte is invalid or used on the page after it; other pages have a shipped rule."""
    text, _, page = data.rpartition(b"\0")
    shipped = load_rules(rules=True)
    rule, given = shipped[len(page) % len(shipped)], True
    if text:
        try:
            rule, given = read_rule(text.decode("utf-8", "replace")), RULE_FILE
        except TamisError:
            return
        RULE_FILE.write_text(text.decode("utf-8", "replace"), encoding="utf-8")
    url = f"https://{rule.hosts[0].replace('*', 'a')}{rule.paths[0].replace('*', 'a')}"
    extraction = tamis.extract(page, url, rules=given)
    extraction.to_markdown().encode()
    assert all(warning.as_dict() for warning in extraction.warnings)


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
    "documents": documents,
    "formats": all_formats,
    "chunks": chunks,
    "rules": rules,
    "metadata": metadata,
    "default": default,
    "urls": urls,
}
