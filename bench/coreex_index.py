"""The sweep of the words of a result from which CoreEx calls a page an article, left to future work by the paper.

    python bench/coreex_index.py WCXB

On pages with a labelled type: articles, and collections and listings as indexes.
"""

import argparse

from tamis.lab.evaluate.corpora import BrokenPage, open_corpus
from tamis.page import parse_page
from tamis.papers.coreex import CoreEx

INDEX_TYPES = {"collection", "listing"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    labelled = [page for page in open_corpus(parser.parse_args().corpus) if not isinstance(page, BrokenPage)]
    labelled = [page for page in labelled if page.page_type == "article" or page.page_type in INDEX_TYPES]
    articles = [parse_page(page.html) for page in labelled if page.page_type == "article"]
    indexes = [parse_page(page.html) for page in labelled if page.page_type in INDEX_TYPES]
    print(f"{len(articles)} articles, {len(articles) + len(indexes)} pages")
    for words in (50, 100, 150, 200, 250, 300, 400):
        extractor = CoreEx(article_words=words)
        article_accuracy, index_accuracy = (
            sum(extractor.select(page).page_type == page_type for page in pages) / len(pages)
            for pages, page_type in ((articles, "article"), (indexes, "index"))
        )
        mean = (article_accuracy + index_accuracy) / 2
        print(
            f"{words} words  accuracy on articles {article_accuracy:.3f}  on indexes {index_accuracy:.3f}"
            f"  mean {mean:.3f}"
        )


if __name__ == "__main__":
    main()
