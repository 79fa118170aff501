"""`Browser`: network blocked, time bounded, shared, restarted after crashes, no process left behind."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import uuid
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from tamis.browser import PHONE, Browser, BrowserConfig, shared_browser
from tamis.browser.browser import close_shared_browsers
from tamis.browser.config import MAX_ROWS, can_sandbox, launch_flags, parse_viewport
from tamis.errors import BrowserError, MissingExtraError, OptionError, RenderError
from tamis.lab.evaluate.tools import open_tool
from tamis.page import parse_page
from tamis.sources.guard import NetworkScope, Policy
from tests.needs import needs
from tests.waiting import wait_until

LOOPBACK = Policy(NetworkScope.PRIVATE, ports=None)
REQUESTING_PAGE = """
<link rel=stylesheet href="{0}/style.css"><link rel=preconnect href="{0}"><link rel=dns-prefetch href="{0}">
<link rel=prefetch href="{0}/prefetch"><link rel=icon href="{0}/icon"><style>@import "{0}/import.css";
p {{ background: url({0}/background) }}
@font-face {{ font-family: f; src: url({0}/font) }} p {{ font-family: f }}</style>
<p id=p>text</p><img src="{0}/image"><img srcset="{0}/set 2x"><iframe src="{0}/frame"></iframe>
<object data="{0}/object"></object><video src="{0}/video" poster="{0}/poster"></video>
<script src="{0}/script"></script>
<meta http-equiv=refresh content="0;url={0}/refresh">
<script>
fetch("{0}/fetch").catch(() => 0); new WebSocket("{0}/socket".replace("http", "ws"));
navigator.sendBeacon("{0}/beacon"); new EventSource("{0}/events"); location = "{0}/away";
new RTCPeerConnection({{iceServers: [{{urls: "stun:127.0.0.1:3478"}}]}}).createDataChannel("x");
</script>
"""


@pytest.mark.parametrize("scripts", [False, True])
def test_no_connection_is_made_without_network(chromium, start_server, scripts):  # noqa: ARG001
    server = start_server({})
    # A script that leaves the page stops its loading. To wait for the end of that takes longer than a test may take.
    with Browser(BrowserConfig(scripts=scripts, timeout=7200)) as browser:
        page = browser.render(parse_page(REQUESTING_PAGE.format(server.url)))
    assert "text" in page.text
    assert server.connections == 0


def test_page_loads_its_resources_with_network(chromium, start_server):  # noqa: ARG001
    server = start_server({"/style.css": ("text/css", b"p { width: 123px; margin: 0 }")})
    markup = parse_page(f'<link rel=stylesheet href="{server.url}/style.css"><p>text')
    with Browser(BrowserConfig(network=True, policy=LOOPBACK)) as browser:
        page = browser.render(markup, f"{server.url}/page")
    row = page.rows_of("p")[0]
    assert page.layout.right[row] - page.layout.left[row] == 123
    assert "/style.css" in server.requested_paths


def test_open_without_network_is_an_option_error(browser):
    with pytest.raises(OptionError, match="network=True"):
        browser.open("http://127.0.0.1:9/")


def test_open_returns_the_page_that_scripts_built(chromium, start_server):  # noqa: ARG001
    built = b"<p>old</p><script src=/build.js></script>"
    server = start_server(
        {
            "/page": ("text/html", built),
            "/build.js": ("text/javascript", b"document.body.innerHTML = '<h1>Built</h1>'"),
        }
    )
    with Browser(BrowserConfig(network=True, scripts=True, policy=LOOPBACK)) as browser:
        page, url = browser.open(f"{server.url}/page")
        assert page.text.strip() == "Built"
        assert url == f"{server.url}/page"
        with pytest.raises(RenderError, match="404"):
            browser.open(f"{server.url}/missing")
        server.close()
        with pytest.raises(RenderError, match="cannot connect"):
            browser.open(f"{server.url}/page")


def test_scripts_run_only_if_configured(browser, script_browser):
    markup = "<p>old</p><script>document.querySelector('p').textContent = 'new'</script>"
    assert "old" in browser.render(parse_page(markup)).text
    assert "new" in script_browser.render(parse_page(markup)).text


def test_viewport_follows_the_configuration(chromium):  # noqa: ARG001
    markup = parse_page("<meta name=viewport content='width=device-width'><body style='margin: 0'><p>text")
    for config, width in ((BrowserConfig(width=800, height=600), 800), (PHONE, 390)):
        with Browser(config) as browser:
            page = browser.render(markup)
        assert page.layout.right[page.rows_of("p")[0]] == width
        assert page.layout.viewport == (config.width, config.height)


def test_parse_viewport():
    assert parse_viewport("390x844") == (390, 844)
    with pytest.raises(OptionError, match="invalid viewport 'large'; write it as 1280x1024"):
        parse_viewport("large")


def test_render_all_keeps_the_order_and_uses_several_tabs_of_one_process(chromium):  # noqa: ARG001
    pages = [parse_page(f"<p>page {number} " + "word " * (number % 5) * 300) for number in range(12)]
    with Browser(BrowserConfig(concurrency=3)) as browser:
        rendered = list(browser.render_all(pages))
        tabs = len(browser._engine._idle_tabs)
        process = browser._engine._process
        browser.render(pages[0])
        assert browser._engine._process is process
    assert [page.text for page in rendered] == [page.text for page in pages]
    assert all(page.layout.unmatched == 0 for page in rendered)
    assert 1 < tabs <= 3


def test_render_all_yields_an_error_for_a_page_that_fails_and_continues(chromium):  # noqa: ARG001
    pages = [
        parse_page(markup)
        for markup in ("<p>one", "<p>two<script>while (true);</script>", "<p>three", "<i>" * (MAX_ROWS + 1))
    ]
    with Browser(BrowserConfig(scripts=True, timeout=20)) as browser:
        first, endless, third, too_large = browser.render_all(pages)
    assert (first.text, third.text) == ("one", "three")
    assert isinstance(endless, RenderError)
    assert "within 20 s" in str(endless)
    assert isinstance(too_large, RenderError)
    assert f"the page has {len(pages[3])} rows" in str(too_large)


def descendants():
    """Return the programs of this process and all its descendants by process id, as /proc lists them."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
            program = path.with_name("exe").readlink().name
        except OSError:
            continue
        state, parent = text.rpartition(")")[2].split()[:2]
        if state != "Z":
            parents[int(path.parent.name)] = (int(parent), program)
    pids, added = {os.getpid()}, True
    while added:
        children = {pid for pid, (parent, _) in parents.items() if parent in pids} - pids
        pids |= children
        added = bool(children)
    return {pid: parents[pid][1] for pid in pids if pid in parents}


