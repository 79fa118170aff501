"""Site classifiers beside the universal one and the site style tree, as in figure 7 of Bing 2008.

    python bench/ridge_sites.py NEWS [--minimum 6] [--folds 3]

NEWS is a corpus, or a folder of corpora, with several pages of each site. Pages without a URL are grouped by the
host that most of their links name, without the prefix of the Web Archive. For each site with enough pages, a
classifier and a style tree are learned from the pages outside a fold and measured on the fold: mean LCS F1. The last
column is the limit of the model: each ridge classified by its words in the gold text.
"""

import argparse
import re
from collections import Counter
from pathlib import Path

import numpy as np

from tamis.errors import CorpusError
from tamis.extractors.registry import Extractor
from tamis.lab.evaluate import metrics
from tamis.lab.evaluate.corpora import BrokenPage, LabelledPage, open_corpora
from tamis.lab.training.ridge import RidgeConfig, Sample, is_content, make_sample, train
from tamis.page import Page, parse_page
from tamis.page.sums import Bools
from tamis.papers.baselines.sst import Sst, StyleTree
from tamis.papers.ridge import Ridge
from tamis.render.text import selected_text

HOST = re.compile(r"https?://(?:web\.archive\.org/web/\w{1,20}/(?:https?://)?)?([\w.-]{4,80})")
COLUMNS = ("universal", "site", "sst", "limit")
MAX_MARKUP = 300_000  # characters of a page that are searched for links


def site_of(labelled: LabelledPage) -> str:
    """Return the site of a page: of its URL, else the host that most of its links name."""
    hosts = Counter(match[1].lower() for match in HOST.finditer(labelled.html[:MAX_MARKUP]))
    hosts = Counter({name: count for name, count in hosts.items() if not name.endswith("archive.org")})
    host = labelled.site or (hosts.most_common(1)[0][0] if hosts else "")
    return ".".join(host.removeprefix("www.").split(".")[-2:])


def site_ridge(samples: list[Sample]) -> Ridge:
    """Return a classifier of a site, or the universal one if the pages have ridges of one class only."""
    try:
        return Ridge.from_weights(train(samples, RidgeConfig(word_weights=False), {}))
    except CorpusError:
        return Ridge()


def site_tree(pages: list[Page]) -> Sst:
    tree = StyleTree()
    for page in pages:
        tree.add(page)
    return Sst.from_weights(tree.to_weights(0.2))


def ideal_mask(page: Page, sample: Sample | None) -> Bools:
    """Return the rows of the ridges with most of their words in the gold text."""
    mask = np.zeros(len(page), dtype=np.bool_)
    if sample is not None:
        mountains, words, matched = sample.ridges(RidgeConfig().shape)
        ridge = np.where(mountains.cell >= 0, mountains.ridge_of_cell(), -1)
        kept = (ridge >= 0) & np.append(is_content(words, matched), False)[ridge]
        mask[sample.cells.row[mountains.cell[kept]]] = True
    return mask


def site_scores(folder: Path, least: int = 6, folds: int = 3) -> dict[tuple[str, str], dict[str, list[float]]]:
    """Return the F1 of each page by corpus and site and by column, for the sites with enough pages."""
    sites: dict[tuple[str, str], list[LabelledPage]] = {}
    for corpus in open_corpora(folder):
        for labelled in corpus:
            if not isinstance(labelled, BrokenPage):
                sites.setdefault((corpus.name, site_of(labelled)), []).append(labelled)
    return {site: _cross_validate(pages, folds) for site, pages in sorted(sites.items()) if len(pages) >= least}


def _cross_validate(labelled_pages: list[LabelledPage], folds: int) -> dict[str, list[float]]:
    pages = [parse_page(labelled.html) for labelled in labelled_pages]
    samples = [make_sample(labelled) for labelled in labelled_pages]
    scores: dict[str, list[float]] = {column: [] for column in COLUMNS}
    for fold in range(folds):
        rest = [index for index in range(len(pages)) if index % folds != fold]
        learned: tuple[Extractor, ...] = (
            Ridge(),
            site_ridge([sample for sample in (samples[index] for index in rest) if sample is not None]),
            site_tree([pages[index] for index in rest]),
        )
        for index in range(fold, len(pages), folds):
            masks = [extractor.select(pages[index]).mask for extractor in learned]
            masks.append(ideal_mask(pages[index], samples[index]))
            for column, mask in zip(COLUMNS, masks, strict=True):
                text = selected_text(pages[index], mask)
                scores[column].append(metrics.lcs(text, labelled_pages[index].gold).f1)
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--minimum", type=int, default=6, help="pages that a site must have")
    parser.add_argument("--folds", type=int, default=3)
    options = parser.parse_args()
    scores = site_scores(options.corpus, options.minimum, options.folds)
    totals = {column: [score for site in scores.values() for score in site[column]] for column in COLUMNS}
    print(f"{'site':<34}{'pages':>6}" + "".join(f"{column:>11}" for column in COLUMNS))
    for name, site in [*((" ".join(key), site) for key, site in scores.items()), ("all of these pages", totals)]:
        cells = "".join(f"{100 * float(np.mean(site[column])):>11.1f}" for column in COLUMNS)
        print(f"{name:<34}{len(site['site']):>6}{cells}")


if __name__ == "__main__":
    main()
