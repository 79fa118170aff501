"""Capacity: how many requests are worked on, how many wait, and how many bytes are held for them."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from tamis.errors import (
    BusyError,
)

_MESSAGE = "at capacity; retry later"


class Slots:
    """Places for requests. A few more wait for a place, first come first served; the others are refused.

    Requests that wait cost little, and refusing them costs the client a retry. With 256 clients that retry at once,
    refusals took half of the throughput.
    """

    def __init__(self, size: int, max_waiting: int = 0, wait_timeout: float = 0) -> None:
        self.size, self.max_waiting, self.wait_timeout = size, max_waiting, wait_timeout
        self.active = self.waiting = 0
        self._free = asyncio.Semaphore(size)

    def check(self) -> None:
        """Raise `BusyError` if a request would be refused now. Before its body is read, a refusal is cheap."""
        if self._free.locked() and self.waiting >= self.max_waiting:
            raise BusyError(_MESSAGE)

    @asynccontextmanager
    async def take(self) -> AsyncIterator[None]:
        """Hold a place. `BusyError` if too many wait, or if the wait takes too long."""
        self.check()
        self.waiting += 1
        try:
            async with asyncio.timeout(self.wait_timeout or None):
                await self._free.acquire()
        except TimeoutError as error:
            raise BusyError(_MESSAGE) from error
        finally:
            self.waiting -= 1
        self.active += 1
        try:
            yield
        finally:
            self.active -= 1
            self._free.release()


class ByteBudget:
    """Bytes that may be held at a time.

    >>> budget = ByteBudget(10)
    >>> with budget.hold() as held:
    ...     held.add(8)
    ...     budget.used
    8
    >>> budget.used
    0
    """

    def __init__(self, size: int) -> None:
        self.size, self.used = size, 0

    @contextmanager
    def hold(self, size: int = 0) -> Iterator["HeldBytes"]:
        """Hold bytes until the block ends."""
        held = HeldBytes(self)
        try:
            held.add(size)
            yield held
        finally:
            self.used -= held.size

    def check(self, size: int) -> None:
        """Raise `BusyError` if there is no room for some bytes."""
        if self.used + size > self.size:
            raise BusyError(_MESSAGE)

    @contextmanager
    def hold_always(self, size: int) -> Iterator[None]:
        """Hold bytes until the block ends, even if there is no room; others are then refused."""
        self.used += size
        try:
            yield
        finally:
            self.used -= size


class HeldBytes:
    """Bytes of one request that count against a budget."""

    def __init__(self, budget: ByteBudget) -> None:
        self.budget, self.size = budget, 0

    def add(self, size: int) -> None:
        """Hold more bytes; `BusyError` if there is no room for them."""
        self.budget.check(size)
        self.budget.used += size
        self.size += size
