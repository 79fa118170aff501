import pytest

from tamis.errors import OptionError
from tamis.evaluate.corpora import LabelledPage
from tamis.evaluate.metric_registry import METRICS, Output, get_metrics

PAGE = LabelledPage("1", "<p>tea", "Tea. Pot.", required=("tea",), parts={"body": "Tea. Pot."})


def test_get_metrics_returns_all_of_them():
    assert [metric.name for metric in get_metrics(["all"])] == list(METRICS)


def test_unknown_metric_names_the_others():
    with pytest.raises(OptionError, match="no metric is named 'bleu'; there are words"):
        get_metrics(["words", "bleu"])


@pytest.mark.parametrize("name", [name for name in METRICS if name not in {"nodes", "text"}])
def test_metric_scores_its_columns_and_a_failure_scores_zero(name):
    metric = METRICS[name]
    scores = metric.score(Output("Tea. Pot."), PAGE)
    assert scores[metric.main_column] == 1.0
    assert tuple(scores) == (metric.columns or ("parts.body",))  # the columns of parts depend on the page
    zero = metric.zero(PAGE, has_extraction=False)
    assert zero.keys() == scores.keys()
    assert zero[metric.main_column] == 0.0


def test_node_metrics_of_a_failure_apply_to_extractors_only():
    assert METRICS["nodes"].zero(PAGE, has_extraction=True)["nodes.f1"] == 0.0
    assert METRICS["nodes"].zero(PAGE, has_extraction=False) == {}


def test_snippets_do_not_apply_to_a_page_without_any():
    assert METRICS["snippets"].score(Output("tea"), LabelledPage("1", "", "tea")) == {}
