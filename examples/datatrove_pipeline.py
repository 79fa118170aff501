"""A corpus of text from WARC files with DataTrove: Tamis extracts, DataTrove filters and removes near duplicates.

::

    python examples/datatrove_pipeline.py crawl/ corpus/ 8

reads ``crawl/*.warc.gz`` in eight tasks and writes ``corpus/documents/*.jsonl.gz``. What was dropped, and why, is in
``corpus/dropped``. On a cluster, `SlurmPipelineExecutor` takes the place of `LocalPipelineExecutor`.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.dedup import (
    MinhashDedupBuckets,
    MinhashDedupCluster,
    MinhashDedupFilter,
    MinhashDedupSignature,
)
from datatrove.pipeline.dedup.minhash import MinhashConfig
from datatrove.pipeline.filters import GopherQualityFilter, LambdaFilter
from datatrove.pipeline.readers import JsonlReader, WarcReader
from datatrove.pipeline.writers import JsonlWriter

from tamis.batch import RowOptions
from tamis.batch.datatrove import Tamis
from tamis.batch.job import JobOptions

MIN_CONFIDENCE = 0.3


def main(crawl: str, output: str, tasks: int = 2) -> None:
    """Extract, filter and deduplicate."""
    corpus = Path(output).resolve()
    extracted, hashes = str(corpus / "extracted"), corpus / "minhash"
    options = JobOptions(RowOptions(("text", "title", "page_type", "confidence")), wall_timeout=20)

    def run(name: str, steps: Sequence[PipelineStep], tasks: int) -> None:
        LocalPipelineExecutor(list(steps), tasks=tasks, workers=2, logging_dir=str(corpus / "logs" / name)).run()

    extract = [
        WarcReader(crawl, glob_pattern="*.warc.gz"),
        Tamis(options, exclusion_writer=JsonlWriter(str(corpus / "dropped" / "extraction"))),
        LambdaFilter(is_confident, exclusion_writer=JsonlWriter(str(corpus / "dropped" / "confidence"))),
        GopherQualityFilter(exclusion_writer=JsonlWriter(str(corpus / "dropped" / "quality"))),
        JsonlWriter(extracted),
    ]
    run("extract", extract, tasks)
    config = MinhashConfig()
    run("signatures", [JsonlReader(extracted), MinhashDedupSignature(str(hashes / "signatures"), config)], tasks)
    buckets = MinhashDedupBuckets(str(hashes / "signatures"), str(hashes / "buckets"), config=config)
    run("buckets", [buckets], config.num_buckets)
    run("clusters", [MinhashDedupCluster(str(hashes / "buckets"), str(hashes / "remove"), config=config)], 1)
    deduplicate = [
        JsonlReader(extracted),
        MinhashDedupFilter(
            str(hashes / "remove"), exclusion_writer=JsonlWriter(str(corpus / "dropped" / "duplicates"))
        ),
        JsonlWriter(str(corpus / "documents")),
    ]
    run("deduplicate", deduplicate, tasks)


def is_confident(document: object) -> bool:
    """Tell whether Tamis expects to have found the content."""
    return document.metadata.get("confidence", 1.0) >= MIN_CONFIDENCE  # type: ignore[attr-defined]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
