"""Measure the papers' methods on all corpora and write docs/lab/reproduction.md anew.

    python bench/reproduction CORPORA [--pages 200] [--rendered 50] [--results FILE.jsonl]

CORPORA is a folder with news, chinese, cleaneval/final, l3s-gn1, dragnet and wcxb/dev, as published (see
docs/evaluation.md). Of corpora with more pages, ``--pages`` are measured, evenly spread. Of these, ``--rendered`` are
also rendered by Chromium, for the methods that need a layout (extra ``visual``; 0 leaves them out). Results are saved
as they are made; a second run continues, and prints the document again without measuring if nothing is missing.
"""

import argparse
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # the benches of figures 7 and 9

from document import write_document
from measure import measure


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--pages", type=int, default=200, help="pages per corpus")
    parser.add_argument("--rendered", type=int, default=50, help="pages per corpus that Chromium renders")
    parser.add_argument("--results", type=Path, default=Path("reproduction.jsonl"))
    parser.add_argument("--output", type=Path, default=Path(__file__).parents[2] / "docs" / "lab" / "reproduction.md")
    options = parser.parse_args()
    records = measure(options.corpora, options.results, options.pages, options.rendered)
    options.output.write_text(write_document(records, options.pages, options.rendered), encoding="utf-8")
    print(f"wrote {options.output.name}")


if __name__ == "__main__":
    main()
