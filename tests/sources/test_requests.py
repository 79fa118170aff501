"""How pages are asked for: retries, proxies, headers, cookies and robots.txt, the same in every way in."""

import asyncio
import http.server
import json
import threading
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

import pytest

import tamis
from tamis.batch import BatchOptions, run
from tamis.compat.trafilatura import fetch_url
from tamis.errors import BlockedURLError, OptionError, RobotsError
from tamis.sources.fetch import Fetcher, FetchLimits, Requests
from tamis.sources.guard import NetworkScope, Policy
from tests.serve.loopback import Site
from tests.serve.loopback import run as run_coroutine

ANY = Policy(scope=NetworkScope.ANY, ports=None)
PAGE = b"<article><h1>Tea</h1><p>Boil the water, and wait. Then pour it over, and drink."


@pytest.fixture
def site():
    with Site() as site:
        site.pages["/"] = site.pages["/tea"] = PAGE
        yield site


def get(url, *, policy=ANY, limits=None, **requests):
    async def download():
        async with Fetcher(policy, limits or FetchLimits(timeout=600), requests=Requests(**requests)) as fetcher:
            return await fetcher.get(url)

    return run_coroutine(download())


def answers(site, *responses):
    """Let the server give these answers to `/busy`, one after another, and then the page."""
    left = list(responses)
    site.pages["/busy"] = lambda handler: left.pop(0)(handler) if left else handler.respond(PAGE)
    return site.url("/busy")


def busy(status, **headers):
    return lambda handler: handler.respond(b"busy", status, **headers)


def disconnect(handler):
    handler.close_connection = True
    handler.connection.close()


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504])
def test_a_busy_server_is_asked_again(site, status):
    url = answers(site, busy(status), busy(status))
    assert get(url, backoff=0.001).body == PAGE
    assert site.hits == ["/busy"] * 3


def test_a_connection_that_is_closed_is_opened_again(site):
    assert get(answers(site, disconnect), backoff=0.001).body == PAGE


def test_retries_end_and_can_be_turned_off(site):
    url = answers(site, *[busy(503)] * 9)
    with pytest.raises(tamis.FetchError, match="503") as caught:
        get(url, backoff=0.001, retries=3)
    assert caught.value.http_status == 503
    assert len(site.hits) == 4
    with pytest.raises(tamis.FetchError, match="503"):
        get(url, retries=0)
    assert len(site.hits) == 5


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 500, 501])
def test_other_errors_are_not_retried(site, status):
    with pytest.raises(tamis.FetchError, match=str(status)):
        get(answers(site, busy(status)), backoff=0.001)
    assert len(site.hits) == 1


def test_the_server_says_when_to_retry(site):
    # Without the header, the first retry would be after an hour, which is beyond the time limit.
    assert get(answers(site, busy(429, Retry_After="0")), backoff=3600).body == PAGE
    assert get(answers(site, busy(503, Retry_After="Fri, 31 Dec 1999 23:59:59 GMT")), backoff=3600).body == PAGE


def test_a_wait_beyond_the_time_limit_is_not_begun(site):
    with pytest.raises(tamis.FetchError, match=r"429 .*it asks to wait 86400 s"):
        get(answers(site, busy(429, Retry_After="86400")))
    assert len(site.hits) == 1


def test_headers_cookies_and_user_agent_go_to_the_origin_of_the_page_alone(site):
    with Site() as other:
        other.pages["/"] = PAGE
        site.pages["/away"] = lambda handler: handler.respond(b"", 302, Location=other.url())
        keywords = {"headers": {"Accept-Language": "fr"}, "cookies": {"a": "1", "b": "2"}, "user_agent": "Teapot/1"}
        page = tamis.fetch(site.url("/away"), allow_private=True, **keywords)
    own, theirs = site.headers[-1], other.headers[-1]
    assert (own["Accept-Language"], own["Cookie"], own["User-Agent"]) == ("fr", "a=1; b=2", "Teapot/1")
    assert (theirs.get("Accept-Language"), theirs.get("Cookie"), theirs["User-Agent"]) == (None, None, "Teapot/1")
    assert not page.storable


