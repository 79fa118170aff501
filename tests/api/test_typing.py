"""The public API is typed to the keyword: mypy accepts the right calls of `typed_calls.py` and rejects the others."""

import re
from pathlib import Path

import pytest

api = pytest.importorskip("mypy.api")
CALLS = Path(__file__).with_name("typed_calls.py")


@pytest.mark.slow
def test_mypy_accepts_right_calls_and_rejects_wrong_ones(tmp_path):
    source = Path(__file__).parents[2] / "src"
    config = tmp_path / "mypy.ini"
    config.write_text(f"[mypy]\nstrict = true\nmypy_path = {source}\n", encoding="utf-8")
    output, errors, _ = api.run(
        ["--config-file", str(config), "--cache-dir", str(tmp_path / "cache"), "--no-error-summary", str(CALLS)]
    )
    assert not errors
    reported = {}
    for line in output.splitlines():
        found = re.fullmatch(rf".*{re.escape(CALLS.name)}:(\d+): error: .*\[([\w-]+)\]", line)
        if found:
            reported[int(found[1])] = found[2]
    lines = CALLS.read_text("utf-8").splitlines()
    expected = {
        number: found[1]
        for number, line in enumerate(lines, 1)
        if (found := re.search(r"# error: \[([\w-]+)\]$", line))
    }
    assert len(expected) > 10
    assert reported == expected, output
