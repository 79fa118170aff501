"""Pages are fetched in a thread with its own event loop: whatever a server sends, clients are still answered."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from tamis.serve.settings import Settings
from tamis.sources.downloads import FetchThread
from tamis.sources.fetch import Fetcher, Requests
from tamis.sources.fetched import Fetched

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver

_Value = TypeVar("_Value")


class ServiceFetcher:
    """The fetcher of the service, in a thread of its own.

    Args:
        settings: with the policy and the limits of the fetcher.
        resolver: resolves host names instead of the system.
    """

    def __init__(self, settings: Settings, resolver: "AbstractResolver | None" = None) -> None:
        requests = Requests(settings.user_agent, proxy=settings.proxy, retries=settings.retries)
        self._thread = FetchThread(lambda: Fetcher(settings.policy, settings.limits, resolver, requests))

    async def start(self) -> None:
        """Start the thread."""
        await asyncio.to_thread(self._thread.start)

    async def get(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 (handed on)
    ) -> Fetched:
        """Return a page; see `Fetcher.get`. A caller that is cancelled closes the connection."""
        return await asyncio.wrap_future(self._thread.get(url, headers, timeout))

    async def close(self) -> None:
        """Close all connections and end the thread."""
        await asyncio.to_thread(self._thread.close)


class Coalescer:
    """Equal work that is under way is done once. When the last one who waits for it leaves, it is cancelled."""

    def __init__(self) -> None:
        self._running: dict[str, tuple[asyncio.Task[Any], list[int]]] = {}

    async def run(self, key: str, work: Callable[[], Coroutine[Any, Any, _Value]]) -> _Value:
        """Return the result of the work with this key, from the work that is under way if there is some."""
        if key not in self._running:
            task = asyncio.ensure_future(work())
            self._running[key] = task, [0]
            task.add_done_callback(lambda done: self._forget(key, done))
        task, waiters = self._running[key]
        waiters[0] += 1
        try:
            result: _Value = await asyncio.shield(task)
            return result
        finally:
            waiters[0] -= 1
            if not waiters[0] and not task.done():
                self._forget(key, task)
                task.cancel()

    def _forget(self, key: str, task: "asyncio.Future[Any]") -> None:
        if key in self._running and self._running[key][0] is task:
            del self._running[key]
