"""Line numbers of code: a run 1, 2, 3 … at the starts of lines or in a column beside the code.

Highlighters have many names for them (`NUMBER_CLASSES`), and pages many more. Structure tells: numbers that follow
each other, in elements that are alike, beside or inside code.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.html import characters, tags
from tamis.page import Page
from tamis.page.sums import prefix_sums

#: Classes of elements with line numbers, from Pygments, Rouge, Chroma, Prism, highlight.js, CodeMirror and others.
NUMBER_CLASSES: Final = frozenset({
    "lineno", "linenos", "linenodiv", "lineNumber", "lineNumbers", "line-number", "line-numbers", "line-numbers-rows",
    "linenumber", "linenumbers", "gutter", "rouge-gutter", "hljs-ln-numbers", "hljs-ln-n", "blob-num", "crayon-nums",
    "lnt", "ln", "num", "CodeMirror-linenumber", "CodeMirror-gutter-wrapper", "cm-gutters", "ace_gutter",
    "react-line-number", "margin-view-overlays", "react-syntax-highlighter-line-number", "line-num", "diff-line-num",
    "linenr",
})  # fmt: skip
CODE_CLASS: Final = re.compile(
    r"\b(?:code|highlight|hljs|prettyprint|syntax|brush|shiki|prism|codehilite|chroma|source|terminal|console|shell|"
    r"snippet|blob|monaco|editor|language-)",
    re.IGNORECASE,
)
CODE_TAGS: Final = tags.tag_mask("pre code samp tt kbd listing xmp")
_TEXT_STRUCTURE: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 p ul img")
_MIN_RUN: Final = 3  #: numbers; two may be anything
_MAX_DIGITS: Final = 5
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
    if not code_count[-1] and CODE_CLASS.search("\n".join(page.class_ids[1])) is None:
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
    """Return the text rows that are one number or consecutive numbers, with the first and the last of them."""
    digits = np.flatnonzero(page.shown & (page.char_counts.first_class == characters.DIGIT))
    return consecutive_numbers(page, digits.tolist())


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
    """Add the numbers in elements whose class says that they are line numbers."""
    names = [name for name in page.class_ids[1] if not NUMBER_CLASSES.isdisjoint(name.split())]
    if not names:
        return
    ids, id_of = page.class_ids
    named = np.isin(ids, [id_of[name] for name in names])
    for row in numbers:
        element = int(page.parent[row])
        for _ in range(_MAX_LEVELS):
            if named[element]:
                if _is_near_code(page, element, code_count):
                    out.rows.add(row)
                break
            element = int(page.parent[element])
            if element <= page.body:
                break


def _is_near_code(page: Page, element: int, code_count: Counts) -> bool:
    """Tell whether an element is in code, or an element a few levels around it is named as code or contains some."""
    for _ in range(_MAX_LEVELS):
        if CODE_TAGS[page.tag[element]] or CODE_CLASS.search(page.attributes(element).get("class", "")):
            return True
        if page.tag[element] == _TR and code_count[page.end[element]] > code_count[element]:
            return True
        element = int(page.parent[element])
        if element <= page.body:
            return False
    return False


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
    if page.pre[run[0]] or CODE_TAGS[page.tag[box]]:
        if _begin_lines(page, run, lines) or (
            _is_only_numbers(page, box, run) and _is_beside_code(page, box, code_count)
        ):
            out.rows.update(run)
        return
    if _is_only_numbers(page, box, run):  # a column of numbers
        if _is_beside_code(page, box, code_count):
            out.rows.update(run)
        return
    sizes = [int(page.nonspace[line : page.end[line]].sum()) for line in lines]
    has_text = all(size > page.nonspace[row] for size, row in zip(sizes[:-1], run[:-1], strict=True))
    has_code = code_count[page.end[box]] > code_count[box]
    named = any(CODE_CLASS.search(page.attributes(k).get("class", "")) for k in _ancestors(page, box, 3))
    if has_text and (has_code or named) and not _TEXT_STRUCTURE[page.tag[box : page.end[box]]].any():
        out.rows.update(run)
        out.blocks.add(box)


def _is_only_numbers(page: Page, box: int, run: list[int]) -> bool:
    return int(page.nonspace[box : page.end[box]].sum()) == int(page.nonspace[run].sum())


def _ancestors(page: Page, row: int, levels: int) -> list[int]:
    out = []
    for _ in range(levels):
        if row <= page.body:
            break
        out.append(row)
        row = int(page.parent[row])
    return out


def _line_elements(page: Page, run: list[int]) -> list[int]:
    """Return the siblings that each begin with one of the numbers; none if the numbers are not in siblings."""
    first = [run[0], *_ancestors(page, int(page.parent[run[0]]), _MAX_LEVELS)]
    second = {int(page.parent[k]): k for k in [run[1], *_ancestors(page, int(page.parent[run[1]]), _MAX_LEVELS)]}
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


def _begin_lines(page: Page, run: list[int], lines: list[int]) -> bool:
    """Tell whether each number is at the start of a line of preformatted text."""
    for row, line in zip(run[1:], lines[1:], strict=True):
        before = page.text[max(int(page.offset[row]) - 200, 0) : int(page.offset[row])].rstrip(" \t")
        breaks = page.tag[max(row - 4, 0) : row] == tags.IDS["br"]
        if (
            not before.endswith("\n")
            and not breaks.any()
            and page.inline_run[row] == page.inline_run[row - 1]
            and (page.tag[line] == 0 or line + 1 != row or not _is_line(page, line))
        ):
            return False
    return True


def _is_line(page: Page, element: int) -> bool:
    """Tell whether an element with a number at its start has more text after it: it is a line."""
    return bool(page.is_element[element]) and bool(page.nonspace[element + 2 : page.end[element]].any())


def _is_beside_code(page: Page, box: int, code_count: Counts) -> bool:
    """Tell whether the element after a column of numbers is code, or begins with code."""
    for element in _ancestors(page, box, _MAX_LEVELS):
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
