"""Markdown: CommonMark with tables, and with footnotes and formulas as GitHub and Pandoc write them."""

import re
import unicodedata
from contextlib import ExitStack
from dataclasses import replace
from typing import Final

from tamis.document.parts import (
    BYLINE_SEPARATOR,
    Callout,
    Cell,
    Code,
    CodeSpan,
    Definition,
    Definitions,
    Details,
    Document,
    Emphasis,
    Figure,
    Footnote,
    Formula,
    FormulaSpan,
    Heading,
    Image,
    Item,
    LineBreak,
    Link,
    List,
    Paragraph,
    Part,
    Post,
    Quote,
    Ruby,
    Rule,
    Span,
    Table,
    Text,
    flatten,
    spans_text,
)
from tamis.html.text import CLOSING_QUOTE, OPENING_QUOTE
from tamis.metadata.facts import has_value, read_duration, words_of
from tamis.metadata.site import alnum_key
from tamis.render.content import Content
from tamis.render.front_matter import display_date, display_votes, front_matter
from tamis.render.html import spans_html
from tamis.render.registry import DEFAULT, LINE, PARAGRAPH, Rendered, RenderOptions, TextBuffer
from tamis.render.shown import figure_caption, restore_originals, shown_document, tidy_notes

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

    ``a*[b](u)*`` is not emphasis, because a letter is before the star; ``a[*b*](u)`` is.
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
    r"[\\`*]|(?<!\w)_|_(?!\w)|<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[(:])|!(?=\[)|\[(?=\^)|(?<=\w)~~|~~(?=\w)"
)
#: What `_ESCAPED` matches begins with one of these. A search for signs is far faster than one for groups of them.
_SIGNS: Final = re.compile(r"[\\`*_<&\]~!\[]")
_EMOJI_URL: Final = re.compile(r"emoji|emoticon|smil(?:e|ie|ey)s?\b|joypixels", re.IGNORECASE)
_MAX_EMOJI_CHARS: Final = 12  #: of the ``alt`` of an image that is an emoji
_BRACKETS: Final = re.compile(r"(?<!\\)[\[\]]")
_LINE_START: Final = re.compile(
    r"^(?:(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|-[-\s:|]+$|~{3}|[:|]\s*-|=+\s*$)|(\d{1,9})([.)])(?=\s|$))"
)
_LINE_START_CHARS: Final = frozenset("#>-+=~:|0123456789")  #: what `_LINE_START` begins with
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
    'a\\*b **c**[[d]](u)'
    """
    if len(spans) == 1 and isinstance(spans[0], Text):  # most paragraphs
        return _text(spans[0].text, link=link)
    pieces: list[str] = []
    out = ""  # the last two characters of the pieces
    spans = _join_code(tidy_notes(spans))
    beside_formula = FormulaSpan in map(type, spans)
    stack = list(reversed(spans))
    while stack:
        span = stack.pop()
        if isinstance(span, Text):
            piece = _text(span.text, link=link)
            if beside_formula:  # a price in a paragraph with formulas
                piece = piece.replace("$", "\\$")
        elif isinstance(span, Emphasis) and span.tag in MARKS:
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
        # An image that is left out, or the link back from a footnote, leaves the spaces on both of its sides.
        if piece[:1] == " " and out[-1:] in {" ", "\n"} and not isinstance(span, CodeSpan):
            piece = piece.lstrip(" ")
        pieces.append(piece)
        out = piece[-2:] if len(piece) > 1 else (out + piece)[-2:]
    return "".join(pieces)


def _text(text: str, *, link: bool) -> str:
    """Return text with a backslash before what would have a meaning; in a link, before brackets too."""
    if _SIGNS.search(text):
        text = _ESCAPED.sub(_escape, text)
    return _BRACKETS.sub(_escape, text) if link and not _is_balanced(text) else text


def _is_balanced(text: str) -> bool:
    """Tell whether the brackets of a text are pairs: CommonMark reads those in the text of a link."""
    if "[" not in text and "]" not in text:
        return True
    depth = 0
    for char in _BRACKETS.findall(text):
        depth += 1 if char == "[" else -1
        if depth < 0:
            return False
    return depth == 0


def _join_code(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return spans in which neighbouring pieces of code are one: Markdown reads two runs of backticks as one.

    >>> _join_code((CodeSpan("a."), CodeSpan("b"), Text("c")))
    (CodeSpan(text='a.b'), Text(text='c'))
    """
    if CodeSpan not in map(type, spans):
        return spans
    out: list[Span] = []
    for span in spans:
        if isinstance(span, CodeSpan) and out and isinstance(out[-1], CodeSpan):
            out[-1] = CodeSpan(out[-1].text + span.text)
        else:
            out.append(span)
    return tuple(out)