@needs("Linux")
@pytest.mark.parametrize("victim", ["chrom", "node"])
def test_killed_browser_is_restarted(chromium, victim):  # noqa: ARG001
    before = set(descendants())
    with Browser() as browser:
        assert browser.render(parse_page("<p>one")).text == "one"
        killed = [pid for pid, name in descendants().items() if pid not in before and victim in name]
        assert killed
        for pid in killed:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:  # ended with its parent
                continue
        assert browser.render(parse_page("<p>two")).text == "two"


@needs("Linux")
def test_crashed_tab_is_a_render_error_and_the_next_page_is_rendered(chromium):  # noqa: ARG001
    before = set(descendants())
    with Browser(BrowserConfig(scripts=True)) as browser:
        browser.render(parse_page("<p>before"))
        job = browser._job(parse_page("<p>stuck<script>while (true);</script>"), None)
        future = browser._submit(job)
        while not future.done():  # both tries of the page: its tab is killed whenever it is there
            for pid in set(descendants()) - before:
                with suppress(OSError):
                    if b"--type=renderer" in Path(f"/proc/{pid}/cmdline").read_bytes():
                        os.kill(pid, signal.SIGKILL)
        with pytest.raises(RenderError):
            future.result()
        assert browser.render(parse_page("<p>after")).text == "after"


