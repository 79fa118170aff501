"""The papers' tables with their figures and ours.

    python bench/reproduce.py song   CORPORA     # Song 2015, tables 1 to 7
    python bench/reproduce.py yu     CORPORA     # Yu 2017, tables I and II
    python bench/reproduce.py prasad CORPORA     # Prasad 2008, table 1 and figure 9
    python bench/reproduce.py liu    CORPORA     # Liu 2017, tables 2 and 3
    python bench/reproduce.py bing   CORPORA     # Bing 2008, shares of pages above 0.9 and 0.8

CORPORA is a folder with cleaneval/final, l3s-gn1 and dragnet, as published (docs/evaluation.md). The papers' other
sources are no longer public; L3S-GN1 and Dragnet replace them as news and blogs. Measuring takes some minutes.
``--save FILE.jsonl`` keeps the results. ``--results FILE.jsonl`` prints from saved results, or from those of
``tamis eval … -o FILE.jsonl``.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from tamis.evaluate.corpora import BrokenPage, Corpus, LabelledPage, open_corpus
from tamis.evaluate.corpora.reader import CorpusReader
from tamis.evaluate.results import Result, ResultFile, read_results
from tamis.evaluate.run import Plan, run
from tamis.evaluate.table import Table, format_number
from tamis.evaluate.tools import open_tool
from tamis.evaluate.words import split_words
from tamis.html import tags
from tamis.page import parse_page
from tamis.page.sums import in_subtree

CLEANEVAL: Final = "cleaneval/final"
L3S: Final = "l3s-gn1"
DRAGNET: Final = "dragnet"
UNAVAILABLE: Final = "no longer public"

#: Song 2015, tables 1 to 4: for each source precision, recall, F1 and score, in percent.
SONG_SOURCES: Final = ("CleanEval-Eng", "NYTimes", "Yahoo!", "Wikipedia", "BBC", "Ars Technica", "Chaos")
SONG_METHODS: Final = {
    "cetd": """
        92.96 94.52 93.73 88.96  98.38 95.84 97.09 94.42  83.16 85.90 84.51 72.84  98.32 97.22 97.77 95.76
        84.39 95.21 89.48 80.66  97.81 98.85 98.33 96.71  92.23 94.99 93.59 88.76""",
    "cectd": """
        95.87 97.15 96.51 93.87  99.69 98.16 98.92 97.86  84.59 93.99 89.04 80.71  98.25 92.77 95.43 91.49
        86.15 97.95 91.67 84.44  98.04 99.51 98.76 97.57  96.21 96.10 96.15 93.47""",
    "cectd-s": """
        90.35 92.60 91.46 87.24  96.72 96.56 96.64 94.41  80.33 93.34 86.35 76.16  98.02 97.61 97.81 95.75
        82.55 93.77 87.80 79.65  94.61 93.56 94.08 91.65  89.64 92.86 91.22 86.17""",
    "cehtd": """
        94.97 94.07 94.52 90.61  99.72 95.96 97.80 95.69  91.99 88.59 90.26 81.93  96.58 90.41 93.39 87.86
        95.55 96.46 96.00 92.29  98.12 98.83 98.48 97.01  94.74 96.42 95.57 92.05""",
}
SONG_TITLES: Final = {"cetd": "CETD-DS", "cectd": "CECTD-DS", "cectd-s": "CECTD-S", "cehtd": "CEHTD-DS"}
#: Tables 5 to 7: F1, precision and recall on CleanEval, and the average over the paper's seven sources.
SONG_COMPARISON: Final = {
    "bte": ("92.22 80.83", "88.87 71.95", "95.83 94.10"),
    "ccb": ("86.24 72.66", "80.61 61.48", "92.71 90.70"),
    "dsc": ("74.07 80.17", "91.94 92.61", "62.01 72.16"),
    "fe": ("17.56 8.97", "73.87 77.26", "9.97 4.28"),
    "kfe": ("74.13 68.73", "79.28 73.64", "69.61 65.19"),
    "lqf": ("91.23 86.42", "88.60 82.14", "94.02 91.82"),
    "cetr": ("88.59 82.78", "91.26 81.61", "86.08 84.93"),
    "cetd": ("93.73 93.50", "92.96 92.66", "94.52 94.65"),
    "cectd-s": ("91.46 92.24", "90.35 90.33", "92.60 93.97"),
    "cectd": ("96.51 95.21", "95.87 94.11", "97.15 96.52"),
    "cehtd": ("94.52 95.15", "94.97 95.95", "94.07 94.39"),
}
#: Yu 2017, tables I (by site) and II (by extractor).
YU_SITES: Final = {
    "The Economist": "98.12 96.34 96.98",
    "Sina News": "99.29 98.16 98.49",
    "Global News": "97.33 98.41 97.49",
    "Sohu News": "96.58 99.12 97.47",
    "Firefox News": "97.17 99.82 97.98",
}
YU_METHODS: Final = {
    "fe": "74.19 60.21 66.47",
    "ccb": "81.27 90.34 85.57",
    "cetr": "86.98 93.70 90.22",
    "cetd": "94.49 94.58 94.53",
    "ceds": "97.90 98.54 98.21",
}
#: Prasad 2008, table 1: text-based precision, recall, F1.
PRASAD: Final = {
    "coreex-r1": ("R1 basic scoring", "83.87 2.71 5.3"),
    "coreex-r2": ("R2 weighted scoring", "95.62 90.88 93.2"),
    "coreex-r3": ("R3 + subset selection", "97.76 91.83 94.7"),
    "coreex-r4": ("R4 + ignoring forms", "97.83 95.41 96.6"),
    "coreex-r5": ("R5 + removing scripts", "97.15 98.62 97.9"),
    "coreex-r6": ("R6 + XHTML", "96.85 98.68 97.8"),
    "coreex": ("coreex: R5, page-wide forms, title", ""),
}
#: Liu 2017, totals of tables 2 and 3: accurate, acceptable (accurate ones included), wrong pages of 976.
LIU: Final = {"vips-leaf": (813, 921, 55), "nodechar": (823, 941, 35)}
LIU_COMPARED: Final = ("body", "cetd", "cectd", "coreex", "ceds", "ridge", "bte", "lqf", "cetr")
#: Bing 2008, section 5: share of pages whose sentence F is above 0.9 and above 0.8.
BING: Final = {
    "U1, 816 pages": ("90", "92.6"),
    "U2, 843 pages": ("86", "92.4"),
    "U4, 502 pages": ("90.5", "–"),
}
BING_COMPARED: Final = ("ridge", "cetd", "cectd", "coreex", "ceds", "nodechar", "body")


@dataclass(frozen=True)
class Measured:
    """Results by corpus and extractor, and the pages whose gold text is empty."""

    corpora: tuple[Corpus, ...]
    results: dict[tuple[str, str], list[Result]]
    empty_gold: dict[str, frozenset[str]]

    def mean(self, corpus: str, tool: str, column: str, *, with_text: bool = False) -> float:
        """Return a mean in percent over all pages, or over those whose gold has text; nan if there are none."""
        skipped = self.empty_gold[corpus] if with_text else frozenset()
        scores = [
            result.scores[column]
            for result in self.results.get((corpus, tool), ())
            if column in result.scores and result.page not in skipped
        ]
        return 100 * float(np.mean(scores)) if scores else float("nan")

    def of_means(self, corpus: str, tool: str, metric: str = "lcs") -> float:
        """Return the harmonic mean of mean precision and mean recall, which most papers report."""
        precision, recall = (self.mean(corpus, tool, f"{metric}.{name}") for name in ("precision", "recall"))
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    def names(self) -> list[str]:
        """Return the names of the corpora."""
        return [corpus.name for corpus in self.corpora]

    def pages(self, corpus: str) -> int:
        """Return the number of pages of a corpus."""
        return max((len(results) for (name, _), results in self.results.items() if name == corpus), default=0)


def measure(options: argparse.Namespace, corpora: Sequence[str], tools: Sequence[str], metrics: str) -> Measured:
    """Measure, or read saved results."""
    opened = tuple(Corpus(name, options.corpora / name, _reader(options.corpora / name)) for name in corpora)
    if options.results is not None:
        results: Iterable[Result] = read_results(options.results)
    else:
        plan = Plan(opened, [open_tool(name) for name in tools], metrics.split(), options.jobs, pages=options.pages)
        results = _run(plan, options.save)
    grouped: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        grouped.setdefault((result.corpus, result.tool), []).append(result)
    empty_gold = {}
    for corpus in opened:
        pages = {result.page for tool in tools for result in grouped.get((corpus.name, tool), ())}
        empty_gold[corpus.name] = frozenset(page for page in pages if not _has_words(corpus.read(page)))
    return Measured(opened, grouped, empty_gold)


def _reader(folder: Path) -> CorpusReader:
    return open_corpus(folder).reader


def _has_words(page: LabelledPage | BrokenPage) -> bool:
    return not isinstance(page, BrokenPage) and bool(split_words(page.gold))


def _run(plan: Plan, save: Path | None) -> list[Result]:
    total = len(plan.tasks()) * len(plan.tools)
    results: list[Result] = []
    file = ResultFile(save) if save is not None else None
    for result in run(plan):
        if isinstance(result, Result):
            results.append(result)
            if file is not None:
                file.write(result)
            if len(results) % 500 == 0:
                print(f"{len(results)} of {total}", file=sys.stderr)
    if file is not None:
        file.close()
    return results


def percent(value: float) -> str:
    return format_number(value, 1)


def print_tables(tables: Iterable[Table], options: argparse.Namespace) -> None:
    for table in tables:
        print()
        print(table.markdown() if options.markdown else table.text())


def print_page_counts(measured: Measured) -> None:
    """Print the number of pages, and how those with an empty gold text are scored."""
    for name in measured.names():
        pages, empty = measured.pages(name), measured.empty_gold[name]
        note = (
            f"; {len(empty)} have an empty gold text: they score 1 if nothing is extracted, else 0" if empty else ""
        )
        print(f"{name}: {pages} pages{note}")


def song(options: argparse.Namespace) -> None:
    tools = [name for name in SONG_COMPARISON if name != "cehtd"]
    measured = measure(options, (CLEANEVAL, L3S, DRAGNET), tools, "lcs cleaneval")
    print_page_counts(measured)
    print(f"NYTimes to Chaos are {UNAVAILABLE}; the authors corrected the gold of CleanEval, ours is the original.")
    print("F1 is the mean over pages; F1 of means is the harmonic mean of mean P and mean R, as in the paper.")
    print_tables([*_song_methods(measured), *_song_comparison(measured)], options)


def _song_methods(measured: Measured) -> list[Table]:
    tables = []
    for number, (name, figures) in enumerate(SONG_METHODS.items(), 1):
        paper = np.array(figures.split(), dtype=np.float64).reshape(-1, 4)
        rows = [
            (f"paper, {source}", *map(percent, line[:2]), "–", *map(percent, line[2:]))
            for source, line in zip(SONG_SOURCES, paper, strict=True)
        ]
        for corpus in measured.names():
            if name == "cehtd":
                rows.append((f"ours, {corpus}", *["needs rendering"] * 5))
                continue
            cells = [measured.mean(corpus, name, f"lcs.{column}") for column in ("precision", "recall", "f1")]
            cells += [measured.of_means(corpus, name), measured.mean(corpus, name, "cleaneval.score")]
            rows.append((f"ours, {corpus}", *map(percent, cells)))
        title = f"Song, Table {number}: {SONG_TITLES[name]}"
        tables.append(Table(title, ("source", "P", "R", "F1", "F1 of means", "score"), tuple(rows)))
    return tables


def _song_comparison(measured: Measured) -> list[Table]:
    tables = []
    for index, (title, column) in enumerate(
        zip(("5: F1", "6: P", "7: R"), ("f1", "precision", "recall"), strict=True)
    ):
        f1 = column == "f1"
        header = ["algorithm", "CE paper", "CE ours", *(["of means"] if f1 else []), "CE ours, with text"]
        header += ["paper, average of 7", "L3S ours", "Dragnet ours"]
        rows = []
        for name, paper in SONG_COMPARISON.items():
            cleaneval, average = paper[index].split()
            cells = [measured.mean(CLEANEVAL, name, f"lcs.{column}")]
            cells += [measured.of_means(CLEANEVAL, name)] if f1 else []
            cells.append(measured.mean(CLEANEVAL, name, f"lcs.{column}", with_text=True))
            cells.append(float(average))
            cells += [measured.mean(corpus, name, f"lcs.{column}") for corpus in (L3S, DRAGNET)]
            formatted = [percent(cell) if cell == cell else "needs rendering" for cell in cells]  # noqa: PLR0124 (nan)
            rows.append((name, percent(float(cleaneval)), *formatted))
        tables.append(Table(f"Song, Table {title} by algorithm", tuple(header), tuple(rows)))
    return tables


def yu(options: argparse.Namespace) -> None:
    measured = measure(options, (CLEANEVAL, L3S, DRAGNET), list(YU_METHODS), "lcs")
    print_page_counts(measured)
    print(f"The paper's pages, of five news sites, are {UNAVAILABLE}.")
    by_site: list[tuple[str, ...]] = [(f"paper, {site}", *line.split()) for site, line in YU_SITES.items()]
    by_extractor: list[tuple[str, ...]] = [(f"{name}, paper", *line.split()) for name, line in YU_METHODS.items()]
    for corpus in measured.names():
        for name in YU_METHODS:
            means = [measured.mean(corpus, name, f"lcs.{column}") for column in ("precision", "recall", "f1")]
            by_extractor.append((f"{name}, ours, {corpus}", *map(percent, means)))
            if name == "ceds":
                by_site.append((f"ours, {corpus}", *map(percent, means)))
    header = ("P", "R", "F1")
    print_tables(
        [
            Table("Yu, Table I: ceds", ("source", *header), tuple(by_site)),
            Table("Yu, Table II: by extractor", ("extractor", *header), tuple(by_extractor)),
        ],
        options,
    )


def prasad(options: argparse.Namespace) -> None:
    measured = measure(options, (L3S,), list(PRASAD), "nodes text parts")
    print_page_counts(measured)
    print(f"The paper's 1,120 pages are {UNAVAILABLE}. Node-based figures of the paper: 93.0 and 92.5 for R5 alone.")
    rows = []
    for name, (title, paper) in PRASAD.items():
        text = [measured.mean(L3S, name, f"text.{column}") for column in ("precision", "recall")]
        nodes = [measured.mean(L3S, name, f"nodes.{column}") for column in ("precision", "recall")]
        cells = [*text, measured.of_means(L3S, name, "text"), *nodes]
        rows.append((title, *(paper.split() or ["–"] * 3), *map(percent, cells)))
    header = ("configuration", "paper P", "R", "F1", "ours P", "R", "F1", "nodes P", "nodes R")
    parts = [
        (PRASAD[name][0], *(percent(measured.mean(L3S, name, f"parts.{part}")) for part in ("headline", "body")))
        for name in ("coreex-r5", "coreex")
    ]
    parts.append(("paper, R5 (with the heading before it)", "80 (92)", "99"))
    print_tables(
        [
            Table("Prasad, Table 1 (text-based; L3S-GN1)", header, tuple(rows)),
            Table("Prasad, Figure 9: share found", ("configuration", "headline", "body"), tuple(parts)),
            _changes(measured),
        ],
        options,
    )


def _changes(measured: Measured) -> Table:
    """Return the number of pages that each step improves and worsens, for pages inside a form and for others."""
    corpus = measured.corpora[0]
    scores = {
        name: {result.page: result.scores.get("text.f1", 0.0) for result in measured.results[L3S, name]}
        for name in PRASAD
    }
    in_form = {page: _form_share(corpus, page) > 0.5 for page in scores["coreex"]}
    rows = []
    for name, before in (("coreex-r4", "coreex-r3"), ("coreex-r5", "coreex-r4"), ("coreex", "coreex-r5")):
        for inside_form in (True, False):
            pages = [page for page, is_inside in in_form.items() if is_inside is inside_form]
            change = np.array([scores[name][page] - scores[before][page] for page in pages])
            cells = (len(pages), int((change > 0.1).sum()), int((change < -0.1).sum()))
            group = "most words in a form" if inside_form else "other pages"
            rows.append((PRASAD[name][0], group, *map(str, cells), percent(100 * float(change.mean()))))
    header = ("step", "on", "pages", "better", "worse", "mean change")
    return Table("Pages whose text-based F1 changes by more than 10 points", header, tuple(rows), named=2)


def _form_share(corpus: Corpus, name: str) -> float:
    """Return the share of a page's words inside forms."""
    labelled = corpus.read(name)
    assert not isinstance(labelled, BrokenPage)
    page = parse_page(labelled.html)
    words = np.where(page.hidden == 0, page.words, 0)
    forms = in_subtree(page.end, np.flatnonzero(page.tag == tags.IDS["form"]))
    return float(words[forms].sum() / max(words.sum(), 1))


