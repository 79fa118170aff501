"""A ready Spark job: pages of WARC files or Parquet in, rows as Parquet or JSON Lines out.

::

    job=$(python -m tamis.batch.scripts.spark_extract --path)
    spark-submit --master yarn "$job" s3://bucket/crawl/*.warc.gz -o s3a://bucket/rows
    spark-submit "$job" --list warc.paths.gz --prefix s3://commoncrawl/ -o s3a://bucket/rows
    spark-submit "$job" pages.parquet -o rows --fields title,markdown

Without ``spark-submit``, ``python -m tamis.batch.scripts.spark_extract …`` runs it on all cores of this machine.
WARC files and other archives are read by Tamis, one task for each; Parquet (.parquet) is read by Spark.
"""

import argparse
import gzip
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tamis.api.options import Options
from tamis.batch.job import HTML_COLUMNS, URL_COLUMNS, JobOptions
from tamis.batch.rows import Filters, RowOptions, read_columns
from tamis.batch.spark import extract, open_session, path_frame
from tamis.errors import OptionError, SourceError, TamisError
from tamis.sources.quantities import parse_duration, parse_size

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the job and return the exit code."""
    given = _parser().parse_args(arguments)
    if given.path:
        print(Path(__file__).resolve())  # noqa: T201 (a script)
        return 0
    try:
        return _run(given)
    except TamisError as error:
        print(f"error: {error}", file=sys.stderr)  # noqa: T201 (a script)
        return 2


def _run(given: argparse.Namespace) -> int:
    inputs = [*given.inputs, *_listed(given.list, given.prefix)]
    if not inputs or given.output is None:
        raise OptionError("give inputs (or --list) and an output (-o)")
    choice = Options(extractor=given.extractor)
    choice.resolve()  # an unknown name is an error before Spark starts
    rows = RowOptions(
        read_columns(given.columns),
        choice,
        max_bytes=given.max_bytes,
        filters=Filters(
            frozenset(_names(given.languages)) or None,
            given.min_confidence,
            frozenset(_names(given.page_types)) or None,
            given.min_words,
        ),
        keep_dropped=given.keep_dropped,
    )
    options = JobOptions(rows, given.workers, given.wall_timeout, given.max_memory)
    spark = open_session()
    frame = extract(_input(spark, inputs, given.partitions), options)
    writer = frame.write.mode("overwrite" if given.overwrite else "errorifexists")
    if given.to == "json":
        writer.json(given.output)
    else:
        writer.parquet(given.output)
    written = spark.read.json(given.output) if given.to == "json" else spark.read.parquet(given.output)
    counts = {row["status"]: row["count"] for row in written.groupBy("status").count().collect()}
    shown = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    print(f"{sum(counts.values())} pages: {shown}", file=sys.stderr)  # noqa: T201 (a script)
    spark.stop()
    return 0 if counts.get("ok") else 1


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _input(spark: "SparkSession", inputs: list[str], partitions: int | None) -> "DataFrame":
    tables = [name for name in inputs if name.rstrip("/").endswith(".parquet")]
    if not tables:
        return path_frame(spark, inputs, partitions)
    if len(tables) < len(inputs):
        raise OptionError("give Parquet or archives, not both")
    table = spark.read.parquet(*tables)
    wanted = {"id", "encoding", *HTML_COLUMNS, *URL_COLUMNS}
    chosen = table.select([name for name in table.columns if name in wanted])
    return chosen.repartition(partitions) if partitions else chosen


def _listed(name: str | None, prefix: str) -> list[str]:
    """Return the paths in a file, one on each line, as Common Crawl lists them."""
    if name is None:
        return []
    try:
        data = Path(name).read_bytes()
        text = gzip.decompress(data) if name.endswith(".gz") else data
    except (OSError, EOFError) as error:
        raise SourceError(f"{name}: {error}") from error
    return [prefix + line for line in text.decode().split()]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="spark_extract", description="Extract the pages of a crawl on Spark.")
    add, limits = parser.add_argument, JobOptions()
    add("inputs", nargs="*", help="WARC files and other archives, folders, or Parquet with a column html")
    add("-o", "--output", help="folder for the rows")
    add("--list", help="file with the paths of inputs, one on each line; may be gzipped")
    add("--prefix", default="", help="what the paths of --list begin with, such as s3://commoncrawl/")
    add("--columns", default=",".join(RowOptions().columns), help="columns of a row (default: %(default)s)")
    add("-e", "--extractor", default="sift", help="extraction method (default: %(default)s)")
    add("--to", choices=["parquet", "json"], default="parquet", help="format of the output (default: %(default)s)")
    add("--overwrite", action="store_true", help="replace the output if it exists")
    add("--partitions", type=int, help="number of tasks (default: one for each archive; as Spark splits Parquet)")
    add("--workers", type=int, default=1, help="worker processes for each task (default: %(default)s)")
    add("--max-bytes", type=parse_size, default=50_000_000, help="size of a page: larger ones are not read (50MB)")
    add("--wall-timeout", type=parse_duration, default=limits.wall_timeout, help="time for a page (30s)")
    add("--max-memory", type=parse_size, default=limits.max_memory, help="memory of a worker process (2GB)")
    add("--languages", default="", help="keep pages in these languages, and those of unknown language: en,de")
    add("--page-types", default="", help="keep pages of these types")
    add("--min-confidence", type=float, help="keep pages of at least this confidence")
    add("--min-words", type=int, help="keep pages with at least this many words")
    add("--keep-dropped", action="store_true", help="also write the content of dropped pages")
    add("--path", action="store_true", help="print the path of this script, for spark-submit, and exit")
    return parser


if __name__ == "__main__":
    sys.exit(main())
