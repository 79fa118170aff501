"""The service behind the routes: fetch, extract, cache, count; and turn away what is too much."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tamis.errors import BlockedURLError, BudgetError, BusyError, FetchError, TamisError
from tamis.processes import AsyncPool, Budget, Failure
from tamis.serve import jobs
from tamis.serve.cache import Cache, Entry
from tamis.serve.jobs import Answer, Job
from tamis.serve.metrics import Metrics
from tamis.serve.settings import Settings
from tamis.sources.fetch import Fetcher
from tamis.sources.fetched import Fetched

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver

log = logging.getLogger("tamis.serve")


class Service:
    """Everything that lives as long as the server does."""

    def __init__(
        self,
        settings: Settings,
        *,
        resolver: "AbstractResolver | None" = None,
        work: Callable[[Job], Answer] = jobs.run,
        prepare: Callable[[], None] | None = jobs.prepare,
    ) -> None:
        self.settings, self.metrics = settings, Metrics()
        self.cache = Cache(settings.cache, settings.cache_file)
        self.active = 0
        self._resolver = resolver
        self._fetcher: Fetcher | None = None
        self.pool = AsyncPool(
            work,
            size=settings.workers,
            max_queued=settings.requests,
            prepare=prepare,
            budget=Budget(wall=settings.wall_timeout, cpu=settings.cpu, memory=settings.memory),
        )

    async def start(self) -> None:
        """Start what runs: the workers and the fetcher."""
        self._fetcher = Fetcher(self.settings.policy, self.settings.limits, self._resolver)
        await self.pool.start()

    async def close(self) -> None:
        """End what runs."""
        if self._fetcher is not None:
            await self._fetcher.close()
        await self.pool.close()
        self.cache.close()

    def turn_away(self) -> None:
        """Raise an error where there is no room for another request: before its body is read, a refusal is cheap."""
        if self.active >= self.settings.requests:
            raise BusyError("there is enough to do for now; ask again in a moment")

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Take one of the places for requests that are worked on; where none is free, an error says so."""
        self.turn_away()
        self.active += 1
        try:
            yield
        finally:
            self.active -= 1

    async def fetch(self, url: str) -> Fetched:
        """Return the page at an address, from the cache where it is fresh."""
        key = f"page {url}"
        kept = await self.cache.get(key)
        if kept is not None:
            return Fetched(kept.body, kept.facts["url"], kept.facts["encoding"])
        assert self._fetcher is not None
        try:
            page = await self._fetcher.get(url)
        except FetchError as error:
            self.metrics.fetch("refused" if isinstance(error, BlockedURLError) else "failed")
            raise
        self.metrics.fetch("ok")
        if page.storable:
            facts = {"url": page.url, "encoding": page.encoding}
            await self.cache.put(key, Entry.of(page.body, facts, self.settings.cache_seconds))
        return page

    async def read(self, url: str, form: str, options: dict[str, Any], look: jobs.Look | None = None) -> Entry:
        """Return the answer for a page at an address, from the cache where it is fresh."""
        look = look or jobs.Look()
        key = json.dumps([form, options, look.text_only, look.switches, url], sort_keys=True)
        kept = await self.cache.get(key)
        if kept is not None:
            return kept
        page = await self.fetch(url)
        entry = await self.make(Job(page.body, page.url, page.encoding, form, options, look))
        if page.storable:
            await self.cache.put(key, entry)
        return entry

    async def make(self, job: Job, *, wait: bool = False) -> Entry:
        """Return the response for a page that is here. With `wait`, join the queue even if it is full."""
        outcome = await self.pool.run(job, wait=wait)
        if isinstance(outcome, Failure):
            raise _error(outcome)
        made = outcome.value
        facts = {"type": made.media_type, "policy": made.policy, "empty_reason": made.empty_reason}
        return Entry.of(made.body, facts, self.settings.cache_seconds)

    def gauges(self) -> dict[str, float]:
        """Return what the service is like now."""
        return {
            "tamis_active_requests": self.active,
            "tamis_queued_jobs": self.pool.queued,
            "tamis_busy_workers": self.pool.running,
            "tamis_worker_restarts_total": self.pool.restarts,
            "tamis_cache_bytes": self.cache.memory.size,
            "tamis_cache_entries": len(self.cache.memory),
            "tamis_cache_hits_total": self.cache.hits,
            "tamis_cache_misses_total": self.cache.misses,
        }


def _error(failure: Failure[Job]) -> Exception:
    """Return the error to raise for a page that was not extracted. Bugs are logged, and not told to clients."""
    if failure.status != "error":
        return BudgetError(f"the page {failure.message}")
    if isinstance(failure.error, TamisError):
        return failure.error
    log.error("a worker failed on a page\n%s", failure.traceback or failure.message)
    return RuntimeError(failure.message)
