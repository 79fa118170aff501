import json

import pytest


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
        (["CORPUS", "-o", "r.csv"], "not to r.csv"),
        (["CORPUS", "--corpus-format", "zip"], "no corpus format is named"),
    ],
)
def test_eval_error_is_one_line(run_tamis, corpus, arguments, message):
    done = run_tamis("eval", *[corpus if argument == "CORPUS" else argument for argument in arguments])
    assert done.returncode == 2
    assert message in done.stderr


def test_compare_prints_a_page_side_by_side_and_writes_html(run_tamis, corpus, tmp_path):
    done = run_tamis(
        "compare", corpus / "1.html", "--with", "body", "--report", tmp_path / "c.html", "--columns", "80"
    )
    assert done.returncode == 0
    assert "Home" in done.stdout
    assert "body" in done.stdout
    assert "side by side" in (tmp_path / "c.html").read_text()


def test_compare_of_several_pages_is_an_error(run_tamis, corpus):
    done = run_tamis("compare", corpus, "--with", "body")
    assert done.returncode == 2
    assert "several pages" in done.stderr
