"""Measure the day of publication by hand-written rules and by libraries, on a corpus that labels it.

    python bench/dates.py CORPUS [--every K] [--methods "tamis|htmldate"]

A date is right if it is the labelled day. An answer to a page without a label counts as wrong in the precision. The
time is CPU time per page as a multiple of that of tamis in the same run; every method parses the page itself. Methods
whose library is not installed are left out.

- *tamis* is `tamis.metadata.dates.find_date`, with the page type of the shipped model and without any.
- *dateparser* replaces `parse_day` in it: the rules find the strings, the library reads them.
- *htmldate* and *turbohtml* replace all of it; both also without their search in the text of the page. *turbohtml's
  data, then tamis* takes turbohtml's answer if it comes from ``meta``, JSON-LD or the canonical URL. *tamis, then …*
  asks the library where our rules have no answer.
- *trafilatura* and *newspaper4k* are measured by ``bench/metadata.py``.

The two halves of the hosts are printed too: rules are chosen on the first and checked on the second.
"""

import argparse
import importlib
import importlib.util
import logging
import time
import warnings
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from unittest.mock import patch

from turbohtml.extract import DateExtraction, dates

import tamis
from tamis.html.urls import hostname
from tamis.lab.evaluate.corpora import LabelledPage, open_corpus
from tamis.metadata import MetadataSource
from tamis.metadata.date_formats import parse_day
from tamis.metadata.dates import find_date
from tamis.metadata.structured import read_structured
from tamis.page import parse_page

Method = Callable[[LabelledPage], str | None]

#: The page types that the shipped model predicts, by page; read before the clock runs.
page_types: dict[str, tuple[str | None, float | None]] = {}


def with_tamis(page: LabelledPage, *, with_page_type: bool = True) -> str | None:
    page_type, probability = page_types[page.id] if with_page_type else (None, None)
    structured = read_structured(parse_page(page.html))
    day = find_date(MetadataSource(structured, page.url, page_type=page_type, page_type_probability=probability))
    return day.value if day else None


def dateparser_day(text: str, *, day_first: bool = False) -> str | None:
    """Return the day that dateparser reads in a string, which must be a date and nothing else."""
    settings = {"DATE_ORDER": "DMY" if day_first else "MDY", "REQUIRE_PARTS": ["day", "month", "year"]}
    dateparser = importlib.import_module("dateparser")
    found = dateparser.parse(text, settings=settings) if any(char.isdigit() for char in text) else None
    return found.date().isoformat() if found else None


def dateparser_search_day(text: str, *, day_first: bool = False) -> str | None:
    """Return the first day that dateparser finds in a text."""
    settings = {"DATE_ORDER": "DMY" if day_first else "MDY", "REQUIRE_PARTS": ["day", "month", "year"]}
    if not any(char.isdigit() for char in text):
        return None
    found = importlib.import_module("dateparser.search").search_dates(text, languages=["en"], settings=settings)
    return found[0][1].date().isoformat() if found else None


def with_dateparser(page: LabelledPage, parse: Callable[..., str | None]) -> str | None:
    with patch("tamis.metadata.date_formats.parse_day", parse), patch("tamis.metadata.date_formats.parse_day", parse):
        return with_tamis(page)


def with_htmldate(page: LabelledPage, *, extensive: bool) -> str | None:
    find = importlib.import_module("htmldate").find_date
    found: str | None = find(page.html, url=page.url, original_date=True, extensive_search=extensive)
    return found


def with_turbohtml(page: LabelledPage, *, extensive: bool) -> str | None:
    found = dates(page.html, DateExtraction(original=True, extensive_search=extensive))
    return found.date if found else None


def with_turbohtml_signals(page: LabelledPage) -> str | None:
    """Return what turbohtml reads from meta, JSON-LD and the canonical URL, else what tamis reads."""
    found = dates(page.html, DateExtraction(original=True, extensive_search=False))
    return found.date if found and found.signal != "time" else with_tamis(page)


