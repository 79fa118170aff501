"""The interface of ``resiliparse.extract.html2text``: the plain text of a page, or of its main content.

>>> page = "<nav><a href=/>Home</a></nav><h1>Tea</h1><ol><li>Boil water.<li>Wait.</ol>"
>>> print(extract_plain_text(page))
Home
<BLANKLINE>
Tea
<BLANKLINE>
1. Boil water.
2. Wait.
"""

from collections.abc import Iterable
from typing import Literal

from tamis.api import extract
from tamis.compat.marked_text import Marks, marked_text
from tamis.compat.markup import read_markup, remove_elements
from tamis.compat.unsupported import warn_ignored
from tamis.page import parse_page

# ruff: noqa: FBT001, FBT002, PLR0917 (the signature is that of Resiliparse)

__all__ = ["extract_plain_text"]

#: The elements of minimal HTML: those that Resiliparse documents, and tables, whose cells would run together.
_MINIMAL = {"h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "pre", "br", "a", "table", "tr", "td", "th"}


def extract_plain_text(
    html: object,
    preserve_formatting: bool | Literal["minimal_html"] = True,
    main_content: bool = False,
    list_bullets: bool = True,
    alt_texts: bool = True,
    links: bool = False,
    form_fields: bool = False,
    noscript: bool = False,
    comments: bool = True,
    post_meta: bool = True,  # noqa: ARG001 (true by default, so a warning would come always)
    hidden_elements: bool = False,
    skip_elements: Iterable[str] | None = None,
) -> str:
    """Return the plain text of a page; ``""`` where there is none.

    Args:
        html: the page as a string or as an ``HTMLTree``; anything else is a `TypeError`.
        preserve_formatting: keep paragraphs and lists; without, all white space is collapsed. ``"minimal_html"``
            writes headings, paragraphs, lists and links as HTML.
        main_content: the main content alone, as Tamis chooses it.
        list_bullets: write bullets and numbers before the items of lists.
        alt_texts: write the alternative texts of images.
        links: write the URLs of links after their texts.
        form_fields: has no effect.
        noscript: has no effect.
        comments: with `main_content`, readers' comments follow the content.
        post_meta: has no effect: bylines belong to the metadata (`tamis.extract`).
        hidden_elements: has no effect: what a page hides is left out.
        skip_elements: CSS selectors of elements to leave out.
    """
    if isinstance(html, (bytes, bytearray)):
        raise TypeError("extract_plain_text takes str, not bytes; decode it first")
    markup = read_markup(html)
    warn_ignored("resiliparse", form_fields=form_fields, noscript=noscript, hidden_elements=hidden_elements)
    if not markup.strip():
        return ""
    if skip_elements:
        markup = remove_elements(markup, css=skip_elements)
    extraction = extract(markup, extractor="sift" if main_content else "body")
    with_comments = main_content and comments
    if preserve_formatting == "minimal_html":
        return _minimal_html(extraction.render("html", links=links, comments=with_comments, title=False).text)
    documents = [extraction.document, *([extraction.comments_document] if with_comments else [])]
    marks = Marks(bullets=list_bullets, links="after" if links else "", images="alt" if alt_texts else "")
    text = "\n\n".join(filter(None, (marked_text(document, marks) for document in documents)))
    return text if preserve_formatting else " ".join(text.split())


def _minimal_html(html: str) -> str:
    """Return HTML with the elements of `_MINIMAL` alone; of attributes, the targets of links."""
    document = parse_page(html).nodes[0]
    (body,) = document.select("body")
    for element in body.select("*"):
        if element.tag not in _MINIMAL:
            element.unwrap()
        else:
            for name in [name for name in element.attrs if name != "href"]:
                del element.attrs[name]
    return body.inner_html
