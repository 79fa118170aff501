"""The tools that are measured, behind one protocol: the extractors of Tamis and third-party programs."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import tamis
from tamis.api import Extraction, extract_page
from tamis.errors import MissingExtraError, OptionError, UnknownExtractorError
from tamis.evaluate.javascript import JAVASCRIPT_TOOLS, open_javascript_tool
from tamis.evaluate.third_party import THIRD_PARTY_TOOLS
from tamis.extractors import registry
from tamis.extractors.base import Extractor
from tamis.extractors.profiles import load_profile
from tamis.extractors.registry import needs_layout
from tamis.page import parse_page

if TYPE_CHECKING:
    from tamis.visual.store import LayoutFolder


class Tool(Protocol):
    """A program that extracts the text of a page."""

    @property
    def name(self) -> str:
        """The name in tables."""

    @property
    def version(self) -> str:
        """The version that is measured."""

    def text(self, html: str, url: str | None = None) -> str:
        """Return the content of a page."""


@runtime_checkable
class MarkdownTool(Protocol):
    """A tool that writes Markdown, too."""

    def markdown(self, html: str, url: str | None = None) -> str | None:
        """Return the content of a page as Markdown, or None if the tool writes none."""


@dataclass(frozen=True, slots=True)
class TamisTool:
    """An extractor of Tamis.

    Attributes:
        name: its name in the registry.
        layout: a folder of saved layouts, for visual extractors.

    >>> TamisTool("body").text("<p>tea")
    'tea'
    """

    name: str
    layout: Path | None = None

    @property
    def version(self) -> str:
        """The version of Tamis."""
        return tamis.__version__

    def extraction(self, html: str, url: str | None = None) -> Extraction:
        """Return the extraction of a page, with its saved layout if there is one."""
        page = parse_page(html)
        if self.layout is not None:
            page = _open_layouts(self.layout).attach(page)
        if needs_layout(registry.get(self.name)):
            from tamis.visual import supply_layout  # noqa: PLC0415 (an extra)

            page, _ = supply_layout(page, registry.get(self.name))
        return extract_page(page, url, extractor=self.name)

    def text(self, html: str, url: str | None = None) -> str:
        """Return the content of a page."""
        return self.extraction(html, url).text

    def markdown(self, html: str, url: str | None = None) -> str:
        """Return the content of a page as Markdown."""
        return self.extraction(html, url).markdown


@dataclass(frozen=True, slots=True)
class ProfileTool:
    """A site profile, made by ``tamis train``. Its name in tables is that of its file.

    Attributes:
        path: the file.
    """

    path: Path

    @property
    def name(self) -> str:
        """The name of the file, without its suffix."""
        return self.path.stem

    @property
    def version(self) -> str:
        """The version of Tamis."""
        return tamis.__version__

    def extraction(self, html: str, url: str | None = None) -> Extraction:
        """Return the extraction of a page."""
        return extract_page(parse_page(html), url, extractor=_open_profile(self.path))

    def text(self, html: str, url: str | None = None) -> str:
        """Return the content of a page."""
        return self.extraction(html, url).text

    def markdown(self, html: str, url: str | None = None) -> str:
        """Return the content of a page as Markdown."""
        return self.extraction(html, url).markdown


@cache
def _open_profile(path: Path) -> Extractor:
    """Return the extractor of a profile, loaded once per process."""
    return load_profile(path)


def open_profile(path: Path) -> ProfileTool:
    """Return the tool of a site profile. A file that is not a profile raises an `OptionError`."""
    if path.stem in tool_names():
        raise OptionError(f"{path} has the name of an extractor; rename the file")
    _open_profile(path)
    return ProfileTool(path)


@cache
def _open_layouts(path: Path) -> "LayoutFolder":
    """Return a folder of saved layouts, listed once per process."""
    from tamis.visual.store import LayoutFolder  # noqa: PLC0415 (an extra)

    return LayoutFolder(path)


def tool_names() -> list[str]:
    """Return the names of all tools."""
    return [*registry.names(), *THIRD_PARTY_TOOLS, *JAVASCRIPT_TOOLS]


def installed_tools() -> list[str]:
    """Return the names of the third-party tools that are installed; if there are none, three extractors of papers."""
    found = []
    for name, tool in THIRD_PARTY_TOOLS.items():
        try:
            _ = tool.version
        except MissingExtraError:
            continue
        found.append(name)
    return found if len(found) > 1 else ["cetd", "coreex", "ridge"]  # turbohtml is always there


def open_tool(name: str, layout: Path | None = None, timeout: float | None = None) -> Tool:
    """Return a tool by name.

    ``tamis:NAME`` or ``third-party:NAME`` says which tool is meant if both have the name. A third-party tool that is
    not installed raises `MissingExtraError`, one in JavaScript `NodeError`.

    Args:
        name: the name of an extractor or of a third-party tool.
        layout: a folder of saved layouts (see ``tamis render``), for visual extractors.
        timeout: seconds per page, for tools in JavaScript.

    >>> open_tool("cetd").version == open_tool("tamis:cetd").version == tamis.__version__
    True
    """
    prefix, _, tool_name = name.rpartition(":")
    if prefix in {"", "tamis"} and tool_name in registry.names():
        return TamisTool(tool_name, layout)
    if prefix in {"", "third-party"} and tool_name in THIRD_PARTY_TOOLS:
        tool = THIRD_PARTY_TOOLS[tool_name]
        _ = tool.version  # raises if it is not installed
        return tool
    if prefix in {"", "third-party"} and tool_name in JAVASCRIPT_TOOLS:
        return open_javascript_tool(tool_name, timeout)
    similar = get_close_matches(tool_name, tool_names(), n=1)
    hint = f"; did you mean {similar[0]}?" if similar else f"; there are {', '.join(tool_names())}"
    raise UnknownExtractorError(f"no extractor or third-party tool is named {name!r}{hint}")
