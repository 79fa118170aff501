"""Draw two charts of the documentation: accuracy against cost, and throughput by workers.

    tamis eval read-later news/2013 -e sift,trafilatura,resiliparse,… -o results.jsonl
    python bench/charts.py accuracy results.jsonl -o docs/pictures/accuracy.svg
    python bench/charts.py workers FOLDER -o docs/pictures/workers.svg [--most 4]

The first reads the results of ``tamis eval``: a point for each tool, its mean words F1 and its CPU time per page as a
multiple of bare parsing, on a logarithmic axis. The second extracts the pages of a folder with ``extract_many``, in
one to some worker processes, and draws pages per second, relative to one.
"""

import argparse
import json
import math
import time
from collections import defaultdict
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.ticker import ScalarFormatter

mpl.rcParams["svg.hashsalt"] = "tamis"  # the same figures give the same file
OURS, OTHERS = "#00796b", "#666666"


def points(lines: list[str]) -> dict[str, tuple[float, float]]:
    """Return the cost (in parses) and the mean F1 of each tool.

    >>> row = {"tool": "a", "cpu_ms": 4.0, "parse_ms": 2.0, "words.f1": 0.5}
    >>> points([json.dumps(row), json.dumps(row | {"words.f1": 1.0})])
    {'a': (2.0, 0.75)}
    """
    rows = defaultdict(list)
    for line in lines:
        row = json.loads(line)
        rows[row["tool"]].append(row)
    found = {}
    for tool, group in rows.items():
        cost = sum(row["cpu_ms"] or 0 for row in group) / sum(row["parse_ms"] for row in group)
        found[tool] = (cost, sum(row["words.f1"] for row in group) / len(group))
    return found


def draw_accuracy(tools: dict[str, tuple[float, float]], path: Path, ours: set[str]) -> None:
    figure, axis = plt.subplots(figsize=(6.5, 4.2))
    for name, (cost, f1) in tools.items():
        color = OURS if name in ours else OTHERS
        axis.scatter(cost, f1, color=color, s=42 if name in ours else 24, zorder=2)
        # A label goes to the right, or above if the next tool is there.
        taken = any(0 < math.log10(x / cost) < 0.5 and abs(y - f1) < 0.012 for x, y in tools.values())
        place = {"xytext": (0, 7), "ha": "center"} if taken else {"xytext": (6, 4)}
        axis.annotate(name, (cost, f1), textcoords="offset points", color=color, fontsize=9, **place)
    axis.set(
        xscale="log", xlabel="CPU time per page, in parses of the page (log)", ylabel="words F1, mean over pages"
    )
    axis.xaxis.set_major_formatter(ScalarFormatter())
    axis.grid(visible=True, color="#dddddd", linewidth=0.6)
    axis.margins(x=0.2, y=0.12)
    save(figure, path)


def draw_workers(rates: dict[int, float], path: Path) -> None:
    figure, axis = plt.subplots(figsize=(4.8, 3.4))
    axis.plot(rates.keys(), [rate / rates[1] for rate in rates.values()], marker="o", color=OURS)
    axis.set(
        xlabel="worker processes", ylabel="pages per second, relative to one", xticks=list(rates), ylim=(0, None)
    )
    axis.grid(visible=True, color="#dddddd", linewidth=0.6)
    save(figure, path)


def save(figure: mpl.figure.Figure, path: Path) -> None:
    for spine in ("top", "right"):
        figure.axes[0].spines[spine].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def measure_workers(folder: Path, most: int) -> dict[int, float]:
    """Return pages per second of the clock for one to some workers."""
    from tamis import extract_many
    from tamis.sources.files import open_pages

    pages = [source.read()[0] for source in open_pages([str(folder)])]
    rates = {}
    for workers in range(1, most + 1):
        start = time.perf_counter()
        count = sum(1 for _ in extract_many(pages, workers=workers, processes=True))
        rates[workers] = count / (time.perf_counter() - start)
        print(f"{workers} workers: {rates[workers]:.0f} pages/s, {rates[workers] / rates[1]:.2f} of one", flush=True)
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chart", choices=["accuracy", "workers"])
    parser.add_argument("source", type=Path, help="results of `tamis eval`, or a folder of pages")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--ours", default="sift", help="tools to draw in colour")
    parser.add_argument("--most", type=int, default=2, help="worker processes at most")
    options = parser.parse_args()
    if options.chart == "accuracy":
        tools = points(options.source.read_text("utf-8").splitlines())
        for name, (cost, f1) in sorted(tools.items(), key=lambda item: -item[1][1]):
            print(f"{name:<20}{f1:.3f}{cost:>10.1f} parses")
        draw_accuracy(tools, options.output, set(options.ours.split(",")))
    else:
        draw_workers(measure_workers(options.source, options.most), options.output)


if __name__ == "__main__":
    main()
