"""Downloads are bounded in bytes, time, redirects and connections, whatever a server does."""

import asyncio
import gzip
import threading
import tracemalloc
import zlib

import pytest

from tamis.errors import FetchError, FetchTimeoutError
from tamis.sources.content_encodings import Decoder
from tamis.sources.fetch import Fetcher, FetchLimits
from tamis.sources.guard import Policy
from tests.serve.loopback import LOOPBACK, Site, run

BOMB = gzip.compress(gzip.compress(bytes(50_000_000), 9), 9)  # compressed twice: a few hundred bytes
INNER = gzip.decompress(BOMB)  # 50 MB in 50 kB


@pytest.fixture
def server():
    with Site() as server:
        yield server


def fetch(url, limits=None):
    async def download():
        policy = Policy(networks=LOOPBACK, ports=None)
        async with Fetcher(policy, limits or FetchLimits(timeout=120)) as fetcher:
            return await fetcher.get(url)

    return run(download())


def test_a_compression_bomb_is_not_expanded(server):
    server.pages["/"] = lambda handler: handler.respond(INNER, Content_Encoding="gzip")
    tracemalloc.start()
    with pytest.raises(FetchError, match="larger than 10 MB"):
        fetch(server.url())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000_000


def test_a_compression_bomb_on_a_redirect_is_not_expanded(server):
    server.pages["/"] = lambda handler: handler.respond(INNER, 302, Content_Encoding="gzip", Location="/tea")
    server.pages["/tea"] = b"<p>tea"
    tracemalloc.start()
    assert fetch(server.url()).body == b"<p>tea"
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_a_compression_bomb_in_an_error_is_not_expanded(server):
    server.pages["/"] = lambda handler: handler.respond(INNER, 404, Content_Encoding="gzip")
    with pytest.raises(FetchError, match="returned 404"):
        fetch(server.url())


@pytest.mark.parametrize("encoding", ["gzip, gzip", "compress", "secret of the server"])
def test_unexpected_content_encodings_are_refused(server, encoding):
    server.pages["/"] = lambda handler: handler.respond(BOMB, Content_Encoding=encoding)
    with pytest.raises(FetchError, match="content encoding that was not requested"):
        fetch(server.url())


def test_a_page_that_is_too_large_is_refused(server):
    server.pages["/"] = bytes(11_000_000)
    with pytest.raises(FetchError, match="larger than 10 MB"):
        fetch(server.url())


def test_common_content_encodings_are_decoded(server):
    raw = zlib.compressobj(wbits=-15)
    bodies = {
        "/gzip": ("gzip", gzip.compress(b"<p>tea")),
        "/members": ("gzip", gzip.compress(b"<p>t") + gzip.compress(b"ea")),
        "/zlib": ("deflate", zlib.compress(b"<p>tea")),
        "/raw": ("deflate", raw.compress(b"<p>tea") + raw.flush()),
        "/none": ("identity", b"<p>tea"),
    }
    for path, (name, body) in bodies.items():
        server.pages[path] = lambda handler, name=name, body=body: handler.respond(body, Content_Encoding=name)
        assert fetch(server.url(path)).body == b"<p>tea"
    server.pages["/broken"] = lambda handler: handler.respond(b"not gzip at all", Content_Encoding="gzip")
    with pytest.raises(FetchError, match="compression is broken"):
        fetch(server.url("/broken"))


def test_the_decoder_never_exceeds_its_limit_whatever_the_chunk_size():
    for size in (1, 100, 65536):
        decoder = Decoder("gzip", 1000)
        pieces = (INNER[start : start + size] for start in range(0, len(INNER), size))
        with pytest.raises(FetchError):
            list(map(decoder.feed, pieces))
        assert len(decoder.finish()) <= 1001


@pytest.mark.slow
def test_a_slow_server_times_out(server):
    wait = threading.Event()
    server.pages["/silent"] = lambda _: wait.wait()

    def drip(handler):
        handler.send_response(200)
        handler.end_headers()
        while not wait.is_set():
            handler.wfile.write(b"<p>")
            wait.wait(0.1)

    server.pages["/drip"] = drip
    server.pages["/hops"] = lambda handler: (wait.wait(0.4), handler.respond(b"", 302, Location="/hops"))
    try:
        for path in ("/silent", "/drip", "/hops"):
            with pytest.raises(FetchTimeoutError, match="no response within 1 seconds"):
                fetch(server.url(path), FetchLimits(timeout=1))
    finally:
        wait.set()


@pytest.mark.slow
def test_at_most_five_redirects_are_followed(server):
    for number in range(10):
        server.pages[f"/{number}"] = lambda handler, to=f"/{number + 1}": handler.respond(b"", 301, Location=to)
    server.pages["/10"] = b"<p>there"
    assert fetch(server.url("/5")).body == b"<p>there"
    assert fetch(server.url("/5")).url == server.url("/10")
    with pytest.raises(FetchError, match="more than 5 redirects"):
        fetch(server.url("/4"))
    server.pages["/loop"] = lambda handler: handler.respond(b"", 302, Location="/loop")
    server.hits.clear()
    with pytest.raises(FetchError, match="more than 5 redirects"):
        fetch(server.url("/loop"))
    assert len(server.hits) == 6


@pytest.mark.slow
def test_connections_to_one_host_are_limited(server):
    active, max_active, lock, full = 0, 0, threading.Lock(), threading.Event()

    def count(handler):
        nonlocal active, max_active
        with lock:
            active += 1
            max_active = max(max_active, active)
            if active == 3:
                full.set()
        full.wait()  # until the limit is reached
        with lock:
            active -= 1
        handler.respond(b"<p>tea")

    server.pages["/"] = count

    async def download():
        async with Fetcher(
            Policy(networks=LOOPBACK, ports=None), FetchLimits(timeout=120, connections_per_host=3)
        ) as fetcher:
            return await asyncio.gather(*(fetcher.get(server.url()) for _ in range(12)))

    assert len(run(download())) == 12
    assert max_active == 3


def test_cookies_are_not_kept(server):
    server.pages["/"] = lambda handler: handler.respond(b"", 302, Location="/next", Set_Cookie="a=b; Path=/")
    server.pages["/next"] = b"<p>tea"
    fetch(server.url())
    assert all("Cookie" not in headers for headers in server.headers)


def test_no_store_pages_are_not_storable(server):
    server.pages["/"] = lambda handler: handler.respond(b"<p>tea", Cache_Control="private, no-store")
    assert not fetch(server.url()).storable


@pytest.mark.parametrize("location", ["http://[::]@", "//[::1]@/", "http://[", "http://\x00/", "http://a:99999/"])
def test_invalid_urls_are_told_also_in_redirects(server, location):
    """A URL that ends in a bracket and an at sign is an IndexError of the URL parser, found by fuzzing."""
    server.pages["/"] = lambda handler: handler.respond(b"", 302, Location=location.replace("\x00", "%00"))
    with pytest.raises(FetchError):
        fetch(location)
    with pytest.raises(FetchError):
        fetch(server.url())
