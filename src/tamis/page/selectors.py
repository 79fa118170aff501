"""CSS selectors with descendants, in linear time.

For ``.byline a`` a parser climbs from each link to the root and compares the classes of all ancestors: quadratic on a
page of nested elements. Here both sides are selected once, and intervals of rows say which is inside which.
"""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from tamis._kernels.loader import walk
from tamis.page.sums import in_subtree

if TYPE_CHECKING:
    from tamis.page.columns import Page


def select_rows(page: "Page", selector: str) -> list[int]:
    """Return the rows of the elements that match a CSS selector, in document order.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p class=byline>By <a>Ann</a></p><a>Home</a><h1>Tea</h1>")
    >>> select_rows(page, "h1,.byline a") == [int(page.rows_of("a")[0]), int(page.rows_of("h1")[0])]
    True
    """
    plain, nested = split_selector(selector)
    root = page.nodes[0]
    rows = walk.rows_among(page.nodes, root.select(plain)) if plain else []
    found: set[int] = set()
    for ancestor, descendant in nested:
        outer = select_rows(page, ancestor)
        if outer:
            inside = in_subtree(page.end, np.array(outer, dtype=np.int64))
            found.update(row for row in select_rows(page, descendant) if inside[page.parent[row]])
    return sorted(found.union(rows)) if found else rows


@cache
def split_selector(selector: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the alternatives without a descendant combinator, and the two sides of those with one.

    >>> split_selector("p,.byline a,h1 + h2,[title='a b'] b")
    ('p,h1 + h2', (('.byline', 'a'), ("[title='a b']", 'b')))
    """
    alternatives, spaces = [""], [[0]]
    brackets = 0
    for char in selector:
        brackets += (char in "[(") - (char in "])")
        if char == "," and not brackets:
            alternatives.append("")
            spaces.append([0])
            continue
        if char == " " and not brackets:
            spaces[-1].append(len(alternatives[-1]))
        alternatives[-1] += char
    plain, nested = [], []
    for alternative, places in zip(alternatives, spaces, strict=True):
        if len(places) == 1 or any(sign in alternative for sign in (" + ", " > ", " ~ ")):
            plain.append(alternative)
        else:
            nested.append((alternative[: places[-1]], alternative[places[-1] + 1 :]))
    return ",".join(plain), tuple(nested)
