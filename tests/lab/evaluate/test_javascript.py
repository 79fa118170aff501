"""Tools in JavaScript, with a real Node.js. Their packages are small ones of our own, except in the last test."""

import json
import os
import shutil
import signal
import stat

import pytest

from tamis.errors import NodeError
from tamis.lab.evaluate import javascript
from tamis.lab.evaluate.corpora import LabelledPage
from tamis.lab.evaluate.javascript import JAVASCRIPT_TOOLS, install, installed_folder, open_javascript_tool
from tamis.lab.evaluate.run import PageRunner
from tamis.lab.evaluate.tools import open_tool, tool_names
from tests.lab.evaluate.node_packages import JSDOM, write_packages
from tests.needs import needs

pytestmark = pytest.mark.slow


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Return the folder of an empty cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    javascript.shared_process.cache_clear()
    yield javascript.cache_folder()
    if javascript.shared_process.cache_info().currsize:
        javascript.shared_process().close()
    javascript.shared_process.cache_clear()


@pytest.fixture
def installed(cache):
    return write_packages(cache)


@needs("Node.js")
@pytest.mark.usefixtures("installed")
def test_tools_return_text_and_markdown_through_one_process():
    readability, defuddle = open_tool("readability-js"), open_tool("third-party:defuddle")
    assert readability.text("<h1>Tea</h1><p>Pour <b>it</b>.") == "Tea\n\nPour it."
    pid = javascript.shared_process().pid
    assert readability.markdown("<p>Pour <b>it</b>.").strip() == "Pour **it**."
    assert readability.text("empty") == ""
    assert defuddle.markdown("<p>x", "https://a.example/") == "# https://a.example/"
    assert defuddle.text("<p>x") == "offline\n\nx"  # no tool reaches the network
    assert javascript.shared_process().pid == pid
    assert readability.version == "9.8.7"
    assert readability.timed_text("<p>x")[1] > 0


@needs("Node.js")
@pytest.mark.usefixtures("installed")
def test_page_that_raises_or_hangs_fails_alone_and_the_process_goes_on():
    tool, impatient = open_javascript_tool("readability-js"), open_javascript_tool("readability-js", timeout=1.0)
    assert tool.text("<p>one") == "one"
    pid = javascript.shared_process().pid
    with pytest.raises(NodeError, match="TypeError: unsupported page"):
        tool.text("raise")
    with pytest.raises(NodeError, match="took longer than 1 s"):
        impatient.text("hang")
    assert tool.text("<p>two") == "two"
    assert javascript.shared_process().pid == pid


@needs("Node.js")
@pytest.mark.usefixtures("installed")
def test_process_that_dies_is_started_again():
    tool = JAVASCRIPT_TOOLS["readability-js"]
    with pytest.raises(NodeError, match="ended the process"):
        tool.text("die")
    assert tool.text("<p>two") == "two"
    os.kill(javascript.shared_process().pid, signal.SIGKILL)
    javascript.shared_process()._process.wait()
    assert tool.text("<p>three") == "three"


@needs("Node.js")
@pytest.mark.usefixtures("installed")
def test_runner_takes_the_time_and_the_markdown_of_the_tool():
    page = LabelledPage("1", "<p>Pour <b>it</b>.", "Pour it.", gold_markdown="Pour **it**.")
    output, cpu_ms = PageRunner._output(JAVASCRIPT_TOOLS["readability-js"], page, with_markdown=True)
    assert (output.text, output.as_markdown.strip()) == ("Pour it.", "Pour **it**.")
    assert cpu_ms > 0


@needs("Node.js")
@pytest.mark.usefixtures("installed")
def test_process_ends_with_its_parent_even_while_a_page_is_extracted(cache):
    node = javascript.NodeProcess(cache)
    node._start()
    running = node._process
    node._send(
        json.dumps({"id": 1, "timeout": 60, "tool": "readability-js", "html": "hang", "url": "https://a.example/"})
    )
    running.stdin.close()  # as when the parent is killed
    assert running.wait() == 0
    running.stdout.close()


