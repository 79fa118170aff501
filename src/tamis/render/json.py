"""JSON: everything an extraction knows, as plain values. `tamis.render.schema` describes them."""

import json
from typing import TYPE_CHECKING, Any

from tamis.render.json_tree import document_values
from tamis.render.options import DEFAULT, RenderOptions
from tamis.render.registry import get_format

if TYPE_CHECKING:
    from tamis.render.content import Content
    from tamis.render.writer import Rendered


def as_dict(found: "Content", chosen: RenderOptions = DEFAULT) -> dict[str, Any]:
    """Return an extraction as plain values."""
    outputs: dict[str, Rendered] | None = None
    if (
        chosen.provenance and found.selection.metadata_fallback is None
    ):  # text from metadata has no position on the page
        without = chosen.replace(comments=False)
        outputs = {name: get_format(name).write(found, without) for name in ("text", "markdown", "html")}
    values: dict[str, Any] = {
        "url": found.url,
        "title": found.title,
        "extractor": found.extractor,
        "page_type": found.page_type,
        "page_type_probability": _rounded(found.page_type_probability),
        "confidence": _rounded(found.confidence),
        "empty_reason": found.empty_reason,
        "encoding": found.page.encoding,
        "text": found.text,
        "blocks": [
            {"text": block.text, "tag": block.tag, "score": _rounded(block.score), "reason": block.reason}
            for block in found.blocks
        ],
        "document": document_values(found.document, chosen, outputs),
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


def render_json(found: "Content", options: RenderOptions = DEFAULT) -> str:
    """Return an extraction as JSON, one document.

    >>> import tamis
    >>> '"title": "T"' in render_json(tamis.extract("<title>T</title><p>some text"))
    True
    """
    return json.dumps(as_dict(found, options), ensure_ascii=False, indent=2)
