"""How often the reader takes a page for an index page, by page type, at several shares of link characters.

python bench/index_pages.py WCXB
"""

import argparse
from collections import defaultdict

import tamis
from tamis.lab.evaluate.corpora import BrokenPage, open_corpus

SHARES = (0.3, 0.4, 0.5, 0.6, 0.7)
NOTHING_SELECTED = 2.0  # above every share: such a page is an index page


def link_share(html: str, url: str | None) -> float:
    """Return the share of link characters in what is selected of a page."""
    extraction = tamis.extract(html, url)
    mask, page = extraction.selection.mask, extraction.page
    selected = int(page.nonspace[mask].sum())
    return int(page.nonspace[mask & page.link].sum()) / selected if selected else NOTHING_SELECTED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    shares_of_type = defaultdict(list)
    for page in open_corpus(parser.parse_args().corpus):
        if not isinstance(page, BrokenPage):
            shares_of_type[page.page_type or "page"].append(link_share(page.html, page.url))
    print("| page type | pages | nothing selected | " + " | ".join(f"above {share}" for share in SHARES) + " |")
    print("| --- " + "| ---: " * (2 + len(SHARES)) + "|")
    for page_type, shares in sorted(shares_of_type.items()):
        counts = [sum(share > limit for share in shares) for limit in SHARES]
        empty = sum(share == NOTHING_SELECTED for share in shares)
        print(f"| {page_type} | {len(shares)} | {empty} | " + " | ".join(map(str, counts)) + " |")


if __name__ == "__main__":
    main()
