"""The sweeps of nodechar's two numbers that the paper does not print: maxLen, and ε of the fusion.

    python bench/nodechar_sweep.py CORPUS…

Prints the mean LCS F1 over words, in percent, for several values of each; the other one keeps its default. The
corpora are read as `tamis eval` reads them. ``--pages`` limits the pages per corpus, evenly spread.
"""

import argparse
from pathlib import Path

from tamis.evaluate.corpora import BrokenPage, open_corpora
from tamis.evaluate.metrics import lcs
from tamis.extractors.nodechar import NodeChar
from tamis.page import parse_page
from tamis.render.row_text import selected_text

SIMILARITY = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)
COLUMNS = (20, 30, 40, 60, 80, 100, 120, 160, 200)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, help="maximum number of pages per corpus")
    options = parser.parse_args()
    methods = [NodeChar(columns=columns) for columns in COLUMNS]
    methods += [NodeChar(similarity=similarity) for similarity in SIMILARITY]
    for corpus in (corpus for path in options.corpora for corpus in open_corpora(path)):
        pages = [page for page in corpus if not isinstance(page, BrokenPage) and page.gold.strip()]
        count = min(options.pages or len(pages), len(pages))
        sums = [0.0] * len(methods)
        for labelled in (pages[index * len(pages) // count] for index in range(count)):
            page = parse_page(labelled.html)
            for index, method in enumerate(methods):
                sums[index] += lcs(selected_text(page, method.select(page).mask), labelled.gold).f1
        print(f"{corpus.name}: {count} pages")
        labels = [*(f"maxLen = {columns}" for columns in COLUMNS), *(f"ε = {value}" for value in SIMILARITY)]
        for label, total in zip(labels, sums, strict=True):
            print(f"  {label:<12} LCS F1 {100 * total / count:.1f}")


if __name__ == "__main__":
    main()
