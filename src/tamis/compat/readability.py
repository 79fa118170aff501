"""The interface of readability-lxml: `Document`, the main content of a page as HTML.

>>> page = "<title>Tea | The Kettle</title><nav>Home</nav><h1>Tea</h1><p>Boil soft water, wait, and then pour.</p>"
>>> document = Document(page)
>>> document.title(), document.short_title()
('Tea | The Kettle', 'Tea')
>>> "Boil soft water" in document.summary()
True
"""

import re
from functools import cached_property
from typing import Final

import numpy as np

from tamis.api import Extraction, extract
from tamis.compat import import_paths
from tamis.compat.markup import read_markup, warn_ignored
from tamis.html import tags
from tamis.page import parse_page
from tamis.page.selectors import select_rows
from tamis.page.sums import Bools
from tamis.render.original import original_html
from tamis.render.registry import RenderOptions

# ruff: noqa: A002, FBT001, FBT002 (the signatures are those of readability-lxml)

__all__ = ["Document", "Unparseable"]

#: The version of readability-lxml whose interface this is.
__version__: Final = "0.9"

__getattr__ = import_paths(
    __name__,
    ("cleaners", "encoding", "htmls", "readability"),
    {
        "clean_attributes": "summary() has only safe attributes; for other HTML, nh3",
        "html_cleaner": "summary() is safe; for other HTML, nh3",
        "get_encoding": "pass bytes: they are decoded as browsers do",
    },
)

_MIN_TEXT_LENGTH: Final = 25  # the defaults of readability-lxml
_RETRY_LENGTH: Final = 250
_NO_TITLE: Final = "[no-title]"
_NO_AUTHOR: Final = "[no-author]"
#: What readability takes for no content by its element or name, also on pages so short that Tamis keeps them whole.
_UNLIKELY: Final = (
    "noscript, aside, nav, footer, form, body > header, body > div > header, [class*=modal], [class*=popup],"
    " [class*=sponsor], [id*=comment], [id*=advert], [class*=newsletter]"
)
_MIN_REST: Final = 0.4  #: of the text that must be left without blocks that are links
_DASHES: Final = re.compile("[\N{EN DASH}\N{EM DASH}\N{HORIZONTAL BAR}]|&[mn]dash;")
_GUILLEMETS: Final = re.compile("[«»]")
_DELIMITERS: Final = re.compile(r" [|\-/] | :: | \N{RIGHT-POINTING DOUBLE ANGLE QUOTATION MARK} ")
_WORD: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\\w+")
_MIN_TITLE: Final = 4  #: words of a part of the title that is one by itself
_BLOCK_CHILDREN: Final = (
    "address, article, aside, blockquote, div, dl, figure, h1, h2, h3, h4, h5, h6, li, ol, p, pre, section, table, ul"
)


class Unparseable(ValueError):  # noqa: N818 (the name is that of readability-lxml)
    """The input has no characters, or is not a page."""


