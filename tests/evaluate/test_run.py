import os
import time
from dataclasses import dataclass

import pytest

from tamis.errors import OptionError
from tamis.evaluate.corpora import BrokenPage, open_corpus
from tamis.evaluate.results import Result
from tamis.evaluate.run import Plan, run
from tamis.evaluate.tools import TamisTool

pytestmark = pytest.mark.slow  # processes


@dataclass(frozen=True)
class Moody:
    """A tool that does on each page what the page's first word says."""

    name: str = "moody"
    version: str = "1"

    def text(self, html, url=None):  # noqa: ARG002
        if "hang" in html:
            time.sleep(60)
        if "raise" in html:
            raise ValueError("I do not like this page")
        if "die" in html:
            os._exit(3)
        return html.removeprefix("<p>")


@dataclass(frozen=True)
class Steady:
    name: str = "steady"
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


def test_tools_that_raise_hang_or_die_score_zero_and_the_run_goes_on(corpus):
    plan = Plan([corpus], [Steady(), Moody(), TamisTool("body")], ("words", "acceptable"), jobs=2, timeout=3.0)
    found = list(run(plan))
    broken = [each for each in found if isinstance(each, BrokenPage)]
    results = {(each.page, each.tool): each for each in found if isinstance(each, Result)}
    assert [(each.id, each.reason) for each in broken] == [("lonely", "has no gold text")]
    assert len(results) == len(found) - 1 == 6 * 3
    errors = {page: each.error for (page, tool), each in results.items() if each.error}
    assert errors == {
        "hang": "took more than 3 s",
        "raise": "ValueError: I do not like this page",
        "die": "crashed its process (exit code 3)",
    }
    for page in errors:
        failed = results[page, "moody"]
        assert failed.scores == {
            "words.precision": 0.0,
            "words.recall": 0.0,
            "words.f1": 0.0,
            "acceptable.accurate": 0.0,
            "acceptable.acceptable": 0.0,
            "acceptable.wrong": 1.0,
        }
        assert failed.cpu_ms is None
    for tool in ("steady", "body"):
        for page in ("fine", "hang", "raise", "die", "last"):
            assert results[page, tool].scores["words.f1"] == 1.0
        assert results["empty", tool].scores["words.f1"] == 0.0


def test_a_failed_tool_scores_zero_even_where_nothing_was_wanted(tmp_path):
    (tmp_path / "a.html").write_text("<p>raise")
    (tmp_path / "a.txt").write_text("")
    (result,) = run(Plan([open_corpus(tmp_path)], [Moody()]))
    assert result.scores["words.f1"] == 0.0


def test_results_have_times_and_texts_where_asked_for(corpus):
    plan = Plan([corpus], [TamisTool("body")], keep_text=True, only=frozenset({(corpus.name, "fine")}))
    (result,) = run(plan)
    assert (result.page, result.text, result.gold) == ("fine", "fine tea", "fine tea")
    assert result.cpu_ms > 0
    assert result.parse_ms > 0


def test_every_metric_gives_columns(corpus):
    plan = Plan(
        [corpus], [TamisTool("body")], ("lcs", "cleaneval", "sentences", "nodes", "text", "snippets"), pages=1
    )
    (result,) = run(plan)
    assert {name.split(".")[0] for name in result.scores} == {"lcs", "cleaneval", "sentences", "nodes", "text"}


def test_pages_can_be_sampled_evenly(corpus):
    tasks = Plan([corpus], [TamisTool("body")], pages=3).tasks()
    assert [task.page_id for task in tasks] == [corpus.page_ids()[index] for index in (0, 2, 4)]


def test_stopping_early_ends_the_processes(corpus):
    results = run(Plan([corpus], [TamisTool("body")], jobs=2))
    next(results)
    results.close()


def test_a_wrong_metric_is_told_before_anything_runs(corpus):
    with pytest.raises(OptionError, match="no metric is named 'bleu'; there are words"):
        run(Plan([corpus], [TamisTool("body")], ("bleu",)))
