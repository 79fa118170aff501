"""The interface of readability-lxml: `Document`, the main content of a page as HTML.

>>> page = "<title>Tea | The Kettle</title><nav>Home</nav><h1>Tea</h1><p>Boil soft water, wait, and then pour.</p>"
>>> document = Document(page)
>>> document.title(), document.short_title()
('Tea | The Kettle', 'Tea')
>>> "Boil soft water" in document.summary()
True
"""

from functools import cached_property
from typing import Final

from tamis.api import Extraction, extract
from tamis.compat.markup import read_markup, warn_ignored
from tamis.page.selectors import select_rows

# ruff: noqa: A002, FBT001, FBT002 (the signatures are those of readability-lxml)

__all__ = ["Document", "Unparseable"]

_MIN_TEXT_LENGTH: Final = 25  # the defaults of readability-lxml
_RETRY_LENGTH: Final = 250
_NO_TITLE: Final = "[no-title]"
_NO_AUTHOR: Final = "[no-author]"


class Unparseable(ValueError):  # noqa: N818 (the name is that of readability-lxml)
    """The input has no characters, or is not a page."""


class Document:
    """A page with the methods of readability-lxml's class of this name.

    Args:
        input: the page: a string, bytes, or an element of lxml.
        positive_keywords: has no effect, like the four below.
        negative_keywords: see above.
        url: the page's URL, to resolve its links.
        min_text_length: see above.
        retry_length: see above.
        xpath: see above.
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
            min_text_length=min_text_length != _MIN_TEXT_LENGTH,
            retry_length=retry_length != _RETRY_LENGTH,
            xpath=xpath,
            handle_failures=handle_failures != "discard",
        )
        self.input = input
        self.url = url

    @cached_property
    def _extraction(self) -> Extraction:
        try:
            markup = read_markup(self.input)
        except TypeError as error:
            raise Unparseable(str(error)) from error
        if not markup.strip():
            raise Unparseable("Document is empty")
        return extract(markup, self.url)

    @cached_property
    def _whole(self) -> Extraction:
        """The whole body."""
        return extract(self._extraction.page.markup, self.url, extractor="body")

    @property
    def encoding(self) -> str | None:
        """The encoding that bytes were decoded with."""
        return self._extraction.page.encoding

    def title(self) -> str:
        """Return the text of the page's ``title``, or ``[no-title]``."""
        page = self._extraction.page
        rows = select_rows(page, "head title")
        return (page.collapsed_text(rows[0]) if rows else "") or _NO_TITLE

    def short_title(self) -> str:
        """Return the title without the site's name, or ``""``."""
        return self._extraction.title or ""

    def author(self) -> str:
        """Return the first author, or ``[no-author]``."""
        return next(iter(self._extraction.metadata.authors), _NO_AUTHOR)

    def content(self) -> str:
        """Return the whole body as HTML, without scripts, styles and hidden elements."""
        return f"<body>{_original(self._whole)}</body>"

    def summary(self, html_partial: bool = False, keep_all_images: bool = False) -> str:
        """Return the main content as HTML in the page's own elements, or the whole body where there is none.

        Args:
            html_partial: a ``div`` alone instead of a whole document.
            keep_all_images: has no effect: the images of the content are always kept, others never.
        """
        warn_ignored("readability", keep_all_images=keep_all_images)
        content = f"<div>{_original(self._extraction or self._whole)}</div>"
        return content if html_partial else f"<html><body>{content}</body></html>"


def _original(extraction: Extraction) -> str:
    return extraction.render("html", structure="original", title=False).text
