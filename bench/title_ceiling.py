"""Measure how far any choice of a title can get on a corpus: what a learned one reaches, and whether labels agree.

    python bench/title_ceiling.py CORPUS

Every way to read a title off a page is a candidate: each heading and each declared title, whole, without the site's
name, and each of the parts between separators. Boosted trees learn which candidate is the label, from its source, its
length, its similarity to the other candidates, to the URL, to the description and to the content, the page type and
the choice of `tamis.metadata.title`. They learn on nine tenths of the sites and choose on the last, ten times over.
What they gain over the rule is what a better rule could still gain; what they miss although the label is a candidate
is what nothing on the page decides.

The second table takes pages on which heading and title differ in the order of the corpus: an annotator's habit, or a
program's, shows as a run of pages with one answer.
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
from tamis.lab.evaluate.corpora import LabelledPage, open_corpus
from tamis.metadata import MetadataSource
from tamis.metadata.site import SEPARATORS, alnum_key, is_site_name, site_names, strip_site_name
from tamis.metadata.title import TitleCandidates, choose_title, title_candidates
from tamis.sift.schema import PAGE_TYPES

FOLDS = 10
MAX_HEADINGS = 6  #: first-level headings of a page that are candidates; twice as many lower headings are
STEP = 150  #: pages of the corpus per line of the second table
SOURCES = ("h1", "heading", "og:title", "title", "json-ld headline", "twitter:title")
CUTS = ("whole", "without site", "first part", "last part", "longest part", "without the last", "without the first")


@dataclass
class Candidate:
    text: str
    origins: set[tuple[str, str]] = field(default_factory=set)


@dataclass
class Case:
    """A page: its candidates by key, the features of each, and which is right."""

    number: int
    fold: int
    candidates: dict[str, Candidate]
    features: np.ndarray
    right: np.ndarray
    rule_is_right: bool
    label_source: str | None


def cuts_of(title: str, names: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield what a title may be cut to, and how."""
    yield title, "whole"
    yield strip_site_name(title, names), "without site"
    separators = list(SEPARATORS.finditer(title))
    if separators:
        parts = SEPARATORS.split(title)
        yield parts[0], "first part"
        yield parts[-1], "last part"
        yield max(parts, key=len), "longest part"
        yield title[: separators[-1].start()], "without the last"
        yield title[separators[0].end() :], "without the first"


def cut_candidates(titles: TitleCandidates) -> dict[str, Candidate]:
    candidates: dict[str, Candidate] = {}
    sourced = [(heading, "h1") for heading in titles.headings[:MAX_HEADINGS]]
    sourced += [(title.value, title.source) for title in titles.declared]
    for title, source in sourced:
        for text, cut in cuts_of(title, titles.site_names):
            if alnum_key(text):
                candidates.setdefault(alnum_key(text), Candidate(text)).origins.add((source, cut))
    for heading in titles.lower_headings()[: 2 * MAX_HEADINGS]:
        if alnum_key(heading):
            candidates.setdefault(alnum_key(heading), Candidate(heading)).origins.add(("heading", "whole"))
    return candidates


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def similarity(first: set[str], second: set[str]) -> float:
    return len(first & second) / max(len(first | second), 1)


def describe(
    extraction: tamis.Extraction, titles: TitleCandidates, candidates: dict[str, Candidate], chosen_key: str
) -> np.ndarray:
    """Return a row of features for each candidate; `chosen_key` is the key of the rule's choice."""
    description = words(extraction.metadata.description or "")
    opening = alnum_key(extraction.text[:400])
    slug = words(unquote(urlsplit(extraction.url or "").path).rstrip("/").rpartition("/")[2].replace("_", " "))
    headings = [words(heading) for heading in titles.headings[:MAX_HEADINGS]]
    declared = [words(title.value) for title in titles.declared]
    agreement = max((similarity(heading, title) for heading in headings for title in declared), default=-1)
    rows = []
    for key, candidate in candidates.items():
        own_words = words(candidate.text)
        slug_similarity = similarity(own_words, slug)
        best_slug_similarity = max((similarity(title, slug) for title in (*headings, *declared)), default=0)
        rows.append(
            [
                *(any(source == origin for origin, _ in candidate.origins) for source in SOURCES),
                *((source, "whole") in candidate.origins for source in SOURCES),
                *(any(cut == origin_cut for _, origin_cut in candidate.origins) for cut in CUTS),
                len(candidate.text),
                len(own_words),
                len(titles.headings),
                len({alnum_key(title.value) for title in titles.declared}),
                *(
                    max((similarity(own_words, title) for title in group), default=-1)
                    for group in (headings, declared)
                ),
                slug_similarity,
                slug_similarity - best_slug_similarity,
                len(slug),
                similarity(own_words, description),
                agreement,
                len(SEPARATORS.findall(candidate.text)),
                is_site_name(candidate.text, titles.site_names),
                key == chosen_key,
                key in opening,
                candidate.text[-1:] in ".!",
                candidate.text[-1:] == "?",
                extraction.confidence,
                sum(key in other for other in candidates),
                sum(other in key for other in candidates),
                PAGE_TYPES.index(extraction.page_type) if extraction.page_type in PAGE_TYPES else -1,
            ]
        )
    return np.array(rows, dtype=np.float64)


