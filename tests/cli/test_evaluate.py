import json

import pytest

from tamis.lab.evaluate import javascript
from tests.lab.evaluate.node_packages import write_packages
from tests.needs import needs


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number in range(3):
        text = f"Page {number} tells of rain that fell for {number + 2} days and of the people who stayed indoors."
        (folder / f"{number}.html").write_text(f"<nav><a>Home</a></nav><p>{text}</p>")
        (folder / f"{number}.txt").write_text(text)
        (folder / f"{number}.json").write_text(json.dumps({"page_type": "article", "url": "https://x.example/"}))
    (folder / "lonely.html").write_text("<p>x")
    return folder


@pytest.mark.slow
def test_eval_prints_tables_and_writes_results_and_a_report(run_tamis, corpus, tmp_path):
    output, report = tmp_path / "r.jsonl", tmp_path / "r.html"
    done = run_tamis(
        *("eval", corpus, "--extractor", "cetd,body", "--metric", "words,nodes", "--by", "page_type", "-j", "2"),
        *("--baseline", "body", "-o", output, "--report", report),
    )
    assert done.returncode == 0
    assert "corpus: 1 not used: has no gold text (lonely)" in done.stdout
    assert "words (mean over pages)" in done.stdout
    assert "nodes (mean over pages)" in done.stdout
    assert "words.f1 by page_type" in done.stdout
    assert "words.f1 against body (paired bootstrap)" in done.stdout
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    assert {(row["page"], row["tool"]) for row in rows} == {
        (str(n), tool) for n in range(3) for tool in ("cetd", "body")
    }
    assert all(0 < row["words.f1"] <= 1 for row in rows)
    assert "The 3 worst pages of cetd" in report.read_text()


@pytest.mark.slow
def test_eval_prints_markdown(run_tamis, corpus):
    done = run_tamis("eval", corpus, "-e", "body", "-f", "markdown", "--pages", "1")
    assert done.returncode == 0
    assert "| corpus | extractor | pages |" in done.stdout


@pytest.mark.slow
def test_eval_measures_profiles_beside_extractors(run_tamis, corpus, tmp_path):
    assert run_tamis("train", "sst", corpus, "-o", tmp_path / "x-site.json").returncode == 0
    results = tmp_path / "r.jsonl"
    profile = ["--profile", tmp_path / "x-site.json"]
    assert run_tamis("eval", corpus, "-e", "body", *profile, "-m", "words,nodes", "-o", results).returncode == 0
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    assert {row["tool"] for row in rows} == {"body", "x-site"}
    scores = {tool: [row["nodes.precision"] for row in rows if row["tool"] == tool] for tool in ("body", "x-site")}
    assert all(profile > body for body, profile in zip(scores["body"], scores["x-site"], strict=True))
    assert run_tamis("eval", corpus, *profile).stdout.startswith("x-site ")


@pytest.fixture
def web_main_bench(tmp_path):
    """Two pages in the layout of WebMainBench, one of them with code."""
    file = tmp_path / "bench.jsonl"
    code = "```\nboil()\npour()\n```"
    text = "It rained for days on end, and the people of the town stayed indoors and drank tea."
    article = f"<article><h1>Tea</h1><p>{text}</p><pre>boil()\npour()</pre></article>"
    pages = [
        {
            "track_id": "1",
            "html": article,
            "groundtruth_content": f"# Tea\n\n{text}\n\n{code}",
            "meta": {"level": "hard"},
        },
        {"track_id": "2", "html": f"<p>{text}</p>", "groundtruth_content": text, "meta": {"level": "simple"}},
    ]
    pages[0]["meta"]["code"] = ["interline"]
    file.write_text("".join(json.dumps(page) + "\n" for page in pages))
    return file


@pytest.mark.slow
def test_eval_scores_a_file_of_web_main_bench_by_its_own_metrics(run_tamis, web_main_bench, tmp_path):
    results = tmp_path / "r.jsonl"
    metrics = ["-m", "webmainbench,structure,rouge,rouge-3", "--by", "level", "--by", "tag"]
    done = run_tamis("eval", web_main_bench, "-e", "body,resiliparse", *metrics, "-o", results)
    assert done.returncode == 0
    assert "webmainbench.overall by level" in done.stdout
    assert "structure.mean by tag" in done.stdout
    rows = {(row["page"], row["tool"]): row for row in map(json.loads, results.read_text().splitlines())}
    assert rows["1", "body"]["webmainbench.overall"] == rows["1", "body"]["structure.code"] == 1.0
    assert rows["1", "resiliparse"]["structure.code"] == 0.0  # it writes no Markdown
    assert "structure.mean" not in rows["2", "body"]  # there is no structure to keep
    assert rows["1", "body"]["tags"] == ["code"]
    assert rows["2", "body"]["rouge-3.f1"] == 1.0


