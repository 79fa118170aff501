"""Measure every reading on every corpus: one record per page and reading, saved as JSON Lines and continued."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coreex_parts
import nodechar_sweep
import numpy as np
import ridge_sites
from readings import CORPORA, NEWS, Reading, readings

from tamis.browser import supply_layout
from tamis.extractors import registry
from tamis.lab.evaluate import metrics
from tamis.lab.evaluate.corpora import BrokenPage, LabelledPage, open_corpus
from tamis.lab.evaluate.metric_registry import gold_rows, row_words
from tamis.lab.evaluate.metrics import is_cjk, split_words
from tamis.page import Page, parse_page
from tamis.papers.nodechar import NodeChar
from tamis.render.text import selected_text

Record = dict[str, Any]
LEFT_OUT = "left out"  # stands for the reading in the record of a page that measures nothing
LEAST_RECALL = 0.1  # of the gold text's words on the whole page


def read_records(path: Path) -> list[Record]:
    """Return saved records, without a last line that was cut off."""
    records = []
    for line in path.read_text("utf-8").splitlines() if path.exists() else []:
        try:
            records.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return records


def measure(corpora: Path, results: Path, pages: int, rendered: int) -> list[Record]:
    """Measure what the results do not have yet; return the records of the sampled pages."""
    saved = read_records(results)
    done = {(record["corpus"], record["page"], record["reading"]) for record in saved if "figure" not in record}
    figures = {record["figure"] for record in saved if "figure" in record}
    with results.open("a", encoding="utf-8") as file:
        for name in CORPORA:
            for record in _measure_corpus(name, corpora / name, (pages, rendered), done):
                file.write(json.dumps(record) + "\n")
            file.flush()
            print(f"{name} is measured", file=sys.stderr)
        for name, make in (("7", _figure_7), ("9", _figure_9), ("titles", _titles), ("maxLen", _max_len)):
            if name not in figures:
                file.write(json.dumps({"figure": name, **make(corpora, pages)}) + "\n")
                print(f"figure {name} is measured", file=sys.stderr)
    sampled = {
        (name, page_id) for name in CORPORA for page_id in sample(open_corpus(corpora / name).page_ids(), pages)
    }
    return [
        record
        for record in read_records(results)
        if "figure" in record or (record["corpus"], record["page"]) in sampled
    ]


def sample(ids: list[str], count: int) -> list[str]:
    """Return at most so many names of pages, evenly spread."""
    count = min(count, len(ids))
    return [ids[index * len(ids) // count] for index in range(count)]


def why_unusable(page: Page, gold: str) -> str | None:
    """Return why a page measures nothing; None if it does.

    Every method scores 0 on a page without gold text unless it selects nothing, and on one with the text of another
    page, or with text that was decoded wrongly before it was saved.
    """
    if not split_words(gold):
        return "no gold text"
    text = " ".join(page.row_text(row) for row in np.flatnonzero(page.is_text).tolist())
    return "gold text not on the page" if metrics.words(text, gold).recall < LEAST_RECALL else None


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


def _titles(corpora: Path, pages: int) -> Record:
    """Return the share of news pages on which `coreex` finds a title, and that it calls an article."""
    extractor, shares = registry.get("coreex"), {}
    for name in NEWS:
        corpus = open_corpus(corpora / name)
        labelled = [
            page for page in map(corpus.read, sample(corpus.page_ids(), pages)) if isinstance(page, LabelledPage)
        ]
        selections = [extractor.select(parse_page(page.html)) for page in labelled]
        shares[name] = {
            "title": float(np.mean([selection.title is not None for selection in selections])),
            "article": float(np.mean([selection.page_type == "article" for selection in selections])),
        }
    return {"shares": shares}


def _max_len(corpora: Path, pages: int) -> Record:
    """Return the sweep of maxLen, which the paper of `nodechar` does not print."""
    methods = [NodeChar(columns=columns) for columns in nodechar_sweep.COLUMNS]
    sets = {"news": NEWS, **{CORPORA[name]: (name,) for name in ("chinese", "cleaneval/final")}}
    means = {
        title: nodechar_sweep.mean_scores([open_corpus(corpora / name) for name in names], methods, pages)[1]
        for title, names in sets.items()
    }
    return {"columns": nodechar_sweep.COLUMNS, "means": means}


def _measure_corpus(
    name: str, folder: Path, counts: tuple[int, int], done: set[tuple[str, str, str]]
) -> Iterator[Record]:
    corpus = open_corpus(folder)
    page_ids = sample(corpus.page_ids(), counts[0])
    rendered = set(sample(page_ids, counts[1]))
    wanted = [reading for reading in readings() if reading.runs_on(name)]
    for page_id in page_ids:
        if (name, page_id, LEFT_OUT) in done:
            continue
        left = [
            reading
            for reading in wanted
            if (name, page_id, reading.name) not in done and (page_id in rendered or not reading.needs_layout)
        ]
        labelled = corpus.read(page_id) if left else None
        if isinstance(labelled, LabelledPage) and not isinstance(labelled, BrokenPage):
            yield from _measure_page(name, labelled, left)


def _measure_page(corpus: str, labelled: LabelledPage, wanted: list[Reading]) -> Iterator[Record]:
    page = parse_page(labelled.html)
    if why := why_unusable(page, labelled.gold):
        yield {"corpus": corpus, "page": labelled.id, "reading": LEFT_OUT, "why": why}
        return
    content = gold_rows(page, labelled.gold) if corpus in {*NEWS, "l3s-gn1"} else None
    _, rows = row_words(page, cjk=is_cjk(labelled.gold))
    weight = np.bincount(rows, minlength=len(page))
    rendered: Page | None = page
    if any(reading.needs_layout for reading in wanted):
        rendered = _render(page, f"{corpus} {labelled.id}")
    for reading in wanted:
        measured = rendered if reading.needs_layout else page
        if measured is None:
            continue
        mask = reading.extractor.select(measured).mask
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


def _render(page: Page, name: str) -> Page | None:
    """Return the page with its layout; None, and a line on stderr, if it could not be rendered."""
    rendered, failure = supply_layout(page, registry.get("cehtd"))
    if failure:
        print(f"{name}: {failure}", file=sys.stderr)
    return None if failure else rendered
