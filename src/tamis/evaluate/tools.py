"""Anything that makes text of a page, under one small protocol: our extractors and our peers."""

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

import tamis
from tamis.api import Extraction, extract
from tamis.errors import UnknownExtractorError
from tamis.evaluate.peers import PEERS
from tamis.extractors import registry


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

    @property
    def version(self) -> str:
        """The version of Tamis."""
        return tamis.__version__

    def extraction(self, html: str, url: str | None = None) -> Extraction:
        """Return what it finds, with the page and the selection."""
        return extract(html, url, extractor=self.name)

    def text(self, html: str, url: str | None = None) -> str:
        """Return the content of a page."""
        return self.extraction(html, url).text


def tool_names() -> list[str]:
    """Return all names that `open_tool` knows."""
    return [*registry.names(), *PEERS]


def open_tool(name: str) -> Tool:
    """Return the tool of a name; ``peer:NAME`` or ``tamis:NAME`` where both might have it.

    Asking for its version makes sure that a peer is installed.

    >>> open_tool("cetd").version == open_tool("tamis:cetd").version == tamis.__version__
    True
    """
    home, _, rest = name.rpartition(":")
    if home in {"", "tamis"} and rest in registry.names():
        return Own(rest)
    if home in {"", "peer"} and rest in PEERS:
        peer = PEERS[rest]
        _ = peer.version
        return peer
    near = get_close_matches(rest, tool_names(), n=1)
    hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(tool_names())}"
    raise UnknownExtractorError(f"no extractor or peer is named {name!r}{hint}")
