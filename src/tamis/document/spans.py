"""Spans: the inline content of a paragraph. They are small values that do not refer to the page."""

from collections.abc import Callable
from dataclasses import dataclass

from tamis.document.quotation_marks import CLOSING_QUOTE, OPENING_QUOTE


@dataclass(frozen=True, slots=True)
class Text:
    """Characters, their white space collapsed."""

    text: str


@dataclass(frozen=True, slots=True)
class LineBreak:
    """A line break within a paragraph."""


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Spans in an element: ``em``, ``strong``, ``del``, ``ins``, ``sub``, ``sup``, ``mark`` or ``q``."""

    tag: str
    spans: "tuple[Span, ...]"


@dataclass(frozen=True, slots=True)
class Link:
    """Spans with a link.

    Attributes:
        href: a safe URL, absolute if the page's URL is known.
        spans: the text of the link.
        role: ``"noteref"`` for the reference to a footnote, ``"backlink"`` for the link from a footnote back to its
            reference (named after the ARIA roles ``doc-noteref`` and ``doc-backlink``), ``"media"`` for the link to a
            sound, a video or a frame, whose text is not text of the page, ``""`` for any other link.
        label: the label of the footnote, for those two. The first reference to a footnote has an `href`, others none.
    """

    href: str
    spans: "tuple[Span, ...]"
    role: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """Code within a line."""

    text: str


@dataclass(frozen=True, slots=True)
class FormulaSpan:
    """A formula as TeX."""

    tex: str
    display: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    """An image: the best of its URLs, its alternative text, and its size if the page has it."""

    src: str
    alt: str = ""
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class Ruby:
    """Characters with their reading."""

    base: str
    reading: str


Span = Text | LineBreak | Emphasis | Link | CodeSpan | FormulaSpan | Image | Ruby


def plain_text(
    spans: "tuple[Span, ...]", tidy: "Callable[[tuple[Span, ...]], tuple[Span, ...]] | None" = None
) -> str:
    r"""Return the characters of spans. `tidy` changes spans, and those inside of others, before they are read.

    >>> plain_text((Text("2"), Emphasis("sup", (Text("nd"),)), LineBreak(), Ruby("漢", "kan")))
    '2nd\n漢(kan)'
    """
    out: list[str] = []
    stack: list[Span] = list(reversed(tidy(spans) if tidy else spans))
    while stack:
        span = stack.pop()
        match span:
            case Text(text) | CodeSpan(text):
                out.append(text)
            case LineBreak():
                out.append("\n")
            case FormulaSpan(tex):
                out.append(tex)
            case Ruby(base, reading):
                out.append(f"{base}({reading})")
            case Emphasis(tag="q"):
                inner = tidy(span.spans) if tidy else span.spans
                stack.extend((Text(CLOSING_QUOTE), *reversed(inner), Text(OPENING_QUOTE)))
            case Link(role="media"):
                pass
            case Emphasis() | Link():
                stack.extend(reversed(tidy(span.spans) if tidy else span.spans))
            case Image():
                pass
    return "".join(out)
