import pytest

from tamis.lab.evaluate.metric_registry import METRICS
from tamis.lab.evaluate.run import Result
from tamis.lab.evaluate.table import Table, difference_table, group_table, score_table, worst_pages


def _result(page, tool, f1, **more):
    scores = {"words.precision": f1, "words.recall": f1, "words.f1": f1}
    return Result("news", page, tool, scores=scores, **({"cpu_ms": 4.0, "parse_ms": 2.0} | more))


RESULTS = [
    _result("1", "a", 1.0, page_type="article", site="x.example"),
    _result("2", "a", 0.5, page_type="forum", site="y.example"),
    _result("1", "b", 0.5, page_type="article", site="x.example"),
    _result("2", "b", 0.0, page_type="forum", site="y.example", cpu_ms=None, error="took its process down"),
]


def test_score_table_has_means_medians_intervals_errors_and_times():
    table = score_table(RESULTS, ["a", "b"], METRICS["words"])
    assert table.header[:4] == ("corpus", "extractor", "pages", "errors")
    rows = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    assert (rows[0]["f1"], rows[0]["median"], rows[0]["errors"]) == ("0.750", "0.750", "0")
    assert rows[0]["95 %"] == "0.500–1.000"
    assert (rows[1]["f1"], rows[1]["errors"]) == ("0.250", "1")
    # Times do not include failures.
    assert (rows[1]["ms"], rows[1]["× parse"]) == ("4.00", "2.0")
    assert "ms" not in score_table(RESULTS, ["a"], METRICS["words"], with_times=False).header


def test_score_table_has_no_row_if_the_metric_does_not_apply():
    assert score_table(RESULTS, ["a", "b"], METRICS["nodes"]).rows == ()


def test_score_table_has_a_column_for_each_part():
    results = [Result("news", "1", "a", scores={"parts.headline": 1.0, "parts.body": 0.5})]
    table = score_table(results, ["a"], METRICS["parts"])
    assert {"headline", "body"} <= set(table.header)


@pytest.mark.parametrize(
    ("group_by", "names"), [("page_type", ["article", "forum"]), ("site", ["x.example", "y.example"])]
)
def test_group_table_has_a_column_for_each_tool(group_by, names):
    table = group_table(RESULTS, ["a", "b"], METRICS["words"], group_by)
    assert [row[1] for row in table.rows] == names
    assert table.rows[0][2:] == ("1", "1.000", "0.500")


def test_difference_table_compares_pages_that_both_tools_have():
    table = difference_table(RESULTS, ["a", "b"], METRICS["words"], "b")
    assert [(row[1], row[2], row[3]) for row in table.rows] == [("a", "2", "+0.500")]


def test_worst_pages_are_sorted_by_score():
    assert [result.page for result in worst_pages(RESULTS, "a", "words.f1", 1)] == ["2"]


def test_table_text_gives_wide_characters_two_columns():
    table = Table("t", ("name", "n"), (("面包", "1"), ("tea", "22")))
    assert table.text().splitlines()[3] == "面包   1"


def test_table_markdown_escapes_pipes():
    assert "a\\|b" in Table("t", ("name",), (("a|b",),)).markdown()


def test_page_with_several_tags_counts_for_each_of_them():
    results = [
        _result("1", "a", 1.0, tags=("code", "table"), level="hard"),
        _result("2", "a", 0.5, tags=("code",), level="mid"),
        _result("3", "a", 0.0),
    ]
    table = group_table(results, ["a"], METRICS["words"], "tag")
    assert [row[1:] for row in table.rows] == [("code", "2", "0.750"), ("table", "1", "1.000"), ("–", "1", "0.000")]
    levels = group_table(results, ["a"], METRICS["words"], "level")
    assert [row[1] for row in levels.rows] == ["hard", "mid", "–"]
