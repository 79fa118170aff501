"""The floors below which no extractor may fall: words F1 on the golden pages, pinned in floors.toml.

    python bench/floors.py            # current beside pinned
    python bench/floors.py --write    # pin what is current

``tests/test_floors.py`` fails when a score falls below its floor. Lowering one needs an edit to floors.toml in the
same commit, so that a reader of the change sees what it costs.
"""

import argparse
import tomllib
from pathlib import Path
from typing import Final

from tamis.evaluate import metrics
from tamis.evaluate.corpora import BrokenPage, open_corpus
from tamis.evaluate.tools import Own
from tamis.extractors import registry

PAGES: Final = Path(__file__).parent.parent / "tests" / "pages"
#: Layout of the golden pages, for extractors that look at them: fonts differ from one machine to another, and with
#: them the last pixel of a line. Made by: tamis render --corpus tests/pages -o tests/visual/layouts
BOXES: Final = Path(__file__).parent.parent / "tests" / "visual" / "layouts"
FILE: Final = Path(__file__).parent / "floors.toml"
COMMAND: Final = "python bench/floors.py --write"
#: Scores are pinned with four decimals, and the last bits of a sum may differ from one machine to another.
TOLERANCE: Final = 1e-4
MEAN: Final = "mean"
HEAD: Final = f"""\
# Words F1 of each extractor on the golden pages of tests/pages; tests/test_floors.py fails when one falls.
# Written by: {COMMAND}
"""

Scores = dict[str, dict[str, float]]


def own_extractors() -> list[str]:
    """Return our own extractors, without what other packages or a running program added."""
    return [name for name in registry.names() if type(registry.get(name)).__module__.startswith("tamis.")]


def measure(names: list[str]) -> Scores:
    """Return for each extractor its mean and its score on each page."""
    pages = list(open_corpus(PAGES, "golden"))
    out: Scores = {}
    for name in names:
        scores: dict[str, float] = {}
        tool = Own(name, BOXES if registry.needs_layout(registry.get(name)) else None)
        for page in pages:
            assert not isinstance(page, BrokenPage), f"{page.id} {page.reason}"
            scores[page.id] = metrics.words(tool.text(page.html, page.url), page.gold).f1
        out[name] = {MEAN: sum(scores.values()) / len(scores), **scores}
    return out


def read_floors() -> Scores:
    """Return the pinned scores."""
    return tomllib.loads(FILE.read_text("utf-8")) if FILE.exists() else {}


def write_floors(scores: Scores) -> None:
    """Pin scores: a table for each extractor, a line for each page."""
    tables = [
        "\n".join([f"[{name}]", *(f"{page} = {score:.4f}" for page, score in pages.items())])
        for name, pages in sorted(scores.items())
    ]
    FILE.write_text("\n\n".join([HEAD.rstrip(), *tables]) + "\n", "utf-8")


def complaints(name: str, current: dict[str, float], floors: Scores) -> list[str]:
    """Return what is wrong with an extractor's scores: one that fell, or one without a floor or a page."""
    pinned = floors.get(name)
    if pinned is None:
        return [f"{name} has no floors; add them with: {COMMAND}"]
    out = [f"{name}: no floor for {page}; add it with: {COMMAND}" for page in current.keys() - pinned.keys()]
    out += [f"{name}: a floor for {page}, which is no page; take it out" for page in pinned.keys() - current.keys()]
    out += [
        f"{name} fell on {page}: {current[page]:.4f}, its floor is {floor:.4f}"
        for page, floor in pinned.items()
        if page in current and current[page] < floor - TOLERANCE
    ]
    return sorted(out)


def show(current: Scores, floors: Scores) -> None:
    """Print means beside their floors, and the pages on which a score moved."""
    print(f"{'extractor':<20}{'now':>10}{'pinned':>10}")
    for name, pages in current.items():
        pinned = floors.get(name, {})
        print(f"{name:<20}{pages[MEAN]:>10.4f}{pinned.get(MEAN, float('nan')):>10.4f}")
        for page, score in pages.items():
            floor = pinned.get(page)
            if page != MEAN and (floor is None or abs(score - floor) > TOLERANCE):
                print(f"  {page:<18}{score:>10.4f}{float('nan') if floor is None else floor:>10.4f}")
    for name in floors.keys() - current.keys():
        print(f"{name} has floors and is no extractor of ours")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="pin what is current")
    options = parser.parse_args()
    current = measure(own_extractors())
    show(current, read_floors())
    if options.write:
        write_floors(current)
        print(f"wrote {FILE.name}")


if __name__ == "__main__":
    main()
