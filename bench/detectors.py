"""Print what each detector of the document does on the pages of corpora.

    python bench/detectors.py CORPUS... [--pages 600] [--samples 2]

For each detector and each of its reasons: the pages where it fires, the words that it marks, moves, replaces, adds
or deletes, and a sample to look at. A detector that fires on nothing is a cost to every reader of the code.
"""

import argparse
import re
import warnings
from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import tamis
from tamis.document.detectors.table import DETECTORS, Effect
from tamis.lab.evaluate.corpora import BrokenPage, open_corpora


def _claims(task: tuple) -> list[tuple[str, str, str, int, str]]:
    corpus, page_id = task
    warnings.simplefilter("ignore")
    labelled = corpus.read(page_id)
    if isinstance(labelled, BrokenPage):
        return []
    extraction = tamis.extract(labelled.html, labelled.url, rules=False)
    page, out = extraction.page, []
    for claim in extraction.document.claims:
        rows = range(claim.first, claim.stop)
        text = " ".join(page.row_text(row) for row in rows if page.is_text[row] and not page.hidden[row])
        words = len(re.findall(r"\w+", text))
        out.append((claim.detector, claim.effect.name, claim.evidence, words, " ".join(text.split())[:60]))
    return out


def main() -> None:
    """Run every page and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, help="about this many pages, evenly spread")
    parser.add_argument("--samples", type=int, default=2)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    args = parser.parse_args()
    tasks = [(corpus, name) for path in args.corpora for corpus in open_corpora(path) for name in corpus.page_ids()]
    if args.pages:
        tasks = tasks[:: max(1, len(tasks) // args.pages)]
    fired: Counter = Counter()
    words: Counter = Counter()
    samples = defaultdict(list)
    with ProcessPoolExecutor(args.jobs) as pool:
        for (corpus, page_id), claims in zip(tasks, pool.map(_claims, tasks, chunksize=8), strict=True):
            for key in {claim[:3] for claim in claims}:
                fired[key] += 1
            for *key, count, text in claims:
                words[tuple(key)] += count
                if len(samples[tuple(key)]) < args.samples and text:
                    samples[tuple(key)].append(f"{corpus.name}/{page_id}: {text}")
    print(f"{len(tasks)} pages")
    print(f"{'detector':<12}{'reason':<28}{'effect':<9}{'pages':>6}{'words':>9}")
    for detector in DETECTORS:
        keys = sorted(key for key in fired if key[0] == detector.name)
        for key in keys:
            print(f"{key[0]:<12}{key[2]:<28}{key[1].lower():<9}{fired[key]:>6}{words[key]:>9}")
            for sample in samples[key]:
                print(f"{'':<12}{sample}")
        if not keys:
            effects = ", ".join(effect.name.lower() for effect in Effect if effect in detector.effects)
            print(f"{detector.name:<12}{'(no claim)':<28}{effects}")


if __name__ == "__main__":
    main()
