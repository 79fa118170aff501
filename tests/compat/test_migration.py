"""The blocks of docs/migration.md: each pair differs in its import alone, runs, and returns the same types."""

import re
from pathlib import Path

import pytest

from tests.compat.pages import ARTICLE
from tests.compat.real import load, quiet

TEXT = (Path(__file__).parents[2] / "docs" / "migration.md").read_text("utf-8")
SECTIONS = {
    section.partition("\n")[0]: re.findall(r"(?:Before|After):\n\n```python\n(.*?)```", section, re.DOTALL)
    for section in TEXT.split("\n## ")[1:]
}
MODULES = {
    "trafilatura": "trafilatura",
    "readability-lxml": "readability",
    "newspaper4k": "newspaper",
    "Resiliparse": "resiliparse.extract.html2text",
    "jusText": "justext",
    "html2text": "html2text",
}


def test_there_is_a_section_for_each_package():
    assert SECTIONS.keys() == MODULES.keys()


@pytest.mark.parametrize("package", MODULES)
def test_before_and_after_differ_in_the_import_and_return_the_same_types(package):
    load(MODULES[package])
    before, after = SECTIONS[package]
    assert before.partition("\n")[2] == after.partition("\n")[2]
    results = []
    for block in (before, after):
        names = {"html": ARTICLE}
        with quiet():
            exec(block, names)
        results.append({name: value for name, value in names.items() if not name.startswith("__")})
    first_line_names = {"trafilatura", "Document", "newspaper", "extract_plain_text", "justext", "html2text"}
    for name in results[0].keys() - first_line_names:
        assert type(results[0][name]).__name__ == type(results[1][name]).__name__, name


@pytest.mark.parametrize("package", MODULES)
def test_a_block_after_the_change_emits_no_warning(package):
    exec(SECTIONS[package][1], {"html": ARTICLE})