def _escape(match: re.Match[str]) -> str:
    if match[0] == "&":
        from html.entities import html5  # noqa: PLC0415 (most pages need no table of names)

        name = match.string[match.end() : match.string.index(";", match.end()) + 1]
        return "\\&" if name in html5 or name.startswith("#") else "&"
    return "\\" + match[0]


def _span(  # noqa: PLR0911 (one case per span type)
    span: Span, options: RenderOptions, line: str, *, link: bool, within: frozenset[str]
) -> str:
    match span:
        case Text(text):
            return _text(text, link=link)
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
    return f"[{text}]({url_markdown(options.url(span.href))})"


def _next_char(stack: list[Span]) -> str:  # noqa: PLR0911 (one case per span type)
    """Return the character that follows an emphasis, as far as it decides whether a mark is read.

    `stack` has the spans that follow, the next one last.
    """
    text, index = "", len(stack) - 1
    while index >= 0 and isinstance(stack[index], (Emphasis, Link, Text)) and not text:
        text = spans_text((stack[index],))
        index -= not text
    if index < 0:
        return ""
    match stack[index]:
        case Text():
            return text[:1]
        case LineBreak():
            return "\n"
        case Ruby(base):
            return base[:1]
        case Emphasis(tag, inner) if tag in {"sub", "sup"}:  # an ordinal or a trademark is written without a tag
            return spans_text(inner)[:1]
        case Emphasis():  # its first character decides, whether it has a mark or not
            return "*" if is_outside(text[:1]) else "a"
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
    return f"![{_text(image.alt, link=True)}]({url_markdown(image.src)})"


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
    if "\n" not in text and text[:1] not in _LINE_START_CHARS:
        return text
    return "\n".join(_LINE_START.sub(_escape_line_start, line) for line in text.split("\n"))


def _escape_line_start(match: re.Match[str]) -> str:
    return f"{match[2]}\\{match[3]}" if match[2] else "\\" + match[0]


# Backslashes that nothing needs: before a sign that pairs with no other one of its block.

_RUNS: Final = {sign: re.compile(rf"(?:\\?{re.escape(sign)})+") for sign in "*_`"}


def without_needless_escapes(text: str) -> str:
    r"""Return the Markdown of a block without backslashes before stars, underscores and backticks without a pair.

    A run of stars begins emphasis only before a character, and ends it only behind one. Where marks, code or formulas
    have the same sign, all backslashes stay.

    >>> without_needless_escapes(r"299 € \* in all, a\_ and \`"), without_needless_escapes(r"\*so\*, *too*")
    ('299 € * in all, a_ and `', '\\*so\\*, *too*')
    """
    if "\\" not in text or "\\\\" in text:
        return text
    for sign, pattern in _RUNS.items():
        if "\\" + sign in text:
            runs = list(pattern.finditer(text))
            if not _may_pair(text, sign, runs):
                text = pattern.sub(_plain_run, text)
    return text


def _may_pair(text: str, sign: str, runs: list[re.Match[str]]) -> bool:
    """Tell whether one of some runs of a sign may begin what a later one ends, or one of them is a mark."""
    may_begin = False
    for run in runs:
        before, after = text[run.start() - 1 : run.start()], text[run.end() : run.end() + 1]
        if sign == "_" and "\\" not in run[0] and before.isalnum() and after.isalnum():
            continue
        is_text = (
            run[0].startswith("\\") and run[0][-2:-1] == "\\"
            if sign == "_"
            else run[0].count("\\") == run[0].count(sign)
        )
        if not is_text:
            return True
        if may_begin and (sign == "`" or (before and not before.isspace())):
            return True
        may_begin = may_begin or sign == "`" or bool(after and not after.isspace())
    return False


def _plain_run(run: re.Match[str]) -> str:
    """Return a run without backslashes, unless it begins a line as an item or a rule would."""
    text, start, stop = run.string, run.start(), run.end()
    is_first = start == 0 or text[start - 1] == "\n"
    return run[0] if is_first and not text[stop : stop + 1].isalnum() else run[0].replace("\\", "")


