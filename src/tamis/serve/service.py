"""The service behind the routes: fetch, extract, cache, count, and refuse what exceeds its capacity."""

import asyncio
import json
import logging
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from tamis.errors import (
    BlockedURLError,
    BudgetError,
    FetchError,
    FetchTimeoutError,
    OptionError,
    RenderError,
    TamisError,
)
from tamis.processes import AsyncPool, Budget, Failure, WorkerSpec
from tamis.render.registry import Format
from tamis.serve import jobs, monitoring
from tamis.serve.cache import Cache, Entry
from tamis.serve.capacity import ByteBudget, Slots
from tamis.serve.fetching import Coalescer, ServiceFetcher
from tamis.serve.jobs import FetchOptions, Job, JobResult, load_json
from tamis.serve.monitoring import Metrics
from tamis.serve.settings import Settings
from tamis.sources.fetched import Fetched

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver

    from tamis.browser import Browser
log = logging.getLogger("tamis.serve")

LINES_PER_WORKER: Final = 2  #: lines of a batch that are worked on at a time
_INLINE_JSON: Final = 262_144  #: bytes of JSON that are parsed on the event loop, in 20 ms at most
_READY_SECONDS: Final = 5.0


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
        self.settings, self.metrics = settings, Metrics(self.gauges)
        self.cache = Cache(settings.cache_size, settings.cache_file)
        self.slots = Slots(settings.max_requests, settings.max_waiting, settings.wait_timeout)
        self.batch_slots = Slots(settings.max_batches)
        self.buffered = ByteBudget(settings.max_buffered)
        self._fetcher = ServiceFetcher(settings, resolver)
        self._browser: Browser | None = None
        self._coalescer = Coalescer()
        self._result_schema: str | None = None
        self._last_success = 0.0
        batch_lines = settings.max_batches * LINES_PER_WORKER * settings.workers
        budget = Budget(wall=settings.wall_timeout, cpu=settings.cpu_timeout, memory=settings.max_memory)
        self.pool = AsyncPool(
            WorkerSpec(run_job, prepare, budget),
            size=settings.workers,
            max_queued=settings.max_requests + batch_lines,
        )

    async def start(self) -> None:
        """Start the worker processes and the fetcher. The browser starts with the first page that needs it."""
        await self._fetcher.start()
        self.pool.start()
        if self.settings.render != "never":
            self._browser = _make_browser(self.settings)

    async def close(self) -> None:
        """End the worker processes and the browser, and close the fetcher and the cache."""
        if self._browser is not None:
            await asyncio.to_thread(self._browser.close)
        await self._fetcher.close()
        await self.pool.aclose()
        self.cache.close()

    def slot(self) -> AbstractAsyncContextManager[None]:
        """Return a context in which a request is worked on; it waits for its turn."""
        return self.slots.take()

    async def run_in_slot(self, job: Job, url: str | None = None, options: FetchOptions | None = None) -> Entry:
        """Return the response for the page of a job, or for the page at a URL, when it is its turn."""
        async with self.slot():
            return await (self.run_job(job) if url is None else self.extract_url(url, job, options))

    async def fetch(self, url: str, options: FetchOptions | None = None) -> Fetched:
        """Return the page at a URL, from the cache if it is fresh."""
        options = options or FetchOptions()
        key = json.dumps(["page", url, options.headers], sort_keys=True)
        entry = await self.cache.get(key, options.max_age)
        if entry is not None:
            return Fetched(entry.body, **entry.attributes)
        began = time.perf_counter()
        try:
            page = await self._fetcher.get(url, options.headers, options.timeout)
        except FetchError as error:
            self.metrics.fetch("blocked" if isinstance(error, BlockedURLError) else "failed")
            raise
        finally:
            monitoring.add_time("fetch", time.perf_counter() - began)
        self.metrics.fetch("ok")
        if page.storable and not options.no_store:
            names = ("url", "encoding", "storable", "media_type", "max_age")
            attributes = {name: getattr(page, name) for name in names}
            await self.cache.put(key, await asyncio.to_thread(Entry.create, page.body, attributes, self._ttl(page)))
        return page

    async def extract_url(self, url: str, job: Job, options: FetchOptions | None = None) -> Entry:
        """Return the response for the page at a URL, from the cache if it is fresh.

        Args:
            url: the URL.
            job: what to make of the page; its `html` and `url` are filled in.
            options: how the page is fetched.
        """
        options = options or FetchOptions()
        key = _key(url, job, options)
        entry = None if options.no_store else await self.cache.get(key, options.max_age)
        if entry is not None:
            return entry
        refresh = f"{options.max_age} {options.no_store} "
        return await self._coalescer.run(refresh + key, lambda: self._extract_fetched(key, url, job, options))

    async def _extract_fetched(self, key: str, url: str, job: Job, options: FetchOptions) -> Entry:
        seconds = min(options.timeout or self.settings.request_timeout, self.settings.request_timeout)
        try:
            async with asyncio.timeout(seconds):
                if options.render == "always":
                    page = await self._render(url)
                    entry = await self._run_on(page, job, rendered=True)
                else:
                    page = await self.fetch(url, options)
                    job = replace(job, may_render=options.render == "auto")
                    entry = await self._run_on(page, job)
                    if options.render == "auto" and entry.attributes.get("needs_browser"):
                        entry = await self._better_rendered(url, page, job, entry)
        except TimeoutError as error:
            raise FetchTimeoutError(f"the page was not done within {seconds:g} seconds") from error
        if page.storable and not options.no_store:
            await self.cache.put(key, entry)
        return entry

    async def _run_on(self, page: Fetched, job: Job, *, rendered: bool = False) -> Entry:
        attributes = {"storable": page.storable, **({"rendered": True} if rendered else {})}
        full = replace(
            job,
            html=page.body,
            url=page.url,
            encoding=page.encoding,
            media_type=page.media_type,
            attributes=attributes,
        )
        return await self.run_job(full, ttl=self._ttl(page))

    async def _better_rendered(self, url: str, page: Fetched, job: Job, entry: Entry) -> Entry:
        """Return the response for a page as its scripts left it, if that is better."""
        from tamis.browser.scripted import Measure, is_better  # noqa: PLC0415 (only where pages are rendered)

        try:
            document = await self._render(url)
        except FetchError as error:
            log.info("a page was not rendered: %s", error)
            return entry
        document = replace(document, storable=page.storable, max_age=page.max_age)
        rendered = await self._run_on(document, job, rendered=True)
        measures = [Measure(**each.attributes["measure"]) for each in (rendered, entry)]
        return rendered if is_better(*measures) else entry

    async def _render(self, url: str) -> Fetched:
        assert self._browser is not None
        began = time.perf_counter()
        try:
            return await self._browser.load(url)
        except RenderError as error:
            raise FetchError(str(error)) from error
        finally:
            monitoring.add_time("render", time.perf_counter() - began)

    async def run_job(self, job: Job, *, wait: bool = False, ttl: float | None = None) -> Entry:
        """Return the response of a job. With `wait`, join the queue even if it is full."""
        result = await self._run(
            replace(job, max_output=self.settings.max_output, max_nodes=self.settings.max_nodes), wait=wait
        )
        seconds = self.settings.cache_ttl if ttl is None else ttl
        return Entry.create(result.body, result.attributes, seconds, result.etag)

    async def parse_json(self, body: bytes) -> Any:  # noqa: ANN401 (any JSON value)
        """Return the value of a JSON body. A large one is parsed in a worker process: parsing holds up a thread."""
        if len(body) <= _INLINE_JSON:
            try:
                return load_json(body)
            except ValueError as error:
                raise OptionError(str(error)) from error
        return (await self._run(Job(body, "request"), wait=True)).value

    async def is_ready(self) -> bool:
        """Return whether worker processes answer."""
        if time.monotonic() - self._last_success < _READY_SECONDS:
            return True
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await self._run(Job("", "ping"), wait=True)
        except (TimeoutError, TamisError, RuntimeError):
            return False
        return True

    async def result_schema(self) -> str:
        """Return the JSON schema of results, as JSON."""
        if self._result_schema is None:
            entry = await self.run_job(Job("", "schema"), wait=True)
            self._result_schema = entry.plain_body().decode()
        return self._result_schema

    def gauges(self) -> dict[str, float]:
        """Return the current values for ``/metrics``."""
        return {
            "tamis_active_requests": self.slots.active,
            "tamis_waiting_requests": self.slots.waiting,
            "tamis_active_batches": self.batch_slots.active,
            "tamis_buffered_bytes": self.buffered.used,
            "tamis_queued_jobs": self.pool.queued,
            "tamis_busy_workers": self.pool.running,
            "tamis_worker_restarts_total": self.pool.restarts,
            "tamis_cache_bytes": self.cache.memory.size,
            "tamis_cache_entries": len(self.cache.memory),
            "tamis_cache_hits_total": self.cache.hits,
            "tamis_cache_misses_total": self.cache.misses,
        }

    async def _run(self, job: Job, *, wait: bool = False) -> JobResult:
        began = time.perf_counter()
        try:
            outcome = await self.pool.run(job, wait=wait)
        finally:
            monitoring.add_time("work", time.perf_counter() - began)
        if isinstance(outcome, Failure):
            raise _error(outcome)
        self._last_success = time.monotonic()
        return outcome.value

    def _ttl(self, page: Fetched) -> float:
        ttl = self.settings.cache_ttl
        return ttl if page.max_age is None else min(ttl, page.max_age)


