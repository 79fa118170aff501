"""What a line of text is made of: spans. Small values without identity; they know nothing of the page."""

from dataclasses import dataclass

#: The marks that a browser draws around a quotation.
OPENS, CLOSES = "\N{LEFT DOUBLE QUOTATION MARK}", "\N{RIGHT DOUBLE QUOTATION MARK}"


@dataclass(frozen=True, slots=True)
class Text:
    """Characters, their white space collapsed."""

    text: str


@dataclass(frozen=True, slots=True)
class LineBreak:
    """The end of a line within a paragraph."""


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Spans that stand out: ``em``, ``strong``, ``del``, ``ins``, ``sub``, ``sup``, ``mark`` or ``q``."""

    kind: str
    spans: "tuple[Span, ...]"


@dataclass(frozen=True, slots=True)
class Link:
    """Spans that lead somewhere.

    Attributes:
        href: a safe address, absolute where the page's is known.
        spans: what is shown.
        kind: ``""``, or ``"note"`` for the reference to a footnote, or ``"back"`` for a footnote's way back.
        label: the footnote's label, for those two. A note's first reference has an `href`; the others have none.
    """

    href: str
    spans: "tuple[Span, ...]"
    kind: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """A few characters of code."""

    text: str


@dataclass(frozen=True, slots=True)
class FormulaSpan:
    """A formula as TeX."""

    tex: str
    display: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    """A picture: the best of its addresses, what it says without being seen, its size where given."""

    src: str
    alt: str = ""
    width: int | None = None
    height: int | None = None


@dataclass(frozen=True, slots=True)
class Ruby:
    """Characters with their reading beside them."""

    base: str
    reading: str


Span = Text | LineBreak | Emphasis | Link | CodeSpan | FormulaSpan | Image | Ruby


def plain(spans: "tuple[Span, ...]") -> str:
    r"""Return the characters of spans. Spans nest a few levels at most: the builder sees to that.

    >>> plain((Text("2"), Emphasis("sup", (Text("nd"),)), LineBreak(), Ruby("漢", "kan")))
    '2nd\n漢(kan)'
    """
    out: list[str] = []
    rest: list[Span] = list(reversed(spans))
    while rest:
        span = rest.pop()
        match span:
            case Text(text) | CodeSpan(text):
                out.append(text)
            case LineBreak():
                out.append("\n")
            case FormulaSpan(tex):
                out.append(tex)
            case Ruby(base, reading):
                out.append(f"{base}({reading})")
            case Emphasis(kind="q"):
                rest.extend((Text(CLOSES), *reversed(span.spans)))
                rest.append(Text(OPENS))
            case Emphasis() | Link():
                rest.extend(reversed(span.spans))
            case Image():
                pass
    return "".join(out)
