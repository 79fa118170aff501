"""Posts of a thread, and readers' comments: elements that repeat, each with an author or a date."""

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.document.detectors.bylines import AUTHOR_SELECTOR, Bylines, from_date
from tamis.extractors.base import Selection
from tamis.html import tags
from tamis.html.words import MAX_NAME_CHARS
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree

# Posts of a thread: elements that repeat, each with an author or a date of its own.
#
# Forums, comment sections and mailing lists repeat one element many times. An element counts as a post if its class
# or its type says so, if the page has another one like it, and if it names an author or a date.

_CANDIDATE_SELECTOR: Final = (
    "[itemtype*='schema.org/Comment'],[itemtype*='DiscussionForumPosting'],[itemtype*='schema.org/Answer'],"
    "[itemtype*='schema.org/Question'],[itemtype*='UserComments'],"
    "[class*='post' i],[class*='comment' i],[class*='message' i],[class*='reply' i],[class*='answer' i]"
)
#: Elements that may hold a date.
DATE_SELECTOR: Final = (
    "[datetime],time,[itemprop~='datePublished'],[itemprop~='dateCreated'],"
    "[class*='date' i],[class*='time' i],[class*='posted' i]"
)
_CLASS: Final = re.compile(
    r"^(?:[a-z]+[-_])?(?:post|comment|message|reply|answer)s?(?:[-_]+(?:item|container|wrapper|wrap|entry|row|node|"
    r"box|block|bubble|card|li|single|thread|\d+))?$",
    re.IGNORECASE,
)
_PLURAL_CLASS: Final = re.compile(r"(?:^|[-_])(?:posts|comments|messages|replies|answers)(?:$|[-_])", re.IGNORECASE)
_DEPTH_CLASS: Final = re.compile(r"\b(?:depth|level|indent)[-_]?(\d{1,2})\b", re.IGNORECASE)
#: Types of a post in schema.org. Its author and its number of likes are items of other types inside it.
_ITEM_TYPES: Final = frozenset({"Comment", "DiscussionForumPosting", "Answer", "Question", "UserComments"})
_MAX_NAME_WORDS: Final = 4
_NOT_NAMES: Final = frozenset({"posted", "on", "date", "at", "published", "written", "reply", "re:", "#1", "updated"})
_CONTAINERS: Final = tags.tag_mask("article li div section tr tbody table dd dl")
_MAX_DATE_ROWS: Final = 20  #: elements of a post that are read as dates
_MAX_DATE_CHARS: Final = 60
_MAX_POSTS: Final = 5000  #: of one page


@dataclass(frozen=True, slots=True)
class PostFacts:
    """The author, the date and the depth of a post.

    Attributes:
        author: its author's name.
        date: its date, as written.
        level: its depth in the thread; 0 for posts that answer no other.
        author_row: the row of the author's name where no class marks it, else -1.
    """

    author: str | None
    date: str | None
    level: int
    author_row: int = -1


def find_posts(page: Page, min_posts: int = 2) -> dict[int, PostFacts]:
    """Return the posts of a page by row; none if there are fewer than `min_posts`.

    >>> from tamis.page import parse_page
    >>> post = '<div class="post"><b class="author">{}</b><p>Hello.</p></div>'
    >>> page = parse_page(post.format("Ann") + post.format("Bob"))
    >>> [facts.author for facts in find_posts(page).values()]
    ['Ann', 'Bob']
    """
    candidates = _candidates(page, min_posts)
    if not candidates:
        return {}
    date_rows = page.select(DATE_SELECTOR)
    bylines = Bylines(page, date_rows)
    posts: dict[int, PostFacts] = {}
    ancestors: list[int] = []
    for index, row in enumerate(candidates):
        while ancestors and page.end[ancestors[-1]] <= row:
            ancestors.pop()
        end = int(page.end[row])
        stop = min(candidates[index + 1], end) if index + 1 < len(candidates) else end  # before any reply inside it
        author, author_row = bylines.author(row, stop), -1
        date, date_row = _date(page, date_rows, row, stop)
        if date is None:
            date = bylines.date(row, stop)
        if author is None and date_row > 0:
            author, author_row = _name_before(page, date_row, row)
        if author is None and date is None:
            continue
        posts[row] = PostFacts(author, date, max(len(ancestors), _declared_level(page, row)), author_row)
        ancestors.append(row)
    return posts if len(posts) >= min_posts else {}