@pytest.mark.parametrize(
    "values", [{"headers": {"A": "b\r\nC: d"}}, {"cookies": {"a\n": "b"}}, {"user_agent": "a\0"}]
)
def test_line_breaks_in_headers_are_refused(values):
    with pytest.raises(OptionError, match="line break"):
        Requests(**values)


class Proxy(http.server.BaseHTTPRequestHandler):
    """A proxy for plain HTTP. It finds its pages itself, whatever their names are."""

    asked: list
    upstream: str

    def do_GET(self):
        self.asked.append(self.path)
        # Without a proxy of its own: a test names this one in the environment.
        with build_opener(ProxyHandler({})).open(self.upstream + urlsplit(self.path).path) as response:
            body = response.read()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def proxy(site):
    handler = type("Handler", (Proxy,), {"asked": [], "upstream": site.url("")})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    handler.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield handler
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.slow
def test_pages_come_through_a_proxy(proxy):
    assert tamis.fetch("http://tea.invalid/tea", proxy=proxy.url).body == PAGE
    assert proxy.asked == ["http://tea.invalid/tea"]


@pytest.mark.slow
@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://0x7f.1/", "http://[::1]/", "http://169.254.169.254/"])
def test_a_proxy_is_not_asked_for_addresses_that_are_closed(proxy, url):
    with pytest.raises(BlockedURLError):
        tamis.fetch(url, proxy=proxy.url)
    assert proxy.asked == []


def test_the_proxy_of_the_environment_is_used_only_if_asked_for(site, proxy, monkeypatch):
    monkeypatch.setenv("http_proxy", proxy.url)
    monkeypatch.setenv("no_proxy", "")
    assert tamis.fetch(site.url(), allow_private=True).body == PAGE
    assert proxy.asked == []
    assert tamis.fetch("http://tea.invalid/", proxy="env").body == PAGE
    assert len(proxy.asked) == 1
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert tamis.fetch(site.url(), allow_private=True, proxy="env").body == PAGE
    assert len(proxy.asked) == 1
    with pytest.raises(BlockedURLError):  # what goes around the proxy is guarded as always
        tamis.fetch("http://127.0.0.1/", proxy="env")


def test_a_proxy_that_is_no_url_is_told():
    with pytest.raises(OptionError, match="a proxy is a URL"):
        tamis.fetch("http://tea.invalid/", proxy="localhost:3128")


def test_robots_txt_is_heeded_if_asked_for(site):
    site.pages["/robots.txt"] = b"User-agent: *\nDisallow: /*.pdf$\nDisallow: /private\nAllow: /private/open\n"
    for path in ("/tea", "/private", "/private/open", "/a.pdf"):
        site.pages[path] = PAGE
    assert get(site.url("/private")).body == PAGE
    for path in ("/tea", "/private/open"):
        assert get(site.url(path), robots=True).body == PAGE
    for path in ("/private", "/a.pdf"):
        with pytest.raises(RobotsError, match=r"robots\.txt"):
            get(site.url(path), robots=True)
    site.pages["/away"] = lambda handler: handler.respond(b"", 302, Location="/private")
    with pytest.raises(RobotsError):
        get(site.url("/away"), robots=True)


def test_robots_txt_has_a_group_for_us(site):
    site.pages["/robots.txt"] = b"User-agent: Tamis\nDisallow: /\n\nUser-agent: Teapot\nDisallow:\n"
    with pytest.raises(RobotsError):
        get(site.url(), robots=True)
    assert get(site.url(), robots=True, user_agent="Teapot/2.0").body == PAGE


def test_without_a_robots_txt_all_is_allowed_and_with_a_broken_server_nothing(site):
    assert get(site.url(), robots=True).body == PAGE
    site.pages["/robots.txt"] = busy(500)
    with pytest.raises(RobotsError):
        get(site.url(), robots=True)


