"""Connections: deadlines for what a client sends and reads, and room for new clients when there are many.

uvicorn waits without end for the head of a request and for a client that does not read. Here every connection has a
deadline: for the head of its request, and then for the request until its response has been sent. Deadlines do not
start anew with each byte. When there are too many connections, those are closed that have waited longest without a
complete request.
"""

import asyncio
import logging
import socket
import time
from contextlib import suppress
from typing import Any, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tamis.serve.settings import Settings

try:
    import resource
except ImportError:  # not on every system
    resource = None  # type: ignore[assignment]

log = logging.getLogger("tamis.serve")

MAX_HEAD: Final = 32_768  #: bytes of the head of a request, with a URL of `requests.MAX_URL_CHARS`, percent-encoded
_SWEEP_SECONDS: Final = 0.5
#: File descriptors for everything but clients: worker processes, fetched pages, the cache, and connections that are
#: accepted in one step of the event loop.
_RESERVED_FILES: Final = 320
_MIN_CONNECTIONS: Final = 16
#: Connections that are accepted in one step of the event loop: at most this many, and at most this share of all. In a
#: flood, a connection must not be closed for others before its request could be read.
_MAX_ACCEPTED: Final = 100
_ACCEPTED_SHARE: Final = 1 / 8
_GRACE_SECONDS: Final = 2.0  #: in which the service says that a request took too long
_BATCH_PATH: Final = "/v1/batch"


class Connections:
    """All open connections of the service."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.max_connections = max(_MIN_CONNECTIONS, min(settings.max_connections, _file_limit() - _RESERVED_FILES))
        self.open: set[TimedProtocol] = set()
        #: Those that have not sent a complete head, in the order in which they began to wait.
        self.waiting: dict[TimedProtocol, float] = {}
        self._sweeper: asyncio.Task[None] | None = None

    @property
    def accepted_at_once(self) -> int:
        """The number of connections that may be accepted in one step of the event loop."""
        return min(_MAX_ACCEPTED, int(self.max_connections * _ACCEPTED_SHARE))

    def add(self, connection: "TimedProtocol") -> None:
        """Add a connection. If there are too many, the one that has waited longest is closed."""
        if self._sweeper is None or self._sweeper.done():
            loop = asyncio.get_running_loop()
            loop.set_exception_handler(_handle_loop_error)
            self._sweeper = loop.create_task(self._sweep())
        self.open.add(connection)
        self.await_head(connection)
        if len(self.open) > self.max_connections:
            self.close(next(iter(self.waiting)))

    def await_head(self, connection: "TimedProtocol") -> None:
        """Let a connection's time for the head of its next request begin."""
        self.waiting.pop(connection, None)
        self.waiting[connection] = time.monotonic()

    def remove(self, connection: "TimedProtocol") -> None:
        """Forget a connection."""
        self.open.discard(connection)
        self.waiting.pop(connection, None)

    def close(self, connection: "TimedProtocol") -> None:
        """Close a connection at once, whatever is still to be sent."""
        self.remove(connection)
        connection.transport.abort()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP_SECONDS)
            now = time.monotonic()
            for connection in [each for each in self.open if each.is_late(now)]:
                self.close(connection)


class TimedProtocol(H11Protocol):
    """HTTP/1.1 with deadlines. ``Config.load`` calls this like uvicorn's own protocol classes."""

    registry: Connections  # set by `protocol_class`

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 (uvicorn's)
        super().__init__(*args, **kwargs)
        self._requested = 0.0  # when the head of the last request was complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin. Head and body of a response are two writes: without this, the second waits 40 ms for the client.

        asyncio sets it only on sockets that were made with the number of the protocol, which uvicorn's are not.
        """
        accepted = transport.get_extra_info("socket")
        if accepted is not None and accepted.family in {socket.AF_INET, socket.AF_INET6}:
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        super().connection_made(transport)
        self.registry.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        self.registry.remove(self)

    def handle_events(self) -> None:
        """Handle what the client has sent so far."""
        before = self.cycle
        super().handle_events()
        if self.cycle is not before:
            self._requested = time.monotonic()
            self.registry.waiting.pop(self, None)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self.registry.await_head(self)
        super().on_response_complete()

    def is_late(self, now: float) -> bool:
        """Return whether the client has missed a deadline."""
        settings = self.registry.settings
        cycle: Any = self.cycle  # None before the first request
        if (cycle is None or cycle.response_complete) and not self.transport.get_write_buffer_size():
            return now - self.registry.waiting.get(self, now) > settings.head_timeout
        path = self.scope["path"]
        limit = settings.batch_timeout if path == _BATCH_PATH else settings.request_timeout
        return now - self._requested > limit + _GRACE_SECONDS

    def shutdown(self) -> None:
        """Close the connection when nothing is under way. uvicorn fails on half a request."""
        with suppress(h11.LocalProtocolError):
            super().shutdown()
            return
        self.transport.close()


def protocol_class(settings: Settings) -> type[TimedProtocol]:
    """Return a protocol class for one server."""
    return type("ServiceProtocol", (TimedProtocol,), {"registry": Connections(settings)})


def raise_file_limit() -> None:
    """Raise the limit of open files of this process as far as it may be raised."""
    with suppress(ValueError, OSError, AttributeError):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _file_limit() -> int:
    try:
        return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    except AttributeError:  # not on every system
        return 2048


_last_logged: dict[str, float] = {}


def _handle_loop_error(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of the event loop in one line, and the same one once a minute."""
    message = f"{context.get('message', '')}: {context.get('exception', '')}"[:300]
    now = time.monotonic()
    if now - _last_logged.get(message, -60.0) >= 60.0:  # noqa: PLR2004 (a minute)
        _last_logged[message] = now
        log.error("%s", message)
        if len(_last_logged) > 100:  # noqa: PLR2004 (messages, not more)
            _last_logged.clear()
