"""What the page calls an element, or one of those around it."""

import re

from tamis.page import Page


def is_called(page: Page, row: int, pattern: re.Pattern[str], names: tuple[str, ...], height: int) -> bool:
    """Tell whether a pattern is in some attributes of an element, or of those around it, so many in all.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<div class=comment><p>Tea.")
    >>> row = int(page.rows_of("p")[0])
    >>> [is_called(page, row, re.compile("comment"), ("class", "id"), height) for height in (1, 2)]
    [False, True]
    """
    for _ in range(height):
        given = page.attributes(row)
        if pattern.search(" ".join(given.get(name, "") for name in names)):
            return True
        row = int(page.parent[row])
        if row <= page.body:
            break
    return False
