"""`Engine`: a Chromium process and its tabs, on one event loop. It enforces time limits and survives crashes.

All requests of all pages go through `GuardProxy`, those of frames, workers and web sockets included. With scripts and
network off, nothing of a page outlives it, so tabs are reused. Otherwise each page has a browser context of its own,
which is discarded with everything that the page stored in it.
"""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from tamis.browser.config import MAX_ROWS, BrowserConfig, can_sandbox, find_chromium, launch_flags
from tamis.browser.guard import REFUSED, UNREACHABLE, GuardProxy
from tamis.browser.match import Snapshot
from tamis.errors import (
    BlockedURLError,
    BrowserError,
    InvalidURLError,
    PageTooLargeError,
    RenderError,
    needs_extra,
)
from tamis.sources.guard import BLOCKED_MESSAGE

if TYPE_CHECKING:
    from playwright.async_api import Browser as Process
    from playwright.async_api import BrowserContext, CDPSession, Playwright, Request, Route
    from playwright.async_api import Page as TabPage

#: The URL of pages that have none. RFC 2606 reserves ``.invalid``, so no server can have it.
PLACEHOLDER_URL: Final = "http://page.invalid/"
#: Seconds that closing a tab may take before the whole browser is given up.
_CLOSE_TIMEOUT: Final = 20.0
#: Seconds that the browser may take to start, on a busy machine.
_START_TIMEOUT: Final = 120.0
#: Pixels. Chromium takes no taller screenshots.
_MAX_SCREENSHOT_HEIGHT: Final = 16_000
#: Characters of a document that are read with its layout.
_MAX_DOCUMENT: Final = 50_000_000
_MEDIA_TYPES: Final = frozenset({"image", "media", "font"})
_FIRST_ERROR_STATUS: Final = 400


@dataclass(frozen=True, slots=True)
class Job:
    """A page to render.

    Attributes:
        markup: the page's markup; if None, `url` is loaded.
        url: the page's URL.
        id_attribute: if given, the browser writes each element's number into this attribute and returns the document.
    """

    markup: str | None
    url: str | None = None
    id_attribute: str | None = None
    screenshot: bool = False


@dataclass
class _Tab:
    context: "BrowserContext"
    page: "TabPage"
    session: "CDPSession"
    config: BrowserConfig
    job: Job | None = None
    served: bool = False
    #: Whether a script tried to leave the page. Chromium then stops loading it, and a ``load`` event may never come.
    stopped: asyncio.Event = field(default_factory=asyncio.Event)

    async def handle_request(self, route: "Route") -> None:
        """Serve the page's own markup once. Block other requests unless the network is allowed."""
        job = self.job
        if job is not None and job.markup is not None and not self.served and route.request.is_navigation_request():
            self.served = True
            # The browser removes one byte-order mark, so a mark that belongs to the markup stays.
            body = b"\xef\xbb\xbf" + job.markup.encode("utf-8", "replace")
            await route.fulfill(body=body, headers={"content-type": "text/html; charset=utf-8"})
        elif self.config.network and (self.config.media or route.request.resource_type not in _MEDIA_TYPES):
            await route.continue_()  # to the guard
        else:
            # An aborted navigation leaves the page as it is; any other failure would show an error page.
            await route.abort("aborted")
            if self.served and self._is_navigation(route.request):
                self.stopped.set()

    def _is_navigation(self, request: "Request") -> bool:
        """Return whether a request is for another page in this tab, not in a frame or a window of its own."""
        from playwright.async_api import Error  # noqa: PLC0415 (an extra)

        try:
            return request.is_navigation_request() and request.frame == self.page.main_frame
        except Error:  # a window that is being opened has no frame yet
            return False


#: An expression: the characters of the document's markup.
_DOCUMENT_SIZE: Final = "document.documentElement ? document.documentElement.outerHTML.length : 0"


@cache
def _collect_script() -> str:
    return files("tamis.browser").joinpath("collect.js").read_text("utf-8")


