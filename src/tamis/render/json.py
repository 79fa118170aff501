"""JSON: all values of an extraction. `tamis.render.schema` describes them."""

import json
from typing import TYPE_CHECKING, Any, Final

from tamis.render.index_links import index_links
from tamis.render.json_tree import document_values
from tamis.render.options import DEFAULT, RenderOptions
from tamis.render.registry import get_format
from tamis.render.rendered import Rendered

if TYPE_CHECKING:
    from tamis.render.content import Content

_LOCATED: Final = ("text", "markdown", "html")  #: outputs in which provenance gives the offsets of each part


def write_json(content: "Content", options: RenderOptions) -> Rendered:
    """Return an extraction as one JSON object.

    >>> import tamis
    >>> '"title": "T"' in write_json(tamis.extract("<title>T</title><p>some text"), DEFAULT).text
    True
    """
    return Rendered(json.dumps(as_dict(content, options), ensure_ascii=False, indent=2), {})


def as_dict(content: "Content", options: RenderOptions = DEFAULT) -> dict[str, Any]:
    """Return an extraction as plain values."""
    outputs: dict[str, Rendered] | None = None
    # Text from metadata has no position in the page.
    if options.provenance and content.selection.metadata_fallback is None:
        without_comments = options.replace(comments=False)
        outputs = {name: get_format(name).write(content, without_comments) for name in _LOCATED}
    values: dict[str, Any] = {
        "url": content.url,
        "title": content.title,
        "extractor": content.extractor,
        "page_type": content.page_type,
        "page_type_probability": _rounded(content.page_type_probability),
        "confidence": _rounded(content.confidence),
        "empty_reason": content.empty_reason,
        "encoding": content.page.encoding,
        "index_links": index_links(content.page, content.selection, content.url),
        "text": content.text,
        "blocks": [
            {"text": block.text, "tag": block.tag, "score": _rounded(block.score), "reason": block.reason}
            for block in content.blocks
        ],
        "document": document_values(content.document, options, outputs),
        "warnings": [warning.as_dict() for warning in content.warnings],
    }
    if options.with_metadata:
        values["metadata"] = content.metadata.as_dict()
    if options.comments:
        values["comments"] = [comment.as_dict() for comment in content.comments]
    return values


def _rounded(value: float | None) -> float | None:
    """Return a number with six decimals, which are the same on every machine."""
    return None if value is None else round(value, 6)
