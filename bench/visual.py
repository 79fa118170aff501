"""The figures of docs/lab/visual.md: what a layout is good for.

    python bench/visual.py table  CORPORA --layout DIR   # cectd, cehtd, vips-leaf on CleanEval and L3S-GN1
    python bench/visual.py hidden                        # our pages with long hidden text (renders them)
    python bench/visual.py sweep  CORPORA --layout DIR   # the two thresholds of vips-leaf

CORPORA is a folder with cleaneval/dev, cleaneval/final, l3s-gn1 and wcxb/dev, as published. DIR has the layouts of
their pages, made once by:  tamis render --corpus CORPORA/cleaneval CORPORA/l3s-gn1 CORPORA/wcxb/dev -o DIR
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from tamis.browser import LayoutFolder
from tamis.errors import SourceError
from tamis.extractors import registry
from tamis.lab.evaluate import metrics
from tamis.lab.evaluate.corpora import BrokenPage, LabelledPage, open_corpus
from tamis.lab.evaluate.tools import open_tool
from tamis.page import Page, parse_page
from tamis.papers.baselines.vips import VipsLeaf
from tamis.render.text import selected_text

TEST_CORPORA: Final = ("cleaneval/final", "l3s-gn1")
DEV_CORPUS: Final = "cleaneval/dev"
EXTRACTORS: Final = ("cectd", "cehtd", "vips-leaf")
HIDDEN_TEXT_PAGES: Final = Path(__file__).parent.parent / "tests" / "browser" / "pages"
#: Song 2015, tables 2 and 4: precision, recall and F1 (of the means) on CleanEval, and on Yahoo! and BBC.
PAPER: Final = {"cectd": (95.87, 97.15, 96.51), "cehtd": (94.97, 94.07, 94.52)}
PAPER_HIDDEN: Final = {"Yahoo!": (84.59, 91.99), "BBC": (86.15, 95.55)}


class Scores(NamedTuple):
    precision: float
    recall: float
    f1: float


def rendered_pages(folder: Path, layouts: LayoutFolder) -> Iterator[tuple[LabelledPage, Page]]:
    """Yield the labelled pages of a corpus, parsed and with their layouts; skip those without a layout."""
    missing = 0
    for labelled in open_corpus(folder):
        if isinstance(labelled, BrokenPage):
            continue
        try:
            page = layouts.attach(parse_page(labelled.html))
        except SourceError:
            missing += 1
            continue
        yield labelled, page
    if missing:
        print(f"{folder.name}: {missing} pages have no layout and are skipped")


def score(page: Page, mask: np.ndarray, gold: str) -> Scores:
    match = metrics.lcs(selected_text(page, mask), gold)
    return Scores(match.precision, match.recall, match.f1)


def print_means(name: str, rows: list[Scores]) -> None:
    precision, recall, f1 = 100 * np.mean(rows, axis=0)
    of_means = 2 * precision * recall / (precision + recall)
    print(f"{name:<26}{precision:>8.1f}{recall:>8.1f}{f1:>8.1f}{of_means:>10.1f}{len(rows):>8}")


def print_header(title: str) -> None:
    print(f"\n{title:<26}{'P':>8}{'R':>8}{'F1':>8}{'of means':>10}{'pages':>8}")


def table(options: argparse.Namespace) -> None:
    layouts = LayoutFolder(options.layout)
    for name in TEST_CORPORA:
        scores: dict[str, list[Scores]] = {extractor: [] for extractor in EXTRACTORS}
        best: list[Scores] = []
        for labelled, page in rendered_pages(options.corpora / name, layouts):
            for extractor, rows in scores.items():
                rows.append(score(page, registry.get(extractor).select(page).mask, labelled.gold))
            best.append(max(scores["cectd"][-1], scores["cehtd"][-1], key=lambda scores: scores.f1))
        print_header(f"{name}, LCS")
        for extractor, rows in scores.items():
            print_means(extractor, rows)
            if name == TEST_CORPORA[0] and extractor in PAPER:
                precision, recall, of_means = PAPER[extractor]
                print(f"{'  the paper, its gold':<26}{precision:>8.1f}{recall:>8.1f}{'':>8}{of_means:>10.1f}")
        print_means("oracle: the better of both", best)


def hidden(_: argparse.Namespace) -> None:
    print_header("long hidden text, LCS")
    for extractor in EXTRACTORS:
        rows = []
        for labelled in open_corpus(HIDDEN_TEXT_PAGES):
            assert not isinstance(labelled, BrokenPage)
            match = metrics.lcs(open_tool(extractor).text(labelled.html), labelled.gold)
            rows.append(Scores(match.precision, match.recall, match.f1))
            print(f"  {labelled.id:<24}" + "".join(f"{100 * value:>8.1f}" for value in rows[-1]))
        print_means(extractor, rows)
    for source, (text, both) in PAPER_HIDDEN.items():
        print(f"the paper, {source}: precision {text} with cectd, {both} with cehtd")


def sweep(options: argparse.Namespace) -> None:
    pages = list(rendered_pages(options.corpora / DEV_CORPUS, LayoutFolder(options.layout)))
    shares = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
    print(f"{'F1 on cleaneval/dev':<22}" + "".join(f"share {share:<4}".rjust(12) for share in shares))
    for size in (0.005, 0.01, 0.02, 0.05, 0.1, 0.2):
        means = [
            100
            * np.mean(
                [score(page, VipsLeaf(size, share).select(page).mask, labelled.gold).f1 for labelled, page in pages]
            )
            for share in shares
        ]
        print(f"relative size {size:<8}" + "".join(f"{mean:>12.1f}" for mean in means))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands: dict[str, Callable[[argparse.Namespace], None]] = {
        "table": table,
        "hidden": hidden,
        "sweep": sweep,
    }
    parser.add_argument("command", choices=commands)
    parser.add_argument("corpora", type=Path, nargs="?")
    parser.add_argument("--layout", type=Path)
    options = parser.parse_args()
    if options.command != "hidden" and (options.corpora is None or options.layout is None):
        parser.error(f"{options.command} needs CORPORA and --layout")
    commands[options.command](options)


if __name__ == "__main__":
    main()
