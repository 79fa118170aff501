"""Rows as Arrow: the schemas, and the conversion."""

import json
from typing import Any

from tamis.batch.rows import FIRST_COLUMNS, VALUE_COLUMNS, Row, RowOptions
from tamis.metadata.fields import FIELDS


def arrow_schema(options: RowOptions) -> Any:  # noqa: ANN401 (pyarrow has no types)
    """Return the Arrow schema of rows: strings, but for the confidence, the number of words and the CPU time.

    Metadata and warnings are JSON in strings (`tamis.batch.rows.NESTED_COLUMNS`).
    """
    import pyarrow as pa  # noqa: PLC0415 (an extra)

    types = {"string": pa.large_string(), "double": pa.float64(), "int64": pa.int64()}
    return pa.schema(
        [(name, pa.string()) for name in FIRST_COLUMNS]
        + [(name, types[VALUE_COLUMNS.get(name, "string")]) for name in options.names[len(FIRST_COLUMNS) :]]
    )


def to_arrow(rows: list[Row], options: RowOptions) -> Any:  # noqa: ANN401 (pyarrow has no types)
    """Return rows as a record batch."""
    import pyarrow as pa  # noqa: PLC0415 (an extra)

    columns = {name: [_plain(row.get(name)) for row in rows] for name in options.names}
    return pa.RecordBatch.from_pydict(columns, schema=arrow_schema(options))


def _plain(value: Any) -> Any:  # noqa: ANN401 (any value of a row)
    if isinstance(value, (dict, list)):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()  # Arrow takes no lone surrogates
    return value


def page_schema(include: tuple[str, ...] = ()) -> Any:  # noqa: ANN401 (pyarrow has no types)
    """Return the Arrow schema of whole pages: the values of the JSON output and of its metadata, nested.

    Args:
        include: the outputs that `RenderOptions.include` adds.
    """
    import pyarrow as pa  # noqa: PLC0415 (an extra)

    text, number, count = pa.string(), pa.float64(), pa.int64()
    link = pa.struct([("text", text), ("url", text)])
    image = pa.struct([("url", text), ("alt", text), ("caption", text), ("width", count), ("height", count)])
    block = pa.struct([("text", text), ("tag", text), ("score", number), ("reason", text), ("part", count)])
    warning = pa.struct([("type", text), ("reason", text), ("count", count), ("xpath", text), ("excerpt", text)])
    columns = {"file": text, "url": text}
    field_types = {"text": text, "list": pa.list_(text), "number": count}
    columns |= {field.name: field_types[field.type] for field in FIELDS}
    columns |= dict.fromkeys(("extractor", "empty_reason", "encoding", "text", *include), text)
    columns |= dict.fromkeys(("page_type_probability", "confidence"), number)
    columns |= {"links": pa.list_(link), "images": pa.list_(image), "index_links": pa.list_(link)}
    columns |= {"blocks": pa.list_(block), "warnings": pa.list_(warning)}
    return pa.schema(list(columns.items()))
