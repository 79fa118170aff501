"""The posts of a discussion, and readers' comments, as values: author, date, votes, text and replies."""

from dataclasses import dataclass

from tamis.document.parts import Callout, Cell, Details, Document, Figure, Footnote, Item, List, Part, Post, Quote
from tamis.render.document_text import render_text
from tamis.reprs import value_repr


@dataclass(frozen=True, slots=True)
class Comment:
    """A post of a discussion, or a reader's comment.

    Attributes:
        text: its text.
        author: the author's name, if the page has it.
        date: the date as the page writes it.
        votes: its votes, points or likes.
        permalink: its URL.
        replies: the replies to it.
    """

    text: str
    author: str | None = None
    date: str | None = None
    votes: int | None = None
    permalink: str | None = None
    replies: "tuple[Comment, ...]" = ()
    __repr__ = value_repr

    def as_dict(self) -> dict[str, object]:
        """Return the comment and its replies as plain values."""
        replies = [reply.as_dict() for reply in self.replies]
        return {
            "author": self.author, "date": self.date, "votes": self.votes, "permalink": self.permalink,
            "text": self.text, "replies": replies,
        }  # fmt: skip


def comment_threads(document: Document) -> tuple[Comment, ...]:
    """Return the posts of a document, each with its replies."""
    # From last to first: the replies to a comment are complete before the comment is made.
    waiting: list[tuple[int, Comment]] = []  # with their levels
    for level, post in reversed(_posts_with_levels(document)):
        replies = []
        while waiting and waiting[-1][0] > level:
            replies.append(waiting.pop()[1])
        parts = tuple(part for part in post.parts if not _contains_post(part))
        text = render_text(Document(document.page, parts)).text
        facts = (post.author, post.date, post.votes, post.permalink or None)
        waiting.append((level, Comment(text, *facts, tuple(replies))))
    return tuple(comment for _, comment in reversed(waiting))


def _posts_with_levels(document: Document) -> list[tuple[int, Post]]:
    """Return the posts in order, each with its level: the page's own, or how many posts it is nested in."""
    out: list[tuple[int, Post]] = []
    if not any(isinstance(part, Post) for part in document):
        return out
    stack: list[tuple[Part, int]] = [(part, 0) for part in reversed(document.parts)]
    while stack:
        part, depth = stack.pop()
        if isinstance(part, Post):
            out.append((max(part.level, depth), part))
            stack.extend((child, depth + 1) for child in reversed(part.parts) if isinstance(child, Post))
        else:
            stack.extend((child, depth) for child in reversed(_contents(part)))
    return out


def _contains_post(part: Part) -> bool:
    stack = [part]
    while stack:
        part = stack.pop()
        if isinstance(part, Post):
            return True
        stack.extend(_contents(part))
    return False


def _contents(part: Part) -> tuple[Part, ...]:
    """Return the parts of a container or the items of a list. Posts in tables are not comments."""
    match part:
        case List():
            return part.items
        case Item() | Cell() | Quote() | Callout() | Details() | Footnote() | Post() | Figure():
            return part.parts
        case _:
            return ()