def read_cases(corpus: Path) -> Iterator[Case]:
    for number, page in enumerate(open_corpus(corpus)):
        if not isinstance(page, LabelledPage) or not page.title:
            continue
        extraction = tamis.extract(page.html, page.url)
        source = MetadataSource(extraction.structured, page.url)
        names = site_names(source.site_name, page.url)

        def key_of(title: str, names: frozenset[str] = names) -> str:
            return alnum_key(strip_site_name(title, names))

        titles = title_candidates(source)
        candidates = cut_candidates(titles)
        choice = choose_title(titles)
        chosen = choice.value if choice else ""
        label = key_of(page.title)
        headings = {key_of(heading) for heading in titles.headings}
        declared = {key_of(title.value) for title in titles.declared}
        label_source = "heading" if label in headings else "title" if label in declared else "neither"
        yield Case(
            number=number,
            fold=crc32((page.site or page.id).encode()) % FOLDS,
            candidates=candidates,
            features=describe(extraction, titles, candidates, alnum_key(chosen)),
            right=np.array([key_of(candidate.text) == label for candidate in candidates.values()], dtype=bool),
            rule_is_right=key_of(chosen) == label,
            label_source=label_source if headings and declared and not headings & declared else None,
        )


def learned_accuracy(cases: list[Case], *, with_position: bool) -> float:
    """Return the share of pages on which trees that saw other sites choose the label.

    With `with_position`, the trees also see where in the corpus a page is.
    """

    def features_of(case: Case) -> np.ndarray:
        position = np.full((len(case.features), 1), case.number // STEP)
        return np.hstack([case.features, position]) if with_position else case.features

    hits = 0
    for fold in range(FOLDS):
        seen = [case for case in cases if case.fold != fold and case.candidates]
        trees = HistGradientBoostingClassifier(max_iter=100, learning_rate=0.1, max_leaf_nodes=15, random_state=1)
        trees.fit(np.vstack([features_of(case) for case in seen]), np.concatenate([case.right for case in seen]))
        for case in cases:
            if case.fold == fold and case.candidates:
                hits += bool(case.right[int(trees.predict_proba(features_of(case))[:, 1].argmax())])
    return hits / len(cases)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    cases = list(read_cases(parser.parse_args().corpus))
    print(f"{len(cases)} pages, {sum(len(case.candidates) for case in cases) / len(cases):.1f} candidates per page")
    print(f"  the label is a candidate             {np.mean([case.right.any() for case in cases]):.3f}")
    print(f"  the rule chooses it                  {np.mean([case.rule_is_right for case in cases]):.3f}")
    print(f"  trees that saw other sites choose it {learned_accuracy(cases, with_position=False):.3f}")
    print(f"  with the position in the corpus      {learned_accuracy(cases, with_position=True):.3f}")
    print("where heading and title differ, the label is")
    print(f"  {'pages':<12}{'heading':>8}{'title':>8}{'neither':>8}")
    runs: dict[int, Counter[str]] = {}
    for case in cases:
        if case.label_source:
            runs.setdefault(case.number // STEP, Counter())[case.label_source] += 1
    for step, counts in runs.items():
        pages = f"{STEP * step}-{STEP * step + STEP - 1}"
        print(f"  {pages:<12}{counts['heading']:>8}{counts['title']:>8}{counts['neither']:>8}")


if __name__ == "__main__":
    main()