def _candidates(page: Page, min_posts: int) -> list[int]:
    """Return the rows of elements that are at least `min_posts` of one tag and one class or type."""
    groups: dict[tuple[str, str], list[int]] = {}
    for row in page.select(_CANDIDATE_SELECTOR):
        if not _CONTAINERS[page.tag[row]] or row <= page.body:
            continue
        group = _group(page.attributes(row))
        if group:
            groups.setdefault((page.tag_name(row), group), []).append(row)
    return sorted(row for rows in groups.values() if len(rows) >= min_posts for row in rows)[:_MAX_POSTS]


def _group(attributes: dict[str, str]) -> str:
    """Return what posts of one thread have in common: a class without numbers, else an item type, else nothing.

    The class comes first: forums give the first post of a thread another type than its answers.
    """
    for word in attributes.get("class", "").split():
        if _CLASS.match(word) and not _PLURAL_CLASS.search(word):
            return re.sub(r"\d+", "", word).lower()
    item_type = attributes.get("itemtype", "").rstrip("/").rpartition("/")[2]
    return item_type if item_type in _ITEM_TYPES and "itemscope" in attributes else ""


def _declared_level(page: Page, row: int) -> int:
    """Return the depth that a class such as ``depth-2`` declares, counted from 0."""
    attributes = page.attributes(row)
    declared = _DEPTH_CLASS.search(attributes.get("class", "") + " " + attributes.get("data-depth", ""))
    return int(declared[1]) - 1 if declared else 0


def _name_before(page: Page, date_row: int, post: int) -> tuple[str | None, int]:
    """Return the name right before a date on its line, which no class marks as one, and its row."""
    container = int(page.parent[date_row])
    for row in range(date_row - 1, max(container, post), -1):
        if page.parent[row] != container or page.hidden[row]:
            continue
        name = " ".join(page.row_text(row).split()).rstrip(" :,·|-–—")
        if not name:
            continue
        words = name.split()
        fits = len(name) <= MAX_NAME_CHARS and len(words) <= _MAX_NAME_WORDS and words[0].lower() not in _NOT_NAMES
        return (name, row) if fits and any(char.isalpha() for char in name) else (None, -1)
    return None, -1


def _date(page: Page, date_rows: list[int], start: int, stop: int) -> tuple[str | None, int]:
    """Return the date of a post and its row: machine-readable attributes first, then the text."""
    first = bisect_left(date_rows, start + 1)
    rows = date_rows[first : min(bisect_left(date_rows, stop), first + _MAX_DATE_ROWS)]
    for row in rows:
        attributes = page.attributes(row)
        value = (attributes.get("datetime") or attributes.get("content") or "").strip()
        if _may_be_date(value):
            return value, row
    for row in rows:
        value = " ".join(page.row_text(row).split())
        if _may_be_date(value):
            return from_date(value), row
    return None, -1


def _may_be_date(value: str) -> bool:
    return 0 < len(value) <= _MAX_DATE_CHARS and any(char.isdigit() for char in value)


# Readers' comments: posts in a section that is named for comments.
#
# The content has precedence: a selected row is never a comment. If most of a thread is selected, the thread is the
# content (a forum) and there are no comments.

