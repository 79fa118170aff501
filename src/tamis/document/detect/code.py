"""Code blocks: tell them apart from verse, find their language, and drop their line numbers."""

import re
from typing import Final

import numpy as np

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

#: Classes of elements with line numbers, from Pygments, Rouge, Prism, highlight.js and other highlighters.
_LINE_NUMBER_CLASSES: Final = frozenset({
    "lineno", "linenos", "linenodiv", "lineNumber", "lineNumbers", "line-number", "line-numbers", "line-numbers-rows",
    "linenumber", "linenumbers", "gutter", "rouge-gutter", "hljs-ln-numbers", "blob-num", "crayon-nums", "lnt", "ln",
    "num",
})  # fmt: skip
_LANGUAGE_CLASS: Final = re.compile(
    r"^(?:language|lang|highlight-source|highlight|brush|src)[-_:]+([\w+#.-]+)$", re.IGNORECASE
)
_CODE_CLASS: Final = re.compile(
    r"\b(?:code|highlight|hljs|prettyprint|syntax|brush|shiki|prism|codehilite|chroma|source|terminal|console|shell)",
    re.IGNORECASE,
)
_CODE_LINE: Final = re.compile(
    r"[{};]\s*$|^\s*(?:[$>#%]|//|/\*|<\/?\w|def |class |import |from \w+ import|function\b|var |let |const |return\b)"
    r"|\w\(\S*\)|[=!<>]=|=>|->|::|\|\||&&|\\\w|^\s*[\w.-]+\s*[:=]\s*\S+$|[+|_-]{4,}"
)
_LINE_CLASS: Final = re.compile(r"(?:^|\s)(?:line|code-line|token-line|view-line|cl)(?:\s|$)")
_MIN_CODE_SHARE: Final = 0.2  #: of the lines of a ``pre``; verse has none, or one by accident
_NOT_IN_CODE: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 p article section main ul dl form header footer nav")
#: Words that are used in place of a language.
_NO_LANGUAGE: Final = frozenset({"none", "text", "plaintext", "plain", "nohighlight", "block", "wrapper", "example"})


def line_number_rows(page: Page) -> frozenset[int]:
    """Return the text rows that are line numbers of code.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<pre><span class="lineno">1</span>x = 1</pre>')
    >>> [page.row_text(row) for row in line_number_rows(page)]
    ['1']
    """
    if not page.tag_count("pre"):
        return frozenset()
    preformatted = prefix_sums(page.pre)
    has_code = preformatted[page.end] > preformatted[:-1]
    in_code_row = tags.CELL[page.tag] & has_code[page.parent]  # line numbers may have a cell of their own
    out: set[int] = set()
    for row in np.flatnonzero((has_code | in_code_row) & page.is_element).tolist():
        classes = page.nodes[row].attr("class")  # type: ignore[attr-defined]
        if not classes or _LINE_NUMBER_CLASSES.isdisjoint(classes.split()):
            continue
        if all(word.rstrip(".:|").isdigit() for word in page.row_text(row).split()):
            out.update(k for k in range(row, int(page.end[row])) if page.is_text[k])
    return frozenset(out)


def is_code(page: Page, row: int) -> bool:
    r"""Tell whether a ``pre`` contains code, not verse or other text.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<pre>So much depends\n  upon\n\na red wheel</pre><pre>a = f(b);</pre>")
    >>> [is_code(page, row) for row in page.rows_of("pre").tolist()]
    [False, True]
    """
    if _NOT_IN_CODE[page.tag[row : page.end[row]]].any():
        return False
    if has_code_markup(page, row):
        return True
    lines = [line for line in page.row_text(row).splitlines() if line.strip()]
    code_lines = sum(bool(_CODE_LINE.search(line)) for line in lines)
    return len(lines) <= 1 or code_lines > _MIN_CODE_SHARE * len(lines)


def has_code_markup(page: Page, row: int) -> bool:
    """Tell whether the elements or classes in and around a ``pre`` say that it is code."""
    inner_tags = page.tag[row : page.end[row]]
    is_named = any(tags.IDS[name] in inner_tags for name in ("code", "kbd", "samp", "tt"))
    return is_named or bool(_CODE_CLASS.search(" ".join(_classes(page, row))))


def code_language(page: Page, row: int) -> str:
    """Return the language of a code block, from classes and attributes on it, in it and around it; ``""`` if unknown.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<pre><code class="language-rust">fn main() {}</code></pre>')
    >>> code_language(page, int(page.rows_of("pre")[0]))
    'rust'
    """
    inner = next((k for k in range(row + 1, int(page.end[row])) if page.tag[k] == tags.IDS["code"]), row)
    for element in (inner, row):
        attributes = page.attributes(element)
        language = attributes.get("data-lang") or attributes.get("data-language") or attributes.get("lang-name") or ""
        if language:
            return language.lower()
    for classes in (_classes(page, inner, 0), _classes(page, row)):
        for word in " ".join(classes).replace("brush: ", "brush:").replace("sourceCode ", "src-").split():
            match = _LANGUAGE_CLASS.match(word.rstrip(";"))
            if match and match[1].lower() not in _NO_LANGUAGE:
                return match[1].lower()
    return ""


def _classes(page: Page, row: int, levels: int = 2) -> list[str]:
    """Return the ``class`` attributes of an element and of its ancestors, this many levels up."""
    out = []
    for _ in range(levels + 1):
        if row <= 0 or not page.is_element[row]:
            break
        out.append(page.attributes(row).get("class", ""))
        row = int(page.parent[row])
    return out


def code_text(page: Page, mask: Bools, row: int, line_numbers: frozenset[int]) -> str:
    """Return the selected text of a code block verbatim, with a line for each block inside."""
    out: list[str] = []
    block_ends: list[int] = []
    lines = _line_elements(page, row)
    for k in range(row + 1, int(page.end[row])):
        while block_ends and block_ends[-1] <= k:
            block_ends.pop()
            _end_line(out)
        if page.is_text[k]:
            if k in line_numbers or page.hidden[k]:
                continue
            out.append(page.row_text(k) if mask[k] or not page.nonspace[k] else " ")
        elif page.tag[k] == tags.IDS["br"]:
            out.append("\n")
        elif tags.BLOCK[page.tag[k]] or k in lines:
            _end_line(out)
            block_ends.append(int(page.end[k]))
    text = "".join(out).strip("\n")
    return "\n".join(line.rstrip() for line in text.split("\n")).rstrip()


def _line_elements(page: Page, row: int) -> frozenset[int]:
    """Return the elements that are lines of code by their class, in a block without line ends.

    Some highlighters put each line in a ``span`` and leave the line ends to a style sheet.
    """
    if "\n" in page.row_text(row).strip():
        return frozenset()
    inner = [k for k in range(row + 1, int(page.end[row])) if page.is_element[k]]
    return frozenset(k for k in inner if _LINE_CLASS.search(page.attributes(k).get("class", "")))


def _end_line(out: list[str]) -> None:
    if out and not out[-1].endswith("\n"):
        out.append("\n")
