"""Measure every reading on every corpus: one record per page and reading, saved as JSON Lines and continued."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coreex_parts
import numpy as np
import ridge_sites
from readings import CORPORA, NEWS, Reading, readings

from tamis.evaluate import metrics
from tamis.evaluate.corpora import BrokenPage, Corpus, LabelledPage, open_corpus
from tamis.evaluate.nodes import gold_rows, row_words
from tamis.evaluate.words import is_cjk
from tamis.page import parse_page
from tamis.render.row_text import selected_text

Record = dict[str, Any]


def read_records(path: Path) -> list[Record]:
    """Return saved records, without a last line that was cut off."""
    records = []
    for line in path.read_text("utf-8").splitlines() if path.exists() else []:
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return records


def measure(corpora: Path, results: Path, pages: int) -> list[Record]:
    """Measure what the results do not have yet; return the records of the sampled pages."""
    saved = read_records(results)
    done = {(record["corpus"], record["page"], record["reading"]) for record in saved if "figure" not in record}
    figures = {record["figure"] for record in saved if "figure" in record}
    with results.open("a", encoding="utf-8") as file:
        for name in CORPORA:
            for record in _measure_corpus(name, corpora / name, pages, done):
                file.write(json.dumps(record) + "\n")
            file.flush()
            print(f"{name} is measured", file=sys.stderr)
        for name, make in (("7", _figure_7), ("9", _figure_9)):
            if name not in figures:
                file.write(json.dumps({"figure": name, **make(corpora, pages)}) + "\n")
                print(f"figure {name} is measured", file=sys.stderr)
    sampled = {(name, page_id) for name in CORPORA for page_id in sample_ids(open_corpus(corpora / name), pages)}
    return [
        record
        for record in read_records(results)
        if "figure" in record or (record["corpus"], record["page"]) in sampled
    ]


def sample_ids(corpus: Corpus, pages: int) -> list[str]:
    """Return the names of at most so many pages, evenly spread."""
    ids = corpus.page_ids()
    count = min(pages, len(ids))
    return [ids[index * len(ids) // count] for index in range(count)]


def _figure_7(corpora: Path, _: int) -> Record:
    """Return the scores of site classifiers by year of the news, and of all pages."""
    by_corpus: dict[str, dict[str, list[float]]] = {}
    everything: dict[str, list[float]] = {column: [] for column in ridge_sites.COLUMNS}
    for (corpus, _site), scores in ridge_sites.site_scores(corpora / "news").items():
        year = by_corpus.setdefault(corpus.replace("/", " "), {column: [] for column in scores})
        for column, values in scores.items():
            year[column] += values
            everything[column] += values
    return {"by_corpus": by_corpus, "all": everything}


def _figure_9(corpora: Path, pages: int) -> Record:
    """Return the recall of each part of an article."""
    counts, means = coreex_parts.recall_by_part(corpora / "wcxb" / "dev", pages)
    return {"counts": counts, "means": means, "paper": coreex_parts.PAPER}


def _measure_corpus(name: str, folder: Path, pages: int, done: set[tuple[str, str, str]]) -> Iterator[Record]:
    corpus = open_corpus(folder)
    wanted = [reading for reading in readings() if reading.runs_on(name)]
    for page_id in sample_ids(corpus, pages):
        left = [reading for reading in wanted if (name, page_id, reading.name) not in done]
        labelled = corpus.read(page_id) if left else None
        if isinstance(labelled, LabelledPage) and not isinstance(labelled, BrokenPage):
            yield from _measure_page(name, labelled, left)


def _measure_page(corpus: str, labelled: LabelledPage, wanted: list[Reading]) -> Iterator[Record]:
    page = parse_page(labelled.html)
    content = gold_rows(page, labelled.gold) if corpus in {*NEWS, "l3s-gn1"} else None
    _, rows = row_words(page, cjk=is_cjk(labelled.gold))
    weight = np.bincount(rows, minlength=len(page))
    for reading in wanted:
        mask = reading.extractor.select(page).mask
        text = selected_text(page, mask)
        match = metrics.lcs(text, labelled.gold)
        record: Record = {
            "corpus": corpus,
            "page": labelled.id,
            "reading": reading.name,
            "precision": round(match.precision, 5),
            "recall": round(match.recall, 5),
            "f1": round(match.f1, 5),
            "verdict": metrics.acceptable(text, labelled.gold),
            "sentences": round(metrics.sentences(text, labelled.gold).f1, 5),
        }
        if content is not None and reading.name.startswith("coreex"):
            common, kept = weight[mask & content].sum(), weight[mask].sum()
            node_match = metrics.Match.from_counts(float(common), float(kept), float(weight[content].sum()))
            record |= {"text_precision": round(node_match.precision, 5), "text_recall": round(node_match.recall, 5)}
        yield record
