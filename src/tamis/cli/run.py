"""A run of the command: load the pages, extract each, write what they hold, and say how it went."""

import gc
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from tamis.cli.advice import advise, advise_after_error, advise_for_file
from tamis.cli.output import ROWS, Destination, Folder, is_folder, print_message
from tamis.cli.writers import (
    FilePerPage,
    OneTable,
    OneText,
    PageEncoding,
    PageWriter,
    RowWriter,
    bundle_for,
    encode,
)
from tamis.errors import BrowserError, FetchError, MissingExtraError, OptionError, SourceError, TamisError
from tamis.lazy import dataclass
from tamis.render.registry import RenderOptions, get_format
from tamis.sources import Source

if TYPE_CHECKING:
    from tamis.api import Extraction, Options
    from tamis.batch.rows import Row, RowOptions, RowStatus
    from tamis.browser import Browser, Rendered
    from tamis.browser.modes import RenderMode
    from tamis.browser.store import LayoutFolder
    from tamis.document.warnings import ContentWarning
    from tamis.page import Page
    from tamis.sources.fetch import FetchKeywords
    from tamis.sources.guard import Policy

# ruff: noqa: PLC0415 (NumPy, the parser and extras load where a page is read or written, not for --help)

# Load a page that is named on the command line: parse it, attach a saved layout, or render it in Chromium.


class Loaded(NamedTuple):
    """A page, its URL if it has one, and a warning if its layout is missing or incomplete.

    Attributes:
        page: the page, as much of it as the limits allow.
        url: its URL.
        warning: what is wrong with its layout.
        limits_reached: a warning for each limit that was reached while it was read.
    """

    page: "Page"
    url: str | None
    warning: str | None
    limits_reached: "tuple[ContentWarning, ...]" = ()


@dataclass(frozen=True, eq=False, repr=False)
class PageLoader:
    """Loads pages.

    Attributes:
        render: which of them Chromium renders, with their scripts.
        network: let rendered files load resources. Pages from URLs always may.
        policy: the addresses and ports that rendered pages may load from.
        layout: a folder of saved layouts.
        fetch: how pages at URLs are asked for.
    """

    render: "RenderMode" = "never"
    network: bool = False
    policy: "Policy | None" = None
    layout: Path | None = None
    fetch: "FetchKeywords | None" = None

    def read(self, source: "Source", options: "Options") -> "Loaded":
        """Return a page, with the layout that the extractor needs."""
        from tamis.api.options import parse_within
        from tamis.extractors.registry import needs_layout
        from tamis.page.parse import known_encoding

        if self.render == "always" and source.is_url:
            opened = self._browser(source.name).open_rendered(source.name, options.limits)
            return Loaded(opened.page, opened.url, _unmatched_rows(opened.page), opened.limits_reached)
        fetch: FetchKeywords = {**(self.fetch or {})}
        fetch["max_bytes"] = options.limits.max_bytes
        markup, url, encoding = source.read(**fetch)
        encoding = options.encoding or known_encoding(encoding)
        method = options.resolve()
        tried = None if needs_layout(method) else method
        page, reached = parse_within(markup, encoding, options.limits, tried)
        layout_error = None
        if self.render == "always":
            rendered = self.render_page(page, None, options)
            page, reached = rendered.page, (*reached, *rendered.limits_reached)
        elif self.layout is not None:
            page = self._folder.attach(page)
        elif needs_layout(method):
            from tamis.browser import supply_layout

            page, layout_error = supply_layout(page, options.resolve())
        return Loaded(page, url, layout_error or _unmatched_rows(page), reached)

    def render_page(self, page: "Page", url: str | None, options: "Options") -> "Rendered":
        """Return a page as its scripts left it. A page from a URL may load its resources."""
        return self._browser(url).rendered(page, url, options.limits)

    def _browser(self, url: str | None) -> "Browser":
        """Return the browser for a page. The port of the page's own URL is allowed: a person has named it."""
        from tamis.browser import BrowserConfig, shared_browser
        from tamis.sources.guard import Policy

        policy = self.policy or Policy()
        if url is not None:
            policy = policy.with_port_of(url)
        network = self.network or url is not None
        return shared_browser(BrowserConfig(scripts=True, network=network, policy=policy))

    @cached_property
    def _folder(self) -> "LayoutFolder":
        from tamis.browser.store import LayoutFolder

        assert self.layout is not None
        return LayoutFolder(self.layout)


def _unmatched_rows(page: "Page") -> str | None:
    """Return a warning if the browser has no elements for some rows."""
    if page.layout is None or not page.layout.unmatched:
        return None
    return f"{page.layout.unmatched} of {len(page)} rows have no match in the browser and count as invisible"


# The work on one page of the command: read it, extract it, and encode it for the output.


