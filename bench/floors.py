"""The minimum scores of each extractor: words F1 on the golden pages, pinned in floors.toml.

    python bench/floors.py            # current scores beside their floors
    python bench/floors.py --write    # pin the current scores

``tests/test_floors.py`` fails if a score falls below its floor. Lowering a floor needs an edit of floors.toml in the
same commit, so that a reviewer sees what the change costs.
"""

import argparse
import tomllib
from pathlib import Path
from typing import Final

from tamis.extractors import registry
from tamis.lab.evaluate import metrics
from tamis.lab.evaluate.corpora import BrokenPage, open_corpus
from tamis.lab.evaluate.tools import TamisTool

PAGES: Final = Path(__file__).parent.parent / "tests" / "pages"
#: Saved layouts of the golden pages, for visual extractors: fonts, and with them the last pixel of a line, differ
#: between machines. Made by: tamis render --corpus tests/pages -o tests/browser/layouts
LAYOUTS: Final = Path(__file__).parent.parent / "tests" / "browser" / "layouts"
FILE: Final = Path(__file__).parent / "floors.toml"
COMMAND: Final = "python bench/floors.py --write"
#: Floors have four decimals, and the last bits of a sum may differ between machines.
TOLERANCE: Final = 1e-4
MEAN: Final = "mean"
HEAD: Final = f"""\
# Words F1 of each extractor on the golden pages of tests/pages. tests/test_floors.py fails if a score falls below.
# Written by: {COMMAND}
"""

Scores = dict[str, dict[str, float]]


def builtin_extractors() -> list[str]:
    """Return the extractors of Tamis, without those that other packages or this program registered."""
    return [name for name in registry.names() if type(registry.get(name)).__module__.startswith("tamis.")]


def measure(names: list[str]) -> Scores:
    """Return the mean and the score on each page, for each extractor."""
    pages = list(open_corpus(PAGES, "golden"))
    result: Scores = {}
    for name in names:
        scores: dict[str, float] = {}
        tool = TamisTool(name, LAYOUTS if registry.needs_layout(registry.get(name)) else None)
        for page in pages:
            assert not isinstance(page, BrokenPage), f"{page.id} {page.reason}"
            scores[page.id] = metrics.words(tool.text(page.html, page.url), page.gold).f1
        result[name] = {MEAN: sum(scores.values()) / len(scores), **scores}
    return result


def read_floors() -> Scores:
    """Return the pinned scores."""
    return tomllib.loads(FILE.read_text("utf-8")) if FILE.exists() else {}


def write_floors(scores: Scores) -> None:
    """Write scores to the file: a table for each extractor, a line for each page."""
    tables = [
        "\n".join([f"[{name}]", *(f"{page} = {score:.4f}" for page, score in pages.items())])
        for name, pages in sorted(scores.items())
    ]
    FILE.write_text("\n\n".join([HEAD.rstrip(), *tables]) + "\n", "utf-8")


def violations(name: str, current: dict[str, float], floors: Scores) -> list[str]:
    """Return a message for each score that fell below its floor, has no floor, or has a floor but no page."""
    floors_of_pages = floors.get(name)
    if floors_of_pages is None:
        return [f"{name} has no floors; add them with: {COMMAND}"]
    missing, unused = current.keys() - floors_of_pages.keys(), floors_of_pages.keys() - current.keys()
    messages = [f"{name}: no floor for {page}; add it with: {COMMAND}" for page in missing]
    messages += [f"{name}: a floor for {page}, which does not exist; remove it" for page in unused]
    messages += [
        f"{name} fell on {page}: {current[page]:.4f}, its floor is {floor:.4f}"
        for page, floor in floors_of_pages.items()
        if page in current and current[page] < floor - TOLERANCE
    ]
    return sorted(messages)


def show(current: Scores, floors: Scores) -> None:
    """Print the mean beside its floor, and the pages whose score differs from the floor."""
    print(f"{'extractor':<20}{'score':>10}{'floor':>10}")
    for name, pages in current.items():
        floors_of_pages = floors.get(name, {})
        print(f"{name:<20}{pages[MEAN]:>10.4f}{floors_of_pages.get(MEAN, float('nan')):>10.4f}")
        for page, score in pages.items():
            floor = floors_of_pages.get(page)
            if page != MEAN and (floor is None or abs(score - floor) > TOLERANCE):
                print(f"  {page:<18}{score:>10.4f}{float('nan') if floor is None else floor:>10.4f}")
    for name in floors.keys() - current.keys():
        print(f"{name} has floors but is not an extractor of Tamis")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="pin the current scores")
    options = parser.parse_args()
    current = measure(builtin_extractors())
    show(current, read_floors())
    if options.write:
        write_floors(current)
        print(f"wrote {FILE.name}")


if __name__ == "__main__":
    main()
