"""Measure title, authors and date beside other programs, on a corpus that labels them.

    python bench/metadata.py CORPUS [--pages N] [--page-types HELD_OUT]

A title is *exact* if it equals the label after normalisation of case, quotes, dashes and white space. *Letters*
compares letters and digits alone. *Without site* compares these without the site's name where a separator sets it off
before or after the title: "Tea | The Kettle" is the same title as "Tea". The name is the one that the page or its URL
gives, and is stripped from the label and from the answer of every program alike. *Close* counts a title that contains
the label or is contained in it. Authors are right if they are the same set of names
without degrees, a date if it is the same day. An
answer to a page without a label counts as wrong in the precision.

Where tamis looks for authors and dates depends on the page type, which the shipped model predicts better for pages
that it was trained on. With ``--page-types``, the results of ``tamis train sift CORPUS -o sift.json --results
HELD_OUT``, the page types are those predicted by models that had not seen the page's site.
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
from tamis.lab.evaluate.corpora import LabelledPage, open_corpus
from tamis.metadata.date_formats import parse_day
from tamis.metadata.people import is_degree
from tamis.metadata.site import alnum_key, find_site, normalize, site_names, strip_site_name
from tamis.metadata.structured import read_structured
from tamis.page import parse_page

FIELDS = ("title, exact", "title, letters", "title, without site", "title, close", "author", "date")
Answer = tuple[str | None, str | None, str | None]

#: Page types predicted by models that had not seen the page's site, by page.
held_out_page_types: dict[str, str] = {}


def read_with_tamis(page: LabelledPage) -> Answer:
    extraction = tamis.extract(page.html, page.url)
    if page.id in held_out_page_types:
        page_type = held_out_page_types[page.id]
        selection = replace(extraction.selection, page_type=page_type, page_type_probability=1.0)
        extraction = replace(extraction, selection=selection)
    metadata = extraction.metadata
    return metadata.title, "; ".join(metadata.authors) or None, metadata.date


def read_with_trafilatura(page: LabelledPage) -> Answer:
    metadata = extract_metadata(page.html, default_url=page.url)
    return metadata.title, metadata.author, metadata.date


def read_with_newspaper4k(page: LabelledPage) -> Answer:
    article = newspaper.article(page.url or "https://example.org/", input_html=page.html, fetch_images=False)
    day = article.publish_date.date().isoformat() if article.publish_date else None
    return article.title, "; ".join(article.authors) or None, day


PROGRAMS: dict[str, Callable[[LabelledPage], Answer]] = {
    "tamis": read_with_tamis,
    "trafilatura": read_with_trafilatura,
    "newspaper4k": read_with_newspaper4k,
}


def name_set(authors: str | None) -> frozenset[str]:
    parts = re.split(r"[;,&]|\band\b", normalize(authors or ""))
    names = (re.sub(r"\W+", " ", part).strip() for part in parts if not is_degree(part))
    return frozenset(name for name in names if name)


def is_close(title: str | None, label: str) -> bool:
    title, label = normalize(title or ""), normalize(label)
    return bool(title) and (title in label or label in title)


def site_names_of(page: LabelledPage) -> frozenset[str]:
    """Return the names of a page's site, by which the answers of all programs are judged alike."""
    site = find_site(read_structured(parse_page(page.html)), page.url)
    return site_names(site.value if site else None, page.url)


class Score:
    def __init__(self) -> None:
        self.right = self.answered = self.labelled = 0

    def add(self, answer: object, label: object, *, right: bool) -> None:
        self.labelled += bool(label)
        self.answered += bool(answer)
        self.right += bool(label) and bool(answer) and right

    def line(self) -> str:
        precision = self.right / max(self.answered, 1)
        recall = self.right / max(self.labelled, 1)
        f1 = 2 * precision * recall / max(precision + recall, 1e-9)
        return f"{recall:>8.3f}{precision:>11.3f}{f1:>8.3f}"


def judge(page: LabelledPage, answer: Answer, names: frozenset[str], scores: dict[str, Score]) -> list[str]:
    """Add a page to the scores, and return its misses of author and date as lines."""
    title, author, day = answer
    label_title, label_day = page.title or "", parse_day(page.date or "")
    plain, plain_label = (alnum_key(strip_site_name(text, names)) for text in (title or "", label_title))
    scores["title, exact"].add(title, label_title, right=normalize(title or "") == normalize(label_title))
    scores["title, letters"].add(title, label_title, right=alnum_key(title or "") == alnum_key(label_title))
    scores["title, without site"].add(title, label_title, right=plain == plain_label)
    scores["title, close"].add(title, label_title, right=is_close(title, label_title))
    author_is_right, day_is_right = name_set(author) == name_set(page.author), day == label_day
    scores["author"].add(author, page.author, right=author_is_right)
    scores["date"].add(day, label_day, right=day_is_right)
    misses = [] if author_is_right else [f"{page.id}\t{page.page_type}\tauthor\t{author}\t{page.author}"]
    return misses if day_is_right else [*misses, f"{page.id}\t{page.page_type}\tdate\t{day}\t{label_day}"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, default=None)
    parser.add_argument("--programs", default=",".join(PROGRAMS))
    parser.add_argument("--misses", type=Path, default=None, help="write the misses of tamis to this file")
    parser.add_argument("--page-types", type=Path, default=None, help="held-out results of tamis train sift")
    arguments = parser.parse_args()
    if arguments.page_types:
        lines = map(json.loads, arguments.page_types.read_text(encoding="utf-8").splitlines())
        held_out_page_types.update({line["page"]: line["predicted_page_type"] for line in lines})
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    pages = [page for page in open_corpus(arguments.corpus) if isinstance(page, LabelledPage)][: arguments.pages]
    names = {page.id: site_names_of(page) for page in pages}
    for program in arguments.programs.split(","):
        scores = {field: Score() for field in FIELDS}
        misses = []
        start = time.perf_counter()
        for page in pages:
            try:
                answer = PROGRAMS[program](page)
            except Exception:  # noqa: BLE001 (another program's failure is an empty answer)
                answer = None, None, None
            misses += judge(page, answer, names[page.id], scores)
        seconds = time.perf_counter() - start
        print(f"{program}: {len(pages)} pages, {1000 * seconds / max(len(pages), 1):.1f} ms per page")
        print(f"  {'':<20}{'recall':>8}{'precision':>11}{'F1':>8}")
        for field, score in scores.items():
            print(f"  {field:<20}{score.line()}")
        if arguments.misses and program == "tamis":
            arguments.misses.write_text("\n".join(misses), encoding="utf-8")


if __name__ == "__main__":
    main()