# Paragraphs and their lines: a break is a hard break, the end of a paragraph, or stands between the items of a list.

_TYPED: Final = re.compile(r"(?:\\?[-*+•▪●‣]|(\d{1,2})[.)])\s+(?=\S)")  #: before an item that was typed by hand
_PROSE_LINE: Final = 60  #: characters: lines of verse and addresses are shorter
_SENTENCE: Final = 30  #: characters of a line that is a sentence if it ends as one
_SENTENCE_END: Final = (".", "!", "?", ":", "…", "。", "！", "？", "”", '"')
_MIN_VERSE: Final = 4  #: lines


def paragraph_markdown(
    spans: tuple[Span, ...], options: RenderOptions = DEFAULT, *, numbered: bool = False, verse: bool = False
) -> str:
    r"""Return a paragraph: lines that were typed as a list are one, and prose after a break is another paragraph.

    >>> paragraph_markdown((Text("To buy:"), LineBreak(), Text("- tea"), LineBreak(), Text("- milk")))
    'To buy:\n\n- tea\n- milk'
    >>> paragraph_markdown((Text("12 Mill Lane"), LineBreak(), Text("Leeds")))
    '12 Mill Lane\\\nLeeds'
    >>> line = Text("This line has the length of a column of text, because an editor")
    >>> paragraph_markdown((line, LineBreak(), Text("filled it.")))
    'This line has the length of a column of text, because an editor filled it.'
    """
    if verse or LineBreak not in map(type, spans):
        text = without_needless_escapes(spans_markdown(spans, options).strip(" "))
        return text if numbered and "\n" not in text else escape_line_starts(text)
    lines: list[list[Span]] = [[]]
    for span in spans:
        if isinstance(span, LineBreak):
            lines.append([])
        else:
            lines[-1].append(span)
    texts = [spans_markdown(tuple(line), options).strip(" ") for line in lines]
    plain = [spans_text(tuple(line)).strip() for line in lines]
    chars = list(map(len, plain))
    is_verse = len(lines) >= _MIN_VERSE and max(chars) <= _PROSE_LINE
    is_prose = [
        size >= _PROSE_LINE or (size >= _SENTENCE and text.endswith(_SENTENCE_END)) or text.startswith("![")
        for size, text in zip(chars, texts, strict=True)
    ]
    items = _typed_items(texts)
    out = ""
    for number, text in enumerate(texts):
        if not text:
            continue
        item = items.get(number)
        if out and item is not None and number - 1 in items:
            out += "\n"
        elif out and item is None and not is_verse and _goes_on(plain[number - 1], plain[number]):
            out += " "
        elif out and (
            item is not None or number - 1 in items or (not is_verse and any(is_prose[number - 1 : number + 1]))
        ):
            out += "\n\n"
        elif out:
            out += "\\\n"
        is_marker = numbered and number == 0  # the number of the paragraph is the marker of an item
        out += item or (text if is_marker else escape_line_starts(text))
    return without_needless_escapes(out)


def _goes_on(line: str, following: str) -> bool:
    """Tell whether a sentence goes on after a line that an editor filled: a break there means a space."""
    return len(line) >= _PROSE_LINE and (line[-1].isalnum() or line[-1] == ",") and following[:1].islower()


def _typed_items(lines: list[str]) -> dict[int, str]:
    """Return the lines, by number, that were typed as items: two or more in a row, with one sign or counted."""
    out: dict[int, str] = {}
    run: list[tuple[int, str, str]] = []  # the number of a line, its mark, and the rest
    for number, line in enumerate([*lines, ""]):
        match = _TYPED.match(line)
        mark = "" if match is None else match[1] or match[0].strip()
        last = run[-1][1] if run else ""
        goes_on = bool(mark) and (int(mark) == int(last) + 1 if mark.isdigit() and last.isdigit() else mark == last)
        if not goes_on:
            if len(run) > 1:
                out |= {at: f"{sign}. {rest}" if sign.isdigit() else f"- {rest}" for at, sign, rest in run}
            run = []
        if match is not None:
            run.append((number, mark, line[match.end() :]))
    return out


# The parts of a document.

