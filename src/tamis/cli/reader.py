"""How a page named on the command line becomes a `Page`: parsed, with saved boxes, or drawn by Chromium."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tamis.page import Page
    from tamis.sources import Source
    from tamis.visual.store import BoxFolder

# ruff: noqa: PLC0415 (numpy, the parser and playwright load where a page is read, not for --help)


@dataclass(frozen=True)
class Reader:
    """Reads pages.

    Attributes:
        render: draw them, and read what their scripts leave.
        network: let files that are drawn load what they ask for. An address is of the network by itself.
        boxes: a folder of saved boxes.
    """

    render: bool = False
    network: bool = False
    boxes: Path | None = None

    def read(self, source: "Source", encoding: str | None) -> "tuple[Page, str | None]":
        """Return a page and its address, where it has one."""
        from tamis.page import parse_page

        if self.render and source.is_address:
            from tamis.visual.browser import shared_browser
            from tamis.visual.settings import Settings

            return shared_browser(Settings(scripts=True, network=True)).open(source.name)
        markup, address, charset = source.read()
        page = parse_page(markup, encoding=encoding or charset)
        if self.render:
            from tamis.visual.browser import shared_browser
            from tamis.visual.settings import Settings

            page = shared_browser(Settings(scripts=True, network=self.network)).draw(page)
        elif self.boxes is not None:
            page = self._folder.attach(page)
        return page, address

    @cached_property
    def _folder(self) -> "BoxFolder":
        from tamis.visual.store import BoxFolder

        assert self.boxes is not None
        return BoxFolder(self.boxes)

    def remark(self, page: "Page") -> str | None:
        """Return what a person should know about how a page was drawn, None if there is nothing."""
        if page.boxes is None or not page.boxes.unmatched:
            return None
        return f"{page.boxes.unmatched} of {len(page)} rows have no match in the browser and count as unseen"
