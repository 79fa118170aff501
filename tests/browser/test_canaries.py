"""No request of a rendered page reaches a server that is not allowed, whatever renders the page.

A page tries every way out at a canary: an HTTP server that counts connections, and a UDP socket. The page's own
server is at 127.0.0.1, which is allowed. The canary is at 127.0.0.2, on the same port, and is not. Chromium keeps a
log of its network (NetLog): it must have connected to the guard alone, sent no datagram and looked up no name. The
last test shows that the page reaches the canary by each of these ways where it is allowed to.
"""

import json
import os
import re
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import quote

import pytest

from tamis.browser import Browser, BrowserConfig
from tamis.browser.config import find_chromium
from tamis.errors import BlockedURLError, InvalidURLError
from tamis.page import parse_page
from tamis.sources.guard import NetworkScope, Policy
from tests.serve.loopback import Site, send

PAGE_ADDRESS, CANARY_ADDRESS = "127.0.0.1", "127.0.0.2"
#: Each way out has a path at the canary.
WAYS = (
    "image", "style", "script", "frame", "frame-redirect", "fetch", "redirect", "xhr", "beacon", "worker", "import",
    "shared-worker", "events", "popup", "form", "object", "video", "prefetch", "download",
)  # fmt: skip
WORDS = "A paragraph about tea, with words enough, commas too, and a point to make at its end. "


class Canary(Site):
    """A server that counts connections, not only requests, and a UDP socket on the same port."""

    def __enter__(self):
        super().__enter__()
        self.connections, self.datagrams = 0, []
        get_request = self._server.get_request

        def counted():
            self.connections += 1
            return get_request()

        self._server.get_request = counted
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind((self.address, self.port))
        self._receiver = threading.Thread(target=self._receive)
        self._receiver.start()
        return self

    def _receive(self):
        while (data := self._udp.recv(2000)) != b"end":
            self.datagrams.append(data)

    def __exit__(self, *error):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"end", (self.address, self.port))
        self._receiver.join()
        self._udp.close()
        super().__exit__(*error)


