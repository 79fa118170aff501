"""Learned sites beside plain sift, the site classifier of ridge and the site style tree, leave one page out.

    python bench/sites.py CORPUS [--extractor sift-open] [--weights FILE] [--hosts] [--baselines] [--sweep]

For each host with enough pages, each page is decided with a profile that was learned from the other pages: from their
markup alone (`learned`), and with their gold texts as labels (`labelled`). Mean words F1. Pages without a URL are
grouped by the host of the URL that they declare, else by the host that most of their links name.

sift was trained on these corpora; `--extractor sift-open` has not seen Dragnet. `--train FILE` writes a model that
was trained on the pages whose host has too few pages for this table, for `--weights FILE`.
"""

import argparse
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np

from tamis.extractors import registry
from tamis.extractors.registry import Extractor
from tamis.extractors.weights import Weights, from_json, save_weights
from tamis.lab.evaluate import metrics
from tamis.lab.evaluate.corpora import BrokenPage, LabelledPage, open_corpus
from tamis.page import Page, parse_page
from tamis.render.text import selected_text
from tamis.sift import site as profile_constants
from tamis.sift.extractor import Sift
from tamis.sift.network import SiftModel
from tamis.sift.site import block_keys
from tamis.sites.labels import labels_from_text
from tamis.sites.learn import ScoredPage, SiteLearner, score_page
from tamis.sites.rules import page_host

HOST = re.compile(r"https?://(?:web\.archive\.org/web/\w{1,20}/(?:https?://)?)?([\w.-]{4,80})")
MAX_MARKUP = 300_000  # characters of a page that are searched for links
#: Hosts that pages of all sites link to.
SHARED = frozenset({
    "w3.org", "facebook.com", "twitter.com", "digg.com", "purl.org", "ogp.me", "gmpg.org", "google.com",
    "addthis.com", "s7.addthis.com", "ad.doubleclick.net",
})  # fmt: skip


def site_of(labelled: LabelledPage, page: Page) -> str:
    declared = labelled.site or page_host(page, None)
    if declared and not declared.endswith("archive.org"):
        return declared
    found = Counter(match[1].lower().removeprefix("www.") for match in HOST.finditer(labelled.html[:MAX_MARKUP]))
    ranked = [host for host, _ in found.most_common() if host not in SHARED and not host.endswith("archive.org")]
    return ranked[0] if ranked else ""


def hosts_of(corpus: Path) -> tuple[dict[str, list[LabelledPage]], list[LabelledPage]]:
    """Return the pages of each host, and all pages."""
    hosts: dict[str, list[LabelledPage]] = {}
    everything = []
    for labelled in open_corpus(corpus):
        if not isinstance(labelled, BrokenPage):
            everything.append(labelled)
            hosts.setdefault(site_of(labelled, parse_page(labelled.html)), []).append(labelled)
    hosts.pop("", None)
    return hosts, everything


def f1(extractor: Extractor, page: Page, gold: str) -> float:
    selection = extractor.select(page)
    text = selected_text(page, selection.mask)
    if not selection.mask.any() and selection.metadata_fallback is not None:
        text = selection.metadata_fallback[0]
    return metrics.words(text, gold).f1


def profile_of(sift: Sift, pages: list[ScoredPage], *, labelled: bool) -> Sift:
    learner = SiteLearner()
    for page in pages:
        learner.add_scored(page if labelled else replace(page, labels=None))
    return replace(sift, site=learner.profile(host="")) if learner.is_enough else sift


def measure_host(
    sift: Sift, pages: list[LabelledPage], *, baselines: bool = False, labelled: bool = True
) -> dict[str, list[float]]:
    parsed = [parse_page(page.html) for page in pages]
    if baselines:
        from ridge_sites import site_ridge, site_tree

        from tamis.lab.training.ridge import make_sample

        samples = [make_sample(page) for page in pages]
    scored = [
        score_page(sift, page, labels_from_text(page, labelled.gold))
        for page, labelled in zip(parsed, pages, strict=True)
    ]
    columns: dict[str, list[float]] = {}
    for index, page in enumerate(parsed):
        rest = scored[:index] + scored[index + 1 :]
        learned = profile_of(sift, rest, labelled=False)
        tools: dict[str, Extractor] = {"sift": sift, "learned": learned}
        if labelled:
            tools["labelled"] = profile_of(sift, rest, labelled=True)
        if baselines:
            others = [sample for number, sample in enumerate(samples) if number != index and sample is not None]
            tools["ridge"] = registry.get("ridge")
            tools["ridge site"] = site_ridge(others)
            tools["sst"] = site_tree([each for number, each in enumerate(parsed) if number != index])
        for name, tool in tools.items():
            columns.setdefault(name, []).append(f1(tool, page, pages[index].gold))
        if learned.site is not None:
            columns.setdefault("familiar", []).append(learned.site.familiarity(block_keys(page)))
    return columns


