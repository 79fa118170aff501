"""The same extraction over many pages: a folder, a crawl on one machine, or a cluster.

::

    sources ─► Record (id, url, bytes) ─► worker processes ─► Row (id, url, status, …) ─► sink

Each page gives exactly one row, whatever happens to it. `tamis.batch.run` writes rows to a file or a folder, and can
be resumed after a kill at any moment; `tamis.batch.extract_many` yields them. `tamis.batch.job` is the same as a
function from Arrow batches to Arrow batches, which engines such as Spark run on many machines.
"""

from tamis.batch.extract_many import extract_many
from tamis.batch.rows import RowOptions, to_arrow
from tamis.batch.run import BatchOptions, Summary, run
from tamis.sources.records import Record

__all__ = ["BatchOptions", "Record", "RowOptions", "Summary", "extract_many", "run", "to_arrow"]
