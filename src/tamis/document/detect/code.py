"""Code blocks: tell them apart from verse, find their text and their language."""

import re
from typing import Final

from tamis.document.detect.gutters import CODE_CLASS, NUMBER_CLASSES
from tamis.document.detect.languages import LANGUAGES, class_language, pre_language
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools

_CODE_LINE: Final = re.compile(
    r"[{};]\s*$|^\s*(?:[$>#%]|//|/\*|<\/?\w|def |class |import |from \w+ import|function\b|var |let |const |return\b)"
    r"|\w\(\S*\)|[=!<>]=|=>|->|::|\|\||&&|\\\w|^\s*[\w.-]+\s*[:=]\s*\S+$|[+|_-]{4,}"
)
_COLUMN_GAP: Final = re.compile(r"\S {3,}(?=\S)")
_MIN_GAPS: Final = 2  #: of a line of a table that a program printed: its columns are lost if spaces are collapsed
_LINE_CLASS: Final = re.compile(
    r"(?:^|\s)(?:line|code-line|codeline|token-line|view-line|cm-line|ace_line|crayon-line|ec-line|CodeMirror-line|"
    r"react-code-text|code__line|hljs-ln-line|LC\d+|L\d+)(?:\s|$)"
)
_MIN_CODE_SHARE: Final = 0.2  #: of the lines of a ``pre``; verse has none, or one by accident
_NOT_IN_CODE: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 p article section main ul dl form header footer")
_BR: Final = tags.IDS["br"]
_LANGUAGE_ATTRIBUTES: Final = (
    "data-lang", "data-language", "lang-name", "data-code-language", "data-enlighter-language", "data-syntax",
    "data-lexer", "syntax",
)  # fmt: skip
_MAX_LEVELS: Final = 8  #: from a code block up to an element that names its language


def is_code(page: Page, row: int) -> bool:
    r"""Tell whether a ``pre`` contains code, not verse or other text.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<pre>So much depends\n  upon\n\na red wheel</pre><pre>a = f(b);</pre>")
    >>> [is_code(page, row) for row in page.rows_of("pre").tolist()]
    [False, True]
    """
    if has_code_markup(page, row):
        return True
    if _NOT_IN_CODE[page.tag[row : page.end[row]]].any():
        return False
    lines = [line for line in page.row_text(row).splitlines() if line.strip()]
    code_lines = sum(bool(_CODE_LINE.search(line)) or len(_COLUMN_GAP.findall(line)) >= _MIN_GAPS for line in lines)
    return len(lines) <= 1 or code_lines > _MIN_CODE_SHARE * len(lines)


def has_code_markup(page: Page, row: int) -> bool:
    """Tell whether the elements or classes in and around a ``pre`` say that it is code."""
    inner_tags = page.tag[row : page.end[row]]
    has_text_structure = _NOT_IN_CODE[inner_tags].any()
    if any(tags.IDS[name] in inner_tags for name in ("code", "kbd", "samp", "tt")) and not has_text_structure:
        return True
    return not has_text_structure and any(CODE_CLASS.search(classes) for classes in _classes(page, row, 2))


def code_language(page: Page, row: int) -> str:
    """Return the language of a code block, from classes and attributes on it, in it and around it; ``""`` if unknown.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<pre><code class="language-rust">fn main() {}</code></pre>')
    >>> code_language(page, int(page.rows_of("pre")[0]))
    'rust'
    """
    stop = int(page.end[row])
    inner = next((k for k in range(row + 1, stop) if page.tag[k] == tags.IDS["code"]), row)
    around = [inner] if inner != row else []
    element = row
    for _ in range(_MAX_LEVELS):
        if element <= page.body or not page.is_element[element]:
            break
        if element != row and page.nonspace[element : page.end[element]].sum() > 2 * page.nonspace[row:stop].sum():
            break  # more than the code: a class there is about something else
        around.append(element)
        element = int(page.parent[element])
    for element in around:
        attributes = page.attributes(element)
        language = next((attributes[name] for name in _LANGUAGE_ATTRIBUTES if attributes.get(name)), "")
        if language and " " not in language.strip():
            return class_language(f"language-{language.strip()}")
        classes = attributes.get("class", "")
        found = class_language(classes)
        if not found and element in {row, inner}:
            found = _bare_language(attributes)
        if found:
            return found
    return ""


