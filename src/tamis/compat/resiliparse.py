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

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterable
from html import escape
from typing import Final, Literal

import numpy as np
import turbohtml.detect

from tamis._core.loader import core
from tamis.api import extract
from tamis.compat import import_paths
from tamis.compat.marked_text import Marks, marked_text
from tamis.compat.markup import read_markup, remove_elements, warn_ignored
from tamis.document.detectors.discussion import find_comments
from tamis.html import tags
from tamis.page import Page, parse_page
from tamis.page.sums import Bools, in_subtree, prefix_sums

# ruff: noqa: FBT001, FBT002, PLR0917 (the signature is that of Resiliparse)

__all__ = ["bytes_to_str", "detect_encoding", "extract_plain_text"]

#: The version of Resiliparse whose interface this is.
__version__: Final = "2.0.0"

__getattr__ = import_paths(
    __name__,
    ("extract", "extract.html2text", "parse", "parse.encoding", "parse.html", "parse.lang"),
    {
        "HTMLTree": "use tamis.parse_page()",
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
_FORM_ELEMENTS: Final = tags.tag_mask("button input label option select textarea datalist")
#: Blocks that blank lines are written around.
_PARAGRAPHS: Final = tags.tag_mask("p h1 h2 h3 h4 h5 h6 pre blockquote table caption figcaption dl hr address")
_ITEMS: Final = tags.tag_mask("li")
_IMAGES: Final = tags.tag_mask("img")
_LISTS: Final = tags.tag_mask("ul ol menu")
_MAX_STEPS: Final = 100  #: elements around a list that are looked at; pages in use have fewer than forty
_MAX_INDENT: Final = 10
_IMAGE: Final = re.compile(r"""<img(?=[\s/>])(?:[^>"']|"[^"]*"|'[^']*')*>""", re.IGNORECASE)
_ALT: Final = re.compile(r"""\salt\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
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
    """Return the plain text of a page; ``""`` without content.

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
    if noscript:
        markup = _NOSCRIPT_TAG.sub(r"<\1div", markup)
    if skip_elements:
        markup = remove_elements(markup, css=skip_elements)
    if not (links or form_fields or preserve_formatting == "minimal_html"):
        return _fast_text(
            markup,
            main_content=main_content,
            bullets=list_bullets and bool(preserve_formatting),
            alt_texts=alt_texts,
            comments=comments,
            lines=bool(preserve_formatting),
        )
    if alt_texts:
        markup = _write_alt_texts(markup)
    markup = _prepare(markup, form_fields=form_fields)
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


def _fast_text(
    markup: str, *, main_content: bool, bullets: bool, alt_texts: bool, comments: bool, lines: bool
) -> str:
    """Return the text of a page from its columns alone, without a document."""
    after = ""
    if main_content:
        extraction = extract(markup)
        page, mask = extraction.page, extraction.selection.mask
        if comments:  # their text alone: nobody sees who answers whom
            _, found = _block_texts(page, find_comments(page, extraction.selection).mask)
            after = "\n\n".join(filter(None, map(str.strip, found)))
    else:
        page = parse_page(_write_alt_texts(markup) if alt_texts else markup)
        mask = page.shown
    fields = np.flatnonzero(page.is_element & _FORM_ELEMENTS[page.tag])
    if len(fields):
        mask = mask & ~in_subtree(page.end, fields)
    if not len(page.blocks) or not mask.any():
        return after
    numbers, texts = _block_texts(page, mask)
    if main_content and alt_texts:
        _append_alt_texts(page, mask, numbers, texts)
    if not lines:
        return " ".join(" ".join([*texts, after]).split())
    text = _joined(page, numbers, texts, bullets=bullets)
    return f"{text}\n\n{after}" if after else text


def _block_texts(page: Page, mask: Bools) -> tuple[list[int], list[str]]:
    """Return the numbers of the blocks with selected text, and their texts."""
    return core.selected_blocks(page.columns, np.ascontiguousarray(mask).view(np.uint8), page.text)


def _append_alt_texts(page: Page, mask: Bools, numbers: list[int], texts: list[str]) -> None:
    """Append the alternative texts of images to the selected blocks that they stand in or follow."""
    starts = page.blocks.start[numbers].tolist()
    rows = np.flatnonzero(page.is_element & _IMAGES[page.tag])
    containers, selected = page.block_ancestor[rows], prefix_sums(mask)
    shown = (containers > page.body) & (selected[page.end[containers]] > selected[containers])
    for row, container in zip(rows[shown].tolist(), containers[shown].tolist(), strict=True):
        index = bisect_right(starts, row) - 1
        if index < 0:
            continue
        if alt := " ".join((page.attribute_of(row, "alt") or "").split()):
            in_block = page.blocks.container[numbers[index]] == container
            texts[index] += f" {alt}" if in_block else f"\n{alt}"


def _joined(page: Page, numbers: list[int], texts: list[str], *, bullets: bool) -> str:
    """Return blocks with a blank line around paragraphs; items of lists have bullets and are indented."""
    containers = page.blocks.container[numbers]
    tag, parents = page.tag[containers], page.parent[containers]
    is_paragraph, is_item, is_cell = (mask[tag].tolist() for mask in (_PARAGRAPHS, _ITEMS, tags.CELL))
    parent_is_item, pre = _ITEMS[page.tag[parents]].tolist(), page.pre[page.blocks.start[numbers]].tolist()
    elements, around = containers.tolist(), parents.tolist()
    marks = _Bullets(page) if bullets else None
    out: list[str] = []
    row_of_last, was_paragraph, was_item = -1, True, False
    for index, text in enumerate(texts):
        if not text.strip():
            continue
        item = elements[index] if is_item[index] else around[index] if parent_is_item[index] else -1
        row = around[index] if is_cell[index] else -1
        paragraph = is_paragraph[index] and item < 0
        if out:
            in_list = item >= 0 and was_item
            blank = not in_list and (paragraph or was_paragraph or (item >= 0) != was_item)
            out.append("\t" if row >= 0 and row == row_of_last else "\n\n" if blank else "\n")
        if item >= 0 and marks is not None:
            out.append(marks.before(item))
        out.append(text.rstrip() if pre[index] else text.strip())
        row_of_last, was_paragraph, was_item = row, paragraph, item >= 0
    return "".join(out)


class _Bullets:
    """What stands before the items of lists."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._seen: set[int] = set()
        self._numbers: dict[int, int] = {}
        self._depths: dict[int, int] = {}

    def before(self, item: int) -> str:
        """Return the indentation and the mark of an item; blocks after its first have the indentation alone."""
        page, owner = self._page, int(self._page.parent[item])
        indent = "  " * self._depth(owner)
        if item in self._seen:
            return f"{indent}  "
        self._seen.add(item)
        if page.tag[owner] != tags.IDS["ol"]:
            return f"{indent}\N{BULLET} "
        start = page.attribute_of(owner, "start") or "1" if owner not in self._numbers else ""
        first = int(start) if start.isascii() and start.isdigit() else 1
        self._numbers[owner] = self._numbers[owner] + 1 if owner in self._numbers else first
        return f"{indent}{self._numbers[owner]}. "

    def _depth(self, owner: int) -> int:
        """Return how many lists a list is in, with itself; at most a few, whatever a page does."""
        if owner not in self._depths:
            depth, row = 0, owner
            for _ in range(_MAX_STEPS):
                depth += bool(_LISTS[self._page.tag[row]])
                row = int(self._page.parent[row])
                if row <= 0:
                    break
            self._depths[owner] = max(1, min(depth, _MAX_INDENT))
        return self._depths[owner]


def _prepare(markup: str, *, form_fields: bool) -> str:
    """Return the page with the values of form fields as text, or without form fields."""
    if not _FORM_TAG.search(markup):
        return markup
    return _write_form_fields(markup) if form_fields else remove_elements(markup, css=[_FORM_FIELDS])


def _write_alt_texts(markup: str) -> str:
    """Return the page with the alternative texts of images as text, where the images stand.

    >>> _write_alt_texts("<p>A <img src=p.png alt='hot pot'> here.")
    '<p>A hot pot here.'
    """
    return _IMAGE.sub(_alt_text, markup) if "<img" in markup or "<IMG" in markup else markup


def _alt_text(image: re.Match[str]) -> str:
    alt = _ALT.search(image[0])
    text = next((value for value in alt.groups() if value), "") if alt else ""
    space = " " if image.string[image.end() : image.end() + 1] == "<" else ""  # two images are two texts
    return f"{text.replace('<', '&lt;')}{space}" if text.strip() else " "


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


# Decoding, as ``resiliparse.parse.encoding`` has it. `tamis.extract` takes bytes, and needs neither.


def detect_encoding(
    data: bytes,
    max_len: int = 131_072,
    html5_compatible: bool = True,  # noqa: ARG001 (the names are Python's either way)
    from_html_meta: bool = False,
) -> str:
    """Return the encoding of bytes by Python's name: the detected one, or the one that a page declares, if asked for.

    >>> detect_encoding("日本語の文章です。".encode("shift_jis"))
    'shift_jis'
    >>> detect_encoding(b"<meta charset=euc-jp><p>x", from_html_meta=True)
    'euc_jp'
    """
    sample = data if not max_len or len(data) <= max_len else data[: max_len // 2] + data[-max_len // 2 :]
    name = parse_page(sample).encoding if from_html_meta else turbohtml.detect.detect(sample).encoding
    try:
        return codecs.lookup(name or "utf-8").name.removesuffix("-sig")
    except LookupError:  # an encoding of the web that Python has under no name
        return "utf-8"


def bytes_to_str(
    data: bytes,
    encoding: str = "utf-8",
    errors: str = "ignore",
    fallback_encodings: Iterable[str] = ("utf-8", "cp1252"),
    strip_bom: bool = True,
) -> str:
    """Return bytes as text in the first of the encodings that they are valid in, else in the first with `errors`.

    >>> bytes_to_str("Thé".encode("latin-1")), bytes_to_str(codecs.BOM_UTF8 + b"Tea")
    ('Thé', 'Tea')
    """
    for name in (encoding, *fallback_encodings):
        try:
            text = data.decode(name)
            break
        except UnicodeDecodeError:
            pass
    else:
        text = data.decode(encoding, errors)
    return text.removeprefix("\ufeff") if strip_bom else text
