"""What readers wrote below an article, told by structure alone: boxes that repeat in a section named for them.

The body comes first: a row that an extractor chose is never a comment, and where it chose most of a thread, the
thread is the body (a forum) and there are no comments.
"""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np

from tamis.document.detect.bylines import AUTHOR_SELECTOR
from tamis.document.detect.posts import DATE_SELECTOR, PostFacts, find_posts
from tamis.extractors.base import Selection
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree

_SECTIONS: Final = (
    "[id*='comment' i],[class*='comment' i],[id*='disqus' i],[class*='disqus' i],[id='respond'],[id*='reactions' i],"
    "[itemprop~='comment'],[itemtype*='schema.org/Comment'],[aria-label*='comments' i]"
)
_SECTION: Final = re.compile(
    r"(?:^|[\s_-])(?:comments?|commentlist|disqus|responses?|reactions)(?:$|[\s_-])", re.IGNORECASE
)
_CONTROLS: Final = tags.tag_mask("a button form select textarea label nav")
_MOST: Final = 0.5  #: of a thread's characters: if the extractor chose more, the thread is the body
_FORUMS: Final = frozenset({"forum", "qa", "thread", "discussion"})


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The comments of a page: which rows, and who wrote what."""

    mask: Bools
    posts: dict[int, PostFacts]


def find_comments(page: Page, selection: Selection) -> Found:
    """Find the comments of a page, apart from what was selected.

    >>> from tamis.page import parse_page
    >>> box = '<li class="comment"><b class="author">{}</b><p>{}</p><a href="#">Reply</a></li>'
    >>> page = parse_page(f'<p>Text.</p><ol id="comments">{box.format("Ann", "Yes.")}{box.format("Bob", "No.")}</ol>')
    >>> found = find_comments(page, Selection.from_mask(page, np.arange(len(page)) < 6))
    >>> [page.row_text(row) for row in np.flatnonzero(found.mask)]
    ['Yes.', 'No.']
    """
    nothing = Found(np.zeros(len(page), dtype=np.bool_), {})
    if selection.page_type in _FORUMS:
        return nothing
    sections = [row for row in page.select(_SECTIONS) if row > page.body and _says_so(page, row)]
    if not sections:
        return nothing
    within = in_subtree(page.end, np.array(sections, dtype=np.int64))
    posts = {row: facts for row, facts in find_posts(page, min_posts=1).items() if within[row]}
    if not posts:
        return nothing
    boxes = np.array(sorted(posts), dtype=np.int64)
    shown = page.shown & in_subtree(page.end, boxes)
    thread = int(page.nonspace[shown].sum())
    if not thread or int(page.nonspace[shown & selection.mask].sum()) > _MOST * thread:
        return nothing
    named = {one.author_row for one in posts.values() if one.author_row > 0}
    selected = {*page.select(AUTHOR_SELECTOR), *page.select(DATE_SELECTOR), *named}
    facts = np.array(sorted(selected - set(posts)), dtype=np.int64)
    holds = np.zeros(len(page), dtype=np.bool_)  # an element that holds a post is no name and no date
    holds[facts] = [bool(((boxes > row) & (boxes < page.end[row])).any()) for row in facts.tolist()]
    controls = np.flatnonzero(_CONTROLS[page.tag] & page.is_element)
    headed = in_subtree(page.end, facts[~holds[facts]]) if len(facts) else np.zeros(len(page), dtype=np.bool_)
    own_links = _links_of_text(page, controls)
    return Found(shown & ~selection.mask & ~headed & ~in_subtree(page.end, np.setdiff1d(controls, own_links)), posts)


def _says_so(page: Page, row: int) -> bool:
    given = page.attributes(row)
    named = f"{given.get('class', '')} {given.get('id', '')} {given.get('aria-label', '')}"
    return (
        bool(_SECTION.search(named))
        or "comment" in given.get("itemprop", "")
        or "Comment" in given.get("itemtype", "")
    )


def _links_of_text(page: Page, controls: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> list[int]:
    """Return the links that stand within a paragraph of text: they belong to what was written."""
    paragraphs = in_subtree(page.end, page.rows_of("p"))
    return [row for row in controls.tolist() if page.tag[row] == tags.IDS["a"] and paragraphs[row]]