_NUMBERED: Final = re.compile(r"(\d{1,3})([.)]) (?=\S|$)")
_MIN_REPEATED_CHARS: Final = 20  #: of an alternative text that a longer caption repeats
_MAX_SHORT_CELL: Final = 40  #: characters
_MAX_POST_MARGINS: Final = 5  #: quotation marks before the lines of a post
_MAX_LIST_DEPTH: Final = 20  #: of the items of posts; deeper answers follow at this depth


def write_markdown(content: Content, options: RenderOptions) -> Rendered:
    """Return an extraction as Markdown, with YAML front matter if the options ask for metadata."""
    front = front_matter(content.metadata) if options.with_metadata else ""
    document, originals = shown_document(content, options)
    document = with_facts(document, content) if options.facts else document
    return restore_originals(render_markdown(document, options, front), originals)


#: Types whose facts are shown, and the names of facts as people read them.
_SHOWN_FACTS: Final = frozenset({"Product", "Recipe", "Event"})
_NOT_SHOWN: Final = frozenset({"name", "currency", "sku", "reviews", "organizer", "nutrition", "end"})


def with_facts(document: Document, content: Content) -> Document:
    """Return a document with the facts that it lacks of its product, recipe or event, as a list after the title.

    A page that declares several is a list of them, and shows its own words.
    """
    facts = content.facts_of(_SHOWN_FACTS)
    if not facts or not document.parts:
        return document
    text = words_of("\n".join(spans_text(part.spans) for part in document if isinstance(part, Heading | Paragraph)))
    currency = next((str(fact.value) for fact in facts if fact.name == "currency"), "")
    items = []
    for fact in facts:
        if fact.name in _NOT_SHOWN or has_value(text, fact.name, fact.value):
            continue
        value = fact.value if isinstance(fact.value, str) else "; ".join(fact.value)
        value = f"{value} {currency}" if fact.name == "price" and currency else read_duration(value)
        note = " (not shown on the page)" if fact.name == "price" and fact.shown is False else ""
        label = fact.name.replace("_", " ").capitalize()
        spans = (Emphasis("strong", (Text(f"{label}:"),)), Text(f" {value}{note}"))
        paragraph = Paragraph(element=0, first=0, stop=0, spans=spans)
        items.append(Item(element=0, first=0, stop=0, parts=(paragraph,)))
    if not items:
        return document
    place = 1 if isinstance(document.parts[0], Heading) and document.parts[0].level == 1 else 0
    listed = List(element=0, first=0, stop=0, items=tuple(items))
    return replace(document, parts=(*document.parts[:place], listed, *document.parts[place:]))


def render_markdown(document: Document, options: RenderOptions = DEFAULT, front_matter: str = "") -> Rendered:
    r"""Return a document as Markdown, after `front_matter` if there is any.

    >>> import tamis
    >>> html = "<h2>Tea</h2><ol><li>Boil <b>water</b>.<li>Wait.</ol>"
    >>> render_markdown(tamis.extract(html, extractor="body").document).text
    '## Tea\n\n1. Boil **water**.\n2. Wait.'
    """
    buffer = TextBuffer()
    if front_matter:
        buffer.write(front_matter)
        buffer.gap(PARAGRAPH)
    _MarkdownWriter(buffer, options).parts(document.parts)
    return buffer.rendered()


