"""Record what every extractor selects on every page, and compare two records.

    python bench/selections.py record CORPUS... -o before.jsonl
    python bench/selections.py record CORPUS... -o after.jsonl
    python bench/selections.py compare before.jsonl after.jsonl

A refactoring that changes nothing gives two equal records. Each line has a page and, for each extractor, a hash of
the selected rows; for `sift` also hashes of the scores, the text and the Markdown. ``compare`` exits with 1 if a hash
differs. Extractors that need a browser's layout are left out, unless ``--extractors`` names them.
"""

import argparse
import hashlib
import json
import sys
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from tamis.api import extract
from tamis.extractors import registry
from tamis.lab.evaluate.corpora import BrokenPage, open_corpora
from tamis.page import parse_page

#: Extractors that a browser serves. Named here, so that the records of two versions stay comparable.
_VISUAL = {"cehtd", "vips-leaf"}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _record(names: list[str], task: tuple) -> dict:
    corpus, page_id = task
    warnings.simplefilter("ignore")
    labelled = corpus.read(page_id)
    row: dict = {"corpus": corpus.name, "page": page_id}
    if isinstance(labelled, BrokenPage):
        return row
    for name in names:
        page = parse_page(labelled.html)
        extraction = extract(page, labelled.url, extractor=name)
        selection = extraction.selection
        row[name] = _hash(np.packbits(selection.mask).tobytes())
        if name == "sift":
            row["sift:score"] = _hash(np.round(selection.score, 9).tobytes())
            row["sift:text"] = _hash(extraction.text.encode("utf-8", "replace"))
            row["sift:markdown"] = _hash(extraction.markdown.encode("utf-8", "replace"))
    return row


def record(args: argparse.Namespace) -> None:
    names = args.extractors.split(",") if args.extractors else [n for n in registry.names() if n not in _VISUAL]
    tasks = [
        (corpus, page_id) for path in args.corpora for corpus in open_corpora(path) for page_id in corpus.page_ids()
    ]
    if args.pages:
        tasks = tasks[:: max(1, len(tasks) // args.pages)]
    with ProcessPoolExecutor(args.jobs) as pool, args.output.open("w", encoding="utf-8") as out:
        for row in pool.map(partial(_record, names), tasks, chunksize=8):
            out.write(json.dumps(row) + "\n")
    print(f"{len(tasks)} pages, {len(names)} extractors")


def compare(args: argparse.Namespace) -> None:
    before, after = (
        {(row["corpus"], row["page"]): row for row in map(json.loads, path.open(encoding="utf-8"))}
        for path in (args.before, args.after)
    )
    compared, different, examples = Counter(), Counter(), {}
    pages = [key for key in after if key in before]
    for key in pages:
        for name in (before[key].keys() & after[key].keys()) - {"corpus", "page"}:
            compared[name] += 1
            if before[key][name] != after[key][name]:
                different[name] += 1
                examples.setdefault(name, "/".join(key))
    for name in sorted(compared):
        example = f"  e.g. {examples[name]}" if name in examples else ""
        print(f"{name:<16}{compared[name]:>6} pages  {different[name]:>5} differ{example}")
    print(f"{len(pages)} pages in both, {len(before.keys() ^ after.keys())} in one alone")
    sys.exit(1 if different else 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("record")
    one.add_argument("corpora", nargs="+", type=Path)
    one.add_argument("-o", "--output", type=Path, required=True)
    one.add_argument("--extractors", help="names, separated by commas (default: all that need no browser)")
    one.add_argument("--pages", type=int, help="about this many pages, evenly spread")
    one.add_argument("-j", "--jobs", type=int, default=2)
    one.set_defaults(run=record)
    two = commands.add_parser("compare")
    two.add_argument("before", type=Path)
    two.add_argument("after", type=Path)
    two.set_defaults(run=compare)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
