"""Posts of a thread: boxes that repeat, each with an author or a date of its own.

Forums, comment sections and mailing lists write the same box many times. A box counts as a post when its class or
its type says so, when another box like it is on the page, and when it names who wrote it, or when.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

from tamis.document.detect.bylines import LONGEST_NAME, Bylines, from_date
from tamis.html import tags
from tamis.page import Page

_CANDIDATES: Final = (
    "[itemtype*='schema.org/Comment'],[itemtype*='DiscussionForumPosting'],[itemtype*='schema.org/Answer'],"
    "[itemtype*='schema.org/Question'],[itemtype*='UserComments'],"
    "[class*='post' i],[class*='comment' i],[class*='message' i],[class*='reply' i],[class*='answer' i]"
)
_NAMES: Final = re.compile(
    r"^(?:[a-z]+[-_])?(?:post|comment|message|reply|answer)s?(?:[-_]+(?:item|container|wrapper|wrap|entry|row|node|"
    r"box|block|bubble|card|li|single|thread|\d+))?$",
    re.IGNORECASE,
)
_PLURALS: Final = re.compile(r"(?:^|[-_])(?:posts|comments|messages|replies|answers)(?:$|[-_])", re.IGNORECASE)
DATES: Final = (
    "[datetime],time,[itemprop~='datePublished'],[itemprop~='dateCreated'],"
    "[class*='date' i],[class*='time' i],[class*='posted' i]"
)
_LEVEL: Final = re.compile(r"\b(?:depth|level|indent)[-_]?(\d{1,2})\b", re.IGNORECASE)
#: What a post may be; who wrote it, and how often it was liked, have types of their own inside it.
_TYPES: Final = frozenset({"Comment", "DiscussionForumPosting", "Answer", "Question", "UserComments"})
_NAME_WORDS: Final = 4
_NO_NAMES: Final = frozenset({"posted", "on", "date", "at", "published", "written", "reply", "re:", "#1", "updated"})
_BOXES: Final = tags.tag_mask("article li div section tr tbody table dd dl")
_DATES_READ: Final = 20  #: elements of a post that may be dates
_MOST: Final = 5000  #: posts of one page


@dataclass(frozen=True, slots=True)
class PostFacts:
    """What is known about a post: who wrote it, when, and how deep in the thread it stands.

    `named` is the row that names the author where no class says so, else -1.
    """

    author: str | None
    date: str | None
    level: int
    named: int = -1


def find_posts(page: Page, fewest: int = 2) -> dict[int, PostFacts]:
    """Return the posts of a page by row, where there are so many at least.

    >>> from tamis.page import parse_page
    >>> post = '<div class="post"><b class="author">{}</b><p>Hello.</p></div>'
    >>> page = parse_page(post.format("Ann") + post.format("Bob"))
    >>> [facts.author for facts in find_posts(page).values()]
    ['Ann', 'Bob']
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for row in page.select(_CANDIDATES):
        if not _BOXES[page.tag[row]] or row <= page.body:
            continue
        given = page.attributes(row)
        kind = _kind(given)
        if kind:
            groups.setdefault((page.tag_name(row), kind), []).append(row)
    candidates = sorted(row for rows in groups.values() if len(rows) >= fewest for row in rows)[:_MOST]
    if not candidates:
        return {}
    dates = page.select(DATES)
    bylines = Bylines(page, dates)
    out: dict[int, PostFacts] = {}
    around: list[int] = []
    for place, row in enumerate(candidates):
        while around and page.end[around[-1]] <= row:
            around.pop()
        stop = int(page.end[row])
        own = min(candidates[place + 1], stop) if place + 1 < len(candidates) else stop
        author, named = bylines.author(row, own), -1
        date, dated = _date(page, dates, row, own)
        if date is None:
            date = bylines.date(row, own)
        if author is None and dated > 0:
            author, named = _beside(page, dated, row)
        if author is None and date is None:
            continue
        said = _LEVEL.search(page.attributes(row).get("class", "") + " " + page.attributes(row).get("data-depth", ""))
        out[row] = PostFacts(author, date, max(len(around), int(said[1]) - 1 if said else 0), named)
        around.append(row)
    return out if len(out) >= fewest else {}


def _kind(given: dict[str, str]) -> str:
    """Return what makes a box like others: the class that says what it is, without numbers, or its type.

    The class comes first: forums give the first post of a thread another type than its answers.
    """
    for word in given.get("class", "").split():
        if _NAMES.match(word) and not _PLURALS.search(word):
            return re.sub(r"\d+", "", word).lower()
    typed = given.get("itemtype", "").rstrip("/").rpartition("/")[2]
    return typed if typed in _TYPES and "itemscope" in given else ""


def _beside(page: Page, dated: int, post: int) -> tuple[str | None, int]:
    """Return the name that stands right before a date on its line, where nothing calls it one, and its row."""
    holder = int(page.parent[dated])
    for row in range(dated - 1, max(holder, post), -1):
        if page.parent[row] != holder or page.hidden[row]:
            continue
        name = " ".join(page.row_text(row).split()).rstrip(" :,·|-–—")
        if not name:
            continue
        words = name.split()
        is_name = len(name) <= LONGEST_NAME and len(words) <= _NAME_WORDS and words[0].lower() not in _NO_NAMES
        return (name, row) if is_name and any(char.isalpha() for char in name) else (None, -1)
    return None, -1


def _date(page: Page, rows: list[int], start: int, stop: int) -> tuple[str | None, int]:
    """Return when a post was written, and the row that says so: first what says it to machines, then the words."""
    first = bisect_left(rows, start + 1)
    own = rows[first : min(bisect_left(rows, stop), first + _DATES_READ)]
    for row in own:
        given = page.attributes(row)
        value = (given.get("datetime") or given.get("content") or "").strip()
        if 0 < len(value) <= LONGEST_NAME and any(char.isdigit() for char in value):
            return value, row
    for row in own:
        value = " ".join(page.row_text(row).split())
        if 0 < len(value) <= LONGEST_NAME and any(char.isdigit() for char in value):
            return from_date(value), row
    return None, -1
