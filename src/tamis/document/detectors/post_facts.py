"""What is known of the posts of a page: facts by post, how deep each is, and which rows are whose."""

import re
from dataclasses import dataclass, field
from typing import Final

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools

_IMG: Final = tags.IDS["img"]
_DEPTH_CLASS: Final = re.compile(r"\b(?:depth|level|indent)[-_]{0,2}(\d{1,2})\b", re.IGNORECASE)
_DEPTH_ATTRIBUTES: Final = ("depth", "data-depth", "data-level", "aria-level", "indent", "data-indent")
_INDENTATION: Final = re.compile(r"(?:margin|padding)-(?:left|inline-start)\s*:\s*(\d+(?:\.\d+)?)", re.IGNORECASE)
MAX_LEVEL_ROWS: Final = 12  #: of a post that are read for its indentation
_MAX_INDENTS: Final = 12  #: elements around a post that may indent it


@dataclass(frozen=True, slots=True)
class PostFacts:
    """What is known of a post besides its text.

    Attributes:
        author: its author's name.
        date: its date: as machines read it, else as written.
        level: its depth in the thread; 0 for posts that answer no other.
        author_row: the row of the author's name, else -1.
        date_row: the row of the date, else -1.
        votes: how many votes, points or likes it has.
        permalink: its URL, as the page has it.
        comment: whether it is about what stands above the thread.
        handle: the account of the author, if the page shows it behind the name.
    """

    author: str | None
    date: str | None
    level: int = 0
    author_row: int = -1
    date_row: int = -1
    votes: int | None = None
    permalink: str | None = None
    comment: bool = False
    handle: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Thread:
    """The posts of a page, by row.

    Attributes:
        posts: what is known of each.
        body: the text rows of their bodies.
        byline: the text rows of their authors and dates.
        chrome: the other text rows in posts.
        around: all rows in posts that are not in the element of a body.
        is_discussion: whether they are surely posts, and not articles in a list.
        bodies: the elements of their bodies. Some software writes a body as a ``blockquote``, which quotes nothing.
        quotes: boxes in bodies that quote another post, and whose tag does not say it.
    """

    posts: dict[int, PostFacts]
    body: Bools
    byline: Bools
    chrome: Bools
    around: Bools
    is_discussion: bool
    bodies: frozenset[int] = frozenset()
    quotes: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class DeclaredPosts:
    """What the rule of a site says of its posts: rows, each with its group, and those of their parts."""

    groups: dict[int, str]
    authors: list[int] = field(default_factory=list)
    dates: list[int] = field(default_factory=list)
    bodies: list[int] = field(default_factory=list)


def own_stops(page: Page, rows: list[int]) -> dict[int, int]:
    """Return where the own text of each post ends: before the first post inside it."""
    return {
        row: min(int(page.end[row]), rows[index + 1]) if index + 1 < len(rows) else int(page.end[row])
        for index, row in enumerate(rows)
    }


def thread_levels(page: Page, rows: list[int]) -> dict[int, int]:
    """Return the depth of each post: as declared, as indented, or how many posts it is inside of."""
    declared = {row: _declared_level(page, row) for row in rows}
    numbers = [level for level in declared.values() if level is not None]
    nested: dict[int, int] = {}
    open_rows: list[int] = []
    for row in rows:
        while open_rows and page.end[open_rows[-1]] <= row:
            open_rows.pop()
        nested[row] = len(open_rows)
        open_rows.append(row)
    if numbers and max(numbers) > min(numbers):
        lowest = min(numbers)
        return {row: nested[row] if (level := declared[row]) is None else level - lowest for row in rows}
    indents = {row: _indentation(page, row) for row in rows}
    if len(set(indents.values())) > 1 and not any(nested.values()):
        stack: list[float] = []
        levels = {}
        for row in rows:
            while stack and stack[-1] >= indents[row]:
                stack.pop()
            levels[row] = len(stack)
            stack.append(indents[row])
        return levels
    return nested


def _declared_level(page: Page, row: int) -> int | None:
    """Return the number of a depth that an attribute or a class of a post or of its first elements declares."""
    for k in range(row, min(row + MAX_LEVEL_ROWS, int(page.end[row]))):
        if not page.is_element[k]:
            continue
        attributes = page.attributes(k)
        for name in _DEPTH_ATTRIBUTES:
            if attributes.get(name, "").isdigit() and len(attributes[name]) < 4:  # noqa: PLR2004 (digits)
                return int(attributes[name])
        match = _DEPTH_CLASS.search(attributes.get("class", ""))
        if match:
            return int(match[1])
    return None


def _indentation(page: Page, row: int) -> float:
    """Return the width before a post: of a margin, or of a spacer image in its first elements."""
    inside = sum(
        "indented" in (page.attribute_of(k, "class") or "").split() for k in page.ancestors(row, _MAX_INDENTS)
    )
    if inside:
        return float(inside)
    for k in (row, int(page.parent[row])):
        match = _INDENTATION.search(page.attributes(k).get("style", ""))
        if match:
            return float(match[1])
    for k in range(row, min(row + MAX_LEVEL_ROWS, int(page.end[row]))):
        if page.tag[k] == _IMG and page.is_element[k]:
            attributes = page.attributes(k)
            if attributes.get("height", "") in {"0", "1"} and attributes.get("width", "").isdigit():
                return float(attributes["width"])
    return 0.0
