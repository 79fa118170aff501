"""`Browser`: a real Chromium (extra ``browser``), driven by playwright. Pages in, pages with layouts out.

    with Browser() as browser:
        page = browser.render(parse_page(html))

Pages are rendered from their own markup. The network is blocked and scripts are off unless the configuration says
otherwise. All requests go through a guard (`tamis.browser.guard`), which connects to the addresses that the policy of
the configuration allows. The browser starts with the first page and renders all later ones, several at a time. A page
that takes too long is given up, and a browser that crashes is restarted. It runs in its own thread, so it can
be used from any thread and from a program with an event loop. No process is left running when it is closed or the
program ends.
"""

import asyncio
import atexit
import os
import secrets
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from tamis.api.options import Limits, parse_within
from tamis.browser.config import MAX_ROWS, BrowserConfig
from tamis.browser.engine import Engine, Job
from tamis.browser.match import Snapshot, match_layout, strip_ids
from tamis.document.warnings import ContentWarning
from tamis.errors import OptionError, RenderError
from tamis.page import Page
from tamis.page.layout import with_layout
from tamis.page.positions import decode
from tamis.sources.fetched import Fetched

if TYPE_CHECKING:
    from collections.abc import Coroutine

    Result = tuple[Snapshot, bytes | None]

_shared: Final[dict[tuple[int, BrowserConfig], "Browser"]] = {}
_shared_lock: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as the browser left it.

    Attributes:
        limits_reached: a warning for each limit that was reached while its document was read.
    """

    page: Page
    url: str
    limits_reached: tuple[ContentWarning, ...] = ()


class Browser:
    """A browser that renders pages with one configuration. No process is started before the first page."""

    def __init__(self, config: BrowserConfig | None = None) -> None:
        self.config = config or BrowserConfig()
        self._lock = threading.Lock()
        self._owner_pid = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._engine: Engine | None = None

    def render(self, page: Page, url: str | None = None, *, limits: Limits | None = None) -> Page:
        """Return the page with its layout.

        Without scripts it is the same page, rendered from its own markup. With scripts it is the page as they left
        it, read from the browser's document within the limits. Rows that this document and its markup do not share
        are counted in ``page.layout.unmatched``.

        Args:
            page: the page.
            url: its URL, http or https.
            limits: how much of the document is read; `rendered` also says which limits were reached.

        Raises:
            RenderError: the page is too large, takes too long or crashes the browser.
            InvalidURLError: the URL has another scheme.
            BrowserError: Chromium is not installed or does not start.
            MissingExtraError: playwright is not installed.
        """
        return self.rendered(page, url, limits).page

    def rendered(self, page: Page, url: str | None = None, limits: Limits | None = None) -> Rendered:
        """Return the page as `render` does, and which limits its document reached."""
        job = self._job(page, url)
        return self._match(page, job, self._submit(job).result(), limits)

    def render_all(self, pages: Iterable[Page]) -> Iterator[Page | RenderError]:
        """Yield each page with its layout, or its error if it fails, in order. Several are rendered at a time."""
        running: deque[tuple[Page, Job, Future[Result]] | RenderError] = deque()
        for page in pages:
            try:
                job = self._job(page, None)
                running.append((page, job, self._submit(job)))
            except RenderError as error:
                running.append(error)
            if len(running) > 2 * self.config.concurrency:
                yield self._outcome(running.popleft())
        while running:
            yield self._outcome(running.popleft())

    def screenshot(self, page: Page) -> tuple[Page, bytes]:
        """Return the page as `render` does, and a screenshot (PNG) of the same moment."""
        job = self._job(page, None, screenshot=True)
        rendered = self._submit(job).result()
        assert rendered[1] is not None, "the job requests a screenshot"
        return self._match(page, job, rendered).page, rendered[1]

    def open(self, url: str) -> tuple[Page, str]:
        """Load a URL and return the page as its scripts left it, with its layout, and the final URL.

        Raises:
            BlockedURLError: the policy does not allow the address of its server.
            RenderError: as `render` does; also if the server returns an error.
        """
        opened = self.open_rendered(url)
        return opened.page, opened.url

    def open_rendered(self, url: str, limits: Limits | None = None) -> Rendered:
        """Load a URL as `open` does, and read as much of the document as the limits allow."""
        job = self._url_job(url)
        return self._match(None, job, self._submit(job).result(), limits)

    async def load(self, url: str) -> Fetched:
        """Load a URL without blocking the event loop; return the markup that its scripts left, as if fetched."""
        job = self._url_job(url)
        assert job.id_attribute is not None, "a loaded page is read from the browser's document"
        snapshot, _ = await asyncio.wrap_future(await asyncio.to_thread(self._submit, job))
        assert snapshot.html is not None, "the job requests the document"
        markup = strip_ids(snapshot.html, job.id_attribute)
        return Fetched(markup.encode("utf-8", "replace"), snapshot.url, "utf-8", media_type="text/html")

    def close(self) -> None:
        """End the browser process. Rendering another page starts a new one."""
        with self._lock:
            loop, thread, engine = self._loop, self._thread, self._engine
            self._loop = self._thread = self._engine = None
        if loop is None or thread is None or engine is None or self._owner_pid != os.getpid():
            return
        asyncio.run_coroutine_threadsafe(engine.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _job(self, page: Page, url: str | None, *, screenshot: bool = False) -> Job:
        if len(page) > MAX_ROWS:
            raise RenderError(f"the page has {len(page)} rows; at most {MAX_ROWS} are rendered")
        id_attribute = _random_attribute() if self.config.scripts else None
        return Job(_decoded_markup(page), url, id_attribute, screenshot)

    def _url_job(self, url: str) -> Job:
        if not self.config.network:
            raise OptionError(f"{url} needs the network; allow it with BrowserConfig(network=True)")
        return Job(None, url, id_attribute=_random_attribute())

    def _match(self, page: Page | None, job: Job, result: "Result", limits: Limits | None = None) -> Rendered:
        """Return the page with its layout."""
        snapshot = result[0]
        reached: tuple[ContentWarning, ...] = ()
        if job.id_attribute is not None:
            assert snapshot.html is not None, "the job requests the document"
            markup = strip_ids(snapshot.html, job.id_attribute)
            page, reached = parse_within(markup, None, limits or Limits())
        assert page is not None, "a job without markup requests the document"
        viewport = (self.config.width, self.config.height)
        page = with_layout(page, match_layout(page, snapshot, viewport, job.id_attribute))
        return Rendered(page, snapshot.url, reached)

    def _outcome(self, work: "tuple[Page, Job, Future[Result]] | RenderError") -> Page | RenderError:
        if isinstance(work, RenderError):
            return work
        try:
            return self._match(work[0], work[1], work[2].result()).page
        except RenderError as error:
            return error

    def _submit(self, job: Job) -> "Future[Result]":
        with self._lock:
            if self._loop is None or self._owner_pid != os.getpid():  # threads do not survive a fork
                self._owner_pid = os.getpid()
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="tamis-browser", daemon=True)
                self._thread.start()
                self._engine = asyncio.run_coroutine_threadsafe(_create_engine(self.config), self._loop).result()
            assert self._engine is not None
            work: Coroutine[None, None, Result] = self._engine.render(job)
            return asyncio.run_coroutine_threadsafe(work, self._loop)


async def _create_engine(config: BrowserConfig) -> Engine:
    """Return an engine whose locks belong to the running loop."""
    return Engine(config)


def _decoded_markup(page: Page) -> str:
    """Return the markup as the parser decoded it, with lone surrogates replaced as they are in the page's text."""
    return decode(page).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _random_attribute() -> str:
    """Return an attribute name that a page cannot guess."""
    return f"data-tamis-{secrets.token_hex(8)}"


def shared_browser(config: BrowserConfig | None = None) -> Browser:
    """Return the browser that this process shares for a configuration. It is closed when the program ends."""
    key = (os.getpid(), config or BrowserConfig())
    with _shared_lock:
        if key not in _shared:
            _shared[key] = Browser(key[1])
        return _shared[key]


def close_shared_browsers() -> None:
    """Close all shared browsers of this process."""
    with _shared_lock:
        keys = [key for key in _shared if key[0] == os.getpid()]
        browsers = [_shared.pop(key) for key in keys]
    for browser in browsers:
        browser.close()


atexit.register(close_shared_browsers)
