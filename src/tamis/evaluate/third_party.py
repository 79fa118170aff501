"""Other programs that extract content, each with its ordinary best settings, each optional.

They come with the extra ``peers``. Each is imported when it is first used, and its version is printed beside its
figures.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final

import turbohtml

from tamis.errors import MissingExtraError

# ruff: noqa: PLC0415 (no peer is imported before it is asked for)


def _trafilatura(html: str, url: str | None) -> str:
    from trafilatura import extract

    return extract(html, url=url, include_comments=False) or ""


def _readability(html: str, url: str | None) -> str:
    import html_text
    from readability import Document

    # A fragment, not a document: within a document, version 0.9 now and then takes the div it has put around its
    # result for a list of links, and removes it (6 pages of L3S-GN1, 0.007 of its mean).
    text: str = html_text.extract_text(Document(html, url=url).summary(html_partial=True))
    return text


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

    # Its parser gives up on odd markup; this way it still returns what it had by then (L3S-GN1: 49 pages, 0.690
    # when it raises, 0.709 when it does not).
    text: str = ArticleExtractor(raise_on_failure=False).get_content(html)
    return text


def _newspaper4k(html: str, url: str | None) -> str:
    import newspaper

    # The address stands in where there is none; nothing is fetched when markup is given.
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


@dataclass(frozen=True, slots=True)
class Peer:
    """Another program as a `tamis.evaluate.tools.Tool`.

    Attributes:
        name: what ``--extractors`` calls it.
        package: what pip calls it.
        call: from markup and address to text.
    """

    name: str
    package: str
    call: Callable[[str, str | None], str]

    @property
    def version(self) -> str:
        """The version that is installed."""
        try:
            return version(self.package)
        except PackageNotFoundError as error:
            raise MissingExtraError.for_module(self.package, "peers") from error

    def text(self, html: str, url: str | None = None) -> str:
        """Return the content that this program finds."""
        try:
            return self.call(html, url)
        except ModuleNotFoundError as error:
            raise MissingExtraError.for_module(self.package, "peers") from error


PEERS: Final[dict[str, Peer]] = {
    peer.name: peer
    for peer in (
        Peer("trafilatura", "trafilatura", _trafilatura),
        Peer("readability-lxml", "readability-lxml", _readability),
        Peer("resiliparse", "resiliparse", _resiliparse),
        Peer("justext", "jusText", _justext),
        Peer("boilerpy3", "boilerpy3", _boilerpy3),
        Peer("newspaper4k", "newspaper4k", _newspaper4k),
        Peer("goose3", "goose3", _goose3),
        Peer("turbohtml-article", "turbohtml", _turbohtml),
    )
}
