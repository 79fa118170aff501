"""Targets of what is fetched: which addresses may be connected to, headers, compressed bodies, whole responses."""

import asyncio
import socket
from collections.abc import Callable, Coroutine
from ipaddress import ip_network
from typing import Any

from tamis.errors import FetchError, InvalidURLError, PageTooLargeError, TamisError
from tamis.sources.content_encodings import Decoder
from tamis.sources.fetch import Fetcher, FetchLimits, parse_url
from tamis.sources.guard import BLOCKED_NETWORKS, METADATA_NETWORKS, Policy

MAX_BYTES = 100_000
MAX_MESSAGE = 300  #: characters of an error; ours are short
LOOPBACK = (ip_network("127.0.0.0/8"),)
ENCODINGS = ("", "gzip", "deflate", "br", "zstd")


def addresses(data: bytes) -> None:
    """No spelling of an address opens a socket into a private network.

    The data is a URL, or 4 or 16 bytes of an address. What the operating system makes of a numeric host is asked
    without a name server.
    """
    policy = Policy(ports=None)
    if len(data) in {4, 16}:
        ip = socket.inet_ntop(socket.AF_INET if len(data) == 4 else socket.AF_INET6, data)  # noqa: PLR2004
        _assert_public(policy, ip)
        return
    try:
        host = parse_url(data.decode("utf-8", "replace")).host
        found = socket.getaddrinfo(host, 80, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST) if host else []
    except (InvalidURLError, OSError, UnicodeError):
        return
    for family, kind, protocol, name, address in found:
        _assert_public(policy, str(address[0]))
        try:
            policy.socket((family, kind, protocol, name, address)).close()
        except TamisError:
            assert not policy.allows(str(address[0]))


def _assert_public(policy: Policy, ip: str) -> None:
    if not policy.allows(ip):
        return
    family = socket.AF_INET6 if ":" in ip else socket.AF_INET
    packed = socket.inet_pton(family, ip)
    if family == socket.AF_INET:
        assert packed[0] not in {0, 10, 127, *range(224, 256)}, ip
        assert packed[:2] not in {b"\xa9\xfe", b"\xc0\xa8"}, ip
        assert not (packed[0] == 172 and packed[1] >> 4 == 1), ip  # noqa: PLR2004
        assert not (packed[0] == 100 and packed[1] >> 6 == 1), ip  # noqa: PLR2004
    else:
        assert packed[0] >> 5 == 1, ip  # 2000::/3, the only public part of IPv6
    for network in (*BLOCKED_NETWORKS, *METADATA_NETWORKS):
        if network.version == (6 if family == socket.AF_INET6 else 4):
            size = network.prefixlen
            assert int.from_bytes(packed) >> (len(packed) * 8 - size) != (
                int(network.network_address) >> (len(packed) * 8 - size)
            ), ip


def bodies(data: bytes) -> None:
    """A compressed body gives at most the allowed bytes, or an error of ours; in any pieces it gives the same."""
    if len(data) < 2:  # noqa: PLR2004 (the encoding and the size of a piece)
        return
    encoding, step, body = ENCODINGS[data[0] % len(ENCODINGS)], data[1] + 1, data[2:]
    whole = _decode(encoding, [body])
    pieces = _decode(encoding, [body[start : start + step] for start in range(0, len(body), step)])
    assert whole == pieces or isinstance(whole, str) or isinstance(pieces, str)


def _decode(encoding: str, chunks: list[bytes]) -> bytes | str:
    decoder = Decoder(encoding, MAX_BYTES)
    try:
        for chunk in chunks:
            decoder.feed(chunk)
    except (FetchError, PageTooLargeError) as error:
        return str(error)
    body = decoder.finish()
    assert len(body) <= MAX_BYTES
    return body


class _Loopback:
    """A server that answers every connection with the bytes at hand, and a fetcher that may connect to it."""

    def __init__(self) -> None:
        self.response = b""
        self._loop = asyncio.new_event_loop()
        server = self._run(asyncio.start_server(self._answer, "127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        self.limits = FetchLimits(timeout=2, max_bytes=MAX_BYTES, max_redirects=2)

    def _run(self, step: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 (whatever the coroutine returns)
        return self._loop.run_until_complete(step)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(self.response)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    async def _get(self) -> None:
        async with Fetcher(Policy(networks=LOOPBACK, ports=None), self.limits) as fetcher:
            fetched = await fetcher.get(self.url)
        assert len(fetched.body) <= MAX_BYTES
        assert fetched.max_age is None or fetched.max_age >= 0
        fetched.url.encode()
        (fetched.media_type or "").encode()

    def get(self, response: bytes) -> None:
        self.response = response
        message = ""
        try:
            self._run(self._get())
        except TamisError as error:
            message = str(error)
        assert message.isprintable()  # what a server sent is not repeated
        assert len(message) < MAX_MESSAGE


def make_responses() -> Callable[[bytes], None]:
    """Return a target that fetches its data as a raw HTTP response. The server starts with the first."""
    started: list[_Loopback] = []

    def responses(data: bytes) -> None:
        if not started:
            started.append(_Loopback())
        # Redirects to other hosts would wait for name servers.
        if b"location" not in data.lower():
            started[0].get(data)

    return responses


TARGETS: dict[str, Callable[[bytes], None]] = {
    "addresses": addresses,
    "bodies": bodies,
    "responses": make_responses(),
}
