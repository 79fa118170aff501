"""A batch that a test starts as a program of its own, to kill it."""

import sys
from pathlib import Path

from tamis.batch import BatchOptions, RowOptions, run

if __name__ == "__main__":
    source, output = sys.argv[1:]
    columns = RowOptions(("text", "title", "page_type", "confidence", "authors"))
    options = BatchOptions(workers=2, resume=True, chunk_rows=4)
    run([source], Path(output), options=options, row_options=columns)
