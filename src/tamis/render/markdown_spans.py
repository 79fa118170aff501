"""Spans as Markdown: escaped where a character would mean something, and nowhere else."""

import re
from typing import Final

from tamis.document.spans import CodeSpan, Emphasis, FormulaSpan, Image, LineBreak, Link, Ruby, Span, Text
from tamis.render.options import RenderOptions

#: Backslashes, backticks and stars always; underscores at a word's edge; what would be read as a tag, a character
#: reference, a link, an image or a note.
_ESCAPED: Final = re.compile(
    r"[\\`*]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[(\[:])|!(?=\[)|\[(?=\^)|(?<=\w)~~|~~(?=\w)"
)
_SMILEYS: Final = re.compile(r"emoji|emoticon|smil(?:e|ie|ey)s?\b|joypixels", re.IGNORECASE)
_SMILEY: Final = 12  #: characters of what a smiley stands for
_BRACKETS: Final = re.compile(r"(?<!\\)[\[\]]")
_LINE_START: Final = re.compile(
    r"^(?:(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|[-=~]{2,}|[:|]\s*-|=+\s*$)|(\d{1,9})([.)])(?=\s|$))"
)
_TAGS: Final = {"strong": "**", "em": "*"}
_WORD: Final = re.compile(r"[^\W_]")


def spans_markdown(spans: tuple[Span, ...], options: RenderOptions, *, line: str = "\\\n", link: bool = False) -> str:
    r"""Return spans as Markdown; `line` is what ends a line within a paragraph.

    >>> spans_markdown((Text("a*b "), Emphasis("strong", (Text("c"),)), Link("u", (Text("[d]"),))), RenderOptions())
    'a\\*b **c**[\\[d\\]](u)'
    """
    out = ""
    for place, span in enumerate(spans):
        if isinstance(span, Emphasis) and span.kind in _TAGS:
            inner = spans_markdown(span.spans, options, line=line, link=link)
            after = _begins(spans[place + 1]) if place + 1 < len(spans) else ""
            out += _emphasised(span.kind, inner, out, after)
        else:
            piece = _span(span, options, line, link=link)
            if isinstance(span, CodeSpan) and out.endswith("`"):  # two runs of backticks would be read as one
                piece = f"<code>{_ESCAPED.sub(_escape, span.text)}</code>"
            elif isinstance(span, FormulaSpan) and out.endswith("$"):
                piece = " " + piece
            out += piece
    return out


def _escape(found: re.Match[str]) -> str:
    return "\\" + found[0]


def _span(span: Span, options: RenderOptions, line: str, *, link: bool) -> str:  # noqa: C901, PLR0911 (one line a kind)
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
        case Emphasis(kind, inner):
            text = spans_markdown(inner, options, line=line, link=link)
            if kind == "sup" and len(inner) == 1 and isinstance(inner[0], Link) and inner[0].kind == "note":
                return text  # a note's mark is raised by whoever shows it
            if kind == "q":
                return f"“{text}”"
            return f"<{kind}>{text}</{kind}>" if text and kind in {"del", "ins", "sub", "sup", "mark"} else text


def _link(span: Link, options: RenderOptions, line: str) -> str:
    if span.kind == "note":
        return f"[^{span.label}]"
    if span.kind == "back":
        return ""
    text = spans_markdown(span.spans, options, line=" " if line == "\\\n" else line, link=True)
    if not options.links or not text.strip():
        return spans_markdown(span.spans, options, line=line)
    return f"[{text}]({address_markdown(span.href)})"


def _begins(span: Span) -> str:
    """Return the character that a span will begin with."""
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
            return "["  # a link, a picture, code, a formula: they all begin with a mark


def _emphasised(kind: str, inner: str, before: str, after: str) -> str:
    """Return emphasis with stars where CommonMark's rules of flanking see it, else as a tag."""
    mark = _TAGS[kind]
    text = inner.strip()
    if not text:
        return inner
    lead, trail = inner[: len(inner) - len(inner.lstrip())], inner[len(inner.rstrip()) :]
    previous = (before + lead)[-1:]
    following = (trail + after)[:1]
    opens = bool(_WORD.match(text[0])) or not previous or previous.isspace()
    closes = bool(_WORD.match(text[-1])) or not following or following.isspace()
    stars = "*" in (previous, following, text[0], text[-1]) or "\\" in (previous, text[-1])
    if opens and closes and not stars:
        return f"{lead}{mark}{text}{mark}{trail}"
    return f"{lead}<{kind}>{text}</{kind}>{trail}"


def code_markdown(text: str) -> str:
    """Return a span of code between as many backticks as it needs.

    >>> code_markdown("a`b"), code_markdown("`")
    ('``a`b``', '`` ` ``')
    """
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def image_markdown(image: Image) -> str:
    """Return a picture; a smiley as the characters it stands for.

    >>> image_markdown(Image("https://e.org/emoji/1.png", ":)")), image_markdown(Image("https://e.org/a.png", "A"))
    (':)', '![A](https://e.org/a.png)')
    """
    if image.alt and len(image.alt) <= _SMILEY and _SMILEYS.search(image.src):
        return guarded(_ESCAPED.sub(r"\\\g<0>", image.alt))
    alt = _BRACKETS.sub(r"\\\g<0>", _ESCAPED.sub(r"\\\g<0>", image.alt))
    return f"![{alt}]({address_markdown(image.src)})"


def address_markdown(address: str) -> str:
    """Return an address as Markdown may hold it.

    >>> address_markdown("https://example.org/a_(b)"), address_markdown("/a b")
    ('<https://example.org/a_(b)>', '</a b>')
    """
    safe = address.replace("<", "%3C").replace(">", "%3E").replace("\n", "%0A").replace("\\", "%5C")
    return f"<{safe}>" if not safe or re.search(r"[\s()]", safe) else safe


def guarded(text: str) -> str:
    r"""Return a paragraph whose lines cannot be read as the start of something else.

    >>> guarded("1. one"), guarded("# two"), guarded("-5 degrees")
    ('1\\. one', '\\# two', '-5 degrees')
    """
    return "\n".join(_LINE_START.sub(_guard, line) for line in text.split("\n"))


def _guard(found: re.Match[str]) -> str:
    return f"{found[2]}\\{found[3]}" if found[2] else "\\" + found[0]
