"""The documents can be read in an afternoon, and say what is true now: histories of experiments are in docs/lab."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
READ = [path for path in sorted(DOCS.rglob("*.md")) if DOCS / "lab" not in path.parents]
#: Words of all documents that a reader is led to.
LIMIT = 24_000


def test_documents_are_short():
    words = {path.relative_to(DOCS).as_posix(): len(path.read_text("utf-8").split()) for path in READ}
    longest = sorted(words, key=words.__getitem__)[-5:]
    assert sum(words.values()) <= LIMIT, f"move measurements and histories to docs/lab; the longest are {longest}"


def test_goals_and_histories_are_in_the_lab():
    for path in READ:
        text = path.read_text("utf-8")
        found = re.search(
            r"[Tt]arget not (?:met|reached)|[Tt]he (?:target|goal) is \d|\(\d[\d.]*(?: s| %)? before\)|\| before \|",
            text,
        )
        assert found is None, f"{path.name}: {found[0]}"


def test_every_page_is_in_the_menu():
    menu = (DOCS.parent / "mkdocs.yml").read_text("utf-8")
    for path in DOCS.rglob("*.md"):
        assert f": {path.relative_to(DOCS).as_posix()}\n" in menu + "\n", f"{path.name} is not in mkdocs.yml"
