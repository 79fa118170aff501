"""Draw the badges of the README from pyproject.toml: `python release/badges.py`. A test compares them."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "pictures" / "badges"
CHAR_WIDTH = 6.6  # of 11 pixels Verdana, on average


def badges() -> dict[str, tuple[str, str]]:
    """Return the label and the value of each badge."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    project, coverage = config["project"], config["tool"]["coverage"]["report"]["fail_under"]
    versions = [each.rpartition(" ")[2] for each in project["classifiers"] if re.search(r":: 3\.\d+$", each)]
    names = [re.split(r"[^\w-]", each)[0] for each in project["dependencies"]]
    types = "mypy --strict" if "Typing :: Typed" in project["classifiers"] else "none"
    return {
        "python": ("Python", f"{versions[0]} – {versions[-1]}"),
        "license": ("licence", project["license"]),
        "dependencies": ("requires", ", ".join(names)),
        "types": ("typed", types),
        "coverage": ("branch coverage", f"≥ {coverage} %"),
    }


def svg(label: str, value: str) -> str:
    """Return a badge: two texts on two colours."""
    left, right = (round(len(text) * CHAR_WIDTH) + 12 for text in (label, value))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{label}: {value}"><title>{label}: {value}</title>'
        f'<rect width="{left}" height="20" fill="#444"/>'
        f'<rect x="{left}" width="{right}" height="20" fill="#00695c"/>'
        '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f'<text x="{left / 2}" y="14">{label}</text><text x="{left + right / 2}" y="14">{value}</text></g></svg>\n'
    )


def main() -> None:
    """Write all badges."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (label, value) in badges().items():
        (FOLDER / f"{name}.svg").write_text(svg(label, value), encoding="utf-8")


if __name__ == "__main__":
    main()