@dataclass(slots=True)
class Engine:
    """One browser process and its tabs. All of it belongs to one event loop."""

    config: BrowserConfig
    _driver: "Playwright | None" = None
    _process: "Process | None" = None
    _idle_tabs: list[_Tab] = field(default_factory=list)
    _slots: asyncio.Semaphore = field(init=False)
    _starting: asyncio.Lock = field(default_factory=asyncio.Lock)
    guard: GuardProxy = field(init=False)

    def __post_init__(self) -> None:
        config = self.config
        self._slots = asyncio.Semaphore(config.concurrency)
        self.guard = GuardProxy(
            config.policy if config.network else None, config.fetch_limits, timeout=config.timeout
        )

    async def render(self, job: Job) -> tuple[Snapshot, bytes | None]:
        """Render a page. If the browser dies meanwhile, restart it and try the page once more."""
        if job.url is not None and urlsplit(job.url).scheme.lower() not in {"http", "https"}:
            raise InvalidURLError("only http and https URLs are rendered")
        async with self._slots:
            for may_retry in (True, False):
                await self._start()
                from playwright.async_api import Error  # noqa: PLC0415 (an extra; `_start` says so if it is missing)

                try:
                    return await asyncio.wait_for(self._render(job), self.config.timeout)
                except TimeoutError as error:
                    raise RenderError(f"Chromium did not render the page within {self.config.timeout:g} s") from error
                except Error as error:
                    self._check_refused(job.url)
                    if (may_retry and job.markup is not None) or self._is_dead():
                        continue
                    raise RenderError(f"Chromium could not render the page: {_first_line(error)}") from error
        raise RenderError("Chromium crashed twice on the page")

    def _check_refused(self, url: str | None) -> None:
        """Raise an error if the guard refused the page itself: of an encrypted one, Chromium does not say so."""
        parts = urlsplit(url or "")
        port = parts.port or (443 if parts.scheme == "https" else 80)
        if url is not None and self.guard.has_refused(parts.hostname or "", port):
            raise BlockedURLError(BLOCKED_MESSAGE)

    def _is_dead(self) -> bool:
        return self._process is None or not self._process.is_connected()

    async def _start(self) -> None:
        async with self._starting:
            if not self._is_dead():
                return
            await self.close()
            with needs_extra("playwright", "browser"):
                from playwright.async_api import Error, async_playwright  # noqa: PLC0415 (an extra)
            path = find_chromium(self.config.executable)
            try:
                await self.guard.start()
                self._driver = await async_playwright().start()
                self._process = await self._driver.chromium.launch(
                    executable_path=path,
                    args=launch_flags(),
                    proxy={"server": self.guard.url, "bypass": "<-loopback>"},
                    chromium_sandbox=can_sandbox(),
                    timeout=1000 * _START_TIMEOUT,
                )
            except Error as error:
                await self.close()
                raise BrowserError(f"{path} does not start: {_first_line(error)}") from error

    async def close(self) -> None:
        """End the browser and its driver, whatever state they are in."""
        process, driver = self._process, self._driver
        self._process = self._driver = None
        self._idle_tabs.clear()
        for end in (process.close if process else None, driver.stop if driver else None):
            if end is not None:
                with suppress(Exception):  # it may be dead already, which is the goal
                    await asyncio.wait_for(end(), _CLOSE_TIMEOUT)
        await self.guard.close()

    async def _open_tab(self) -> _Tab:
        if self._idle_tabs:
            return self._idle_tabs.pop()
        config, process = self.config, self._process
        assert process is not None, "started by render"
        context = await process.new_context(
            viewport={"width": config.width, "height": config.height},
            device_scale_factor=config.device_scale,
            is_mobile=config.mobile,
            has_touch=config.mobile,
            java_script_enabled=config.scripts,
            service_workers="block",
            accept_downloads=False,
            reduced_motion="reduce",
        )
        page = await context.new_page()
        tab = _Tab(context, page, await context.new_cdp_session(page), config)
        await context.route("**/*", tab.handle_request)
        context.on("page", lambda popup: asyncio.ensure_future(popup.close()))
        return tab

    async def _render(self, job: Job) -> tuple[Snapshot, bytes | None]:
        tab = await self._open_tab()
        tab.job, tab.served = job, False
        tab.stopped.clear()
        done = False
        try:
            await self._load(tab, job)
            await self._check_size(tab, job)
            snapshot = Snapshot.from_packed(await self._collect(tab, job.id_attribute))
            screenshot = await self._screenshot(tab, snapshot) if job.screenshot else None
            done = True
        finally:
            if done and not self.config.scripts and not self.config.network:
                self._idle_tabs.append(tab)
            else:
                await self._discard(tab)
        return snapshot, screenshot

    async def _load(self, tab: _Tab, job: Job) -> None:
        from playwright.async_api import TimeoutError as PlaywrightTimeoutError  # noqa: PLC0415 (an extra)

        response = await tab.page.goto(job.url or PLACEHOLDER_URL, wait_until="commit", timeout=0)
        if response is not None and response.status >= _FIRST_ERROR_STATUS:
            proxy_status = response.headers.get("proxy-status")
            if proxy_status == REFUSED:
                raise BlockedURLError(BLOCKED_MESSAGE)
            if proxy_status == UNREACHABLE:
                raise RenderError("cannot connect to the page's server")
            raise RenderError(f"the server answered {response.status} {response.status_text}".strip())
        settle = min(self.config.settle, self.config.timeout / 4)
        load = asyncio.ensure_future(tab.page.wait_for_load_state("load", timeout=1000 * self.config.timeout / 2))
        stopped = asyncio.ensure_future(tab.stopped.wait())
        try:
            await asyncio.wait({load, stopped}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait_for(load, None if load.done() else settle)
            if self.config.scripts or self.config.network:
                await tab.page.wait_for_load_state("networkidle", timeout=1000 * settle)
        except (PlaywrightTimeoutError, TimeoutError):  # an image or a tracker that never arrives: read what is there
            return
        finally:
            load.cancel()
            stopped.cancel()

    async def _check_size(self, tab: _Tab, job: Job) -> None:
        """Raise an error if the document is too large to be read, or is not of the web any more."""
        limit = self.config.fetch_limits.max_bytes if job.markup is None else _MAX_DOCUMENT
        if await self._evaluate(tab, _DOCUMENT_SIZE) > limit:
            raise PageTooLargeError(f"the rendered page is larger than {limit / 1_000_000:g} MB")
        if urlsplit(tab.page.url).scheme not in {"http", "https"}:
            raise RenderError("the page led elsewhere")

    async def _collect(self, tab: _Tab, id_attribute: str | None) -> dict[str, Any]:
        """Return the value of ``collect.js``."""
        expression = f"({_collect_script()})({MAX_ROWS}, {json.dumps(id_attribute)})"
        value: dict[str, Any] = await self._evaluate(tab, expression)
        if value.get("tooManyNodes"):
            raise RenderError(f"the rendered document has more than {MAX_ROWS} nodes")
        return value

    @staticmethod
    async def _evaluate(tab: _Tab, expression: str) -> Any:  # noqa: ANN401 (a JSON value)
        """Return the value of an expression in an isolated world of the page, which its scripts cannot change."""
        tree = await tab.session.send("Page.getFrameTree")
        world = await tab.session.send(
            "Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "tamis"}
        )
        response = await tab.session.send(
            "Runtime.evaluate",
            {"expression": expression, "contextId": world["executionContextId"], "returnByValue": True},
        )
        if "exceptionDetails" in response:
            details = response["exceptionDetails"]
            description = details.get("exception", details).get("description")
            raise RenderError(f"the document could not be read: {description}")
        return response["result"].get("value")

    @staticmethod
    async def _screenshot(tab: _Tab, snapshot: Snapshot) -> bytes:
        width, height = max(snapshot.width, 1), min(max(snapshot.height, 1), _MAX_SCREENSHOT_HEIGHT)
        return await tab.page.screenshot(
            full_page=True, clip={"x": 0, "y": 0, "width": width, "height": height}, scale="css", timeout=0
        )

    async def _discard(self, tab: _Tab) -> None:
        """Close a tab. If that fails, close the whole browser; the next page starts a new one."""
        try:
            await asyncio.wait_for(tab.context.close(), _CLOSE_TIMEOUT)
        except Exception:  # noqa: BLE001 (crashed, hanging or closed already)
            if not self._is_dead():
                await self.close()


def _first_line(error: Exception) -> str:
    """Return playwright's message without its log."""
    return str(error).partition("\n")[0].removeprefix("Page.goto: ")
