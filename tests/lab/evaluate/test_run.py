import multiprocessing
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from tamis.errors import MissingExtraError, OptionError
from tamis.lab.evaluate import run as evaluation
from tamis.lab.evaluate.corpora import BrokenPage, open_corpus
from tamis.lab.evaluate.run import Plan, Result, run
from tamis.lab.evaluate.tools import TamisTool
from tests.waiting import hang

pytestmark = pytest.mark.slow  # processes


@dataclass(frozen=True)
class FaultyTool:
    """A tool that does what the page's first word says."""

    name: str = "faulty"
    version: str = "1"

    def text(self, html, url=None):  # noqa: ARG002
        if "hang" in html:
            hang()
        if "raise" in html:
            raise ValueError("unsupported page")
        if "die" in html:
            os._exit(3)
        return html.removeprefix("<p>")


@dataclass(frozen=True)
class ReliableTool:
    name: str = "reliable"
    version: str = "1"

    def text(self, html, url=None):  # noqa: ARG002
        return html.removeprefix("<p>")


@pytest.fixture
def corpus(tmp_path):
    for name in ("fine", "hang", "raise", "die", "empty", "last"):
        (tmp_path / f"{name}.html").write_text(f"<p>{name} tea")
        (tmp_path / f"{name}.txt").write_text("" if name == "empty" else f"{name} tea")
    (tmp_path / "lonely.html").write_text("<p>x")
    return open_corpus(tmp_path)


def test_tool_that_raises_hangs_or_dies_scores_zero_and_the_run_continues(corpus):
    plan = Plan(
        [corpus], [ReliableTool(), FaultyTool(), TamisTool("body")], ("words", "acceptable"), jobs=2, timeout=10.0
    )
    yielded = list(run(plan))
    broken = [page for page in yielded if isinstance(page, BrokenPage)]
    results = {(result.page, result.tool): result for result in yielded if isinstance(result, Result)}
    assert [(page.id, page.reason) for page in broken] == [("lonely", "has no gold text")]
    assert len(results) == len(yielded) - 1 == 6 * 3
    errors = {page: result.error for (page, _), result in results.items() if result.error}
    assert errors == {
        "hang": "took more than 10 s",
        "raise": "ValueError: unsupported page",
        "die": "crashed its process (exit code 3)",
    }
    for page in errors:
        failed = results[page, "faulty"]
        assert failed.scores == {
            "words.precision": 0.0,
            "words.recall": 0.0,
            "words.f1": 0.0,
            "acceptable.accurate": 0.0,
            "acceptable.acceptable": 0.0,
            "acceptable.wrong": 1.0,
        }
        assert failed.cpu_ms is None
    for tool in ("reliable", "body"):
        for page in ("fine", "hang", "raise", "die", "last"):
            assert results[page, tool].scores["words.f1"] == 1.0
        assert results["empty", tool].scores["words.f1"] == 0.0


def test_loading_a_tool_takes_nothing_from_the_time_of_its_first_page(corpus, monkeypatch):
    limited = []  # what the tool is asked within each limit

    @contextmanager
    def step(index, *, wall):
        assert (index, wall) == (0, 15)
        limited.append([])
        yield

    class Recorder:
        name, version = "recorder", "1"

        def text(self, html, url=None):  # noqa: ARG002
            limited[-1].append(html)
            return html

    monkeypatch.setattr(evaluation, "step", step)
    monkeypatch.setattr(evaluation, "emit", lambda _: None)
    plan = Plan([corpus], [Recorder()], timeout=15, only=frozenset({(corpus.name, "fine")}))
    (task,) = plan.tasks()
    evaluation.PageRunner(plan)(task)
    assert len(limited) == 2
    assert limited[1] == [corpus.read("fine").html]


def test_missing_extra_of_a_metric_is_named_without_a_traceback(corpus, monkeypatch, tmp_path):
    package = tmp_path / "without" / "rapidfuzz"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ModuleNotFoundError('rapidfuzz')")
    monkeypatch.setattr(sys, "path", [str(package.parent), *sys.path])  # worker processes take it over
    monkeypatch.delitem(sys.modules, "rapidfuzz", raising=False)
    monkeypatch.delitem(sys.modules, "rapidfuzz.distance", raising=False)
    with pytest.raises(MissingExtraError, match=r"tamis\[eval\]"):
        list(run(Plan([corpus], [ReliableTool()], ("lcs",))))


def test_failed_tool_scores_zero_even_if_the_gold_text_is_empty(tmp_path):
    (tmp_path / "a.html").write_text("<p>raise")
    (tmp_path / "a.txt").write_text("")
    (result,) = run(Plan([open_corpus(tmp_path)], [FaultyTool()]))
    assert result.scores["words.f1"] == 0.0


def test_results_have_times_and_keep_texts(corpus):
    plan = Plan([corpus], [TamisTool("body")], keep_text=True, only=frozenset({(corpus.name, "fine")}))
    (result,) = run(plan)
    assert (result.page, result.text, result.gold) == ("fine", "fine tea", "fine tea")
    assert result.cpu_ms > 0
    assert result.parse_ms > 0


def test_results_have_the_columns_of_every_metric_that_applies(corpus):
    plan = Plan(
        [corpus], [TamisTool("body")], ("lcs", "cleaneval", "sentences", "nodes", "text", "snippets"), pages=1
    )
    (result,) = run(plan)
    assert {name.split(".")[0] for name in result.scores} == {"lcs", "cleaneval", "sentences", "nodes", "text"}


def test_pages_are_sampled_evenly(corpus):
    tasks = Plan([corpus], [TamisTool("body")], pages=3).tasks()
    assert [task.page_id for task in tasks] == [corpus.page_ids()[index] for index in (0, 2, 4)]


def test_closing_the_results_early_ends_the_processes(corpus):
    before = set(multiprocessing.active_children())
    results = run(Plan([corpus], [TamisTool("body")], jobs=2))
    next(results)
    assert len(set(multiprocessing.active_children()) - before) == 2
    results.close()
    assert set(multiprocessing.active_children()) <= before


def test_unknown_metric_is_an_error_before_any_process_starts(corpus):
    with pytest.raises(OptionError, match="no metric is named 'bleu'; there are words"):
        run(Plan([corpus], [TamisTool("body")], ("bleu",)))
