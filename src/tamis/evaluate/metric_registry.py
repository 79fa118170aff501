"""The metrics by name, each with its table columns: what ``--metric`` selects from."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from tamis.api import Extraction
from tamis.errors import OptionError
from tamis.evaluate import metrics
from tamis.evaluate.corpora import LabelledPage
from tamis.evaluate.metrics import Match
from tamis.evaluate.nodes import NodeMatch, match_nodes

#: Scores by column, such as ``words.f1``.
Scores = dict[str, float]


@dataclass(frozen=True, slots=True)
class Output:
    """The output of a tool for one page: its text, and the extraction if the tool is an extractor of Tamis."""

    text: str
    extraction: Extraction | None = None


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric and its columns.

    Attributes:
        name: what ``--metric`` calls it.
        main_column: the column that is shown where there is space for one only.
        columns: all columns; empty if they depend on the page.
        score: computes the columns from an output and its page; returns none if the metric does not apply.
    """

    name: str
    main_column: str
    columns: tuple[str, ...]
    score: Callable[[Output, LabelledPage], Scores]

    def zero(self, page: LabelledPage, *, has_extraction: bool) -> Scores:
        """Return the scores of a tool that failed on a page: zero if the metric applies to the tool and the page."""
        if self.name == "acceptable":
            return {"acceptable.accurate": 0.0, "acceptable.acceptable": 0.0, "acceptable.wrong": 1.0}
        if self.name in {"nodes", "text"}:
            return dict.fromkeys(self.columns, 0.0) if has_extraction else {}
        return dict.fromkeys(self.score(Output(""), page), 0.0)


def _match_scores(name: str, match: Match) -> Scores:
    return {f"{name}.precision": match.precision, f"{name}.recall": match.recall, f"{name}.f1": match.f1}


def _match_columns(name: str) -> tuple[str, ...]:
    return (f"{name}.precision", f"{name}.recall", f"{name}.f1")


def _words(output: Output, page: LabelledPage) -> Scores:
    return _match_scores("words", metrics.words(output.text, page.gold))


def _lcs(output: Output, page: LabelledPage) -> Scores:
    return _match_scores("lcs", metrics.lcs(output.text, page.gold))


def _cleaneval(output: Output, page: LabelledPage) -> Scores:
    return {"cleaneval.score": metrics.cleaneval(output.text, page.gold)}


def _acceptable(output: Output, page: LabelledPage) -> Scores:
    verdict = metrics.acceptable(output.text, page.gold)
    # The rate of acceptable pages includes the accurate ones (Liu 2017, equation 6).
    return {
        "acceptable.accurate": float(verdict == "accurate"),
        "acceptable.acceptable": float(verdict != "wrong"),
        "acceptable.wrong": float(verdict == "wrong"),
    }


def _sentences(output: Output, page: LabelledPage) -> Scores:
    match = metrics.sentences(output.text, page.gold)
    # "If the FM value is larger than 0.9, the result is good enough" (Bing 2008, section 5); its tables have 0.8 too.
    above = {"sentences.above_0.8": float(match.f1 > 0.8), "sentences.above_0.9": float(match.f1 > 0.9)}  # noqa: PLR2004
    return _match_scores("sentences", match) | above


def _snippets(output: Output, page: LabelledPage) -> Scores:
    if not page.required and not page.forbidden:
        return {}
    result = metrics.snippets(output.text, page.required, page.forbidden)
    return {"snippets.present": result.present, "snippets.absent": result.absent, "snippets.score": result.score}


def _parts(output: Output, page: LabelledPage) -> Scores:
    return {f"parts.{name}": recall for name, recall in metrics.parts(output.text, page.parts).items()}


def _nodes(output: Output, page: LabelledPage) -> Scores:
    match = _node_match(output, page)
    return _match_scores("nodes", match.nodes) if match else {}


def _text(output: Output, page: LabelledPage) -> Scores:
    match = _node_match(output, page)
    return _match_scores("text", match.text) if match else {}


def _node_match(output: Output, page: LabelledPage) -> NodeMatch | None:
    extraction = output.extraction
    if extraction is None:  # a third-party tool. An empty extraction is falsy, and is scored.
        return None
    return match_nodes(extraction.page, extraction.selection.mask, page.gold)


METRICS: Final[dict[str, Metric]] = {
    metric.name: metric
    for metric in (
        Metric("words", "words.f1", _match_columns("words"), _words),
        Metric("lcs", "lcs.f1", _match_columns("lcs"), _lcs),
        Metric("cleaneval", "cleaneval.score", ("cleaneval.score",), _cleaneval),
        Metric(
            "sentences",
            "sentences.f1",
            (*_match_columns("sentences"), "sentences.above_0.8", "sentences.above_0.9"),
            _sentences,
        ),
        Metric(
            "acceptable",
            "acceptable.acceptable",
            ("acceptable.accurate", "acceptable.acceptable", "acceptable.wrong"),
            _acceptable,
        ),
        Metric("snippets", "snippets.score", ("snippets.present", "snippets.absent", "snippets.score"), _snippets),
        Metric("nodes", "nodes.f1", _match_columns("nodes"), _nodes),
        Metric("text", "text.f1", _match_columns("text"), _text),
        Metric("parts", "parts.body", (), _parts),
    )
}


def get_metrics(names: Iterable[str]) -> tuple[Metric, ...]:
    """Return metrics by name. The single name ``all`` means all of them.

    >>> [metric.main_column for metric in get_metrics(["words", "cleaneval"])]
    ['words.f1', 'cleaneval.score']
    """
    names = list(names)
    if names == ["all"]:
        return tuple(METRICS.values())
    for name in names:
        if name not in METRICS:
            raise OptionError(f"no metric is named {name!r}; there are {', '.join(METRICS)}, or all")
    return tuple(METRICS[name] for name in names)
