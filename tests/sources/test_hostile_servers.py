"""Servers that send without end, name servers that never answer, and bytes of servers that nobody repeats."""

import asyncio
import gzip
import socket
import threading
from functools import partial
from ipaddress import ip_network

import brotli
import pytest
import zstandard

from tamis.errors import BusyError, FetchError
from tamis.sources.content_encodings import Decoder
from tamis.sources.fetch import Fetcher, FetchLimits
from tamis.sources.guard import NetworkScope, Policy, ThreadResolver
from tests.serve.loopback import LOOPBACK, Site, run

POLICY = Policy(networks=LOOPBACK, ports=None)


@pytest.fixture
def server():
    with Site() as server:
        yield server


def fetch(url, **options):
    async def download():
        async with Fetcher(POLICY, FetchLimits(timeout=120)) as fetcher:
            return await fetcher.get(url, **options)

    return run(download())


def endless(head, piece):
    """Return a page that sends a piece without end; it stops when the client has closed the connection."""

    def respond(handler):
        handler.wfile.write(head)
        while True:
            handler.wfile.write(piece * 1000)

    return respond


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.mark.slow
def test_bodies_in_chunks_of_one_byte_end(server):
    server.pages["/"] = endless(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n")
    with pytest.raises(FetchError, match="too many pieces"):
        fetch(server.url())


def test_small_chunks_of_an_ordinary_page_are_read(server):
    words = b"<p>tea, and more of it</p>" * 1000
    body = b"".join(b"%x\r\n%s\r\n" % (8, words[start : start + 8]) for start in range(0, len(words), 8))
    page = HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + body + b"0\r\n\r\n"
    server.pages["/"] = lambda handler: handler.wfile.write(page)
    assert fetch(server.url()).body == words


@pytest.mark.slow
def test_interim_responses_end(server):
    server.pages["/"] = endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n")
    with pytest.raises(FetchError, match="closed the connection"):
        fetch(server.url())
    few = b"HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n" * 3 + HEAD + b"Content-Length: 6\r\n\r\n<p>tea"
    server.pages["/few"] = lambda handler: handler.wfile.write(few)
    assert fetch(server.url("/few")).body == b"<p>tea"


def test_empty_gzip_members_are_refused_and_appended_ones_are_read():
    empty, tea = gzip.compress(b""), gzip.compress(b"tea")
    decoder = Decoder("gzip", 1000_000)
    with pytest.raises(FetchError, match="compression is broken"):
        decoder.feed(empty * 100)
    decoder = Decoder("gzip", 1000_000)
    decoder.feed(empty + tea * 500 + empty)
    assert decoder.finish() == b"tea" * 500
    decoder = Decoder("gzip", 1000_000)
    with pytest.raises(FetchError, match="compression is broken"):
        decoder.feed(gzip.compress(b"x") * 20_000)


@pytest.mark.parametrize(
    ("name", "compress"), [("br", partial(brotli.compress, quality=1)), ("zstd", zstandard.compress)]
)
def test_br_and_zstd_are_requested_decoded_and_bounded(server, name, compress):
    text = b"<p>tea, and more of it</p>" * 5000
    server.pages["/"] = lambda handler: handler.respond(compress(text), Content_Encoding=name)
    assert fetch(server.url()).body == text
    assert name in server.headers[-1]["Accept-Encoding"]
    bomb = compress(bytes(50_000_000))
    for size in (7, 1000, len(bomb)):
        decoder = Decoder(name, 1_000_000)
        with pytest.raises(FetchError, match="larger than 1 MB"):
            list(map(decoder.feed, (bomb[start : start + size] for start in range(0, len(bomb), size))))
        assert len(decoder.finish()) < 10_000_000
    with pytest.raises(FetchError, match="compression is broken"):
        Decoder(name, 1000).feed(b"something else entirely, in letters")


@pytest.mark.slow
def test_names_that_never_resolve_hold_up_no_others():
    release = threading.Event()

    def lookup(host, port, **_):
        if host.startswith("never"):
            release.wait()
            raise socket.gaierror(socket.EAI_AGAIN, "no answer")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    async def check():
        resolver = ThreadResolver(lookup, max_lookups=50, timeout=60)
        never = [asyncio.create_task(resolver.resolve(f"never{n}.example")) for n in range(40)]
        await asyncio.sleep(0)
        async with asyncio.timeout(30):
            assert (await resolver.resolve("tea.example", 80))[0]["host"] == "127.0.0.1"
        same = [asyncio.create_task(resolver.resolve("never1.example")) for n in range(100)]  # one lookup for all
        await asyncio.sleep(0)
        assert not any(task.done() for task in same)
        more = [asyncio.create_task(resolver.resolve(f"never-more{n}.example")) for n in range(20)]
        await asyncio.wait(more[10:])
        assert all(isinstance(task.exception(), BusyError) for task in more[10:])
        release.set()
        results = await asyncio.gather(*never, *same, *more[:10], return_exceptions=True)
        assert all(isinstance(each, socket.gaierror) for each in results)
        quick = ThreadResolver(lambda *_, **__: threading.Event().wait(5), timeout=0.1)
        with pytest.raises(OSError, match="not resolved in time"):
            await quick.resolve("tea.example")

    run(check())


def test_bytes_of_a_server_are_not_in_messages(server):
    secret = "xyzzy-of-the-server"
    responses = {
        "/reason": f"HTTP/1.1 404 {secret}\r\n\r\n",
        "/status": f"HTTP/1.1 abc {secret}\r\n\r\n",
        "/header": f"HTTP/1.1 200 OK\r\n{secret} broken\r\n\r\n",
        "/location": f"HTTP/1.1 302 Found\r\nLocation: http://[{secret}\r\n\r\n",
        "/encoding": f"HTTP/1.1 200 OK\r\nContent-Encoding: {secret}\r\n\r\n",
        "/other": f"{secret}\r\n\r\n",
    }
    for path, response in responses.items():
        server.pages[path] = lambda handler, response=response: handler.wfile.write(response.encode())
        with pytest.raises(FetchError) as info:
            fetch(server.url(path))
        assert secret not in str(info.value), path
    with pytest.raises(FetchError, match="the server returned 404 Not Found"):
        fetch(server.url("/reason"))


def test_metadata_services_are_closed_always():
    everything = (ip_network("0.0.0.0/0"), ip_network("::/0"))
    policies = [
        Policy(),
        Policy(scope=NetworkScope.PRIVATE),
        Policy(networks=everything, ports=None),
        Policy(scope=NetworkScope.ANY),
    ]
    closed = "169.254.169.254 169.254.0.1 168.63.129.16 100.100.100.200 192.0.0.192 fd00:ec2::254 fd20:ce::254"
    closed += " fd00:42::42 ::ffff:169.254.169.254 ::ffff:168.63.129.16 64:ff9b::a9fe:a9fe 2002:a9fe:a9fe::1"
    for policy in policies:
        assert [ip for ip in closed.split() if policy.allows(ip)] == []
    for ip in ("10.0.0.1", "100.64.0.1", "fd00::1"):
        assert Policy(scope=NetworkScope.PRIVATE).allows(ip)


def test_cache_directives_of_a_server_and_credentials_decide_what_is_stored(server):
    page = b"<p>tea"
    for directives, storable, max_age in (
        ("private", False, None),
        ("no-cache", False, None),
        ("public, max-age=60", True, 60),
        ("max-age=60, s-maxage=5", True, 5),
        ("max-age=soon", True, None),
        ("", True, None),
    ):
        server.pages["/"] = lambda handler, value=directives: handler.respond(page, Cache_Control=value)
        fetched = fetch(server.url())
        assert (fetched.storable, fetched.max_age) == (storable, max_age), directives
    assert fetched.media_type == "text/html"
    own = fetch(server.url().replace("http://", "http://me:secret@"))
    assert not own.storable
    assert "secret" not in own.url
    assert not fetch(server.url(), headers={"Authorization": "Bearer x"}).storable


def test_own_headers_do_not_follow_a_redirect_to_another_origin(server):
    with Site() as other:
        other.pages["/"] = b"<p>other"
        server.pages["/"] = lambda handler: handler.respond(b"", 302, Location=other.url())
        server.pages["/here"] = lambda handler: handler.respond(b"", 302, Location="/there")
        server.pages["/there"] = b"<p>there"
        fetch(server.url(), headers={"Cookie": "a=1", "User-Agent": "me"})
        assert server.headers[-1]["Cookie"] == "a=1"
        assert server.headers[-1]["User-Agent"] == "me"
        assert "Cookie" not in other.headers[-1]
        fetch(server.url("/here"), headers={"Cookie": "a=1"})
        assert server.headers[-1]["Cookie"] == "a=1"
