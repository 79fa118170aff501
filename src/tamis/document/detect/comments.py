"""Readers' comments: posts in a section that is named for comments.

The content has precedence: a selected row is never a comment. If most of a thread is selected, the thread is the
content (a forum) and there are no comments.
"""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.document.detect.bylines import AUTHOR_SELECTOR
from tamis.document.detect.posts import DATE_SELECTOR, PostFacts, find_posts
from tamis.extractors.base import Selection
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree

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
