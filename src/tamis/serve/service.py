"""The service behind the routes: fetch, extract, cache, count, and refuse what exceeds its capacity."""

import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tamis.errors import BlockedURLError, BudgetError, BusyError, FetchError, TamisError
from tamis.processes import AsyncPool, Budget, Failure
from tamis.render.registry import Format
from tamis.serve import jobs
from tamis.serve.cache import Cache, Entry
from tamis.serve.jobs import Job, JobResult, ReaderPrefs, View
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
        run_job: Callable[[Job], JobResult] = jobs.run,
        prepare: Callable[[], None] | None = jobs.prepare,
    ) -> None:
        self.settings, self.metrics = settings, Metrics()
        self.cache = Cache(settings.cache_size, settings.cache_file)
        self.active_requests = 0
        self._resolver = resolver
        self._fetcher: Fetcher | None = None
        self._result_schema: str | None = None
        self.pool = AsyncPool(
            run_job,
            size=settings.workers,
            max_queued=settings.max_requests,
            prepare=prepare,
            budget=Budget(wall=settings.wall_timeout, cpu=settings.cpu_timeout, memory=settings.max_memory),
        )

    async def start(self) -> None:
        """Start the worker processes and the fetcher."""
        self._fetcher = Fetcher(self.settings.policy, self.settings.limits, self._resolver)
        await self.pool.start()

    async def close(self) -> None:
        """End the worker processes and close the fetcher and the cache."""
        if self._fetcher is not None:
            await self._fetcher.close()
        await self.pool.close()
        self.cache.close()

    def check_capacity(self) -> None:
        """Raise `BusyError` if too many requests are active. Before its body is read, a refusal is cheap."""
        if self.active_requests >= self.settings.max_requests:
            raise BusyError("at capacity; retry later")

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Count a request as active, or raise `BusyError` if too many are."""
        self.check_capacity()
        self.active_requests += 1
        try:
            yield
        finally:
            self.active_requests -= 1

    async def fetch(self, url: str) -> Fetched:
        """Return the page at a URL, from the cache if it is fresh."""
        key = f"page {url}"
        entry = await self.cache.get(key)
        if entry is not None:
            return Fetched(entry.body, entry.attributes["url"], entry.attributes["encoding"])
        assert self._fetcher is not None
        try:
            page = await self._fetcher.get(url)
        except FetchError as error:
            self.metrics.fetch("blocked" if isinstance(error, BlockedURLError) else "failed")
            raise
        self.metrics.fetch("ok")
        if page.storable:
            attributes = {"url": page.url, "encoding": page.encoding}
            await self.cache.put(key, Entry.create(page.body, attributes, self.settings.cache_ttl))
        return page

    async def extract_url(
        self, url: str, output: Format | View, options: dict[str, Any], prefs: ReaderPrefs | None = None
    ) -> Entry:
        """Return the response for the page at a URL, from the cache if it is fresh."""
        prefs = prefs or ReaderPrefs()
        output_key = f"format {output.name}" if isinstance(output, Format) else output
        key = json.dumps([output_key, options, prefs.text_only, prefs.display, url], sort_keys=True)
        entry = await self.cache.get(key)
        if entry is not None:
            return entry
        page = await self.fetch(url)
        entry = await self.run_job(Job(page.body, output, page.url, page.encoding, options, prefs))
        if page.storable:
            await self.cache.put(key, entry)
        return entry

    async def run_job(self, job: Job, *, wait: bool = False) -> Entry:
        """Return the response of a job. With `wait`, join the queue even if it is full."""
        outcome = await self.pool.run(job, wait=wait)
        if isinstance(outcome, Failure):
            raise _error(outcome)
        result = outcome.value
        attributes = {
            "content_type": result.content_type,
            "policy": result.policy,
            "empty_reason": result.empty_reason,
        }
        return Entry.create(result.body, attributes, self.settings.cache_ttl)

    async def result_schema(self) -> str:
        """Return the JSON schema of results, as JSON."""
        if self._result_schema is None:
            self._result_schema = (await self.run_job(Job("", "schema"), wait=True)).body.decode()
        return self._result_schema

    def gauges(self) -> dict[str, float]:
        """Return the current values for ``/metrics``."""
        return {
            "tamis_active_requests": self.active_requests,
            "tamis_queued_jobs": self.pool.queued,
            "tamis_busy_workers": self.pool.running,
            "tamis_worker_restarts_total": self.pool.restarts,
            "tamis_cache_bytes": self.cache.memory.size,
            "tamis_cache_entries": len(self.cache.memory),
            "tamis_cache_hits_total": self.cache.hits,
            "tamis_cache_misses_total": self.cache.misses,
        }


def _error(failure: Failure[Job]) -> Exception:
    """Return the error to raise for a failed job. Bugs are logged, and not disclosed to clients."""
    if failure.status != "error":
        return BudgetError(f"the page {failure.message}")
    if isinstance(failure.error, TamisError):
        return failure.error
    log.error("a worker failed on a page\n%s", failure.traceback or failure.message)
    return RuntimeError(failure.message)
