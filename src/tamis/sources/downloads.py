"""Downloads beside other work: a fetcher in a thread of its own, and the pages of a batch that it downloads ahead."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, Final, TypeVar

from tamis.errors import FetchError, PageTooLargeError, SourceError
from tamis.sources.fetch import Fetcher, FetchLimits, Requests
from tamis.sources.fetched import Fetched
from tamis.sources.guard import Policy
from tamis.sources.records import Record

_Value = TypeVar("_Value")
#: Records that are read ahead of the one that is waited for. Of one host, four are downloaded at a time.
_AHEAD: Final = 16


class FetchThread:
    """A `Fetcher` in a thread with an event loop of its own. Whatever a server sends, other threads go on.

    Args:
        open_fetcher: makes the fetcher, in that thread.
    """

    def __init__(self, open_fetcher: Callable[[], Fetcher]) -> None:
        self._open_fetcher = open_fetcher
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tamis-fetch", daemon=True)
        self._fetcher: Fetcher | None = None

    def start(self) -> None:
        """Start the thread, and make the fetcher."""
        self._thread.start()
        self._fetcher = self._submit(self._open()).result()

    def get(
        self, url: str, headers: Mapping[str, str] | None = None, timeout: float | None = None
    ) -> "Future[Fetched]":
        """Return the future of a page; see `Fetcher.get`. Cancelling it closes the connection."""
        assert self._fetcher is not None
        return self._submit(self._fetcher.get(url, headers=headers, timeout=timeout))

    def close(self) -> None:
        """Close all connections and end the thread."""
        if self._fetcher is not None:
            self._submit(self._fetcher.close()).result()
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        self._loop.close()

    async def _open(self) -> Fetcher:
        return self._open_fetcher()

    def _submit(self, coroutine: Coroutine[Any, Any, _Value]) -> "Future[_Value]":
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop)


def with_downloads(
    records: Iterable[tuple[int, Record]],
    *,
    max_bytes: int | None = None,
    policy: Policy | None = None,
    requests: Requests | None = None,
    timeout: float | None = None,
) -> Iterator[tuple[int, Record]]:
    """Yield numbered records in order, with the pages of those that are only URLs. Some are downloaded ahead.

    Args:
        records: the records, taken a few at a time.
        max_bytes: of a page; that of `FetchLimits` if None.
        policy: where pages may be downloaded from.
        requests: how they are asked for.
        timeout: seconds for a page; that of `FetchLimits` if None.
    """
    default = FetchLimits()
    limits = FetchLimits(timeout or default.timeout, max_bytes or default.max_bytes)
    waiting: deque[tuple[int, Record, Future[Fetched] | None]] = deque()
    thread: FetchThread | None = None
    try:
        for number, record in records:
            future = None
            if record.is_remote:
                if thread is None:
                    thread = FetchThread(lambda: Fetcher(policy, limits, requests=requests))
                    thread.start()
                future = thread.get(record.url or "")
            waiting.append((number, record, future))
            while waiting and (waiting[0][2] is None or waiting[0][2].done() or len(waiting) > _AHEAD):
                yield _next(waiting)
        while waiting:
            yield _next(waiting)
    finally:
        if thread is not None:
            thread.close()


def _next(waiting: "deque[tuple[int, Record, Future[Fetched] | None]]") -> tuple[int, Record]:
    number, record, future = waiting.popleft()
    return number, record if future is None else downloaded(record, future.result)


def downloaded(record: Record, download: Callable[[], Fetched]) -> Record:
    """Return a record with the page that a function downloads, or with the reason why there is none."""
    try:
        page = download()
    except SourceError as error:
        status = error.http_status if isinstance(error, FetchError) else None
        is_large = isinstance(error, PageTooLargeError)
        return replace(record, error=str(error), too_large=is_large, http_status=status)
    return replace(record, url=page.url, body=page.body, encoding=page.encoding, http_status=page.http_status)
