"""Comments as a reader sees them: who wrote what, and in answer to whom."""

from dataclasses import dataclass

from tamis.document.document import Document
from tamis.document.parts import Part, Post
from tamis.render.text import document_text


@dataclass(frozen=True, slots=True)
class Comment:
    """What one reader wrote.

    Attributes:
        text: the words.
        author: the name that was given.
        date: as the page has it.
        replies: the answers to it.
    """

    text: str
    author: str | None = None
    date: str | None = None
    replies: "tuple[Comment, ...]" = ()

    def as_dict(self) -> dict[str, object]:
        """Return the comment and its answers as plain values."""
        replies = [reply.as_dict() for reply in self.replies]
        return {"author": self.author, "date": self.date, "text": self.text, "replies": replies}


def comment_threads(document: Document) -> tuple[Comment, ...]:
    """Return the comments of a document, each with the answers to it."""
    flat: list[tuple[int, Post]] = []
    rest: list[tuple[Part, int]] = [(part, 0) for part in reversed(document.parts)]
    while rest:
        part, depth = rest.pop()
        if isinstance(part, Post):
            flat.append((max(part.level, depth), part))
            rest.extend((child, depth + 1) for child in reversed(part.parts) if isinstance(child, Post))
        else:
            rest.extend(
                (child, depth) for child in reversed(getattr(part, "parts", ()) or getattr(part, "items", ()))
            )
    # From the last to the first, so that the answers to a comment are ready when its turn comes.
    waiting: list[tuple[int, Comment]] = []
    for level, post in reversed(flat):
        replies = []
        while waiting and waiting[-1][0] > level:
            replies.append(waiting.pop()[1])
        own = tuple(child for child in post.parts if not _holds_post(child))
        text = document_text(Document(document.page, own)).text
        waiting.append((level, Comment(text, post.author, post.date, tuple(replies))))
    return tuple(comment for _, comment in reversed(waiting))


def _holds_post(part: Part) -> bool:
    rest = [part]
    while rest:
        one = rest.pop()
        if isinstance(one, Post):
            return True
        rest.extend(getattr(one, "parts", ()) or getattr(one, "items", ()))
    return False