class _MarkdownWriter:
    def __init__(self, buffer: TextBuffer, options: RenderOptions) -> None:
        self.buffer, self.options = buffer, options
        self.alternates: set[Part] = set()  # lists that are written with the alternate marker
        self.numbered: set[Part] = set()  # paragraphs that the page numbers one after the other
        self.post_depth = 0
        self.post_margins = 0  # quotations that the post around the current part is in
        self.unread_names: list[str] = []  # headings, and what follows a picture
        self.names: set[str] = set()  # the letters of those before the last picture that has an alternative text
        self.pictures: set[str] = set()  # the URLs of pictures that stand alone

    def parts(self, parts: tuple[Part, ...], gap: int = PARAGRAPH, first_gap: int | None = None) -> None:
        """Write parts in order, with a gap before and after each."""
        before: Part | None = None
        if len(parts) > 1:
            self.numbered |= _numbered(parts)
        for number, part in enumerate(parts):
            if isinstance(part, Figure) and number + 1 < len(parts):
                self._read_name(parts[number + 1])
            self.buffer.gap(gap if before is not None or first_gap is None else first_gap)
            if isinstance(part, Post) and self.options.replies == "quotes":
                follows = isinstance(before, Post) or (self.post_depth and before is not None)
                if follows and _margins(part) <= self.post_margins:  # it answers nothing before it
                    self.buffer.write("---")
                    self.buffer.gap(PARAGRAPH)
            with self.buffer.part(part):
                self.part(part, before)
            before = part
        self.buffer.gap(gap)

    def part(self, part: Part, before: Part | None) -> None:  # noqa: C901, PLR0912 (one case per part type)
        """Write one part."""
        buffer, options = self.buffer, self.options
        match part:
            case Paragraph():
                buffer.write(
                    paragraph_markdown(part.spans, options, numbered=part in self.numbered, verse=part.verse)
                )
            case Heading():
                self._read_name(part)
                text = without_needless_escapes(spans_markdown(part.spans, options, line=" "))
                buffer.write("#" * part.level + " " + (f"{text[:-1]}\\#" if text.endswith("#") else text))
            case List():
                self._list(part, before)
            case Table():
                if options.tables:
                    self._table(part)
            case Code():
                longest = max((len(run) for run in re.findall("`{3,}", part.text)), default=2)
                fence = "`" * (longest + 1)
                buffer.write(f"{fence}{part.language}\n{part.text}\n{fence}")
            case Quote():
                with buffer.margin("> "):
                    self.parts(part.parts)
            case Callout():
                self._callout(part)
            case Details():
                buffer.write(f"<details>\n<summary>{spans_html(part.summary, options)}</summary>")
                self.parts(part.parts)
                buffer.write("</details>")
            case Figure():
                self._figure(part)
            case Formula(tex=tex):
                buffer.write(f"$$\n{tex}\n$$")
            case Footnote():
                with buffer.margin("    ", f"[^{part.label}]: "):
                    self.parts(part.parts)
            case Definitions():
                for entry in part.entries:
                    buffer.gap(PARAGRAPH)
                    with buffer.part(entry):
                        self._definition(entry)
            case Post():
                self._post(part, before)
            case Rule():
                buffer.write("---")
            case _:  # an item or a cell outside of a list or table
                pass

    def _list(self, part: List, before: Part | None) -> None:
        buffer = self.buffer
        gap = LINE if all(_is_tight(item) for item in part.items) else PARAGRAPH
        # Two lists in a row would be read as one, so that the second has another marker.
        alternate = isinstance(before, List) and before.ordered == part.ordered and before not in self.alternates
        if alternate:
            self.alternates.add(part)
        firsts = [item.parts[0] for item in part.items if item.parts]
        numbered = _numbered(tuple(firsts)) if len(firsts) == len(part.items) else set()
        typed = bool(firsts) and len(numbered) == len(firsts)  # the page has the numbers in the text of the items
        self.numbered |= numbered if typed else set()
        for number, item in enumerate(part.items, part.start):
            marker = f"{number}{')' if alternate else '.'} " if part.ordered or typed else "* " if alternate else "- "
            box = "" if item.checked is None else "[x] " if item.checked else "[ ] "
            buffer.gap(gap)
            with buffer.margin(" " * len(marker), "" if typed else marker + box), buffer.part(item):
                if len(item.parts) == 1 and isinstance(item.parts[0], Paragraph):  # most items
                    with buffer.part(item.parts[0]):
                        self.part(item.parts[0], None)
                else:
                    self.parts(item.parts, gap)

    def _table(self, part: Table) -> None:
        buffer = self.buffer
        if part.caption:
            buffer.write(
                escape_line_starts(without_needless_escapes(spans_markdown(part.caption, self.options, line=" ")))
            )
            buffer.gap(PARAGRAPH)
        rows = grid(part)
        if not rows:
            return
        width = max(len(row) for row in rows)
        # Markdown reads missing cells as empty ones: a long header above many short rows needs no square of them.
        padding = width if width * len(rows) <= _MAX_SPANNED * sum(map(len, rows)) + _MIN_PADDED else 0
        # A table in Markdown has a header: the first row, if the page names none.
        for number, (row, cells) in enumerate(zip(part.rows, rows, strict=True)):
            buffer.gap(LINE)
            with buffer.part(row):
                buffer.write("|")
                empty = 0  # a table may span a hundred columns in each row
                for cell in cells:
                    if cell is None:
                        empty += 1
                        continue
                    buffer.raw("  |" * empty)
                    empty = 0
                    self._cell(cell)
                buffer.raw("  |" * (max(padding if number else width, len(cells)) - len(cells) + empty))
            if number == 0:
                buffer.write("\n|" + " --- |" * width)

    def _cell(self, cell: Cell) -> None:
        buffer = self.buffer
        text = (
            spans_markdown(flatten(cell.parts), self.options, line="<br>").replace("|", "\\|").replace("\n", "<br>")
        )
        if text.count("<br>") == 1 and "\\<br>" not in text and _is_short_name(cell):
            text = text.replace("<br>", " ")
        if not text:
            buffer.raw("  |")
            return
        buffer.raw(" ")
        with buffer.part(cell):
            buffer.raw(text)
        buffer.raw(" |")

    def _figure(self, part: Figure) -> None:
        caption = figure_caption(part, self.options)
        if self.options.images and part.images:
            new = [image for image in part.images if image.src not in self.pictures]
            self.pictures.update(image.src for image in new)
            shown: set[str] = set()
            if any(image.alt for image in new):  # else nothing can be repeated
                self.names.update(map(alnum_key, self.unread_names))
                self.unread_names.clear()
                shown = {alnum_key(spans_text(caption)), *self.names}
            images = (replace(image, alt="") if _is_repeated(image.alt, shown) else image for image in new)
            self.buffer.write("\n".join(map(image_markdown, images)))
            self.buffer.gap(PARAGRAPH)
        self.parts(part.parts)
        if caption:
            self.buffer.write(
                escape_line_starts(without_needless_escapes(spans_markdown(caption, self.options, line=" ")))
            )

    def _read_name(self, part: Part) -> None:
        """Take note of the text that a picture's alternative text may repeat."""
        if isinstance(part, Heading | Paragraph):
            self.unread_names.append(spans_text(part.spans))

    def _callout(self, part: Callout) -> None:
        """Write a callout as GitHub and Obsidian do: a quotation whose first line has its type and title."""
        with self.buffer.margin("> "):
            title = spans_markdown(part.title, self.options, line=" ").rstrip(":")
            self.buffer.write(f"[!{part.type}] {title}".rstrip())
            first = part.parts[0] if part.parts else None
            # Directly below, Markdown without callouts reads a paragraph as one with the title: as it should.
            self.parts(part.parts, first_gap=LINE if isinstance(first, Paragraph) else PARAGRAPH)

    def _definition(self, entry: Definition) -> None:
        buffer = self.buffer
        with buffer.margin("  ", "- "):
            for term in entry.terms:
                buffer.gap(PARAGRAPH)
                with buffer.part(term):
                    text = spans_markdown(flatten(term.parts), self.options, line=" ")
                    buffer.write(escape_line_starts(text) if "*" in text else f"**{text}**" if text.strip() else "")
            for detail in entry.details:
                buffer.gap(PARAGRAPH)
                with buffer.part(detail):
                    self.parts(detail.parts)

    def _post(self, part: Post, before: Part | None) -> None:
        """Write a post after its author and date. Each level below the post around it is one more quotation.

        In a list of posts, each is an item, and those that answer it are items inside it.
        """
        outer, self.post_margins = self.post_margins, _margins(part)
        with ExitStack() as margins:
            if self.options.replies == "list":
                if self.post_depth < _MAX_LIST_DEPTH:
                    margins.enter_context(self.buffer.margin("  ", "* " if isinstance(before, List) else "- "))
            else:
                for _ in range(min(self.post_margins - outer, _MAX_POST_MARGINS)):
                    margins.enter_context(self.buffer.margin("> "))
            author_line = self._byline(part)
            if author_line:
                self.buffer.write(author_line)
                self.buffer.gap(PARAGRAPH)
            self.post_depth += 1
            self.parts(part.parts)
            self.post_depth -= 1
        self.post_margins = outer

    def _byline(self, part: Post) -> str:
        """Return the author, the day with a link to the post, and the votes of a post."""
        author = f"**{spans_markdown((Text(part.author),), self.options)}**" if part.author else ""
        author += spans_markdown((Text(f" {part.handle}"),), self.options) if part.handle else ""
        day = spans_markdown((Text(display_date(part.date or "")),), self.options)
        if day and part.permalink and self.options.links:
            day = f"[{day}]({url_markdown(self.options.url(part.permalink))})"
        votes = display_votes(part.votes) if author or day else ""
        return escape_line_starts(BYLINE_SEPARATOR.join(filter(None, (author, day, votes))))


