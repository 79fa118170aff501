"""A real Chromium (extra ``visual``), driven by playwright: pages in, boxes out.

    with Browser() as browser:
        page = browser.draw(parse_page(html))

Pages are rendered from their own markup. The network is blocked and scripts are off unless the settings say otherwise.
The browser starts with the first page and serves all that follow, several at a time; a page that takes too long is
given up, and a browser that crashes is started again. It lives in a thread of its own, so it can be used from any
thread, and from a program with an event loop. Nothing is left running when it is closed or the program ends.
"""

import asyncio
import atexit
import os
import secrets
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from tamis.errors import OptionError, RenderError
from tamis.page import Page, parse_page
from tamis.page.layout import with_layout
from tamis.page.positions import decode
from tamis.visual.config import MOST_ROWS, Settings
from tamis.visual.engine import Engine, Job
from tamis.visual.match import match_layout, unmarked
from tamis.visual.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Coroutine

    Answer = tuple[Snapshot, bytes | None]

_shared: Final[dict[tuple[int, Settings], "Browser"]] = {}
_lock: Final = threading.Lock()


class Browser:
    """A browser that draws pages as its settings say. Costs nothing until the first page."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings or Settings()
        self._guard = threading.Lock()
        self._owner = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._engine: Engine | None = None

    def draw(self, page: Page, url: str | None = None) -> Page:
        """Return a page with boxes for its rows.

        Without scripts it is the same page, rendered from its own markup. With scripts it is the page as they left it,
        read from the browser's document; rows that this document and its markup do not have in common are counted
        in ``page.layout.unmatched``.

        Raises:
            RenderError: the page is too large, takes too long or crashes the browser.
            BrowserError: there is no Chromium, or it does not start.
            MissingExtraError: playwright is not installed.
        """
        job = self._job(page, url)
        return self._matched(page, job, self._submit(job).result())[0]

    def draw_all(self, pages: Iterable[Page]) -> Iterator[Page | RenderError]:
        """Give pages with layout, in their order, several rendered at a time; for one that fails, why."""
        running: deque[tuple[Page, Job, Future[Answer]] | RenderError] = deque()
        for page in pages:
            try:
                job = self._job(page, None)
                running.append((page, job, self._submit(job)))
            except RenderError as error:
                running.append(error)
            if len(running) > 2 * self.settings.pages:
                yield self._outcome(running.popleft())
        while running:
            yield self._outcome(running.popleft())

    def picture(self, page: Page) -> tuple[Page, bytes]:
        """Return what `draw` returns, and a picture of it (PNG), both of the same moment."""
        job = self._job(page, None, picture=True)
        answer = self._submit(job).result()
        assert answer[1] is not None, "asked for"
        return self._matched(page, job, answer)[0], answer[1]

    def open(self, url: str) -> tuple[Page, str]:
        """Load an address and return the page as its scripts left it, with layout, and the address it ended at."""
        if not self.settings.network:
            raise OptionError(f"{url} needs the network; allow it with Settings(network=True)")
        job = Job(None, url, mark=_mark())
        return self._matched(None, job, self._submit(job).result())

    def close(self) -> None:
        """End the browser. The next page would start a new one."""
        with self._guard:
            loop, thread, engine = self._loop, self._thread, self._engine
            self._loop = self._thread = self._engine = None
        if loop is None or thread is None or engine is None or self._owner != os.getpid():
            return
        asyncio.run_coroutine_threadsafe(engine.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _job(self, page: Page, url: str | None, *, picture: bool = False) -> Job:
        if len(page) > MOST_ROWS:
            raise RenderError(f"it has {len(page)} rows, more than the {MOST_ROWS} that are drawn")
        return Job(_text_of(page), url, _mark() if self.settings.scripts else None, picture)

    def _matched(self, page: Page | None, job: Job, answer: "Answer") -> tuple[Page, str]:
        """Return the page with its layout, and where the browser ended."""
        snapshot = answer[0]
        if job.mark is not None:
            assert snapshot.html is not None, "asked for"
            page = parse_page(unmarked(snapshot.html, job.mark))
        assert page is not None, "a page without markup has a mark"
        size = (self.settings.width, self.settings.height)
        return with_layout(page, match_layout(page, snapshot, size, job.mark)), snapshot.url

    def _outcome(self, work: "tuple[Page, Job, Future[Answer]] | RenderError") -> Page | RenderError:
        if isinstance(work, RenderError):
            return work
        try:
            return self._matched(work[0], work[1], work[2].result())[0]
        except RenderError as error:
            return error

    def _submit(self, job: Job) -> "Future[Answer]":
        with self._guard:
            if self._loop is None or self._owner != os.getpid():  # threads do not survive a fork
                self._owner = os.getpid()
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="tamis-browser", daemon=True)
                self._thread.start()
                self._engine = asyncio.run_coroutine_threadsafe(_make(self.settings), self._loop).result()
            assert self._engine is not None
            work: Coroutine[None, None, Answer] = self._engine.draw(job)
            return asyncio.run_coroutine_threadsafe(work, self._loop)


async def _make(settings: Settings) -> Engine:
    """Return an engine whose locks belong to the running loop."""
    return Engine(settings)


def _text_of(page: Page) -> str:
    """Return the markup as the parser read it, with what cannot be encoded replaced as the columns have it."""
    return decode(page).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _mark() -> str:
    """Return an attribute name that no page can know."""
    return f"data-tamis-{secrets.token_hex(8)}"


def shared_browser(settings: Settings | None = None) -> Browser:
    """Return the browser that this process shares for pages rendered this way; it is closed when the program ends."""
    key = (os.getpid(), settings or Settings())
    with _lock:
        if key not in _shared:
            _shared[key] = Browser(key[1])
        return _shared[key]


def close_shared() -> None:
    """Close all shared browsers of this process."""
    with _lock:
        own = [key for key in _shared if key[0] == os.getpid()]
        browsers = [_shared.pop(key) for key in own]
    for browser in browsers:
        browser.close()


atexit.register(close_shared)
