"""Chromium at work, seen from inside an event loop: tabs, time limits, crashes.

Where neither scripts run nor the network is there, nothing of a page outlives it, so a tab is used for page after
page. Otherwise each page has a context of its own, which is thrown away with everything that the page left in it.
"""

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from tamis.errors import BrowserError, MissingExtraError, RenderError
from tamis.visual.chromium import find_chromium, flags, sandboxed
from tamis.visual.config import MOST_ROWS, Settings
from tamis.visual.snapshot import Snapshot

if TYPE_CHECKING:
    from playwright.async_api import Browser as Process
    from playwright.async_api import BrowserContext, CDPSession, Playwright, Route
    from playwright.async_api import Page as TabPage

#: The address of pages that have none; by RFC 2606 nobody can have it.
NOWHERE: Final = "http://page.invalid/"
#: Seconds that a page which runs scripts may go on loading after its document is there.
_SETTLE: Final = 5.0
#: Seconds that closing a tab may take before the whole browser is given up.
_CLOSE: Final = 20.0
#: Seconds that a browser may take to start, on a busy machine.
_START: Final = 120.0
#: Pixels: Chromium draws no picture that is taller.
_TALLEST: Final = 16_000


@dataclass(frozen=True, slots=True)
class Job:
    """A page to draw: markup, or an address to load; and what is wanted of it besides layout."""

    markup: str | None
    url: str | None = None
    mark: str | None = None
    picture: bool = False


@dataclass
class _Tab:
    context: "BrowserContext"
    page: "TabPage"
    session: "CDPSession"
    network: bool
    job: Job | None = None
    served: bool = False

    async def answer(self, route: "Route") -> None:
        """Give the page its own markup, once; everything else is refused, or let through where that is allowed."""
        job = self.job
        own = job is not None and job.markup is not None and not self.served
        if own and route.request.is_navigation_request():
            assert job is not None
            assert job.markup is not None
            self.served = True
            # The browser takes one byte-order mark away; one that belongs to the markup stays.
            body = b"\xef\xbb\xbf" + job.markup.encode("utf-8", "replace")
            await route.fulfill(body=body, headers={"content-type": "text/html; charset=utf-8"})
        elif self.network:
            await route.continue_()
        else:
            # An aborted navigation leaves the page where it is; any other failure would show an error page.
            await route.abort("aborted")


@cache
def _collector() -> str:
    return files("tamis.visual").joinpath("collect.js").read_text("utf-8")