def _margins(part: Post) -> int:
    """Return how many quotations a post is in: one for each post above it, and one more if it is a comment."""
    return part.level + part.comment


def _numbered(parts: tuple[Part, ...]) -> set[Part]:
    """Return the paragraphs that begin with numbers which follow each other, from one or the end of a list on."""
    out: set[Part] = set()
    run: list[Part] = []
    last, sign = 0, ""
    for part in parts:
        if isinstance(part, List) and part.ordered:
            run, last, sign = [], part.start + len(part.items) - 1, "."
        typed = _typed_number(part)
        if typed is None:
            continue
        number, mark = typed
        if number != last + 1 or mark != sign:
            run, last, sign = [], 0, mark
        if number == last + 1:
            run.append(part)
            last = number
        if len(run) > 1 or last > len(run):
            out.update(run)
    return out


def _typed_number(part: Part) -> tuple[int, str] | None:
    """Return the number that a paragraph begins with, and the sign after it."""
    spans = part.spans if isinstance(part, Paragraph) else ()
    first = spans[0] if spans else None
    if not isinstance(first, Text) or not first.text[:1].isdigit():
        return None
    match = _NUMBERED.match(first.text)
    if match is None or (match.end() == len(first.text) and len(spans) == 1):
        return None
    return int(match[1]), match[2]


