"""The metrics by name, each with its table columns: what ``--metric`` selects from."""

import re
from collections.abc import Callable, Iterable
from dataclasses import asdict, astuple, dataclass
from functools import partial
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.api import Extraction
from tamis.errors import OptionError
from tamis.lab.evaluate import metrics
from tamis.lab.evaluate.corpora import LabelledPage
from tamis.lab.evaluate.metrics import Match, aligned_words, is_cjk, rouge_lsum, rouge_n, split_words
from tamis.lab.evaluate.structure import POOLED_PARTS, POOLED_TYPES, pooled
from tamis.lab.evaluate.webmainbench import COLUMNS as WEBMAINBENCH_COLUMNS
from tamis.lab.evaluate.webmainbench import remove_links, webmainbench
from tamis.page import Page
from tamis.page.sums import Bools

# Precision and recall over the nodes of a page, unweighted and weighted by words.
#
# J. Prasad, A. Paepcke: CoreEx: content extraction from online news articles. CIKM 2008, section 3.3.
#
# The nodes are the shown text rows of a `Page` that have words. The words of the page are aligned with the words of
# the gold text by their longest common subsequence: a row is content if at least half of its words align. The
# metric needs the rows that an extractor selected, so it applies to the extractors of Tamis only.

#: The share of a row's words that must align. The value hardly matters: on L3S-GN1 86 % of rows have no aligned word
#: and 13 % align entirely; one row in 2,000 lies between a quarter and three quarters.
_MIN_ALIGNED_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class NodeMatch:
    """The match over nodes, and the match over nodes weighted by their number of words."""

    nodes: Match
    text: Match


def row_words(page: Page, *, cjk: bool) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Return the words of the shown text rows in order, and the row of each word."""
    words: list[str] = []
    rows: list[int] = []
    for row in np.flatnonzero(page.shown).tolist():
        words_of_row = split_words(page.row_text(row), cjk=cjk)
        words += words_of_row
        rows += [row] * len(words_of_row)
    return words, np.array(rows, dtype=np.int64)


def gold_rows(page: Page, gold: str) -> Bools | None:
    """Return a mask of the rows that are content by the gold text, or None if the texts are too long to align.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<nav>Home</nav><p>Rain all day.</p><footer>Imprint</footer>")
    >>> [page.row_text(row) for row in gold_rows(page, "Rain all day.").nonzero()[0]]
    ['Rain all day.']
    """
    cjk = is_cjk(gold)
    words, rows = row_words(page, cjk=cjk)
    aligned = aligned_words(words, split_words(gold, cjk=cjk))
    if aligned is None:
        return None
    word_counts = np.bincount(rows, minlength=len(page))
    aligned_counts = np.bincount(rows[aligned], minlength=len(page))
    return (word_counts > 0) & (aligned_counts >= _MIN_ALIGNED_SHARE * word_counts)


def match_nodes(page: Page, selected: Bools, gold: str) -> NodeMatch | None:
    """Compare the rows that an extractor selected with the rows that are content by the gold text.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>One</p><p>two three four</p><p>five</p>")
    >>> match = match_nodes(page, page.is_text, "two three four five")
    >>> match.nodes.precision, match.text.precision
    (0.6666666666666666, 0.8)
    """
    content = gold_rows(page, gold)
    if content is None:
        return None
    if not content.any() and split_words(gold, cjk=is_cjk(gold)):  # no content is shown on the page
        return NodeMatch(Match(0.0, 0.0, 0.0), Match(0.0, 0.0, 0.0))
    _, rows = row_words(page, cjk=is_cjk(gold))
    weight = np.bincount(rows, minlength=len(page))
    predicted = selected & (weight > 0)
    common = predicted & content
    return NodeMatch(
        nodes=Match.from_counts(float(common.sum()), float(predicted.sum()), float(content.sum())),
        text=Match.from_counts(
            float(weight[common].sum()), float(weight[predicted].sum()), float(weight[content].sum())
        ),
    )


#: Scores by column, such as ``words.f1``.
Scores = dict[str, float]


@dataclass(frozen=True, slots=True)
class Output:
    """The output of a tool for one page.

    Attributes:
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


def _match(name: str, compare: Callable[[Output, LabelledPage], Match | None]) -> Metric:
    """Return a metric that has precision, recall and F1."""

    def score(output: Output, page: LabelledPage) -> Scores:
        match = compare(output, page)
        return dict(zip(columns, astuple(match), strict=True)) if match else {}

    columns = (f"{name}.precision", f"{name}.recall", f"{name}.f1")
    return Metric(name, columns[2], columns, score)