class World:
    """The page's server, the canary, a secret file, and a Chromium that logs its network."""

    def __init__(self, folder):
        self.folder, self.secret = folder, folder / "secret.txt"
        self.secret.write_text("The combination is 4711.")
        self.log_folder = folder / "logs"
        self.log_folder.mkdir()
        self.chromium = folder / "chromium"
        log = f'"--log-net-log={self.log_folder}/$$.json"'
        self.chromium.write_text(f'#!/bin/sh\nexec {find_chromium()} "$@" {log}\n')
        self.chromium.chmod(0o755)
        self.done = threading.Event()

    def __enter__(self):
        self.site = Site(PAGE_ADDRESS)
        self.site.__enter__()
        self.canary = Canary(CANARY_ADDRESS, self.site.port)
        self.canary.__enter__()
        for way in WAYS:
            self.canary.pages[f"/{way}"] = b"reached"
            self.site.pages[f"/to/{way}"] = self._redirect(way)
        attachment = "attachment; filename=x.bin"
        self.canary.pages["/download"] = lambda handler: handler.respond(b"x", Content_Disposition=attachment)
        self.site.pages |= {"/": self.page().encode(), "/ok": b"reached, as it may be", "/hold": self._hold}
        self.site.pages["/done"] = self._finish
        return self

    def __exit__(self, *error):
        self.done.set()
        self.canary.__exit__(*error)
        self.site.__exit__(*error)

    def _redirect(self, way):
        return lambda handler: handler.respond(b"", 302, Location=self.canary.url(f"/{way}"))

    def _hold(self, handler):
        """Answer when the page has tried everything: a browser that waits for its requests waits so long."""
        self.done.wait()
        handler.respond(b"")

    def _finish(self, handler):
        self.done.set()
        handler.respond(b"")

    def page(self, patience=2000):
        """Return a page that tries every way out. What is fetched without a frame of its own comes from a script.

        Some ways say nothing when they are closed: such an attempt counts as over after some milliseconds.
        """
        bad, good = (each.url("").rstrip("/") for each in (self.canary, self.site))
        port, secret = self.site.port, self.secret.as_uri()
        script = f"""
            const quiet = (work) => Promise.resolve().then(work).catch(() => 0);
            const get = (url) => fetch(url, {{mode: 'no-cors'}});
            const within = (start) => new Promise((done) => {{ setTimeout(done, {patience}); start(done); }});
            const blob = (code) => URL.createObjectURL(new Blob([code]));
            const body = document.body;
            get('{good}/hold').catch(() => 0);
            quiet(async () => {{
              await quiet(() => get('{good}/ok'));
              navigator.sendBeacon('{bad}/beacon', 'x');
              const form = body.appendChild(document.createElement('form'));
              Object.assign(form, {{action: '{bad}/form', target: 'f'}});
              form.submit();
              open('{bad}/popup');
              const link = body.appendChild(document.createElement('a'));
              Object.assign(link, {{href: '{bad}/download', target: 'd'}}).click();
              await Promise.all([
                quiet(() => get('{bad}/fetch')),
                quiet(() => get('{good}/to/redirect')),
                quiet(() => within((done) => {{
                  const x = new XMLHttpRequest();
                  x.onloadend = done; x.open('GET', '{bad}/xhr'); x.send(); }})),
                quiet(() => within((done) => {{
                  const s = new WebSocket('ws://{CANARY_ADDRESS}:{port}/ws'); s.onclose = s.onopen = done; }})),
                quiet(() => within((done) => {{
                  const s = new EventSource('{bad}/events'); s.onerror = () => {{ s.close(); done(); }}; }})),
                quiet(() => within((done) => {{
                  const code = `fetch('{bad}/worker', {{mode: 'no-cors'}}).catch(() => 0).then(() => {{
                    try {{ importScripts('{bad}/import'); }} catch (e) {{}} postMessage(1); }})`;
                  new Worker(blob(code)).onmessage = done; }})),
                quiet(() => within((done) => {{
                  const code = `onconnect = (e) => fetch('{bad}/shared-worker', {{mode: 'no-cors'}})
                    .catch(() => 0).then(() => e.ports[0].postMessage(1))`;
                  new SharedWorker(blob(code)).port.onmessage = done; }})),
                quiet(() => navigator.serviceWorker.register('/ok')),
                quiet(() => new WebTransport('https://{CANARY_ADDRESS}:{port}/').ready),
                quiet(() => get('{secret}').then((r) => r.text()).then((t) => body.append(t))),
                quiet(() => within(async (done) => {{
                  const urls = ['stun:{CANARY_ADDRESS}:{port}', 'turn:{CANARY_ADDRESS}:{port}?transport=tcp'];
                  const peer = new RTCPeerConnection(
                    {{iceServers: urls.map((url) => ({{urls: url, username: 'a', credential: 'b'}}))}});
                  peer.createDataChannel('x');
                  peer.onicecandidate = (e) => e.candidate || done();
                  await peer.setLocalDescription(await peer.createOffer()); }})),
              ]);
              await quiet(() => get('{good}/done'));
            }});
        """
        return (
            f"<!doctype html><title>Tea</title><link rel=stylesheet href={bad}/style>"
            f"<link rel=dns-prefetch href=//canary.test><link rel=preconnect href={bad}>"
            f"<link rel=prefetch href={bad}/prefetch><link rel=stylesheet href={secret}>"
            f"<body><p>{WORDS * 4}</p><img src={bad}/image><script src={bad}/script></script>"
            f"<iframe src={bad}/frame></iframe><iframe src={good}/to/frame-redirect></iframe>"
            f"<iframe src={secret}></iframe><object data={bad}/object></object><video src={bad}/video></video>"
            f"<iframe name=f></iframe><iframe name=d></iframe><script>{script}</script>"
        )

    def file(self):
        """Return the page as a file."""
        path = self.folder / "pages" / "page.html"
        path.parent.mkdir(exist_ok=True)
        path.write_text(self.page())
        path.with_suffix(".txt").write_text(WORDS * 4)  # a label, for the evaluation
        return path

    def tamis(self, *arguments):
        """Return what the command prints."""
        done = subprocess.run(
            [sys.executable, "-m", "tamis", *map(str, arguments)],
            capture_output=True,
            check=False,
            env=self.environment,
        )
        assert done.returncode == 0, done.stderr
        return (done.stdout + done.stderr).decode()

    @property
    def environment(self):
        return {**os.environ, "TAMIS_CHROMIUM": str(self.chromium)}

    @property
    def allowed(self):
        """The options that allow the page's own server."""
        return ("--allow-cidr", f"{PAGE_ADDRESS}/32", "--allow-port", self.site.port)

    @property
    def policy(self):
        return Policy(networks=(ip_network(f"{PAGE_ADDRESS}/32"),), ports=frozenset({self.site.port}))

    def logged(self, event, key):
        """Return the values of a network event of all Chromium processes; a process that was ended has half a log."""
        found = []
        for path in self.log_folder.glob("*.json"):
            text = path.read_text("utf-8", "replace")
            number = json.loads(re.search(r'"logEventTypes":(\{[^}]*\})', text)[1])[event]
            for line in text.splitlines():
                value = re.search(rf'"{key}":("?[^",}}]*)', line)
                if f'"type":{number}}}' in line.replace(" ", "") and value:
                    found.append(value[1].strip('"'))
        return found

    def check(self, printed="", *, network=True):
        """Check that nothing got out."""
        assert self.canary.hits == []
        assert self.canary.connections == 0
        assert self.canary.datagrams == []
        assert "4711" not in printed
        assert list(self.log_folder.glob("*.json")), "Chromium ran and kept its log"
        guards = {each for each in self.logged("TCP_CONNECT_ATTEMPT", "address") if each}
        assert all(guard.startswith(f"{PAGE_ADDRESS}:") for guard in guards)
        assert f"{PAGE_ADDRESS}:{self.site.port}" not in guards  # its own server, by way of the guard alone
        assert self.logged("UDP_BYTES_SENT", "byte_count") == []
        hosts = set(self.logged("HOST_RESOLVER_MANAGER_REQUEST", "host"))
        assert all("~notfound" in host or PAGE_ADDRESS in host for host in hosts), hosts
        assert ("/ok" in self.site.hits) == network


