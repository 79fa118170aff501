"""Extraction on Spark: a function for ``DataFrame.mapInArrow``, and the data frames around it.

::

    pages = spark.read.parquet("pages/")                       # html, and url and id if known
    rows = extract(pages, JobOptions(RowOptions(("title", "text"))))
    rows.write.parquet("rows/")

Spark needs pandas 2.2 or newer, below 3, and ``PYSPARK_PYTHON`` must be an interpreter that has Tamis, on every
machine. Set ``spark.sql.execution.arrow.maxRecordsPerBatch`` to some dozens, as `open_session` does (`BATCH_ROWS`).
`tamis.batch.scripts.spark_extract` is a ready job for ``spark-submit``.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tamis.batch.job import JobOptions, extract_batches
from tamis.batch.rows import FIRST_COLUMNS, RowOptions, column_type
from tamis.errors import MissingExtraError
from tamis.sources.readers import id_prefixes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

#: Pages of a batch that Spark hands over. Its default of 10,000 may be gigabytes, which the JVM holds in one piece.
BATCH_ROWS: Final = 64
BATCH_ROWS_SETTING: Final = "spark.sql.execution.arrow.maxRecordsPerBatch"
_SPARK_BATCH_ROWS: Final = "10000"
_DDL: Final = {
    "string": "string", "double": "double", "bool": "boolean", "int64": "bigint", "list": "array<string>",
    "json": "string",
}  # fmt: skip


def extract(frame: "DataFrame", options: JobOptions | None = None) -> "DataFrame":
    """Return a data frame with one row for each page of another.

    Args:
        frame: pages (``html``, and ``url`` and ``id`` if known), or paths of archives (``path``): see
            `tamis.batch.job.extract_batches`.
        options: the columns of a row, and the limits of a page.
    """
    chosen = options or JobOptions()
    return frame.mapInArrow(batch_function(chosen), spark_schema(chosen.rows))


def batch_function(options: JobOptions | None = None) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return the function for ``DataFrame.mapInArrow``: from an iterator of record batches to another."""
    return partial(extract_batches, options=options)


def spark_schema(options: RowOptions | None = None) -> str:
    """Return the schema of the rows, as Spark writes schemas.

    >>> spark_schema(RowOptions(("text", "confidence", "words")))
    'id string, url string, status string, error string, `text` string, `confidence` double, `words` bigint'
    """
    columns = (options or RowOptions()).columns
    first = [f"{name} string" for name in FIRST_COLUMNS]
    return ", ".join(first + [f"`{name}` {_DDL[column_type(name)]}" for name in columns])


def path_frame(spark: "SparkSession", paths: Sequence[str], partitions: int | None = None) -> "DataFrame":
    """Return a data frame of paths, by default one in each partition, so that a cluster reads them in parallel.

    With several paths, the ids of their pages begin with their names, as they do in `tamis.batch.run`.
    """
    rows = list(zip(paths, (prefix.rstrip("/") or None for prefix in id_prefixes(paths)), strict=True))
    spread = spark.sparkContext.parallelize(rows, partitions or max(1, len(rows)))
    return spark.createDataFrame(spread, "path string, id string")


def open_session(master: str = "local[*]", settings: Mapping[str, str] | None = None) -> "SparkSession":
    """Return a session that hands over few pages at once and runs Python processes with this interpreter.

    Under ``spark-submit``, its master, its settings and ``PYSPARK_PYTHON`` are kept.

    Args:
        master: where to run without ``spark-submit``.
        settings: more settings of the session.
    """
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    try:
        from pyspark.sql import SparkSession  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("pyspark", "spark") from error
    builder = SparkSession.builder.appName("tamis")
    if "PYSPARK_GATEWAY_PORT" not in os.environ:  # set by spark-submit
        builder = builder.master(master)
    for name, value in (settings or {}).items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    if session.conf.get(BATCH_ROWS_SETTING) == _SPARK_BATCH_ROWS:
        session.conf.set(BATCH_ROWS_SETTING, str(BATCH_ROWS))
    return session
