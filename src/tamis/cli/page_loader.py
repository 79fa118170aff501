"""Load a page that is named on the command line: parse it, attach a saved layout, or render it in Chromium."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.api import Options
    from tamis.cli.render_flag import RenderFlag
    from tamis.document.warnings import ContentWarning
    from tamis.page import Page
    from tamis.sources import Source
    from tamis.visual.store import LayoutFolder

# ruff: noqa: PLC0415 (numpy, the parser and playwright load where a page is read, not for --help)


@dataclass(frozen=True, slots=True)
class Loaded:
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


@dataclass(frozen=True)
class PageLoader:
    """Loads pages.

    Attributes:
        render: render them in Chromium, with their scripts: always, or where scripts build them (auto).
        network: let rendered files load resources. Pages from URLs always may.
        layout: a folder of saved layouts.
    """

    render: "RenderFlag | None" = None
    network: bool = False
    layout: Path | None = None

    def read(self, source: "Source", options: "Options") -> "Loaded":
        """Return a page, with the layout that the extractor needs."""
        from tamis.api.limits import parse_within
        from tamis.extractors.registry import needs_layout

        if self.render == "always" and source.is_url:
            from tamis.visual import BrowserConfig, shared_browser

            page, final_url = shared_browser(BrowserConfig(scripts=True, network=True)).open(source.name)
            return Loaded(page, final_url, _unmatched_rows(page))
        markup, url, encoding = source.read()
        page, reached = parse_within(markup, options.encoding or encoding, options.limits)
        layout_error = None
        if self.render == "always":
            page = self.draw(page, None)
        elif self.layout is not None:
            page = self._folder.attach(page)
        elif needs_layout(options.resolve()):
            from tamis.visual import supply_layout

            page, layout_error = supply_layout(page, options.resolve())
        return Loaded(page, url, layout_error or _unmatched_rows(page), reached)

    def draw(self, page: "Page", url: str | None) -> "Page":
        """Return a page as its scripts left it. A page from a URL may load its resources."""
        from tamis.visual import BrowserConfig, shared_browser

        return shared_browser(BrowserConfig(scripts=True, network=self.network or url is not None)).render(page, url)

    @cached_property
    def _folder(self) -> "LayoutFolder":
        from tamis.visual.store import LayoutFolder

        assert self.layout is not None
        return LayoutFolder(self.layout)


def _unmatched_rows(page: "Page") -> str | None:
    """Return a warning if the browser has no elements for some rows."""
    if page.layout is None or not page.layout.unmatched:
        return None
    return f"{page.layout.unmatched} of {len(page)} rows have no match in the browser and count as invisible"