def _key(url: str, job: Job, options: FetchOptions) -> str:
    output = f"format {job.output.name}" if isinstance(job.output, Format) else job.output
    prefs = [job.prefs.text_only, job.prefs.reader_links, job.prefs.display, job.prefs.in_url]
    rest = [job.options, job.shown, prefs, job.names, job.max_tokens, job.overlap]
    return json.dumps([output, url, *rest, options.headers, options.render], sort_keys=True)


#: The options of the limits that a page can exceed in a worker process.
_OPTIONS: Final = {"timeout": "--wall-timeout", "cpu": "--cpu-timeout", "memory": "--max-memory"}


def _error(failure: Failure[Job]) -> Exception:
    """Return the error to raise for a failed job. Bugs are logged, and not disclosed to clients."""
    if failure.status != "error":
        option = _OPTIONS.get(failure.status)
        return BudgetError(f"the page {failure.message}" + (f"; see {option}" if option else ""))
    if isinstance(failure.error, TamisError):
        return failure.error
    log.error("a worker failed on a page\n%s", failure.traceback or failure.message)
    return RuntimeError(failure.message)


def _make_browser(settings: Settings) -> "Browser":
    from tamis.browser import Browser, BrowserConfig  # noqa: PLC0415 (an extra)

    return Browser(
        BrowserConfig(
            scripts=True,
            network=True,
            policy=settings.policy,
            fetch_limits=settings.limits,
            media=False,
            timeout=settings.render_timeout,
            concurrency=settings.max_renders,
        )
    )
