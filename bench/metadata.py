"""Title, author and date beside other programs, on a corpus that labels them.

    python bench/metadata.py CORPUS [--pages N] [--kinds HELD_OUT]

A title is *exact* when it is the label after normalisation of case, quotes, dashes and white space. *Letters*
compares letters and digits alone, and *site aside* these without the site's name where a sign sets it off before or
after the title: "Tea | The Kettle" names the same title as "Tea". The name is the one that the page or its address
gives, and is set aside in the label and in the answer of every program alike. *Close* counts a title that holds the
label or is held by it. Authors are right when they are the same set of names. A date is right when it is the same
day. Precision counts pages where a program answers and the label has none as wrong.

Where ours looks for authors and dates depends on the kind of page, which the shipped model tells better of pages that
it was trained on. With ``--kinds``, the results of ``tamis train sift CORPUS -o sift.json --results HELD_OUT``, kinds
are those that models told which had not seen the page's site.
"""

import argparse
import json
import logging
import re
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import newspaper
from trafilatura.metadata import extract_metadata

import tamis
from tamis.evaluate.corpora import LabelledPage, open_corpus
from tamis.metadata.dateparse import parse_day
from tamis.metadata.site import find_site
from tamis.metadata.site_names import folded, letters, site_names, without_site
from tamis.metadata.structured import read_structured
from tamis.page import parse_page

FIELDS = ("title, exact", "title, letters", "title, site aside", "title, close", "author", "date")
Answer = tuple[str | None, str | None, str | None]


#: The kind of each page, as told by a model that had not seen its site.
held_out: dict[str, str] = {}


def ours(page: LabelledPage) -> Answer:
    found = tamis.extract(page.html, page.url)
    if page.id in held_out:
        found = replace(
            found, selection=replace(found.selection, page_type=held_out[page.id], page_type_probability=1.0)
        )
    known = found.metadata
    return known.title, "; ".join(known.authors) or None, known.date


def trafilatura(page: LabelledPage) -> Answer:
    known = extract_metadata(page.html, default_url=page.url)
    return known.title, known.author, known.date


def newspaper4k(page: LabelledPage) -> Answer:
    article = newspaper.article(page.url or "https://example.org/", input_html=page.html, fetch_images=False)
    day = article.publish_date.date().isoformat() if article.publish_date else None
    return article.title, "; ".join(article.authors) or None, day


def names(text: str | None) -> frozenset[str]:
    parts = re.split(r"[;,&]|\band\b", folded(text or ""))
    return frozenset(part for part in (re.sub(r"\W+", " ", part).strip() for part in parts) if part)


def is_close(found: str | None, label: str) -> bool:
    one, two = folded(found or ""), folded(label)
    return bool(one) and (one in two or two in one)


def site_of(page: LabelledPage) -> frozenset[str]:
    """Return what the site of a page is called, for all programs alike."""
    named = find_site(read_structured(parse_page(page.html)), page.url)
    return site_names(named.value if named else None, page.url)


class Score:
    def __init__(self) -> None:
        self.right = self.answered = self.labelled = 0

    def add(self, found: object, label: object, *, right: bool) -> None:
        self.labelled += bool(label)
        self.answered += bool(found)
        self.right += bool(label) and bool(found) and right

    def line(self) -> str:
        precision = self.right / max(self.answered, 1)
        recall = self.right / max(self.labelled, 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        return f"{recall:>8.3f}{precision:>11.3f}{f1:>8.3f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, default=None)
    parser.add_argument("--programs", default="ours,trafilatura,newspaper4k")
    parser.add_argument("--misses", type=Path, default=None, help="write what ours gets wrong to this file")
    parser.add_argument("--kinds", type=Path, default=None, help="held-out results of tamis train sift")
    arguments = parser.parse_args()
    if arguments.kinds:
        lines = map(json.loads, arguments.kinds.read_text(encoding="utf-8").splitlines())
        held_out.update({line["page"]: line["predicted_page_type"] for line in lines})
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    programs: dict[str, Callable[[LabelledPage], Answer]] = {
        name: globals()[name] for name in arguments.programs.split(",")
    }
    pages = [page for page in open_corpus(arguments.corpus) if isinstance(page, LabelledPage)][: arguments.pages]
    sites = {page.id: site_of(page) for page in pages}
    misses = []
    for name, program in programs.items():
        scores = {field: Score() for field in FIELDS}
        begun = time.perf_counter()
        for page in pages:
            try:
                title, author, day = program(page)
            except Exception:  # noqa: BLE001 (another program's failure is an empty answer)
                title = author = day = None
            label_day = parse_day(page.date or "")
            found, label = title or "", page.title or ""
            scores["title, exact"].add(title, label, right=folded(found) == folded(label))
            scores["title, letters"].add(title, label, right=letters(found) == letters(label))
            found, label = (letters(without_site(one, sites[page.id])) for one in (found, label))
            scores["title, site aside"].add(title, label, right=found == label)
            scores["title, close"].add(title, page.title, right=is_close(title, page.title or ""))
            scores["author"].add(author, page.author, right=names(author) == names(page.author))
            scores["date"].add(day, label_day, right=day == label_day)
            if name == "ours":
                misses += [
                    f"{page.id}\t{page.page_type}\t{field}\t{found}\t{label}"
                    for field, found, label in (("author", author, page.author), ("date", day, label_day))
                    if (names(found) != names(label) if field == "author" else found != label)
                ]
        seconds = time.perf_counter() - begun
        print(f"{name}: {len(pages)} pages, {1000 * seconds / max(len(pages), 1):.1f} ms a page")
        print(f"  {'':<18}{'recall':>8}{'precision':>11}{'F1':>8}")
        for field, score in scores.items():
            print(f"  {field:<18}{score.line()}")
    if arguments.misses:
        arguments.misses.write_text("\n".join(misses), encoding="utf-8")


if __name__ == "__main__":
    main()
