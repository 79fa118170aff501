"""Batches that learn the sites of their pages first."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from tamis.api.options import Options
from tamis.batch import BatchOptions, RowOptions, run
from tamis.errors import OptionError
from tests.sites.pages import NOTICE, TOPICS, page
from tests.waiting import wait_until

ROWS = RowOptions(("text",))


@pytest.fixture
def crawl(tmp_path):
    lines = []
    for number, topic in enumerate(TOPICS):
        lines.append({"id": f"v{number}", "url": f"https://valley.example/{number}", "html": page(topic)})
        # A host with one page, and pages without a host: nothing is learned about them.
        lines.append(
            {"id": f"o{number}", "url": f"https://{number}.example/", "html": page(topic, host=f"{number}.example")}
        )
    lines.append({"id": "broken", "url": "https://valley.example/broken", "html": 7})
    path = tmp_path / "crawl.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def read(path):
    return {row["id"]: row for row in map(json.loads, path.read_text().splitlines())}


@pytest.mark.slow
def test_what_repeats_on_a_host_is_dropped_from_its_pages_alone(crawl, tmp_path):
    run([str(crawl)], tmp_path / "plain.jsonl", row_options=ROWS)
    summary = run([str(crawl)], tmp_path / "sites.jsonl", options=BatchOptions(by_site=True), row_options=ROWS)
    plain, by_site = read(tmp_path / "plain.jsonl"), read(tmp_path / "sites.jsonl")
    assert list(plain) == list(by_site)
    assert summary.rows == 2 * len(TOPICS) + 1
    for number, topic in enumerate(TOPICS):
        assert NOTICE in plain[f"v{number}"]["text"]
        assert NOTICE not in by_site[f"v{number}"]["text"]
        assert f"{topic} came late" in by_site[f"v{number}"]["text"]
        assert by_site[f"o{number}"] == plain[f"o{number}"]
    assert by_site["broken"]["status"] == "error"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crawl.jsonl", "plain.jsonl", "sites.jsonl"]


@pytest.mark.slow
def test_interrupted_run_is_resumed_with_the_same_bytes(crawl, tmp_path):
    options = BatchOptions(by_site=True, chunk_rows=2)
    run([str(crawl)], tmp_path / "whole.jsonl", options=options, row_options=ROWS)
    code = (
        "import sys; from pathlib import Path; from tamis.batch import *\n"
        "if __name__ == '__main__':\n"
        "    run([sys.argv[1]], Path(sys.argv[2]), options=BatchOptions(by_site=True, chunk_rows=2, resume=True),"
        " row_options=RowOptions(('text',)))\n"
    )
    script = tmp_path / "again.py"
    script.write_text(code)
    output = tmp_path / "killed.jsonl"
    state, sites = tmp_path / "killed.jsonl.state", tmp_path / "killed.jsonl.sites"

    def has_rows():
        with suppress(FileNotFoundError):  # it has finished
            return '"ok"' in state.read_text()

    reached = (state.exists, sites.exists, has_rows)
    for moment in reached:
        child = subprocess.Popen([sys.executable, script, crawl, output], start_new_session=True)
        wait_until(lambda child=child, moment=moment: child.poll() is not None or moment())
        with suppress(ProcessLookupError):  # it has finished
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
    run([str(crawl)], output, options=BatchOptions(by_site=True, chunk_rows=2, resume=True), row_options=ROWS)
    assert output.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_by_site_needs_pages_that_can_be_read_twice_and_sift(crawl, tmp_path):
    options = BatchOptions(by_site=True)
    with pytest.raises(OptionError, match="standard input"):
        run(["-"], tmp_path / "out.jsonl", options=options)
    with pytest.raises(OptionError, match="not with cetd"):
        run([str(crawl)], tmp_path / "out.jsonl", options=options, row_options=RowOptions(options=Options("cetd")))
    rows = RowOptions(options=Options(profile=tmp_path))
    with pytest.raises(OptionError, match="not both"):
        run([str(crawl)], tmp_path / "out.jsonl", options=options, row_options=rows)


@pytest.mark.slow
def test_command(run_tamis, crawl, tmp_path):
    done = run_tamis("batch", crawl, "-o", tmp_path / "out.jsonl", "--by-site", "-j", "1")
    assert done.returncode == 0, done.stderr
    assert NOTICE not in read(tmp_path / "out.jsonl")["v0"]["text"]
