"""Escalation: pages that scripts build are rendered by a browser, within a budget, and extracted again.

::

    worker processes ─► row ─► wanted? ─► browser processes ─► row that says so
                          └──────────────► row

The rows keep their order. A page for which the browser fails keeps the row of its markup.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any, Final

from tamis.api import Extraction
from tamis.api.extraction import extract_with
from tamis.api.options import parse_within
from tamis.batch.rows import OVER_BUDGET, WANTED, Row, RowEncoding, RowOptions, encode_json, fill_row, read_body
from tamis.batch.worker import Done
from tamis.browser import BrowserConfig, shared_browser
from tamis.browser.config import check_available
from tamis.browser.scripted import Measure, is_better
from tamis.errors import BrowserError, FetchError, MissingExtraError, OptionError, RenderError
from tamis.page import Page
from tamis.page.parse import known_encoding
from tamis.processes import Budget, Outcome, Success
from tamis.processes.pool import ProcessPool
from tamis.processes.process import WorkerSpec
from tamis.sources.guard import Policy
from tamis.sources.records import Record

_MAX_WAITING: Final = 256  #: rows that wait for a page that is rendered, so that memory stays flat
_MIN_PAGES: Final = 20  #: pages that a share allows at the beginning
_EXTRA_SECONDS: Final = 60.0  #: for the browser to start and for the extraction, after the time of a page


@dataclass(frozen=True, slots=True)
class RenderBudget:
    """How many pages may be rendered.

    Attributes:
        pages: a number of pages.
        share: or a share of the pages so far, of which the first 20 are always allowed.

    >>> RenderBudget.parse("5%").allows(page_number=1000, rendered=49), RenderBudget.parse("10").allows(1000, 10)
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

    def allows(self, page_number: int, rendered: int) -> bool:
        """Return whether a page may be rendered, if some of those before it were."""
        if self.pages is not None:
            return rendered < self.pages
        return self.share is None or rendered < max(_MIN_PAGES if self.share else 0, self.share * page_number)


def _not_negative(number: Any) -> Any:  # noqa: ANN401 (an int or a float)
    if not 0 <= number < float("inf"):
        raise ValueError
    return number


@dataclass(frozen=True, slots=True)
class Renderer:
    """Renders a page and extracts it again, in a browser process. Picklable."""

    options: RowOptions
    config: BrowserConfig

    def __call__(self, task: tuple[Record, Row]) -> Row:
        """Return the row of a page after its scripts ran; the row that it had if that is better."""
        record, first = task
        page = _parse(record, self.options)
        served = self._extract(record, page)
        try:
            document = shared_browser(self.config).rendered(page, _web_url(record), self.options.options.limits)
        except (RenderError, FetchError) as error:
            return first | {"rendered": f"failed: {error}"}
        rendered = replace(self._extract(record, document.page), limits_reached=document.limits_reached)
        if self.options.render == "auto" and not is_better(Measure.of(rendered), Measure.of(served)):
            return first | {"rendered": "no_gain"}
        return fill_row(record, rendered, self.options) | {"rendered": "rendered"}

    def _extract(self, record: Record, page: Page) -> Extraction:
        return extract_with(page, record.url, self.options.options)


def _web_url(record: Record) -> str | None:
    """Return the URL of a page, if it is one of the web: a page is rendered as if it came from there."""
    url = record.url or ""
    return url if url.lower().startswith(("http://", "https://")) else None


def _parse(record: Record, options: RowOptions) -> Page:
    chosen = options.options
    encoding = chosen.encoding or known_encoding(record.encoding)
    return parse_within(read_body(record, options.max_bytes), encoding, chosen.limits)[0]


@dataclass
class Escalation:
    """The browser processes of a batch.

    Attributes:
        options: how pages become rows.
        encoding: how rows are handed on.
        budget: how many pages may be rendered.
        network: let pages load their resources.
        policy: from which addresses.
        seconds: the time of a page in the browser.
        browsers: the number of browser processes.
        rendered: how many pages were rendered.
        newly_rendered: the numbers of rendered pages, whose rows were just handed on.
    """

    options: RowOptions
    encoding: RowEncoding = "json"
    budget: RenderBudget = field(default_factory=RenderBudget)
    network: bool = False
    policy: Policy = field(default_factory=Policy)
    seconds: float = 30.0
    browsers: int = 1
    rendered: int = 0
    newly_rendered: set[int] = field(default_factory=set)

    def apply(self, rows: "Iterable[tuple[Done, Record]]") -> Iterator[Done]:
        """Yield rows in the order in which they come, those of rendered pages in place of the first ones."""
        check_available()
        config = BrowserConfig(
            scripts=True, network=self.network, policy=self.policy, timeout=self.seconds, concurrency=1
        )
        budget = Budget(wall=self.seconds + _EXTRA_SECONDS)
        pool = ProcessPool(WorkerSpec(Renderer(self.options, config), None, budget), self.browsers)
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
        if not self.budget.allows(done.number, self.rendered):
            done.row["rendered"] = OVER_BUDGET
            return None
        self.rendered += 1
        self.newly_rendered.add(done.number)
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
        encoded = encode_json(row) if self.encoding == "json" else row
        return Done(done.number, row["status"], encoded, done.id, row["error"])


def _is_ready(waiting: "tuple[Done, Future[Outcome[Any, Any]] | None]") -> bool:
    return waiting[1] is None or waiting[1].done()
