"""Match a pattern against the attributes of an element and its ancestors."""

import re

from tamis.page import Page


def attr_matches(page: Page, row: int, pattern: re.Pattern[str], names: tuple[str, ...], levels: int) -> bool:
    """Tell whether a pattern matches the named attributes of an element or its ancestors, `levels` elements in all.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<div class=comment><p>Tea.")
    >>> row = int(page.rows_of("p")[0])
    >>> [attr_matches(page, row, re.compile("comment"), ("class", "id"), levels) for levels in (1, 2)]
    [False, True]
    """
    for _ in range(levels):
        attributes = page.attributes(row)
        if pattern.search(" ".join(attributes.get(name, "") for name in names)):
            return True
        row = int(page.parent[row])
        if row <= page.body:
            break
    return False
