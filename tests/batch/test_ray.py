"""Ray Data: the example. What Ray shares with the other runners is in test_contract.py."""

import runpy

import pyarrow.parquet as pq
import pytest

from tests.batch.pages import gzipped, html_response
from tests.batch.runners import ROOT, set_python_path

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # Ray warns about itself
ray = pytest.importorskip("ray", reason="ray is not installed: see `make test-engines`")


def test_example_reads_warc_files(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.warc.gz").write_bytes(gzipped(*(html_response(number) for number in range(3))))
    set_python_path()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=300_000_000)
    try:
        example = runpy.run_path(str(ROOT / "examples" / "ray_job.py"))
        example["main"](str(tmp_path / "rows"), *(str(tmp_path / f"{name}.warc.gz") for name in "ab"))
    finally:
        ray.shutdown()
    rows = pq.read_table(tmp_path / "rows").to_pylist()
    assert sorted(row["id"] for row in rows) == [
        f"{name}.warc.gz/urn:test:https://example.org/{number}" for name in "ab" for number in range(3)
    ]
    assert {row["status"] for row in rows} == {"ok"}
