"""Ray Data: the example and the code of the document. What all runners share is in test_contract.py."""

import runpy

import pyarrow.parquet as pq
import pytest

from tests.batch.pages import gzipped, html_response
from tests.batch.runners import ROOT, run_documented_code, set_python_path

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # Ray warns about itself
ray = pytest.importorskip("ray", reason="ray is not installed: see `make test-engines`")


@pytest.fixture
def local_ray():
    set_python_path()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=300_000_000)
    yield
    ray.shutdown()


@pytest.mark.usefixtures("local_ray")
def test_code_of_the_document_runs(tmp_path):
    names = run_documented_code("Ray Data", tmp_path)
    assert sorted(row["title"] for row in names["rows"].take_all()) == ["Page 0", "Page 1", "Page 2"]
    assert [row["status"] for row in names["more"].take_all()] == ["ok", "ok"]


@pytest.mark.usefixtures("local_ray")
def test_example_reads_warc_files(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.warc.gz").write_bytes(gzipped(*(html_response(number) for number in range(3))))
    example = runpy.run_path(str(ROOT / "examples" / "ray_job.py"))
    example["main"](str(tmp_path / "rows"), *(str(tmp_path / f"{name}.warc.gz") for name in "ab"))
    rows = pq.read_table(tmp_path / "rows").to_pylist()
    assert sorted(row["id"] for row in rows) == [
        f"{name}.warc.gz/urn:test:https://example.org/{number}" for name in "ab" for number in range(3)
    ]
    assert {row["status"] for row in rows} == {"ok"}
