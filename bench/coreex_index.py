"""The sweep that chose CoreEx's line between article and index pages, which the paper leaves to future work.

    python bench/coreex_index.py WCXB

On pages with a known type: articles against collections and listings.
"""

import argparse

from tamis.evaluate.corpora import BrokenPage, open_corpus
from tamis.extractors.coreex import CoreEx
from tamis.page import parse_page

INDEXES = {"collection", "listing"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    path = parser.parse_args().corpus
    whole = [page for page in open_corpus(path) if not isinstance(page, BrokenPage)]
    pages = [page for page in whole if page.page_type == "article" or page.page_type in INDEXES]
    parsed = [(parse_page(page.html), page.page_type == "article") for page in pages]
    print(f"{sum(is_article for _, is_article in parsed)} articles, {len(parsed)} pages")
    for step in range(700, 960, 15):
        method = CoreEx(index_ratio=step / 1000)
        told = [(method.select(page).page_type == "article", is_article) for page, is_article in parsed]
        articles = [said for said, is_article in told if is_article]
        indexes = [not said for said, is_article in told if not is_article]
        right = sum(articles) / len(articles), sum(indexes) / len(indexes)
        mean = sum(right) / 2
        print(
            f"ratio {step / 1000:.3f}  articles right {right[0]:.3f}  indexes right {right[1]:.3f}  mean {mean:.3f}"
        )


if __name__ == "__main__":
    main()
