"""Rows as Arrow: the schema, and the conversion."""

import json
from typing import Any

from tamis.batch.rows import FIRST_COLUMNS, VALUE_COLUMNS, Row, RowOptions


def arrow_schema(options: RowOptions) -> Any:  # noqa: ANN401 (pyarrow has no types)
    """Return the Arrow schema of rows: strings, but for the confidence, the number of words and the CPU time.

    Metadata is a JSON object in a string, because its fields grow with versions and a schema must not.
    """
    import pyarrow as pa  # noqa: PLC0415 (an extra)

    types = {"string": pa.large_string(), "double": pa.float64(), "int64": pa.int64()}
    return pa.schema(
        [(name, pa.string()) for name in FIRST_COLUMNS]
        + [(name, types[VALUE_COLUMNS.get(name, "string")]) for name in options.columns]
    )


def to_arrow(rows: list[Row], options: RowOptions) -> Any:  # noqa: ANN401 (pyarrow has no types)
    """Return rows as a record batch."""
    import pyarrow as pa  # noqa: PLC0415 (an extra)

    columns = {name: [_plain(row.get(name)) for row in rows] for name in options.names}
    return pa.RecordBatch.from_pydict(columns, schema=arrow_schema(options))


def _plain(value: Any) -> Any:  # noqa: ANN401 (any value of a row)
    if isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()  # Arrow takes no lone surrogates
    return value
