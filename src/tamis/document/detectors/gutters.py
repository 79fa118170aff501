"""Line numbers of code: a run 1, 2, 3 … at the starts of lines or in a column beside the code.

Highlighters have many names for them (`NUMBER_CLASSES`), and pages many more. Words are deleted on strong evidence
alone: the numbers follow each other from the first line to the last, each begins a line or is in an element of its
own, and what they number is code. Numbers in lists, tables and prose stay.
"""

import re
from dataclasses import field
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis._core.loader import core
from tamis.html import tags
from tamis.lazy import dataclass, lazy_pattern
from tamis.page import Page
from tamis.page.sums import prefix_sums

#: Classes of elements with line numbers, from Pygments, Rouge, Chroma, Prism, highlight.js, CodeMirror and others, in
#: lower case.
NUMBER_CLASSES: Final = frozenset({
    "lineno", "linenos", "linenodiv", "line-number", "line-numbers", "line-numbers-rows", "linenumber", "linenumbers",
    "gutter", "rouge-gutter", "hljs-ln-numbers", "hljs-ln-n", "blob-num", "crayon-nums", "lnt", "ln", "num",
    "codemirror-linenumber", "codemirror-gutter-wrapper", "cm-gutters", "ace_gutter", "react-line-number",
    "margin-view-overlays", "react-syntax-highlighter-line-number", "line-num", "diff-line-num", "linenr",
    "pre-numbering",
})  # fmt: skip
#: Parts of the same, with more before and after them: names of components, and what style sheets are compiled to.
NUMBER_PARTS: Final = ("linenumber", "line-number", "line_number", "linenum", "line-num")
_NUMBERS: Final = re.compile(r"[\d\s.:|]*")
CODE_CLASS: Final = lazy_pattern(
    r"\b(?:code|highlight|hljs|prettyprint|syntax|brush|shiki|prism|codehilite|chroma|source|terminal|console|shell|"
    r"snippet|blob|monaco|editor|language-|ace_)",
    re.IGNORECASE,
)
#: A word of a class that names a box of code, and nothing else: "source" may be that of a quotation.
CODE_BOX: Final = lazy_pattern(
    r"(?:^|\s)(?:\w+[-_]+)?(?:code|codebox|codeblock|code[-_]block|code[-_]box|code[-_]snippet|codesnippet|sourcecode|"
    r"source[-_]code|highlight|hljs|prettyprint|syntaxhighlighter|shiki|codehilite|chroma|programlisting|monaco|"
    r"blob[-_]code|crayon|CodeMirror|listing)(?:[-_]+(?:\w+))*(?=\s|$)",
    re.IGNORECASE,
)
#: What lines of code have, and lines of verse or prose do not.
CODE_LINE: Final = lazy_pattern(
    r"[{};]\s*$|^\s*(?:[$>#%]|//|/\*|<\/?\w|def |class |import |from \w+ import|function\b|var |let |const |return\b)"
    r"|\w\(\S*\)|[=!<>]=|=>|->|::|\|\||&&|\\\w|^\s*[\w.-]+\s*[:=]\s*\S+$|^\s*[\w.-]+=|^\[[A-Z]\w+\]$|[+|_-]{4,}"
)
CODE_TAGS: Final = tags.tag_mask("pre code samp tt kbd listing xmp")
_TEXT_STRUCTURE: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 p ul ol dl img th")
_MIN_RUN: Final = 3  #: numbers; two may be anything
_MAX_OTHER_LINES: Final = 2  #: without a number, in a numbered ``pre``: a bar, a last line
_MAX_DIGITS: Final = 5
_MAX_SIGNS: Final = 9  #: after a number: dots, colons, bars
_MAX_LEVELS: Final = 6  #: from a number up to its line, and from a line up to an element that says it is code
_TR: Final = tags.IDS["tr"]
Counts = npt.NDArray[np.int64]


@dataclass(slots=True)
class Gutters:
    """The line numbers of a page.

    Attributes:
        rows: the text rows that are line numbers.
        blocks: elements outside of ``pre`` whose children are numbered lines of code.
    """

    rows: set[int] = field(default_factory=set)
    blocks: set[int] = field(default_factory=set)


_CODE_PARTS: Final = (
    "code", "highlight", "hljs", "prettyprint", "syntax", "brush", "shiki", "prism", "chroma", "source", "terminal",
    "console", "shell", "snippet", "blob", "monaco", "editor", "language-", "crayon", "listing",
    "ace_",
)  # fmt: skip


def code_classes(page: Page) -> list[str]:
    """Return the classes of a page that `CODE_CLASS` or `CODE_BOX` may match."""
    return [page.classes[number - 1] for number in page.class_numbers(*_CODE_PARTS)]


def has_code_class(page: Page) -> bool:
    """Tell whether a class of a page matches `CODE_CLASS`."""
    return any(map(CODE_CLASS.search, code_classes(page)))


