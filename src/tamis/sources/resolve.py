"""Names to IP addresses, each lookup in a thread of its own, so that names that never resolve hold up no others.

The system's resolver blocks, for half a minute if a name server does not answer. In a small pool of threads a few
such names stop all lookups. Here a lookup has its own thread, lookups of one name are shared, and their number is
bounded:
beyond it a lookup fails at once.
"""

import asyncio
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from tamis.errors import BusyError

if TYPE_CHECKING:
    from aiohttp.abc import ResolveResult

#: Lookups at a time. A waiting thread costs some 50 kB; four times the requests that the service takes by default.
MAX_LOOKUPS: Final = 256
#: Seconds for one lookup. The system gives up after 5 seconds for each attempt and name server, by default.
LOOKUP_TIMEOUT: Final = 8.0

Lookup = Callable[..., Sequence[tuple[Any, ...]]]  #: called as `socket.getaddrinfo` is


class ThreadResolver:
    """A resolver for aiohttp.

    Args:
        lookup: resolves a name, called as `socket.getaddrinfo` is.
        max_lookups: lookups at a time. The next one raises `BusyError`.
        timeout: seconds for one lookup. Its thread goes on until the system gives up, and counts until then.
    """

    def __init__(
        self,
        lookup: Lookup = socket.getaddrinfo,
        *,
        max_lookups: int = MAX_LOOKUPS,
        timeout: float = LOOKUP_TIMEOUT,
    ) -> None:
        self._lookup, self._max_lookups, self._timeout = lookup, max_lookups, timeout
        self._lock = threading.Lock()
        self._running: dict[tuple[str, int, int], Future[Sequence[tuple[Any, ...]]]] = {}

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> "list[ResolveResult]":
        """Return the addresses of a name."""
        future = self._start((host, port, int(family)))
        try:
            async with asyncio.timeout(self._timeout):
                # Shielded: others may wait for the same lookup.
                infos = await asyncio.shield(asyncio.wrap_future(future))
        except TimeoutError as error:
            raise OSError(None, "the name was not resolved in time") from error
        return [
            {
                "hostname": host,
                "host": str(info[4][0]),
                "port": int(info[4][1]),
                "family": info[0],
                "proto": info[2],
                "flags": socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            }
            for info in infos
            if info[0] in {socket.AF_INET, socket.AF_INET6}
        ]

    async def close(self) -> None:
        """Leave running lookups to end by themselves."""

    def _start(self, key: tuple[str, int, int]) -> "Future[Sequence[tuple[Any, ...]]]":
        with self._lock:
            if key in self._running:
                return self._running[key]
            if len(self._running) >= self._max_lookups:
                raise BusyError("too many names are being resolved; retry later")
            future = self._running[key] = Future()
        threading.Thread(target=self._run, args=(key, future), name="tamis-resolve", daemon=True).start()
        return future

    def _run(self, key: tuple[str, int, int], future: "Future[Sequence[tuple[Any, ...]]]") -> None:
        host, port, family = key
        try:
            result = self._lookup(host, port, type=socket.SOCK_STREAM, family=family, flags=socket.AI_ADDRCONFIG)
        except Exception as error:  # noqa: BLE001 (who waits gets it)
            self._forget(key)
            with suppress(Exception):
                future.set_exception(error)
        else:
            self._forget(key)
            with suppress(Exception):  # nobody waits any more
                future.set_result(result)

    def _forget(self, key: tuple[str, int, int]) -> None:
        with self._lock:
            self._running.pop(key, None)
