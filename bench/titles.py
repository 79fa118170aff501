"""Measure the choice of a title on sites that its parameters were not fitted on, and count its misses by type.

    python bench/titles.py CORPUS

The parameters of `tamis.metadata.title.TitleRule` are fitted on the pages of four fifths of the sites, and the titles
of the last fifth are judged, five times over. Titles are compared as in the row *without site* of
``bench/metadata.py``: by their letters and digits, without the site's name on either side.
"""

import argparse
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from zlib import crc32

from tamis.lab.evaluate.corpora import LabelledPage, open_corpus
from tamis.metadata import MetadataSource
from tamis.metadata.site import SEPARATORS, alnum_key, site_names, strip_site_name
from tamis.metadata.structured import read_structured
from tamis.metadata.title import TitleCandidates, TitleRule, choose_title, title_candidates
from tamis.page import parse_page

FOLDS = 5
GRID = [TitleRule(*parameters) for parameters in product((0.1, 0.2, 0.3), (2, 3), (3, 4, 5), (2, 3, 99))]


@dataclass(frozen=True)
class Case:
    """A page: what may be its title, its label, and the names of its site."""

    candidates: TitleCandidates
    label: str
    names: frozenset[str]
    fold: int

    def key(self, title: str) -> str:
        return alnum_key(strip_site_name(title, self.names))

    def is_right(self, rule: TitleRule) -> bool:
        title = choose_title(self.candidates, rule)
        return self.key(title.value if title else "") == self.key(self.label)

    def heading_keys(self) -> set[str]:
        return {self.key(heading) for heading in self.candidates.headings}

    def declared_keys(self) -> set[str]:
        return {self.key(title.value) for title in self.candidates.declared}


def read_cases(corpus: Path) -> Iterable[Case]:
    for page in open_corpus(corpus):
        if not isinstance(page, LabelledPage) or not page.title:
            continue
        source = MetadataSource(read_structured(parse_page(page.html)), page.url)
        candidates = title_candidates(source)
        lower, text_keys = candidates.lower_headings(), candidates.text_keys()
        candidates = replace(  # so that the page itself need not stay in memory
            candidates, lower_headings=lambda lower=lower: lower, text_keys=lambda keys=text_keys: keys
        )
        fold = crc32((page.site or page.id).encode()) % FOLDS
        yield Case(candidates, page.title, site_names(source.site_name, page.url), fold)


def miss_type(case: Case) -> str:
    """Return where on the page the label of a miss is."""
    label = case.key(case.label)
    title = choose_title(case.candidates)
    headings, declared = case.heading_keys(), case.declared_keys()
    titles = [*(title.value for title in case.candidates.declared), *case.candidates.headings]
    if label in declared:
        if title and case.key(title.value) in headings:
            return "the label is a declared title, tamis chose the heading"
        return "the label is another declared title"
    if label in headings:
        return "the label is the heading, tamis chose a declared title"
    if label in {alnum_key(part) for text in titles for part in SEPARATORS.split(text)}:
        return "the label is a part of a title with separators"
    if label in {case.key(heading) for heading in case.candidates.lower_headings()}:
        return "the label is a lower heading"
    return "the label is none of the page's titles"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    cases = list(read_cases(parser.parse_args().corpus))
    right = {rule: [case.is_right(rule) for case in cases] for rule in GRID}
    held_out_right = 0
    for fold in range(FOLDS):
        in_fold = [case.fold == fold for case in cases]
        best = max(GRID, key=lambda rule: sum(r for r, held in zip(right[rule], in_fold, strict=True) if not held))
        held_out_right += sum(r for r, held in zip(right[best], in_fold, strict=True) if held)
        print(f"fold {fold}: {sum(in_fold)} pages, fitted on the others: {best}")
    shipped = [case.is_right(TitleRule()) for case in cases]
    print(
        f"right on held-out sites {held_out_right / len(cases):.3f}, "
        f"with the shipped parameters {sum(shipped) / len(cases):.3f}"
    )
    groups: dict[str, list[bool]] = {}
    labels: Counter[str] = Counter()
    for case, is_right in zip(cases, shipped, strict=True):
        headings, declared = case.heading_keys(), case.declared_keys()
        group = "differ" if headings and declared and not headings & declared else "agree, or there is only one"
        if group == "differ":
            label = case.key(case.label)
            labels[
                "the heading" if label in headings else "a declared title" if label in declared else "neither"
            ] += 1
        groups.setdefault(f"heading and declared titles {group}", []).append(is_right)
    for name, values in groups.items():
        print(f"{name}: {len(values)} pages, right {sum(values) / len(values):.3f}")
    print("  where they differ, the label is " + ", ".join(f"{name} on {n}" for name, n in labels.most_common()))
    misses = Counter(miss_type(case) for case, is_right in zip(cases, shipped, strict=True) if not is_right)
    print(f"misses: {sum(misses.values())} of {len(cases)}")
    for name, count in misses.most_common():
        print(f"  {count:>4}  {name}")


if __name__ == "__main__":
    main()
