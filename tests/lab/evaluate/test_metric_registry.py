import pytest

from tamis.errors import OptionError
from tamis.lab.evaluate.corpora import LabelledPage
from tamis.lab.evaluate.metric_registry import METRICS, Output, get_metrics

MARKDOWN = "# Tea\n\n[Pot](/pot) `a` and $b$, poured.\n\n```\nc()\n```\n\n| d |\n|---|\n| e |"
PAGE = LabelledPage(
    "1", "<p>tea", "Tea. Pot.", required=("tea",), parts={"body": "Tea. Pot."}, gold_markdown=MARKDOWN
)


def test_get_metrics_returns_all_of_them():
    assert [metric.name for metric in get_metrics(["all"])] == list(METRICS)


def test_unknown_metric_names_the_others():
    with pytest.raises(OptionError, match="no metric is named 'bleu'; there are words"):
        get_metrics(["words", "bleu"])


@pytest.mark.parametrize("name", ["rouge-2", *(name for name in METRICS if name not in {"nodes", "text"})])
def test_metric_scores_its_columns_and_a_failure_scores_zero(name):
    (metric,) = get_metrics([name])
    scores = metric.score(Output("Tea. Pot.", markdown=MARKDOWN), PAGE)
    assert scores[metric.main_column] == 1.0
    columns = metric.columns or ("parts.body",)  # the columns of parts depend on the page
    if name == "structure":  # those that the page has, and what they are pooled from
        assert {column for column in scores if column.count(".") == 1} <= set(columns)
    else:
        assert tuple(scores) == columns
    zero = metric.zero(PAGE, has_extraction=False)
    assert zero.keys() >= {column for column in scores if column.count(".") == 1}
    assert zero[metric.main_column] == 0.0


def test_node_metrics_of_a_failure_apply_to_extractors_only():
    assert METRICS["nodes"].zero(PAGE, has_extraction=True)["nodes.f1"] == 0.0
    assert METRICS["nodes"].zero(PAGE, has_extraction=False) == {}


def test_snippets_do_not_apply_to_a_page_without_any():
    assert METRICS["snippets"].score(Output("tea"), LabelledPage("1", "", "tea")) == {}


@pytest.mark.parametrize("name", ["structure", "webmainbench"])
def test_metrics_over_markdown_do_not_apply_without_gold_markdown(name):
    assert METRICS[name].score(Output("tea"), LabelledPage("1", "", "tea")) == {}


def test_tool_without_markdown_is_scored_by_its_text():
    scores = METRICS["structure"].score(Output("Tea"), LabelledPage("1", "", "Tea", gold_markdown="# Tea\n\nPour."))
    assert scores["structure.headings"] == scores["structure.mean"] == 0.0
    assert [scores[f"structure.headings.{part}"] for part in ("equal", "predicted", "gold")] == [0, 0, 1]


def test_rouge_takes_any_number_of_words_and_rejects_zero():
    (metric,) = get_metrics(["rouge-12"])
    assert metric.columns == ("rouge-12.precision", "rouge-12.recall", "rouge-12.f1")
    with pytest.raises(OptionError, match="rouge-N"):
        get_metrics(["rouge-0"])
