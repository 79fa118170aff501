"""What the documents show of JSON, HTTP and rows is what comes out, but for probabilities."""

import http.client
import json
import re
from pathlib import Path

import pytest

import tamis
from tamis.serve.settings import Settings
from tests.serve.loopback import serving

ROOT = Path(__file__).parents[2]
PAGE = (
    '<title>Tea</title><main><p>Warm the pot first, and use <a href="/water">soft water</a> just off the boil.'
    "</p></main>"
)
URL = "https://example.org/tea"


def shown(document, after):
    text = (ROOT / "docs" / document).read_text("utf-8").partition(after)[2]
    return json.loads(re.search(r"```json\n(.*?)```", text, re.DOTALL)[1])


def without_numbers(value):
    """Return a value without probabilities and without metadata that has no value."""
    if isinstance(value, dict):
        kept = {key: without_numbers(each) for key, each in value.items() if not isinstance(each, float)}
        if "metadata" in kept:
            kept["metadata"] = {key: each for key, each in kept["metadata"].items() if each not in (None, [], {})}
        return kept
    return [without_numbers(each) for each in value] if isinstance(value, list) else value


def test_whole_json():
    values = json.loads(tamis.extract(PAGE, URL).json)
    assert without_numbers(shown("output.md", "All of it for a page")) == without_numbers(values)


@pytest.mark.slow
def test_request_and_answer():
    text = (ROOT / "docs" / "serve.md").read_text("utf-8")
    head, _, body = re.search(r"```http\n(.*?)\n```", text, re.DOTALL)[1].partition("\n\n")
    first, *headers = head.splitlines()
    method, path, _ = first.split()
    fields = dict(header.split(": ", 1) for header in headers if not header.startswith("Host"))
    with serving(Settings()) as base:
        connection = http.client.HTTPConnection(base.removeprefix("http://").strip("/"), timeout=60)
        connection.request(method, path, body.encode(), fields)
        answer = json.loads(connection.getresponse().read())
        connection.close()
    assert without_numbers(answer) == without_numbers(shown("serve.md", "A request and its answer"))


@pytest.mark.slow
def test_row(run_tamis, tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT / "examples" / "pages")
    run_tamis("batch", "page.html", "-o", str(tmp_path / "rows.jsonl"))
    row = json.loads((tmp_path / "rows.jsonl").read_text("utf-8"))
    expected = shown("scale.md", "The row of `examples/pages/page.html`")
    assert list(row) == list(expected)
    begins = expected.pop("text").rstrip("…")
    assert row.pop("text").startswith(begins)
    assert without_numbers(row) == without_numbers(expected)
