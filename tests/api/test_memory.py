"""Limits of memory, measured as the peak of a process of its own: a page, and each output, stay below them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import tamis
from tamis import Limits
from tests.needs import needs

ROOT = Path(__file__).parents[2]
EXCESS = 1.2  #: times the limit
MEASURE = """
import json, sys
import tamis
from tests.attacks.pages import BY_NAME

def status(name):
    lines = open("/proc/self/status").read().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(name))

def peak(work):
    before = status("VmRSS")
    open("/proc/self/clear_refs", "w").write("5")  # the peak begins anew
    out = work()
    return out, status("VmHWM") - before

name, size, most = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
small = tamis.extract("<h1>Tea</h1><p>Boil it.", extractor="body")
small.json, small.chunks(), small.xml  # what is loaded on first use
limits = tamis.Limits(max_memory=most)
extraction, read = peak(lambda: tamis.extract(BY_NAME[name].page(size), extractor="body", limits=limits))
found = [read, len(extraction.page)]
for output in ("json", "xml"):
    rendered, written = peak(lambda: extraction.render(output, provenance=True))
    found += [written, [warning.reason for warning in rendered.warnings]]
print(json.dumps([*found, [warning.reason for warning in extraction.warnings]]))
"""


@pytest.mark.slow
@needs("Linux")
@pytest.mark.parametrize("name", ["long list", "definitions", "header of a long table", "reopened formatting"])
def test_pages_and_outputs_keep_to_their_memory(name):
    most = 30_000_000
    command = [sys.executable, "-c", MEASURE, name, "40000", str(most)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout)
    read, nodes, as_json, json_warnings, as_xml, _, warnings = found
    assert nodes > 5_000
    assert max(read, as_json, as_xml) <= EXCESS * most, found
    assert any(reason.startswith("max_memory") for reason in warnings), found
    assert name == "reopened formatting" or json_warnings[0].startswith("max_memory"), found


def test_what_is_cut_for_memory_is_the_end():
    page = "<h1>Tea</h1>" + "<p>Boil the water, and wait.</p>" * 2_000
    extraction = tamis.extract(page, extractor="body", limits=Limits(max_memory=1_000_000))
    assert extraction.text.startswith("Tea\n\nBoil the water")
    assert 100 < len(extraction.page) < 4_000
    explanation = tamis.extract(tamis.parse_page(page), limits=Limits(max_memory=1_000_000)).explain()
    assert "max_memory" in explanation.note
    assert len(explanation.blocks) < 100


def test_a_page_that_fits_is_whole():
    assert not tamis.extract("<p>Tea.", extractor="body", limits=Limits(max_memory=10_000_000)).warnings
