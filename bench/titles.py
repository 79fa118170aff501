"""What the choice of a title is worth on sites it was not chosen on, and what kinds of titles it misses.

    python bench/titles.py CORPUS

The numbers of `tamis.metadata.title.TitleRule` are chosen on the pages of four fifths of the sites and the titles of
the last fifth are looked at, five times over. Titles are compared as ``bench/metadata.py`` does in its last row: by
their letters and digits, the site's name set aside on both sides.
"""

import argparse
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from zlib import crc32

from tamis.evaluate.corpora import LabelledPage, open_corpus
from tamis.metadata.site import find_site
from tamis.metadata.site_names import DIVIDERS, letters, site_names, without_site
from tamis.metadata.structured import read_structured
from tamis.metadata.title import TitleRule, Titles, choose, gather
from tamis.page import parse_page

FOLDS = 5
GRID = [TitleRule(*numbers) for numbers in product((0.1, 0.2, 0.3), (2, 3), (3, 4, 5), (2, 3, 99))]


@dataclass(frozen=True)
class Case:
    """A page: what may be its title, what is, and what its site is called."""

    given: Titles
    label: str
    names: frozenset[str]
    fold: int

    def plain(self, title: str) -> str:
        return letters(without_site(title, self.names))

    def is_right(self, rule: TitleRule) -> bool:
        found = choose(self.given, rule)
        return self.plain(found.value if found else "") == self.plain(self.label)


def read(corpus: Path) -> Iterable[Case]:
    for page in open_corpus(corpus):
        if not isinstance(page, LabelledPage) or not page.title:
            continue
        said = read_structured(parse_page(page.html))
        named = find_site(said, page.url)
        site = named.value if named and named.source != "address" else None
        given = gather(said, site, page.url)
        lower = given.second()
        given = replace(given, second=lambda lower=lower: lower)  # the page itself need not stay in memory
        yield Case(given, page.title, site_names(site, page.url), crc32((page.site or page.id).encode()) % FOLDS)


def kind_of_miss(case: Case) -> str:
    """Say where a label that was missed stands in the page."""
    label = case.plain(case.label)
    found = choose(case.given)
    shown = {case.plain(heading) for heading in case.given.first}
    told = {case.plain(one.value) for one in case.given.told}
    pieces = {letters(piece) for one in case.given.told for piece in DIVIDERS.split(one.value)}
    pieces |= {letters(piece) for heading in case.given.first for piece in DIVIDERS.split(heading)}
    if label in told:
        return (
            "the label is a title for machines, ours the heading"
            if found and case.plain(found.value) in shown
            else "the label is another of the titles for machines"
        )
    if label in shown:
        return "the label is the heading, ours a title for machines"
    if label in pieces:
        return "the label is a part of a title that a sign divides"
    if label in {case.plain(heading) for heading in case.given.second()}:
        return "the label is a heading below the first"
    return "the label is none of the page's titles"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    cases = list(read(parser.parse_args().corpus))
    right = {rule: [case.is_right(rule) for case in cases] for rule in GRID}
    held = 0
    for fold in range(FOLDS):
        inside = [case.fold == fold for case in cases]
        best = max(GRID, key=lambda rule: sum(r for r, i in zip(right[rule], inside, strict=True) if not i))
        held += sum(r for r, i in zip(right[best], inside, strict=True) if i)
        print(f"fold {fold}: {sum(inside)} pages, chosen on the others: {best}")
    own = [case.is_right(TitleRule()) for case in cases]
    print(
        f"right on held-out sites {held / len(cases):.3f}, with the numbers as they are {sum(own) / len(cases):.3f}"
    )
    groups: dict[str, list[bool]] = {}
    labels: Counter[str] = Counter()
    for case, hit in zip(cases, own, strict=True):
        shown = {case.plain(heading) for heading in case.given.first}
        told = {case.plain(one.value) for one in case.given.told}
        agree = "differ" if shown and told and not shown & told else "agree, or there is only one"
        if agree == "differ":
            label = case.plain(case.label)
            labels["the heading" if label in shown else "one for machines" if label in told else "neither"] += 1
        groups.setdefault(f"heading and titles for machines {agree}", []).append(hit)
    for name, hits in groups.items():
        print(f"{name}: {len(hits)} pages, right {sum(hits) / len(hits):.3f}")
    print("  where they differ, the label is " + ", ".join(f"{name} on {n}" for name, n in labels.most_common()))
    misses = Counter(kind_of_miss(case) for case, hit in zip(cases, own, strict=True) if not hit)
    print(f"missed: {sum(misses.values())} of {len(cases)}")
    for name, count in misses.most_common():
        print(f"  {count:>4}  {name}")


if __name__ == "__main__":
    main()
