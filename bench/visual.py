"""What boxes are good for: the figures of docs/visual.md.

    python bench/visual.py table  CORPORA --layout DIR   # cectd, cehtd, cetd-auto, vips-leaf on CleanEval and L3S-GN1
    python bench/visual.py hidden                       # pages of our own with long hidden text (draws them)
    python bench/visual.py choose CORPORA --layout DIR   # learns when boxes are to be believed; prints the weights
    python bench/visual.py sweep  CORPORA --layout DIR   # the two thresholds of vips-leaf

CORPORA is a folder with cleaneval/dev, cleaneval/final, l3s-gn1 and wcxb/dev, laid out as published. DIR has boxes of
their pages, made once by:  tamis render --corpus CORPORA/cleaneval CORPORA/l3s-gn1 CORPORA/wcxb/dev -o DIR
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from tamis.errors import SourceError
from tamis.evaluate import metrics
from tamis.evaluate.corpora import BrokenPage, LabelledPage, open_corpus
from tamis.evaluate.tools import open_tool
from tamis.extractors import registry
from tamis.extractors.baselines.vips import VipsLeaf
from tamis.extractors.cehtd import select_hybrid
from tamis.extractors.cetd import Cectd
from tamis.extractors.cetd_auto import features
from tamis.page import Page, parse_page
from tamis.render.row_text import selected_text
from tamis.visual.store import LayoutFolder

MEASURED: Final = ("cleaneval/final", "l3s-gn1")
LEARNED: Final = ("cleaneval/dev", "wcxb/dev")
METHODS: Final = ("cectd", "cehtd", "cetd-auto", "vips-leaf")
HIDDEN: Final = Path(__file__).parent.parent / "tests" / "visual" / "pages"
#: Song 2015, tables 2 and 4: precision, recall and F1 (of the means) on CleanEval, and on Yahoo! and BBC.
PAPER: Final = {"cectd": (95.87, 97.15, 96.51), "cehtd": (94.97, 94.07, 94.52)}
PAPER_HIDDEN: Final = {"Yahoo!": (84.59, 91.99), "BBC": (86.15, 95.55)}


class Scores(NamedTuple):
    precision: float
    recall: float
    f1: float


def drawn_pages(folder: Path, layout: LayoutFolder) -> Iterator[tuple[LabelledPage, Page]]:
    """Give the pages of a corpus with their boxes; those that were not rendered are left out and counted."""
    missing = 0
    for labelled in open_corpus(folder):
        if isinstance(labelled, BrokenPage):
            continue
        try:
            page = layout.attach(parse_page(labelled.html))
        except SourceError:
            missing += 1
            continue
        yield labelled, page
    if missing:
        print(f"{folder.name}: {missing} pages have no boxes and are left out")


def score(page: Page, mask: np.ndarray, gold: str) -> Scores:
    found = metrics.lcs(selected_text(page, mask), gold)
    return Scores(found.precision, found.recall, found.f1)


def line(name: str, rows: list[Scores]) -> None:
    precision, recall, f1 = 100 * np.mean(rows, axis=0)
    of_means = 2 * precision * recall / (precision + recall)
    print(f"{name:<26}{precision:>8.1f}{recall:>8.1f}{f1:>8.1f}{of_means:>10.1f}{len(rows):>8}")


def head(title: str) -> None:
    print(f"\n{title:<26}{'P':>8}{'R':>8}{'F1':>8}{'of means':>10}{'pages':>8}")


def table(options: argparse.Namespace) -> None:
    layout = LayoutFolder(options.layout)
    for name in MEASURED:
        scores: dict[str, list[Scores]] = {method: [] for method in METHODS}
        best: list[Scores] = []
        for labelled, page in drawn_pages(options.corpora / name, layout):
            for method, rows in scores.items():
                rows.append(score(page, registry.get(method).select(page).mask, labelled.gold))
            best.append(max(scores["cectd"][-1], scores["cehtd"][-1], key=lambda each: each.f1))
        head(f"{name}, LCS")
        for method, rows in scores.items():
            line(method, rows)
            if name == MEASURED[0] and method in PAPER:
                precision, recall, of_means = PAPER[method]
                print(f"{'  the paper, its gold':<26}{precision:>8.1f}{recall:>8.1f}{'':>8}{of_means:>10.1f}")
        line("the better of both, known", best)


def hidden(_: argparse.Namespace) -> None:
    head("long hidden text, LCS")
    for method in METHODS:
        rows = []
        for labelled in open_corpus(HIDDEN):
            assert not isinstance(labelled, BrokenPage)
            found = metrics.lcs(open_tool(method).text(labelled.html), labelled.gold)
            rows.append(Scores(found.precision, found.recall, found.f1))
            print(f"  {labelled.id:<24}" + "".join(f"{100 * value:>8.1f}" for value in rows[-1]))
        line(method, rows)
    for source, (text, both) in PAPER_HIDDEN.items():
        print(f"the paper, {source}: precision {text} with cectd, {both} with cehtd")


def choose(options: argparse.Namespace) -> None:
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold

    layout = LayoutFolder(options.layout)
    measured: list[dict[str, float]] = []
    gains: list[tuple[float, float]] = []
    sites: list[str] = []
    for name in LEARNED:
        for labelled, page in drawn_pages(options.corpora / name, layout):
            assert page.layout is not None
            by_text, by_boxes = Cectd().select(page).mask, select_hybrid(page, page.layout).mask
            # A third of the pages of WCXB came without their scripts; what these would have shown is not known.
            measured.append(features(page, page.layout, by_text, by_boxes, scripted=True))
            gains.append((score(page, by_text, labelled.gold).f1, score(page, by_boxes, labelled.gold).f1))
            sites.append(labelled.site or labelled.id)
    names = list(measured[0])
    columns = np.array([[row[name] for name in names] for row in measured])
    text, both = np.array(gains).T
    gain = both - text

    def fit(rows: np.ndarray) -> tuple[np.ndarray, float]:
        """Learn from the pages where the two differ, each weighing what is won or lost there."""
        rows = rows[np.abs(gain[rows]) > 1e-9]
        mean, spread = columns[rows].mean(axis=0), columns[rows].std(axis=0)
        model = LogisticRegression(C=0.1, max_iter=1000)
        model.fit((columns[rows] - mean) / spread, gain[rows] > 0, sample_weight=np.abs(gain[rows]))
        weights = model.coef_[0] / spread
        return weights, float(model.intercept_[0] - weights @ mean)

    chosen = np.zeros(len(gain), dtype=bool)
    for train, test in GroupKFold(5).split(columns, groups=sites):
        weights, bias = fit(train)
        chosen[test] = columns[test] @ weights + bias > 0
    print(f"{len(gain)} development pages; the two differ in score on {int((gain != 0).sum())}")
    held = np.where(chosen, both, text).mean()
    known = np.maximum(text, both).mean()
    print(
        f"mean F1: cectd {100 * text.mean():.1f}, cehtd {100 * both.mean():.1f}, chosen, held out by site "
        f"{100 * held:.1f}, the better of both {100 * known:.1f}"
    )
    weights, bias = fit(np.arange(len(gain)))
    for name, weight in zip(names, weights, strict=True):
        print(f'    "{name}": {weight:.2f},')
    print(f"BIAS = {bias:.2f}")


def sweep(options: argparse.Namespace) -> None:
    pages = list(drawn_pages(options.corpora / LEARNED[0], LayoutFolder(options.layout)))
    shares = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
    print(f"{'F1 on cleaneval/dev':<22}" + "".join(f"share {share:<4}".rjust(12) for share in shares))
    for relative in (0.005, 0.01, 0.02, 0.05, 0.1, 0.2):
        means = [
            100 * np.mean([score(p, VipsLeaf(relative, share).select(p).mask, each.gold).f1 for each, p in pages])
            for share in shares
        ]
        print(f"relative size {relative:<8}" + "".join(f"{mean:>12.1f}" for mean in means))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands: dict[str, Callable[[argparse.Namespace], None]] = {
        "table": table,
        "hidden": hidden,
        "choose": choose,
        "sweep": sweep,
    }
    parser.add_argument("what", choices=commands)
    parser.add_argument("corpora", type=Path, nargs="?")
    parser.add_argument("--layout", type=Path)
    options = parser.parse_args()
    if options.what != "hidden" and (options.corpora is None or options.layout is None):
        parser.error(f"{options.what} needs CORPORA and --layout")
    commands[options.what](options)


if __name__ == "__main__":
    main()
