"""What the Markdown of labelled pages misses and has too much of, page by page and type by type.

    python bench/structure.py CORPUS [TYPE ...] [--oracle] [--dump FOLDER]

Prints the pooled F1 of each type, as `tamis eval -m structure` does, and for the named types (or ``all``) each
element that is missed or extra. ``--oracle`` selects the rows of the gold text instead of those that `sift` selects:
what is lost then is lost by the document builder, and the difference is lost by the selection.
"""

import argparse
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import tamis
from tamis.extractors.registry import Selection
from tamis.lab.evaluate.corpora import LabelledPage, open_corpus
from tamis.lab.evaluate.metric_registry import gold_rows
from tamis.lab.evaluate.structure import POOLED_TYPES, compared_elements
from tamis.page import Page


@dataclass
class Oracle:
    """Selects the rows of a gold text."""

    gold: str
    name: str = "oracle"
    summary: str = "the rows of the gold text"
    source: str = ""

    def select(self, page: Page) -> Selection:
        rows = gold_rows(page, self.gold)
        return Selection.from_mask(page, page.shown if rows is None else rows & page.shown)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("types", nargs="*")
    parser.add_argument("--oracle", action="store_true")
    parser.add_argument("--dump", type=Path, help="folder for both texts of each page")
    arguments = parser.parse_intermixed_args()
    types = POOLED_TYPES if arguments.types == ["all"] else arguments.types
    totals: dict[str, Counter[str]] = {}
    corpus = open_corpus(arguments.corpus)
    for page_id in corpus.page_ids():
        page = corpus.read(page_id)
        if not isinstance(page, LabelledPage) or page.gold_markdown is None:
            continue
        extractor = Oracle(page.gold) if arguments.oracle else "sift"
        markdown = tamis.extract(page.html, page.url, extractor=extractor, rules=False).markdown
        if arguments.dump:
            arguments.dump.mkdir(parents=True, exist_ok=True)
            name = page_id.replace("/", "_")
            (arguments.dump / f"{name}.md").write_text(markdown, "utf-8")
            (arguments.dump / f"{name}.gold.md").write_text(page.gold_markdown, "utf-8")
        for kind, (ours, gold) in compared_elements(markdown, page.gold_markdown, page.url).items():
            equal = (ours & gold).total()
            totals.setdefault(kind, Counter()).update(equal=equal, ours=ours.total(), gold=gold.total())
            if kind in types and ours != gold:
                print(f"{kind}: {page_id}, {equal} right")
                for label, elements in (("missed", gold - ours), ("extra", ours - gold)):
                    for key, count in elements.items():
                        print(f"    {label} {count}: {' '.join(map(str, key))[:240]}")
    for kind in POOLED_TYPES:
        if kind in totals:
            counts = totals[kind]
            f1 = 2 * counts["equal"] / (counts["ours"] + counts["gold"])
            print(f"{kind:14} {f1:.3f}   {counts['equal']} equal, {counts['ours']} ours, {counts['gold']} gold")


if __name__ == "__main__":
    main()
