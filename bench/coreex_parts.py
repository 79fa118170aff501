"""Recall by part of an article, as in figure 9 of Prasad 2008: title, author, date, body, copyright.

    python bench/coreex_parts.py WCXB [--pages N]

WCXB has title, author and date of its articles. A part counts where the page shows it: the title or the author as
text, a date as a short line that reads as that day, a copyright notice as a short line with its sign or word. It is
found if the extractor selects it. Body is the mean recall of the gold text's words. The paper's pages, of MITRE, are
no longer public.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tamis.extractors import registry
from tamis.lab.evaluate import metrics
from tamis.lab.evaluate.corpora import BrokenPage, LabelledPage, open_corpus
from tamis.metadata.date_formats import parse_day
from tamis.page import Page, parse_page
from tamis.page.sums import Bools
from tamis.render.text import selected_text

EXTRACTORS = ("coreex-r5", "coreex", "cectd", "nodechar")
#: What the paper's text says of its figure, for R5.
PAPER = {"title": "80", "body": "99", "copyright": "20"}
PARTS = ("title", "author", "date", "body", "copyright")
MAX_LINE = 120  # characters: dates and copyright notices are lines of their own


def shown_parts(labelled: LabelledPage, page: Page) -> Iterator[tuple[str, str, Bools]]:
    """Yield name, text and rows of each part that the page shows; rows are empty where the text identifies it."""
    text = comparable(selected_text(page, page.shown))
    for name, value in (("title", labelled.title), ("author", labelled.author)):
        wanted = comparable(value or "")
        if wanted and wanted in text:
            yield name, wanted, np.zeros(len(page), dtype=np.bool_)
    lines = {row: page.row_text(row) for row in np.flatnonzero(page.shown & (page.chars <= MAX_LINE)).tolist()}
    day = (labelled.date or "")[:10]
    dates = [row for row, line in lines.items() if day and parse_day(line) == day]
    notices = [row for row, line in lines.items() if "©" in line or "copyright" in line.casefold()]
    for name, rows in (("date", dates), ("copyright", notices)):
        if rows:
            mask = np.zeros(len(page), dtype=np.bool_)
            mask[rows] = True
            yield name, "", mask


def comparable(text: str) -> str:
    """Return text in lower case with single spaces."""
    return " ".join(text.casefold().split())


def recall_by_part(corpus: Path, pages: int | None) -> tuple[dict[str, int], dict[str, dict[str, float]]]:
    """Return how many pages show each part, and the recall of each part by extractor, in percent."""
    articles = [
        page for page in open_corpus(corpus) if not isinstance(page, BrokenPage) and page.page_type == "article"
    ]
    count = min(pages or len(articles), len(articles))
    found: dict[tuple[str, str], list[float]] = {(name, part): [] for name in EXTRACTORS for part in PARTS}
    for labelled in (articles[index * len(articles) // count] for index in range(count)):
        page = parse_page(labelled.html)
        parts = list(shown_parts(labelled, page))
        for name in EXTRACTORS:
            mask = registry.get(name).select(page).mask
            text = selected_text(page, mask)
            found[name, "body"].append(metrics.lcs(text, labelled.gold).recall)
            for part, wanted, rows in parts:
                found[name, part].append(float(wanted in comparable(text) if wanted else (rows & mask).any()))
    counts = {part: len(found[EXTRACTORS[0], part]) for part in PARTS}
    means = {
        name: {part: 100 * float(np.mean(found[name, part] or [np.nan])) for part in PARTS} for name in EXTRACTORS
    }
    return counts, means


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, help="maximum number of articles, evenly spread")
    options = parser.parse_args()
    counts, means = recall_by_part(options.corpus, options.pages)
    print("pages with the part: " + ", ".join(f"{part} {count}" for part, count in counts.items()))
    print(f"{'recall, %':<14}" + "".join(f"{part:>12}" for part in PARTS))
    print(f"{'paper, R5':<14}" + "".join(f"{PAPER.get(part, '–'):>12}" for part in PARTS))
    for name, by_part in means.items():
        print(f"{name:<14}" + "".join(f"{by_part[part]:>12.1f}" for part in PARTS))


if __name__ == "__main__":
    main()
