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

import re
from collections.abc import Iterable
from html import escape
from typing import Final, Literal

from tamis.api import extract
from tamis.compat import import_paths
from tamis.compat.marked_text import Marks, marked_text
from tamis.compat.markup import read_markup, remove_elements, warn_ignored
from tamis.page import parse_page

# ruff: noqa: FBT001, FBT002, PLR0917 (the signature is that of Resiliparse)

__all__ = ["extract_plain_text"]

#: The version of Resiliparse whose interface this is.
__version__: Final = "1.1.0"

__getattr__ = import_paths(
    __name__,
    ("extract", "extract.html2text"),
    {
        "HTMLTree": "use tamis.parse_page()",
        "detect_encoding": "pass bytes to tamis.extract(): they are decoded as browsers do",
        "detect_fast": "use tamis.extract(html).metadata.language",
    },
)

#: The elements of minimal HTML: those that Resiliparse documents, and tables, whose cells would run together.
_MINIMAL: Final = frozenset(
    {"h1", "h2", "h3", "h4", "h5", "h6", "p", "ul", "ol", "li", "pre", "br", "a", "table", "tr", "td", "th"}
)
#: Elements with a text of their own that become paragraphs of minimal HTML, so that words do not run together.
_BLOCKS: Final = frozenset({"caption", "dd", "dt", "figcaption", "summary"})
_FORM_FIELDS: Final = "button, datalist, input, label, option, select, textarea"
_FORM_TAG: Final = re.compile(r"<(?:button|datalist|input|label|option|select|textarea)[\s/>]", re.IGNORECASE)
#: An image with an alternative text and without a URL, which is not an image for Tamis.
_IMAGE_WITHOUT_URL: Final = re.compile(
    r"<img(?=\s)(?![^<>]*src(?:set)?\s*=\s*[\"']?[^\"'\s>])[^<>]*\salt\s*=", re.IGNORECASE
)
_NOSCRIPT_TAG: Final = re.compile(r"<(/?)noscript(?=[\s/>])", re.IGNORECASE)


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
    post_meta: bool = True,
    hidden_elements: bool = False,
    skip_elements: Iterable[str] | None = None,
) -> str:
    """Return the plain text of a page; ``""`` where there is none.

    Args:
        html: the page as a string or as an ``HTMLTree``; anything else is a `TypeError`.
        preserve_formatting: keep paragraphs and lists; without, all white space is collapsed. ``"minimal_html"``
            writes headings, paragraphs, lists and links as HTML. Bullets are written only with formatting.
        main_content: the main content alone, as Tamis chooses it.
        list_bullets: write bullets and numbers before the items of lists.
        alt_texts: write the alternative texts of images.
        links: write the URLs of links after their texts.
        form_fields: write labels, and the values of form fields in brackets.
        noscript: write what a page shows without scripts.
        comments: with `main_content`, readers' comments follow the content.
        post_meta: has no effect.
        hidden_elements: has no effect: what a page hides is left out.
        skip_elements: CSS selectors of elements to leave out.
    """
    markup = read_markup(html)
    if isinstance(markup, bytes):
        raise TypeError("extract_plain_text takes str, not bytes; decode it first")
    warn_ignored("resiliparse", post_meta=main_content and not post_meta, hidden_elements=hidden_elements)
    if not markup.strip():
        return ""
    if alt_texts and _IMAGE_WITHOUT_URL.search(markup):
        markup = _write_alt_texts(markup)
    markup = _prepare(markup, form_fields=form_fields, noscript=noscript, skip_elements=skip_elements)
    extraction = extract(markup, extractor="sift" if main_content else "body")
    with_comments = main_content and comments
    if preserve_formatting == "minimal_html":
        rendered = extraction.render("html", links=links, images=alt_texts, comments=with_comments, title=False)
        return _minimal_html(rendered.text)
    documents = [extraction.document, *([extraction.comments_document] if with_comments else [])]
    marks = Marks(
        bullets=list_bullets and bool(preserve_formatting),
        links="after" if links else "",
        images="alt" if alt_texts else "",
    )
    text = "\n\n".join(filter(None, (marked_text(document, marks) for document in documents)))
    return text if preserve_formatting else " ".join(text.split())


def _prepare(markup: str, *, form_fields: bool, noscript: bool, skip_elements: Iterable[str] | None) -> str:
    """Return the page with the elements that the keywords ask for, as elements that are extracted."""
    selectors = list(skip_elements or ())
    if _FORM_TAG.search(markup):
        if form_fields:
            markup = _write_form_fields(markup)
        else:
            selectors.append(_FORM_FIELDS)
    if noscript:
        markup = _NOSCRIPT_TAG.sub(r"<\1div", markup)
    return remove_elements(markup, css=selectors) if selectors else markup


def _write_alt_texts(markup: str) -> str:
    """Return the page with the alternative texts of images without a URL as text."""
    document = parse_page(markup).document
    for image in document.select("img[alt]"):
        if not any(value and name.endswith(("src", "srcset")) for name, value in image.attrs.items()):
            image.insert_adjacent_html("afterend", escape(str(image.attrs["alt"] or "")))
            image.decompose()
    return document.html


def _write_form_fields(markup: str) -> str:
    """Return the page with the values of form fields as text in brackets."""
    document = parse_page(markup).document
    for field in document.select("button, input, textarea"):
        value = field.attrs.get("value") or field.attrs.get("placeholder") if field.tag == "input" else field.text
        if field.tag == "input" and field.attrs.get("type") in {"checkbox", "hidden", "image", "password", "radio"}:
            value = None
        field.insert_adjacent_html("afterend", f" [ {escape(' '.join(str(value).split()))} ] " if value else "")
        field.decompose()
    return document.html


def _minimal_html(html: str) -> str:
    """Return HTML with the elements of `_MINIMAL` alone; of attributes, the targets of links."""
    document = parse_page(html).document
    (body,) = document.select("body")
    for element in body.select("img"):
        element.insert_adjacent_html("afterend", escape(str(element.attrs.get("alt") or "")))
        element.decompose()
    for element in body.select("*"):
        if element.tag in _BLOCKS:
            element.tag = "p"
        if element.tag not in _MINIMAL:
            element.unwrap()
        else:
            for name in [name for name in element.attrs if name != "href"]:
                del element.attrs[name]
    return body.inner_html
