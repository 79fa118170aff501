"""Authors that a page names in lines of text: near its title, beside its date, below its content."""

import re
from itertools import pairwise
from typing import Final

import numpy as np

from tamis.document.detect.attr_matches import attr_matches
from tamis.document.detect.bylines import AUTHOR_SELECTOR, MAX_NAME_CHARS, Bylines, is_byline
from tamis.document.detect.posts import DATE_SELECTOR
from tamis.metadata.dateparse import parse_day
from tamis.metadata.inline_text import block_text, blocks_near, row_start
from tamis.metadata.people import find_people, is_person
from tamis.metadata.site_names import alnum_key
from tamis.metadata.source import MetadataSource
from tamis.page import Page

_BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE = 3, 25  #: where an author without markup may be named
_ROWS_BEFORE_BLOCK: Final = 10  #: rows before the first of these blocks, where the elements around it begin
#: Labels that stand on a line of their own before the author.
LABEL_LINE: Final = re.compile(
    r"(?:(?:article|story|post|words|text|written|posted|published|authored|created|reported)\s)?by:?|authors?:?|autor:?|"
    r"von|auteur:?|par|por",
    re.IGNORECASE,
)
_LINE_DIVIDER: Final = re.compile(r"\s[|•·–—-]\s|\s(?:in|on)\s")
_BLOCKS_BESIDE_TITLE: Final = 4  #: where the name of a person without any label may stand
_MAX_DATE_LINE_CHARS: Final = 60  #: of a line that is a date beside a name
_BYLINE_BELOW: Final = re.compile(
    r"\s{0,40}(?:This (?:post|article|story) was )?(?:(?i:written|posted|authored)|Article|Story|Words) by:? "
    r"([^\n.!?;]{4,80})"
)
_MAX_BELOW_CHARS: Final = 200  #: of a block that begins with such a byline
_COMMENT_CLASS: Final = re.compile(
    r"(?:^|[\s_-])comments?(?:[-_ ]?(?:list|item|author|body|meta|thread|\d+))?(?:$|\s)", re.IGNORECASE
)
_COMMENT_LEVELS: Final = 12  #: ancestors of a name, itself included, that may be a comment


def byline_near_title(source: MetadataSource) -> list[str]:
    """Return the first byline near the title: a block, or a text row of one."""
    page, blocks = source.structured.page, source.structured.page.blocks
    for block in _blocks_near_title(source):
        rows = [row for row in range(int(blocks.start[block]), int(blocks.stop[block])) if page.shown[row]]
        texts = [
            " ".join(text.split()) for text in (block_text(page, block), *(row_start(page, row) for row in rows))
        ]
        following = block_text(page, min(block + 1, len(blocks) - 1))
        for label, name in pairwise(text for text in (*texts[1:], following) if text):
            if LABEL_LINE.fullmatch(label) and is_person(name):
                return [name]
        for line in texts:
            if len(line) <= 2 * MAX_NAME_CHARS and is_byline(line):
                return [line]
    return []


def name_beside_date(source: MetadataSource) -> list[str]:
    """Return the name of a person that is a line near the title, before or after a line with a date."""
    page, blocks, title = source.structured.page, source.structured.page.blocks, source.title_row
    if title is None or source.likely_page_type == "forum":
        return []
    title_key = alnum_key(source.title.value) if source.title else ""
    for block in blocks_near(page, title, _BLOCKS_BESIDE_TITLE, _BLOCKS_BESIDE_TITLE + 1):
        line, row = block_text(page, block), int(blocks.start[block])
        head = _LINE_DIVIDER.split(line, maxsplit=1)[0]
        if not is_person(head) or page.hidden[row] or title <= row < page.end[title] or alnum_key(head) in title_key:
            continue
        if page.link[row] and page.attributes(int(page.parent[row])).get("href"):
            continue  # a section of the site
        beside = [
            line[len(head) :],
            *(block_text(page, near) for near in (block - 1, block + 1) if 0 <= near < len(blocks)),
        ]
        if any(len(text) <= _MAX_DATE_LINE_CHARS and parse_day(text) for text in beside):
            return [head]
    return []


def byline_below(source: MetadataSource) -> list[str]:
    """Return the person of the first byline below the title: "Written by Ann Lee"."""
    page, blocks, title = source.structured.page, source.structured.page.blocks, source.title_row
    first = 0 if title is None else int(np.searchsorted(blocks.start, title))
    for block in range(first, len(blocks)):
        start = int(page.offset[blocks.start[block]])
        byline = _BYLINE_BELOW.match(
            page.text, start, min(start + _MAX_BELOW_CHARS, int(page.offset[blocks.stop[block]]))
        )
        if byline is None or page.hidden[blocks.start[block]]:
            continue
        people = [name for name in find_people([byline[1]]) if is_person(name)]
        if people and not is_in_comment(page, int(page.parent[blocks.start[block]])):
            return people
    return []


def author_element_near_title(source: MetadataSource) -> list[str]:
    """Return the name near the title in an element whose class contains "author" or the like."""
    page = source.structured.page
    blocks, near = page.blocks, _blocks_near_title(source)
    if not near:
        return []
    start, stop = max(int(blocks.start[near[0]]) - _ROWS_BEFORE_BLOCK, 0), int(blocks.stop[near[-1]])
    rows = [row for row in page.select(AUTHOR_SELECTOR) if start < row < stop and not is_in_comment(page, row)]
    name = Bylines(page, page.select(DATE_SELECTOR), rows).author(start, stop)
    return [name] if name and not any(char.isdigit() for char in name) else []


def _blocks_near_title(source: MetadataSource) -> range:
    page, title = source.structured.page, source.title_row
    return range(0) if title is None else blocks_near(page, title, _BLOCKS_BEFORE_TITLE, _BLOCKS_AFTER_TITLE)


def is_in_comment(page: Page, row: int) -> bool:
    """Return whether an element is in a reader's comment."""
    return attr_matches(page, row, _COMMENT_CLASS, ("class", "id"), _COMMENT_LEVELS)