def train_rest(pages: list[LabelledPage], path: Path) -> None:
    """Train one network of sift's size on pages, and write it with the numbers of the shipped model."""
    from tamis.lab.training.network import TrainConfig, train
    from tamis.lab.training.samples import make_samples
    from tamis.lab.training.sift import feature_groups
    from tamis.sift.extractor import shipped
    from tamis.sift.network import Network

    examples = [sample.example for sample in make_samples(pages, 2) if sample.is_trainable]
    parameters = train(examples, 7, TrainConfig(hidden=96, width=48, seed=1), feature_groups())
    model = replace(shipped("sift-open"), networks=(Network(parameters),), card={"pages": len(examples)})
    weights = model.to_weights()
    save_weights(path, Weights(weights.method, weights.values, model.card))
    print(f"wrote {path}: trained on {len(examples)} pages")


#: Other values of the constants of `tamis.sift.site`, one after another.
SWEEP = (
    ("MIN_SHARE", 0.34), ("MIN_SHARE", 0.5), ("MIN_SHARE", 0.8), ("TEXT_PENALTY", 2.0), ("TEXT_PENALTY", 8.0),
    ("NEIGHBOURS", 0), ("NEIGHBOURS", 4), ("MIN_NEIGHBOUR_SHARE", 0.0), ("MAX_TEMPLATE_LOGIT", -3.0),
    ("MAX_TEMPLATE_LOGIT", -99.0),
)  # fmt: skip


def print_sweep(sift: Sift, hosts: list[tuple[str, list[LabelledPage]]]) -> None:
    """Print what other constants change: the mean over hosts, and the worst host."""
    print(f"{'constant':<28}{'mean change':>12}{'worst host':>12}")
    for name, value in SWEEP:
        shipped = getattr(profile_constants, name)
        setattr(profile_constants, name, value)
        print_change(f"{name} = {value:g}", sift, hosts)
        setattr(profile_constants, name, shipped)
    print_change("as shipped", sift, hosts)


def print_change(label: str, sift: Sift, hosts: list[tuple[str, list[LabelledPage]]]) -> None:
    scores = [measure_host(sift, pages, labelled=False) for _, pages in hosts]
    change = np.array([100 * (np.mean(each["learned"]) - np.mean(each["sift"])) for each in scores])
    print(f"{label:<28}{change.mean():>12.2f}{change.min():>12.2f}", flush=True)


def print_table(scores: dict[str, dict[str, list[float]]], *, by_host: bool) -> None:
    names = [name for name in next(iter(scores.values())) if name != "familiar"]
    print(f"{'host':<36}{'pages':>6}" + "".join(f"{name:>12}" for name in names))
    if by_host:
        for host, columns in sorted(scores.items()):
            cells = "".join(f"{100 * np.mean(columns[name]):>12.1f}" for name in names)
            print(f"{host:<36}{len(columns['sift']):>6}{cells}")
    total = {name: np.concatenate([np.array(columns[name]) for columns in scores.values()]) for name in names}
    print(
        f"{'all pages':<36}{len(total['sift']):>6}" + "".join(f"{100 * total[name].mean():>12.2f}" for name in names)
    )
    means = {name: np.array([np.mean(columns[name]) for columns in scores.values()]) for name in names}
    cells = "".join(f"{100 * means[name].mean():>12.2f}" for name in names)
    print(f"{'mean of hosts':<36}{len(scores):>6}{cells}")
    change = {name: 100 * (means[name] - means["sift"]) for name in names}
    for label, value in (
        ("worst host, change in points", lambda each: f"{each.min():>12.2f}"),
        ("hosts worse by more than a point", lambda each: f"{(each < -1).sum():>12}"),
        ("hosts better by more than a point", lambda each: f"{(each > 1).sum():>12}"),
    ):
        print(f"{label:<42}" + "".join(value(change[name]) for name in names))
    familiar = np.concatenate([np.array(columns.get("familiar", [])) for columns in scores.values()])
    if len(familiar):
        quantiles = ", ".join(f"{100 * value:.0f} %" for value in np.quantile(familiar, (0.0, 0.01, 0.1, 0.5)))
        print(f"share of what a profile knows that a page has: least, 1 %, 10 %, half of the pages: {quantiles}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--extractor", default="sift")
    parser.add_argument("--weights", type=Path, help="weights of sift, instead of the shipped ones")
    parser.add_argument("--train", type=Path, help="write weights that have not seen the hosts of the table")
    parser.add_argument("--minimum", type=int, default=5, help="pages that a host must have")
    parser.add_argument("--every", type=int, default=1, help="measure every n-th host")
    parser.add_argument("--hosts", action="store_true", help="print each host")
    parser.add_argument("--sweep", action="store_true", help="try other values of the constants")
    parser.add_argument(
        "--baselines", action="store_true", help="measure ridge, its site classifier, and sst as well"
    )
    options = parser.parse_args()
    hosts, everything = hosts_of(options.corpus)
    chosen = {host: pages for host, pages in sorted(hosts.items()) if len(pages) >= options.minimum}
    if options.train is not None:
        seen = {page.id for pages in chosen.values() for page in pages}
        train_rest([page for page in everything if page.id not in seen], options.train)
        return
    sift = registry.get(options.extractor)
    assert isinstance(sift, Sift)
    if options.weights is not None:
        sift = replace(sift, model=SiftModel.from_weights(from_json(options.weights.read_text("utf-8"))))
    measured = list(chosen.items())[:: options.every]
    if options.sweep:
        print_sweep(sift, measured)
        return
    scores = {host: measure_host(sift, pages, baselines=options.baselines) for host, pages in measured}
    print_table(scores, by_host=options.hosts)


if __name__ == "__main__":
    main()
