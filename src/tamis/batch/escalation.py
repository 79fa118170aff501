"""Escalation: pages that scripts build are drawn by a browser, within a budget, and extracted again.

::

    worker processes ─► row ─► wanted? ─► browser processes ─► row that says so
                          └──────────────► row

The rows keep their order. A page for which the browser fails keeps the row of its markup.
"""

import importlib.util
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Final

from tamis.api import extract_page
from tamis.batch.records import Record
from tamis.batch.rows import OVER_BUDGET, WANTED, Row, RowOptions, fill_row, read_body
from tamis.batch.worker import Done, Encoding, encode_json
from tamis.errors import BrowserError, EncodingNameError, MissingExtraError, OptionError, RenderError
from tamis.page import Page, parse_page
from tamis.processes import Budget, Outcome, Success
from tamis.processes.pool import ProcessPool
from tamis.processes.process import WorkerSpec
from tamis.visual import BrowserConfig, shared_browser
from tamis.visual.chromium import find_chromium
from tamis.visual.scripted import is_better

_MAX_WAITING: Final = 256  #: rows that wait for a page that is drawn, so that memory stays flat
_MIN_PAGES: Final = 20  #: pages that a share allows at the beginning
_EXTRA_SECONDS: Final = 60.0  #: for the browser to start and for the extraction, after the time of a page


@dataclass(frozen=True, slots=True)
class RenderBudget:
    """How many pages may be drawn.

    Attributes:
        pages: a number of pages.
        share: or a share of the pages so far, of which the first 20 are always allowed.

    >>> RenderBudget.parse("5%").allows(page_number=1000, drawn=49), RenderBudget.parse("10").allows(1000, 10)
    (True, False)
    """

    pages: int | None = None
    share: float | None = None

    @classmethod
    def parse(cls, text: str) -> "RenderBudget":
        """Return the budget that is written as a number of pages or as a share (``5%``)."""
        number = text.strip().removesuffix("%")
        try:
            if number == text.strip():
                return cls(pages=_not_negative(int(number)))
            return cls(share=_not_negative(float(number)) / 100)
        except ValueError:
            raise OptionError(f"invalid budget {text!r}: give a number of pages, or a share such as 5%") from None

    def allows(self, page_number: int, drawn: int) -> bool:
        """Return whether a page may be drawn, if some of those before it were."""
        if self.pages is not None:
            return drawn < self.pages
        return self.share is None or drawn < max(_MIN_PAGES if self.share else 0, self.share * page_number)


def _not_negative(number: Any) -> Any:  # noqa: ANN401 (an int or a float)
    if not 0 <= number < float("inf"):
        raise ValueError
    return number


@dataclass(frozen=True, slots=True)
class Drawer:
    """Draws a page and extracts it again, in a browser process. Picklable."""

    options: RowOptions
    config: BrowserConfig

    def __call__(self, task: tuple[Record, Row]) -> Row:
        """Return the row of a page after its scripts ran; the row that it had if that is better."""
        record, first = task
        options = self.options.options
        page = _parse(record, self.options)
        show = self.options.render_options
        served = extract_page(page, record.url, options=options, render_options=show)
        try:
            page = shared_browser(self.config).render(page, record.url)
        except RenderError as error:
            return first | {"rendered": f"failed: {error}"}
        drawn = extract_page(page, record.url, options=options, render_options=show)
        if self.options.render == "auto" and not is_better(drawn, served):
            return first | {"rendered": "no gain"}
        return fill_row(record, drawn, self.options) | {"rendered": "drawn"}


def _parse(record: Record, options: RowOptions) -> Page:
    body, encoding = read_body(record, options.max_page_bytes), options.options.encoding or record.encoding
    try:
        return parse_page(body, encoding=encoding)
    except EncodingNameError:  # of the HTTP header; the page may still say what it is
        return parse_page(body)


@dataclass
class Escalation:
    """The browser processes of a batch.

    Attributes:
        options: how pages become rows.
        encoding: how rows are handed on.
        budget: how many pages may be drawn.
        network: let pages load their resources.
        seconds: the time of a page in the browser.
        browsers: the number of browser processes.
        drawn: how many pages were drawn.
        fresh: the numbers of drawn pages, whose rows were just handed on.
    """

    options: RowOptions
    encoding: Encoding = "json"
    budget: RenderBudget = field(default_factory=RenderBudget)
    network: bool = False
    seconds: float = 30.0
    browsers: int = 1
    drawn: int = 0
    fresh: set[int] = field(default_factory=set)

    def apply(self, rows: "Iterable[tuple[Done, Record]]") -> Iterator[Done]:
        """Yield rows in the order in which they come, those of drawn pages in place of the first ones."""
        check_browser()
        config = BrowserConfig(scripts=True, network=self.network, timeout=self.seconds, concurrency=1)
        budget = Budget(wall=self.seconds + _EXTRA_SECONDS)
        pool = ProcessPool(WorkerSpec(Drawer(self.options, config), None, budget), self.browsers)
        waiting: deque[tuple[Done, Future[Outcome[Any, Any]] | None]] = deque()
        try:
            for done, record in rows:
                waiting.append((done, self._submit(pool, done, record)))
                while waiting and (_is_ready(waiting[0]) or len(waiting) > _MAX_WAITING):
                    yield self._settle(*waiting.popleft())
            while waiting:
                yield self._settle(*waiting.popleft())
        finally:
            pool.close()

    def _submit(self, pool: ProcessPool, done: Done, record: Record) -> "Future[Outcome[Any, Any]] | None":
        if not isinstance(done.row, dict) or done.row.get("rendered") != WANTED:
            return None
        if not self.budget.allows(done.number, self.drawn):
            done.row["rendered"] = OVER_BUDGET
            return None
        self.drawn += 1
        self.fresh.add(done.number)
        return pool.submit((record, done.row))

    def _settle(self, done: Done, future: "Future[Outcome[Any, Any]] | None") -> Done:
        row = done.row
        if future is not None:
            outcome = future.result()
            if isinstance(outcome, Success):
                row = outcome.value
            elif isinstance(outcome.error, (BrowserError, MissingExtraError)):
                raise outcome.error  # every page would fail
            else:
                assert isinstance(row, dict)
                row = row | {"rendered": f"failed: {outcome.message}"}
        if isinstance(row, bytes):
            return done
        return Done(done.number, row["status"], encode_json(row) if self.encoding == "json" else row)


def _is_ready(waiting: "tuple[Done, Future[Outcome[Any, Any]] | None]") -> bool:
    return waiting[1] is None or waiting[1].done()


def check_browser() -> None:
    """Raise an error if there is no browser, before any page is read."""
    if importlib.util.find_spec("playwright") is None:
        raise MissingExtraError.for_module("playwright", "visual")
    find_chromium()
