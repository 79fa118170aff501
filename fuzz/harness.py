"""Coverage-guided fuzzing with atheris: ``python fuzz/harness.py TARGET [CORPUS …] [-max_total_time=60]``.

Targets: ``columns``, ``extractors``, ``formats``, ``metadata``, ``urls``. The corpus to begin with are the golden
pages, ``tests/pages`` and ``tests/structure``. Install atheris into an environment of its own; it is no dependency. A
finding is any exception. Build the compiled modules with bounds checks first (``make sanitize``).
"""

import sys
from collections.abc import Callable

import atheris

with atheris.instrument_imports(include=["tamis"]):
    import tamis
    from tamis.extractors import registry
    from tamis.html.urls import safe_url
    from tamis.render.registry import formats


def columns(data: bytes) -> None:
    page = tamis.parse_page(data)
    assert page.offset[-1] == len(page.text)
    assert len(page.positions.start) == len(page)


def extractors(data: bytes) -> None:
    page = tamis.parse_page(data)
    for name in registry.names():
        extraction = tamis.extract_page(page, extractor=name)
        assert not (extraction.selection.mask & ~page.shown).any()


def all_formats(data: bytes) -> None:
    extraction = tamis.extract(data, "https://example.org/", extractor="body", comments=True)
    for entry in formats():
        extraction.render(entry, provenance=True).text.encode()


def metadata(data: bytes) -> None:
    extraction = tamis.extract(data, "https://example.org/", extractor="body")
    assert extraction.metadata is not None
    assert extraction.warnings is not None


def urls(data: bytes) -> None:
    url, _, base = data.decode("utf-8", "replace").partition("\n")
    found = safe_url(url, base or None)
    assert found is None or "javascript:" not in found[:11].lower()


TARGETS: dict[str, Callable[[bytes], None]] = {
    "columns": columns,
    "extractors": extractors,
    "formats": all_formats,
    "metadata": metadata,
    "urls": urls,
}

if __name__ == "__main__":
    target = TARGETS[sys.argv.pop(1)]
    atheris.Setup(sys.argv, target)
    atheris.Fuzz()
