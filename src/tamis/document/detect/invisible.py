"""Characters that nobody sees and a machine reads: removed from what is shown, and counted.

Zero-width characters hide text inside words, bidirectional controls make a line read otherwise than it is stored,
and tag characters carry whole sentences that no reader ever sees. The joiners stay where scripts need them: after
letters of Arabic, the scripts of India and South-East Asia, and within emoji.
"""

import re
from typing import Final

from tamis.page import Page

_ZERO_WIDTH: Final = "\u00ad\u180e\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f\U000e0100-\U000e01ef"
_BIDI: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_JOINED: Final = "\u0600-\u1fff\u2190-\u2bff\u3000-\udfff\uf900-\ufdff\ufe0f\ufe70-\ufefe\U00010000-\U000dffff"
_ALL: Final = re.compile(f"[{_ZERO_WIDTH}{_BIDI}]|(?<![{_JOINED}])[\u200c\u200d]")
_ONLY_BIDI: Final = re.compile(f"[{_BIDI}]")


def has_invisible(page: Page) -> bool:
    r"""Tell quickly whether a page's text may have characters that nobody sees: they are of no other kind.

    >>> from tamis.page import parse_page
    >>> has_invisible(parse_page("<p>a\u200bb")), has_invisible(parse_page("<p>é"))
    (True, False)
    """
    return page.char_counts.other_count > 0


def visible(text: str) -> str:
    """Return text without characters that nobody sees.

    >>> visible("pass\u200bword \u202eevil\u202c"), visible("می\u200cخواهم")
    ('password evil', 'می\u200cخواهم')
    """
    return text if text.isascii() else _ALL.sub("", text)


def count_invisible(text: str) -> tuple[int, int]:
    """Return how many zero-width and how many bidi-control characters `visible` removes.

    >>> count_invisible("pass\u200bword \u202eevil\u202c")
    (1, 2)
    """
    if text.isascii():
        return 0, 0
    found = len(_ALL.findall(text))
    bidi = len(_ONLY_BIDI.findall(text))
    return found - bidi, bidi
