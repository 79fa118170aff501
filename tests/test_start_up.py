"""What a command that prints the text of a page imports: each module costs every user some milliseconds."""

import json
import subprocess
import sys

import pytest

CODE = """
import json, sys
import tamis
page = "<nav><a href=/>Home</a></nav><main><h1>Tea</h1><p>" + "Water just off the boil, three minutes. " * 9
assert tamis.extract(page).text
print(json.dumps(list(sys.modules)))
"""
#: What only other outputs and other pages need.
NOT_FOR_TEXT = (
    "tamis.sites.learn",
    "tamis.document.build",
    "tamis.document.parts",
    "tamis.document.detectors.notes.find",
    "tamis.document.detectors.formulas.find",
    "tamis.metadata.author",
    "tamis.metadata.dates",
    "tamis.render.markdown",
    "tamis.render.html",
    "tamis.render.chunks",
    "tamis.explain",
    "tamis.document.detectors.posts",
    "tamis.batch",
    "importlib.resources",
    "tempfile",
    "tomllib",
)


@pytest.mark.slow
def test_text_of_a_plain_page_imports_no_document_no_dates_and_no_writers():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    assert set(json.loads(done.stdout)).isdisjoint(NOT_FOR_TEXT)


@pytest.mark.slow
def test_the_command_builds_no_other_command():
    code = "import sys, tamis.cli.extract; print(json.dumps([m for m in sys.modules if m.startswith('tamis.cli.')]))"
    done = subprocess.run([sys.executable, "-c", f"import json; {code}"], capture_output=True, text=True, check=True)
    assert set(json.loads(done.stdout)).isdisjoint({"tamis.cli.render", "tamis.cli.batch", "tamis.cli.serve"})


@pytest.mark.slow
def test_names_of_packages_are_imported_on_first_use():
    code = "import sys, tamis.document, tamis.metadata; n = len(sys.modules); "
    code += "tamis.document.Table, tamis.metadata.FIELDS; "
    done = subprocess.run(
        [sys.executable, "-c", code + "print(len(sys.modules) > n)"], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "True"