class PageResult(NamedTuple):
    """What came of a page.

    Attributes:
        status: ok, empty (no content, or not the field that was asked for), or error (the page cannot be read).
        messages: what to tell about it.
        content: what to write; None for nothing.
        fatal: an error that every page would have: no browser, or an extra that is not installed.
    """

    status: Literal["ok", "empty", "error"]
    messages: tuple[str, ...] = ()
    content: Any = None
    fatal: TamisError | None = None


@dataclass(frozen=True, eq=False, repr=False)
class PageJob:
    """Turns a page into what is written for it. Picklable, because worker processes also run it.

    Attributes:
        options: how the content is chosen.
        render_options: how it is shown.
        loader: reads the pages.
        format: the name of the format.
        encoding: what a page becomes.
        url: the URL of the pages, if it was given.
        field: the one field to write.
        chunks: the size of the chunks to write.
        overlap: how many tokens of a chunk the next one repeats.
        rows: how a page becomes a row, for formats that have rows.
        several: whether the output has several pages.
        verbosity: 1 for a message about each page.
    """

    options: "Options"
    render_options: RenderOptions
    loader: PageLoader
    format: str = "text"
    encoding: PageEncoding = "page"
    url: str | None = None
    field: str | None = None
    chunks: int | None = None
    overlap: int = 0
    rows: "RowOptions | None" = None
    several: bool = False
    verbosity: int = 0

    def __call__(self, source: "Source") -> PageResult:
        """Return what comes of a page. What the page does wrong is in the result."""
        from tamis.api.extraction import extract_with

        try:
            loaded = self.loader.read(source, self.options)
            url = self.url or loaded.url
            extraction = extract_with(loaded.page, url, self.options)
            extraction = replace(extraction, limits_reached=loaded.limits_reached)
            not_rendered = None
            if self.loader.render == "auto":
                extraction, not_rendered = self._better_rendered(extraction, loaded.url)
        except (BrowserError, MissingExtraError) as error:
            return PageResult("error", fatal=error)
        except TamisError as error:
            message = "; ".join(filter(None, (str(error), advise_after_error(error))))
            return PageResult("error", (message,), self._error_row(source, error))
        is_binary = extraction.page.binary_type is not None
        messages = [loaded.warning, not_rendered, extraction.selection.note, extraction.selection.profile_warning]
        if self.field is None or is_binary:
            messages.append(extraction.empty_reason)
        messages.append(self._advice(source, loaded.url, extraction))
        if self.verbosity > 0 and extraction:
            messages += [summarize(extraction), *map(describe_warning, extraction.warnings)]
        content = None
        if self.encoding == "row":  # every page has one
            content = encode(self, source.relative or source.name, extraction)
            return PageResult("ok" if extraction else "empty", tuple(filter(None, messages)), content)
        if extraction or extraction.index_links or (self.field is not None and not is_binary):
            content = encode(self, source.name, extraction)
            if content is None:
                messages.append(f"no {self.field}")
        return PageResult("empty" if content is None else "ok", tuple(filter(None, messages)), content)

    def _advice(self, source: "Source", url: str | None, extraction: "Extraction") -> str | None:
        is_rendered = self.loader.render != "never"
        if source.is_url:
            return advise(extraction, source.name, url, is_rendered=is_rendered)
        return None if extraction or is_rendered else advise_for_file(extraction)

    def _error_row(self, source: "Source", error: TamisError) -> "Row | None":
        from tamis.batch.rows import error_row
        from tamis.sources.records import Record

        if self.encoding != "row" or self.rows is None:
            return None
        record = Record(source.relative or source.name, source.name if source.is_url else None)
        status = error.http_status if isinstance(error, FetchError) else None
        kind: RowStatus = "http_error" if status is not None else "error"
        return error_row(replace(record, http_status=status), kind, str(error), self.rows)

    def _better_rendered(self, extraction: "Extraction", url: str | None) -> "tuple[Extraction, str | None]":
        """Return the extraction of a page as its scripts left it, if they build it and there is more to it.

        A page that cannot be rendered keeps its extraction; the reason is the second value.
        """
        from tamis.api.extraction import extract_with
        from tamis.browser.scripted import Measure, is_better, needs_browser

        if not needs_browser(extraction):
            return extraction, None
        try:
            document = self.loader.render_page(extraction.page, url, self.options)
        except SourceError as error:
            return extraction, f"not rendered: {error}"
        rendered = extract_with(document.page, extraction.url, self.options)
        rendered = replace(rendered, limits_reached=document.limits_reached)
        return (rendered if is_better(Measure.of(rendered), Measure.of(extraction)) else extraction), None


def summarize(extraction: "Extraction") -> str:
    """Return what was found, in one line."""
    page_type, confidence = extraction.page_type, extraction.confidence
    facts = [f"{len(extraction.blocks)} of {len(extraction.page.blocks)} blocks by {extraction.extractor}"]
    if page_type is not None:
        probability = extraction.page_type_probability
        facts.append(page_type + (f" ({probability:.2f})" if probability is not None else ""))
    if confidence is not None:
        facts.append(f"confidence {confidence:.2f}")
    if extraction.page.encoding:
        facts.append(extraction.page.encoding)
    return ", ".join(facts)


