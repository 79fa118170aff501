"""The work on one page of the command: read it, extract it, and encode it for the output."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from tamis.cli.encoders import Encoding, encode
from tamis.cli.page_loader import PageLoader
from tamis.errors import BrowserError, MissingExtraError, TamisError
from tamis.render.options import RenderOptions

if TYPE_CHECKING:
    from tamis.api import Extraction, Options
    from tamis.sources import Source

# ruff: noqa: PLC0415 (numpy, the parser and the extractors load where they are used, not for --help)


@dataclass(frozen=True, slots=True)
class PageResult:
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


@dataclass(frozen=True)
class PageJob:
    """Turns a page into what is written for it. Picklable: worker processes run it, too.

    Attributes:
        options: how the content is chosen.
        render_options: how it is shown.
        loader: reads the pages.
        format: the name of the format.
        encoding: what a page becomes.
        url: the URL of the pages, if it was given.
        field: the one field to write.
        chunks: the size of the chunks to write.
        several: whether the output has several pages.
        verbosity: 1 for a message about each page.
    """

    options: "Options"
    render_options: RenderOptions
    loader: PageLoader
    format: str = "text"
    encoding: Encoding = "page"
    url: str | None = None
    field: str | None = None
    chunks: int | None = None
    several: bool = False
    verbosity: int = 0

    def __call__(self, source: "Source") -> PageResult:
        """Return what comes of a page. What the page does wrong is in the result."""
        from tamis.api import extract_page

        try:
            loaded = self.loader.read(source, self.options)
            url = self.url or loaded.url
            extraction = extract_page(loaded.page, url, options=self.options, render_options=self.render_options)
            extraction = replace(extraction, limits_reached=loaded.limits_reached)
            if self.loader.render == "auto":
                extraction = self._drawn_if_better(extraction, loaded.url)
        except (BrowserError, MissingExtraError) as error:
            return PageResult("error", fatal=error)
        except TamisError as error:
            return PageResult("error", (str(error),))
        is_binary = (extraction.empty_reason or "").startswith("not a web page")
        messages = [loaded.warning, extraction.selection.note, extraction.selection.profile_warning]
        if self.field is None or is_binary:
            messages.append(extraction.empty_reason)
        if self.verbosity > 0 and extraction:
            messages += [summarize(extraction), *(f"{each.type}: {each.reason}" for each in extraction.warnings)]
        content = None
        if extraction or extraction.index_links or (self.field is not None and not is_binary):
            content = encode(self, source.name, extraction)
            if content is None:
                messages.append(f"no {self.field}")
        return PageResult("empty" if content is None else "ok", tuple(filter(None, messages)), content)

    def _drawn_if_better(self, extraction: "Extraction", url: str | None) -> "Extraction":
        """Return the extraction of a page as its scripts left it, if they build it and there is more to it."""
        from tamis.api import extract_page
        from tamis.visual.scripted import is_better, needs_browser

        if not needs_browser(extraction):
            return extraction
        page = self.loader.draw(extraction.page, url)
        drawn = extract_page(page, extraction.url, options=self.options, render_options=self.render_options)
        return drawn if is_better(drawn, extraction) else extraction


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
