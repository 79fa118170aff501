"""The interface of jusText: the paragraphs of a page, each content or boilerplate.

>>> page = "<nav><a href=/>Home</a></nav><p>Boil soft water, wait three minutes, and then pour it over the leaves."
>>> for paragraph in justext(page, get_stoplist("English")):
...     print(paragraph.is_boilerplate, paragraph.dom_path, paragraph.text)
True html.body.nav Home
False html.body.p Boil soft water, wait three minutes, and then pour it over the leaves.
"""

import lzma
import re
from collections.abc import Collection, Iterable
from functools import cache
from html import escape
from importlib import import_module
from importlib.resources import files
from typing import Any, Final
from xml.sax.handler import ContentHandler

from tamis.api import extract
from tamis.compat import import_paths
from tamis.compat.markup import decode, lxml_error, read_markup, warn_ignored
from tamis.html import tags
from tamis.page import Page
from tamis.render.text import block_texts

# ruff: noqa: FBT001, FBT002, PLR0917 (the signature is that of jusText)

__all__ = [
    "JustextError",
    "Paragraph",
    "ParagraphMaker",
    "classify_paragraphs",
    "get_stoplist",
    "get_stoplists",
    "html_to_dom",
    "justext",
    "preprocessor",
    "revise_paragraph_classification",
]

#: The version of jusText whose interface this is.
__version__: Final = "3.0.2"

__getattr__ = import_paths(
    __name__,
    ("core", "paragraph", "utils"),
    {
        "PathInfo": "Paragraph has `xpath` and `dom_path`",
        "decode_html": "pass bytes: they are decoded as browsers do",
    },
)

_PRE: Final = tags.IDS["pre"]
_POSITION: Final = re.compile(r"\[\d+\]")
_NO_POSITION: Final = re.compile(r"(?<=[^]()/])(?=/|$)")  #: the end of a step without a position
_MAX_INLINE_DEPTH: Final = 64  #: elements around a text that are counted; pages in use have fewer than ten
#: The defaults of jusText.
_DEFAULTS: Final = {
    "length_low": 70,
    "length_high": 200,
    "stopwords_low": 0.30,
    "stopwords_high": 0.32,
    "max_link_density": 0.2,
    "max_heading_distance": 200,
}


class JustextError(Exception):
    """The page is empty. Where lxml is installed, the error is also its ``ParserError``, as in jusText."""


class Paragraph:
    """A block of text, with the attributes of jusText's class of this name."""

    def __init__(self, page: Page, block: int, text: str, *, selected: bool) -> None:
        self._page = page
        self._block = block
        self._element = int(page.blocks.container[block])
        self.text = text if page.tag[self._element] == _PRE else text.replace("\n", " ")
        self.class_type = self.cf_class = "good" if selected else "bad"

    def __len__(self) -> int:
        return len(self.text)

    def __repr__(self) -> str:
        return f"<Paragraph {self.class_type}: {self.text[:40]!r}>"

    @property
    def is_boilerplate(self) -> bool:
        """Whether the paragraph is not content."""
        return self.class_type != "good"

    @property
    def is_heading(self) -> bool:
        """Whether it is a heading."""
        return bool(tags.HEADING[self._page.tag[self._element]])

    @property
    def heading(self) -> bool:
        """Whether it is a heading."""
        return self.is_heading

    @property
    def xpath(self) -> str:
        """The XPath of its element, with a position in every step."""
        return _NO_POSITION.sub("[1]", self._page.xpaths.of(self._element))

    @property
    def dom_path(self) -> str:
        """The tags from the root to its element, with dots between them."""
        return _POSITION.sub("", self.xpath).strip("/").replace("/", ".")

    @property
    def words_count(self) -> int:
        """The number of words."""
        return len(self.text.split())

    @property
    def text_nodes(self) -> list[str]:
        """The text of each of its text runs."""
        return [text for row in self._rows() if (text := self._page.row_text(row)).strip()]

    @property
    def tags_count(self) -> int:
        """The number of inline elements."""
        page, first = self._page, int(self._page.blocks.start[self._block])
        count = int(page.is_element[first : page.blocks.stop[self._block]].sum())
        for _ in range(_MAX_INLINE_DEPTH):  # those that begin before the first text
            first = int(page.parent[first])
            if first <= self._element:
                break
            count += 1
        return count

    @property
    def chars_count_in_links(self) -> int:
        """The number of characters in links."""
        return sum(len(self._page.row_text(row).strip()) for row in self._rows() if self._page.link[row])

    def contains_text(self) -> bool:
        """Return whether there is text."""
        return bool(self.text)

    def links_density(self) -> float:
        """Return the share of characters in links."""
        return self.chars_count_in_links / len(self.text) if self.text else 0

    def stopwords_count(self, stopwords: Collection[str]) -> int:
        """Return the number of words that are in `stopwords`."""
        return sum(word.lower() in stopwords for word in self.text.split())

    def stopwords_density(self, stopwords: Collection[str]) -> float:
        """Return the share of words that are in `stopwords`."""
        return self.stopwords_count(stopwords) / self.words_count if self.text.split() else 0

    def _rows(self) -> list[int]:
        blocks = self._page.blocks
        rows = range(blocks.start[self._block], blocks.stop[self._block])
        return [row for row in rows if blocks.block_of[row] == self._block]


