"""JSON: everything an extraction knows, as plain values. `tamis.render.schema` describes them."""

import json
from typing import TYPE_CHECKING, Any

from tamis.render.tree import document_values

if TYPE_CHECKING:
    from tamis.api import Extraction, Options
    from tamis.render.writer import Rendered


def as_dict(found: "Extraction", options: "Options | None" = None) -> dict[str, Any]:
    """Return an extraction as plain values."""
    chosen = options or found.options
    outputs: dict[str, Rendered] | None = None
    if chosen.provenance and found.selection.stand_in is None:  # what is not on the page has no place there
        outputs = {form: found.render(form, comments=False) for form in ("txt", "markdown", "html")}
    values: dict[str, Any] = {
        "url": found.url,
        "title": found.title,
        "extractor": found.extractor,
        "kind": found.kind,
        "kind_chance": _rounded(found.kind_chance),
        "confidence": _rounded(found.confidence),
        "empty": found.empty,
        "encoding": found.page.encoding,
        "text": found.text,
        "blocks": [
            {"text": block.text, "tag": block.tag, "score": _rounded(block.score), "reason": block.reason}
            for block in found.blocks
        ],
        "document": document_values(found.document, chosen.view, outputs),
        "warnings": [notice.as_dict() for notice in found.warnings],
    }
    if chosen.with_metadata:
        values["metadata"] = found.metadata.as_dict()
    if chosen.comments:
        values["comments"] = [comment.as_dict() for comment in found.comments]
    return values


def _rounded(value: float | None) -> float | None:
    """Return a number as far as it says something, and is the same on every machine."""
    return None if value is None else round(value, 6)


def render_json(found: "Extraction", options: "Options | None" = None) -> str:
    """Return an extraction as JSON, one document.

    >>> import tamis
    >>> '"title": "T"' in render_json(tamis.extract("<title>T</title><p>some text"))
    True
    """
    return json.dumps(as_dict(found, options), ensure_ascii=False, indent=2)
