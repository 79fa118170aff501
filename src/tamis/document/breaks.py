"""Line breaks: what a ``br`` means. Many pages write it where a paragraph ends, or to fill a line.

A line of a poem or an address is short. A line that is longer than the column of a page wraps by itself, so that a
break after it ends a paragraph, or was left over by an editor.
"""

from typing import Final, Literal

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools

_LONG_LINE: Final = 80  #: characters: a column of text has 45 to 75
_SHORT_LINE: Final = 30  #: characters, of a name or a value
_SENTENCE_END: Final = frozenset('.!?:…。！？”"')
_BR: Final = tags.IDS["br"]

Meaning = Literal["line", "paragraph", "space"]


def break_meaning(before: str, after: str, *, label: bool = False, in_item: bool = False) -> Meaning:
    """Return what the break between two lines means.

    `label` says that all of the first line is bold, `in_item` that it is in a list item.

    >>> break_meaning("12 Mill Lane", "Leeds"), break_meaning("Long line " * 9 + "ends.", "Another.")
    ('line', 'paragraph')
    >>> break_meaning("Why tea?", "Because " * 12), break_meaning("a long line " * 8 + "that", "goes on.")
    ('paragraph', 'space')
    """
    if not before or not after:
        return "line"
    if len(before) >= _LONG_LINE:
        goes_on = after[0].islower() and (before[-1].isalnum() or before[-1] == ",")
        return "space" if goes_on else "paragraph"
    if in_item:
        return "line"
    ends = before[-1] in _SENTENCE_END
    is_heading = label and (ends and len(after) >= _SHORT_LINE)  # a question, and the answer to it
    return "paragraph" if is_heading or (len(after) >= _LONG_LINE and (label or ends)) else "line"


def line_after(page: Page, mask: Bools, row: int) -> str:
    """Return the selected text after a ``br`` up to the next break or block, at most a long line of it.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>one<br>two <b>three</b><br>four")
    >>> line_after(page, page.is_text, int(page.rows_of("br")[0]))
    'two three'
    """
    pieces: list[str] = []
    length = 0
    for k in range(int(page.end[row]), len(page)):
        if page.is_text[k]:
            if mask[k]:
                pieces.append(page.row_text(k))
                length += int(page.chars[k])
        elif page.tag[k] == _BR or tags.BLOCK[page.tag[k]]:
            break
        if length >= _LONG_LINE:
            break
    return " ".join("".join(pieces).split())