class Document:
    """A page with the methods of readability-lxml's class of this name.

    Args:
        input: the page: a string, bytes, or an element of lxml.
        positive_keywords: has no effect, like the two below.
        negative_keywords: see above.
        url: the page's URL, to resolve its links.
        min_text_length: a page with less text is not judged: its summary is its body.
        retry_length: see above.
        xpath: elements of the summary have their XPath in the page as the attribute ``x``.
        handle_failures: has no effect: links that cannot be resolved are left out.
    """

    def __init__(
        self,
        input: object,
        positive_keywords: object = None,
        negative_keywords: object = None,
        url: str | None = None,
        min_text_length: int = _MIN_TEXT_LENGTH,
        retry_length: int = _RETRY_LENGTH,
        xpath: bool = False,
        handle_failures: str | None = "discard",
    ) -> None:
        warn_ignored(
            "readability",
            positive_keywords=positive_keywords,
            negative_keywords=negative_keywords,
            retry_length=retry_length != _RETRY_LENGTH,
            handle_failures=handle_failures != "discard",
        )
        self.input = input
        self.url = url
        self.min_text_length = min_text_length
        self.xpath = xpath

    @cached_property
    def _extraction(self) -> Extraction:
        try:
            markup = read_markup(self.input)
        except TypeError as error:
            raise Unparseable(str(error)) from error
        if not markup.strip():
            raise Unparseable("Document is empty")
        return extract(markup, self.url, exclude=_UNLIKELY) or extract(markup, self.url)

    @cached_property
    def _whole(self) -> Extraction:
        """The whole body."""
        return extract(self._extraction.page.markup, self.url, extractor="body")

    @property
    def encoding(self) -> str | None:
        """The encoding that bytes were decoded with."""
        return self._extraction.page.encoding

    def title(self) -> str:
        """Return the text of the page's ``title`` with plain dashes and quotation marks; or ``[no-title]``."""
        return _GUILLEMETS.sub('"', self._whole_title())

    def _whole_title(self) -> str:
        page = self._extraction.page
        titles = (" ".join(str(element.text).split()) for element in page.elements("title"))
        return next((_DASHES.sub("-", title) for title in titles if title), _NO_TITLE)

    def short_title(self) -> str:
        """Return the title without the site's name, or ``""``."""
        found = self._extraction.title or ""
        parts = _DELIMITERS.split(self._whole_title())
        if len(_WORD.findall(found)) < _MIN_TITLE and not select_rows(self._extraction.page, "h1"):
            return next((part for part in (parts[0], parts[-1]) if len(_WORD.findall(part)) >= _MIN_TITLE), found)
        return found

    def author(self) -> str:
        """Return the first author, or ``[no-author]``."""
        return next(iter(self._extraction.metadata.authors), _NO_AUTHOR)

    def content(self) -> str:
        """Return the whole body as HTML, without scripts, styles and hidden elements."""
        return f"<body>{_original(self._whole)}</body>"

    def get_clean_html(self) -> str:
        """Return the whole body as HTML, as `content`."""
        return self.content()

    def summary(self, html_partial: bool = False, keep_all_images: bool = False) -> str:
        """Return the main content as HTML in the page's own elements, or the whole body without content.

        Args:
            html_partial: a ``div`` alone instead of a whole document.
            keep_all_images: keep every image between the content's ends, not only those that belong to its text.
        """
        page = self._extraction.page
        if len("".join(self._whole.text.split())) < self.min_text_length:
            return f'<body id="readabilityBody">{page.document.select("body")[0].inner_html.strip()}</body>'
        found = self._extraction or self._whole
        images = _images_between(found) if keep_all_images else []
        html = original_html(
            found.page,
            _without_link_blocks(found),
            found.url,
            RenderOptions(title=False),
            also=images,
            xpaths=self.xpath,
            innermost=True,
        )
        content = f"<div>{_with_paragraphs(html)}</div>"
        return content if html_partial else f"<html><body>{content}</body></html>"


def _without_link_blocks(extraction: Extraction) -> Bools:
    """Return the selection without blocks that are a link and nothing else, unless little would be left."""
    page, mask = extraction.page, extraction.selection.mask
    blocks, size = page.blocks, np.where(mask, page.nonspace, 0)
    whole, linked = blocks.sum(size), blocks.sum(np.where(page.link > 0, size, 0))
    is_item = tags.tag_mask("li td th")[page.tag[blocks.container]]
    kept = (linked < whole) | is_item
    if size.sum() == 0 or whole[kept].sum() < _MIN_REST * size.sum():
        return mask
    return np.asarray(mask & np.append(kept, True)[blocks.block_of])


def _images_between(extraction: Extraction) -> list[int]:
    """Return the images from the first to the last row of the content."""
    rows = np.flatnonzero(extraction.selection.mask)
    return [
        row for row in select_rows(extraction.page, "img[src]") if len(rows) and rows[0] - 50 <= row <= rows[-1] + 50
    ]


def _with_paragraphs(html: str) -> str:
    """Return HTML in which a ``div`` that has text and no block in it is a ``p``, as readability writes it."""
    if "<div" not in html:
        return html
    body = parse_page(html).document.select("body")[0]
    for element in body.select("div"):
        if not element.select(_BLOCK_CHILDREN) and element.text.strip():
            element.tag = "p"
    return body.inner_html


def _original(extraction: Extraction) -> str:
    return extraction.render("html", structure="original", title=False).text
