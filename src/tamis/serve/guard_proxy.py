"""A proxy on loopback through which Chromium makes all its requests, so that the address check holds for them, too.

A page that runs scripts can ask for anything: images, frames, fetches, redirects, web sockets. Chromium resolves no
name and opens no connection itself; this proxy resolves names and makes sockets with `Policy.socket`, as the fetcher
does. It passes on bytes up to a limit for each page.
"""

import asyncio
import socket
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from tamis.errors import BlockedURLError, BusyError, InvalidURLError
from tamis.serve.settings import Settings
from tamis.sources.resolve import Lookup, ThreadResolver

_MAX_HEAD: Final = 65_536
_HEAD_TIMEOUT: Final = 10.0
_PIECE: Final = 65_536
_MAX_CONNECTIONS: Final = 200
#: Headers that are for the proxy, and those that decide how long a connection lives.
_HOP_HEADERS: Final = (b"proxy-", b"connection:", b"keep-alive:")


REFUSED: Final = "tamis; error=destination_ip_prohibited"  #: the ``Proxy-Status`` of a refusal, RFC 9209
_REFUSAL: Final = (
    f"HTTP/1.1 403 Forbidden\r\nProxy-Status: {REFUSED}\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n"
    "Connection: close\r\n\r\nrefused"
).encode()


class GuardProxy:
    """An HTTP proxy that connects to allowed addresses only.

    Args:
        settings: with the policy, the time and the size that a page may have.
        lookup: resolves names, called as `socket.getaddrinfo` is.
    """

    def __init__(self, settings: Settings, lookup: Lookup = socket.getaddrinfo) -> None:
        self._settings, self._policy = settings, settings.policy
        self._resolver = ThreadResolver(lookup)
        self._server: asyncio.Server | None = None
        self._open = 0
        self.blocked = 0  #: connections that were refused
        self.received = 0  #: bytes from servers

    @property
    def url(self) -> str:
        """The URL of the proxy."""
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def start(self) -> None:
        """Listen on a free port of loopback."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=_MAX_HEAD)

    async def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        try:
            async with asyncio.timeout(self._settings.request_timeout):
                if self._open <= _MAX_CONNECTIONS:
                    await self._handle(reader, writer)
        except (OSError, TimeoutError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # the browser sees a closed connection
        finally:
            self._open -= 1
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
        try:
            if method != "CONNECT" and scheme != "http":
                raise InvalidURLError("only http URLs are sent as they are")  # noqa: TRY301 (refused below)
            self._policy.check_url(scheme, port)
            upstream = await self._connect(parts.hostname or "", port)
        except (BlockedURLError, InvalidURLError, BusyError):
            self.blocked += 1
            writer.write(_REFUSAL)
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

    async def _connect(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first address of a host that is allowed and answers."""
        loop = asyncio.get_running_loop()
        addresses = await self._resolver.resolve(host, port, socket.AF_UNSPEC)
        error: Exception = OSError("no address")
        for address in addresses:
            connection = None
            info = (address["family"], socket.SOCK_STREAM, address["proto"], "", (address["host"], port))
            try:
                connection = self._policy.socket(info)
                connection.setblocking(False)  # noqa: FBT003 (socket's)
                async with asyncio.timeout(self._settings.limits.timeout):
                    await loop.sock_connect(connection, (address["host"], port))
                return await asyncio.open_connection(sock=connection)
            except (OSError, TimeoutError) as failure:  # a blocked address is one, too
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
            self.received += await self._pipe(up_reader, writer)
        finally:
            up.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await up

    async def _pipe(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> int:
        """Pass on bytes until the end, or until there are too many."""
        passed, limit = 0, self._settings.limits.max_bytes
        while (piece := await reader.read(_PIECE)) and passed <= limit:
            passed += len(piece)
            writer.write(piece)
            await writer.drain()
        with suppress(OSError, RuntimeError):
            if writer.can_write_eof():
                writer.write_eof()
        return passed
