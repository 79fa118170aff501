"""JSON Schema of the JSON output."""

from typing import Any, Final

from tamis.metadata.fields import FIELDS
from tamis.render.registry import CONTENTS

_TEXT: Final[dict[str, Any]] = {"type": "string"}
_OPTIONAL_TEXT: Final[dict[str, Any]] = {"type": ["string", "null"]}
_COUNT: Final = {"type": "integer", "minimum": 0}
_PROBABILITY: Final = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
_TEXT_LIST: Final = {"type": "array", "items": _TEXT}
_SPANS: Final = {"type": "array", "items": {"$ref": "#/$defs/span"}}
_PARTS: Final = {"type": "array", "items": {"$ref": "#/$defs/part"}}
_RANGE: Final = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
_PART_TYPES: Final = """
    heading paragraph list item table row cell code quote callout details figure formula footnote definitions
    definition post rule
"""
_SPAN_TYPES: Final = "break em strong del ins sub sup mark q rt rp ruby code formula image link"


def _described(schema: dict[str, Any], description: str) -> dict[str, Any]:
    return {**schema, "description": description}


def _object(required: str, **properties: Any) -> dict[str, Any]:  # noqa: ANN401 (schemas)
    """Return the schema of an object with these properties and no others."""
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
            display=_described({"type": "boolean"}, "Whether a formula is on a line of its own."),
            base=_TEXT,
            reading=_described(_TEXT, "The pronunciation of the base of ruby text."),
            href=_TEXT,
            role=_described(
                {"enum": ["noteref", "backlink", "media"]},
                "Of a link to a footnote, from it back to the text, or to a sound, video or frame.",
            ),
            label=_described(_TEXT, "The label of that footnote."),
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
        "type id level probability blocks",
        type={"enum": _PART_TYPES.split()},
        id=_described(_COUNT, "The number of the part in document order, outer before inner."),
        probability=_described(
            _PROBABILITY, "The mean probability of its characters to be content; null if the extractor has none."
        ),
        markdown=_described(
            _TEXT, "The part as Markdown, without the margins of what it is in; absent where `text` is."
        ),
        blocks=_described(_RANGE, "Start and stop of its blocks in `blocks`."),
        parts=_PARTS,
        spans=_SPANS,
        level=_described(
            _COUNT,
            "Of a heading, 1 to 6; of a post, 0 for the opening post; of others, that of the heading above, or 0.",
        ),
        verse=_described({"type": "boolean"}, "Whether the line breaks are those of preformatted text."),
        ordered={"type": "boolean"},
        start=_described(_COUNT, "The number of the first item."),
        checked=_described({"type": "boolean"}, "Of an item of a task list, whether it is done."),
        header={"type": "boolean"},
        columns=_described(_COUNT, "How many columns a cell spans."),
        rows=_described(_COUNT, "How many rows a cell spans."),
        caption=_SPANS,
        text=_described(_TEXT, "The part as plain text; absent where a container is nested three levels deep."),
        language=_TEXT,
        cite=_described(_TEXT, "The URL of the source of a quotation."),
        callout=_described(_TEXT, "The type of a callout: note, tip, warning …"),
        title=_described(_SPANS, "The title of a callout."),
        summary=_described(_SPANS, "The summary of details."),
        images={"type": "array", "items": {"$ref": "#/$defs/span"}},
        tex=_TEXT,
        label=_TEXT,
        author=_OPTIONAL_TEXT,
        date=_OPTIONAL_TEXT,
        votes=_described({"type": ["integer", "null"]}, "Votes, points or likes of a post."),
        permalink=_described(_TEXT, "The URL of a post."),
        terms=_PARTS,
        details=_PARTS,
        xpath=_described(_TEXT, "The element in the page."),
        source=_described(_RANGE, "Start and stop in the page's source, in characters; -1 if unknown."),
        offsets=_described(
            {"type": "object", "additionalProperties": _RANGE}, "Start and stop in each output, by format."
        ),
    ),
}
_VOTES: Final = _described({"type": ["integer", "null"]}, "Votes, points or likes of a post.")
_COMMENT: Final = _object(
    "author date votes permalink text replies",
    author=_OPTIONAL_TEXT,
    date=_OPTIONAL_TEXT,
    votes=_VOTES,
    permalink=_OPTIONAL_TEXT,
    text=_TEXT,
    replies={"type": "array", "items": {"$ref": "#/$defs/comment"}},
)
_FACT: Final = _object(
    "type name value source item shown",
    type=_described(_TEXT, "What it is about: Product, Recipe, Event, FAQPage, JobPosting …"),
    name=_TEXT,
    value={"anyOf": [_TEXT, _TEXT_LIST]},
    source=_described(_TEXT, "json-ld, microdata, rdfa, meta or text."),
    item=_described(_COUNT, "The number of the product, recipe … that it is about."),
    shown=_described({"type": ["boolean", "null"]}, "Whether the page shows it; null if that cannot be told."),
)
_WARNING: Final = _object(
    "type reason count xpath excerpt", type=_TEXT, reason=_TEXT, count=_COUNT, xpath=_OPTIONAL_TEXT, excerpt=_TEXT
)
_BLOCK: Final = _object(
    "text tag score reason part",
    text=_TEXT,
    tag=_TEXT,
    score={"type": "number"},
    reason=_TEXT,
    part=_described({"type": ["integer", "null"]}, "The id of the innermost part that it is in."),
)
_LINK: Final = _object("text url", text=_TEXT, url=_TEXT)
_IMAGE: Final = _object(
    "url alt caption width height",
    url=_TEXT,
    alt=_TEXT,
    caption=_TEXT,
    width={"type": ["integer", "null"]},
    height={"type": ["integer", "null"]},
)
_FIELD_SCHEMAS: Final[dict[str, dict[str, Any]]] = {
    "text": _OPTIONAL_TEXT,
    "list": _TEXT_LIST,
    "number": {"type": ["integer", "null"], "minimum": 0},
    "moment": _OPTIONAL_TEXT,
    "flag": {"type": ["boolean", "null"]},
    "map": {"type": "object", "additionalProperties": _TEXT},
}
_METADATA: Final = {
    "type": "object",
    "properties": {
        **{field.name: _described(_FIELD_SCHEMAS[field.type], field.summary) for field in FIELDS},
        "sources": _described({"type": "object", "additionalProperties": _TEXT}, "The source of each value."),
    },
    "additionalProperties": False,
}

