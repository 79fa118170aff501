"""What a thread means for a selection: the content of a page, or readers' comments below it."""

import re
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tamis.document.detectors.post_parts import PostFacts, Thread, find_candidates, is_content, own_stops
from tamis.document.detectors.posts import find_thread
from tamis.extractors.registry import Selection
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree

# A model judges each block by itself: it leaves out bylines, short posts and quotations, and keeps buttons. Plain
# text gets the bylines and loses the buttons (`complete_thread`). People who label pages leave out quotations in
# posts and comments below answers, so that plain text has those only if they are selected; the document has all of
# each post. Words F1 of the text on the forums of WCXB dev: .846 before, .851 so, .808 with whole posts.

_FORUM_TYPES: Final = frozenset({"forum", "qa", "thread", "discussion"})
_MAX_STRAY_SHARE: Final = 0.1  #: of the selected characters, which a model kept of comments
_COMMENT_SERVICE: Final = "[id='disqus_thread']"  #: on pages of any type, what is in it are readers' comments


def complete_thread(page: Page, selection: Selection, thread: "Thread | None") -> Selection:
    """Return a selection with the bylines of its posts and without their buttons, if posts are the content.

    >>> from tamis.page import parse_page
    >>> box = '<li class="comment"><b class="author">{}</b><p>{}</p><a href="#">Reply</a></li>'
    >>> page = parse_page(f'<ol>{box.format("Ann", "Is tea good?")}{box.format("Bob", "No.")}</ol>')
    >>> first = Selection.from_mask(page, np.arange(len(page)) < 10)
    >>> [page.row_text(row) for row in np.flatnonzero(complete_thread(page, first, find_thread(page)).mask)]
    ['Ann', 'Is tea good?']
    """
    if thread is None or not selection.mask.any():
        return selection
    if not is_content(page, selection.mask, thread):
        return _without_stray_posts(page, selection, thread)
    has_text = selection.mask & thread.body
    added = np.zeros_like(selection.mask)
    for row, stop in own_stops(page, sorted(thread.posts)).items():
        if has_text[row:stop].any():
            added[row:stop] = thread.byline[row:stop] & ~selection.mask[row:stop]
    dropped = thread.chrome & selection.mask
    reason = selection.reason.copy()
    reason[added], reason[dropped] = len(selection.reasons), len(selection.reasons) + 1
    return replace(
        selection,
        mask=(selection.mask | added) & ~dropped,
        reason=reason,
        reasons=(*selection.reasons, "author or date of a post", "button of a post"),
    )


def _without_stray_posts(page: Page, selection: Selection, thread: Thread) -> Selection:
    """Return a selection without the little that it has of readers' comments below an article.

    Of comments that a service made, it may be more.
    """
    inside = selection.mask & (thread.body | thread.byline | thread.chrome)
    chars, selected = int(page.nonspace[inside].sum()), int(page.nonspace[selection.mask].sum())
    if not thread.is_discussion or not chars:
        return selection
    if chars > _MAX_STRAY_SHARE * selected:
        service = in_subtree(page.end, np.array(page.select(_COMMENT_SERVICE), dtype=np.int64))
        if not service[inside].all():
            return selection
    return replace(selection, mask=selection.mask & ~inside)


# Readers' comments: posts in a section that is named for comments.
#
# The content has precedence: a selected row is never a comment. If most of a thread is selected, the thread is the
# content (a forum) and there are no comments.

_SECTION_ID: Final = re.compile(r"comment|disqus|^respond$|reactions", re.IGNORECASE)
_SECTION_LABEL: Final = re.compile(r' aria-label="[^"]{0,200}omments')
_SECTION_NAME: Final = re.compile(
    r"(?:^|[\s_-])(?:comments?|commentlist|disqus|responses?|reactions)(?:$|[\s_-])", re.IGNORECASE
)
_MAX_SELECTED_SHARE: Final = 0.5  #: of a thread's characters; if more is selected, the thread is the content


@dataclass(frozen=True, slots=True, eq=False)
class CommentRows:
    """The comments of a page: the mask of their text, and their thread."""

    mask: Bools
    thread: Thread | None = None

    @property
    def posts(self) -> dict[int, PostFacts]:
        """The facts of each post by row."""
        return self.thread.posts if self.thread else {}


def find_comments(page: Page, selection: Selection) -> CommentRows:
    """Find the comments of a page outside of the selection.

    >>> from tamis.page import parse_page
    >>> box = '<li class="comment"><b class="author">{}</b><p>{}</p><a href="#">Reply</a></li>'
    >>> page = parse_page(f'<p>Text.</p><ol id="comments">{box.format("Ann", "Yes.")}{box.format("Bob", "No.")}</ol>')
    >>> comments = find_comments(page, Selection.from_mask(page, np.arange(len(page)) < 6))
    >>> [page.row_text(row) for row in np.flatnonzero(comments.mask)]
    ['Yes.', 'No.']
    """
    no_comments = CommentRows(np.zeros(len(page), dtype=np.bool_))
    sections = [row for row in _section_rows(page) if row > page.body and _is_section(page, row)]
    if not sections:
        return no_comments
    in_section = in_subtree(page.end, np.array(sections, dtype=np.int64))
    candidates = list(find_candidates(page, 1))
    if candidates and not in_section[candidates].any():
        return no_comments
    content = find_thread(page) if selection.page_type in _FORUM_TYPES else None
    if content is not None and is_content(page, selection.mask, content):
        # The other posts are the content, and those that were not selected are completed in the document.
        services = page.select(_COMMENT_SERVICE)
        if not services:
            return no_comments
        in_section = in_subtree(page.end, np.array(services, dtype=np.int64))
    thread = find_thread(page, min_posts=1)
    posts = {row: facts for row, facts in thread.posts.items() if in_section[row]} if thread else {}
    if not posts or thread is None:
        return no_comments
    post_rows = np.array(sorted(posts), dtype=np.int64)
    in_post = page.shown & in_subtree(page.end, post_rows)
    thread_chars = int(page.nonspace[in_post].sum())
    selected_chars = int(page.nonspace[in_post & selection.mask].sum())
    if not thread_chars or selected_chars > _MAX_SELECTED_SHARE * thread_chars:
        return no_comments
    return CommentRows(in_post & thread.body & ~selection.mask, replace(thread, posts=posts, is_discussion=True))


def _section_rows(page: Page) -> list[int]:
    """Return the elements that may be a section for comments, in document order. This reads columns, see above."""
    rows = set(np.flatnonzero(np.isin(page.class_column, page.class_numbers("comment", "disqus"))).tolist())
    rows.update(k for k, value in page.attribute("id").items() if _SECTION_ID.search(value))
    rows.update(k for k, value in page.attribute("itemprop").items() if "comment" in value)
    rows.update(k for k, value in page.attribute("itemtype").items() if "schema.org/Comment" in value)
    source: str | None = getattr(page.attribute_source, "source", None)
    if source is None or _SECTION_LABEL.search(source):
        rows.update(page.select("[aria-label*='comments' i]"))
    return sorted(rows)


def _is_section(page: Page, row: int) -> bool:
    attributes = page.attributes(row)
    names = f"{attributes.get('class', '')} {attributes.get('id', '')} {attributes.get('aria-label', '')}"
    return (
        bool(_SECTION_NAME.search(names))
        or "comment" in attributes.get("itemprop", "")
        or "Comment" in attributes.get("itemtype", "")
    )
