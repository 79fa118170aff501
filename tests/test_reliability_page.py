"""Every test that docs/reliability.md names exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "reliability.md").read_text("utf-8")


def test_named_tests_exist():
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)
    assert len(named) > 20
    for file, function in named:
        source = (ROOT / file).read_text("utf-8")
        assert not function or f"def {function}(" in source, f"{file}::{function}"
