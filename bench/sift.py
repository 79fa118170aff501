"""The cross-validated table of sift, and a plot of its confidence against the F1 of each page.

    python bench/sift.py wcxb/dev [--results held-out.jsonl] [--plot docs/pictures/reliability.png]
    python bench/sift.py held-out.jsonl --plot docs/pictures/reliability.png

A corpus is cross-validated again, as ``tamis train sift`` does it (ten to twenty minutes). A results file of that
command is only read.
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, help="a corpus, or the results file of a training")
    parser.add_argument("--results", type=Path, help="where to write the results of a corpus")
    parser.add_argument("--plot", type=Path, help="the image to write")
    options = parser.parse_args()
    results = options.source
    if options.source.is_dir():
        folder = Path(tempfile.mkdtemp())
        results = options.results or folder / "held-out.jsonl"
        command = ["train", "sift", str(options.source), "-o", str(folder / "sift.json"), "--results", str(results)]
        subprocess.run([sys.executable, "-m", "tamis", *command], check=True)
    pages = [json.loads(line) for line in results.read_text("utf-8").splitlines()]
    print(as_table(pages))
    if options.plot:
        plot_reliability(pages, options.plot)


if __name__ == "__main__":
    main()
