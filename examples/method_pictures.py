"""Draw what each method sees in a golden page, into docs/pictures/methods: `python examples/method_pictures.py`.

A bar is a run of text that the page shows, in document order. Its height is the score that the method gives it. Its
colour says whether the method keeps it, and the line below marks what a person kept. A test compares the pictures.
"""

import argparse
from html import escape
from pathlib import Path

import numpy as np

import tamis
from tamis.extractors import registry

ROOT = Path(__file__).parents[1]
GOLDEN = ROOT / "tests" / "pages" / "tables-2000s"
OUTPUT = ROOT / "docs" / "pictures" / "methods"
METHODS = ("sift", "cetd", "cectd-s", "ceds", "coreex", "nodechar", "ridge", "bte", "cetr", "ccb", "body")
WIDTH, HEIGHT, MARGIN = 720, 150, 24
THOUSAND = 1000  # larger numbers are written without an exponent


def main() -> None:
    """Draw one picture for each method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    for name in METHODS:
        (output / f"{name}.svg").write_text(draw(name), encoding="utf-8")


def draw(name: str) -> str:
    """Return the picture of a method as SVG."""
    page = tamis.parse_page((GOLDEN / "page.html").read_bytes())
    expected = " ".join((GOLDEN / "expected.txt").read_text("utf-8").split())
    selection = registry.get(name).select(page)
    rows = np.flatnonzero(page.is_text & page.shown & (page.nonspace > 0)).tolist()
    scores = np.nan_to_num(np.asarray(selection.score, dtype=float)[rows], posinf=0.0, neginf=0.0)
    low, high = min(0.0, float(scores.min())), float(scores.max()) or 1.0
    step = (WIDTH - 2 * MARGIN) / len(rows)
    bars = []
    for place, (row, score) in enumerate(zip(rows, scores, strict=True)):
        x = MARGIN + place * step
        height = max(1.0, (score - low) / ((high - low) or 1.0) * (HEIGHT - 2 * MARGIN))
        colour = "#00897b" if selection.mask[row] else "#b0bec5"
        text = " ".join(page.row_text(row).split())
        bars.append(
            f'<rect x="{x:.1f}" y="{HEIGHT - MARGIN - height:.1f}" width="{max(step - 0.5, 0.5):.1f}" '
            f'height="{height:.1f}" fill="{colour}"><title>{escape(text[:60])}: {score:.3g}</title></rect>'
        )
        if text in expected:
            bars.append(f'<rect x="{x:.1f}" y="{HEIGHT - MARGIN + 4}" width="{step:.1f}" height="4" fill="#ef6c00"/>')
    kept = int(selection.mask[rows].sum())
    highest = f"{high:.3g}" if high < THOUSAND else f"{high:.0f}"
    label = f"{name}: keeps {kept} of {len(rows)} runs of text; highest score {highest}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'aria-label="{escape(label)}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>'
        f'<text x="{MARGIN}" y="16" font-family="sans-serif" font-size="12" fill="#333">{escape(label)}</text>'
        f"{''.join(bars)}</svg>\n"
    )


if __name__ == "__main__":
    main()
