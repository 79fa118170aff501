"""Draw two charts of the documentation: accuracy against cost, and throughput by workers.

    tamis eval read-later news/2013 -e sift,trafilatura,resiliparse,… -o results.jsonl
    python bench/charts.py accuracy results.jsonl -o docs/pictures/accuracy.svg
    python bench/charts.py workers docs/lab/scale.md -o docs/pictures/workers.svg

The first reads the results of ``tamis eval``: a point for each tool, its mean words F1 and its CPU time per page as a
multiple of bare parsing, on a logarithmic axis. The second reads the table that ``bench/scale.py`` prints: pages per
second of each tool with one and two worker processes.
"""

import argparse
import json
import math
from collections import defaultdict
from pathlib import Path

import matplotlib as mpl

mpl.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.ticker import NullFormatter, ScalarFormatter

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


def rates(text: str) -> dict[str, list[float]]:
    """Return the pages per second of each tool with one and two workers.

    >>> rates("| tool | pages/s, one worker | two workers |\\n| --- | ---: | ---: |\\n| tamis | 73 | 168 |\\n\\n")
    {'tamis': [73.0, 168.0]}
    """
    table = text.partition("| tool | pages/s")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in table.splitlines()[2:]]
    return {row[0]: [float(cell.replace(",", "")) for cell in row[1:3]] for row in rows}


def draw_workers(tools: dict[str, list[float]], path: Path, ours: set[str]) -> None:
    figure, axis = plt.subplots(figsize=(5.2, 3.6))
    for name, values in tools.items():
        color = OURS if name in ours else OTHERS
        axis.plot([1, 2], values, marker="o", color=color)
        axis.annotate(name, (2, values[1]), xytext=(8, -3), textcoords="offset points", color=color, fontsize=9)
    axis.set(yscale="log", xlabel="worker processes", ylabel="pages per second (log)", xticks=[1, 2], xlim=(0.8, 2.6))
    axis.set_yticks([10, 20, 50, 100, 200, 500])
    axis.yaxis.set_major_formatter(ScalarFormatter())
    axis.yaxis.set_minor_formatter(NullFormatter())
    axis.grid(visible=True, color="#dddddd", linewidth=0.6)
    save(figure, path)


def save(figure: mpl.figure.Figure, path: Path) -> None:
    for spine in ("top", "right"):
        figure.axes[0].spines[spine].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chart", choices=["accuracy", "workers"])
    parser.add_argument("source", type=Path, help="results of `tamis eval`, or the output of bench/scale.py")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--ours", default="sift,tamis", help="tools to draw in colour")
    options = parser.parse_args()
    if options.chart == "accuracy":
        tools = points(options.source.read_text("utf-8").splitlines())
        for name, (cost, f1) in sorted(tools.items(), key=lambda item: -item[1][1]):
            print(f"{name:<20}{f1:.3f}{cost:>10.1f} parses")
        draw_accuracy(tools, options.output, set(options.ours.split(",")))
    else:
        found = rates(options.source.read_text("utf-8"))
        found.pop("reading and sending alone", None)
        draw_workers(found, options.output, set(options.ours.split(",")))


if __name__ == "__main__":
    main()
