"""The metrics by name, as columns of numbers: what ``--metric`` chooses among and a table is made of."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from tamis.api import Extraction
from tamis.errors import OptionError
from tamis.evaluate import metrics
from tamis.evaluate.corpora import LabelledPage
from tamis.evaluate.metrics import Match
from tamis.evaluate.nodes import NodeMatch, nodes

Columns = dict[str, float]


@dataclass(frozen=True, slots=True)
class Output:
    """What a tool made of a page: its text, and for our own extractors the whole extraction."""

    text: str
    extraction: Extraction | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric as columns.

    Attributes:
        name: what ``--metric`` calls it.
        main: the column that stands for it where there is room for one.
        columns: its columns; one whose columns depend on the page has none here.
        of: from an output and the page to the columns; empty where the metric does not apply.
    """

    name: str
    main: str
    columns: tuple[str, ...]
    of: Callable[[Output, LabelledPage], Columns]

    def zero(self, page: LabelledPage, *, own: bool) -> Columns:
        """Return the scores of a tool that failed on a page: zero wherever the metric applies to it."""
        if self.name == "acceptable":
            return {"acceptable.accurate": 0.0, "acceptable.acceptable": 0.0, "acceptable.wrong": 1.0}
        if self.name in {"nodes", "text"}:
            return dict.fromkeys(self.columns, 0.0) if own else {}
        return dict.fromkeys(self.of(Output(""), page), 0.0)


def _match(name: str, found: Match) -> Columns:
    return {f"{name}.precision": found.precision, f"{name}.recall": found.recall, f"{name}.f1": found.f1}


def _words(output: Output, page: LabelledPage) -> Columns:
    return _match("words", metrics.words(output.text, page.gold))


def _lcs(output: Output, page: LabelledPage) -> Columns:
    return _match("lcs", metrics.lcs(output.text, page.gold))


def _cleaneval(output: Output, page: LabelledPage) -> Columns:
    return {"cleaneval.score": metrics.cleaneval(output.text, page.gold)}


def _acceptable(output: Output, page: LabelledPage) -> Columns:
    verdict = metrics.acceptable(output.text, page.gold)
    # The rate of acceptable pages counts the accurate ones too (Liu 2017, equation 6).
    return {
        "acceptable.accurate": float(verdict == "accurate"),
        "acceptable.acceptable": float(verdict != "wrong"),
        "acceptable.wrong": float(verdict == "wrong"),
    }


def _sentences(output: Output, page: LabelledPage) -> Columns:
    found = metrics.sentences(output.text, page.gold)
    # "If the FM value is larger than 0.9, the result is good enough" (Bing 2008, section 5); its tables have 0.8 too.
    above = {"sentences.above_0.8": float(found.f1 > 0.8), "sentences.above_0.9": float(found.f1 > 0.9)}  # noqa: PLR2004
    return _match("sentences", found) | above


def _snippets(output: Output, page: LabelledPage) -> Columns:
    if not page.required and not page.forbidden:
        return {}
    found = metrics.snippets(output.text, page.required, page.forbidden)
    return {"snippets.present": found.present, "snippets.absent": found.absent, "snippets.score": found.score}


def _parts(output: Output, page: LabelledPage) -> Columns:
    return {f"parts.{name}": share for name, share in metrics.parts(output.text, page.parts).items()}


def _nodes(output: Output, page: LabelledPage) -> Columns:
    found = _rows(output, page)
    return _match("nodes", found.nodes) if found else {}


def _text(output: Output, page: LabelledPage) -> Columns:
    found = _rows(output, page)
    return _match("text", found.text) if found else {}


def _rows(output: Output, page: LabelledPage) -> NodeMatch | None:
    extraction = output.extraction
    if extraction is None:  # a peer; an extraction that is empty is false, and counts all the same
        return None
    return nodes(extraction.page, extraction.selection.mask, page.gold)


def _three(name: str) -> tuple[str, ...]:
    return (f"{name}.precision", f"{name}.recall", f"{name}.f1")


MEASURES: Final[dict[str, Measure]] = {
    measure.name: measure
    for measure in (
        Measure("words", "words.f1", _three("words"), _words),
        Measure("lcs", "lcs.f1", _three("lcs"), _lcs),
        Measure("cleaneval", "cleaneval.score", ("cleaneval.score",), _cleaneval),
        Measure(
            "sentences",
            "sentences.f1",
            (*_three("sentences"), "sentences.above_0.8", "sentences.above_0.9"),
            _sentences,
        ),
        Measure(
            "acceptable",
            "acceptable.acceptable",
            ("acceptable.accurate", "acceptable.acceptable", "acceptable.wrong"),
            _acceptable,
        ),
        Measure("snippets", "snippets.score", ("snippets.present", "snippets.absent", "snippets.score"), _snippets),
        Measure("nodes", "nodes.f1", _three("nodes"), _nodes),
        Measure("text", "text.f1", _three("text"), _text),
        Measure("parts", "parts.body", (), _parts),
    )
}


def measures_named(names: Iterable[str]) -> tuple[Measure, ...]:
    """Return measures by name, ``all`` for every one.

    >>> [measure.main for measure in measures_named(["words", "cleaneval"])]
    ['words.f1', 'cleaneval.score']
    """
    wanted = list(names)
    if wanted == ["all"]:
        return tuple(MEASURES.values())
    for name in wanted:
        if name not in MEASURES:
            raise OptionError(f"no metric is named {name!r}; there are {', '.join(MEASURES)}, or all")
    return tuple(MEASURES[name] for name in wanted)
