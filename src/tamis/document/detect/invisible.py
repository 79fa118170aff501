"""Invisible characters: they are removed from every output, and counted for warnings.

Zero-width characters hide text inside words, bidirectional controls change the order in which a line is read, and tag
characters carry whole sentences that no reader sees. Joiners stay where scripts need them: after letters of Arabic
and of the scripts of India and South-East Asia, and within emoji.
"""

import re
from typing import Final

from tamis.page import Page

_ZERO_WIDTH: Final = "\u00ad\u180e\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f\U000e0100-\U000e01ef"
_BIDI: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_BEFORE_JOINER: Final = "\u0600-\u1fff\u2190-\u2bff\u3000-\udfff\uf900-\ufdff\ufe0f\ufe70-\ufefe\U00010000-\U000dffff"
_INVISIBLE: Final = re.compile(f"[{_ZERO_WIDTH}{_BIDI}]|(?<![{_BEFORE_JOINER}])[\u200c\u200d]")
_BIDI_CONTROL: Final = re.compile(f"[{_BIDI}]")


def may_have_invisible(page: Page) -> bool:
    r"""Tell quickly whether a page's text may have invisible characters: they are counted in the class "other".

    >>> from tamis.page import parse_page
    >>> may_have_invisible(parse_page("<p>a\u200bb")), may_have_invisible(parse_page("<p>é"))
    (True, False)
    """
    return page.char_counts.other_count > 0


def strip_invisible(text: str) -> str:
    """Return text without invisible characters.

    >>> strip_invisible("pass\u200bword \u202eevil\u202c"), strip_invisible("می\u200cخواهم")
    ('password evil', 'می\u200cخواهم')
    """
    return text if text.isascii() else _INVISIBLE.sub("", text)


def count_invisible(text: str) -> tuple[int, int]:
    """Return how many zero-width characters and how many bidi controls `strip_invisible` removes.

    >>> count_invisible("pass\u200bword \u202eevil\u202c")
    (1, 2)
    """
    if text.isascii():
        return 0, 0
    invisible = len(_INVISIBLE.findall(text))
    bidi = len(_BIDI_CONTROL.findall(text))
    return invisible - bidi, bidi
