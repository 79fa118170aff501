"""Links that stand side by side without a space: style sheets set them apart, and Markdown must too."""

import unicodedata
from typing import Final

from tamis.document.spans import Link, Span, plain_text

_WIDE: Final = frozenset("WF")  #: characters of scripts that have no spaces between words


def are_glued(first: Span, second: Span) -> bool:
    """Tell whether two adjacent spans are links whose words would run together.

    >>> from tamis.document.spans import Text
    >>> tea, pots, half = (Link("/t", (Text(text),)) for text in ("Tea", "Pots", "茶"))
    >>> are_glued(tea, pots), are_glued(half, half), are_glued(Text("Tea"), pots)
    (True, False, False)
    """
    if not (isinstance(first, Link) and isinstance(second, Link)) or first.role or second.role:
        return False
    before, after = plain_text(first.spans)[-1:], plain_text(second.spans)[:1]
    return before.isalnum() and after.isalnum() and not _WIDE & {*map(unicodedata.east_asian_width, before + after)}
