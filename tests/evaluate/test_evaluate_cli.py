import json
import sys

import pytest

from tamis.cli import main


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


@pytest.fixture
def tamis(monkeypatch, capsys):
    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["tamis", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        return ended.value.code or 0, out, err

    return run


def test_eval_prints_a_table_and_writes_results_and_a_report(tamis, corpus, tmp_path):
    output, report = tmp_path / "r.jsonl", tmp_path / "r.html"
    code, out, _ = tamis(
        *("eval", corpus, "--extractors", "cetd,body", "--metric", "words,nodes", "--by", "page_type", "-j", "2"),
        *("--baseline", "body", "-o", output, "--report", report),
    )
    assert code == 0
    assert "corpus: 1 not used: has no gold text (lonely)" in out
    assert "words (mean over pages)" in out
    assert "nodes (mean over pages)" in out
    assert "words.f1 by page_type" in out
    assert "words.f1 against body (paired bootstrap)" in out
    rows = [json.loads(line) for line in output.read_text().splitlines()]
    assert {(row["page"], row["tool"]) for row in rows} == {
        (str(n), tool) for n in range(3) for tool in ("cetd", "body")
    }
    assert all(0 < row["words.f1"] <= 1 for row in rows)
    assert "The 3 worst pages of cetd" in report.read_text()


def test_eval_prints_markdown(tamis, corpus):
    code, out, _ = tamis("eval", corpus, "-e", "body", "-f", "markdown", "--pages", "1")
    assert code == 0
    assert "| corpus | extractor | pages |" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "no such folder"),
        (["CORPUS", "-e", "nobody-has-this"], "no extractor or peer is named"),
        (["CORPUS", "-m", "bleu"], "no metric is named"),
        (["CORPUS", "-o", "r.csv"], "not to r.csv"),
        (["CORPUS", "--corpus-layout", "zip"], "no layout is named"),
    ],
)
def test_eval_says_what_is_wrong_in_a_line(tamis, corpus, arguments, message):
    code, _, err = tamis("eval", *[corpus if each == "CORPUS" else each for each in arguments])
    assert code == 2
    assert message in err


def test_compare_shows_a_page_side_by_side_and_as_html(tamis, corpus, tmp_path):
    code, out, _ = tamis(
        "compare", corpus / "1.html", "--with", "body", "--html", tmp_path / "c.html", "--width", "80"
    )
    assert code == 0
    assert "Home" in out
    assert "body" in out
    assert "side by side" in (tmp_path / "c.html").read_text()


def test_compare_wants_one_page(tamis, corpus):
    code, _, err = tamis("compare", corpus, "--with", "body")
    assert code == 2
    assert "several pages" in err