def test_robots_txt_is_asked_for_once(site):
    site.pages["/robots.txt"] = b"User-agent: *\nDisallow: /private\n"

    async def download():
        async with Fetcher(ANY, requests=Requests(robots=True)) as fetcher:
            return await asyncio.gather(*(fetcher.get(site.url("/tea")) for _ in range(5)))

    assert len(run_coroutine(download())) == 5
    assert site.hits.count("/robots.txt") == 1


@pytest.mark.slow
def test_afetch_and_afetch_many(site):
    async def urls():
        for path in ("/tea", "/missing", "/tea?2"):
            yield site.url(path)

    async def main():
        one = await tamis.afetch(site.url("/tea"), allow_private=True)
        many = {url: page async for url, page in tamis.afetch_many(urls(), allow_private=True, concurrency=2)}
        listed = [url async for url, _ in tamis.afetch_many([site.url("/tea")] * 20, allow_private=True)]
        return one, many, listed

    one, many, listed = run_coroutine(main())
    assert tamis.extract(one).title == "Tea"
    assert many[site.url("/tea")].body == many[site.url("/tea?2")].body == PAGE
    assert many[site.url("/missing")].http_status == 404
    assert len(listed) == 20


def test_downloads_end_with_their_loop(site):
    """Leaving the loop early closes the connections that are under way."""
    never = threading.Event()
    site.pages["/never"] = lambda handler: (never.wait(), handler.respond(PAGE))

    async def main():
        urls = [site.url("/tea"), site.url("/never"), site.url("/never")]
        pages = tamis.afetch_many(urls, allow_private=True)
        url, _ = await anext(pages)
        await pages.aclose()
        return url

    assert run_coroutine(main()) == site.url("/tea")
    never.set()


@pytest.mark.slow
def test_a_batch_downloads_some_pages_at_once_in_order_and_asks_as_it_is_told(site, tmp_path):
    together = threading.Barrier(4)  # breaks if fewer are under way at once
    for number in range(4):
        site.pages[f"/{number}"] = lambda handler: (together.wait(), handler.respond(PAGE))
    site.pages["/robots.txt"] = b"User-agent: *\nDisallow: /private\n"
    paths = ["/0", "/1", "/2", "/3", "/missing", "/private", "/tea"]
    (tmp_path / "urls.txt").write_text("".join(f"{site.url(path)}\n" for path in paths))
    options = BatchOptions(policy=ANY, requests=Requests(robots=True, cookies={"a": "1"}))
    run([str(tmp_path / "urls.txt")], tmp_path / "out.jsonl", options=options)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [urlsplit(row["id"]).path for row in rows] == paths
    assert [row["status"] for row in rows] == ["ok"] * 4 + ["http_error", "error", "ok"]
    assert "robots.txt" in rows[5]["error"]
    assert site.headers[-1]["Cookie"] == "a=1"


@pytest.mark.slow
def test_a_resumed_batch_downloads_only_what_is_missing(site, tmp_path):
    for number in range(8):
        site.pages[f"/{number}"] = PAGE
    (tmp_path / "urls.txt").write_text("".join(f"{site.url(f'/{number}')}\n" for number in range(8)))
    options = {"policy": ANY, "chunk_rows": 4}

    def stop(_summary):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run([str(tmp_path / "urls.txt")], tmp_path / "out.jsonl", options=BatchOptions(**options), progress=stop)
    site.hits.clear()
    run([str(tmp_path / "urls.txt")], tmp_path / "out.jsonl", options=BatchOptions(**options, resume=True))
    assert sorted(site.hits) == ["/4", "/5", "/6", "/7"]


def test_drop_ins_fetch_the_same_way(site):
    url = answers(site, busy(503, Retry_After="0"))
    assert "Boil the water" in fetch_url(url, allow_private=True)
    assert len(site.hits) == 2
