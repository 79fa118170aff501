"""A Spark job of your own: extract the pages of a Parquet table, drop duplicates and short texts, write the rest.

::

    python examples/spark_job.py pages.parquet documents/           # on this machine
    spark-submit --master yarn examples/spark_job.py s3a://…/pages s3a://…/documents

``tamis.batch.scripts.spark_extract`` is a ready job over WARC files or Parquet, without duplicates being dropped.
"""

import sys

from pyspark.sql import functions

from tamis.batch import RowOptions
from tamis.batch.job import JobOptions
from tamis.batch.spark import extract, open_session

MIN_WORDS = 20


def main(pages: str, output: str) -> None:
    """Extract, deduplicate and write."""
    spark = open_session()
    options = JobOptions(RowOptions(("title", "text", "words", "confidence")), wall_timeout=20)
    rows = extract(spark.read.parquet(pages).select("id", "url", "html"), options)
    documents = (
        rows.where((rows.status == "ok") & (rows.words >= MIN_WORDS))
        .withColumn("digest", functions.sha2("text", 256))
        .dropDuplicates(["digest"])
        .drop("digest")
    )
    documents.write.mode("overwrite").parquet(output)
    print(f"{spark.read.parquet(output).count()} documents")


if __name__ == "__main__":
    main(*sys.argv[1:])
