"""How far any choice of a title can come on a corpus: what a learned one reaches, and whether the labels agree.

    python bench/title_ceiling.py CORPUS

Every way to read a title off a page is a candidate: each heading and each title for machines, whole, without the
site's name, and each of the parts that signs divide it into. Boosted trees learn which one is the label, from where
it stands, its length, its likeness to the other candidates, to the address, to the description and to the content,
the kind of page and what `tamis.metadata.title` chose. They learn on nine tenths of the sites and choose on the
last, ten times over. What they reach beyond the rule is what a better rule could still gain; what they miss although
the label is a candidate is what nothing on the page decides.

The second table takes pages on which heading and title differ in the order of the corpus: one annotator's habit, or
one program's, shows as a run of pages with one answer.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit
from zlib import crc32

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

import tamis
from tamis.evaluate.corpora import LabelledPage, open_corpus
from tamis.metadata.site import find_description, find_site
from tamis.metadata.site_names import DIVIDERS, is_site, letters, site_names, without_site
from tamis.metadata.title import Titles, choose, gather
from tamis.model.sift_model import PAGE_TYPES

FOLDS = 10
HEADINGS = 6  #: first headings of a page that are candidates, and twice as many of those below
STEP = 150  #: pages of the corpus that share a line of the second table
SOURCES = ("h1", "heading", "og:title", "title", "json-ld headline", "twitter:title")
CUTS = ("whole", "without site", "first part", "last part", "longest part", "without the last", "without the first")


@dataclass
class Candidate:
    text: str
    origins: set[tuple[str, str]] = field(default_factory=set)


@dataclass
class Case:
    """A page: its candidates by their letters, what is known of each, and which is right."""

    number: int
    fold: int
    candidates: dict[str, Candidate]
    rows: np.ndarray
    right: np.ndarray
    rule: bool
    habit: str | None


def cuts_of(title: str, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield what a title may be cut to, and how."""
    yield title, "whole"
    yield without_site(title, names), "without site"
    signs = list(DIVIDERS.finditer(title))
    if signs:
        parts = DIVIDERS.split(title)
        yield parts[0], "first part"
        yield parts[-1], "last part"
        yield max(parts, key=len), "longest part"
        yield title[: signs[-1].start()], "without the last"
        yield title[signs[0].end() :], "without the first"


def candidates_of(given: Titles) -> dict[str, Candidate]:
    found: dict[str, Candidate] = {}
    said = [(heading, "h1") for heading in given.first[:HEADINGS]] + [(one.value, one.source) for one in given.told]
    for title, source in said:
        for text, cut in cuts_of(title, given.names):
            if letters(text):
                found.setdefault(letters(text), Candidate(text)).origins.add((source, cut))
    for heading in given.second()[: 2 * HEADINGS]:
        if letters(heading):
            found.setdefault(letters(heading), Candidate(heading)).origins.add(("heading", "whole"))
    return found


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def likeness(one: set[str], other: set[str]) -> float:
    return len(one & other) / max(len(one | other), 1)


def describe(found: tamis.Extraction, given: Titles, candidates: dict[str, Candidate], ours: str) -> np.ndarray:
    """Return a row of numbers for each candidate; `ours` is what the rule chose, by its letters."""
    described = find_description(found.structured)
    about = words(described.value if described else "")
    opening = letters(found.text[:400])
    slug = words(unquote(urlsplit(found.url or "").path).rstrip("/").rpartition("/")[2].replace("_", " "))
    headings = [words(heading) for heading in given.first[:HEADINGS]]
    told = [words(one.value) for one in given.told]
    alike = max((likeness(one, other) for one in headings for other in told), default=-1)
    rows = []
    for key, one in candidates.items():
        mine = words(one.text)
        fit = likeness(mine, slug)
        rows.append(
            [
                *(any(source == origin for origin, _ in one.origins) for source in SOURCES),
                *((source, "whole") in one.origins for source in SOURCES),
                *(any(cut == how for _, how in one.origins) for cut in CUTS),
                *(len(one.text), len(mine), len(given.first), len({letters(other.value) for other in given.told})),
                *(max((likeness(mine, other) for other in group), default=-1) for group in (headings, told)),
                *(fit, fit - max((likeness(other, slug) for other in (*headings, *told)), default=0), len(slug)),
                *(
                    likeness(mine, about),
                    alike,
                    len(DIVIDERS.findall(one.text)),
                    is_site(one.text, given.names),
                ),
                *(
                    key == ours,
                    key in opening,
                    one.text[-1:] in ".!",
                    one.text[-1:] == "?",
                    found.confidence,
                ),
                *(sum(key in other for other in candidates), sum(other in key for other in candidates)),
                PAGE_TYPES.index(found.page_type) if found.page_type in PAGE_TYPES else -1,
            ]
        )
    return np.array(rows, dtype=np.float64)


