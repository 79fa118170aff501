"""The reference pages that the docs build writes from the code name everything that the code has."""

import importlib.util
import re
from dataclasses import fields
from pathlib import Path

import pytest

from tamis import Limits, errors
from tamis.metadata.fields import FIELDS
from tamis.serve.settings import Settings

pytest.importorskip("mkdocs")
ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("site_hooks", ROOT / "docs" / "_site.py")
hooks = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hooks)


def test_every_setting_has_its_option_variable_and_default():
    page = hooks.settings_reference()
    assert "| `--max-body` | `TAMIS_MAX_BODY` | serve | 10MB | Size of a request body. |" in page
    assert "| `--max-bytes` | `TAMIS_MAX_BYTES` | serve, mcp, batch | 10MB / 50MB | Size of a page" in page
    annotated = [each for each in fields(Settings) if "Setting(" in str(Settings.__annotations__[each.name])]
    assert len(annotated) > 25
    for each in annotated:
        assert f"`TAMIS_{each.name.upper()}`" in page
    for each in fields(Limits):
        assert f"| `{each.name}` |" in page


@pytest.mark.slow
def test_every_variable_of_the_environment_is_named():
    page = hooks.settings_reference()
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    internal = {"TAMIS_COMPLETE"}  # click's, in the script of the shell
    assert {name for name in re.findall(r"\bTAMIS_[A-Z]+(?:_[A-Z]+)*\b", source) if name not in internal} <= set(
        re.findall(r"TAMIS_[A-Z_]+", page)
    )


def test_commands_of_groups_are_listed():
    page = hooks.command_reference()
    assert "## tamis train sift\n" in page
    assert "| `--favor` |" in page


def test_every_error_is_listed_with_what_it_means():
    page = hooks.errors_reference()
    for name, value in vars(errors).items():
        if isinstance(value, type):
            assert re.search(rf"^\| `{name}` \|.*\| \w.*\. \|$", page, re.MULTILINE), name
    assert "| `FetchTimeoutError` | `FetchError` |" in page


def test_every_field_is_listed_with_what_it_is_read_from():
    page = hooks.metadata_reference()
    for field in FIELDS:
        assert f"| `{field.name}` | {field.type} | {field.summary} |" in page


def test_every_weights_file_has_a_card():
    page = hooks.weights_reference()
    files = list((ROOT / "src" / "tamis").glob("*/weights/*.json"))
    assert len(files) == page.count("\n## ")
    for name in ("date", "data", "terms", "folds", "figures on pages that were left out", "known failures"):
        assert len(re.findall(rf"^\| {name} \| .+ \|$", page, re.MULTILINE)) == len(files), name
