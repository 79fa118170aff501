"""A format is registered once and available everywhere: on the command line, over HTTP, in OpenAPI and in batches."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tamis.cli.app import app
from tamis.errors import OptionError
from tamis.render.registry import Format, formats, get_format, register_format, unregister_format
from tests.serve.loopback import send
from tests.serve.shouting import LOUD, SCRIPT

ROOT = Path(__file__).parents[2]
PAGE = b"<p>Green tea"
PLUGIN = """
from tamis.render.registry import Format
from tamis.render.registry import Rendered

def write(content, options):
    return Rendered(content.text[::-1], {})

FORMAT = Format("backwards", "bwd", ("text/x-backwards",), write, (), "from right to left")
"""


@pytest.fixture
def registered():
    register_format(LOUD)
    register_format(SCRIPT)
    yield
    unregister_format("loud")
    unregister_format("script")


def extract(base, query, **headers):
    return send(f"{base}/v1/extract?extractor=body&{query}", "POST", PAGE, Content_Type="text/html", **headers)


@pytest.mark.usefixtures("registered")
def test_a_format_added_at_run_time_is_available_everywhere(service, tmp_path):
    page = tmp_path / "page.html"
    page.write_bytes(PAGE)
    runner = CliRunner()
    result = runner.invoke(app, ["extract", "-e", "body", "--format", "loud", str(page)])
    assert (result.exit_code, result.stdout) == (0, "GREEN TEA!\n")
    assert "capital letters" in " ".join(runner.invoke(app, ["extract", "--help"]).stdout.split())

    by_name = extract(service, "format=loud")
    assert (by_name.status, by_name.text) == (200, "GREEN TEA!\n")
    assert by_name.headers["content-type"] == "text/x-loud; charset=utf-8"
    assert extract(service, "format=shout").body == by_name.body
    assert extract(service, "", Accept="text/x-loud").body == by_name.body

    document = json.loads(send(f"{service}/openapi.json").body)
    operation = document["paths"]["/v1/extract"]["post"]
    (parameter,) = [each for each in operation["parameters"] if each["name"] == "format"]
    assert {"loud", "shout"} <= set(parameter["schema"]["enum"])
    assert "text/x-loud" in operation["responses"]["200"]["content"]
    assert "loud" in document["components"]["schemas"]["ExtractRequest"]["properties"]["format"]["enum"]

    line = json.dumps({"html": PAGE.decode(), "extractor": "body", "format": "shout"})
    response = send(f"{service}/v1/batch", "POST", line, Content_Type="application/x-ndjson")
    assert json.loads(response.body) == {"line": 1, "status": 200, "format": "loud", "result": "GREEN TEA!\n"}


def test_a_format_that_was_removed_is_unknown(service):
    register_format(LOUD)
    unregister_format("loud")
    assert extract(service, "format=loud").status == 400
    assert extract(service, "", Accept="text/x-loud").status == 406


@pytest.mark.usefixtures("registered")
def test_html_of_any_format_is_sanitized(service):
    response = extract(service, "format=script")
    assert response.text == "<p>Green tea</p>\n"
    assert "sandbox" in response.headers["content-security-policy"]


@pytest.mark.usefixtures("registered")
def test_names_of_formats_are_unique():
    with pytest.raises(OptionError, match="there is already a format shout"):
        register_format(Format("other", "x", ("text/x-other",), "x:y", ("shout",)))


def install_plugin(folder, *entry_points):
    """Write a package with entry points into a folder, as an installer does."""
    (folder / "backwards.py").write_text(PLUGIN)
    info = folder / "backwards-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: backwards\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tamis.formats]\n" + "\n".join(entry_points) + "\n")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT / "src"), str(ROOT)])}


SERVICE = """
from tests.serve.loopback import loopback_settings, send, serving

if __name__ == "__main__":
    with serving(loopback_settings(80)) as base:
        url = f"{base}/v1/extract?extractor=body&format=backwards"
        print(send(url, "POST", b"<p>Green tea", Content_Type="text/html").text)
"""


@pytest.mark.slow
def test_a_format_of_an_installed_package_is_available(tmp_path):
    environment = install_plugin(tmp_path, "backwards = backwards:FORMAT")
    command = [sys.executable, "-m", "tamis", "extract", "-e", "body", "-f", "backwards", "-"]
    done = subprocess.run(command, input=PAGE, capture_output=True, env=environment, check=False)
    assert (done.stdout, done.stderr) == (b"aet neerG\n", b"")
    (tmp_path / "program.py").write_text(SERVICE)
    done = subprocess.run(
        [sys.executable, tmp_path / "program.py"], capture_output=True, env=environment, check=False
    )
    assert (done.stdout.strip(), done.stderr) == (b"aet neerG", b"")


@pytest.mark.slow
def test_a_broken_package_is_a_warning_and_stops_no_other_format(tmp_path):
    entry_points = ("missing = backwards:NOTHING", "wrong = backwards:write", "backwards = backwards:FORMAT")
    environment = install_plugin(tmp_path, *entry_points)
    program = "from tamis.render.registry import formats; print([entry.name for entry in formats()][-1])"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False
    )
    assert done.stdout == "backwards\n"
    assert "cannot load the format missing" in done.stderr
    assert "cannot load the format wrong: backwards:write is not a Format" in done.stderr


def test_formats_are_listed_in_one_order():
    assert [entry.name for entry in formats()][:6] == ["text", "markdown", "html", "json", "xml", "csv"]
    assert get_format("tei") is get_format("xml")


LOADED_MODULES = """
import sys
from tests.serve.loopback import loopback_settings, send, serving

if __name__ == "__main__":
    with serving(loopback_settings(80)) as base:
        for path in ("/", "/docs", "/openapi.json", "/v1/extractors", "/metrics"):
            assert send(base + path).status == 200, path
        for format in ("text", "json", "xml", "csv", "html"):
            assert send(f"{base}/v1/extract?format={format}", "POST", b"<p>tea").status == 200, format
        assert send(f"{base}/read", "POST", b"<p>tea", Content_Type="text/html").status == 200
        assert send(f"{base}/v1/batch", "POST", b'{"html": "<p>tea"}').status == 200
        print([name for name in ("numpy", "turbohtml", "nh3") if name in sys.modules])
"""


@pytest.mark.slow
def test_the_server_process_loads_neither_numpy_nor_the_parser(tmp_path):
    (tmp_path / "program.py").write_text(LOADED_MODULES)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
    command = [sys.executable, tmp_path / "program.py"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")