def read(corpus: Path) -> Iterator[Case]:
    for number, page in enumerate(open_corpus(corpus)):
        if not isinstance(page, LabelledPage) or not page.title:
            continue
        found = tamis.extract(page.html, page.url)
        named = find_site(found.structured, page.url)
        site = named.value if named and named.source != "address" else None
        names = site_names(site, page.url)

        def plain(title: str, names: frozenset[str] = names) -> str:
            return letters(without_site(title, names))

        given = gather(found.structured, site, page.url)
        candidates = candidates_of(given)
        chosen = choose(given)
        ours = chosen.value if chosen else ""
        label = plain(page.title)
        shown, told = {plain(one) for one in given.first}, {plain(one.value) for one in given.told}
        habit = "heading" if label in shown else "title" if label in told else "neither"
        yield Case(
            number=number,
            fold=crc32((page.site or page.id).encode()) % FOLDS,
            candidates=candidates,
            rows=describe(found, given, candidates, letters(ours)),
            right=np.array([plain(one.text) == label for one in candidates.values()], dtype=bool),
            rule=plain(ours) == label,
            habit=habit if shown and told and not shown & told else None,
        )


def learned(cases: list[Case], *, told_place: bool) -> float:
    """Return the share of pages on which trees that saw other sites choose the label."""

    def rows_of(case: Case) -> np.ndarray:
        place = np.full((len(case.rows), 1), case.number // STEP)
        return np.hstack([case.rows, place]) if told_place else case.rows

    hits = 0
    for fold in range(FOLDS):
        seen = [case for case in cases if case.fold != fold and case.candidates]
        trees = HistGradientBoostingClassifier(max_iter=100, learning_rate=0.1, max_leaf_nodes=15, random_state=1)
        trees.fit(np.vstack([rows_of(case) for case in seen]), np.concatenate([case.right for case in seen]))
        for case in cases:
            if case.fold == fold and case.candidates:
                hits += bool(case.right[int(trees.predict_proba(rows_of(case))[:, 1].argmax())])
    return hits / len(cases)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    cases = list(read(parser.parse_args().corpus))
    print(f"{len(cases)} pages, {sum(len(case.candidates) for case in cases) / len(cases):.1f} candidates a page")
    print(f"  the label is among them             {np.mean([case.right.any() for case in cases]):.3f}")
    print(f"  the rule chooses it                 {np.mean([case.rule for case in cases]):.3f}")
    print(f"  trees that saw other sites do       {learned(cases, told_place=False):.3f}")
    print(f"  these, told the place in the corpus {learned(cases, told_place=True):.3f}")
    print("where heading and title differ, the label is")
    print(f"  {'pages':<12}{'heading':>8}{'title':>8}{'neither':>8}")
    habits: dict[int, Counter[str]] = {}
    for case in cases:
        if case.habit:
            habits.setdefault(case.number // STEP, Counter())[case.habit] += 1
    for step, counts in habits.items():
        place = f"{STEP * step}-{STEP * step + STEP - 1}"
        print(f"  {place:<12}{counts['heading']:>8}{counts['title']:>8}{counts['neither']:>8}")


if __name__ == "__main__":
    main()
