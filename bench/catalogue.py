"""How often the reader takes a page for a catalogue, by kind of page, at several shares of link characters.

python bench/catalogue.py WCXB
"""

import argparse
from collections import defaultdict

import tamis
from tamis.evaluate.corpora import BrokenPage, open_corpus

SHARES = (0.3, 0.4, 0.5, 0.6, 0.7)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus")
    found = defaultdict(list)
    for page in open_corpus(parser.parse_args().corpus):
        if isinstance(page, BrokenPage):
            continue
        one = tamis.extract(page.html, page.url)
        mask, columns = one.selection.mask, one.page
        chosen = int(columns.nonspace[mask].sum())
        found[page.page_type or "page"].append(
            int(columns.nonspace[mask & columns.link].sum()) / chosen
            if chosen
            else 2.0  # nothing chosen: a catalogue
        )
    print("| kind | pages | nothing chosen | " + " | ".join(f"over {share}" for share in SHARES) + " |")
    print("| --- " + "| ---: " * (2 + len(SHARES)) + "|")
    for kind, shares in sorted(found.items()):
        counts = [sum(one > share for one in shares) for share in SHARES]
        empty = sum(one == 2.0 for one in shares)
        print(f"| {kind} | {len(shares)} | {empty} | " + " | ".join(map(str, counts)) + " |")


if __name__ == "__main__":
    main()
