"""Pages that need scripts are rendered by Chromium, whose own requests reach no network that is not allowed."""

import json
import re
from ipaddress import ip_network
from urllib.parse import quote

import pytest

from tamis.serve.rendering import Renderer
from tamis.serve.settings import Settings
from tamis.sources.fetch import Limits
from tamis.sources.ssrf import Policy
from tests.serve.loopback import Site, loopback_settings, run, send, serving

pytestmark = pytest.mark.slow  # a browser

WORDS = "A paragraph about tea, with words enough, commas too, and a point to make at its end. "
APP = (
    "<!doctype html><title>Tea</title><div id=app></div><script>"
    f"document.querySelector('#app').innerHTML = '<article><h1>Tea</h1>' + '<p>{WORDS}</p>'.repeat(9) + '</article>'"
    "</script>"
)


def test_a_page_made_by_scripts_is_rendered_when_it_needs_to_be(chromium):
    assert chromium
    with Site() as site, serving(loopback_settings(site.port, render=True, render_timeout=120)) as base:
        site.pages["/app"] = APP.encode()
        site.pages["/plain"] = f"<title>Tea</title><article><h1>Tea</h1><p>{WORDS * 9}</article>".encode()
        url = f"{base}/v1/extract?url={quote(site.url('/app'))}&format=text"
        auto = send(url)
        assert WORDS.strip() in auto.text
        assert auto.headers["tamis-rendered"] == "true"
        assert WORDS.strip() not in send(f"{url}&render=never").text
        assert WORDS.strip() in send(f"{url}&render=always").text
        assert "tamis-rendered" not in send(f"{base}/v1/extract?url={quote(site.url('/plain'))}").headers
        assert WORDS.strip() in send(f"{base}/read?url={quote(site.url('/app'))}").text
        assert send(f"{base}/v1/extract?url={quote(site.url('/missing'))}&render=always").status == 502
        assert send(f"{base}/v1/extract?url=http://10.0.0.1:{site.port}/&render=always").status == 403
        assert send(f"{base}/v1/extract?url=http://10.0.0.1:{site.port}/").status == 403


def test_without_the_option_pages_are_not_rendered(service, site):
    site.pages["/app"] = APP.encode()
    url = f"{service}/v1/extract?url={quote(site.url('/app'))}&format=text"
    assert "without --render" in send(f"{url}&render=always").text
    assert send(f"{url}&render=auto").status == 200


def test_no_request_of_a_rendered_page_reaches_the_canary(chromium):
    """The page is on an allowed address, the canary on another one that is not."""
    assert chromium
    with Site("127.0.0.1") as site, Site("127.0.0.2", site.port) as canary:
        policy = Policy(networks=(ip_network("127.0.0.1/32"),), ports=frozenset({site.port}))
        settings = Settings(policy=policy, limits=Limits(timeout=30), render_timeout=120)
        for path in ("/i.png", "/s.js", "/f", "/x", "/r", "/frame", "/beacon", "/ws", "/style.css", "/worker.js"):
            canary.pages[path] = b"reached"
            canary.pages[f"{path}2"] = b"reached"
        site.pages["/hop"] = lambda handler: handler.respond(b"", 302, Location=canary.url("/r"))
        site.pages["/ok"] = b"reached, as it may be"
        bad, port = canary.url("").rstrip("/"), site.port
        script = f"""
            const tried = [];
            const attempt = (name, work) => Promise.resolve().then(work).then(
                () => tried.push(name + ' done'), () => tried.push(name + ' failed'));
            Promise.all([
              attempt('fetch', () => fetch('{bad}/f', {{mode: 'no-cors'}})),
              attempt('redirect', () => fetch('/hop', {{mode: 'no-cors'}})),
              attempt('xhr', () => new Promise((yes, no) => {{
                const x = new XMLHttpRequest(); x.onload = yes; x.onerror = no;
                x.open('GET', '{bad}/x'); x.send(); }})),
              attempt('socket', () => new Promise((yes, no) => {{
                const s = new WebSocket('ws://127.0.0.2:{port}/ws'); s.onopen = yes; s.onerror = no; }})),
              attempt('name', () => fetch('http://localhost:{port}/f2', {{mode: 'no-cors'}})),
              attempt('own', () => fetch('/ok')),
            ]).then(() => {{ document.body.dataset.tried = tried.sort().join(', '); }});
            navigator.sendBeacon('{bad}/beacon', 'x');
            new Worker(URL.createObjectURL(new Blob([`fetch('{bad}/worker.js', {{mode: 'no-cors'}})`])));
            new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.2:{port}'}}]}}).createDataChannel('x');
        """
        site.pages["/"] = (
            f"<!doctype html><title>Tea</title><link rel=stylesheet href={bad}/style.css>"
            f"<link rel=preconnect href={bad}><body><img src={bad}/i.png><script src={bad}/s.js></script>"
            f"<iframe src={bad}/frame></iframe>"
            f"<iframe src=/hop></iframe><p>{WORDS}</p><script>{script}</script>"
        ).encode()

        async def render():
            renderer = Renderer(settings, skip_media=False)
            await renderer.start()
            try:
                return (await renderer.render(site.url("/"))).body.decode(), renderer.proxy.blocked
            finally:
                await renderer.close()

        html, blocked = run(render())
        assert canary.hits == []
        assert blocked >= 6
        tried = re.search(r'data-tried="([^"]*)"', html)[1]
        assert [each.split()[0] for each in tried.split(", ")] == [
            "fetch",
            "name",
            "own",
            "redirect",
            "socket",
            "xhr",
        ]
        assert "own done" in tried
        assert "socket failed" in tried
        assert "/ok" in site.hits
        # The canary can be reached where that is allowed, so the attempts show something.
        assert send(canary.url("/f")).text == "reached"
        assert json.dumps(canary.hits) == '["/f"]'
