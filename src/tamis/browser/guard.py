"""A proxy on loopback through which Chromium makes all its requests, so that the address check holds for them.

A page can ask for anything: images, frames, fetches, redirects, workers, web sockets. Chromium resolves no name and
opens no connection itself (`tamis.browser.config.launch_flags`). This proxy resolves names and makes sockets with
`Policy.socket`, as the fetcher does. Without a policy it refuses everything.
"""

import asyncio
import socket
from collections import deque
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from tamis.errors import BlockedURLError, BusyError, InvalidURLError
from tamis.sources.fetch import FetchLimits
from tamis.sources.guard import Lookup, Policy, ThreadResolver

_MAX_HEAD: Final = 65_536
_HEAD_TIMEOUT: Final = 10.0
_PIECE: Final = 65_536
_MAX_CONNECTIONS: Final = 200
_MAX_REFUSED: Final = 1000  #: refused hosts that are remembered, to say why a page did not load
#: Headers that are for the proxy, and those that decide how long a connection lives.
_HOP_HEADERS: Final = (b"proxy-", b"connection:", b"keep-alive:")


#: The ``Proxy-Status`` of a refusal, and of a server that cannot be reached (RFC 9209).
REFUSED: Final = "tamis; error=destination_ip_prohibited"
UNREACHABLE: Final = "tamis; error=destination_unavailable"


def _answer(status: str, proxy_status: str) -> bytes:
    head = f"HTTP/1.1 {status}\r\nProxy-Status: {proxy_status}\r\nContent-Type: text/plain\r\nContent-Length: 6\r\n"
    return f"{head}Connection: close\r\n\r\nfailed".encode()  # Chromium shows an error page for an empty body


class GuardProxy:
    """An HTTP proxy that connects to allowed addresses only.

    Args:
        policy: the addresses and ports that are allowed; None refuses all.
        limits: the time to connect, and the bytes of one connection.
        timeout: seconds that a connection may stay open.
        lookup: resolves names, called as `socket.getaddrinfo` is.
    """

    def __init__(
        self,
        policy: Policy | None,
        limits: FetchLimits | None = None,
        *,
        timeout: float = 60.0,
        lookup: Lookup = socket.getaddrinfo,
    ) -> None:
        self._policy, self._limits, self._timeout = policy, limits or FetchLimits(), timeout
        self._resolver = ThreadResolver(lookup)
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()
        self._refused: deque[tuple[str, int]] = deque(maxlen=_MAX_REFUSED)
        self.blocked = 0  #: connections that were refused

    def has_refused(self, host: str, port: int) -> bool:
        """Return whether a connection to a host was refused lately."""
        return (host.lower(), port) in self._refused

    @property
    def url(self) -> str:
        """The URL of the proxy."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def start(self) -> None:
        """Listen on a free port of loopback."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_MAX_HEAD)

    async def close(self) -> None:
        """Stop listening, and close all connections."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            async with asyncio.timeout(self._timeout):
                if len(self._open) <= _MAX_CONNECTIONS:
                    await self._handle(reader, writer)
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the browser sees a closed connection
        except asyncio.CancelledError:
            pass  # by `close`: nobody waits for this task, and asyncio would log the error
        finally:
            self._open.discard(task)
            writer.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(_HEAD_TIMEOUT):
            head = await reader.readuntil(b"\r\n\r\n")
        line, _, headers = head.partition(b"\r\n")
        method, target, version = line.decode("ascii").split(" ")
        if method == "CONNECT":
            parts = urlsplit(f"//{target}")
            scheme, port = "https", parts.port or 443
        else:
            parts = urlsplit(target)
            scheme, port = parts.scheme, parts.port or 80
        host = parts.hostname or ""
        try:
            if self._policy is None or (method != "CONNECT" and scheme != "http"):
                raise InvalidURLError("only http URLs are sent as they are")  # noqa: TRY301 (refused below)
            self._policy.check_url(scheme, port)
            upstream = await self._connect(self._policy, host, port)
        except (BlockedURLError, InvalidURLError, BusyError):
            self.blocked += 1
            self._refused.append((host.lower(), port))
            writer.write(_answer("403 Forbidden", REFUSED))
            await writer.drain()
            return
        except (OSError, TimeoutError):
            writer.write(_answer("502 Bad Gateway", UNREACHABLE))
            await writer.drain()
            return
        up_reader, up_writer = upstream
        try:
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            else:
                path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
                kept = [each for each in headers.split(b"\r\n") if each and not each.lower().startswith(_HOP_HEADERS)]
                start = f"{method} {path} {version}".encode("ascii")
                up_writer.write(b"\r\n".join([start, *kept, b"Connection: close", b"", b""]))
            await self._pipe_both(reader, writer, up_reader, up_writer)
        finally:
            up_writer.close()

    async def _connect(
        self, policy: Policy, host: str, port: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first address of a host that is allowed and answers."""
        loop = asyncio.get_running_loop()
        addresses = await self._resolver.resolve(host, port, socket.AF_UNSPEC)
        error: Exception = OSError("no address")
        for address in addresses:
            connection = None
            info = (address["family"], socket.SOCK_STREAM, address["proto"], "", (address["host"], port))
            try:
                connection = policy.socket(info)
                connection.setblocking(False)  # noqa: FBT003 (socket's)
                async with asyncio.timeout(self._limits.timeout):
                    await loop.sock_connect(connection, (address["host"], port))
                return await asyncio.open_connection(sock=connection)
            except (OSError, TimeoutError) as failure:  # a blocked address is one
                error = failure
                if connection is not None:
                    connection.close()
        raise error

    async def _pipe_both(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        up_reader: asyncio.StreamReader,
        up_writer: asyncio.StreamWriter,
    ) -> None:
        up = asyncio.ensure_future(self._pipe(reader, up_writer))
        try:
            await self._pipe(up_reader, writer)
        finally:
            up.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await up

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass on bytes until the end, or until there are too many."""
        passed, limit = 0, self._limits.max_bytes
        while (piece := await reader.read(_PIECE)) and passed <= limit:
            passed += len(piece)
            writer.write(piece)
            await writer.drain()
        with suppress(OSError, RuntimeError):
            if writer.can_write_eof():
                writer.write_eof()