def _bare_language(attributes: dict[str, str]) -> str:
    """Return the language that attributes of a ``pre`` or ``code`` have without saying what it is; ``""`` if none."""
    named = next((attributes[name] for name in ("language", "lang") if attributes.get(name)), "").strip().lower()
    return named if named in LANGUAGES else pre_language(attributes.get("class", ""))


def _classes(page: Page, row: int, levels: int) -> list[str]:
    """Return the ``class`` attributes of an element and of its ancestors, this many levels up."""
    out = []
    for _ in range(levels + 1):
        if row <= page.body or not page.is_element[row]:
            break
        out.append(page.attributes(row).get("class", ""))
        row = int(page.parent[row])
    return out


def code_text(page: Page, mask: Bools, row: int, dropped: frozenset[int]) -> str:  # noqa: C901 (one pass over the rows)
    """Return the selected text of a code block verbatim, with a line for each block or line element inside."""
    out: list[str] = []
    after_line = False  # a ``br`` after a line element is the end of that line
    ends: list[tuple[int, int]] = []  # of the open lines: the row after it, and the length of `out` at its start
    lines = line_elements(page, row)
    numbered = False
    after_break = after_block = False  # a line end after a ``br`` or a line of its own belongs to it
    for k in range(row + 1, int(page.end[row])):
        while ends and ends[-1][0] <= k:
            start = ends.pop()[1]
            _end_line(out, start)
            after_block, after_line = True, start >= 0
        if page.is_text[k]:
            if k in dropped or page.hidden[k]:
                numbered |= k in dropped
                continue
            text = page.row_text(k) if mask[k] or not page.nonspace[k] else " "
            if not page.pre[k] and not lines[1]:
                text = "" if not text.strip() and "\n" in text else text.replace("\n", " ")
            elif text.startswith("\n") and (after_break or (not text.strip() and after_block)):
                text = text[1:]
            after_break = after_block = after_line = False
            out.append(text)
        elif page.tag[k] == _BR:
            if not after_line:
                out.append("\n")
            after_break, after_line = True, False
        elif tags.BLOCK[page.tag[k]] or k in lines[0]:
            if out and not "".join(out[-1:]).endswith("\n"):
                out.append("\n")
            ends.append((int(page.end[k]), len(out) if k in lines[0] else -1))
            after_break = after_block = after_line = False
    while ends:
        _end_line(out, ends.pop()[1])
    text_lines = [line.rstrip() for line in "".join(out).replace("\u00a0", " ").strip("\n").split("\n")]
    if numbered and all(line[:1] in {"", " "} for line in text_lines):
        text_lines = [line[1:] for line in text_lines]  # the space after the line numbers
    return "\n".join(text_lines).rstrip()


def line_elements(page: Page, row: int) -> tuple[frozenset[int], bool]:
    """Return the elements that are lines of code by their class, and whether the line ends of the text count.

    Some highlighters put each line in a ``span`` and leave the line ends to a style sheet. In an element that is no
    ``pre``, line ends count if its style or the highlighter's class says so.
    """
    text = page.row_text(row)
    attributes = page.attributes(row)
    style = attributes.get("style", "").replace(" ", "")
    keeps_lines = bool(page.pre[row + 1 : page.end[row]].any()) or "white-space:pre" in style
    if not keeps_lines and page.tag_name(row) == "code":
        keeps_lines = "\n" in text.strip() and bool(class_language(attributes.get("class", "")) or "hljs" in style)
    if keeps_lines and "\n" in text.strip():
        return frozenset(), True
    inner = [k for k in range(row + 1, int(page.end[row])) if page.is_element[k]]
    lines = []
    for k in inner:
        attributes = page.attributes(k)
        classes = attributes.get("class", "")
        is_line = "data-line" in attributes or _LINE_CLASS.search(classes)
        if is_line and NUMBER_CLASSES.isdisjoint(classes.split()):
            lines.append(k)
    return frozenset(lines), keeps_lines


def _end_line(out: list[str], start: int) -> None:
    """End a line: an empty line element is an empty line, an empty block is none."""
    if (start >= 0 and not "".join(out[start:]).endswith("\n")) or (start < 0 and out and not out[-1].endswith("\n")):
        out.append("\n")
