"""Many pages on the command line: folders are mirrored, and worker processes change nothing but the time."""

import gzip
import json
import subprocess
import sys

import pyarrow.parquet as pq
import pytest

from tamis.cli.progress import Progress, describe_progress
from tests.batch.pages import article

NAMES = ["index.html", "a/index.html", "a/index.htm", "b/index.html.gz", "b/deep/er/page.xhtml"]


@pytest.fixture
def crawl(tmp_path, monkeypatch):
    for number, name in enumerate(NAMES):
        path = tmp_path / "crawl" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        data = article(number).encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    (tmp_path / "crawl" / "folder.html").mkdir()  # no page, whatever its name
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_output_folder_mirrors_the_input(run_tamis, crawl):
    done = run_tamis("crawl", "-o", "out")
    assert (done.returncode, done.stderr) == (0, "")
    found = files(crawl / "out")
    assert found.keys() == {
        "index.txt", "a/index.txt", "a/index.html.txt", "b/index.txt", "b/deep/er/page.txt"
    }  # fmt: skip
    assert b"This is page 0," in found["index.txt"]
    assert {b"This is page 1," in found["a/index.txt"], b"This is page 1," in found["a/index.html.txt"]} == {
        True,
        False,
    }
    assert b"This is page 3," in found["b/index.txt"]


def test_several_folders_have_a_folder_each(run_tamis, crawl):
    (crawl / "other").mkdir()
    (crawl / "other" / "index.html").write_text(article(9))
    (crawl / "alone.html").write_text(article(10))
    assert run_tamis("crawl", "other/", "alone.html", "-o", "out", "--md").returncode == 0
    assert {"crawl/a/index.md", "other/index.md", "alone.md"} < files(crawl / "out").keys()


def test_files_of_one_name_have_a_number(run_tamis, crawl):
    assert run_tamis("crawl/index.html", "crawl/a/index.html", "-o", "out/").returncode == 0
    assert files(crawl / "out").keys() == {"index.txt", "index-2.txt"}