def find_gutters(page: Page) -> Gutters:
    r"""Find the line numbers of code.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<pre><i>1</i>a\n<i>2</i>b\n<i>3</i>c</pre>")
    >>> [page.row_text(row) for row in sorted(find_gutters(page).rows)]
    ['1', '2', '3']
    """
    out = Gutters()
    is_code = CODE_TAGS[page.tag]
    code_count = prefix_sums(is_code)
    if not code_count[-1] and not has_code_class(page):
        return out
    numbers = _number_rows(page)
    if not numbers:
        return out
    _add_named(page, numbers, code_count, out)
    run: list[int] = []
    expected = -1
    for row, (first, last) in [*numbers.items(), (len(page), (-2, -2))]:
        if run and first == expected:
            run.append(row)
        else:
            _add_run(page, run, numbers, code_count, out)
            run = [row]
        expected = last + 1
    return out


def _number_rows(page: Page) -> dict[int, tuple[int, int]]:
    """Return the text rows that are one number or consecutive numbers, with the first and the last of them.

    In preformatted text those that do not begin a line are left out: they are numbers of the code.
    """
    if not len(page.blocks):
        return {}
    numbers = consecutive_numbers(page, core.number_rows(page.columns, page.shown.view(np.uint8), _MAX_SIGNS))
    shown = page.blocks.rows
    before = np.searchsorted(shown, list(numbers)) - 1
    begins = [
        (not page.pre[row] and not _in_code(page, row)) or index < 0 or _begins_line(page, row, int(shown[index]))
        for row, index in zip(numbers, before.tolist(), strict=True)
    ]
    return {row: ends for (row, ends), is_first in zip(numbers.items(), begins, strict=True) if is_first}


def _in_code(page: Page, row: int) -> bool:
    return any(CODE_TAGS[page.tag[k]] for k in page.ancestors(row, _MAX_LEVELS))


def _begins_line(page: Page, row: int, before: int) -> bool:
    """Tell whether a row begins a line: a line end, a break, a block or a line element is before it."""
    if page.inline_run[row] != page.inline_run[before] or (page.pre[row] and not page.pre[before]):
        return True
    between = page.text[int(page.offset[before]) : int(page.offset[row])].rstrip(" \t")
    if (page.pre[row] and between.endswith("\n")) or (page.tag[before:row] == tags.IDS["br"]).any():
        return True
    # A line element ends before the number, and another begins with it.
    around = [k for k in page.ancestors(row, _MAX_LEVELS) if k > before]
    return any(page.is_element[k] and _is_line(page, k, row) for k in around)


def consecutive_numbers(page: Page, rows: list[int]) -> dict[int, tuple[int, int]]:
    """Return those of the text rows that are one number or consecutive numbers, with the first and last of them."""
    out = {}
    index = np.array(rows, dtype=np.int64)
    spans = zip(rows, page.offset[index].tolist(), page.offset[index + 1].tolist(), strict=True)
    for row, start, stop in spans:
        words = [word.rstrip(".:|") for word in page.text[start:stop].split()]
        if not words or not all(word.isdigit() and word.isascii() and len(word) <= _MAX_DIGITS for word in words):
            continue
        values = [int(word) for word in words]
        if all(after == before + 1 for before, after in pairwise(values)):
            out[row] = (values[0], values[-1])
    return out


def _add_named(page: Page, numbers: dict[int, tuple[int, int]], code_count: Counts, out: Gutters) -> None:
    """Add the numbers in elements whose class says that they are line numbers, and that have nothing else."""
    wanted = {number for number, name in enumerate(page.classes, 1) if names_numbers(name)}
    wanted.update(page.class_numbers(*NUMBER_PARTS))
    if not wanted:
        return
    named = np.isin(page.class_column, sorted(wanted))
    is_number: dict[int, bool] = {}
    for row in numbers:
        element = next((k for k in page.ancestors(row, _MAX_LEVELS) if named[k]), -1)
        if element >= 0 and element not in is_number:
            only_numbers = _NUMBERS.fullmatch(page.row_text(element)) is not None
            is_number[element] = only_numbers and _is_near_code(page, element, code_count)
        if element >= 0 and is_number[element]:
            out.rows.add(row)


def names_numbers(classes: str) -> bool:
    """Tell whether a ``class`` has a word that names line numbers.

    >>> names_numbers("lineNumber dark"), names_numbers("line")
    (True, False)
    """
    return not NUMBER_CLASSES.isdisjoint(classes.lower().split())


def _is_near_code(page: Page, element: int, code_count: Counts) -> bool:
    """Tell whether an element is in code, or an element a few levels around it is named as code or contains some."""
    for around in (element, *page.ancestors(element, _MAX_LEVELS - 1)):
        if CODE_TAGS[page.tag[around]] or CODE_CLASS.search(page.attributes(around).get("class", "")):
            return True
        if page.tag[around] == _TR and code_count[page.end[around]] > code_count[around]:
            return True
    return False


def _is_named(page: Page, element: int) -> bool:
    return CODE_BOX.search(page.attributes(element).get("class", "")) is not None