def _acceptable(output: Output, page: LabelledPage) -> Scores:
    verdict = metrics.acceptable(output.text, page.gold)
    # The rate of acceptable pages includes the accurate ones (Liu 2017, equation 6).
    return {
        "acceptable.accurate": float(verdict == "accurate"),
        "acceptable.acceptable": float(verdict != "wrong"),
        "acceptable.wrong": float(verdict == "wrong"),
    }


_SENTENCES: Final = _match("sentences", lambda output, page: metrics.sentences(output.text, page.gold))


def _sentences(output: Output, page: LabelledPage) -> Scores:
    scores = _SENTENCES.score(output, page)
    # "If the FM value is larger than 0.9, the result is good enough" (Bing 2008, section 5); its tables have 0.8 too.
    return scores | {f"sentences.above_{limit}": float(scores["sentences.f1"] > limit) for limit in (0.8, 0.9)}


def _snippets(output: Output, page: LabelledPage) -> Scores:
    if not page.required and not page.forbidden:
        return {}
    found = asdict(metrics.snippets(output.text, page.required, page.forbidden))
    return {f"snippets.{name}": value for name, value in found.items()}


def _rouge(output: Output, page: LabelledPage) -> Scores:
    sizes = {f"rouge.{size}": rouge_n(output.text, page.gold, size).f1 for size in (1, 2)}
    return sizes | {"rouge.Lsum": rouge_lsum(output.text, page.gold).f1}


def _structure(output: Output, page: LabelledPage) -> Scores:
    counts = pooled(output.as_markdown, page.gold_markdown, page.url) if page.gold_markdown is not None else {}
    if not counts:
        return {}
    scores = {f"structure.{name}": 2 * equal / (left + right) for name, (equal, left, right) in counts.items()}
    mean = sum(scores.values()) / len(scores)
    for name, values in counts.items():
        scores |= {f"structure.{name}.{part}": values[k] for k, part in enumerate(POOLED_PARTS)}
    return {"structure.mean": mean, **scores}


def _webmainbench(output: Output, page: LabelledPage) -> Scores:
    if page.gold_markdown is None:
        return {}
    scores = webmainbench(remove_links(output.as_markdown), remove_links(page.gold_markdown))
    return {f"webmainbench.{name}": score for name, score in scores.items()}


def _parts(output: Output, page: LabelledPage) -> Scores:
    return {f"parts.{name}": recall for name, recall in metrics.parts(output.text, page.parts).items()}


def _node_match(output: Output, page: LabelledPage, *, weighted: bool) -> Match | None:
    extraction = output.extraction
    if extraction is None:  # a third-party tool. An empty extraction is falsy, and is scored.
        return None
    match = match_nodes(extraction.page, extraction.selection.mask, page.gold)
    if match is None:
        return None
    return match.text if weighted else match.nodes


def _columns(name: str, *columns: str) -> tuple[str, ...]:
    return tuple(f"{name}.{column}" for column in columns)


METRICS: Final[dict[str, Metric]] = {
    metric.name: metric
    for metric in (
        _match("words", lambda output, page: metrics.words(output.text, page.gold)),
        _match("lcs", lambda output, page: metrics.lcs(output.text, page.gold)),
        Metric(
            "cleaneval",
            "cleaneval.score",
            ("cleaneval.score",),
            lambda output, page: {"cleaneval.score": metrics.cleaneval(output.text, page.gold)},
        ),
        Metric(
            "sentences",
            "sentences.f1",
            (*_SENTENCES.columns, "sentences.above_0.8", "sentences.above_0.9"),
            _sentences,
        ),
        Metric(
            "acceptable",
            "acceptable.acceptable",
            _columns("acceptable", "accurate", "acceptable", "wrong"),
            _acceptable,
        ),
        Metric("snippets", "snippets.score", _columns("snippets", "present", "absent", "score"), _snippets),
        _match("nodes", partial(_node_match, weighted=False)),
        _match("text", partial(_node_match, weighted=True)),
        Metric("parts", "parts.body", (), _parts),
        Metric("rouge", "rouge.Lsum", _columns("rouge", "1", "2", "Lsum"), _rouge),
        _match("rouge-lsum", lambda output, page: rouge_lsum(output.text, page.gold)),
        Metric(
            "structure",
            "structure.mean",
            _columns("structure", *POOLED_TYPES, "mean"),
            _structure,
            needs_markdown=True,
        ),
        Metric(
            "webmainbench",
            "webmainbench.overall",
            _columns("webmainbench", *WEBMAINBENCH_COLUMNS),
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
        size = int(match[1])
        return _match(name, lambda output, page: rouge_n(output.text, page.gold, size))
    raise OptionError(f"no metric is named {name!r}; there are {', '.join(METRICS)}, rouge-N, or all")
