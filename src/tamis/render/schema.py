"""JSON Schema of the JSON output."""

from typing import Any, Final

_TEXT: Final = {"type": "string"}
_OPTIONAL_TEXT: Final = {"type": ["string", "null"]}
_COUNT: Final = {"type": "integer", "minimum": 0}
_PROBABILITY: Final = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
_TEXT_LIST: Final = {"type": "array", "items": _TEXT}
_SPANS: Final = {"type": "array", "items": {"$ref": "#/$defs/span"}}
_PARTS: Final = {"type": "array", "items": {"$ref": "#/$defs/part"}}
_RANGE: Final = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
_PART_TYPES: Final = """
    heading paragraph list item table row cell code quote figure formula footnote definitions definition post rule
"""
_SPAN_TYPES: Final = "break em strong del ins sub sup mark q rt rp ruby code formula image link"


def _object(required: str, **properties: Any) -> dict[str, Any]:  # noqa: ANN401 (schemas)
    return {"type": "object", "properties": properties, "required": required.split(), "additionalProperties": False}


_SPAN: Final = {
    "description": "Text as a string, or a span with a type.",
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
            role={
                "enum": ["noteref", "backlink"],
                "description": "of a link to a footnote, or from one back to the text",
            },
            label=_TEXT | {"description": "the label of that footnote"},
            src=_TEXT,
            alt=_TEXT,
            width={"type": ["integer", "null"]},
            height={"type": ["integer", "null"]},
        ),
    ],
}
_PART: Final = {
    "description": "A part of the document. xpath, source and offsets are present with --provenance.",
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
        author=_OPTIONAL_TEXT,
        date=_OPTIONAL_TEXT,
        terms=_PARTS,
        details=_PARTS,
        xpath=_TEXT,
        source=_RANGE,
        offsets={"type": "object", "additionalProperties": _RANGE},
    ),
}
_COMMENT: Final = _object(
    "author date text replies",
    author=_OPTIONAL_TEXT,
    date=_OPTIONAL_TEXT,
    text=_TEXT,
    replies={"type": "array", "items": {"$ref": "#/$defs/comment"}},
)
_WARNING: Final = _object(
    "type reason count xpath excerpt", type=_TEXT, reason=_TEXT, count=_COUNT, xpath=_OPTIONAL_TEXT, excerpt=_TEXT
)
_BLOCK: Final = _object("text tag score reason", text=_TEXT, tag=_TEXT, score={"type": "number"}, reason=_TEXT)
_METADATA_TEXTS: Final = """
    title subtitle date modified site description language detected_language license image canonical url page_type
    agency location copyright
"""
_METADATA: Final = {
    "type": "object",
    "properties": {
        **dict.fromkeys(_METADATA_TEXTS.split(), _OPTIONAL_TEXT),
        **dict.fromkeys(("authors", "tags", "categories"), _TEXT_LIST),
        "sources": {"type": "object", "additionalProperties": _TEXT},
    },
    "additionalProperties": False,
}

SCHEMA: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Extraction",
    "description": "The content of a page. metadata is present with --with-metadata, comments with --comments.",
    **_object(
        """
        url title extractor page_type page_type_probability confidence empty_reason encoding text blocks document
        warnings
        """,
        url=_OPTIONAL_TEXT,
        title=_OPTIONAL_TEXT,
        extractor=_TEXT,
        page_type=_OPTIONAL_TEXT,
        page_type_probability=_PROBABILITY,
        confidence=_PROBABILITY | {"description": "the F1 that the extractor expects of its selection"},
        empty_reason=_OPTIONAL_TEXT,
        encoding=_OPTIONAL_TEXT,
        text=_TEXT,
        blocks={"type": "array", "items": _BLOCK},
        document=_PARTS,
        warnings={"type": "array", "items": _WARNING},
        metadata=_METADATA,
        comments={"type": "array", "items": {"$ref": "#/$defs/comment"}},
    ),
    "$defs": {"part": _PART, "span": _SPAN, "comment": _COMMENT},
}
