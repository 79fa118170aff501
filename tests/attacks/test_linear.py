"""Steps that took quadratic time once, at sizes at which they would take minutes.

Each runs in a process of its own with a limit of CPU seconds, far above what linear time takes. `bench/attacks.py`
prints the cost of every attack and every step.
"""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
LIMIT = 40  #: CPU seconds
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("attack", "size", "step"),
    [
        ("style of visibility", 4_000_000, "select"),
        ("style of display", 4_000_000, "select"),
        ("title of combining characters", 1_000_000, "metadata"),
        ("title of marks", 1_000_000, "metadata"),
        ("title words against blocks", 100_000, "select"),
        ("quotation with footers", 40_000, "select"),
        ("captions of a table", 40_000, "select"),
        ("notes with a class of many words", 60_000, "metadata"),
        ("notes with one label", 20_000, "html"),
        ("nested notes", 20_000, "html"),
        ("spaces in TeX", 300_000, "text"),
        ("math scripts", 100_000, "text"),
        ("flat MathML", 100_000, "html"),
        ("ragged table", 4_000, "markdown"),
        ("colspan of a million", 1_000, "markdown"),
        ("rowspan of a million", 1_000, "markdown"),
        ("columns", 10_000, "markdown"),
        ("nested posts", 1_000, "html"),
        ("captions of a figure", 10_000, "html"),
        ("captions of a table", 10_000, "html"),
        ("pictures", 3_000, "html"),
        ("touching bold links", 100_000, "html"),
        ("unclosed links", 100_000, "html"),
        ("javascript links", 100_000, "warnings"),
        ("paragraphs", 100_000, "locations"),
        ("nested tables", 50_000, "locations"),
        ("headings", 40_000, "chunks"),
        ("headings", 20_000, "locations"),
        ("line breaks", 200_000, "markdown"),
        ("long base", 1_000, "markdown"),
        ("JSON-LD, deep", 100_000, "metadata"),
    ],
)
def test_step_ends(attack, size, step):
    done = subprocess.run(
        [sys.executable, "-m", "tests.attacks.steps", attack, str(size), str(LIMIT), step],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:] or f"over {LIMIT} CPU seconds"
    assert done.stdout.splitlines()[-1].startswith(step)
