"""The sweep that chose nodechar's ε, which the paper does not print.

    python bench/nodechar_fusion.py CORPUS…

Prints the mean LCS F1 over words for several ε. The corpora are read as `tamis eval` reads them.
"""

import argparse

from tamis import extract
from tamis.evaluate.corpora import BrokenPage, open_corpus
from tamis.evaluate.metrics import lcs
from tamis.extractors.nodechar import NodeChar

STEPS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+")
    for path in parser.parse_args().corpora:
        pages = [page for page in open_corpus(path) if not isinstance(page, BrokenPage) and page.gold.strip()]
        print(f"{path}: {len(pages)} pages")
        for similarity in STEPS:
            method = NodeChar(similarity=similarity)
            scores = [lcs(extract(page.html, extractor=method).text, page.gold).f1 for page in pages]
            print(f"  ε = {similarity:<5} LCS F1 {sum(scores) / len(scores):.4f}")


if __name__ == "__main__":
    main()
