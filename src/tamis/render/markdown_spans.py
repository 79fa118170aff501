"""Spans as Markdown. Characters are escaped only where they would have a meaning."""

import re
from typing import Final

from tamis.document.quotation_marks import CLOSING_QUOTE, OPENING_QUOTE
from tamis.document.spans import (
    CodeSpan,
    Emphasis,
    FormulaSpan,
    Image,
    LineBreak,
    Link,
    Ruby,
    Span,
    Text,
    plain_text,
)
from tamis.render.markdown_emphasis import MARKS, choose_mark, is_outside, moved_into_link, split_edges
from tamis.render.markdown_formulas import formula_markdown
from tamis.render.note_spans import tidy_notes
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
_ORDINALS: Final = frozenset({"st", "nd", "rd", "th"})


def spans_markdown(
    spans: tuple[Span, ...],
    options: RenderOptions,
    *,
    line: str = "\\\n",
    link: bool = False,
    within: frozenset[str] = frozenset(),
) -> str:
    r"""Return spans as Markdown.

    `line` is written for a line break; `link` says that the spans are in a link, `within` which emphases they are in.

    >>> spans_markdown((Text("a*b "), Emphasis("strong", (Text("c"),)), Link("u", (Text("[d]"),))), RenderOptions())
    'a\\*b **c**[\\[d\\]](u)'
    """
    pieces: list[str] = []
    out = ""  # the last two characters of the pieces
    spans = _join_code(tidy_notes(spans))
    beside_formula = any(isinstance(span, FormulaSpan) for span in spans)
    stack = list(reversed(spans))
    while stack:
        span = stack.pop()
        if isinstance(span, Emphasis) and span.tag in MARKS:
            emphasis = (
                None if span.tag in within else _emphasis(span, out, _next_char(stack), (options, line, link, within))
            )
            if emphasis is None:  # no mark: what it contains is written in its place
                stack.extend(reversed(tidy_notes(span.spans)))
                continue
            piece = emphasis
        else:
            piece = _span(span, options, line, link=link, within=within)
            if isinstance(span, CodeSpan) and out.endswith("`"):  # two runs of backticks would be one
                piece = _ESCAPED.sub(_escape, span.text)
            elif isinstance(span, FormulaSpan) and out.endswith("$"):
                piece = " " + piece
            elif beside_formula and isinstance(span, Text):  # a price in a paragraph with formulas
                piece = piece.replace("$", "\\$")
        # An image that is left out, or the link back from a footnote, leaves the spaces on both of its sides.
        pieces.append(piece.lstrip(" ") if out.endswith((" ", "\n")) and not isinstance(span, CodeSpan) else piece)
        out = (out + pieces[-1])[-2:]
    return "".join(pieces)


