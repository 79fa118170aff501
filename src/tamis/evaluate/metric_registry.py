"""The metrics by name, each with its table columns: what ``--metric`` selects from."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Final

from tamis.api import Extraction
from tamis.errors import OptionError
from tamis.evaluate import metrics
from tamis.evaluate.corpora import LabelledPage
from tamis.evaluate.metrics import Match
from tamis.evaluate.nodes import NodeMatch, match_nodes
from tamis.evaluate.rouge import rouge_lsum, rouge_n
from tamis.evaluate.structure import ELEMENT_TYPES, structure
from tamis.evaluate.webmainbench import COLUMNS as WEBMAINBENCH_COLUMNS
from tamis.evaluate.webmainbench import remove_links, webmainbench

#: Scores by column, such as ``words.f1``.
Scores = dict[str, float]


@dataclass(frozen=True, slots=True)
class Output:
    """The output of a tool for one page.

    Attributes:
        text: its text.
        extraction: the extraction, if the tool is an extractor of Tamis.
        markdown: its Markdown, if the tool writes any and a metric needs it.
    """

    text: str
    extraction: Extraction | None = None
    markdown: str | None = None

    @property
    def as_markdown(self) -> str:
        """The Markdown, or the text of a tool that writes none."""
        return self.text if self.markdown is None else self.markdown


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric and its columns.

    Attributes:
        name: what ``--metric`` calls it.
        main_column: the column that is shown where there is space for one only.
        columns: all columns; empty if they depend on the page.
        score: computes the columns from an output and its page; returns none if the metric does not apply.
        needs_markdown: whether it compares Markdown.
    """

    name: str
    main_column: str
    columns: tuple[str, ...]
    score: Callable[[Output, LabelledPage], Scores]
    needs_markdown: bool = False

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


def _rouge(output: Output, page: LabelledPage) -> Scores:
    sizes = {f"rouge.{size}": rouge_n(output.text, page.gold, size).f1 for size in (1, 2)}
    return sizes | {"rouge.Lsum": rouge_lsum(output.text, page.gold).f1}


def _rouge_n(size: int, output: Output, page: LabelledPage) -> Scores:
    return _match_scores(f"rouge-{size}", rouge_n(output.text, page.gold, size))


def _rouge_lsum(output: Output, page: LabelledPage) -> Scores:
    return _match_scores("rouge-lsum", rouge_lsum(output.text, page.gold))


def _structure(output: Output, page: LabelledPage) -> Scores:
    if page.gold_markdown is None:
        return {}
    matches = structure(output.as_markdown, page.gold_markdown, page.url)
    if not matches:
        return {}
    mean = sum(match.f1 for match in matches.values()) / len(matches)
    return {f"structure.{name}": match.f1 for name, match in matches.items()} | {"structure.mean": mean}


def _webmainbench(output: Output, page: LabelledPage) -> Scores:
    if page.gold_markdown is None:
        return {}
    scores = webmainbench(remove_links(output.as_markdown), remove_links(page.gold_markdown))
    return {f"webmainbench.{name}": score for name, score in scores.items()}


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
        Metric("rouge", "rouge.Lsum", ("rouge.1", "rouge.2", "rouge.Lsum"), _rouge),
        Metric("rouge-lsum", "rouge-lsum.f1", _match_columns("rouge-lsum"), _rouge_lsum),
        Metric(
            "structure",
            "structure.mean",
            (*(f"structure.{name}" for name in ELEMENT_TYPES), "structure.mean"),
            _structure,
            needs_markdown=True,
        ),
        Metric(
            "webmainbench",
            "webmainbench.overall",
            tuple(f"webmainbench.{name}" for name in WEBMAINBENCH_COLUMNS),
            _webmainbench,
            needs_markdown=True,
        ),
    )
}
#: ``rouge-N``, for any number of words.
_ROUGE_N: Final = re.compile(r"rouge-([1-9]\d?)\Z")


def get_metrics(names: Iterable[str]) -> tuple[Metric, ...]:
    """Return metrics by name. The single name ``all`` means all of them; ``rouge-N`` takes any number of words.

    >>> [metric.main_column for metric in get_metrics(["words", "cleaneval", "rouge-3"])]
    ['words.f1', 'cleaneval.score', 'rouge-3.f1']
    """
    names = list(dict.fromkeys(names))
    if not names:
        raise OptionError(f"name at least one metric; there are {', '.join(METRICS)}, rouge-N, or all")
    if names == ["all"]:
        return tuple(METRICS.values())
    return tuple(map(_get_metric, names))


def _get_metric(name: str) -> Metric:
    if name in METRICS:
        return METRICS[name]
    if match := _ROUGE_N.match(name):
        return Metric(name, f"{name}.f1", _match_columns(name), partial(_rouge_n, int(match[1])))
    raise OptionError(f"no metric is named {name!r}; there are {', '.join(METRICS)}, rouge-N, or all")
