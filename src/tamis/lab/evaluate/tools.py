"""The tools that are measured, behind one protocol: extractors of Tamis and third-party programs."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import turbohtml

import tamis
from tamis.api import Extraction, extract
from tamis.errors import MissingExtraError, OptionError, UnknownNameError, needs_extra
from tamis.extractors import registry
from tamis.extractors.registry import needs_layout
from tamis.lab.evaluate.javascript import JAVASCRIPT_TOOLS, markdown_of_html, open_javascript_tool
from tamis.page import parse_page
from tamis.sites.rules import load_profile

if TYPE_CHECKING:
    from tamis.browser.store import LayoutFolder

# Third-party tools that extract content, each optional and with its usual best settings.

# ruff: noqa: PLC0415 (a tool is imported only if it is used)


def _trafilatura(html: str, url: str | None) -> str:
    from trafilatura import extract

    return extract(html, url=url, include_comments=False) or ""


def _trafilatura_markdown(html: str, url: str | None) -> str:
    from trafilatura import extract

    markdown = extract(
        html,
        url=url,
        output_format="markdown",
        include_comments=False,
        include_formatting=True,
        include_links=True,
        include_tables=True,
    )
    return markdown or ""


def _readability(html: str, url: str | None) -> str:
    import html_text
    from readability import Document

    # A fragment, not a document: in a document, version 0.9 sometimes mistakes the div that it put around its result
    # for a list of links, and removes it (6 pages of L3S-GN1, 0.007 of its mean).
    text: str = html_text.extract_text(Document(html, url=url).summary(html_partial=True))
    return text


def _readability_markdown(html: str, url: str | None) -> str:
    from readability import Document

    return markdown_of_html(Document(html, url=url).summary(html_partial=True), url)


def _resiliparse(html: str, _url: str | None) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    text: str = extract_plain_text(html, main_content=True, alt_texts=False)
    return text


def _justext(html: str, _url: str | None) -> str:
    import justext

    paragraphs = justext.justext(html, justext.get_stoplist("English"))
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


def _boilerpy3(html: str, _url: str | None) -> str:
    from boilerpy3.extractors import ArticleExtractor

    # Its parser fails on some markup. With this setting it returns what it has read so far (L3S-GN1: 49 pages; the
    # mean is 0.690 if it raises, 0.709 if it does not).
    text: str = ArticleExtractor(raise_on_failure=False).get_content(html)
    return text


def _newspaper4k(html: str, url: str | None) -> str:
    import newspaper

    # It needs a URL. Nothing is fetched if markup is given.
    article = newspaper.article(url or "https://example.org/", input_html=html, fetch_images=False)
    text: str = article.text
    return text


def _goose3(html: str, _url: str | None) -> str:
    from goose3 import Goose

    with Goose({"enable_image_fetching": False}) as goose:
        text: str = goose.extract(raw_html=html).cleaned_text
    return text


def _turbohtml(html: str, _url: str | None) -> str:
    return turbohtml.parse(html, positions=False).article().text


def _turbohtml_markdown(html: str, url: str | None) -> str:
    element = turbohtml.parse(html, positions=False).article().element
    return "" if element is None else markdown_of_html(element.html, url)


@dataclass(frozen=True, slots=True)
class ThirdPartyTool:
    """A third-party program as a `tamis.lab.evaluate.tools.Tool`.

    Attributes:
        name: what ``--extractor`` calls it.
        package: the name of its distribution on PyPI.
        call: takes markup and a URL, returns text.
        call_markdown: likewise, returns Markdown; None if it writes neither Markdown nor HTML.
    """

    name: str
    package: str
    call: Callable[[str, str | None], str]
    call_markdown: Callable[[str, str | None], str] | None = None

    @property
    def version(self) -> str:
        """The installed version."""
        with needs_extra(self.package, "third-party"):
            return version(self.package)

    def text(self, html: str, url: str | None = None) -> str:
        """Return the content of a page."""
        with needs_extra(self.package, "third-party"):
            return self.call(html, url)

    def markdown(self, html: str, url: str | None = None) -> str | None:
        """Return the content of a page as Markdown, or None. HTML is converted by `markdown_of_html`."""
        return self.call_markdown(html, url) if self.call_markdown else None


THIRD_PARTY_TOOLS: Final[dict[str, ThirdPartyTool]] = {
    tool.name: tool
    for tool in (
        ThirdPartyTool("trafilatura", "trafilatura", _trafilatura, _trafilatura_markdown),
        ThirdPartyTool("readability-lxml", "readability-lxml", _readability, _readability_markdown),
        ThirdPartyTool("resiliparse", "resiliparse", _resiliparse),
        ThirdPartyTool("justext", "jusText", _justext),
        ThirdPartyTool("boilerpy3", "boilerpy3", _boilerpy3),
        ThirdPartyTool("newspaper4k", "newspaper4k", _newspaper4k),
        ThirdPartyTool("goose3", "goose3", _goose3),
        ThirdPartyTool("turbohtml-article", "turbohtml", _turbohtml, _turbohtml_markdown),
    )
}


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

    def markdown(self, html: str, url: str | None = None) -> str | None:
        """Return the content of a page as Markdown, or None if the tool writes none."""


@dataclass(frozen=True, slots=True)
class TamisTool:
    """An extractor of Tamis.

    Attributes:
        name: its name in the registry, or that of the file of its site profile.
        layout: a folder of saved layouts, for visual extractors.
        profile: the file of a site profile, made by ``tamis learn`` or ``tamis train``.

    >>> TamisTool("body").text("<p>tea")
    'tea'
    """

    name: str
    layout: Path | None = None
    profile: Path | None = None

    @property
    def version(self) -> str:
        """The version of Tamis."""
        return tamis.__version__

    def extraction(self, html: str, url: str | None = None) -> Extraction:
        """Return the extraction of a page, with its saved layout if there is one."""
        page = parse_page(html)
        extractor = registry.get(self.name) if self.profile is None else _open_profile(self.profile)
        if self.layout is not None:
            page = _open_layouts(self.layout).attach(page)
        if needs_layout(extractor):
            from tamis.browser import supply_layout

            page, _ = supply_layout(page, extractor)
        return extract(page, url, extractor=extractor, rules=False)

    def text(self, html: str, url: str | None = None) -> str:
        """Return the content of a page."""
        return self.extraction(html, url).text

    def markdown(self, html: str, url: str | None = None) -> str:
        """Return the content of a page as Markdown."""
        return self.extraction(html, url).markdown


#: The extractor of a profile, loaded once per process.
_open_profile: Final = cache(load_profile)


def open_profile(path: Path) -> TamisTool:
    """Return the tool of a site profile. A file that is not a profile raises an `OptionError`."""
    if path.stem in tool_names():
        raise OptionError(f"{path} has the name of an extractor; rename the file")
    _open_profile(path)
    return TamisTool(path.stem, profile=path)


@cache
def _open_layouts(path: Path) -> "LayoutFolder":
    """Return a folder of saved layouts, listed once per process."""
    from tamis.browser.store import LayoutFolder

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
    raise UnknownNameError.among("extractor or third-party tool", name, tool_names())
