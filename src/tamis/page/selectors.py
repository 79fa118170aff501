"""CSS selectors with descendants, and XPaths of rows, both in linear time."""

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from tamis._core.enums import ELEMENT, TEXT
from tamis._core.loader import core
from tamis.html import tags
from tamis.page.sums import in_subtree

if TYPE_CHECKING:
    from tamis.page.columns import Page

# CSS selectors with descendants, in linear time.
#
# For ``.byline a`` a parser climbs from each link to the root and compares the classes of all ancestors: quadratic
# on a page of nested elements. Here both sides are selected once, and intervals of rows say which is inside which.


def select_rows(page: "Page", selector: str) -> list[int]:
    """Return the rows of the elements that match a CSS selector, in document order.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p class=byline>By <a>Ann</a></p><a>Home</a><h1>Tea</h1>")
    >>> select_rows(page, "h1,.byline a") == [int(page.rows_of("a")[0]), int(page.rows_of("h1")[0])]
    True
    """
    alternatives, nested, classes = split_selector(selector)
    plain = ",".join([each for each, names in alternatives if all(page.class_numbers(name) for name in names)])
    rows = core.rows_among(page.nodes, page.nodes[0].select(plain)) if plain else []
    found: set[int] = set()
    for tag, parts in classes:
        found.update(_rows_by_class(page, tag, parts))
    for ancestor, descendant in nested:
        outer = select_rows(page, ancestor)
        if outer:
            inside = in_subtree(page.end, np.array(outer, dtype=np.int64))
            found.update(row for row in select_rows(page, descendant) if inside[page.parent[row]])
    return sorted(found.union(rows)) if found else rows


def _rows_by_class(page: "Page", tag: str, parts: tuple[str, ...]) -> list[int]:
    """Return the elements, of a tag if one is named, whose class contains one of some words in lower case.

    A page has far fewer classes than elements, and each is looked at once.
    """
    numbers = page.class_numbers(*parts)
    if not numbers:
        return []
    ids = page.class_ids[0]
    wanted = np.zeros(int(ids.max()) + 1, dtype=np.bool_)
    wanted[numbers] = True
    is_found = wanted[ids]
    if tag:
        is_found &= page.tag == tags.IDS[tag]
    if page.tag_count("template"):
        is_found &= ~in_subtree(page.end, page.rows_of("template"))
    return np.flatnonzero(is_found).tolist()


#: An alternative that is looked up among the classes of a page, in lower case.
#: The classes, or parts of classes, that an element must have for an alternative; those of others are not known.
_NAMED_CLASS: Final = re.compile(r"\.([\w-]+)|\[class\*=['\"]([\w-]+)['\"]\]", re.ASCII)
_OF_CLASSES: Final = re.compile(rf"(?:[\w-]*(?:{_NAMED_CLASS.pattern})+(?: [+>~] |$))+", re.ASCII)
_CLASS_PART: Final = re.compile(r"([a-z0-9]*)\[class\*=(['\"])([a-z0-9_-]+)\2 i\]")


@cache
def split_selector(
    selector: str,
) -> tuple[
    tuple[tuple[str, tuple[str, ...]], ...],
    tuple[tuple[str, str], ...],
    tuple[tuple[str, tuple[str, ...]], ...],
]:
    """Return the alternatives for the parser, the two sides of those with descendants, and parts of classes by tag.

    With each alternative are the names in lower case that classes of the page must contain if it matches anything.

    >>> split_selector("p,.byline a,h1 + h2,p.Pot,[class*='note' i]")
    ((('p', ()), ('h1 + h2', ()), ('p.Pot', ('pot',))), (('.byline', 'a'),), (('', ('note',)),))
    >>> split_selector("main> p, .note  b")
    ((('main> p', ()),), (('.note', 'b'),), ())
    """
    alternatives, places = (
        [""],
        [0],
    )  # and where the last descendant of each begins: 0 if it has none, -1 if it has signs
    brackets, quote = 0, ""
    for char in " ".join(selector.split()):
        quote = "" if char == quote else quote or (char if char in "'\"" else "")
        brackets += 0 if quote else (char in "[(") - (char in "])")
        if char == "," and not brackets and not quote:
            alternatives.append("")
            places.append(0)
            continue
        if char in "+>~" and not brackets:
            places[-1] = -1
        elif char == " " and not brackets and alternatives[-1] and places[-1] >= 0:
            places[-1] = len(alternatives[-1])
        alternatives[-1] += char if alternatives[-1] or char != " " else ""
    plain, nested = [], []
    classes: dict[str, tuple[str, ...]] = {}
    for alternative, place in zip(alternatives, places, strict=True):
        match = _CLASS_PART.fullmatch(alternative.strip())
        if match is not None and (not match[1] or match[1] in tags.IDS):
            classes[match[1]] = (*classes.get(match[1], ()), match[3])
        elif place <= 0 or place + 1 >= len(alternative):
            plain.append(alternative)
        else:
            nested.append((alternative[:place], alternative[place + 1 :]))
    return tuple((each, _classes_of(each)) for each in plain), tuple(nested), tuple(classes.items())