@pytest.mark.slow
@needs("Node.js")
def test_time_of_a_page_has_no_loading_of_packages(cache):
    write_packages(cache)
    busy = "const began = process.cpuUsage(); while (process.cpuUsage(began).user < 600_000);"
    (cache / "node_modules/jsdom/index.js").write_text(busy + JSDOM)
    assert JAVASCRIPT_TOOLS["readability-js"].timed_text("<p>x")[1] < 400


def test_missing_packages_name_the_command_that_installs_them(cache):
    assert not cache.exists()
    with pytest.raises(NodeError, match="tamis eval FOLDER --javascript-tools"):
        _ = JAVASCRIPT_TOOLS["defuddle"].version
    assert {"readability-js", "defuddle"} <= set(tool_names())


@pytest.mark.usefixtures("cache")
def test_missing_node_is_an_error_that_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NodeError, match="node is not installed; install Node"):
        install()


@pytest.mark.usefixtures("cache")
def test_missing_npm_is_an_error_that_says_what_to_install(monkeypatch, tmp_path):
    write_program(tmp_path / "node", "echo v20.1.0")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NodeError, match="npm is not installed"):
        install()


def write_program(path, script):
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@needs("shell scripts")
def test_npm_installs_once_and_a_failure_leaves_nothing_behind(cache, monkeypatch, tmp_path):
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    write_program(programs / "node", "echo v20.1.0")
    write_program(programs / "npm", "echo no such registry >&2; exit 1")
    with pytest.raises(NodeError, match="npm failed:\nno such registry"):
        install()
    assert list(cache.parent.iterdir()) == []
    install_all = (
        'echo "$@" > arguments && test -f package-lock.json || exit 1\n'
        "for name in @mozilla/readability defuddle jsdom linkedom; do\n"
        "mkdir -p node_modules/$name && echo {} > node_modules/$name/package.json; done"
    )
    write_program(programs / "npm", install_all)
    assert install() == cache
    assert (cache / "node_modules").is_dir()
    assert "ci --ignore-scripts" in (cache / "arguments").read_text()
    write_program(programs / "npm", "exit 1")
    assert install() == cache
    shutil.rmtree(cache / "node_modules/jsdom")  # as a program that tidies up a cache does
    with pytest.raises(NodeError, match="not installed; install the JavaScript tools with"):
        installed_folder()
    write_program(programs / "npm", install_all)
    assert install() == installed_folder() == cache


@needs("shell scripts")
@pytest.mark.parametrize(
    ("script", "message"),
    [("echo v14.2.0", "is Node.js v14.2.0; install Node.js 20 or later"), ("exit 1", "is Node.js without a version")],
)
@pytest.mark.usefixtures("installed")
def test_node_that_is_too_old_is_an_error_before_any_page(monkeypatch, tmp_path, script, message):
    programs = tmp_path / "bin"
    programs.mkdir()
    write_program(programs / "node", script)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(NodeError, match=message):
        open_javascript_tool("defuddle")
    with pytest.raises(NodeError, match=message):
        install()


def test_versions_are_exact_and_the_lock_names_no_host():
    manifest = json.loads((javascript._HERE / "package.json").read_text())
    lock = json.loads((javascript._HERE / "package-lock.json").read_text())
    assert all(version[0].isdigit() for version in manifest["dependencies"].values())
    pinned = [package for name, package in lock["packages"].items() if name]
    assert len(pinned) > 20
    assert all("integrity" in package and "resolved" not in package for package in pinned)


@needs("Node.js")
@needs("the JavaScript tools")
@pytest.mark.parametrize("name", JAVASCRIPT_TOOLS)
def test_real_tool_extracts_a_plain_article(name):
    sentence = "On day {} the ferry left the harbour at dawn, and nobody on the quay was there to see it go."
    paragraphs = "".join(f"<p>{' '.join(sentence.format(3 * n + k) for k in range(3))}</p>" for n in range(6))
    article = f"<article><h1>The ferry</h1>{paragraphs}<pre><code>sail()</code></pre></article>"
    page = f"<!doctype html><title>The ferry</title><nav><a href=/a>Home</a></nav>{article}<footer>Imprint</footer>"
    tool = open_tool(name)
    text = tool.text(page, "https://news.example/ferry")
    assert text.count("harbour") == 18
    assert "Imprint" not in text
    assert "```\nsail()\n```" in tool.markdown(page, "https://news.example/ferry")
