"""Compare the words of the selected rows with the words that each format writes, page by page.

    python bench/words.py CORPUS... [--pages 600] [--show 20]

A word that an output lacks needs a reason with a name, which the document records (`Document.claims`): a line number,
a permalink, a button, a formula that is written as TeX, the mark of a note. Words without a reason are printed.

Also counted are lists and data tables of which a part is selected: some of their items or rows have selected text and
others have none of theirs.
"""

import argparse
import re
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import tamis
from tamis.document.detectors.table import Effect
from tamis.html.text import strip_invisible
from tamis.lab.evaluate.corpora import BrokenPage, open_corpora

FORMATS = ("text", "markdown", "html")
INLINE = re.compile(r"</?(?:b|i|em|strong|a|s|u|code|sub|sup|span|mark|q|del|ins)\b[^<>]*>")
TAG = re.compile(r"<[^<>]*>")
WORD = re.compile(r"[^\W_]+")
_CHANGED = Effect.DELETE | Effect.REPLACE


def lost_words(extraction: tamis.Extraction, written: str) -> tuple[Counter, list[str]]:
    """Return how many words are lost for each reason, and the words that are lost without one."""
    page, mask = extraction.page, extraction.selection.mask
    reason_of = {}
    for claim in extraction.document.claims:
        if claim.effect & _CHANGED:
            reason_of.update(dict.fromkeys(range(claim.first, claim.stop), claim.evidence))
    here = Counter(WORD.findall(written))
    joined = "".join(WORD.findall(written))
    reasons: Counter = Counter()
    lost = []
    rows = np.flatnonzero(mask & (page.nonspace > 0)).tolist()
    for word, pieces, of_rows in _words(page, rows):
        if here[word] > 0:
            here[word] -= 1
        elif any(row in reason_of for row in of_rows):
            reasons[next(reason_of[row] for row in of_rows if row in reason_of)] += 1
        elif word not in joined and not all(piece in joined for piece in pieces):
            lost.append(word)  # else it is there, with another word or in pieces
    return reasons, lost


def _words(page, rows):
    """Yield the words of rows; those of one line may go over several rows."""
    runs: dict[int, list[int]] = {}
    for row in rows:
        runs.setdefault(int(page.inline_run[row]), []).append(row)
    for of_run in runs.values():
        texts = [strip_invisible(page.row_text(row)) for row in of_run]
        ends = np.cumsum([len(text) for text in texts]).tolist()
        for match in WORD.finditer("".join(texts)):
            first, last = np.searchsorted(ends, (match.start(), match.end() - 1), side="right").tolist()
            starts = [match.start(), *ends[first:last]]
            stops = [*ends[first:last], match.end()]
            pieces = [match.string[start:stop] for start, stop in zip(starts, stops, strict=True)]
            yield match[0], pieces, of_run[first : last + 1]


def part_selected(extraction: tamis.Extraction) -> dict[str, list[int]]:
    """Return for lists and tables with selected text whether each lacks an item or a row."""
    page, mask = extraction.page, extraction.selection.mask.copy()
    for claim in extraction.document.claims:
        if claim.effect is Effect.ADD:
            mask[claim.first : claim.stop] |= page.shown[claim.first : claim.stop]
    selected, shown = page.count_selected(mask), page.count_selected(page.shown & (page.nonspace > 0))
    out: dict[str, list[int]] = {"lists": [], "tables": []}
    tables = [(row, page.rows_of("tr"), "table", "tables") for row in page.data_tables]
    lists = [(row, page.rows_of("li"), page.tag_name(row), "lists") for row in _rows(page, "ul", "ol")]
    for row, items, name, kind in (*lists, *tables):
        inside = items[np.searchsorted(items, row) : np.searchsorted(items, page.end[row])].tolist()
        own = [k for k in inside if next((a for a in page.ancestors(k, 3) if page.tag_name(a) == name), row) == row]
        own = [k for k in own if shown[page.end[k]] > shown[k]]
        kept = sum(selected[page.end[k]] > selected[k] for k in own)
        if kept:
            out[kind].append(int(kept < len(own)))
    return out


def _rows(page, *names):
    return sorted(row for name in names for row in page.rows_of(name).tolist())


def _page(task: tuple) -> tuple[list[tuple[str, Counter, list[str]]], dict[str, list[int]]]:
    corpus, page_id = task
    warnings.simplefilter("ignore")
    labelled = corpus.read(page_id)
    if isinstance(labelled, BrokenPage):
        return [], {}
    extraction = tamis.extract(labelled.html, labelled.url, rules=False)
    out = []
    for name in FORMATS:
        written = extraction.render(name, title=False).text
        if name == "html":
            written = TAG.sub("", INLINE.sub("", written).replace("<", " <"))
        out.append((name, *lost_words(extraction, written.replace("\\", ""))))
    return out, part_selected(extraction)


def main() -> None:
    """Run every page and print the reasons, and the words without one."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--pages", type=int, help="about this many pages, evenly spread")
    parser.add_argument("--show", type=int, default=20, help="pages with words that are lost without a reason")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    args = parser.parse_args()
    tasks = [(corpus, name) for path in args.corpora for corpus in open_corpora(path) for name in corpus.page_ids()]
    if args.pages:
        tasks = tasks[:: max(1, len(tasks) // args.pages)]
    reasons = {name: Counter() for name in FORMATS}
    pages = Counter()
    shown = []
    lists = {"lists": [], "tables": []}
    with ProcessPoolExecutor(args.jobs) as pool:
        for (corpus, page_id), (results, parts) in zip(tasks, pool.map(_page, tasks, chunksize=4), strict=True):
            for kind, each in parts.items():
                lists[kind] += each
            for name, found, lost in results:
                reasons[name] += found
                pages[name] += bool(lost)
                if lost:
                    shown.append(f"{name:<9}{corpus.name}/{page_id}: {len(lost)} words, {' '.join(lost[:12])}")
    print(f"{len(tasks)} pages")
    for name in FORMATS:
        print(f"{name}: {pages[name]} pages lack a word without a reason")
        for reason, count in reasons[name].most_common():
            print(f"  {count:>7} words: {reason}")
    for kind, each in lists.items():
        print(f"{kind} with selected text: {len(each)}, of which {sum(each)} lack an item or a row")
    print("\n".join(shown[: args.show]))


if __name__ == "__main__":
    main()