METHODS: dict[str, Method] = {
    "tamis": with_tamis,
    "tamis, no page type": lambda page: with_tamis(page, with_page_type=False),
    "dateparser.parse in tamis": lambda page: with_dateparser(page, dateparser_day),
    "dateparser search in tamis": lambda page: with_dateparser(page, dateparser_search_day),
    "htmldate": lambda page: with_htmldate(page, extensive=True),
    "htmldate, not extensive": lambda page: with_htmldate(page, extensive=False),
    "turbohtml": lambda page: with_turbohtml(page, extensive=True),
    "turbohtml, not extensive": lambda page: with_turbohtml(page, extensive=False),
    "turbohtml's data, then tamis": with_turbohtml_signals,
    "tamis, then htmldate": lambda page: with_tamis(page) or with_htmldate(page, extensive=True),
    "tamis, then turbohtml": lambda page: with_tamis(page) or with_turbohtml(page, extensive=True),
}


def is_installed(method: str) -> bool:
    if method.endswith("htmldate") and importlib.util.find_spec("htmldate") is None:
        return False
    library = method.partition(",")[0].partition(" ")[0].partition(".")[0].removesuffix("'s")
    return importlib.util.find_spec(library) is not None


def half_of_hosts(page: LabelledPage) -> int:
    """Return 0 or 1, the same for all pages of a host."""
    return zlib.crc32(hostname(page.url or "").removeprefix("www.").encode()) % 2


def scores(answers: Sequence[str | None], labels: Sequence[str | None]) -> tuple[float, float, float]:
    """Return recall, precision and F1."""
    right = sum(answer is not None and answer == label for answer, label in zip(answers, labels, strict=True))
    recall = right / max(sum(label is not None for label in labels), 1)
    precision = right / max(sum(answer is not None for answer in answers), 1)
    return recall, precision, 2 * precision * recall / max(precision + recall, 1e-9)


def measure(method: Method, pages: Sequence[LabelledPage]) -> tuple[list[str | None], float]:
    """Return the answer of a method for each page, and its CPU time in seconds per page."""
    answers: list[str | None] = []
    start = time.process_time()
    for page in pages:
        try:
            answers.append(method(page))
        except Exception:  # noqa: BLE001 (a library's failure is an empty answer)
            answers.append(None)
    return answers, (time.process_time() - start) / max(len(pages), 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--every", type=int, default=1, help="read every K-th page")
    parser.add_argument("--methods", default="", help="names that begin so, divided by |; all of them by default")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    pages = [page for page in open_corpus(arguments.corpus) if isinstance(page, LabelledPage)][:: arguments.every]
    for page in pages:
        selection = tamis.extract(page.html, page.url).selection
        page_types[page.id] = selection.page_type, selection.page_type_probability
    labels = [parse_day(page.date or "") for page in pages]
    halves = [[index for index, page in enumerate(pages) if half_of_hosts(page) == half] for half in (0, 1)]
    print(f"{len(pages)} pages, {sum(label is not None for label in labels)} with a date")
    print(f"  {'':<30}{'recall':>8}{'precision':>11}{'F1':>8}{'F1 of halves':>16}{'time':>8}")
    chosen = tuple(arguments.methods.split("|"))
    tamis_seconds = 0.0
    for name, method in METHODS.items():
        if not (name == "tamis" or name.startswith(chosen)) or not is_installed(name):
            continue
        answers, seconds = measure(method, pages)
        tamis_seconds = tamis_seconds or seconds
        recall, precision, f1 = scores(answers, labels)
        first, second = (scores([answers[i] for i in half], [labels[i] for i in half])[2] for half in halves)
        line = f"  {name:<30}{recall:>8.3f}{precision:>11.3f}{f1:>8.3f}{first:>10.3f}{second:>6.3f}"
        print(f"{line}{seconds / tamis_seconds:>8.2f}", flush=True)


if __name__ == "__main__":
    main()