def liu(options: argparse.Namespace) -> None:
    tools = ["nodechar", *LIU_COMPARED]
    measured = measure(options, (L3S,), tools, "acceptable")
    print_page_counts(measured)
    print(f"The paper's 976 pages of ten Chinese news sites are {UNAVAILABLE}; vips-leaf needs rendering.")
    rows = [
        (f"{name}, paper", *(percent(count / 9.76) for count in counts)) for name, counts in reversed(LIU.items())
    ]
    for name in tools:
        columns = ("accurate", "acceptable", "wrong")
        rows.append(
            (f"{name}, ours", *(percent(measured.mean(L3S, name, f"acceptable.{column}")) for column in columns))
        )
    header = ("extractor", "accurate", "acceptable", "wrong")
    print_tables([Table("Liu, Tables 2 and 3 (L3S-GN1), % of pages", header, tuple(rows))], options)


def bing(options: argparse.Namespace) -> None:
    measured = measure(options, (CLEANEVAL, L3S, DRAGNET), list(BING_COMPARED), "sentences")
    print_page_counts(measured)
    print(f"The paper's pages are {UNAVAILABLE}.")
    rows: list[tuple[str, ...]] = [(f"paper, {name}", *shares, "–") for name, shares in BING.items()]
    for corpus in measured.names():
        for name in BING_COMPARED:
            columns = ("above_0.9", "above_0.8", "f1")
            cells = [measured.mean(corpus, name, f"sentences.{column}") for column in columns]
            rows.append((f"{name}, ours, {corpus}", *map(percent, cells)))
    header = ("extractor", "% above 0.9", "% above 0.8", "mean F")
    print_tables([Table("Bing, sentence F", header, tuple(rows))], options)


COMMANDS: Final[dict[str, Callable[[argparse.Namespace], None]]] = {
    "song": song,
    "yu": yu,
    "prasad": prasad,
    "liu": liu,
    "bing": bing,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paper", choices=COMMANDS)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--pages", type=int, help="maximum number of pages of each corpus, for a quick run")
    parser.add_argument("--results", type=Path, help="print from saved results, FILE.jsonl")
    parser.add_argument("--save", type=Path, help="save the results, FILE.jsonl")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    COMMANDS[options.paper](options)


if __name__ == "__main__":
    main()
