"""Spans as Markdown. Characters are escaped only where they would have a meaning."""

import re
from typing import Final

from tamis.document.spans import (
    CLOSING_QUOTE,
    OPENING_QUOTE,
    CodeSpan,
    Emphasis,
    FormulaSpan,
    Image,
    LineBreak,
    Link,
    Ruby,
    Span,
    Text,
)
from tamis.render.options import RenderOptions

#: Backslashes, backticks and asterisks everywhere; underscores at the edge of a word; what would start a tag, a
#: character reference, a link, an image, a footnote or strikethrough.
_ESCAPED: Final = re.compile(
    r"[\\`*]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[(\[:])|!(?=\[)|\[(?=\^)|(?<=\w)~~|~~(?=\w)"
)
_EMOJI_URL: Final = re.compile(r"emoji|emoticon|smil(?:e|ie|ey)s?\b|joypixels", re.IGNORECASE)
_MAX_EMOJI_CHARS: Final = 12  #: of the ``alt`` of an image that is an emoji
_BRACKETS: Final = re.compile(r"(?<!\\)[\[\]]")
_LINE_START: Final = re.compile(
    r"^(?:(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|[-=~]{2,}|[:|]\s*-|=+\s*$)|(\d{1,9})([.)])(?=\s|$))"
)
_EMPHASIS_MARKS: Final = {"strong": "**", "em": "*"}
_WORD: Final = re.compile(r"[^\W_]")


def spans_markdown(spans: tuple[Span, ...], options: RenderOptions, *, line: str = "\\\n", link: bool = False) -> str:
    r"""Return spans as Markdown. `line` is written for a line break; `link` says that the spans are in a link.

    >>> spans_markdown((Text("a*b "), Emphasis("strong", (Text("c"),)), Link("u", (Text("[d]"),))), RenderOptions())
    'a\\*b **c**[\\[d\\]](u)'
    """
    out = ""
    for index, span in enumerate(spans):
        if isinstance(span, Emphasis) and span.tag in _EMPHASIS_MARKS:
            inner = spans_markdown(span.spans, options, line=line, link=link)
            after = _first_char(spans[index + 1]) if index + 1 < len(spans) else ""
            out += _emphasis(span.tag, inner, out, after)
        else:
            piece = _span(span, options, line, link=link)
            if isinstance(span, CodeSpan) and out.endswith("`"):  # two runs of backticks would be one
                piece = f"<code>{_ESCAPED.sub(_escape, span.text)}</code>"
            elif isinstance(span, FormulaSpan) and out.endswith("$"):
                piece = " " + piece
            out += piece
    return out


def _escape(match: re.Match[str]) -> str:
    return "\\" + match[0]


def _span(span: Span, options: RenderOptions, line: str, *, link: bool) -> str:  # noqa: C901, PLR0911 (one case per span type)
    match span:
        case Text(text):
            escaped = _ESCAPED.sub(r"\\\g<0>", text)
            return _BRACKETS.sub(r"\\\g<0>", escaped) if link else escaped
        case LineBreak():
            return line
        case CodeSpan(text):
            return code_markdown(text)
        case FormulaSpan(tex, display):
            joined = " ".join(tex.split())
            return f"$${joined}$$" if display else f"${joined}$"
        case Ruby(base, reading):
            return f"{base}({reading})"
        case Image():
            return image_markdown(span) if options.images else ""
        case Link():
            return _link(span, options, line)
        case Emphasis(tag, inner):
            text = spans_markdown(inner, options, line=line, link=link)
            if tag == "sup" and len(inner) == 1 and isinstance(inner[0], Link) and inner[0].role == "noteref":
                return text  # Markdown renderers raise the reference to a footnote themselves
            if tag == "q":
                return f"{OPENING_QUOTE}{text}{CLOSING_QUOTE}"
            return f"<{tag}>{text}</{tag}>" if text and tag in {"del", "ins", "sub", "sup", "mark"} else text


def _link(span: Link, options: RenderOptions, line: str) -> str:
    if span.role == "noteref":
        return f"[^{span.label}]"
    if span.role == "backlink":
        return ""
    text = spans_markdown(span.spans, options, line=" " if line == "\\\n" else line, link=True)
    if not options.links or not text.strip():
        return spans_markdown(span.spans, options, line=line)
    return f"[{text}]({url_markdown(span.href)})"


def _first_char(span: Span) -> str:
    """Return the first character of a span in Markdown."""
    match span:
        case Text(text):
            return text[:1]
        case LineBreak():
            return "\n"
        case Ruby(base):
            return base[:1]
        case Emphasis():
            return "*"
        case _:
            return "["  # links, images, code and formulas all begin with punctuation


def _emphasis(tag: str, inner: str, before: str, after: str) -> str:
    """Return emphasis with asterisks where CommonMark's flanking rules recognise them, else as an HTML tag."""
    mark = _EMPHASIS_MARKS[tag]
    text = inner.strip()
    if not text:
        return inner
    lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
    previous = (before + lead)[-1:]
    following = (trail + after)[:1]
    left_flanking = bool(_WORD.match(text[0])) or not previous or previous.isspace()
    right_flanking = bool(_WORD.match(text[-1])) or not following or following.isspace()
    ambiguous = "*" in (previous, following, text[0], text[-1]) or "\\" in (previous, text[-1])
    if left_flanking and right_flanking and not ambiguous:
        return f"{lead}{mark}{text}{mark}{trail}"
    return f"{lead}<{tag}>{text}</{tag}>{trail}"


def code_markdown(text: str) -> str:
    """Return a code span between as many backticks as it needs.

    >>> code_markdown("a`b"), code_markdown("`")
    ('``a`b``', '`` ` ``')
    """
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def image_markdown(image: Image) -> str:
    """Return an image; an emoji as the characters of its ``alt``.

    >>> image_markdown(Image("https://e.org/emoji/1.png", ":)")), image_markdown(Image("https://e.org/a.png", "A"))
    (':)', '![A](https://e.org/a.png)')
    """
    if image.alt and len(image.alt) <= _MAX_EMOJI_CHARS and _EMOJI_URL.search(image.src):
        return escape_line_starts(_ESCAPED.sub(r"\\\g<0>", image.alt))
    alt = _BRACKETS.sub(r"\\\g<0>", _ESCAPED.sub(r"\\\g<0>", image.alt))
    return f"![{alt}]({url_markdown(image.src)})"


def url_markdown(url: str) -> str:
    """Return a URL as a link destination.

    >>> url_markdown("https://example.org/a_(b)"), url_markdown("/a b")
    ('<https://example.org/a_(b)>', '</a b>')
    """
    safe = url.replace("<", "%3C").replace(">", "%3E").replace("\n", "%0A").replace("\\", "%5C")
    return f"<{safe}>" if not safe or re.search(r"[\s()]", safe) else safe


def escape_line_starts(text: str) -> str:
    r"""Return a paragraph in which no line starts a heading, list, quote or rule.

    >>> escape_line_starts("1. one"), escape_line_starts("# two"), escape_line_starts("-5 degrees")
    ('1\\. one', '\\# two', '-5 degrees')
    """
    return "\n".join(_LINE_START.sub(_escape_line_start, line) for line in text.split("\n"))


def _escape_line_start(match: re.Match[str]) -> str:
    return f"{match[2]}\\{match[3]}" if match[2] else "\\" + match[0]
