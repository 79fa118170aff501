"""Pages that need their scripts, rendered by Chromium (extra ``visual``) behind the guard.

Chromium runs in a thread with its own event loop. Each page has a context of its own: no cookies, no storage, no
service workers, no downloads. All its connections go through `GuardProxy`.
"""

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, TypeVar

from tamis.errors import BlockedURLError, FetchError, FetchTimeoutError, InvalidURLError, MissingExtraError
from tamis.serve.guard_proxy import REFUSED, GuardProxy
from tamis.serve.settings import Settings
from tamis.sources.fetched import Fetched
from tamis.sources.ssrf import BLOCKED_MESSAGE
from tamis.visual.chromium import can_sandbox, find_chromium, launch_flags

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Playwright

_Value = TypeVar("_Value")
#: Chromium makes no connection but those to the proxy, loopback included, and resolves no name.
_GUARD_FLAGS: Final = (
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-webrtc-apm-in-audio-service",
    "--no-pings",
)
_SETTLE_SECONDS: Final = 3.0  #: after the document is parsed, for scripts to fetch and show content
_SKIPPED_TYPES: Final = frozenset({"image", "media", "font"})
_FIRST_ERROR_STATUS: Final = 400


class Renderer:
    """Chromium for the pages of one service.

    Args:
        settings: with the policy and the limits.
        skip_media: do not load images, sounds, videos and fonts, which the text of a page does not need.
    """

    def __init__(self, settings: Settings, *, skip_media: bool = True) -> None:
        self._settings, self._skip_media = settings, skip_media
        self.proxy = GuardProxy(settings)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tamis-render", daemon=True)
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._starting = asyncio.Lock()
        self._places = asyncio.Semaphore(settings.max_renders)

    async def start(self) -> None:
        """Start the guard. The browser starts with the first page."""
        check_available()
        self._thread.start()
        await self._run(self.proxy.start())

    async def render(self, url: str) -> Fetched:
        """Return a page as its scripts left it.

        Raises:
            InvalidURLError: the URL is invalid, or its scheme or port is not allowed.
            BlockedURLError: the URL leads to a network that is not allowed.
            FetchTimeoutError: the page did not arrive in time.
            FetchError: the page could not be rendered.
        """
        return await self._run(self._render(url))

    async def close(self) -> None:
        """End the browser and the guard."""
        if not self._thread.is_alive():
            return
        await self._run(self._stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        await asyncio.to_thread(self._thread.join)
        self._loop.close()

    async def _render(self, url: str) -> Fetched:
        from playwright.async_api import Error  # noqa: PLC0415 (an extra)

        if not url.lower().startswith(("http://", "https://")):
            raise InvalidURLError("only http and https URLs are allowed")
        seconds = self._settings.render_timeout
        async with self._places:
            context = await self._new_context()
            try:
                async with asyncio.timeout(seconds):
                    return await self._load(context, url)
            except TimeoutError as error:
                raise FetchTimeoutError(f"the page was not rendered within {seconds:g} seconds") from error
            except Error as error:
                raise FetchError("the page could not be rendered") from error
            finally:
                with suppress(Error):
                    await context.close()

    async def _load(self, context: "BrowserContext", url: str) -> Fetched:
        from playwright.async_api import TimeoutError as PlaywrightTimeoutError  # noqa: PLC0415 (an extra)

        page = await context.new_page()
        page.on("dialog", lambda dialog: asyncio.ensure_future(dialog.dismiss()))
        context.on("page", lambda popup: asyncio.ensure_future(popup.close()))
        response = await page.goto(url, wait_until="domcontentloaded", timeout=0)
        status = response.status if response is not None else 0
        if response is not None and response.headers.get("proxy-status") == REFUSED:
            raise BlockedURLError(BLOCKED_MESSAGE)
        if status >= _FIRST_ERROR_STATUS:
            raise FetchError(f"the server returned {status}")
        with suppress(PlaywrightTimeoutError):
            await page.wait_for_load_state("networkidle", timeout=_SETTLE_SECONDS * 1000)
        size = await page.evaluate("document.documentElement ? document.documentElement.outerHTML.length : 0")
        if size > self._settings.limits.max_bytes:
            raise FetchError(f"the page is larger than {self._settings.limits.max_bytes / 1_000_000:g} MB")
        html = await page.content()
        if not page.url.startswith(("http://", "https://")):
            raise FetchError("the page led elsewhere")
        return Fetched(html.encode("utf-8", "replace"), page.url, "utf-8", media_type="text/html")

    async def _new_context(self) -> "BrowserContext":
        from playwright.async_api import async_playwright  # noqa: PLC0415 (an extra)

        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                if self._playwright is None:
                    self._playwright = await async_playwright().start()
                self._browser = await self._playwright.chromium.launch(
                    executable_path=find_chromium(),
                    args=[*launch_flags(network=True), *_GUARD_FLAGS],
                    chromium_sandbox=can_sandbox(),
                    proxy={"server": self.proxy.url, "bypass": "<-loopback>"},
                )
        context = await self._browser.new_context(accept_downloads=False, service_workers="block")
        if self._skip_media:
            await context.route("**/*", _skip_media)
        return context

    async def _stop(self) -> None:
        if self._browser is not None:
            await self._browser.close()
        if self._playwright is not None:
            await self._playwright.stop()
        await self.proxy.close()

    async def _run(self, coroutine: Coroutine[Any, Any, _Value]) -> _Value:
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(coroutine, self._loop))


async def _skip_media(route: Any) -> None:  # noqa: ANN401 (playwright's)
    if route.request.resource_type in _SKIPPED_TYPES:
        await route.abort()
    else:
        await route.continue_()


def check_available() -> None:
    """Raise an error that says what is missing, if pages cannot be rendered here."""
    try:
        import playwright  # noqa: F401, PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("playwright", "visual") from error
    find_chromium()
