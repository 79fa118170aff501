"""The documents about the architecture say what is true: the layers, the packages, the decisions."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent


def enforced_layers() -> list[str]:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (contract,) = (entry for entry in config["tool"]["importlinter"]["contracts"] if entry["type"] == "layers")
    assert contract["exhaustive"]
    return contract["layers"]


def documented_layers() -> list[str]:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    picture = re.search(r"```layers\n(.*?)```", text, re.DOTALL)[1]
    return [re.split(r"\s{2,}", line)[0] for line in picture.splitlines()]


def test_the_documented_layers_are_those_enforced():
    assert documented_layers() == enforced_layers()


def test_every_package_is_in_a_layer():
    packages = {path.parent.name for path in (ROOT / "src" / "tamis").glob("*/__init__.py")}
    layered = {name.strip() for line in enforced_layers() for name in line.split("|")}
    assert packages <= layered


def test_every_decision_is_listed_and_every_listed_one_exists():
    folder = ROOT / "docs" / "adr"
    written = {path.name for path in folder.glob("[0-9]*.md")}
    listed = set(re.findall(r"\]\(([^)]+\.md)\)", (folder / "README.md").read_text("utf-8")))
    assert listed == written


def test_links_between_documents_lead_somewhere():
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text("utf-8")):
            assert (document.parent / target).exists(), f"{document.name} links to {target}"