def _join_code(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return spans in which neighbouring pieces of code are one: Markdown reads two runs of backticks as one.

    >>> _join_code((CodeSpan("a."), CodeSpan("b"), Text("c")))
    (CodeSpan(text='a.b'), Text(text='c'))
    """
    out: list[Span] = []
    for span in spans:
        if isinstance(span, CodeSpan) and out and isinstance(out[-1], CodeSpan):
            out[-1] = CodeSpan(out[-1].text + span.text)
        else:
            out.append(span)
    return tuple(out)


def _escape(match: re.Match[str]) -> str:
    return "\\" + match[0]


def _span(  # noqa: PLR0911 (one case per span type)
    span: Span, options: RenderOptions, line: str, *, link: bool, within: frozenset[str]
) -> str:
    match span:
        case Text(text):
            escaped = _ESCAPED.sub(r"\\\g<0>", text)
            return _BRACKETS.sub(r"\\\g<0>", escaped) if link else escaped
        case LineBreak():
            return line
        case CodeSpan(text):
            return code_markdown(text)
        case FormulaSpan():
            return formula_markdown(span, in_table=line == "<br>")
        case Ruby(base, reading):
            return f"{base}({reading})"
        case Image():
            return image_markdown(span) if options.images else ""
        case Link():
            return _link(span, options, line, within)
        case Emphasis(tag, inner):
            text = spans_markdown(inner, options, line=line, link=link, within=within)
            if tag == "q":
                return f"{OPENING_QUOTE}{text}{CLOSING_QUOTE}"
            return f"<{tag}>{text}</{tag}>" if text.strip() and _is_raised(tag, text) else text


def _is_raised(tag: str, text: str) -> bool:
    """Tell whether ``sub`` or ``sup`` matters to the reader: not for ordinals, trademarks and footnote signs."""
    return tag in {"sub", "sup"} and text.lower() not in _ORDINALS and any(char.isalnum() for char in text)


def _link(span: Link, options: RenderOptions, line: str, within: frozenset[str]) -> str:
    if span.role == "noteref":
        return f"[^{span.label}]"
    if span.role == "backlink":
        return ""
    text = spans_markdown(span.spans, options, line=" " if line == "\\\n" else line, link=True, within=within)
    if not options.links or not text.strip():
        return spans_markdown(span.spans, options, line=line, within=within)
    return f"[{text}]({url_markdown(span.href)})"


def _next_char(stack: list[Span]) -> str:  # noqa: PLR0911 (one case per span type)
    """Return the character that follows an emphasis, as far as it decides whether a mark is read.

    `stack` has the spans that follow, the next one last.
    """
    index = len(stack) - 1
    while index >= 0 and isinstance(stack[index], Emphasis | Link | Text) and not plain_text((stack[index],)):
        index -= 1
    if index < 0:
        return ""
    match stack[index]:
        case Text(text):
            return text[:1]
        case LineBreak():
            return "\n"
        case Ruby(base):
            return base[:1]
        case Emphasis(tag, inner) if tag in {"sub", "sup"}:  # an ordinal or a trademark is written without a tag
            return plain_text(inner)[:1]
        case Emphasis():  # its first character decides, whether it has a mark or not
            return "*" if is_outside(plain_text((stack[index],))[:1]) else "a"
        case Image():
            return "a"  # an emoji is written as its characters, and an image may be left out
        case _:
            return "["  # links, code, formulas and tags all begin with punctuation


_Context = tuple[RenderOptions, str, bool, frozenset[str]]


def _emphasis(span: Emphasis, out: str, after: str, context: _Context) -> str | None:
    """Return emphasis with the marks that CommonMark recognises; None if it would recognise none."""
    options, line, link, within = context
    spans = _without_nested(span.spans, within | {span.tag})
    lead, spans, trail = split_edges(spans, out[-1:], after)
    text = spans_markdown(spans, options, line=line, link=link, within=within | {span.tag})
    if text.strip():
        lead += text[: len(text) - len(text.lstrip(" "))]
        trail = text[len(text.rstrip(" ")) :] + trail
        text = text.strip(" ")
        mark = choose_mark(span.tag, text, out + lead, (trail + after)[:1], nested=bool(within))
        if mark:
            return _ESCAPED.sub(_escape, lead) + mark + text + mark + _ESCAPED.sub(_escape, trail)
    moved = moved_into_link(span) if options.links and not link else None
    return None if moved is None else _span(moved, options, line, link=link, within=within)


def _without_nested(spans: tuple[Span, ...], tags: frozenset[str]) -> tuple[Span, ...]:
    """Return spans in which an emphasis with one of these tags is replaced by what it contains."""
    out: list[Span] = []
    stack = list(reversed(spans))
    while stack:
        span = stack.pop()
        if isinstance(span, Emphasis) and span.tag in tags:
            stack.extend(reversed(span.spans))
        else:
            out.append(span)
    return tuple(out)


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
    ('<https://example.org/a_(b)>', '/a%20b')
    """
    safe = url.replace("<", "%3C").replace(">", "%3E").replace("\n", "%0A").replace("\\", "%5C").replace(" ", "%20")
    return f"<{safe}>" if not safe or re.search(r"[\s()]", safe) else safe


def escape_line_starts(text: str) -> str:
    r"""Return a paragraph in which no line starts a heading, list, quote or rule.

    >>> escape_line_starts("1. one"), escape_line_starts("# two"), escape_line_starts("-5 degrees")
    ('1\\. one', '\\# two', '-5 degrees')
    """
    return "\n".join(_LINE_START.sub(_escape_line_start, line) for line in text.split("\n"))


def _escape_line_start(match: re.Match[str]) -> str:
    return f"{match[2]}\\{match[3]}" if match[2] else "\\" + match[0]
