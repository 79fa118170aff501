"""Blocks of code: told from verse, their language read, their line numbers left out."""

import re
from typing import Final

import numpy as np

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

#: Classes of what holds line numbers, of the highlighters of the web (Pygments, Rouge, Prism, highlight.js …).
_NUMBERED: Final = frozenset({
    "lineno", "linenos", "linenodiv", "lineNumber", "lineNumbers", "line-number", "line-numbers", "line-numbers-rows",
    "linenumber", "linenumbers", "gutter", "rouge-gutter", "hljs-ln-numbers", "blob-num", "crayon-nums", "lnt", "ln",
    "num",
})  # fmt: skip
_LANGUAGE: Final = re.compile(
    r"^(?:language|lang|highlight-source|highlight|brush|src)[-_:]+([\w+#.-]+)$", re.IGNORECASE
)
_SHOWS_CODE: Final = re.compile(
    r"\b(?:code|highlight|hljs|prettyprint|syntax|brush|shiki|prism|codehilite|chroma|source|terminal|console|shell)",
    re.IGNORECASE,
)
_CODE_LINE: Final = re.compile(
    r"[{};]\s*$|^\s*(?:[$>#%]|//|/\*|<\/?\w|def |class |import |from \w+ import|function\b|var |let |const |return\b)"
    r"|\w\(\S*\)|[=!<>]=|=>|->|::|\|\||&&|\\\w|^\s*[\w.-]+\s*[:=]\s*\S+$|[+|_-]{4,}"
)
_LINES: Final = re.compile(r"(?:^|\s)(?:line|code-line|token-line|view-line|cl)(?:\s|$)")
_LINES_OF_CODE: Final = 0.2  #: of the lines of a ``pre``; verse has none, or one by accident
_TEXTUAL: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 p article section main ul dl form header footer nav")
#: Not languages, though they stand where one does.
_NO_LANGUAGE: Final = frozenset({"none", "text", "plaintext", "plain", "nohighlight", "block", "wrapper", "example"})


def gutter_rows(page: Page) -> frozenset[int]:
    """Return the text rows that are numbers of lines of code.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<pre><span class="lineno">1</span>x = 1</pre>')
    >>> [page.row_text(row) for row in gutter_rows(page)]
    ['1']
    """
    if not page.tag_count("pre"):
        return frozenset()
    kept = prefix_sums(page.pre)
    holds = kept[page.end] > kept[:-1]  # code, or is code
    beside = tags.CELL[page.tag] & holds[page.parent]  # a cell of numbers in a row that has code
    rows = np.flatnonzero((holds | beside) & page.is_element).tolist()
    out: set[int] = set()
    for row in rows:
        names = page.nodes[row].attr("class")  # type: ignore[attr-defined]
        if not names or _NUMBERED.isdisjoint(names.split()):
            continue
        if all(word.rstrip(".:|").isdigit() for word in page.row_text(row).split()):
            out.update(k for k in range(row, int(page.end[row])) if page.is_text[k])
    return frozenset(out)


def is_code(page: Page, row: int) -> bool:
    r"""Tell whether a ``pre`` holds code, or text that someone has set line by line.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<pre>So much depends\n  upon\n\na red wheel</pre><pre>a = f(b);</pre>")
    >>> [is_code(page, row) for row in page.rows_of("pre").tolist()]
    [False, True]
    """
    below = page.tag[row : page.end[row]]
    if _TEXTUAL[below].any():
        return False
    if any(tags.IDS[name] in below for name in ("code", "kbd", "samp", "tt")):
        return True
    if _SHOWS_CODE.search(" ".join(_classes(page, row))):
        return True
    lines = [line for line in page.row_text(row).splitlines() if line.strip()]
    coded = sum(bool(_CODE_LINE.search(line)) for line in lines)
    return len(lines) <= 1 or coded > _LINES_OF_CODE * len(lines)


def language_of(page: Page, row: int) -> str:
    """Return the language of a block of code, from the classes on it, in it and around it; or nothing.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<pre><code class="language-rust">fn main() {}</code></pre>')
    >>> language_of(page, int(page.rows_of("pre")[0]))
    'rust'
    """
    inner = next((k for k in range(row + 1, int(page.end[row])) if page.tag[k] == tags.IDS["code"]), row)
    for element in (inner, row):
        given = page.attributes(element)
        named = given.get("data-lang") or given.get("data-language") or given.get("lang-name") or ""
        if named:
            return named.lower()
    for words in (_classes(page, inner, 0), _classes(page, row)):
        for word in " ".join(words).replace("brush: ", "brush:").replace("sourceCode ", "src-").split():
            found = _LANGUAGE.match(word.rstrip(";"))
            if found and found[1].lower() not in _NO_LANGUAGE:
                return found[1].lower()
    return ""


def _classes(page: Page, row: int, up: int = 2) -> list[str]:
    """Return the classes of an element and of its parents, so many levels up."""
    out = []
    for _ in range(up + 1):
        if row <= 0 or not page.is_element[row]:
            break
        out.append(page.attributes(row).get("class", ""))
        row = int(page.parent[row])
    return out


def code_text(page: Page, mask: Bools, row: int, gutters: frozenset[int]) -> str:
    """Return the chosen text of a block of code as it stands, a line for each block inside."""
    out: list[str] = []
    edges: list[int] = []
    lines = _line_rows(page, row)
    for k in range(row + 1, int(page.end[row])):
        while edges and edges[-1] <= k:
            edges.pop()
            _end_line(out)
        if page.is_text[k]:
            if k in gutters or page.hidden[k]:
                continue
            out.append(page.row_text(k) if mask[k] or not page.nonspace[k] else " ")
        elif page.tag[k] == tags.IDS["br"]:
            out.append("\n")
        elif tags.BLOCK[page.tag[k]] or k in lines:
            _end_line(out)
            edges.append(int(page.end[k]))
    text = "".join(out).strip("\n")
    return "\n".join(line.rstrip() for line in text.split("\n")).rstrip()


def _line_rows(page: Page, row: int) -> frozenset[int]:
    """Return the elements that are lines of code by their class alone, where nothing else ends a line.

    Highlighters set each line in a ``span`` and leave it to a style sheet to break them.
    """
    if "\n" in page.row_text(row).strip():
        return frozenset()
    inner = [k for k in range(row + 1, int(page.end[row])) if page.is_element[k]]
    return frozenset(k for k in inner if _LINES.search(page.attributes(k).get("class", "")))


def _end_line(out: list[str]) -> None:
    if out and not out[-1].endswith("\n"):
        out.append("\n")
