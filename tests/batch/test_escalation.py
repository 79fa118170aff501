"""Pages that scripts build are drawn by a browser, within a budget, and their rows say so."""

import json

import pyarrow.parquet as pq
import pytest

import tamis
from tamis.batch import BatchOptions, RowOptions, run
from tamis.batch.escalation import RenderBudget
from tamis.batch.job import JobOptions
from tamis.browser.scripted import Measure, is_better, needs_browser
from tamis.errors import BrowserError, OptionError
from tests.batch.pages import article
from tests.batch.scripted import LOST, PHRASE, RECOVERABLE, SERVED, TITLE


@pytest.fixture
def folder(tmp_path):
    for name, html in {**RECOVERABLE, **LOST, **SERVED}.items():
        (tmp_path / "crawl").mkdir(exist_ok=True)
        (tmp_path / "crawl" / f"{name}.html").write_text(html, "utf-8")
    return tmp_path / "crawl"


def rows_of(path):
    return {row["id"].removesuffix(".html"): row for row in map(json.loads, path.read_text("utf-8").splitlines())}


@pytest.mark.parametrize("name", [*RECOVERABLE, *LOST])
def test_page_that_scripts_build_needs_a_browser(name):
    assert needs_browser(tamis.extract({**RECOVERABLE, **LOST}[name]))


@pytest.mark.parametrize("name", SERVED)
def test_page_that_is_served_whole_needs_none(name):
    assert not needs_browser(tamis.extract(SERVED[name]))
    assert not needs_browser(tamis.extract(b"%PDF-1.7\n<script>"))
    assert not needs_browser(tamis.extract(article(1) + "<script src=/x.js></script>"))


def test_better_is_more_content():
    empty, good = (Measure.of(tamis.extract(html)) for html in ("<p></p>", SERVED["article"]))
    assert is_better(good, empty)
    assert not is_better(empty, good)
    assert not is_better(empty, empty)
    assert not is_better(good, good)


@pytest.mark.parametrize("text", ["", "many", "-1", "5%%", "nan%", "1.5", "-2%"])
def test_budget_is_a_number_or_a_share(text):
    with pytest.raises(OptionError, match="invalid budget"):
        RenderBudget.parse(text)


def test_budget_of_a_share_grows_with_the_pages():
    budget = RenderBudget.parse("2%")
    drawn = 0
    for number in range(10_000):
        drawn += budget.allows(number, drawn)
    assert drawn == 200
    assert not RenderBudget.parse("0%").allows(100, 0)
    assert not RenderBudget.parse("0").allows(100, 0)


@pytest.mark.usefixtures("chromium")
def test_pages_are_drawn_and_rows_say_so(folder, tmp_path):
    columns = RowOptions(("text", "title"), render="auto")
    summary = run(
        [str(folder)], tmp_path / "out.jsonl", options=BatchOptions(render_budget="50"), row_options=columns
    )
    rows = rows_of(tmp_path / "out.jsonl")
    assert list(rows) == sorted([*RECOVERABLE, *LOST, *SERVED])
    assert list(rows["mount"]) == ["id", "url", "status", "error", "text", "title", "rendered"]
    for name in RECOVERABLE:
        assert (rows[name]["rendered"], rows[name]["status"]) == ("rendered", "ok"), name
        assert PHRASE in rows[name]["text"]
    assert {rows[name]["rendered"] for name in LOST} == {"no_gain"}
    assert {rows[name]["rendered"] for name in SERVED} == {None}
    assert rows["mount"]["title"] == TITLE
    assert summary.statuses["ok"] >= len(RECOVERABLE) + 1


@pytest.mark.usefixtures("chromium")
def test_budget_holds_also_where_a_run_is_resumed(folder, tmp_path):
    columns = RowOptions(("text",), render="auto")
    options = {"render_budget": "3", "chunk_rows": 5}

    def interrupt(_summary):
        raise KeyboardInterrupt

    run([str(folder)], tmp_path / "calm.parquet", options=BatchOptions(**options), row_options=columns)
    with pytest.raises(KeyboardInterrupt):
        run(
            [str(folder)], tmp_path / "out.parquet", options=BatchOptions(**options), row_options=columns,
            progress=interrupt,
        )  # fmt: skip
    run([str(folder)], tmp_path / "out.parquet", options=BatchOptions(**options, resume=True), row_options=columns)
    found = pq.read_table(tmp_path / "out.parquet")["rendered"].to_pylist()
    assert sum(value in {"rendered", "no_gain"} for value in found) == 3
    assert found.count("over_budget") == len(RECOVERABLE) + len(LOST) - 3
    assert (tmp_path / "out.parquet").read_bytes() == (tmp_path / "calm.parquet").read_bytes()


@pytest.mark.usefixtures("chromium")
def test_page_that_hangs_the_browser_keeps_its_row():
    endless = "<div id=app></div><script>for (;;) {}</script>"
    pages = [{"id": "endless", "html": endless}, {"id": "fine", "html": RECOVERABLE["mount"]}]
    from tamis.batch.escalation import Escalation  # noqa: PLC0415 (beside its use)
    from tamis.batch.extract_many import _record  # noqa: PLC0415
    from tamis.batch.worker import PageWorker, map_pairs  # noqa: PLC0415

    options = RowOptions(("text",), render="auto")
    pairs = map_pairs(enumerate(_record(page, 0) for page in pages), PageWorker(options, "values"), workers=1)
    endless_row, fine = (done.row for done in Escalation(options, "values", seconds=8.0).apply(pairs))
    assert endless_row["status"] == "empty"
    assert endless_row["rendered"].startswith("failed: ")
    assert (fine["id"], fine["rendered"]) == ("fine", "rendered")


@pytest.mark.usefixtures("chromium")
def test_command_and_python(run_tamis, folder, tmp_path):
    done = run_tamis(
        "batch", folder / "mount.html", folder / "article.html", "-o", tmp_path / "out.jsonl", "--render", "auto",
        "--render-budget", "100%", "-j", 1,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "2 pages: 2 ok" in done.stderr
    assert run_tamis(folder / "mount.html", "--render", "auto").stdout.startswith(TITLE)
    assert run_tamis("--render", "auto", folder / "article.html", "-j", 2).stdout.startswith(TITLE)
    rows = list(
        tamis.extract_many([RECOVERABLE["late"]], processes=True, options=RowOptions(("title",), render="always"))
    )
    assert [(row["title"], row["rendered"]) for row in rows] == [(TITLE, "rendered")]


def test_browser_that_is_missing_is_an_error_before_any_page(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("TAMIS_CHROMIUM", str(tmp_path / "nowhere"))
    with pytest.raises(BrowserError, match="nowhere"):
        run([str(folder)], tmp_path / "out.jsonl", row_options=RowOptions(render="auto"))
    assert not (tmp_path / "out.jsonl.state").exists()
    with pytest.raises(OptionError, match="processes=True"):
        tamis.extract_many(["<p>"], workers=0, options=RowOptions(render="auto"))
    with pytest.raises(OptionError, match="render no pages"):
        JobOptions(RowOptions(render="auto"))


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--render", "auto", "--render-budget", "lots"], "invalid budget"),
        (["--allow-network"], "needs --render"),
        (["--render=sometimes"], "sometimes"),
    ],
)
def test_wrong_use_is_one_message(run_tamis, folder, tmp_path, flags, message):
    done = run_tamis("batch", folder, "-o", tmp_path / "out.jsonl", *flags)
    assert done.returncode == 2
    assert message in done.stderr
