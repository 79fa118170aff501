"""The `Document` of the interface of trafilatura: text and metadata as attributes."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import InitVar, dataclass, field, fields
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

from tamis.api import Extraction
from tamis.compat.trafilatura_tree import etree
from tamis.render.comments import Comment

_FINGERPRINT_BITS: Final = 64


def _empty_body() -> Any:  # noqa: ANN401 (an element of lxml or of the standard library)
    return etree().Element("body")


@dataclass(slots=True, eq=False, kw_only=True)
class Document:
    """What trafilatura returns, with its attributes in its order. Strings are None and lists empty where unknown.

    The arguments for `id` and `license` are called `idval` and `license_val`, as in trafilatura.
    """

    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] | None = None
    tags: list[str] | None = None
    fingerprint: str | None = None
    id: str | None = field(init=False, default=None)
    license: str | None = field(init=False, default=None)
    body: Any = field(default_factory=_empty_body)
    comments: str | None = None
    commentsbody: Any = field(default_factory=_empty_body)
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None
    idval: InitVar[str | None] = None
    license_val: InitVar[str | None] = None

    def __post_init__(self, idval: str | None, license_val: str | None) -> None:
        self.id, self.license = idval, license_val

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Document":
        """Return a document with these attributes; an `AttributeError` for others."""
        document = cls()
        for name, value in data.items():
            setattr(document, name, value)
        return document

    def as_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary."""
        return {entry.name: getattr(self, entry.name) for entry in fields(self)}


def fill_metadata(
    document: Document, extraction: Extraction, url: str | None, author_blacklist: Collection[str] = ()
) -> None:
    """Write the metadata of a page into a document."""
    metadata = extraction.metadata
    unwanted = {name.casefold() for name in author_blacklist}
    authors = [name for name in metadata.authors if name.casefold() not in unwanted]
    document.title = metadata.title
    document.author = "; ".join(authors) or None
    document.url = metadata.canonical or url
    document.hostname = _hostname(document.url or "")
    document.description = metadata.description
    document.sitename = metadata.site
    document.date = metadata.date
    document.categories = list(metadata.categories)
    document.tags = list(metadata.tags)
    document.license = metadata.license
    document.language = metadata.declared_language or metadata.language
    document.image = metadata.image
    document.pagetype = metadata.page_type
    document.filedate = datetime.now(UTC).date().isoformat()  # the day of the extraction, as in trafilatura


def _hostname(url: str) -> str | None:
    """Return the host of a URL without ``www``, or None; also for a URL that is invalid."""
    try:
        host = urlsplit(url).hostname
    except ValueError:
        return None
    return host.removeprefix("www.") if host else None


def comment_lines(comments: Iterable[Comment]) -> list[str]:
    """Return the lines of comments and their replies, in order."""
    lines: list[str] = []
    stack = list(comments)[::-1]
    while stack:
        comment = stack.pop()
        lines.extend(line for line in comment.text.splitlines() if line.strip())
        stack.extend(reversed(comment.replies))
    return lines


def fingerprint(text: str) -> str:
    """Return a similarity hash of a text: 16 hexadecimal digits, of which few differ between similar texts.

    The values are not those of trafilatura.

    >>> fingerprint("Boil water, and wait.") == fingerprint("boil water and wait")
    True
    """
    words = Counter("".join(char if char.isalnum() else " " for char in text.lower()).split())
    if not words:
        return "0" * (_FINGERPRINT_BITS // 4)
    digests = b"".join(
        blake2b(word.encode("utf-8", "replace"), digest_size=_FINGERPRINT_BITS // 8).digest() for word in words
    )
    bits = np.unpackbits(np.frombuffer(digests, dtype=np.uint8).reshape(len(words), -1), axis=1)
    votes = np.array(list(words.values())) @ (2 * bits.astype(np.int64) - 1)
    return np.packbits(votes > 0).tobytes().hex()