@dataclass(slots=True)
class Engine:
    """One browser process and its tabs. All of it belongs to one event loop."""

    settings: Settings
    _driver: "Playwright | None" = None
    _process: "Process | None" = None
    _free: list[_Tab] = field(default_factory=list)
    _slots: asyncio.Semaphore = field(init=False)
    _starting: asyncio.Lock = field(default_factory=asyncio.Lock)

    def __post_init__(self) -> None:
        self._slots = asyncio.Semaphore(self.settings.pages)

    async def draw(self, job: Job) -> tuple[Snapshot, bytes | None]:
        """Draw a page. A browser that dies on the way is started again, and the page tried once more."""
        async with self._slots:
            for again in (True, False):
                await self._start()
                from playwright.async_api import Error  # noqa: PLC0415 (an extra; `_start` says so if it is missing)

                try:
                    return await asyncio.wait_for(self._draw(job), self.settings.timeout)
                except TimeoutError as error:
                    raise RenderError(f"Chromium did not draw it within {self.settings.timeout:g} s") from error
                except Error as error:
                    if (again and job.markup is not None) or self._is_dead():
                        continue
                    raise RenderError(f"Chromium could not draw it: {_first_line(error)}") from error
        raise RenderError("Chromium crashed on it, twice")

    def _is_dead(self) -> bool:
        return self._process is None or not self._process.is_connected()

    async def _start(self) -> None:
        async with self._starting:
            if not self._is_dead():
                return
            await self.close()
            try:
                from playwright.async_api import Error, async_playwright  # noqa: PLC0415 (an extra)
            except ImportError as error:
                raise MissingExtraError.for_module("playwright", "visual") from error
            path = find_chromium(self.settings.executable)
            try:
                self._driver = await async_playwright().start()
                self._process = await self._driver.chromium.launch(
                    executable_path=path,
                    args=flags(network=self.settings.network),
                    chromium_sandbox=sandboxed(),
                    timeout=1000 * _START,
                )
            except Error as error:
                await self.close()
                raise BrowserError(f"{path} does not start: {_first_line(error)}") from error

    async def close(self) -> None:
        """End the browser and its driver, whatever state they are in."""
        process, driver = self._process, self._driver
        self._process = self._driver = None
        self._free.clear()
        for end in (process.close if process else None, driver.stop if driver else None):
            if end is not None:
                with suppress(Exception):  # it may be dead already, which is what is wanted
                    await asyncio.wait_for(end(), _CLOSE)

    async def _tab(self) -> _Tab:
        if self._free:
            return self._free.pop()
        wanted, process = self.settings, self._process
        assert process is not None, "started by draw"
        context = await process.new_context(
            viewport={"width": wanted.width, "height": wanted.height},
            device_scale_factor=wanted.scale,
            is_mobile=wanted.mobile,
            has_touch=wanted.mobile,
            java_script_enabled=wanted.scripts,
            service_workers="block",
            accept_downloads=False,
            reduced_motion="reduce",
        )
        page = await context.new_page()
        tab = _Tab(context, page, await context.new_cdp_session(page), network=wanted.network)
        await context.route("**/*", tab.answer)
        return tab

    async def _draw(self, job: Job) -> tuple[Snapshot, bytes | None]:
        tab = await self._tab()
        tab.job, tab.served = job, False
        done = False
        try:
            await self._load(tab, job)
            snapshot = Snapshot.unpack(await self._collect(tab, job.mark))
            picture = await self._picture(tab, snapshot) if job.picture else None
            done = True
        finally:
            if done and not self.settings.scripts and not self.settings.network:
                self._free.append(tab)
            else:
                await self._discard(tab)
        return snapshot, picture

    async def _load(self, tab: _Tab, job: Job) -> None:
        from playwright.async_api import TimeoutError as TooLate  # noqa: PLC0415 (an extra)

        address = job.url or NOWHERE
        response = await tab.page.goto(address, wait_until="commit", timeout=0)
        if response is not None and response.status >= 400:  # noqa: PLR2004 (HTTP's error codes)
            raise RenderError(f"the server answered {response.status} {response.status_text}".strip())
        patience = 1000 * self.settings.timeout / 2
        states: tuple[tuple[Any, float], ...] = (("load", patience),)
        if self.settings.scripts or self.settings.network:
            states = (("load", patience), ("networkidle", 1000 * min(_SETTLE, self.settings.timeout / 4)))
        for state, most in states:
            try:
                await tab.page.wait_for_load_state(state, timeout=most)
            except TooLate:  # a picture or a tracker that never comes: what is there is read
                break

    @staticmethod
    async def _collect(tab: _Tab, mark: str | None) -> dict[str, Any]:
        tree = await tab.session.send("Page.getFrameTree")
        world = await tab.session.send(
            "Page.createIsolatedWorld", {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "tamis"}
        )
        answer = await tab.session.send(
            "Runtime.evaluate",
            {
                "expression": f"({_collector()})({MOST_ROWS}, {json.dumps(mark)})",
                "contextId": world["executionContextId"],
                "returnByValue": True,
            },
        )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RenderError(f"its boxes could not be read: {details.get('exception', details).get('description')}")
        value: dict[str, Any] = answer["result"]["value"]
        if value.get("tooMany"):
            raise RenderError(f"it has more than {MOST_ROWS} nodes, too many to draw")
        return value

    @staticmethod
    async def _picture(tab: _Tab, snapshot: Snapshot) -> bytes:
        width, height = max(snapshot.width, 1), min(max(snapshot.height, 1), _TALLEST)
        return await tab.page.screenshot(
            full_page=True, clip={"x": 0, "y": 0, "width": width, "height": height}, scale="css", timeout=0
        )

    async def _discard(self, tab: _Tab) -> None:
        """Close a tab; one that cannot be closed takes its browser with it, and the next page starts a new one."""
        try:
            await asyncio.wait_for(tab.context.close(), _CLOSE)
        except Exception:  # noqa: BLE001 (crashed, hanging or closed already)
            if not self._is_dead():
                await self.close()


def _first_line(error: Exception) -> str:
    """Return what playwright says without its log."""
    return str(error).partition("\n")[0].removeprefix("Page.goto: ")
