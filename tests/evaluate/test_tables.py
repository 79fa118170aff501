import pytest

from tamis.errors import OptionError, SourceError
from tamis.evaluate.measures import MEASURES, measures_named
from tamis.evaluate.results import Result, ResultFile, read_results
from tamis.evaluate.table import Table, difference_table, group_table, main_table, worst


def _result(page, tool, f1, **more):
    scores = {"words.precision": f1, "words.recall": f1, "words.f1": f1}
    return Result("news", page, tool, scores=scores, **({"cpu_ms": 4.0, "parse_ms": 2.0} | more))


RESULTS = [
    _result("1", "a", 1.0, page_type="article", site="x.example"),
    _result("2", "a", 0.5, page_type="forum", site="y.example"),
    _result("1", "b", 0.5, page_type="article", site="x.example"),
    _result("2", "b", 0.0, page_type="forum", site="y.example", cpu_ms=None, error="took its process down"),
]


def test_the_main_table_has_means_medians_intervals_errors_and_times():
    table = main_table(RESULTS, ["a", "b"], MEASURES["words"])
    assert table.header[:4] == ("corpus", "extractor", "pages", "errors")
    rows = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    assert (rows[0]["f1"], rows[0]["median"], rows[0]["errors"]) == ("0.750", "0.750", "0")
    assert rows[0]["95 %"] == "0.500–1.000"
    assert (rows[1]["f1"], rows[1]["errors"]) == ("0.250", "1")
    # The failure is not counted in the time.
    assert (rows[1]["ms"], rows[1]["× parse"]) == ("4.00", "2.0")
    assert "ms" not in main_table(RESULTS, ["a"], MEASURES["words"], times=False).header


def test_tools_that_a_metric_does_not_measure_have_no_row():
    assert main_table(RESULTS, ["a", "b"], MEASURES["nodes"]).rows == ()


def test_parts_are_columns_as_they_occur():
    results = [Result("news", "1", "a", scores={"parts.headline": 1.0, "parts.body": 0.5})]
    table = main_table(results, ["a"], MEASURES["parts"])
    assert {"headline", "body"} <= set(table.header)


@pytest.mark.parametrize(
    ("group", "names"), [("page_type", ["article", "forum"]), ("site", ["x.example", "y.example"])]
)
def test_tables_by_kind_and_site_have_a_column_for_each_tool(group, names):
    table = group_table(RESULTS, ["a", "b"], MEASURES["words"], group)
    assert [row[1] for row in table.rows] == names
    assert table.rows[0][2:] == ("1", "1.000", "0.500")


def test_the_difference_from_a_baseline_is_paired():
    table = difference_table(RESULTS, ["a", "b"], MEASURES["words"], "b")
    assert [(row[1], row[2], row[3]) for row in table.rows] == [("a", "2", "+0.500")]


def test_the_worst_pages_come_first():
    assert [each.page for each in worst(RESULTS, "a", "words.f1", 1)] == ["2"]


def test_wide_characters_take_two_columns():
    table = Table("t", ("name", "n"), (("面包", "1"), ("tea", "22")))
    assert table.text().splitlines()[3] == "面包   1"


def test_markdown_cells_cannot_break_the_table():
    assert "a\\|b" in Table("t", ("name",), (("a|b",),)).markdown()


def test_all_metrics_can_be_asked_for_at_once():
    assert [measure.name for measure in measures_named(["all"])] == list(MEASURES)


@pytest.mark.parametrize("name", ["r.jsonl", "r.parquet"])
def test_results_come_back_from_a_file(tmp_path, name):
    results = [*RESULTS, Result("ニュース", "3", "a", scores={"snippets.score": 0.5}, text="お茶", gold="お茶")]
    with ResultFile(tmp_path / name) as file:
        for result in results:
            file.add(result)
    assert list(read_results(tmp_path / name)) == results


def test_result_files_have_one_of_two_suffixes(tmp_path):
    with pytest.raises(OptionError, match=r"not to r\.csv"):
        ResultFile(tmp_path / "r.csv")
    with pytest.raises(SourceError, match="cannot write"):
        ResultFile(tmp_path / "no/r.jsonl")
