"""The JSON that Tamis writes, described as JSON Schema."""

from typing import Any, Final

_TEXT: Final = {"type": "string"}
_MAYBE: Final = {"type": ["string", "null"]}
_COUNT: Final = {"type": "integer", "minimum": 0}
_CHANCE: Final = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
_TEXTS: Final = {"type": "array", "items": _TEXT}
_SPANS: Final = {"type": "array", "items": {"$ref": "#/$defs/span"}}
_PARTS: Final = {"type": "array", "items": {"$ref": "#/$defs/part"}}
_RANGE: Final = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
_PART_TYPES: Final = """
    heading paragraph list item table row cell code quote figure formula footnote definitions definition post rule
"""
_SPAN_TYPES: Final = "break em strong del ins sub sup mark q rt rp ruby code formula image link"


def _object(needed: str, **properties: Any) -> dict[str, Any]:  # noqa: ANN401 (schemas)
    return {"type": "object", "properties": properties, "required": needed.split(), "additionalProperties": False}


_SPAN: Final = {
    "description": "Characters as a string, or a span with a type.",
    "anyOf": [
        _TEXT,
        _object(
            "type",
            type={"enum": _SPAN_TYPES.split()},
            spans=_SPANS,
            text=_TEXT,
            tex=_TEXT,
            display={"type": "boolean"},
            base=_TEXT,
            reading=_TEXT,
            href=_TEXT,
            kind={"enum": ["note", "back"]},
            label=_TEXT,
            src=_TEXT,
            alt=_TEXT,
            width={"type": ["integer", "null"]},
            height={"type": ["integer", "null"]},
        ),
    ],
}
_PART: Final = {
    "description": "A typed part of the document. xpath, source and offsets come with --provenance.",
    **_object(
        "type",
        type={"enum": _PART_TYPES.split()},
        parts=_PARTS,
        spans=_SPANS,
        level=_COUNT,
        verse={"type": "boolean"},
        ordered={"type": "boolean"},
        start=_COUNT,
        header={"type": "boolean"},
        columns=_COUNT,
        rows=_COUNT,
        caption=_SPANS,
        text=_TEXT,
        language=_TEXT,
        cite=_TEXT,
        images={"type": "array", "items": {"$ref": "#/$defs/span"}},
        tex=_TEXT,
        label=_TEXT,
        author=_MAYBE,
        date=_MAYBE,
        terms=_PARTS,
        details=_PARTS,
        xpath=_TEXT,
        source=_RANGE,
        offsets={"type": "object", "additionalProperties": _RANGE},
    ),
}
_COMMENT: Final = _object(
    "author date text replies",
    author=_MAYBE,
    date=_MAYBE,
    text=_TEXT,
    replies={"type": "array", "items": {"$ref": "#/$defs/comment"}},
)
_NOTICE: Final = _object(
    "type reason count xpath excerpt", type=_TEXT, reason=_TEXT, count=_COUNT, xpath=_MAYBE, excerpt=_TEXT
)
_BLOCK: Final = _object("text tag score reason", text=_TEXT, tag=_TEXT, score={"type": "number"}, reason=_TEXT)
_METADATA_TEXTS: Final = """
    title subtitle date modified site description language detected_language license image canonical url page_type agency
    location copyright
"""
_METADATA: Final = {
    "type": "object",
    "properties": {
        **dict.fromkeys(_METADATA_TEXTS.split(), _MAYBE),
        **dict.fromkeys(("authors", "tags", "categories"), _TEXTS),
        "sources": {"type": "object", "additionalProperties": _TEXT},
    },
    "additionalProperties": False,
}

SCHEMA: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Extraction",
    "description": "What Tamis finds in a page. metadata comes with --with-metadata, comments with --comments.",
    **_object(
        "url title extractor page_type page_type_probability confidence empty_reason encoding text blocks document warnings",
        url=_MAYBE,
        title=_MAYBE,
        extractor=_TEXT,
        page_type=_MAYBE,
        page_type_probability=_CHANCE,
        confidence=_CHANCE | {"description": "the F1 that the extractor expects of its answer"},
        empty_reason=_MAYBE,
        encoding=_MAYBE,
        text=_TEXT,
        blocks={"type": "array", "items": _BLOCK},
        document=_PARTS,
        warnings={"type": "array", "items": _NOTICE},
        metadata=_METADATA,
        comments={"type": "array", "items": {"$ref": "#/$defs/comment"}},
    ),
    "$defs": {"part": _PART, "span": _SPAN, "comment": _COMMENT},
}