def _add_run(
    page: Page,
    run: list[int],
    numbers: dict[int, tuple[int, int]],
    code_count: Counts,
    out: Gutters,
) -> None:
    """Add a run of numbers if it numbers lines of code."""
    count = sum(numbers[row][1] - numbers[row][0] + 1 for row in run)
    if count < _MIN_RUN or page.link[run[0]]:
        return
    if len(run) == 1:  # a column in one text
        if _is_beside_code(page, int(page.parent[run[0]]), code_count):
            out.rows.update(run)
        return
    lines = _line_elements(page, run)
    if not lines:
        return
    box = int(page.parent[lines[0]])
    if _is_only_numbers(page, box, run):  # a column of numbers
        out.rows.update(run if _is_beside_code(page, box, code_count) else ())
    elif page.pre[run[0]] or CODE_TAGS[page.tag[box]]:
        is_complete = page.row_text(box).count("\n") <= count + _MAX_OTHER_LINES
        out.rows.update(run if is_complete else ())
    elif _are_code_lines(page, box, lines, run, code_count):
        out.rows.update(run)
        out.blocks.add(box)


def _are_code_lines(page: Page, box: int, lines: list[int], run: list[int], code_count: Counts) -> bool:
    """Tell whether the lines of a box are all numbered, each by an element of its own at its start, and are code."""
    if _TEXT_STRUCTURE[page.tag[box : page.end[box]]].any() or page.tag[lines[0]] == tags.IDS["li"]:
        return False
    with_text = [k for k in children_of(page, box) if page.nonspace[k : page.end[k]].any()]
    if with_text != lines:
        return False
    around = (box, *page.ancestors(box, 2), lines[0])
    named = any(_is_named(page, k) for k in around)
    if not named and any(CODE_CLASS.search(page.attributes(k).get("class", "")) for k in around):
        texts = [
            page.text[page.offset[row + 1] : page.offset[page.end[line]]]
            for row, line in zip(run, lines, strict=True)
        ]
        named = 2 * sum(CODE_LINE.search(text.strip()) is not None for text in texts) > len(texts)
    for line, row in zip(lines, run, strict=True):
        stop = int(page.end[line])
        element = int(page.parent[row])
        if (
            element <= box
            or page.nonspace[line:row].any()
            or page.nonspace[element : page.end[element]].sum() != (page.nonspace[row])
        ):
            return False
        rest = np.flatnonzero(page.shown[row + 1 : stop]) + row + 1
        in_code = (
            len(rest)
            and code_count[stop] > code_count[line]
            and all(any(CODE_TAGS[page.tag[k]] for k in page.ancestors(int(other), _MAX_LEVELS)) for other in rest)
        )
        if len(rest) and not named and not in_code:
            return False
    return named or code_count[page.end[box]] > code_count[box]


def children_of(page: Page, box: int) -> list[int]:
    """Return the rows directly below an element, in order."""
    out, row, stop = [], box + 1, int(page.end[box])
    while row < stop:
        out.append(row)
        row = int(page.end[row])
    return out


def _is_only_numbers(page: Page, box: int, run: list[int]) -> bool:
    return int(page.nonspace[box : page.end[box]].sum()) == int(page.nonspace[run].sum())


def _line_elements(page: Page, run: list[int]) -> list[int]:
    """Return the siblings that each begin with one of the numbers; none if the numbers are not in siblings."""
    first = [run[0], *page.ancestors(run[0], _MAX_LEVELS)]
    second = {int(page.parent[k]): k for k in [run[1], *page.ancestors(run[1], _MAX_LEVELS)]}
    line = next((k for k in first if int(page.parent[k]) in second and second[int(page.parent[k])] != k), -1)
    if line < 0:
        return []
    box, level = int(page.parent[line]), int(page.depth[line])
    lines: list[int] = []
    for row in run:
        element = row
        while page.depth[element] > level:
            element = int(page.parent[element])
        if page.parent[element] != box or (lines and element <= lines[-1]):
            return []
        lines.append(element)
    return lines


def _is_line(page: Page, element: int, row: int) -> bool:
    """Tell whether an element begins with a number and has more text after it, or is the number: it is a line."""
    return bool(page.nonspace[row + 1 : page.end[element]].any()) and not page.nonspace[element + 1 : row].any()


def _is_beside_code(page: Page, box: int, code_count: Counts) -> bool:
    """Tell whether the element after a column of numbers is code, or begins with code."""
    for element in (box, *page.ancestors(box, _MAX_LEVELS - 1)):
        after = int(page.end[element])
        parent = int(page.parent[element])
        while after < page.end[parent] and not page.is_element[after]:
            if page.nonspace[after]:
                return bool(CODE_TAGS[page.tag[parent]])
            after += 1
        if after < page.end[parent]:
            inner = min(int(page.end[after]), after + _MAX_LEVELS)
            return code_count[inner] > code_count[after] or bool(CODE_TAGS[page.tag[parent]])
    return False
