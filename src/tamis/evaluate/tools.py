"""Anything that makes text of a page, under one small protocol: our extractors and our peers."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import tamis
from tamis.api import Extraction, extract_page
from tamis.errors import UnknownExtractorError
from tamis.evaluate.third_party import PEERS
from tamis.extractors import registry
from tamis.extractors.registry import needs_layout
from tamis.page import parse_page

if TYPE_CHECKING:
    from tamis.visual.store import LayoutFolder


class Tool(Protocol):
    """Something that is measured."""

    @property
    def name(self) -> str:
        """What tables call it."""

    @property
    def version(self) -> str:
        """Which version was measured."""

    def text(self, html: str, url: str | None = None) -> str:
        """Return the content of a page."""


@dataclass(frozen=True, slots=True)
class Own:
    """An extractor of our registry.

    >>> Own("body").text("<p>tea")
    'tea'
    """

    name: str
    layout: Path | None = None

    @property
    def version(self) -> str:
        """The version of Tamis."""
        return tamis.__version__

    def extraction(self, html: str, url: str | None = None) -> Extraction:
        """Return what it finds, with the page and the selection; from saved boxes where there are some."""
        page = parse_page(html)
        if self.layout is not None:
            page = _folder(self.layout).attach(page)
        if needs_layout(registry.get(self.name)):
            from tamis.visual import supply_layout  # noqa: PLC0415 (an extra)

            page, _ = supply_layout(page, registry.get(self.name))
        return extract_page(page, url, extractor=self.name)

    def text(self, html: str, url: str | None = None) -> str:
        """Return the content of a page."""
        return self.extraction(html, url).text


@cache
def _folder(path: Path) -> "LayoutFolder":
    """Return a folder of layout, listed once a process."""
    from tamis.visual.store import LayoutFolder  # noqa: PLC0415 (only where asked for)

    return LayoutFolder(path)


def tool_names() -> list[str]:
    """Return all names that `open_tool` knows."""
    return [*registry.names(), *PEERS]


def open_tool(name: str, layout: Path | None = None) -> Tool:
    """Return the tool of a name; ``peer:NAME`` or ``tamis:NAME`` where both might have it.

    Ours reads boxes from a folder, if one is given (see ``tamis render``).

    Asking for its version makes sure that a peer is installed.

    >>> open_tool("cetd").version == open_tool("tamis:cetd").version == tamis.__version__
    True
    """
    home, _, rest = name.rpartition(":")
    if home in {"", "tamis"} and rest in registry.names():
        return Own(rest, layout)
    if home in {"", "peer"} and rest in PEERS:
        peer = PEERS[rest]
        _ = peer.version
        return peer
    near = get_close_matches(rest, tool_names(), n=1)
    hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(tool_names())}"
    raise UnknownExtractorError(f"no extractor or peer is named {name!r}{hint}")
