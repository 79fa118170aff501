"""Ray Data over WARC files: each worker reads a file and extracts its pages; rows are written as Parquet.

::

    python examples/ray_job.py rows/ crawl/*.warc.gz
"""

import sys

from tamis.batch import RowOptions
from tamis.batch.job import JobOptions
from tamis.batch.ray import extract, path_dataset


def main(output: str, *paths: str) -> None:
    """Extract and write."""
    options = JobOptions(RowOptions(("title", "text", "confidence")), wall_timeout=20)
    rows = extract(path_dataset(paths), options, batch_size=1)
    rows.write_parquet(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