_SECTION_CANDIDATES: Final = (
    "[id*='comment' i],[class*='comment' i],[id*='disqus' i],[class*='disqus' i],[id='respond'],[id*='reactions' i],"
    "[itemprop~='comment'],[itemtype*='schema.org/Comment'],[aria-label*='comments' i]"
)
_SECTION_NAME: Final = re.compile(
    r"(?:^|[\s_-])(?:comments?|commentlist|disqus|responses?|reactions)(?:$|[\s_-])", re.IGNORECASE
)
_CONTROLS: Final = tags.tag_mask("a button form select textarea label nav")
_MAX_SELECTED_SHARE: Final = 0.5  #: of a thread's characters; if more is selected, the thread is the content
_FORUM_TYPES: Final = frozenset({"forum", "qa", "thread", "discussion"})

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class CommentRows:
    """The comments of a page: the mask of their text, and the facts of each post by row."""

    mask: Bools
    posts: dict[int, PostFacts]


def find_comments(page: Page, selection: Selection) -> CommentRows:
    """Find the comments of a page outside of the selection.

    >>> from tamis.page import parse_page
    >>> box = '<li class="comment"><b class="author">{}</b><p>{}</p><a href="#">Reply</a></li>'
    >>> page = parse_page(f'<p>Text.</p><ol id="comments">{box.format("Ann", "Yes.")}{box.format("Bob", "No.")}</ol>')
    >>> comments = find_comments(page, Selection.from_mask(page, np.arange(len(page)) < 6))
    >>> [page.row_text(row) for row in np.flatnonzero(comments.mask)]
    ['Yes.', 'No.']
    """
    no_comments = CommentRows(np.zeros(len(page), dtype=np.bool_), {})
    if selection.page_type in _FORUM_TYPES:
        return no_comments
    sections = [row for row in page.select(_SECTION_CANDIDATES) if row > page.body and _is_section(page, row)]
    if not sections:
        return no_comments
    in_section = in_subtree(page.end, np.array(sections, dtype=np.int64))
    posts = {row: facts for row, facts in find_posts(page, min_posts=1).items() if in_section[row]}
    if not posts:
        return no_comments
    post_rows = np.array(sorted(posts), dtype=np.int64)
    in_post = page.shown & in_subtree(page.end, post_rows)
    thread_chars = int(page.nonspace[in_post].sum())
    selected_chars = int(page.nonspace[in_post & selection.mask].sum())
    if not thread_chars or selected_chars > _MAX_SELECTED_SHARE * thread_chars:
        return no_comments
    excluded = selection.mask | _in_byline(page, posts, post_rows) | _in_control(page)
    return CommentRows(in_post & ~excluded, posts)


def _is_section(page: Page, row: int) -> bool:
    attributes = page.attributes(row)
    names = f"{attributes.get('class', '')} {attributes.get('id', '')} {attributes.get('aria-label', '')}"
    return (
        bool(_SECTION_NAME.search(names))
        or "comment" in attributes.get("itemprop", "")
        or "Comment" in attributes.get("itemtype", "")
    )


def _in_byline(page: Page, posts: dict[int, PostFacts], post_rows: Rows) -> Bools:
    """Return the rows in elements that name the author or date of a post. An element around a post does not."""
    named = {facts.author_row for facts in posts.values() if facts.author_row > 0}
    candidates = sorted({*page.select(AUTHOR_SELECTOR), *page.select(DATE_SELECTOR), *named} - set(posts))
    bylines = [row for row in candidates if not ((post_rows > row) & (post_rows < page.end[row])).any()]
    return in_subtree(page.end, np.array(bylines, dtype=np.int64))


def _in_control(page: Page) -> Bools:
    """Return the rows in links, buttons and forms, except links in a paragraph: those belong to the comment."""
    controls = np.flatnonzero(_CONTROLS[page.tag] & page.is_element)
    in_paragraph = in_subtree(page.end, page.rows_of("p"))
    return in_subtree(page.end, controls[~((page.tag[controls] == tags.IDS["a"]) & in_paragraph[controls])])
