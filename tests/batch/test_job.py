"""The function that engines call: what it reads, and what it keeps between calls."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import tamis
from tamis.api.options import Options
from tamis.batch import RowOptions
from tamis.batch.job import JobOptions, close_reusable_pool, extract_batches, reusable_pool
from tamis.processes import Supervisor
from tests.batch.hostile import Counting, Hostile
from tests.batch.pages import article, gzipped, html_response
from tests.needs import needs

IN_PROCESS = JobOptions(RowOptions(("title",)), workers=0)


def rows(table, options=IN_PROCESS):
    return [row for batch in extract_batches(table.to_batches(), options) for row in batch.to_pylist()]


@pytest.fixture(autouse=True)
def _no_pool_is_left():
    yield
    close_reusable_pool()


@pytest.mark.slow
def test_it_imports_no_engine():
    program = "import sys, tamis.batch.job; print({'pyspark', 'ray', 'datatrove', 'pandas'} & set(sys.modules))"
    environment = {**os.environ, "PYTHONPATH": str(Path(tamis.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment
    )
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("name", ["html", "content", "body", "raw_content"])
@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.binary(), pa.large_binary()], ids=str)
def test_columns_of_html_by_their_common_names_and_types(name, kind):
    table = pa.table({name: pa.array([article(1).encode()]).cast(kind), "source_url": ["https://example.org/1"]})
    (row,) = rows(table)
    assert (row["id"], row["url"], row["title"]) == ("https://example.org/1", "https://example.org/1", "Page 1")


def test_ids_are_those_of_the_column_else_urls_else_numbers():
    table = pa.table({
        "id": [7, None, None], "url": ["https://example.org/7", "https://example.org/8", None],
        "html": [article(n) for n in (7, 8, 9)],
    })  # fmt: skip
    assert [row["id"] for row in rows(table)] == ["7", "https://example.org/8", "row 3"]


def test_page_without_html_is_a_row_and_nothing_is_downloaded():
    table = pa.table({"url": ["https://example.org/1"], "html": pa.array([None], pa.string())})
    (row,) = rows(table)
    assert (row["status"], row["error"]) == ("error", "has none of html, content, body, raw_content, and no path")


def test_encoding_of_the_crawl_is_used():
    table = pa.table({"html": ["<title>Größe</title><p>Größe".encode("latin-1")], "encoding": ["iso-8859-1"]})
    assert rows(table)[0]["title"] == "Größe"


def test_paths_are_read_and_their_ids_begin_with_the_id_of_the_path(tmp_path):
    (tmp_path / "a.warc.gz").write_bytes(gzipped(html_response(1), html_response(2)))
    path = str(tmp_path / "a.warc.gz")
    assert [row["title"] for row in rows(pa.table({"path": [path]}))] == ["Page 1", "Page 2"]
    found = rows(pa.table({"path": [path, str(tmp_path / "b.warc")], "id": ["crawl", "other"]}))
    assert [row["id"] for row in found[:2]] == [f"crawl/urn:test:https://example.org/{number}" for number in (1, 2)]
    assert (found[2]["id"], found[2]["status"]) == ("other/(end)", "error")
    assert "no such file" in found[2]["error"]


@pytest.mark.slow
def test_batches_are_bounded():
    table = pa.table({"html": [article(number) for number in range(600)]})
    sizes = [batch.num_rows for batch in extract_batches(table.to_batches(), JobOptions(RowOptions(()), workers=0))]
    assert sizes == [256, 256, 88]


@pytest.mark.slow  # processes
def test_a_worker_loads_once_and_serves_many_calls(tmp_path):
    for _ in range(3):
        options = JobOptions(RowOptions(("text",), Options(extractor=Counting(str(tmp_path)))))
        assert len(rows(pa.table({"html": [article(1), article(2)]}), options)) == 2
    assert len(list(tmp_path.iterdir())) == 1
    other = JobOptions(RowOptions(("title",), Options(extractor=Counting(str(tmp_path)))))
    rows(pa.table({"html": [article(1)]}), other)
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.slow  # processes
def test_caller_that_stops_early_leaves_no_busy_worker():
    options = JobOptions(RowOptions(("text",), Options(extractor=Hostile())), wall_timeout=None)
    pages = pa.table({"html": [f"<p>fine {number}" for number in range(400)] + ["<p>hang now"] * 4})
    batches = extract_batches(pages.to_batches(), options)
    assert next(batches).num_rows == 256
    batches.close()
    assert [row["status"] for row in rows(pages.slice(0, 3), options)] == ["ok"] * 3


@pytest.mark.slow  # processes
def test_two_jobs_at_once_have_workers_of_their_own(tmp_path):
    options = JobOptions(RowOptions(("text",), Options(extractor=Counting(str(tmp_path)))))
    table = pa.table({"html": [article(number) for number in range(300)]})
    first, second = (extract_batches(table.to_batches(), options) for _ in range(2))
    assert [next(each).num_rows for each in (first, second, first, second)] == [256, 256, 44, 44]
    assert [list(first), list(second)] == [[], []]
    assert len(list(tmp_path.iterdir())) == 2


class Arrays:
    """Options that hold arrays compare to an array, which has no truth value."""

    def __init__(self):
        self.weights = np.arange(3)

    def __eq__(self, other):
        return bool(self.weights == other.weights)

    __hash__ = None

    def __call__(self, task):
        return task


def test_options_with_arrays_are_compared_by_their_pickles():
    with reusable_pool(Supervisor(Arrays())) as pool:
        pass
    with reusable_pool(Supervisor(Arrays())) as again:
        assert again is pool


@needs("fork")
def test_forked_process_makes_a_pool_of_its_own():
    with reusable_pool(Supervisor(len)) as pool:
        pass
    child = os.fork()
    if child == 0:
        with reusable_pool(Supervisor(len)) as other:
            os._exit(0 if other is not pool else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