@pytest.mark.slow
@needs("Node.js")
def test_eval_measures_javascript_tools_too(run_tamis, corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    write_packages(javascript.cache_folder())
    (corpus / "0.html").write_text("<p>raise")
    results = tmp_path / "r.jsonl"
    done = run_tamis("eval", corpus, "-e", "body", "--javascript-tools", "-o", results)
    assert done.returncode == 0
    assert "readability-js 9.8.7, defuddle 9.8.7" in done.stdout
    rows = {(row["page"], row["tool"]): row for row in map(json.loads, results.read_text().splitlines())}
    assert len(rows) == 9
    assert rows["0", "readability-js"]["error"] == "NodeError: TypeError: unsupported page"
    assert "readability-js failed on 1: NodeError: TypeError: unsupported page (0)" in done.stdout
    assert rows["0", "readability-js"]["words.f1"] == 0.0
    assert rows["1", "readability-js"]["words.recall"] == 1.0
    assert rows["1", "defuddle"]["cpu_ms"] > 0


def test_eval_without_node_says_what_to_install(run_tamis, corpus, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", str(tmp_path))
    done = run_tamis("eval", corpus, "--javascript-tools")
    assert done.returncode == 2
    assert "node is not installed; install Node.js 20 or later" in done.stderr
    assert run_tamis("eval", corpus, "-e", "defuddle").returncode == 2


def test_profile_with_the_name_of_an_extractor_is_refused(run_tamis, corpus, tmp_path):
    assert run_tamis("train", "sst", corpus, "-o", tmp_path / "ridge.json").returncode == 0
    done = run_tamis("eval", corpus, "--profile", tmp_path / "ridge.json")
    assert done.returncode == 2
    assert "rename the file" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "no such folder"),
        (["CORPUS", "-e", "nobody-has-this"], "no extractor or third-party tool is named"),
        (["CORPUS", "-m", "bleu"], "no metric is named"),
        (["CORPUS", "-m", ","], "name at least one metric"),
        (["CORPUS", "-e", ","], "name at least one extractor"),
        (["CORPUS", "--report", "nowhere/r.html"], "cannot write nowhere/r.html: no such folder"),
        (["CORPUS", "-o", "r.csv"], "not to r.csv"),
        (["CORPUS", "--corpus-format", "zip"], "no corpus format is named"),
    ],
)
def test_eval_error_is_one_line(run_tamis, corpus, arguments, message):
    done = run_tamis("eval", *[corpus if argument == "CORPUS" else argument for argument in arguments])
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.slow
def test_eval_without_a_page_that_can_be_used_is_an_error(run_tamis, tmp_path):
    (tmp_path / "b.jsonl").write_text('{"track_id": "a", "html": "<p>Tea", "groundtruth_content": null}\n{"damaged')
    done = run_tamis("eval", tmp_path / "b.jsonl", "-e", "body")
    assert done.returncode == 2
    assert "b: 1 not used: has no gold text (a)" in done.stdout
    assert "no page could be used" in done.stderr


@pytest.mark.slow
def test_eval_keeps_corpora_apart_and_says_where_a_metric_does_not_apply(run_tamis, tmp_path):
    for name in ("a/pages", "b/pages"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "1.html").write_text("<p>Tea")
        (tmp_path / name / "1.txt").write_text("Tea")
    folders = [tmp_path / "a/pages", tmp_path / "b/pages"]
    done = run_tamis("eval", *folders, folders[0], "-e", "body", "-m", "structure,words,words")
    assert done.returncode == 0
    assert "structure (mean over pages): no page and tool that it applies to" in done.stdout
    assert done.stdout.count("words (mean over pages)") == 1
    assert [done.stdout.count(f"{folder.as_posix()} ") for folder in folders] == [1, 1]


def test_compare_of_a_missing_file_names_it(run_tamis, tmp_path):
    done = run_tamis("compare", tmp_path / "none.html", "--tools", "body")
    assert done.returncode == 2
    assert f"{tmp_path / 'none.html'}: cannot be read" in done.stderr


def test_compare_prints_a_page_side_by_side_and_writes_html(run_tamis, corpus, tmp_path):
    done = run_tamis("compare", corpus / "1.html", "--tools", "body", "--line-width", "80")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout  # not a terminal
    page = run_tamis("compare", corpus / "1.html", "--tools", "body", "-o", tmp_path / "c.html")
    assert (page.returncode, page.stdout) == (0, "")
    assert "Home" in done.stdout
    assert "body" in done.stdout
    assert "side by side" in (tmp_path / "c.html").read_text()


def test_compare_of_several_pages_is_an_error(run_tamis, corpus):
    done = run_tamis("compare", corpus, "--tools", "body")
    assert done.returncode == 2
    assert "several pages" in done.stderr
