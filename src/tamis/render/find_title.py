"""Whether content begins with the page's title. It compares texts, so that plain text needs no document for it."""

from collections.abc import Iterable
from typing import Final

from tamis.metadata.site_names import alnum_key

#: How far from the beginning the title may be and still stand there: after a kicker, a date or an image.
MAX_PARTS_BEFORE: Final = 5
_MAX_CHARS_BEFORE: Final = 200
#: A heading in other words is the title if one contains the other and is at least this share of it.
_MIN_SHARE: Final = 0.5

#: A part of the beginning: its text, and its level if it is a heading, 0 for a paragraph, -1 for anything else.
Opening = tuple[str, int]


def find_title(title: str, opening: Iterable[Opening]) -> int | None:
    """Return which part of the beginning of the content is the title, or None.

    Case, white space and punctuation do not count. A heading may have more or fewer words than the title.

    >>> find_title("How to brew tea", [("News", 0), ("How to  BREW tea.", 2)])
    1
    >>> find_title("How to brew tea", [("How to brew tea at home", 1)])
    0
    >>> find_title("How to brew tea - Kettle", [("How to brew tea", 0), ("Warm the pot first.", 0)])
    0
    >>> find_title("How to brew tea", [("Warm the pot first.", 0)]) is None
    True
    """
    key, chars = alnum_key(title), 0
    for index, (text, level) in enumerate(opening):
        if index > MAX_PARTS_BEFORE or chars > _MAX_CHARS_BEFORE:
            return None
        chars += len(text)
        if level < 0 or len(text) > 4 * len(title) + _MAX_CHARS_BEFORE:
            continue
        found = alnum_key(text)
        if found == key and (key or text.strip() == title.strip()):
            return index
        short, long = sorted((found, key), key=len)
        if level > 0 and short and short in long and len(short) >= _MIN_SHARE * len(long):
            return index
        if level == index == 0 and found and key.startswith(found) and len(found) >= _MIN_SHARE * len(key):
            return index  # a line that is no heading, and has no name of the site
    return None