_CHUNK: Final = _object(
    "url title authors date language chunk id headings text tokens provenance",
    url=_OPTIONAL_TEXT,
    title=_OPTIONAL_TEXT,
    authors={"type": "array", "items": _TEXT},
    date=_OPTIONAL_TEXT,
    language=_OPTIONAL_TEXT,
    chunk=_described(_COUNT, "The number of the chunk on the page, from 0."),
    id=_described(_TEXT, "The same for the same text below the same headings of the same URL."),
    headings=_described({"type": "array", "items": _TEXT}, "The headings above its first part, the title first."),
    text=_TEXT,
    tokens=_COUNT,
    provenance=_described(
        {
            "type": "array",
            "items": _object(
                "part xpath source",
                part={"type": ["integer", "null"]},
                xpath=_TEXT,
                source=_RANGE,
            ),
        },
        "Its parts: number in the document, XPath, and characters of the source.",
    ),
)

SCHEMA: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Extraction",
    "description": "The content of a page. Comments are present with --comments, other outputs if --with names them.",
    **_object(
        """
        url title extractor rule page_type page_type_probability confidence empty_reason encoding metadata facts
        index_links text links images blocks
        document warnings
        """,
        url=_described(_OPTIONAL_TEXT, "The URL that was given."),
        title=_OPTIONAL_TEXT,
        extractor=_described(_TEXT, "The extraction method."),
        rule=_described(_OPTIONAL_TEXT, "The rule of a known site that was used, or null."),
        page_type=_described(_OPTIONAL_TEXT, "The page type, if the extractor determines it: article, forum …"),
        page_type_probability=_PROBABILITY,
        confidence=_described(_PROBABILITY, "The F1 that the extractor expects of its selection."),
        empty_reason=_described(_OPTIONAL_TEXT, "Why there is no content, or null."),
        encoding=_described(_OPTIONAL_TEXT, "The character encoding of the page, if it was decoded from bytes."),
        index_links=_described(
            {"type": "array", "items": _object("text url", text=_TEXT, url=_TEXT)},
            "The links of an index page without main content, if the extractor recognizes those.",
        ),
        text=_described(_TEXT, "The content as plain text."),
        blocks=_described({"type": "array", "items": _BLOCK}, "The content in blocks, with scores."),
        document=_described(_PARTS, "The content as a tree of parts."),
        warnings=_described({"type": "array", "items": _WARNING}, "What was hidden, removed or refused."),
        metadata=_METADATA,
        facts=_described(
            {"type": "array", "items": _FACT}, "What the page declares of a product, a recipe, an event …"
        ),
        links=_described({"type": "array", "items": _LINK}, "The links in the content."),
        images=_described({"type": "array", "items": _IMAGE}, "The images in the content."),
        file=_described(_TEXT, "The name of the page on the command line."),
        **{name: _described(_TEXT, f"The content as {name}, if --with names it.") for name in CONTENTS},
        chunks=_described(
            {"type": "array", "items": _CHUNK}, "The content in chunks for retrieval, if their size is given."
        ),
        posts=_described(
            {"type": "array", "items": {"$ref": "#/$defs/comment"}}, "The posts of a discussion, as a tree."
        ),
        comments={"type": "array", "items": {"$ref": "#/$defs/comment"}},
    ),
    "$defs": {"part": _PART, "span": _SPAN, "comment": _COMMENT},
}
