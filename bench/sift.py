"""The cross-validated table of sift, printed again; and its confidence against what came of it, as a picture.

    python bench/sift.py wcxb/dev [--results held-out.jsonl] [--picture docs/pictures/reliability.png]
    python bench/sift.py held-out.jsonl --picture docs/pictures/reliability.png

A corpus is cross-validated anew, as ``tamis train sift`` does it (ten to twenty minutes); the results that it wrote
are only read.
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


def table(pages: list[dict]) -> str:
    lines = [f"{'kind':<16}{'pages':>6}{'words F1':>10}{'told':>8}"]
    kinds = sorted({page["page_type"] or "?" for page in pages})
    for kind in [*kinds, "all"]:
        own = [page for page in pages if kind in {page["page_type"] or "?", "all"}]
        told = np.mean([page["told"] == page["page_type"] for page in own])
        lines.append(f"{kind:<16}{len(own):>6}{np.mean([page['f1'] for page in own]):>10.4f}{told:>8.3f}")
    said, came = (np.array([page[name] for page in pages]) for name in ("confidence", "f1"))
    lines.append(f"confidence and F1: correlation {np.corrcoef(said, came)[0, 1]:.3f}")
    return "\n".join(lines)


def draw(pages: list[dict], picture: Path) -> None:
    said, came = (np.array([page[name] for page in pages]) for name in ("confidence", "f1"))
    parts = np.array_split(np.argsort(said, kind="stable"), 10)
    figure, axis = plt.subplots(figsize=(4.5, 4.5), dpi=110)
    axis.scatter(said, came, s=4, alpha=0.25, color="#888888", label="a page")
    axis.plot([0, 1], [0, 1], linestyle=":", color="black", label="as said")
    means = [(said[part].mean(), came[part].mean()) for part in parts]
    axis.plot(*zip(*means, strict=True), marker="o", color="#b03a2e", label="a tenth of the pages")
    axis.set(
        xlabel="confidence", ylabel="words F1", xlim=(0, 1), ylim=(0, 1.02), title="Sift, held-out pages of WCXB dev"
    )
    axis.legend(loc="upper left", frameon=False)
    figure.tight_layout()
    picture.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(picture)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    results = options.source
    if options.source.is_dir():
        folder = Path(tempfile.mkdtemp())
        results = options.results or folder / "held-out.jsonl"
        command = ["train", "sift", str(options.source), "-o", str(folder / "sift.json"), "--results", str(results)]
        subprocess.run([sys.executable, "-m", "tamis", *command], check=True)
    pages = [json.loads(line) for line in results.read_text("utf-8").splitlines()]
    print(table(pages))
    if options.picture:
        draw(pages, options.picture)


if __name__ == "__main__":
    main()
