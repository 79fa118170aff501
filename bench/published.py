"""Check the published figures against the corpora: ``python bench/published.py FOLDER [--every 1]``.

FOLDER holds the corpora as ``wcxb/dev``, ``cleaneval/final``, ``l3s-gn1``, ``read-later``, ``news/2005`` and so on
(docs/evaluation.md). A corpus that is not there is an error: a figure that is not checked is not known to be true.
The figures are the table of the README, and of docs/sift.md those of corpora that no weights learned from.

- Tamis must reach its published figure. The published one is of pages of sites that it was not trained on, while the
  weights that are shipped have seen WCXB: this finds that something was broken, not how well new pages are read
  (`tamis train sift` prints that).
- Other programs must have their published figure, to the tolerance: they were measured on the same pages.

``make floors CORPORA=FOLDER`` runs it. With ``--every 10`` a sample is read, whose figures have a wider tolerance.
"""

import argparse
import re
import sys
from pathlib import Path

from tamis.lab.evaluate import metrics
from tamis.lab.evaluate.corpora import BrokenPage, LabelledPage, open_corpus
from tamis.lab.evaluate.tools import Tool, open_tool

README = Path(__file__).parent.parent / "README.md"
#: The first words of a row of the README's table, and the folder of that corpus.
FOLDERS = {"WCXB dev": "wcxb/dev", "CleanEval final": "cleaneval/final", "L3S-GN1": "l3s-gn1"}
SIFT = Path(__file__).parent.parent / "docs" / "sift.md"
#: The same for rows of docs/sift.md that end in "never trained on".
UNSEEN = {
    "`read-later`": ("read-later",),
    "news 2005, 2009, 2013": ("news/2005", "news/2009", "news/2013"),
    "Chinese, by character": ("chinese",),
}
#: Figures have three decimals; another release of a program may differ in the third.
TOLERANCE = 0.002
SAMPLE_TOLERANCE = 0.03
SAMPLE_PAGES = 50  #: at least; the mean of fewer pages says little


def published(text: str) -> dict[str, dict[str, float]]:
    """Return the figures of the README by the name of the corpus and the name of the tool.

    >>> head = "| corpus | Tamis (`sift`) | jusText 3.0 |"
    >>> table = f"{head}\\n| --- | ---: | ---: |\\n| WCXB dev, all | **0.883** | 0.691 |"
    >>> published(table)
    {'WCXB dev': {'sift': 0.883, 'justext': 0.691}}
    """
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines() if line[:1] == "|"]
    header = next(row for row in rows if row[0] == "corpus")
    tools = ["sift" if "sift" in cell else cell.split()[0].lower() for cell in header[1:]]
    found = {}
    for row in rows:
        name = next((name for name in FOLDERS if row[0].startswith(name)), None)
        if name is not None and len(row) == len(header):
            found[name] = {tool: float(re.sub(r"[*\s]", "", cell)) for tool, cell in zip(tools, row[1:], strict=True)}
    return found


def unseen(text: str) -> dict[str, float]:
    """Return the figures of docs/sift.md by the folder of the corpus.

    >>> unseen("| `read-later`, never trained on | 87 | 0.920 |")
    {'read-later': 0.92}
    """
    rows = re.findall(r"^\| (.*), never trained on \|.*\| ([\d. ]+) \|$", text, re.MULTILINE)
    return {
        folder: float(value)
        for name, values in rows
        for folder, value in zip(UNSEEN[name], values.split(), strict=True)
    }


def untrue(figures: dict[str, float], measured: dict[str, float], tolerance: float) -> list[str]:
    """Return a message for each figure that is no longer true."""
    messages = []
    for tool, figure in figures.items():
        below, differs = measured[tool] < figure - tolerance, abs(measured[tool] - figure) > tolerance
        if below if tool == "sift" else differs:
            messages.append(f"{tool}: published {figure:.3f}, measured {measured[tool]:.3f}")
    return messages


def measure(folder: Path, tools: list[str], every: int) -> dict[str, float]:
    """Return the mean words F1 of each tool over every k-th page of a corpus."""
    pages = [page for page in open_corpus(folder) if not isinstance(page, BrokenPage)]
    pages = pages[:: max(1, min(every, len(pages) // SAMPLE_PAGES))]
    scores = {}
    for name in tools:
        tool = open_tool(name)
        values = [metrics.words(text_of(tool, page), page.gold).f1 for page in pages]
        scores[name] = sum(values) / len(values)
    return scores


def text_of(tool: Tool, page: LabelledPage) -> str:
    """Return what a program makes of a page: nothing if it fails, as in `tamis eval`."""
    try:
        return tool.text(page.html, page.url)
    except Exception:  # noqa: BLE001 (other programs raise anything)
        return ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1, help="read every k-th page")
    parser.add_argument("--tools", default="", help="only these, separated by commas")
    options = parser.parse_args()
    problems = []
    figures = published(README.read_text("utf-8"))
    if figures.keys() != FOLDERS.keys():
        sys.exit(f"the README has no figures for {', '.join(FOLDERS.keys() - figures.keys())}")
    figures |= {folder: {"sift": value} for folder, value in unseen(SIFT.read_text("utf-8")).items()}
    for corpus, values in figures.items():
        folder = options.folder / FOLDERS.get(corpus, corpus)
        if not folder.is_dir():
            problems.append(f"{corpus}: {folder} is not there")
            continue
        wanted = {
            tool: value for tool, value in values.items() if not options.tools or tool in options.tools.split(",")
        }
        measured = measure(folder, list(wanted), options.every)
        print(corpus, *(f"{tool} {measured[tool]:.3f} (published {wanted[tool]:.3f})" for tool in wanted), sep="  ")
        tolerance = TOLERANCE if options.every == 1 else SAMPLE_TOLERANCE
        problems += [f"{corpus}: {message}" for message in untrue(wanted, measured, tolerance)]
    sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
