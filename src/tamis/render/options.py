"""`RenderOptions`: what an output shows. They never change what was selected."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Final, Literal, TypedDict, Unpack

from tamis.errors import OptionError, UnknownNameError
from tamis.html.urls import clean_url
from tamis.lazy import dataclass

Structure = Literal["rebuilt", "original"]
STRUCTURES: Final = ("rebuilt", "original")
Replies = Literal["quotes", "list"]
REPLIES: Final = ("quotes", "list")
CONTENTS: Final = ("markdown", "html", "xml")  #: formats that JSON can contain besides the text
_NAMED: Final = {"structure": STRUCTURES, "replies": REPLIES}


class ContentKeywords(TypedDict, total=False):
    """The keywords of `RenderOptions`, for type checkers. A test holds them to its attributes."""

    links: bool
    images: bool
    tables: bool
    comments: bool
    with_metadata: bool
    provenance: bool
    structure: Structure
    title: bool | None
    contents: "str | Sequence[str]"
    facts: bool
    clean_urls: bool
    replies: Replies


class RenderKeywords(ContentKeywords, total=False):
    """The keywords of `RenderOptions`: those of contents, and those of chunks."""

    max_tokens: int | None
    overlap: int


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """What an output shows, as an immutable value.

    >>> RenderOptions(links=False).replace(images=False)
    RenderOptions(links=False, images=False, tables=True, comments=False, with_metadata=False, provenance=False,
    structure='rebuilt', title=None, contents=(), facts=True,
    clean_urls=True, replies='quotes', max_tokens=None, overlap=0)

    Attributes:
        links: write the URLs of links; without, their text alone.
        images: write images.
        tables: write data tables.
        comments: write readers' comments after the content.
        with_metadata: begin with the page's metadata.
        provenance: JSON locates every part in the page's source and in each output.
        structure: ``"rebuilt"`` writes HTML from the document; ``"original"`` keeps the page's own elements around
            the content, with classes and ids, sanitized.
        title: begin with the page's title, as a heading of level 1, unless the content does already. None is the
            default of each format: Markdown, HTML and XML, which people read, have it; plain text, which programs
            compare and count, has the selected text alone.
        contents: the formats that JSON contains besides the text: ``"markdown"``, or ``("markdown", "html")``.
        facts: Markdown has the facts of a product, a recipe or an event that the content lacks, after the title.
        clean_urls: write links without the parameters that track readers (``utm_source``, ``fbclid`` …).
        replies: Markdown writes the posts that answer another one as quotations in it, or all posts as a nested list.
        max_tokens: JSON has the content in chunks of at most this many tokens besides the text.
        overlap: how many tokens of a chunk the next one repeats.
    """

    links: bool = True
    images: bool = True
    tables: bool = True
    comments: bool = False
    with_metadata: bool = False
    provenance: bool = False
    structure: Structure = "rebuilt"
    title: bool | None = None
    contents: str | Sequence[str] = ()
    facts: bool = True
    clean_urls: bool = True
    replies: Replies = "quotes"
    max_tokens: int | None = None
    overlap: int = 0

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in _NAMED:
                if value not in _NAMED[field.name]:
                    raise UnknownNameError.among(field.name, value, _NAMED[field.name])
            elif field.name == "contents":
                object.__setattr__(self, "contents", _read_contents(value))
            elif field.name in {"max_tokens", "overlap"}:
                self._check_tokens(field.name, value)
            elif not isinstance(value, bool) and not (field.name == "title" and value is None):
                raise OptionError(f"{field.name} must be True or False, not {value!r}")

    def _check_tokens(self, name: str, value: object) -> None:
        if name == "max_tokens" and value is None:
            return
        if not isinstance(value, int) or isinstance(value, bool) or value < (name == "max_tokens"):
            raise OptionError(f"{name} must be a number of tokens, not {value!r}")
        if name == "overlap" and value >= (self.max_tokens or 1):
            raise OptionError(f"overlap must be below max_tokens, not {value}")

    def replace(self, **changes: "Unpack[RenderKeywords]") -> "RenderOptions":
        """Return these options with some changed.

        >>> RenderOptions(title=False).replace(title=None).title is None
        True
        """
        return replace(self, **changes) if changes else self

    def url(self, href: str) -> str:
        """Return the URL of a link as it is written."""
        return clean_url(href) if self.clean_urls else href

    def shows_title(self, *, default: bool = True) -> bool:
        """Return whether an output begins with the title; `default` is that of its format."""
        return default if self.title is None else self.title


def _read_contents(value: object) -> tuple[str, ...]:
    names = (value,) if isinstance(value, str) else value
    if not isinstance(names, (tuple, list)):
        raise OptionError(f"contents must be names of formats, not {value!r}")
    for name in names:
        if name not in CONTENTS:
            raise UnknownNameError.among("content of JSON", name, CONTENTS)
    return tuple(dict.fromkeys(names))


DEFAULT: Final = RenderOptions()