def justext(
    html_text: str | bytes,
    stoplist: Collection[str] = frozenset(),
    length_low: int = 70,
    length_high: int = 200,
    stopwords_low: float = 0.30,
    stopwords_high: float = 0.32,
    max_link_density: float = 0.2,
    max_heading_distance: int = 200,
    no_headings: bool = False,
    encoding: str | None = None,
    default_encoding: str = "utf8",
    enc_errors: str = "replace",
    preprocessor: object = None,
) -> list[Paragraph]:
    """Return the paragraphs of a page in order; `Paragraph.is_boilerplate` says which are not content.

    Tamis judges pages in any language without a list of stop words, so `stoplist` and the six thresholds after it
    have no effect. A list that is not one of `get_stoplist` and other thresholds are answered with a warning.

    Args:
        html_text: the page. Bytes are decoded as browsers do.
        stoplist: has no effect.
        length_low: has no effect.
        length_high: has no effect.
        stopwords_low: has no effect.
        stopwords_high: has no effect.
        max_link_density: has no effect.
        max_heading_distance: has no effect.
        no_headings: headings are boilerplate.
        encoding: the encoding of bytes.
        default_encoding: has no effect.
        enc_errors: with `encoding`, what becomes of invalid bytes.
        preprocessor: has no effect.
    """
    thresholds = (length_low, length_high, stopwords_low, stopwords_high, max_link_density, max_heading_distance)
    changed = {name: value != default for (name, default), value in zip(_DEFAULTS.items(), thresholds, strict=True)}
    warn_ignored(
        "justext",
        stoplist=bool(stoplist) and frozenset(stoplist) not in _stoplists().values(),
        **changed,
        default_encoding=default_encoding != "utf8",
        enc_errors=enc_errors != "replace" and not encoding,
        preprocessor=preprocessor,
    )
    markup = read_markup(html_text)
    if not markup.strip():
        raise lxml_error("ParserError", JustextError("Document is empty"))
    if encoding and isinstance(markup, bytes):
        markup = markup.decode(encoding, enc_errors)
    extraction = extract(markup)
    page = extraction.page
    selected = page.blocks.sum(extraction.selection.mask) > 0
    paragraphs = [
        Paragraph(page, block, text, selected=bool(selected[block])) for block, text in block_texts(page, page.shown)
    ]
    for paragraph in paragraphs if no_headings else ():
        if paragraph.is_heading:
            paragraph.class_type = "bad"
    return paragraphs


def get_stoplists() -> frozenset[str]:
    """Return the languages that there is a list of stop words for. Tamis needs none to judge a page."""
    return frozenset(_stoplists())


