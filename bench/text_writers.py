"""Print the CPU time of both ways to plain text, and on how many pages an interface has another text than `.text`.

    python bench/text_writers.py CORPUS --pages 60

`tamis.render.text` writes text from the selected rows; `tamis.render.document_text` writes it from the document,
which must be built first. The selection is that of `sift`, whose time is printed for comparison.
"""

import argparse
import json
import time
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tamis.api import Extraction, extract
from tamis.document.build import build_document
from tamis.lab.evaluate.corpora import BrokenPage, open_corpora
from tamis.render.document_text import render_text
from tamis.render.text import direct_rows, selected_text


def _cpu_seconds(function: Callable[[], object]) -> tuple[float, object]:
    start = time.process_time()
    value = function()
    return time.process_time() - start, value


def _from_rows(extraction: Extraction) -> str | None:
    page = extraction.page
    rows = direct_rows(page, extraction.selection.mask)
    return selected_text(page, rows) if rows is not None else None


def _from_document(extraction: Extraction) -> str:
    return render_text(build_document(extraction.page, extraction.selection.mask, extraction.url)).text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, default=60, help="about this many pages, evenly spread")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    tasks = [(corpus, page_id) for corpus in open_corpora(args.corpus) for page_id in corpus.page_ids()]
    seconds: Counter[str] = Counter()
    count: Counter[str] = Counter()
    for corpus, page_id in tasks[:: max(1, len(tasks) // args.pages)]:
        labelled = corpus.read(page_id)
        if isinstance(labelled, BrokenPage):
            continue
        count["pages"] += 1
        # A fresh extraction for each writer: a page caches its blocks and what detectors find.
        extract_seconds, extraction = _cpu_seconds(lambda labelled=labelled: extract(labelled.html, labelled.url))
        row_seconds, row_text = _cpu_seconds(lambda extraction=extraction: _from_rows(extraction))
        one = extraction.text
        located = json.loads(extraction.to_json(provenance=True))["text"]
        others = (extraction.to_text(title=False), extraction.render("text").text, located)
        count["another text"] += any(other != one for other in others)
        if row_text is None:
            continue
        again = extract(labelled.html, labelled.url)
        document_seconds, document_text = _cpu_seconds(lambda again=again: _from_document(again))
        seconds += Counter(extract=extract_seconds, rows=row_seconds, document=document_seconds)
        count["from rows"] += 1
        count["same words in order"] += row_text.split() == document_text.split()
        count["same bytes"] += row_text == document_text
    pages = count["from rows"]
    print(f"{count['pages']} pages, rows suffice for {pages}")
    for name in ("extract", "rows", "document"):
        print(f"{name:<10}{1000 * seconds[name] / pages:8.2f} ms of CPU per page")
    ratio = seconds["document"] / seconds["rows"]
    whole = (seconds["extract"] + seconds["document"]) / (seconds["extract"] + seconds["rows"])
    print(f"document / rows: {ratio:.1f}; with extraction: {whole:.2f}")
    print(f"pages on which to_text, render('text') or JSON have another text than .text: {count['another text']}")
    print(f"same words in the same order: {count['same words in order']}; same bytes: {count['same bytes']}")


if __name__ == "__main__":
    main()