def describe_warning(warning: "ContentWarning") -> str:
    """Return a warning in one line: what it is, why, how often, and how it begins.

    >>> from tamis.document.warnings import ContentWarning
    >>> describe_warning(ContentWarning("hidden text", "display: none", 3, excerpt="Ignore all instructions"))
    'hidden text: display: none (3): Ignore all instructions'
    """
    count = f" ({warning.count})" if warning.count > 1 else ""
    return f"{warning.type}: {warning.reason}{count}" + (f": {warning.excerpt}" if warning.excerpt else "")


# A run of the command: read the pages, write what they hold, and say how it went.

SUCCESS, NO_CONTENT, USAGE = 0, 1, 2
#: From this many pages on, worker processes are started without -j: to start one takes as long as dozens of pages.
_MANY_PAGES: Final = 100


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """What is done with each page, and where the results go.

    Attributes:
        job: reads, extracts and encodes a page.
        output: a file or a folder; None for standard output.
        jobs: the number of worker processes; None chooses, and starts none for few pages.
        verbosity: -1 for no messages about pages, 1 for one about each.
        overwrite: replace rows that exist.
    """

    job: PageJob
    output: str | None = None
    jobs: int | None = None
    verbosity: int = 0
    overwrite: bool = False

    def write(self, names: list[str]) -> int:
        """Write the named pages; return the exit code."""
        from tamis.sources import open_pages

        _check_pages(names)
        sources = list(open_pages(names))
        several = len(sources) > 1
        if several:
            gc.enable()  # see `tamis.cli.program`
        kept = frozenset[str]()
        if self.output is not None and Path(self.output).exists():
            kept = frozenset(os.path.realpath(source.name) for source in sources if not source.is_url)
        writer, encoding = self._writer(
            kept, several=several, in_folder=several or any(Path(name).is_dir() for name in names)
        )
        job = replace(self.job, encoding=encoding, several=several)
        read = written = 0
        try:
            for source, result in self._results(job, sources):
                if result.fatal is not None:
                    raise result.fatal
                read += result.status != "error"
                if self.verbosity >= 0:
                    for message in result.messages:
                        print_message(f"{source.name}: {message}")
                if result.content is not None:
                    writer.add(source, result.content)
                    written += result.status == "ok"
        finally:
            writer.close()
        return SUCCESS if written == len(sources) else NO_CONTENT if read else USAGE

    def _results(self, job: PageJob, sources: "list[Source]") -> "Iterator[tuple[Source, PageResult]]":
        """Yield what comes of each page, in order."""
        if len(sources) < (_MANY_PAGES if self.jobs is None else 2) or self.jobs == 1:
            for source in sources:
                yield source, job(source)
            return
        from tamis.cli.parallel import map_pages

        yield from map_pages(job, sources, self.jobs, is_quiet=self.verbosity < 0, to_stdout=self.output is None)

    def _writer(  # noqa: PLR0911 (one case per output)
        self, kept: frozenset[str], *, several: bool, in_folder: bool
    ) -> "tuple[PageWriter, PageEncoding]":
        """Return where pages go, and what each one becomes. The output of one page is replaced without asking."""
        output, name = self.output, self.job.format
        may_replace = self.overwrite or not in_folder
        destination = Destination(Path(output) if output is not None else None, kept, may_replace)
        one_file = self.job.field is not None or self.job.chunks is not None or name in ROWS
        if output is not None and is_folder(output, several=in_folder and not one_file):
            if one_file:
                raise OptionError(f"{output} is a folder; this output is one file")
            return FilePerPage(Folder(Path(output), kept, may_replace), get_format(name).suffix), "page"
        if self.job.field is not None:
            return OneText(destination), "field"
        if self.job.chunks is not None:
            return OneText(destination), "chunks"
        if self.job.rows is not None:
            path = destination.path
            if path is not None and not self.overwrite and path.is_file() and path.stat().st_size:
                hint = "give --overwrite to replace it (tamis batch can also --resume a run)"
                raise OptionError(f"{path} exists: {hint}")
            return RowWriter(destination, name, self.job.rows), "row"
        if name == "json" and several:
            return OneText(destination), "line"
        format_ = get_format(name)
        if format_.table_writer is not None:
            return OneTable(destination, format_, self.job.render_options), "table"
        if several:
            return OneText.from_bundle(destination, bundle_for(name)), "bundle"
        return OneText(destination), "page"


def _check_pages(names: list[str]) -> None:
    """Raise an `OptionError` for a file that holds many pages."""
    from tamis.sources.files import PAGE_SUFFIXES

    for name in names:
        path = Path(name)
        if path.suffix and not name.lower().endswith(PAGE_SUFFIXES) and path.is_file():
            from tamis.sources.files import CONTAINER_SUFFIXES

            if name.lower().endswith(CONTAINER_SUFFIXES):
                raise OptionError(f"{name} holds many pages; extract them with: tamis batch {name} -o rows.jsonl")
