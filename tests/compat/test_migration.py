"""The blocks of docs/migration.md run, without a warning, and return the types of the packages that they replace."""

import re
from pathlib import Path

import pytest

from tests.compat.pages import ARTICLE
from tests.compat.real import load, quiet

TEXT = (Path(__file__).parents[2] / "docs" / "migration.md").read_text("utf-8")
BLOCKS = {
    section.partition("\n")[0]: re.search(r"```python\n(.*?)```", section, re.DOTALL)[1]
    for section in TEXT.split("\n## ")[1:]
}
#: The imports of the packages, by those of Tamis.
IMPORTS = {
    ours: theirs for theirs, ours in re.findall(r"^\| `(.*import.*)` \| `(.*import.*)` \|$", TEXT, re.MULTILINE)
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
    assert BLOCKS.keys() == MODULES.keys()
    assert {block.partition("\n")[0] for block in BLOCKS.values()} == IMPORTS.keys()


#: Importing newspaper4k takes two seconds.
_PACKAGES = [pytest.param(name, marks=[pytest.mark.slow] * (name == "newspaper4k")) for name in MODULES]


@pytest.mark.parametrize("package", _PACKAGES)
def test_both_imports_return_the_same_types(package):
    load(MODULES[package])
    first, _, calls = BLOCKS[package].partition("\n")
    results = []
    for line in (IMPORTS[first], first):
        names = {"html": ARTICLE}
        with quiet():
            exec(f"{line}\n{calls}", names)
        results.append({name: value for name, value in names.items() if not name.startswith("__")})
    imported = {"trafilatura", "Document", "newspaper", "extract_plain_text", "justext", "html2text"}
    for name in results[0].keys() - imported:
        assert type(results[0][name]).__name__ == type(results[1][name]).__name__, name


@pytest.mark.parametrize("package", MODULES)
def test_a_block_emits_no_warning(package):
    exec(BLOCKS[package], {"html": ARTICLE})
