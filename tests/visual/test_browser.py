"""The browser as a servant: blocked, bounded, shared, revived, and gone when the work is done."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from tamis.errors import BrowserError, MissingExtraError, OptionError, RenderError
from tamis.evaluate.tools import open_tool
from tamis.page import parse_page
from tamis.visual import PHONE, Settings
from tamis.visual.browser import Browser, close_shared, shared_browser
from tamis.visual.chromium import flags, sandboxed
from tamis.visual.config import MOST_ROWS, read_size

ASKING = """
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
def test_nothing_reaches_the_network_unless_it_is_allowed(chromium, listen, scripts):  # noqa: ARG001
    server = listen({})
    with Browser(Settings(scripts=scripts, timeout=10)) as browser:
        page = browser.draw(parse_page(ASKING.format(server.url)))
    assert "text" in page.text
    assert server.connections == 0


def test_with_the_network_a_page_gets_what_it_asks_for(chromium, listen):  # noqa: ARG001
    server = listen({"/style.css": ("text/css", b"p { width: 123px; margin: 0 }")})
    markup = parse_page(f'<link rel=stylesheet href="{server.url}/style.css"><p>text')
    with Browser(Settings(network=True)) as browser:
        page = browser.draw(markup, f"{server.url}/page")
    row = page.rows_of("p")[0]
    assert page.layout.right[row] - page.layout.left[row] == 123
    assert "/style.css" in server.asked


def test_an_address_needs_the_network_and_says_so(browser):
    with pytest.raises(OptionError, match="network=True"):
        browser.open("http://127.0.0.1:9/")


def test_an_address_is_loaded_with_what_its_scripts_build(chromium, listen):  # noqa: ARG001
    built = b"<p>old</p><script src=/build.js></script>"
    server = listen(
        {
            "/page": ("text/html", built),
            "/build.js": ("text/javascript", b"document.body.innerHTML = '<h1>Built</h1>'"),
        }
    )
    with Browser(Settings(network=True, scripts=True)) as browser:
        page, url = browser.open(f"{server.url}/page")
        assert page.text.strip() == "Built"
        assert url == f"{server.url}/page"
        with pytest.raises(RenderError, match="404"):
            browser.open(f"{server.url}/missing")
        server.close()
        with pytest.raises(RenderError, match="ERR_CONNECTION_REFUSED"):
            browser.open(f"{server.url}/page")


def test_scripts_run_only_where_they_are_wanted(browser, scripted):
    markup = "<p>old</p><script>document.querySelector('p').textContent = 'new'</script>"
    assert "old" in browser.draw(parse_page(markup)).text
    assert "new" in scripted.draw(parse_page(markup)).text


def test_the_viewport_can_be_changed_and_a_phone_is_narrow(chromium):  # noqa: ARG001
    markup = parse_page("<meta name=viewport content='width=device-width'><body style='margin: 0'><p>text")
    for settings, width in ((Settings(width=800, height=600), 800), (PHONE, 390)):
        with Browser(settings) as browser:
            page = browser.draw(markup)
        assert page.layout.right[page.rows_of("p")[0]] == width
        assert page.layout.viewport == (settings.width, settings.height)


def test_a_viewport_is_read_or_explained():
    assert read_size("390x844") == (390, 844)
    with pytest.raises(OptionError, match="1280x1024"):
        read_size("large")


def test_pages_come_in_their_order_several_at_a_time_from_one_browser(chromium):  # noqa: ARG001
    pages = [parse_page(f"<p>page {number} " + "word " * (number % 5) * 300) for number in range(12)]
    with Browser(Settings(pages=3)) as browser:
        found = list(browser.draw_all(pages))
        tabs = len(browser._engine._free)
        process = browser._engine._process
        browser.draw(pages[0])
        assert browser._engine._process is process
    assert [page.text for page in found] == [page.text for page in pages]
    assert all(page.layout.unmatched == 0 for page in found)
    assert 1 < tabs <= 3


def test_a_page_that_fails_does_not_stop_the_others(chromium):  # noqa: ARG001
    pages = [
        parse_page(markup)
        for markup in ("<p>one", "<p>two<script>while (true);</script>", "<p>three", "<i>" * (MOST_ROWS + 1))
    ]
    with Browser(Settings(scripts=True, timeout=4)) as browser:
        one, two, three, four = browser.draw_all(pages)
    assert (one.text, three.text) == ("one", "three")
    assert isinstance(two, RenderError)
    assert "within 4 s" in str(two)
    assert isinstance(four, RenderError)
    assert "rows" in str(four)


