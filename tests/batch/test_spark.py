"""Spark: the ready job, a cluster of two executors, and the example."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tamis.api.options import Options
from tamis.batch import RowOptions
from tamis.batch.job import JobOptions
from tests.batch.hostile import Counting
from tests.batch.pages import article, gzipped, html_response
from tests.batch.runners import JAVA_OPTIONS, ROOT, page_table, run_documented_code, set_python_path

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # Spark warns about itself

#: What Spark says where a machine cannot start executors as processes of their own.
NO_CLUSTER = ("Cannot run program", "Master removed our application", "All masters are unresponsive")


def test_worker_is_kept_for_all_tasks_of_a_process_of_spark(spark, tmp_path):
    options = JobOptions(RowOptions(("text",), Options(extractor=Counting(str(tmp_path)))))
    pages = [{"id": str(number), "html": article(number)} for number in range(12)]
    for _ in range(2):  # two jobs of three tasks each
        assert len(spark.rows(pages, options)) == 12
    assert 1 <= len(list(tmp_path.iterdir())) <= 2


def test_few_pages_are_handed_over_at_once(spark):
    assert spark.session.conf.get("spark.sql.execution.arrow.maxRecordsPerBatch") == "64"


def test_ready_job_reads_parquet(spark, tmp_path, monkeypatch, capsys):
    from tamis.batch.scripts import spark_extract  # noqa: PLC0415 (an extra)

    monkeypatch.setattr(type(spark.session), "stop", lambda _: None)  # the session of all tests
    pages = [{"id": str(number), "html": article(number)} for number in range(6)]
    pages[3]["html"] = ""
    pq.write_table(page_table(pages), tmp_path / "pages.parquet")
    arguments = [
        str(tmp_path / "pages.parquet"),
        "-o",
        str(tmp_path / "rows"),
        "--columns",
        "title,words",
        "--to",
        "json",
    ]
    assert spark_extract.main([*arguments, "--min-words", "5", "--partitions", "2"]) == 0
    assert "6 pages: 1 empty, 5 ok" in capsys.readouterr().err
    rows = spark.session.read.json(str(tmp_path / "rows")).collect()
    assert {row["id"]: row["title"] for row in rows} == {
        str(number): None if number == 3 else f"Page {number}" for number in range(6)
    }


def test_code_of_the_document_runs(spark, tmp_path):
    names = run_documented_code("Spark", tmp_path)
    assert names["spark"] is spark.session
    assert sorted(row["title"] for row in names["rows"].collect()) == ["Page 0", "Page 1", "Page 2"]
    assert [row["status"] for row in names["more"].collect()] == ["ok", "ok"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give inputs"),
        (["a.warc", "-o", "out", "--columns", "taste"], "no column is named 'taste'"),
        (["a.warc", "-o", "out", "-e", "magic"], "no extractor is named"),
        (["-o", "out", "--list", "/nowhere/warc.paths"], "/nowhere/warc.paths"),
    ],
)
def test_wrong_use_of_the_ready_job_is_one_line(arguments, message, capsys):
    from tamis.batch.scripts import spark_extract  # noqa: PLC0415 (an extra)

    assert spark_extract.main(arguments) == 2
    said = capsys.readouterr().err
    assert message in said
    assert len(said.splitlines()) == 1


def test_cluster_of_two_executors_runs_the_ready_job_over_a_list_of_warc_files(tmp_path):
    pyspark = pytest.importorskip("pyspark")
    set_python_path()
    for number in range(4):
        responses = (html_response(3 * number + k) for k in range(3))
        (tmp_path / f"{number}.warc.gz").write_bytes(gzipped(*responses))
    (tmp_path / "warc.paths").write_text("".join(f"{number}.warc.gz\n" for number in range(4)))
    where = [sys.executable, "-m", "tamis.batch.scripts.spark_extract", "--path"]
    script = subprocess.run(where, capture_output=True, text=True, check=True).stdout.strip()
    submit = Path(pyspark.__file__).parent / "bin" / "spark-submit"
    settings = ["--master", "local-cluster[2,1,1024]", "--conf", "spark.ui.enabled=false"]
    settings += ["--driver-java-options", JAVA_OPTIONS, "--conf", f"spark.executor.extraJavaOptions={JAVA_OPTIONS}"]
    arguments = ["--list", tmp_path / "warc.paths", "--prefix", f"{tmp_path}/", "-o", tmp_path / "rows"]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    environment["SPARK_LOCAL_IP"] = "127.0.0.1"
    done = subprocess.run(
        [submit, *settings, script, *arguments],
        check=False,
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
    )
    if done.returncode and any(reason in done.stderr for reason in NO_CLUSTER):
        pytest.skip(f"no local cluster here: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr[-3000:]
    assert "12 pages: 12 ok" in done.stdout  # spark-submit prints there what a script prints to standard error
    rows = pq.read_table(tmp_path / "rows").to_pylist()
    names = sorted(f"{number // 3}.warc.gz/urn:test:https://example.org/{number}" for number in range(12))
    assert sorted(row["id"] for row in rows) == names


def test_example_drops_duplicates_and_pages_without_content(spark, tmp_path, capsys):
    pages = [{"id": str(number), "html": article(number // 2)} for number in range(8)]
    pages.append({"id": "empty", "html": "<p></p>"})
    pq.write_table(page_table(pages), tmp_path / "pages.parquet")
    example = runpy.run_path(str(ROOT / "examples" / "spark_job.py"))
    example["main"](str(tmp_path / "pages.parquet"), str(tmp_path / "documents"))
    assert capsys.readouterr().out == "4 documents\n"
    rows = spark.session.read.parquet(str(tmp_path / "documents")).collect()
    assert {row["title"] for row in rows} == {f"Page {number}" for number in range(4)}


def test_limits_of_the_ready_job_are_those_of_the_command():
    from tamis.batch.scripts import spark_extract  # noqa: PLC0415 (an extra)

    given = spark_extract._parser().parse_args(["--max-bytes", "20MB", "--wall-timeout", "1m", "--max-memory", "1GB"])
    assert (given.max_bytes, given.wall_timeout, given.max_memory) == (20_000_000, 60.0, 1_000_000_000)
