"""The `Document` of the interface of trafilatura: text and metadata as attributes."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import urlsplit

import numpy as np

from tamis.api import Extraction
from tamis.render.comments import Comment

_FINGERPRINT_BITS: Final = 64
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
#: The elements of trafilatura's XML for those of HTML; a paragraph for all others.
_ELEMENTS: Final = {"li": "item", "dt": "item", "dd": "item", "blockquote": "quote", "pre": "code"}


def etree() -> Any:  # noqa: ANN401 (a module)
    """Return ``lxml.etree`` where it is installed, as trafilatura uses it, else the standard library's module."""
    return import_module("lxml.etree" if find_spec("lxml") else "xml.etree.ElementTree")


def _empty_body() -> Any:  # noqa: ANN401 (an element of lxml or of the standard library)
    return etree().Element("body")


@dataclass(slots=True, eq=False)
class Document:
    """What trafilatura returns, with its attributes in its order. Strings are None and lists empty where unknown."""

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
    id: str | None = None
    license: str | None = None
    body: Any = field(default_factory=_empty_body)
    comments: str | None = None
    commentsbody: Any = field(default_factory=_empty_body)
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Document":
        """Return a document with these attributes."""
        return cls(**data)

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
    host = urlsplit(document.url or "").hostname
    document.hostname = host.removeprefix("www.") if host else None
    document.description = metadata.description
    document.sitename = metadata.site
    document.date = metadata.date
    document.categories = list(metadata.categories)
    document.tags = list(metadata.tags)
    document.license = metadata.license
    document.language = metadata.language or metadata.detected_language
    document.image = metadata.image
    document.pagetype = metadata.page_type
    document.filedate = datetime.now(UTC).date().isoformat()  # the day of the extraction, as in trafilatura


def body_of(extraction: Extraction) -> Any:  # noqa: ANN401 (an element of lxml or of the standard library)
    """Return the content as a ``body`` element with ``p``, ``head``, ``quote``, ``code`` and ``list`` below it."""
    tree = etree()
    body = tree.Element("body")
    for block in extraction.blocks:
        parent, name = body, _ELEMENTS.get(block.tag, "p")
        if name == "item":
            last = body[-1] if len(body) else None
            parent = last if last is not None and last.tag == "list" else tree.SubElement(body, "list")
        is_heading = len(block.tag) == len("h1") and block.tag[0] == "h" and block.tag[1].isdigit()
        element = tree.SubElement(parent, "head" if is_heading else name)
        if is_heading:
            element.set("rend", block.tag)
        element.text = xml_text(block.text)
    return body


def paragraphs_body(lines: Iterable[str]) -> Any:  # noqa: ANN401 (an element of lxml or of the standard library)
    """Return lines as a ``body`` element with a ``p`` for each."""
    tree = etree()
    body = tree.Element("body")
    for line in lines:
        tree.SubElement(body, "p").text = xml_text(line)
    return body


def xml_text(text: str) -> str:
    r"""Return a text without the characters that XML forbids: controls, surrogates, U+FFFE and U+FFFF.

    >>> xml_text("Tea\0\uffff\tand\ud800 milk")
    'Tea\tand milk'
    """
    return text if text.isprintable() else _NO_XML.sub("", text)


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