def processes_with(marker):
    """Return the ids of processes that have a marker in their environment."""
    pids = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if marker.encode() in path.read_bytes():
                pids.append(int(path.parent.name))
        except OSError:
            continue
    return pids


RENDER = """
import sys
from tamis.lab.evaluate.tools import open_tool
print(len(open_tool("cehtd").text("<p>" + "Tea, and water just off the boil. " * 9)) > 99, flush=True)
if sys.argv[1] == "killed":
    sys.stdin.read()
"""


@needs("Linux")
@pytest.mark.parametrize("ending", ["exits", "killed"])
def test_no_process_is_left_running_after_the_program(chromium, ending):  # noqa: ARG001
    marker = f"marker-{uuid.uuid4()}"
    process = subprocess.Popen(
        [sys.executable, "-c", RENDER, ending],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TAMIS_TEST": marker},
    )
    assert process.stdout.readline() == b"True\n"
    if ending == "killed":
        assert len(processes_with(marker)) > 1
        process.kill()
    process.communicate()
    wait_until(lambda: not processes_with(marker))


def test_closed_browser_can_be_used_again(chromium):  # noqa: ARG001
    browser = Browser()
    browser.close()  # before anything was started
    assert browser.render(parse_page("<p>one")).text == "one"
    browser.close()
    assert browser.render(parse_page("<p>two")).text == "two"
    browser.close()


def test_browser_can_be_used_from_threads_and_event_loops(browser):
    texts = []
    threads = [
        threading.Thread(target=lambda k=k: texts.append(browser.render(parse_page(f"<p>{k}")).text))
        for k in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    async def render_in_event_loop():
        return browser.render(parse_page("<p>loop")).text

    assert sorted(texts) == ["0", "1", "2"]
    assert asyncio.run(render_in_event_loop()) == "loop"


def test_shared_browser_is_one_per_configuration(chromium):  # noqa: ARG001
    assert shared_browser() is shared_browser(BrowserConfig())
    assert shared_browser(PHONE) is not shared_browser()
    close_shared_browsers()
    assert shared_browser().render(parse_page("<p>x")).text == "x"


@pytest.mark.slow
def test_missing_browser_error_says_how_to_install_one(monkeypatch):
    with pytest.raises(BrowserError, match=r"/no/such/browser .*apt-get install chromium"):
        Browser(BrowserConfig(executable="/no/such/browser")).render(parse_page("<p>x"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("TAMIS_CHROMIUM", raising=False)
    with pytest.raises(BrowserError, match=r"on the PATH; .*apt-get install chromium.* TAMIS_CHROMIUM"):
        Browser().render(parse_page("<p>x"))


@pytest.mark.slow
def test_program_that_is_not_a_browser_is_a_browser_error(tmp_path):
    pytest.importorskip("playwright")
    fake = tmp_path / "chromium"
    fake.write_text("#!/bin/sh\nexit 3\n")
    fake.chmod(0o755)
    with Browser(BrowserConfig(executable=str(fake))) as browser, pytest.raises(BrowserError, match="does not start"):
        browser.render(parse_page("<p>x"))


@pytest.mark.parametrize("extractor", ["cehtd", "vips-leaf"])
def test_missing_extra_error_says_what_to_install(monkeypatch, extractor):
    close_shared_browsers()
    for module in [name for name in sys.modules if name.partition(".")[0] == "playwright"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "playwright", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tamis\[browser\]'"):
        open_tool(extractor).text("<p>x")


def test_sandbox_is_off_only_for_root(monkeypatch):
    assert not any("sandbox" in flag for flag in launch_flags())
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert not can_sandbox()
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert can_sandbox()


def test_browser_config_defaults_and_equality():
    config = BrowserConfig()
    assert (config.width, config.height, config.scripts, config.network) == (1280, 1024, False, False)
    assert replace(config, width=800) == BrowserConfig(width=800) != config
