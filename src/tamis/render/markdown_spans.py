"""Spans as Markdown: formulas, emphasis, links. Characters are escaped only where they would have a meaning."""

import re
import unicodedata
from dataclasses import replace
from typing import Final

from tamis.document.parts import CodeSpan, Emphasis, FormulaSpan, Image, LineBreak, Link, Ruby, Span, Text, spans_text
from tamis.html.text import CLOSING_QUOTE, OPENING_QUOTE
from tamis.render.options import RenderOptions
from tamis.render.shown_spans import tidy_notes

# Formulas in Markdown: TeX between dollars, in which nothing is escaped.

_BAR: Final = re.compile(r"\\\\|\\\||\|")
_COMMENT: Final = re.compile(r"(?<!\\)%[^\n]*")


def formula_markdown(span: FormulaSpan, *, in_table: bool = False) -> str:
    r"""Return a formula in a line.

    In a table a bar would end the cell, and a backslash before it would be a part of the formula: it is written as a
    command.

    >>> formula_markdown(FormulaSpan("|x|_1")), formula_markdown(FormulaSpan(r"|x| \| y"), in_table=True)
    ('$|x|_1$', '$\\vert x\\vert \\Vert y$')
    """
    tex = " ".join(_without_comments(span.tex).split())
    if in_table:
        tex = " ".join(_BAR.sub(_bar_command, tex).split())
    return f"$${tex}$$" if span.display else f"${tex}$"


def _without_comments(tex: str) -> str:
    """Return TeX without comments: on one line they would hide what follows."""
    return _COMMENT.sub("", tex) if "%" in tex and "\n" in tex else tex


def _bar_command(match: re.Match[str]) -> str:
    return {"|": r"\vert ", r"\|": r"\Vert "}.get(match[0], match[0])


# Emphasis as Markdown marks: stars, tildes and equals signs, never HTML.
#
# CommonMark reads a star as the start of emphasis only if it is left-flanking, and as its end only if it is
# right-flanking (section 6.2 of the specification). Both depend on the characters on either side. Where a mark would
# not be read, the white space or punctuation at the edge moves out of the emphasis, as a person would write it.

#: The marks of each tag. GitHub reads ``~~``, Pandoc and Obsidian read ``==``.
MARKS: Final = {"strong": "**", "em": "*", "del": "~~", "mark": "=="}

#: Closing marks by their opening ones.
_PAIRS: Final = dict(zip("\"'“‘«(", "\"'”’»)", strict=True))


def is_outside(char: str) -> bool:
    """Tell whether a mark next to this character opens or closes, whatever is on its other side.

    >>> [is_outside(char) for char in ("", " ", ".", "“", "a", "™")]
    [True, True, True, True, False, False]
    """
    return (
        not char or char.isspace() or (char.isascii() and not char.isalnum()) or unicodedata.category(char)[0] == "P"
    )


def is_inside(char: str) -> bool:
    """Tell whether a mark before or after this character opens or closes next to a word.

    >>> [is_inside(char) for char in ("a", "漢", ".", " ")]
    [True, True, False, False]
    """
    return char.isalnum() or unicodedata.category(char)[0] == "M"


def split_edges(spans: tuple[Span, ...], before: str, after: str) -> tuple[str, tuple[Span, ...], str]:
    """Return the text that moves before the emphasis, the spans that stay in it, and the text that moves behind it.

    `before` and `after` are the characters next to the emphasis. No spans are left if no mark can be read.

    >>> split_edges((Text("Note:"),), "", "t")
    ('', (Text(text='Note'),), ':')
    """
    lead, spans = _trim_start(spans, before)
    trail, spans = _trim_end(spans, after)
    if spans and isinstance(spans[0], Text) and len(spans[0].text) > 1 and not lead.strip():
        opening = spans[0].text[0]
        if trail and _PAIRS.get(opening) == trail[0]:  # a pair of quotation marks or brackets stays together
            lead, spans = lead + opening, (Text(spans[0].text[1:]), *spans[1:])
    if not spans or isinstance(spans[0], LineBreak) or isinstance(spans[-1], LineBreak):
        return lead + trail, (), ""
    first = spans[0].text[:1] if isinstance(spans[0], Text) else ""
    last = spans[-1].text[-1:] if isinstance(spans[-1], Text) else ""
    opens = bool(first and is_inside(first)) or is_outside((before + lead)[-1:])
    closes = bool(last and is_inside(last)) or is_outside((trail + after)[:1])
    return (lead, spans, trail) if opens and closes else (lead, (), trail)


def _trim_start(spans: tuple[Span, ...], before: str) -> tuple[str, tuple[Span, ...]]:
    lead = ""
    while spans and isinstance(spans[0], Text):
        text = spans[0].text
        position = 0
        while position < len(text) and not is_inside(text[position]):
            previous = text[position - 1] if position else (before + lead)[-1:]
            if not text[position].isspace() and is_outside(previous):
                break
            position += 1
        lead += text[:position]
        if position < len(text):
            return lead, (Text(text[position:]), *spans[1:])
        spans = spans[1:]
    return lead, spans


def _trim_end(spans: tuple[Span, ...], after: str) -> tuple[str, tuple[Span, ...]]:
    trail = ""
    while spans and isinstance(spans[-1], Text):
        text = spans[-1].text
        position = len(text)
        while position and not is_inside(text[position - 1]):
            following = text[position] if position < len(text) else (trail + after)[:1]
            if not text[position - 1].isspace() and is_outside(following):
                break
            position -= 1
        trail = text[position:] + trail
        if position:
            return trail, (*spans[:-1], Text(text[:position]))
        spans = spans[:-1]
    return trail, spans


def moved_into_link(span: Emphasis) -> Link | None:
    """Return the link that an emphasis consists of, with the emphasis inside it; None if it is anything else.

    ``a*[b](u)*`` is no emphasis, because a letter is before the star; ``a[*b*](u)`` is.
    """
    only = span.spans[0] if len(span.spans) == 1 else None
    return (
        replace(only, spans=(Emphasis(span.tag, only.spans),)) if isinstance(only, Link) and not only.role else None
    )


def choose_mark(tag: str, text: str, out: str, after: str, *, nested: bool = False) -> str:
    """Return the mark of an emphasis of `text` after the Markdown `out`; ``""`` if none would be read.

    Two emphases without a space between them would share a run of stars. The second one is then written with
    underscores, which CommonMark reads if no letter follows. A mark between two punctuation characters also closes,
    so that a `nested` emphasis would end the one around it.
    """
    mark = MARKS[tag]
    if nested and out and not is_inside(out[-1]) and not out[-1].isspace() and not is_inside(text[0]):
        return ""
    if not out.endswith(mark[0]) or out.endswith("\\" + mark[0]):
        return mark
    if mark[0] != "*" or not is_outside(after) or text[0] == "_" or text[-1] == "_":
        return ""
    return mark.replace("*", "_")


# Spans as Markdown. Characters are escaped only where they would have a meaning.

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
    while index >= 0 and isinstance(stack[index], Emphasis | Link | Text) and not spans_text((stack[index],)):
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
            return spans_text(inner)[:1]
        case Emphasis():  # its first character decides, whether it has a mark or not
            return "*" if is_outside(spans_text((stack[index],))[:1]) else "a"
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
