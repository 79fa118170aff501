"""Extraction on Ray Data: a class for ``Dataset.map_batches``.

::

    pages = ray.data.read_parquet("s3://bucket/pages/")        # html, and url and id if known
    extract(pages, JobOptions(RowOptions(("title", "text")))).write_parquet("rows/")

Rows of one block keep the order of its pages. Blocks come when they are ready, unless
``DataContext.get_current().execution_options.preserve_order`` is set.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from tamis.batch.job import JobOptions, extract_batches
from tamis.sources.readers import id_prefixes

if TYPE_CHECKING:
    from ray.data import Dataset

#: Pages that a worker of Ray gets at once: few, because a page may be megabytes.
BATCH_ROWS: Final = 64


class BatchExtractor:
    """Extracts the pages of Arrow tables. Ray makes one in each of its workers, which then loads the model once."""

    def __init__(self, options: JobOptions | None = None) -> None:
        self._options = options or JobOptions()

    def __call__(self, table: Any) -> Iterator[Any]:  # noqa: ANN401 (pyarrow has no types)
        """Yield the rows of a table of pages, as tables."""
        import pyarrow as pa  # noqa: PLC0415 (an extra)

        for batch in extract_batches(table.to_batches(), self._options):
            yield pa.Table.from_batches([batch])


def extract(
    dataset: "Dataset",
    options: JobOptions | None = None,
    *,
    concurrency: int | tuple[int, int] | None = None,
    batch_size: int = BATCH_ROWS,
) -> "Dataset":
    """Return a dataset with one row for each page of another.

    Args:
        dataset: pages (``html``, and ``url`` and ``id`` if known), or paths of archives (``path``): see
            `tamis.batch.job.extract_batches`.
        options: the columns of a row, and the limits of a page.
        concurrency: the number of workers of Ray, or the least and the largest number; as many as the cluster has
            CPUs for if None. Each one takes a CPU for each of its processes.
        batch_size: rows that a worker gets at once. For paths, 1.
    """
    import ray  # noqa: PLC0415 (an extra)

    chosen = options or JobOptions()
    cpus = max(1, chosen.workers)
    if concurrency is None:
        if not ray.is_initialized():
            ray.init()
        concurrency = (1, max(1, int(ray.cluster_resources().get("CPU", 1) // cpus)))
    return dataset.map_batches(
        BatchExtractor,
        fn_constructor_args=(chosen,),
        batch_format="pyarrow",
        batch_size=batch_size,
        concurrency=concurrency,
        num_cpus=cpus,
    )


def path_dataset(paths: Sequence[str]) -> "Dataset":
    """Return a dataset of paths, one in each block, so that a cluster reads them in parallel.

    With several paths, the ids of their pages begin with their names, as they do in `tamis.batch.run`.
    """
    import ray.data  # noqa: PLC0415 (an extra)

    rows = [{"path": path, "id": prefix.rstrip("/")} for path, prefix in zip(paths, id_prefixes(paths), strict=True)]
    return ray.data.from_items(rows, override_num_blocks=max(1, len(rows)))
