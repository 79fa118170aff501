"""The sweeps of nodechar's two numbers that the paper does not print: maxLen, and ε of the fusion.

    python bench/nodechar_sweep.py CORPUS…

Prints the mean LCS F1 over words, in percent, for several values of each; the other one keeps its default. The
corpora are read as `tamis eval` reads them. ``--pages`` limits the pages per corpus, evenly spread.
"""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from tamis.lab.evaluate.corpora import BrokenPage, Corpus, open_corpora
from tamis.lab.evaluate.metrics import lcs
from tamis.page import parse_page
from tamis.papers.nodechar import NodeChar
from tamis.render.text import selected_text

SIMILARITY = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)
COLUMNS = (20, 30, 40, 60, 80, 100, 120, 160, 200)


def mean_scores(corpora: Iterable[Corpus], methods: Sequence[NodeChar], pages: int | None) -> tuple[int, list[float]]:
    """Return how many pages were measured, and the mean LCS F1 of each method, in percent."""
    sums, measured = [0.0] * len(methods), 0
    for corpus in corpora:
        ids = corpus.page_ids()
        count = min(pages or len(ids), len(ids))
        for labelled in (corpus.read(ids[index * len(ids) // count]) for index in range(count)):
            if isinstance(labelled, BrokenPage) or not labelled.gold.strip():
                continue
            page = parse_page(labelled.html)
            measured += 1
            for index, method in enumerate(methods):
                sums[index] += lcs(selected_text(page, method.select(page).mask), labelled.gold).f1
    return measured, [100 * total / max(measured, 1) for total in sums]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, help="maximum number of pages per corpus")
    options = parser.parse_args()
    methods = [NodeChar(columns=columns) for columns in COLUMNS]
    methods += [NodeChar(similarity=similarity) for similarity in SIMILARITY]
    labels = [*(f"maxLen = {columns}" for columns in COLUMNS), *(f"ε = {value}" for value in SIMILARITY)]
    for corpus in (corpus for path in options.corpora for corpus in open_corpora(path)):
        count, means = mean_scores([corpus], methods, options.pages)
        print(f"{corpus.name}: {count} pages")
        for label, mean in zip(labels, means, strict=True):
            print(f"  {label:<12} LCS F1 {mean:.1f}")


if __name__ == "__main__":
    main()
