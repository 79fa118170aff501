"""Fetching is bounded: in bytes, time, redirects and connections, whatever a server does."""

import asyncio
import gzip
import threading
import time
import tracemalloc
import zlib

import pytest

from tamis.errors import FetchError, FetchTimeoutError
from tamis.sources.decode import Decoder
from tamis.sources.fetch import Fetcher, Limits
from tamis.sources.ssrf import Policy
from tests.serve.loopback import LOOPBACK, Site, run

BOMB = gzip.compress(gzip.compress(bytes(50_000_000), 9), 9)  # a bomb in a bomb: a few hundred bytes of it
INNER = gzip.decompress(BOMB)  # 50 MB in 50 kB


@pytest.fixture
def server():
    with Site() as server:
        yield server


def fetch(url, limits=None):
    async def work():
        policy = Policy(networks=LOOPBACK, ports=None)
        async with Fetcher(policy, limits or Limits(seconds=120)) as fetcher:
            return await fetcher.get(url)

    return run(work())


def test_a_compressed_bomb_is_left_alone(server):
    server.pages["/"] = lambda handler: handler.answer(INNER, Content_Encoding="gzip")
    tracemalloc.start()
    with pytest.raises(FetchError, match="larger than 10 MB"):
        fetch(server.url())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000_000


def test_a_bomb_on_a_redirect_is_never_unfolded(server):
    server.pages["/"] = lambda handler: handler.answer(INNER, 302, Content_Encoding="gzip", Location="/tea")
    server.pages["/tea"] = b"<p>tea"
    tracemalloc.start()
    assert fetch(server.url()).body == b"<p>tea"
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()


def test_a_bomb_in_an_error_is_never_unfolded(server):
    server.pages["/"] = lambda handler: handler.answer(INNER, 404, Content_Encoding="gzip")
    with pytest.raises(FetchError, match="answered 404"):
        fetch(server.url())


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "zstd", "compress"])
def test_encodings_that_were_not_asked_for_are_refused(server, encoding):
    server.pages["/"] = lambda handler: handler.answer(BOMB, Content_Encoding=encoding)
    with pytest.raises(FetchError, match="not asked for"):
        fetch(server.url())


def test_a_page_that_is_too_large_is_left(server):
    server.pages["/"] = bytes(11_000_000)
    with pytest.raises(FetchError, match="larger than 10 MB"):
        fetch(server.url())


def test_the_usual_encodings_are_read(server):
    bare = zlib.compressobj(wbits=-15)
    bodies = {
        "/gzip": ("gzip", gzip.compress(b"<p>tea")),
        "/members": ("gzip", gzip.compress(b"<p>t") + gzip.compress(b"ea")),
        "/zlib": ("deflate", zlib.compress(b"<p>tea")),
        "/bare": ("deflate", bare.compress(b"<p>tea") + bare.flush()),
        "/none": ("identity", b"<p>tea"),
    }
    for path, (name, body) in bodies.items():
        server.pages[path] = lambda handler, name=name, body=body: handler.answer(body, Content_Encoding=name)
        assert fetch(server.url(path)).body == b"<p>tea"
    server.pages["/broken"] = lambda handler: handler.answer(b"not gzip at all", Content_Encoding="gzip")
    with pytest.raises(FetchError, match="compression is broken"):
        fetch(server.url("/broken"))


def test_a_decoder_holds_no_more_than_its_limit_whatever_the_pieces():
    for size in (1, 100, 65536):
        decoder = Decoder("gzip", 1000)
        pieces = (INNER[place : place + size] for place in range(0, len(INNER), size))
        with pytest.raises(FetchError):
            list(map(decoder.feed, pieces))
        assert len(decoder.done()) <= 1001


@pytest.mark.slow
def test_a_slow_server_is_not_waited_for(server):
    wait = threading.Event()
    server.pages["/silent"] = lambda _: wait.wait(300)

    def drip(handler):
        handler.send_response(200)
        handler.end_headers()
        while not wait.is_set():
            handler.wfile.write(b"<p>")
            wait.wait(0.1)

    server.pages["/drip"] = drip
    server.pages["/hops"] = lambda handler: (time.sleep(0.4), handler.answer(b"", 302, Location="/hops"))
    try:
        for path in ("/silent", "/drip", "/hops"):
            with pytest.raises(FetchTimeoutError, match="no answer within 1 seconds"):
                fetch(server.url(path), Limits(seconds=1))
    finally:
        wait.set()


def test_redirects_are_followed_five_times_and_no_more(server):
    for number in range(10):
        server.pages[f"/{number}"] = lambda handler, to=f"/{number + 1}": handler.answer(b"", 301, Location=to)
    server.pages["/10"] = b"<p>there"
    assert fetch(server.url("/5")).body == b"<p>there"
    assert fetch(server.url("/5")).url == server.url("/10")
    with pytest.raises(FetchError, match="more than 5 redirects"):
        fetch(server.url("/4"))
    server.pages["/loop"] = lambda handler: handler.answer(b"", 302, Location="/loop")
    server.hits.clear()
    with pytest.raises(FetchError, match="more than 5 redirects"):
        fetch(server.url("/loop"))
    assert len(server.hits) == 6


def test_few_at_a_time_to_one_host(server):
    now, most, lock, full = 0, 0, threading.Lock(), threading.Event()

    def count(handler):
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
            if now == 3:
                full.set()
        full.wait(60)  # until as many are here as may be; one more would show in a moment
        time.sleep(0.02)
        with lock:
            now -= 1
        handler.answer(b"<p>tea")

    server.pages["/"] = count

    async def work():
        async with Fetcher(Policy(networks=LOOPBACK, ports=None), Limits(seconds=120, per_host=3)) as fetcher:
            return await asyncio.gather(*(fetcher.get(server.url()) for _ in range(12)))

    assert len(run(work())) == 12
    assert most == 3


def test_cookies_are_not_kept(server):
    server.pages["/"] = lambda handler: handler.answer(b"", 302, Location="/next", Set_Cookie="a=b; Path=/")
    server.pages["/next"] = b"<p>tea"
    fetch(server.url())
    assert all("Cookie" not in headers for headers in server.headers)


def test_what_must_not_be_stored_says_so(server):
    server.pages["/"] = lambda handler: handler.answer(b"<p>tea", Cache_Control="private, no-store")
    assert not fetch(server.url()).storable
