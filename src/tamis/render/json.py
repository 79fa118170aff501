"""JSON: all values of an extraction. `tamis.render.schema` describes them."""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from tamis.render.index_links import index_links
from tamis.render.json_tree import document_values
from tamis.render.media import image_values, link_values
from tamis.render.options import DEFAULT, RenderOptions
from tamis.render.part_values import PartValues
from tamis.render.plain import plain_text
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


def write_json_line(content: "Content", options: RenderOptions) -> Rendered:
    """Return an extraction as one line of JSON."""
    return Rendered(json.dumps(as_dict(content, options), ensure_ascii=False), {})


def render_json_lines(contents: "Iterable[tuple[Content, str | None]]") -> str:
    """Return extractions as JSON Lines, each with the name beside it as `file`."""
    records = (as_dict(content, content.render_options, file=name) for content, name in contents)
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def as_dict(content: "Content", options: RenderOptions = DEFAULT, *, file: str | None = None) -> dict[str, Any]:
    """Return an extraction as plain values, with the name of its file if there is one."""
    # Metadata and comments are values of their own, so that no output has them again.
    plain = options.replace(comments=False, with_metadata=False)
    # Text from metadata has no position in the page.
    is_located = options.provenance and content.selection.metadata_fallback is None
    names = dict.fromkeys((*(_LOCATED if is_located else ()), *options.include))
    outputs = {name: get_format(name).write(content, plain) for name in names}
    parts = PartValues(content, plain)
    values: dict[str, Any] = {
        **({"file": file} if file is not None else {}),
        "url": content.url,
        "title": content.title,
        "extractor": content.extractor,
        "page_type": content.page_type,
        "page_type_probability": _rounded(content.page_type_probability),
        "confidence": _rounded(content.confidence),
        "empty_reason": content.empty_reason,
        "encoding": content.page.encoding,
        "metadata": content.metadata.as_dict(),
        "index_links": index_links(content.page, content.selection, content.url),
        "text": outputs["text"].text if is_located else plain_text(content, plain),
        **{name: outputs[name].text for name in options.include},
        "links": link_values(content.document, options),
        "images": image_values(content.document, options),
        "blocks": _block_values(content, parts),
        "document": document_values(parts, options, outputs if is_located else None),
        "warnings": [warning.as_dict() for warning in content.warnings],
    }
    if options.comments:
        values["comments"] = [comment.as_dict() for comment in content.comments]
    return values


def _block_values(content: "Content", parts: PartValues) -> list[dict[str, Any]]:
    part_ids = parts.part_of_blocks()
    return [
        {
            "text": block.text,
            "tag": block.tag,
            "score": _rounded(block.score),
            "reason": block.reason,
            "part": part_ids[number] if part_ids else None,
        }
        for number, block in enumerate(content.blocks)
    ]


def _rounded(value: float | None) -> float | None:
    """Return a number with six decimals, which are the same on every machine."""
    return None if value is None else round(value, 6)
