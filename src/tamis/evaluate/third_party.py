"""Third-party tools that extract content, each optional and with its usual best settings.

The extra ``third-party`` installs them. Each is imported on first use, and its version is printed beside its scores.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import turbohtml

from tamis.compat.html2text import html2text
from tamis.errors import MissingExtraError

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

    return html2text(Document(html, url=url).summary(html_partial=True), url or "")


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
    return "" if element is None else html2text(element.html, url or "")


@dataclass(frozen=True, slots=True)
class ThirdPartyTool:
    """A third-party program as a `tamis.evaluate.tools.Tool`.

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
        try:
            return version(self.package)
        except PackageNotFoundError as error:
            raise MissingExtraError.for_module(self.package, "third-party") from error

    def text(self, html: str, url: str | None = None) -> str:
        """Return the content of a page."""
        try:
            return self.call(html, url)
        except ModuleNotFoundError as error:
            raise MissingExtraError.for_module(self.package, "third-party") from error

    def markdown(self, html: str, url: str | None = None) -> str | None:
        """Return the content of a page as Markdown, or None. HTML is converted by `tamis.compat.html2text`."""
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
