"""A batch whose disk fills or whose input vanishes: a clear error, and nothing is lost."""

import json
import resource
from contextlib import contextmanager
from functools import partial

import pytest

from tamis.batch import BatchOptions, run
from tamis.errors import OptionError, SourceError
from tests.batch.pages import article

pytestmark = pytest.mark.slow  # processes


@pytest.fixture
def crawl(tmp_path):
    (tmp_path / "crawl").mkdir()
    for number in range(24):
        (tmp_path / "crawl" / f"page{number:02}.html").write_text(article(number))
    return tmp_path / "crawl"


@contextmanager
def files_up_to(size):
    """Let no file of this process grow beyond a size: writing fails as on a disk that is full, at the same calls."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "out.csv", "out.parquet", "out"])
def test_batch_whose_disk_fills_is_resumed_without_loss(crawl, tmp_path, name):
    start = partial(run, [str(crawl)], options=BatchOptions(workers=1, resume=True, chunk_rows=4))
    calm, full = tmp_path / "calm" / name, tmp_path / "full" / name
    start(calm)
    size = (calm / "rows.jsonl" if calm.is_dir() else calm).stat().st_size
    with files_up_to(size * 2 // 3), pytest.raises(SourceError, match=f"cannot write .*{name}: .*file too large"):
        start(full)
    assert full.with_name(full.name + ".state").exists()
    summary = start(full)  # there is room again
    assert 0 < summary.resumed <= 24
    assert contents(full) == contents(calm)
    assert not full.with_name(full.name + ".state").exists()


def contents(path):
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    return {file.relative_to(path).as_posix(): file.read_bytes() for file in files if file.is_file()}


def test_pages_that_vanish_are_rows_with_an_error_and_the_others_arrive(tmp_path):
    # One worker reads at most four tasks of sixteen pages ahead: the last pages are read after the first rows.
    crawl = tmp_path / "crawl"
    crawl.mkdir()
    for number in range(120):
        (crawl / f"page{number:03}.html").write_text(article(number))

    def remove(_summary):
        for number in (117, 119):
            (crawl / f"page{number}.html").unlink(missing_ok=True)

    options = BatchOptions(workers=1, chunk_rows=2)
    summary = run([str(crawl)], tmp_path / "out.jsonl", options=options, progress=remove)
    rows = {row["id"]: row for row in map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())}
    assert len(rows) == 120
    assert summary.statuses == {"ok": 118, "error": 2}
    for number in (117, 119):
        # Gone when it is listed, or when a worker reads it.
        message = rows[f"page{number}.html"]["error"].removeprefix("cannot be read: ")
        assert message == "no such file or directory"


@pytest.mark.parametrize("name", ["out.jsonl", "out.jsonl.gz", "out.jsonl.zst", "out.csv", "out.parquet", "out"])
def test_every_sink_has_the_rows_of_inputs_that_vanish(crawl, tmp_path, name):
    output = tmp_path / "result" / name
    options = BatchOptions(workers=1, chunk_rows=2)
    summary = run([str(tmp_path / "gone.zip"), str(crawl), str(tmp_path / "gone.warc")], output, options=options)
    assert summary.statuses == {"ok": 24, "error": 2}
    run([str(crawl)], tmp_path / "all" / name, options=options)
    whole = tmp_path / "all" / name
    sizes = [sum(len(value) for value in contents(path).values()) for path in (output, whole)]
    assert sizes[0] > sizes[1] > 0  # the rows of the pages, and two more


def test_inputs_that_are_gone_are_rows_with_an_error_and_the_others_arrive(tmp_path):
    (tmp_path / "a.html").write_text(article(1))
    gone = ["crawl", "pages.jsonl", "crawl.warc.gz", "pages.zip", "pages.parquet"]
    summary = run([str(tmp_path / name) for name in (*gone, "a.html")], tmp_path / "out.jsonl")
    assert summary.statuses == {"error": 5, "ok": 1}
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    for name, row in zip(gone, rows[:5], strict=True):
        assert name in row["id"]
        assert "no such file" in row["error"].lower()


def test_batch_without_workers_is_told(tmp_path):
    with pytest.raises(OptionError, match="at least one worker"):
        run([str(tmp_path)], tmp_path / "out.jsonl", options=BatchOptions(workers=0))
