"""What every extractor selects on every golden page, as one digest for each: to compare threads and processes."""

import hashlib
import json
import sys
from pathlib import Path

import tamis
from tamis.extractors import registry

PAGES = sorted((Path(__file__).parents[1] / "pages").glob("*/page.html"))


def digests(every: int = 1) -> dict[str, str]:
    """Return the digest of masks, scores, reasons and texts, by the name of the extractor.

    Args:
        every: reads every k-th page.
    """
    pages = [tamis.parse_page(path.read_bytes()) for path in PAGES[::every]]
    return {name: _digest(name, pages) for name in registry.names()}


def _digest(name: str, pages: list[tamis.Page]) -> str:
    digest = hashlib.sha256()
    for page in pages:
        extraction = tamis.extract(page, extractor=name)
        for column in (extraction.selection.mask, extraction.selection.score, extraction.selection.reason):
            digest.update(column.tobytes())
        digest.update(extraction.text.encode())
    return digest.hexdigest()


if __name__ == "__main__":
    json.dump(digests(int(sys.argv[1])), sys.stdout)