def children(pid=None):
    """Return the processes below one, by what /proc says."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:
            continue
        state, parent = text.rpartition(")")[2].split()[:2]
        if state != "Z":
            parents[int(path.parent.name)] = (int(parent), text[text.index("(") + 1 : text.rindex(")")])
    below, grown = {pid or os.getpid()}, True
    while grown:
        more = {each for each, (parent, _) in parents.items() if parent in below} - below
        below |= more
        grown = bool(more)
    return {each: parents[each][1] for each in below if each in parents}


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")


@needs_proc
@pytest.mark.parametrize("victim", ["chromium", "node"])
def test_a_browser_that_is_killed_is_started_again(chromium, victim):  # noqa: ARG001
    before = set(children())
    with Browser() as browser:
        assert browser.draw(parse_page("<p>one")).text == "one"
        killed = [pid for pid, name in children().items() if pid not in before and victim in name]
        if not killed:
            pytest.skip(f"no process is called {victim} here")
        for pid in killed:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:  # went with the one before it
                continue
        assert browser.draw(parse_page("<p>two")).text == "two"


def test_a_page_that_crashes_its_tab_is_an_error_and_the_next_one_is_drawn(chromium):  # noqa: ARG001
    with Browser(Settings(network=True, timeout=10)) as browser:
        with pytest.raises(RenderError):
            browser.open("chrome://crash")
        assert browser.draw(parse_page("<p>after")).text == "after"


def left_behind(mark):
    """Return the processes that inherited a mark in their environment."""
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


DRAW = """
import sys
from tamis.evaluate.tools import open_tool
print(len(open_tool("cehtd").text("<p>" + "Tea, and water just off the boil. " * 9)) > 99, flush=True)
if sys.argv[1] == "killed":
    sys.stdin.read()
"""


@needs_proc
@pytest.mark.parametrize("way", ["ends", "killed"])
def test_nothing_is_left_running_when_the_program_is_over(chromium, way):  # noqa: ARG001
    mark = f"mark-{uuid.uuid4()}"
    process = subprocess.Popen(
        [sys.executable, "-c", DRAW, way],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TAMIS_TEST": mark},
    )
    assert process.stdout.readline() == b"True\n"
    if way == "killed":
        assert len(left_behind(mark)) > 1
        process.kill()
    process.communicate()
    for _ in range(300):  # what is killed takes a moment to go
        if not left_behind(mark):
            return
        time.sleep(0.1)
    pytest.fail(f"still running: {left_behind(mark)}")


def test_a_closed_browser_starts_again_when_it_is_wanted(chromium):  # noqa: ARG001
    browser = Browser()
    browser.close()  # nothing was started, nothing is to be ended
    assert browser.draw(parse_page("<p>one")).text == "one"
    browser.close()
    assert browser.draw(parse_page("<p>two")).text == "two"
    browser.close()


def test_it_serves_threads_and_programs_with_an_event_loop(browser):
    found = []
    threads = [
        threading.Thread(target=lambda k=k: found.append(browser.draw(parse_page(f"<p>{k}")).text)) for k in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    async def within():
        return browser.draw(parse_page("<p>loop")).text

    assert sorted(found) == ["0", "1", "2"]
    assert asyncio.run(within()) == "loop"


def test_a_process_shares_one_browser_for_pages_drawn_the_same_way(chromium):  # noqa: ARG001
    assert shared_browser() is shared_browser(Settings())
    assert shared_browser(PHONE) is not shared_browser()
    close_shared()
    assert shared_browser().draw(parse_page("<p>x")).text == "x"


def test_a_browser_that_is_not_there_is_named_with_the_way_to_get_it(monkeypatch):
    with pytest.raises(BrowserError, match=r"/no/such/browser .*apt-get install chromium"):
        Browser(Settings(executable="/no/such/browser")).draw(parse_page("<p>x"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("TAMIS_CHROMIUM", raising=False)
    with pytest.raises(BrowserError, match=r"on the PATH; .*apt-get install chromium.* TAMIS_CHROMIUM"):
        Browser().draw(parse_page("<p>x"))


def test_a_program_that_is_no_browser_is_an_error(tmp_path):
    pytest.importorskip("playwright")
    fake = tmp_path / "chromium"
    fake.write_text("#!/bin/sh\nexit 3\n")
    fake.chmod(0o755)
    with Browser(Settings(executable=str(fake))) as browser, pytest.raises(BrowserError, match="does not start"):
        browser.draw(parse_page("<p>x"))


@pytest.mark.parametrize("name", ["cehtd", "cetd-auto", "vips-leaf"])
def test_without_the_extra_an_extractor_says_what_to_install(monkeypatch, name):
    close_shared()
    for module in [each for each in sys.modules if each.partition(".")[0] == "playwright"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "playwright", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'tamis\[visual\]'"):
        open_tool(name).text("<p>x")


def test_the_sandbox_is_off_for_root_alone(monkeypatch):
    assert not any("sandbox" in flag for flag in flags(network=True) + flags(network=False))
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert not sandboxed()
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert sandboxed()


def test_settings_are_a_value():
    assert replace(Settings(), width=800) == Settings(width=800)
    assert (Settings().width, Settings().height, Settings().scripts, Settings().network) == (1280, 1024, False, False)
