"""The held-out tables of sift, and a plot of its confidence against the F1 of each page.

    python bench/sift.py held-out.jsonl [--plot docs/pictures/reliability.png]
    python bench/sift.py held-out.jsonl --against other.jsonl
    python bench/sift.py wcxb/dev [--results held-out.jsonl]

A results file of ``tamis train sift`` is read: words F1 by corpus and page type, every page scored by networks that
did not see its site or its corpus. With ``--against``, the paired difference of both files, with its standard error.
A corpus is cross-validated again, as that command does it.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib as mpl
import numpy as np

mpl.use("Agg")
from matplotlib import pyplot as plt


def by_corpus(pages: list[dict]) -> dict[str, list[dict]]:
    found: dict[str, list[dict]] = {}
    for page in pages:
        found.setdefault(page["corpus"], []).append(page)
    return found


def corpora_table(pages: list[dict], others: list[dict]) -> str:
    """Return the mean of each corpus and of all with equal weight; with `others`, the paired differences."""
    before = {(page["corpus"], page["page"]): page["f1"] for page in others}
    lines, means = [f"{'corpus':<20}{'pages':>6}{'words F1':>10}"], []
    for name, group in by_corpus(pages).items():
        means.append(np.mean([page["f1"] for page in group]))
        line = f"{name:<20}{len(group):>6}{means[-1]:>10.4f}"
        change = [page["f1"] - before[name, page["page"]] for page in group if (name, page["page"]) in before]
        if len(change) > 1:
            line += f"{np.mean(change):>+10.4f} ± {np.std(change, ddof=1) / len(change) ** 0.5:.4f}"
        lines.append(line)
    return "\n".join([*lines, f"{'mean of corpora':<26}{np.mean(means):>10.4f}"])


def as_table(pages: list[dict]) -> str:
    lines = [f"{'page type':<16}{'pages':>6}{'words F1':>10}{'accuracy':>10}"]
    page_types = sorted({page["page_type"] or "?" for page in pages})
    for page_type in [*page_types, "all"]:
        group = [page for page in pages if page_type in {page["page_type"] or "?", "all"}]
        accuracy = np.mean([page["predicted_page_type"] == page["page_type"] for page in group])
        f1 = np.mean([page["f1"] for page in group])
        lines.append(f"{page_type:<16}{len(group):>6}{f1:>10.4f}{accuracy:>10.3f}")
    confidence, f1 = (np.array([page[name] for page in pages]) for name in ("confidence", "f1"))
    lines.append(f"correlation of confidence and F1: {np.corrcoef(confidence, f1)[0, 1]:.3f}")
    return "\n".join(lines)


def plot_reliability(pages: list[dict], path: Path) -> None:
    confidence, f1 = (np.array([page[name] for page in pages]) for name in ("confidence", "f1"))
    tenths = np.array_split(np.argsort(confidence, kind="stable"), 10)
    figure, axis = plt.subplots(figsize=(4.5, 4.5), dpi=110)
    axis.scatter(confidence, f1, s=4, alpha=0.25, color="#888888", label="one page")
    axis.plot([0, 1], [0, 1], linestyle=":", color="black", label="perfect calibration")
    means = [(confidence[tenth].mean(), f1[tenth].mean()) for tenth in tenths]
    axis.plot(*zip(*means, strict=True), marker="o", color="#b03a2e", label="mean of a tenth of the pages")
    axis.set(
        xlabel="confidence", ylabel="words F1", xlim=(0, 1), ylim=(0, 1.02), title="Sift, held-out pages of WCXB dev"
    )
    axis.legend(loc="upper left", frameon=False)
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)


def read_results(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="a corpus, or the results file of a training")
    parser.add_argument("--results", type=Path, help="where to write the results of a corpus")
    parser.add_argument("--against", type=Path, help="the results file of another training")
    parser.add_argument("--plot", type=Path, help="the image to write")
    options = parser.parse_args()
    results = options.source
    if options.source.is_dir():
        folder = Path(tempfile.mkdtemp())
        results = options.results or folder / "held-out.jsonl"
        command = ["train", "sift", str(options.source), "-o", str(folder / "sift.json"), "--results", str(results)]
        subprocess.run([sys.executable, "-m", "tamis", *command], check=True)
    pages = read_results(results)
    first, *_ = by_corpus(pages).values()
    print(as_table(first))
    print(corpora_table(pages, read_results(options.against) if options.against else []))
    if options.plot:
        plot_reliability(first, options.plot)


if __name__ == "__main__":
    main()
