import re

from tamis.lab.evaluate.corpora import BrokenPage
from tamis.lab.evaluate.metric_registry import METRICS
from tamis.lab.evaluate.report import STYLE_SHEET, report_html
from tamis.lab.evaluate.run import Result
from tamis.lab.evaluate.table import score_table
from tests.lab.evaluate.html_checks import HOSTILE, CheckedHtml


def _results():
    return [
        Result(corpus, str(page), tool, page_type="article", scores={"words.f1": (page + shift) / 12}, url=url)
        for corpus, url in (("one", "https://x.example/?a&b"), ("two", "javascript:alert(1)"))
        for page in range(10)
        for shift, tool in enumerate(("cetd", HOSTILE))
    ]


def test_report_is_one_page_without_external_resources():
    results = _results()
    failures = [
        Result(
            "one", "1", "cetd", scores={"words.f1": 0.1}, text=f"menu {HOSTILE}", gold="It rained", url="https://x/"
        ),
        Result("two", "2", "cetd", scores={"words.f1": 0.0}, text="", gold="", error="took its process down"),
    ]
    tables = [score_table(results, ["cetd", HOSTILE], METRICS["words"])]
    broken = [BrokenPage("9", "one", "has no gold text")]
    page = report_html(results, {"cetd": "1", HOSTILE: "2"}, METRICS["words"], tables, failures, broken)
    checked = CheckedHtml(page)
    assert "script" not in checked.tags
    assert not {"link", "img", "iframe"} & set(checked.tags)
    assert checked.tags.count("svg") == 3  # a box plot for each corpus, and a scatter plot
    assert {name for name in checked.classes if f".{name}" not in STYLE_SHEET} == set()
    assert not re.search(r'(?:src|href)="(?!https?://)', page)
    assert "<del>It rained</del>" in page
    assert "<ins>menu " in page
    assert "took its process down" in page
    assert "Pages that could not be used: 1" in page


def test_report_of_one_tool_has_no_scatter_plot():
    results = [each for each in _results() if each.tool == "cetd"]
    page = report_html(results, {"cetd": "1"}, METRICS["words"], [], [])
    assert CheckedHtml(page).tags.count("svg") == 2
