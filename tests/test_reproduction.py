"""docs/reproduction.md is written by ``python bench/reproduction`` from records, by a template."""

import importlib
import re
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parent.parent / "bench"
DOCUMENT = Path(__file__).parent.parent / "docs" / "reproduction.md"


@pytest.fixture
def document(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCH))
    monkeypatch.syspath_prepend(str(BENCH / "reproduction"))
    yield importlib.import_module("document")
    for name in ("document", "measure", "readings", "paper_figures", "coreex_parts", "ridge_sites"):
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
    scores = {"universal": [0.5], "site": [0.75], "sst": [0.25]}
    out.append({"figure": "7", "by_corpus": {"news 2005": scores}, "all": scores})
    means = {"coreex": {"title": 90.0, "body": 80.0}}
    out.append({"figure": "9", "counts": {"title": 3, "body": 4}, "means": means, "paper": {"body": "99"}})
    return out


def test_document_has_a_table_for_each_method_with_intervals(document):
    text = document.write_document(records(document), 150)
    for method in document.METHODS:
        assert f"| `{method}`, LCS F1 | pages | paper |" in text
    assert "| CleanEval | 2 | 96.5 | 65.0 (60.0–70.0) | 65.0 (60.0–70.0) |" in text
    assert "| R5 + removing scripts | 97.2 | 98.6 | 97.9 | 50.0 | 100.0 | 66.7 | – | – | – |" in text
    assert "| `nodechar` | 50.0 | 50.0 | 50.0 | 50.0 | 50.0 | 50.0 |" in text
    assert "| all | 50.0 (50.0–50.0) | 75.0 (75.0–75.0) | 25.0 (25.0–25.0) |" in text
    assert "| `coreex` | 90.0 | 80.0 |" in text
    assert "$" not in text


def test_learned_methods_are_not_measured_on_what_they_were_trained_on(document):
    text = document.write_document(records(document), 150)
    assert "| Dragnet | 2 | – | – | – |" in text
    assert "| WCXB dev | 2 | – | – | – |" in text


@pytest.mark.usefixtures("document")
def test_results_that_were_cut_off_are_continued(tmp_path):
    results = tmp_path / "r.jsonl"
    results.write_text('{"corpus": "a"}\n{"corp')
    assert sys.modules["measure"].read_records(results) == [{"corpus": "a"}]


@pytest.mark.usefixtures("document")
def test_pages_are_sampled_evenly():
    class Corpus:
        def page_ids(self):
            return list("abcdefghij")

    sample_ids = sys.modules["measure"].sample_ids
    assert sample_ids(Corpus(), 5) == list("acegi")
    assert sample_ids(Corpus(), 99) == list("abcdefghij")


def test_the_document_is_that_of_the_template(document):
    written = DOCUMENT.read_text("utf-8")
    for fragment in re.split(r"\$\w+", document.TEMPLATE.read_text("utf-8")):
        assert fragment in written
