"""JSON: everything an extraction knows, as plain values."""

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamis.api import Extraction


def as_dict(extraction: "Extraction") -> dict[str, Any]:
    """Return an extraction as plain values."""
    return {
        "url": extraction.url,
        "title": extraction.title,
        "extractor": extraction.extractor,
        "empty": extraction.empty,
        "encoding": extraction.page.encoding,
        "text": extraction.text,
        "blocks": [
            {"text": block.text, "tag": block.tag, "score": round(block.score, 6), "reason": block.reason}
            for block in extraction.blocks
        ],
    }


def render_json(extraction: "Extraction") -> str:
    """Return an extraction as JSON, one document.

    >>> import tamis
    >>> '"title": "T"' in render_json(tamis.extract("<title>T</title><p>some text"))
    True
    """
    return json.dumps(as_dict(extraction), ensure_ascii=False, indent=2)
