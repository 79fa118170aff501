"""docs/lab/reproduction.md is written by ``python bench/reproduction`` from records, by a template."""

import importlib
import re
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
DOCUMENT = Path(__file__).parents[2] / "docs" / "lab" / "reproduction.md"


@pytest.fixture
def document(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.syspath_prepend(str(BENCH / "reproduction"))
    yield importlib.import_module("document")
    for name in ("document", "measure", "readings", "paper_figures", "coreex_parts", "ridge_sites", "nodechar_sweep"):
        sys.modules.pop(name, None)


def records(document):
    out = [
        {
            "corpus": corpus,
            "page": str(page),
            "reading": reading.name,
            "precision": 0.5,
            "recall": 1.0,
            "f1": 0.6 + 0.1 * page,
            "verdict": "accurate" if page else "wrong",
            "sentences": 0.85,
            "text_precision": 0.5,
            "text_recall": 1.0,
        }
        for corpus in document.CORPORA
        for page in range(2)
        for reading in sys.modules["readings"].readings()
        if reading.runs_on(corpus)
    ]
    scores = {"universal": [0.5], "site": [0.75], "sst": [0.25], "limit": [0.9]}
    out.append({"figure": "7", "by_corpus": {"news 2005": scores}, "all": scores})
    means = {"coreex": {"title": 90.0, "body": 80.0}}
    out.append({"figure": "9", "counts": {"title": 3, "body": 4}, "means": means, "paper": {"body": "99"}})
    news = {"news/2005": {"title": 0.97, "article": 1.0}}
    out.append({"figure": "titles", "shares": news})
    out.append({"figure": "maxLen", "columns": [40, 80], "means": {"news": [91.0, 92.0]}})
    # One page of each corpus was not rendered, and one of Chinese measures nothing.
    out = [record for record in out if record.get("reading") not in {"cehtd", "vips-leaf"} or record["page"] == "1"]
    return [*out, {"corpus": "chinese", "page": "9", "reading": "left out", "why": "no gold text"}]


def test_document_has_a_table_for_each_method_with_intervals(document):
    text = document.write_document(records(document), 150, 50)
    for method in document.METHODS:
        assert f"| `{method}`, LCS F1 | pages | paper |" in text
    assert "| CleanEval | 2 | 96.5 | 65.0 (60.0–70.0) | 65.0 (60.0–70.0) | 66.7 |" in text
    assert "| R5 + removing scripts | 97.2 | 98.6 | 97.9 | 50.0 | 100.0 | 66.7 | – | – | – |" in text
    assert "| `nodechar` | 50.0 | 50.0 | 50.0 | 50.0 | 50.0 | 50.0 |" in text
    assert "| all | 50.0 (50.0–50.0) | 75.0 (75.0–75.0) | 25.0 (25.0–25.0) | 90.0 (90.0–90.0) |" in text
    assert "| `coreex` | 90.0 | 80.0 |" in text
    assert "| a title is found | 97 |" in text
    assert "| maxLen | 40 | 80 |\n| --- | ---: | ---: |\n| news | 91.0 | 92.0 |" in text
    assert "$" not in text


def test_methods_that_need_a_layout_stand_beside_cectd_on_the_same_pages(document):
    text = document.write_document(records(document), 150, 50)
    same = "70.0 (70.0–70.0)"
    assert f"| CleanEval | 1 | 94.5 | {same} | {same} | {same} | 66.7 |" in text
    assert "50 are rendered" in " ".join(text.split())


def test_pages_that_measure_nothing_are_counted_and_left_out(document):
    text = document.write_document(records(document), 150, 50)
    assert "1 of Chinese" in text
    assert "| Chinese | 2 |" in text
    measure = sys.modules["measure"]
    page = measure.parse_page("<nav>Home</nav><p hidden>Boil the water, and wait.</p>")
    assert measure.why_unusable(page, " - ") == "no gold text"
    assert measure.why_unusable(page, "Knead dough until it is smooth") == "gold text not on the page"
    assert measure.why_unusable(page, "Boil the water") is None


@pytest.mark.slow
def test_learned_methods_are_not_measured_on_what_they_were_trained_on(document):
    text = document.write_document(records(document), 150, 50)
    assert "| Dragnet | 2 | – | – | – |" in text
    assert "| WCXB dev | 2 | – | – | – |" in text


@pytest.mark.usefixtures("document")
def test_results_that_were_cut_off_are_continued(tmp_path):
    results = tmp_path / "r.jsonl"
    results.write_text('{"corpus": "a"}\n{"corp')
    assert sys.modules["measure"].read_records(results) == [{"corpus": "a"}]


@pytest.mark.usefixtures("document")
def test_pages_are_sampled_evenly():
    sample = sys.modules["measure"].sample
    assert sample(list("abcdefghij"), 5) == list("acegi")
    assert sample(list("abcdefghij"), 99) == list("abcdefghij")


def test_the_document_is_that_of_the_template(document):
    written = DOCUMENT.read_text("utf-8")
    for fragment in re.split(r"\$\w+", document.TEMPLATE.read_text("utf-8")):
        assert fragment in written