@pytest.mark.parametrize("name", ["crawl.warc.gz", "pages.jsonl", "pages.zip"])
def test_archive_of_pages_names_the_other_command(run_tamis, crawl, name):
    (crawl / name).write_bytes(b"")
    done = run_tamis("crawl/index.html", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"tamis: {name} holds many pages; extract them with: tamis batch {name} -o rows.jsonl\n"


OUTPUTS = [
    (), ("--md",), ("--html", "--with-metadata"), ("--json",), ("-f", "xml"), ("-f", "csv"), ("--field", "title"),
    ("--chunks", "50"), ("-v",),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("flags", OUTPUTS, ids=" ".join)
def test_worker_processes_write_the_same(run_tamis, crawl, flags):
    (crawl / "crawl" / "empty.html").write_text("")
    (crawl / "crawl" / "broken.html.gz").write_bytes(b"\x1f\x8b broken")
    one, two = run_tamis("crawl", *flags, "-j", 1), run_tamis("crawl", *flags, "-j", 2)
    assert one.stdout == two.stdout != ""
    assert one.returncode == two.returncode == 1
    *messages, summary = two.stderr.splitlines(keepends=True)
    assert "".join(messages) == one.stderr
    assert summary.startswith("tamis: 7 pages: ")


@pytest.mark.slow
def test_worker_processes_write_the_same_files(run_tamis, crawl):
    for jobs in (1, 2):
        assert run_tamis("crawl", "-o", f"out{jobs}", "-j", jobs).returncode == 0
        assert run_tamis("crawl", "-o", f"out{jobs}.parquet", "-j", jobs, "-q").stderr == ""
    assert files(crawl / "out1") == files(crawl / "out2")
    assert (crawl / "out1.parquet").read_bytes() == (crawl / "out2.parquet").read_bytes()


@pytest.mark.parametrize("words", [("crawl", "-o", "crawl"), ("crawl/index.html", "-o", "crawl/index.html")])
def test_a_page_that_is_read_is_never_replaced(run_tamis, crawl, words):
    before = files(crawl / "crawl")
    for more in ((), ("--overwrite",)):
        done = run_tamis(*words, "--html", *more)
        assert done.returncode == 2
        assert "is a page that is read: name another output" in done.stderr
    assert run_tamis("explain", "crawl/index.html", "-o", "crawl/index.html").returncode == 2
    assert files(crawl / "crawl") == before


@pytest.mark.usefixtures("crawl")
@pytest.mark.parametrize("output", ["out/", "out.md"])
def test_outputs_of_several_pages_are_replaced_if_asked_for(run_tamis, output):
    assert run_tamis("crawl", "-o", output).returncode == 0
    done = run_tamis("crawl", "-o", output, "-e", "body")
    assert (done.returncode, done.stderr.count("exists: give --overwrite to replace it")) == (2, 1)
    assert run_tamis("crawl", "-o", output, "--overwrite").returncode == 0


@pytest.mark.slow
@pytest.mark.usefixtures("crawl")
def test_standard_input_is_one_of_many_pages(run_tamis):
    done = run_tamis("crawl", "-", "-j", 2, "--json", stdin=article(77).encode())
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert records[-1]["file"] == "-"
    assert "page 77" in records[-1]["text"]


@pytest.mark.slow
def test_an_error_that_every_page_has_ends_the_run(run_tamis, crawl, monkeypatch):
    monkeypatch.setenv("TAMIS_CHROMIUM", str(crawl / "nowhere"))
    done = run_tamis("crawl", "--render", "-j", 2)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "nowhere is not an executable file" in done.stderr


PROCESSES = """
import sys
from tamis.cli import main
sys.argv = ["tamis", *sys.argv[1:]]
try: main()
except SystemExit: pass
names = ("multiprocessing", "tamis.batch", "tamis.processes")
print([name for name in names if name in sys.modules], file=sys.stderr)
"""


@pytest.mark.slow
@pytest.mark.parametrize("names", [["crawl/index.html"], ["crawl"]])
def test_few_pages_start_no_processes_and_do_not_import_their_code(crawl, names):
    done = subprocess.run([sys.executable, "-c", PROCESSES, *names], cwd=crawl, capture_output=True, check=True)
    assert done.stderr == b"[]\n"


@pytest.mark.slow
def test_hundred_pages_start_processes(crawl):
    for number in range(100):
        (crawl / "crawl" / f"{number}.html").write_text(article(number))
    done = subprocess.run([sys.executable, "-c", PROCESSES, "crawl", "-o", "out"], cwd=crawl, capture_output=True)  # noqa: PLW1510
    assert b"tamis: 105 pages: 105 ok; " in done.stderr
    assert b"tamis.processes" in done.stderr
    assert len(files(crawl / "out")) == 105


def test_progress_shows_the_share_and_the_time_left():
    from tamis.batch import Summary  # noqa: PLC0415 (beside its use)

    summary = Summary(seconds=10.0, total=400)
    summary.statuses.update(ok=90, error=10)
    bar = "█████···············"
    assert describe_progress(summary) == f"{bar} 100 of 400 pages (25%): 10 error, 90 ok; 10 pages/s, 30 s left"
    summary.total = None
    assert describe_progress(summary) == "100 pages: 10 error, 90 ok; 10 pages/s"


def test_progress_is_a_bar_on_a_terminal_and_lines_elsewhere(monkeypatch, capsys):
    from tamis.batch import Summary  # noqa: PLC0415 (beside its use)

    summary = Summary(seconds=1.0, total=4)
    summary.statuses["ok"] = 2
    for terminal, shown in ((True, "\r█"), (False, "tamis: █")):
        monkeypatch.setattr(sys.stderr, "isatty", lambda value=terminal: value)
        progress = Progress()
        progress._shown -= 60
        progress.show(summary)
        progress.show(summary)  # too soon
        assert capsys.readouterr().err.count(shown) == 1
        progress.clear()
        assert capsys.readouterr().err.startswith("\r ") == terminal


@pytest.mark.slow
def test_batch_that_has_finished_is_resumed_without_an_error(run_tamis, crawl):
    assert run_tamis("batch", "crawl", "-o", "rows.jsonl").returncode == 0
    rows = (crawl / "rows.jsonl").read_bytes()
    done = run_tamis("batch", "crawl", "-o", "rows.jsonl", "--resume")
    assert (done.returncode, done.stderr) == (0, "tamis: nothing to do: the earlier run has finished\n")
    assert (crawl / "rows.jsonl").read_bytes() == rows


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_folder_and_batch_write_the_same_rows(run_tamis, crawl, suffix):
    run_tamis("crawl", "-o", f"a.{suffix}", "-j", "2")
    run_tamis("batch", "crawl", "-o", f"b.{suffix}", "-j", "1")
    if suffix == "parquet":
        tables = [pq.read_table(crawl / f"{name}.parquet") for name in "ab"]
        assert tables[0].schema == tables[1].schema
        assert tables[0].to_pylist() == tables[1].to_pylist()
    else:
        assert (crawl / f"a.{suffix}").read_bytes() == (crawl / f"b.{suffix}").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("command", [(), ("batch",)])
@pytest.mark.parametrize("name", ["rows.jsonl", "rows.csv", "rows.parquet"])
def test_finished_output_is_replaced_only_when_asked(run_tamis, crawl, command, name):
    run = (*command, "crawl", "-o", name, "-j", "1")
    assert run_tamis(*run).returncode in {0, 1}
    written = (crawl / name).read_bytes()
    refused = run_tamis(*run)
    assert refused.returncode == 2
    assert "--resume" in refused.stderr
    assert "--overwrite" in refused.stderr
    assert (crawl / name).read_bytes() == written
    assert run_tamis(*run, "--overwrite", "--columns", "title").returncode in {0, 1}
    assert (crawl / name).read_bytes() != written


def test_batch_folder_that_has_files_is_not_written_into(run_tamis, crawl):
    (crawl / "out").mkdir()
    (crawl / "out" / "mine.txt").write_text("notes")
    done = run_tamis("batch", "crawl", "-o", "out")
    assert done.returncode == 2
    assert "--overwrite" in done.stderr


@pytest.mark.slow
def test_summary_names_what_went_wrong_and_errors_have_the_reasons(run_tamis, crawl):
    (crawl / "crawl" / "nothing.html").write_text("")
    done = run_tamis("batch", "crawl", "missing/", "-o", "rows.jsonl", "--errors", "errors.jsonl", "-j", "1")
    assert "tamis: 1 page, no such file or directory: missing/" in done.stderr
    errors = [json.loads(line) for line in (crawl / "errors.jsonl").read_text().splitlines()]
    reasons = {row["id"]: (row["status"], row["error"]) for row in errors}
    assert reasons["crawl/nothing.html"] == ("empty", "the page is empty")
    assert reasons["missing/"] == ("error", "no such file or directory")


@pytest.mark.parametrize("command", [(), ("batch",)])
def test_unknown_suffix_of_the_output_is_an_error_that_lists_the_known_ones(run_tamis, crawl, command):
    done = run_tamis(*command, "crawl", "-o", "tea.docx")
    assert done.returncode == 2
    assert "tea.docx" in done.stderr
    assert ".parquet" in done.stderr
    assert ".jsonl" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (crawl / "tea.docx").exists()


def test_chunks_repeat_the_end_of_the_one_before(run_tamis, tmp_path):
    page = tmp_path / "tea.html"
    page.write_text("<p>Boil water now. Wait a bit longer.</p><p>Then pour it out. Drink it hot.</p>", "utf-8")
    lines = run_tamis(page, "-e", "body", "--chunks", "14", "--overlap", "6").stdout.splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    assert all(texts[number].split("\n\n")[-1] in texts[number + 1] for number in range(len(texts) - 1))
    assert len(texts) > 1