def _classes_of(alternative: str) -> tuple[str, ...]:
    if not _OF_CLASSES.fullmatch(alternative):
        return ()
    return tuple((name or part).lower() for name, part in _NAMED_CLASS.findall(alternative))


# XPaths of rows, from the columns: the steps of all elements are computed at once, in linear time.
#
# An element deep inside others has a path by its number instead, ``(//*)[8041]``: the paths of elements that are
# nested a hundred thousand deep would take gigabytes.

MAX_STEPS: Final = 64  #: of a path; the deepest content of the corpora is 47 levels deep
_SMALL: Final = 8  # rows of an element whose path is not remembered


class XPaths:
    """The steps of a page's XPaths.

    Args:
        page: the page.
    """

    def __init__(self, page: "Page") -> None:
        self._page = page
        self._known: dict[int, str] = {}  # paths by row
        names = page.tag.astype(np.int64)
        other: dict[str, int] = {}
        for row in np.flatnonzero(page.is_element & (page.tag == tags.OTHER)).tolist():
            names[row] = len(tags.NAMES) + other.setdefault(page.tag_name(row), len(other))
        names[page.is_text] = -1
        self._position, self._has_several = _positions(page.parent.astype(np.int64), names, page.node_type)
        in_template = in_subtree(page.end, page.rows_of("template")) & (page.tag != tags.IDS["template"])
        self._number = np.cumsum(page.is_element & ~in_template)

    def of(self, row: int) -> str:
        """Return the XPath that selects an element or a text run; ``/`` for the document and comments.

        >>> from tamis.page import parse_page
        >>> paths = XPaths(parse_page("<p>one<p>two<br>three"))
        >>> paths.of(6), paths.of(9)
        ('/html/body/p[2]', '/html/body/p[2]/text()[2]')
        >>> XPaths(parse_page("<i>" * 99)).of(90)
        '(//*)[90]'
        """
        page = self._page
        steps: list[str] = []
        if page.node_type[row] == TEXT:
            steps.append(f"/text()[{self._position[row]}]")
            row = int(page.parent[row])
        if page.depth[row] > MAX_STEPS:
            return "".join([f"(//*)[{self._number[row]}]", *steps])
        pending: list[int] = []
        while row > 0 and page.node_type[row] == ELEMENT and row not in self._known:
            pending.append(row)
            row = int(page.parent[row])
        path = self._known.get(row, "")
        for step in reversed(pending):
            position = f"[{self._position[step]}]" if self._has_several[step] else ""
            path += f"/{page.tag_name(step)}{position}"
            if page.end[step] > step + _SMALL:
                self._known[step] = path  # what is around many rows is asked for again
        return "".join([path, *steps]) or "/"


def _positions(
    parent: npt.NDArray[np.int64], name: npt.NDArray[np.int64], node_type: npt.NDArray[np.uint8]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """Return the number of each row among its siblings of one name, from 1, and whether there are several."""
    order = np.lexsort((name, node_type, parent))  # stable: siblings of one name stay in document order
    keys = np.stack((parent[order], node_type[order], name[order]))
    begins = np.concatenate(([True], (keys[:, 1:] != keys[:, :-1]).any(axis=0)))
    first = np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
    group = np.cumsum(begins) - 1
    position, several = np.empty(len(order), dtype=np.int64), np.empty(len(order), dtype=np.bool_)
    position[order] = np.arange(len(order)) - first + 1
    several[order] = np.bincount(group)[group] > 1
    return position, several
