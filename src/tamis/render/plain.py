"""Plain text by the faster of two writers (docs/adr/0007-two-plain-text-writers.md)."""

from typing import TYPE_CHECKING, Final

import numpy as np

from tamis.document.detect.clues import find_clues
from tamis.html import tags
from tamis.page.sums import Bools
from tamis.render.find_title import find_title
from tamis.render.row_text import block_texts, selected_text
from tamis.render.text_rows import text_rows

if TYPE_CHECKING:
    from tamis.page import Page
    from tamis.render.content import Content
    from tamis.render.options import RenderOptions

_OPENING_OF_TITLE: Final = 1000  #: characters in which the title may be
_NO_TITLE: Final = tags.tag_mask("li dt dd td th figcaption")  #: elements that hold no title


def plain_text(content: "Content", options: "RenderOptions") -> str:
    """Return an extraction as plain text: from its rows where they contain all words, else from its document."""
    page, selection = content.page, content.selection
    suits_rows = options.tables and not options.comments and not options.with_metadata
    if not suits_rows or selection.metadata_fallback is not None:
        return _document_text(content, options)
    clues = find_clues(page, selection.mask)
    rows = text_rows(page, selection.mask, content.url, clues)
    if rows is None:
        return _document_text(content, options)
    text = selected_text(page, rows, anchors=clues.anchors)
    title = content.title if text and options.shows_title(default=False) else None
    return f"{title}\n\n{text}" if title and not _begins_with(page, rows.mask, title) else text


def _document_text(content: "Content", options: "RenderOptions") -> str:
    from tamis.render.text import write_text  # noqa: PLC0415 (most pages need no document)

    return write_text(content, options).text


def first_rows(page: "Page", mask: Bools, chars: int) -> Bools:
    """Return the rows of a selection up to a number of characters."""
    lengths = np.where(mask, np.diff(page.offset), 0)
    return np.asarray(mask & (np.cumsum(lengths) - lengths < chars))


def _begins_with(page: "Page", mask: Bools, title: str) -> bool:
    """Tell from the selected rows whether the content begins with the title."""
    opening = []
    for block, text in block_texts(page, first_rows(page, mask, _OPENING_OF_TITLE)):
        row = int(page.blocks.container[block])
        is_heading, is_other = tags.HEADING[page.tag[row]], _NO_TITLE[page.tag[row]]
        opening.append((text, int(page.tag_name(row)[1]) if is_heading else -1 if is_other else 0))
    return find_title(title, opening) is not None