@pytest.fixture
def world(chromium, tmp_path):  # noqa: ARG001 (skips)
    with World(tmp_path) as world:
        yield world


def test_extract_of_a_url(world):
    printed = world.tamis(world.site.url("/"), "--render", "-e", "body", *world.allowed)
    assert "about tea" in printed
    world.check(printed)


def test_extract_of_a_file_with_network(world):
    printed = world.tamis(world.file(), "--render", "--allow-network", "-e", "body", *world.allowed)
    assert "about tea" in printed
    world.check(printed)


def test_extract_of_a_file_without_network(world):
    world.check(world.tamis(world.file(), "--render", "-e", "body"), network=False)


def test_render(world):
    layouts = world.folder / "layouts"
    world.tamis("render", world.file(), "-o", layouts, "--scripts", "--allow-network", *world.allowed)
    (document,) = layouts.glob("*.html")
    world.check(re.sub("<script.*?</script>", "", document.read_text(), flags=re.DOTALL))


def test_batch(world):
    output = world.folder / "rows.jsonl"
    world.tamis("batch", world.file(), "-o", output, "--render", "--allow-network", "-e", "body", *world.allowed)
    assert json.loads(output.read_text())["rendered"] == "rendered"
    world.check(output.read_text())


@pytest.mark.parametrize("saved", [False, True])
def test_eval_with_layouts(world, saved):
    folder = world.file().parent
    layouts = world.folder / "layouts"
    if saved:
        world.tamis("render", folder, "--corpus", "-o", layouts)
    printed = world.tamis("eval", folder, "-e", "cehtd", "-m", "lcs", *(("--layout", layouts) if saved else ()))
    world.check(printed, network=False)


@contextmanager
def served(world, *options):
    """Run ``tamis serve`` and yield its URL."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tamis", "serve", "--port", "0", "--workers", "1", *map(str, options)],
        stdout=subprocess.PIPE,
        env=world.environment,
    )
    try:
        yield re.search(rb"http://\S+", process.stdout.readline())[0].decode().rstrip("/")
    finally:
        process.terminate()
        process.communicate()


def test_serve(world):
    with served(world, "--render", "always", "--render-timeout", "120", *world.allowed) as base:
        response = send(f"{base}/v1/extract?url={quote(world.site.url('/'))}&format=text&extractor=body")
        assert response.headers["tamis-rendered"] == "true"
        refused = send(f"{base}/v1/extract?url={quote(world.canary.url('/'))}&format=text")
        assert refused.status == 403
    assert "about tea" in response.text
    world.check(response.text)


@pytest.mark.parametrize("is_file", [False, True])
def test_browser_from_python(world, is_file):
    config = BrowserConfig(scripts=True, network=True, policy=world.policy, executable=str(world.chromium))
    with Browser(config) as browser:
        page = browser.render(parse_page(world.page())) if is_file else browser.open(world.site.url("/"))[0]
        with pytest.raises(BlockedURLError):
            browser.open(world.canary.url("/fetch"))
        with pytest.raises(BlockedURLError):  # an encrypted page, of which Chromium does not say why it failed
            browser.open(world.canary.url("/fetch").replace("http:", "https:"))
        for url in (world.secret.as_uri(), "chrome://version", "data:text/html,x", "view-source:http://127.0.0.1/"):
            with pytest.raises(InvalidURLError):
                browser.open(url)
    world.check(page.text)


@pytest.mark.parametrize("private", [False, True])
def test_metadata_services_are_closed_even_if_private_networks_are_open(chromium, private):  # noqa: ARG001
    scope = NetworkScope.PRIVATE if private else NetworkScope.PUBLIC
    policy = Policy(scope, (ip_network("169.254.0.0/16"),), frozenset({80}))
    with Browser(BrowserConfig(network=True, policy=policy)) as browser, pytest.raises(BlockedURLError):
        browser.open("http://169.254.169.254/latest/meta-data/")


def test_the_page_reaches_the_canary_by_every_way_where_that_is_allowed(world):
    """The ways out are real: with the canary's address allowed, all of them but WebRTC and files reach it."""
    policy = Policy(networks=(ip_network("127.0.0.0/8"),), ports=frozenset({world.site.port}))
    world.site.pages["/"] = world.page(patience=100_000).encode()  # each has its time on a busy machine
    config = BrowserConfig(scripts=True, network=True, policy=policy, timeout=480, settle=120)
    with Browser(config) as browser:
        page, _ = browser.open(world.site.url("/"))
    assert "4711" not in page.text
    assert sorted({hit.strip("/").rstrip("?") for hit in world.canary.hits} & set(WAYS)) == sorted(WAYS)
    assert "/ws" in world.canary.hits
    assert world.canary.datagrams == []
    assert Path(world.secret).exists()