def get_stoplist(language: str) -> frozenset[str]:
    """Return the stop words of a language, in lower case.

    Raises:
        ValueError: there is no list for the language.

    >>> "the" in get_stoplist("English"), len(get_stoplists())
    (True, 100)
    """
    try:
        return _stoplists()[language]
    except KeyError:
        message = f"Stoplist for language '{language}' is missing. get_stoplists() returns those that there are."
        raise ValueError(message) from None


@cache
def _stoplists() -> dict[str, frozenset[str]]:
    """Return the lists of jusText by language; in the file a line has the language, and each line after it a word."""
    text = lzma.decompress(files("tamis.compat").joinpath("stoplists.xz").read_bytes()).decode()
    lists = (words.split("\n") for words in text.split("\n\n"))
    return {language: frozenset(words) for language, *words in lists}


# The steps of `justext`, for programs that call them one by one, as ``justext.core`` has them.


def html_to_dom(
    html: str | bytes,
    default_encoding: str = "utf8",  # noqa: ARG001 (as in jusText)
    encoding: str | None = None,
    errors: str = "replace",
) -> Any:  # noqa: ANN401 (an element of lxml)
    """Return a page as an element of lxml, which must be installed."""
    text = html if isinstance(html, str) else html.decode(encoding, errors) if encoding else decode(html)
    import_module("lxml.sax")  # programs feed `ParagraphMaker` by it and import lxml alone, as the package allows
    return import_module("lxml.html").fromstring(text)


def preprocessor(dom: Any) -> Any:  # noqa: ANN401 (an element of lxml)
    """Return a page as it is: what is hidden is left out later."""
    return dom


class ParagraphMaker(ContentHandler):
    """Takes the events of a page from ``lxml.sax.saxify``; `paragraphs` are those of `justext`."""

    def __init__(self) -> None:
        super().__init__()
        self._markup: list[str] = []
        self._paragraphs: list[Paragraph] | None = None

    @classmethod
    def make_paragraphs(cls, root: Any) -> list[Paragraph]:  # noqa: ANN401 (an element of lxml)
        """Return the paragraphs of an element of lxml."""
        return justext(read_markup(root))

    @property
    def paragraphs(self) -> list[Paragraph]:
        """The paragraphs of what was fed."""
        if self._paragraphs is None:
            markup = "".join(self._markup)
            self._paragraphs = justext(markup) if markup.strip() else []
        return self._paragraphs

    def startElementNS(self, name: Any, qname: str | None, attrs: Any) -> None:  # noqa: ANN401, ARG002, N802 (of SAX)
        """Take the start of an element."""
        values = "".join(f' {key[1]}="{escape(str(value))}"' for key, value in attrs.items())
        self._markup.append(f"<{name[1]}{values}>")

    def endElementNS(self, name: Any, qname: str | None) -> None:  # noqa: ANN401, ARG002, N802 (of SAX)
        """Take the end of an element."""
        if not tags.VOID[tags.IDS.get(name[1], tags.OTHER)]:
            self._markup.append(f"</{name[1]}>")

    def characters(self, content: str) -> None:
        """Take text."""
        self._markup.append(escape(content, quote=False))


def classify_paragraphs(
    paragraphs: Iterable[Paragraph],
    stoplist: Collection[str] = frozenset(),  # noqa: ARG001 (here and below, as in jusText)
    length_low: int = 70,  # noqa: ARG001
    length_high: int = 200,  # noqa: ARG001
    stopwords_low: float = 0.30,  # noqa: ARG001
    stopwords_high: float = 0.32,  # noqa: ARG001
    max_link_density: float = 0.2,  # noqa: ARG001
    no_headings: bool = False,
) -> None:
    """Set `cf_class` of paragraphs: what Tamis chose; with `no_headings`, headings are ``bad``."""
    for paragraph in paragraphs:
        if no_headings and paragraph.is_heading:
            paragraph.cf_class = "bad"


def revise_paragraph_classification(paragraphs: Iterable[Paragraph], max_heading_distance: int = 200) -> None:  # noqa: ARG001
    """Set `class_type` of paragraphs, their final class: it is their `cf_class`."""
    for paragraph in paragraphs:
        paragraph.class_type = paragraph.cf_class