def _is_repeated(alt: str, beside: set[str]) -> bool:
    """Tell whether a text beside a picture has the letters of its alternative text, or begins with them."""
    key = alnum_key(alt)
    if not key or key in beside:
        return bool(key)
    return len(key) >= _MIN_REPEATED_CHARS and any(text.startswith(key) for text in beside)


def _is_short_name(cell: Cell) -> bool:
    """Tell whether a cell is a short name, whose line break only keeps its column narrow."""
    only = cell.parts[0] if len(cell.parts) == 1 else None
    return isinstance(only, Paragraph) and not only.verse and len(spans_text(flatten(cell.parts))) <= _MAX_SHORT_CELL


def _is_tight(item: Item) -> bool:
    """Tell whether an item is one paragraph, with or without lists below it."""
    if len(item.parts) == 1 and isinstance(item.parts[0], Paragraph):  # most items
        return True
    first, *rest = item.parts or (None,)
    return isinstance(first, Paragraph | Figure | List | None) and all(isinstance(part, List) for part in rest)


_MAX_SPANNED: Final = 8  #: places that cells span for each cell of the table …
#: … besides these: of 998 tables on 2,500 pages of the corpora, none spans four for each cell. A chunk has a table of
#: its own, so that more of these were more work for each chunk.
_MIN_SPANNED: Final = 500
_MIN_PADDED: Final = 10_000  #: places that are written for missing cells, besides `_MAX_SPANNED` for each place


def grid(table: Table) -> list[list[Cell | None]]:
    """Return the rows of a table, with each cell at the first position that it occupies and None at the others.

    >>> import tamis
    >>> html = "<table><tr><th rowspan=2>a<th>b<tr><td>c</table>"
    >>> (table,) = tamis.extract(html, extractor="body").document.parts
    >>> [[cell is not None for cell in row] for row in grid(table)]
    [[True, True], [False, True]]
    """
    out: list[list[Cell | None]] = []
    rows_left: dict[int, int] = {}  # by column: rows that a cell above still occupies
    # What cells span is bounded by what the table has, or a header could be a thousand times the page.
    most = max((len(row.cells) for row in table.rows), default=0)
    spare = _MAX_SPANNED * sum(len(row.cells) for row in table.rows) + _MIN_SPANNED
    for row in table.rows:
        line: list[Cell | None] = []
        for cell in row.cells:
            _skip_occupied(line, rows_left)
            columns = min(cell.columns, most + 1) if spare > 0 else 1
            spare -= columns * min(cell.rows, len(table.rows) - len(out)) - 1
            for column in range(columns):
                if cell.rows > 1 and spare > 0:
                    rows_left[len(line)] = cell.rows - 1
                line.append(None if column else cell)
        _skip_occupied(line, rows_left)
        out.append(line)
    return out


def _skip_occupied(line: list[Cell | None], rows_left: dict[int, int]) -> None:
    """Add a None for each next column that a cell above occupies."""
    column = len(line)
    while rows_left.get(column, 0):
        rows_left[column] -= 1
        line.append(None)
        column += 1
