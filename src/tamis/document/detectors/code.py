"""Code: blocks with and without ``pre``, and the bars, buttons and tooltips around and in them."""

import re
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import field
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.document.detectors.code_text import CODE_TAG, LANGUAGE_ATTRIBUTES, class_language, label_language
from tamis.document.detectors.gutters import (
    CODE_BOX,
    CODE_CLASS,
    CODE_LINE,
    children_of,
    code_classes,
    find_gutters,
    has_code_class,
)
from tamis.html import tags
from tamis.html.attributes import KINDS
from tamis.lazy import dataclass, lazy_pattern
from tamis.page import Page
from tamis.page.sums import Bools, any_of, in_subtree, prefix_sums

# Bars by name: elements before or after code that have its file name, its language and buttons.
#
# `tamis.document.detectors.code` tells bars by structure where one box contains the bar and the code. These are the
# names of bars that stand beside the code, without a box of their own: of Microsoft's documentation, Crayon, gists,
# notebooks, SyntaxHighlighter and Chinese blogs.

_NAMES: Final = ("codeHeader", "crayon-toolbar", "gist-meta", "input_prompt", "output_prompt", "jp-InputPrompt",
                 "jp-OutputPrompt", "toolbar_item", "code-block-extension-header", "copy-code-btn")  # fmt: skip
_SELECTOR: Final = ",".join(f".{name}" for name in _NAMES)
_PROMPT: Final = lazy_pattern(r"(?:In|Out)?\s{0,3}\[[\d *]{0,6}\]:?")
_MAX_CHARS: Final = 120  #: of a bar
_MAX_ROWS: Final = 60  #: from a bar to its code


def read_named_bars(page: Page, blocks: list[int], dropped: dict[int, str], languages: dict[int, str]) -> None:
    """Add the text of bars beside code blocks, which are in order, to `dropped`, and what they name to `languages`.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<div class="codeHeader"><span>C#</span><button>Copy</button></div><pre>var a;</pre>')
    >>> dropped, languages = {}, {}
    >>> read_named_bars(page, page.rows_of("pre").tolist(), dropped, languages)
    >>> [page.row_text(row) for row in sorted(dropped)], list(languages.values())
    (['C#', 'Copy'], ['csharp'])
    """
    classes = "\n".join(page.class_ids[1])
    if not blocks or not any(name in classes for name in _NAMES):
        return
    for bar in page.select(_SELECTOR):
        stop = int(page.end[bar])
        if page.offset[stop] - page.offset[bar] > 4 * _MAX_CHARS:
            continue
        index = bisect_left(blocks, stop)
        is_after = index > 0 and 0 <= bar - int(page.end[blocks[index - 1]]) <= _MAX_ROWS
        is_before = index < len(blocks) and blocks[index] - stop <= _MAX_ROWS
        text = " ".join(page.row_text(bar).split())
        if len(text) > _MAX_CHARS or not (is_before or is_after):
            continue
        is_prompt = "rompt" in page.attributes(bar).get("class", "")
        if is_prompt and text and not _PROMPT.fullmatch(text):
            continue
        for row in range(bar, stop):
            if page.shown[row]:
                dropped[row] = "bar of code"
                language = label_language(page.row_text(row))
                if language and is_before:
                    languages.setdefault(blocks[index], language)


# Code without a ``pre`` of its own, and what is around code: gutters, header bars and buttons.
#
# Editors such as CodeMirror and Monaco put each line in an element, code hosts in a table row, and many pages write a
# ``code`` element with breaks in it. Above the code, a bar names its language and has a button to copy it.

Counts = npt.NDArray[np.int64]

#: Elements whose children are lines of code: CodeMirror 5 and 6, Monaco, Ace, Crayon, SyntaxHighlighter, code hosts.
_EDITORS: Final = (
    ".CodeMirror-code,.cm-content,.view-lines,.ace_text-layer,.crayon-pre,"
    "td.gutter + td.code,td.linenos + td.code,.syntaxhighlighter td.code,.react-code-lines,"
    "table.js-file-line-container,table.blob-code-content"
)
#: Parts of those classes.
EDITOR_PARTS: Final = (
    "CodeMirror", "cm-", "view-lines", "ace_", "crayon", "syntaxhighlighter", "code-lines", "line-container",
    "blob-code", "gutter",
)  # fmt: skip
#: Code that was pasted from an editor: its style says that white space counts, and names a font for code.
_STYLED: Final = lazy_pattern("white-space: ?pre", re.IGNORECASE)
_MONOSPACE: Final = lazy_pattern("monospace|consolas|courier|menlo|monaco", re.IGNORECASE)
_PRE, _CODE, _LINE_BREAK, _BUTTON, _DIV = (tags.IDS[name] for name in ("pre", "code", "br", "button", "div"))
_STYLE, _DIV = KINDS["style"], tags.IDS["div"]
_MIN_LINES: Final = 3  #: of a box that is code because each of its lines is
_WRAPPERS: Final = tags.tag_mask("div figure section pre header span")
_NO_WRAPPER: Final = tags.tag_mask("p h1 h2 h3 h4 h5 h6 ul ol table blockquote article")
_BUTTON_WORDS: Final = frozenset({
    "copy", "copied", "copied!", "copy code", "copy to clipboard", "copy text", "copy snippet", "download", "expand",
    "collapse", "run", "run code", "edit", "wrap", "wrap lines", "toggle word wrap", "raw", "view raw", "play",
    "try it", "open in playground", "explain", "ask ai", "open", "show more", "show less", "clipboard",
    "复制代码", "复制", "登录后复制",
    "enter fullscreen mode", "exit fullscreen mode", "copy link", "copy as markdown", "line numbers", "print",
})  # fmt: skip
#: Parts of the classes of what a pointer shows above a word of code: its type, a message of the compiler.
_TIP_PARTS: Final = ("hover-info", "tooltip", "popover", "popup")
_HOLDERS: Final = tags.tag_mask("body div section article main figure")  #: elements that may hold a line of code
_SMALL: Final = tags.tag_mask("p li td th dt dd h1 h2 h3 h4 h5 h6 figcaption caption summary label")
_MAX_BOX_LEVELS: Final = 3  #: from code up to the box that has its header bar
_MAX_BAR_CHARS: Final = 80  #: of a header bar
_MAX_BAR_ROWS: Final = 80


@dataclass(slots=True)
class CodeBlocks:
    """The code of a page.

    Attributes:
        blocks: elements that are code blocks though they are not ``pre``.
        dropped: text rows that are line numbers, labels and buttons of code, and which of them each is.
        languages: the languages that header bars name, by the row of the code block.
        numbered: the ``pre`` elements with line numbers or tooltips.
        rest: text rows that are not selected, in blocks of which nearly all is.
    """

    blocks: frozenset[int] = frozenset()
    dropped: dict[int, str] = field(default_factory=dict)
    languages: dict[int, str] = field(default_factory=dict)
    numbered: frozenset[int] = frozenset()
    rest: list[int] = field(default_factory=list)


def find_code_blocks(page: Page, mask: Bools) -> CodeBlocks:
    """Find code blocks without ``pre``, and the text around code that is not code.

    >>> from tamis.page import parse_page
    >>> bar = "<div><span>Rust</span><button>Copy</button></div>"
    >>> page = parse_page(f"<div class=code-box>{bar}<pre>fn f() {{}}</pre></div>")
    >>> found = find_code_blocks(page, page.is_text)
    >>> [page.row_text(row) for row in sorted(found.dropped)], list(found.languages.values())
    (['Rust', 'Copy'], ['rust'])
    """
    return page.once("code blocks", mask, lambda: _find_code_blocks(page, mask))  # text and document ask for them


def _find_code_blocks(page: Page, mask: Bools) -> CodeBlocks:
    has_code = page.tag_count("pre") or page.tag_count("code")
    styled = _styled_rows(page)
    if not has_code and not styled and not any("cm-" in name for name in page.classes) and not has_code_class(page):
        return CodeBlocks()
    gutters = find_gutters(page)
    dropped = dict.fromkeys(sorted(gutters.rows), "line number")
    names = " ".join(page.text_classes[1])
    editors = page.select(_EDITORS) if any(part in names for part in EDITOR_PARTS) else []
    blocks = {row for row in (*editors, *styled) if not page.pre[row]} | gutters.blocks
    blocks |= set(page.rows_of("code").tolist())
    blocks |= {row for row in _code_boxes(page) if mask[row : page.end[row]].any()}
    blocks |= _boxes_of_lines(page)
    found = np.array(sorted(blocks), dtype=np.int64)
    selected = page.count_selected(mask)
    blocks = set(found[selected[page.end[found]] > selected[found]].tolist())
    blocks = {row for row in blocks if page.tag[row] != _CODE or (not page.pre[row] and _is_block(page, mask, row))}
    blocks = _outermost(page, blocks)
    if not blocks and not page.tag_count("pre") and not page.pre.any():  # as on many pages with a class of code
        return CodeBlocks(dropped=dropped)
    languages: dict[int, str] = {}
    is_dropped = np.zeros(len(page), dtype=np.bool_)
    is_dropped[list(gutters.rows)] = True
    tips = np.flatnonzero(np.isin(page.class_column, page.class_numbers(*_TIP_PARTS)))
    if len(tips):
        in_code = page.pre | in_subtree(page.end, np.array(sorted(blocks), dtype=np.int64))
        in_tip = in_subtree(page.end, tips[in_code[tips]]) & page.shown
        is_dropped |= in_tip
        dropped |= dict.fromkeys(np.flatnonzero(in_tip).tolist(), "tooltip of code")
    sums = prefix_sums(np.where(page.hidden == 0, page.nonspace, 0))
    buttons = _buttons(page)
    for row in sorted({*page.rows_of("pre").tolist(), *blocks}):
        if any_of(mask, row, int(page.end[row])):
            language = _read_bar(page, row, sums, buttons, dropped)
            if language:
                languages[row] = language
    dropped |= _drawn_copies(page)
    read_named_bars(page, sorted({*page.rows_of("pre").tolist(), *blocks}), dropped, languages)
    numbers = prefix_sums(is_dropped)
    numbered = {row for row in page.rows_of("pre").tolist() if numbers[page.end[row]] > numbers[row]}
    outermost = _outermost(page, {*page.rows_of("pre").tolist(), *blocks})
    rest = _rest(page, mask, outermost, dropped, buttons)
    return CodeBlocks(frozenset(blocks), dropped, languages, frozenset(numbered), rest)


def _drawn_copies(page: Page) -> dict[int, str]:
    """Return the text rows of code that Enlighter draws beside the source in the same box."""
    if not page.class_numbers("enlighter-raw"):
        return {}
    out: dict[int, str] = {}
    for row in page.select("pre.enlighter-raw"):
        box, end = int(page.parent[row]), int(page.end[row])
        if "enlighter" in (page.attribute_of(box, "class") or ""):
            rows = np.flatnonzero(page.shown[box : page.end[box]]) + box
            out |= {k: "copy of code" for k in rows.tolist() if not row < k < end}
    return out


#: Elements that may be a box of code, and what no such box contains.
_BOXES: Final = tags.tag_mask("div figure section td span")
_NOT_IN_BOX: Final = tags.tag_mask(
    "p h1 h2 h3 h4 h5 h6 ul ol dl table pre img form article blockquote button iframe a"
)
#: A box of these is code if no line of it reads as a sentence.
_NAMED_BOX: Final = lazy_pattern(
    r"(?:^|\s)(?:codebox|codeblock|code[-_]block|sourcecode|programlisting)(?=\s|$)", re.IGNORECASE
)
_SENTENCE: Final = lazy_pattern(r"^[A-Z][^;{}()=]*\w\s\w+[.!?:]$")
_MAX_CODE_BOX: Final = 20_000  #: characters
_MIN_SELECTED_CODE: Final = 0.8  #: of the characters of a code block that is completed


def _code_boxes(page: Page) -> list[int]:
    """Return the elements without ``pre`` whose class says that they are code, and whose lines read as code."""
    ids, names = page.text_classes
    boxes = set(filter(CODE_BOX.search, code_classes(page)))
    named = [number for number, name in enumerate(names, 1) if name in boxes] if boxes else []
    if not named:
        return []
    not_in_box = prefix_sums(_NOT_IN_BOX[page.tag])
    out = []
    for row in np.flatnonzero(np.isin(ids, named) & _BOXES[page.tag] & ~page.pre).tolist():
        end = int(page.end[row])
        if not_in_box[end] > not_in_box[row] or page.offset[end] - page.offset[row] > _MAX_CODE_BOX:
            continue
        lines = _box_lines(page, row)
        is_code = sum(CODE_LINE.search(line) is not None for line in lines)
        language = any(page.attributes(row).get(name) for name in LANGUAGE_ATTRIBUTES)
        in_code = (page.tag[row:end] == _CODE).any()
        if _NAMED_BOX.search(names[ids[row] - 1]) and not any(map(_SENTENCE.search, lines)):
            is_code = len(lines)
        is_line = len(lines) == 1 and is_code and page.tag[row] == _DIV and not _in_cell(page, row)
        if is_line or (len(lines) > 1 and (2 * is_code >= len(lines) or (is_code and (language or in_code)))):
            out.append(row)
    return out


def _in_cell(page: Page, row: int) -> bool:
    return any(_SMALL[page.tag[k]] for k in page.ancestors(row, _MAX_BOX_LEVELS))


def _rest(page: Page, mask: Bools, blocks: set[int], dropped: Collection[int], buttons: Bools) -> list[int]:
    """Return the lines of code blocks that are not selected, though nearly all of the block is.

    A line may repeat another one of the page, or be nothing but a bracket.
    """
    starts = np.array(sorted(blocks), dtype=np.int64)
    ends = page.end[starts]
    chars = np.where(page.shown, page.nonspace, 0)
    all_chars, selected_chars = prefix_sums(chars), prefix_sums(np.where(mask, chars, 0))
    every, selected = all_chars[ends] - all_chars[starts], selected_chars[ends] - selected_chars[starts]
    is_nearly_whole = (selected > 0) & (selected < every) & (selected >= _MIN_SELECTED_CODE * every)
    out: set[int] = set()
    for start, end in zip(starts[is_nearly_whole].tolist(), ends[is_nearly_whole].tolist(), strict=True):
        rows = np.flatnonzero((chars[start:end] > 0) & ~mask[start:end]) + start
        out.update(k for k in rows.tolist() if k not in dropped and not buttons[k])
    return sorted(out)


def _boxes_of_lines(page: Page) -> set[int]:
    """Return the elements that contain nothing but lines of code: blocks, their tokens in ``code`` elements."""
    rows = [row for row in page.rows_of("code").tolist() if not page.pre[row]]
    in_code = np.zeros(len(page), dtype=np.bool_)
    for row in rows:
        in_code[row : page.end[row]] = True
    others = prefix_sums(page.shown & ~in_code)
    lines: dict[int, set[int]] = {}
    for row in rows:
        line = int(page.block_ancestor[row])
        if page.tag[line] == _DIV and others[page.end[line]] == others[line]:
            lines.setdefault(int(page.parent[line]), set()).add(line)
    return {
        box
        for box, inside in lines.items()
        if box > page.body and len(inside) >= _MIN_LINES and others[page.end[box]] == others[box]
    }


def _box_lines(page: Page, row: int) -> list[str]:
    """Return the lines of an element that is not a ``pre``: by blocks and breaks, else by its line ends."""
    end = int(page.end[row])
    inner = page.tag[row + 1 : end]
    if not (inner == _LINE_BREAK).any() and not tags.BLOCK[inner].any():
        return [line for line in page.row_text(row).split("\n") if line.strip()]
    lines = [""]
    for k in range(row + 1, end):
        if page.shown[k]:
            lines[-1] += " ".join(page.row_text(k).split())
        elif page.tag[k] == _LINE_BREAK or (page.is_element[k] and tags.BLOCK[page.tag[k]]):
            lines.append("")
    return [line for line in lines if line.strip()]


def has_styled_code(page: Page) -> bool:
    """Tell whether an element is code by its style."""
    return bool(_styled_rows(page))


def _styled_rows(page: Page) -> list[int]:
    if _STYLE not in page.listed[1]:
        return []
    return [
        row
        for row, kind, value in zip(*page.listed, strict=True)
        if kind == _STYLE
        and "white-space" in value.lower()
        and page.tag[row] == _DIV
        and _STYLED.search(value)
        and _MONOSPACE.search(value)
    ]


def _outermost(page: Page, blocks: set[int]) -> set[int]:
    out: set[int] = set()
    stop = -1
    for row in sorted(blocks):
        if row >= stop:
            out.add(row)
            stop = int(page.end[row])
    return out


def _is_block(page: Page, mask: Bools, row: int) -> bool:
    """Tell whether a ``code`` outside of ``pre`` is a block: alone in its paragraph, and of several lines."""
    stop, block = int(page.end[row]), int(page.block_ancestor[row])
    has_lines = _has_lines(page, row, stop)
    if not has_lines and not _is_alone(page, row, block):
        return False
    run = page.inline_run[row]
    before = [k for k in range(row - 1, max(block, row - _MAX_BAR_ROWS), -1) if page.inline_run[k] == run]
    after = [k for k in range(stop, min(int(page.end[block]), stop + _MAX_BAR_ROWS)) if page.inline_run[k] == run]
    return not any(page.shown[k] and mask[k] and not _is_beside(page, k, row) for k in (*before, *after))


def _has_lines(page: Page, row: int, stop: int) -> bool:
    """Tell whether a ``code`` has several lines: by breaks and blocks in it, by its style, or by its class."""
    if stop > row + 2:  # more than a text
        inner = page.tag[row + 1 : stop]
        if (inner == _LINE_BREAK).any() or tags.BLOCK[inner].any():
            return True
    attributes = page.attributes(row)
    if not attributes:
        return False
    style, classes = attributes.get("style", "").replace(" ", ""), attributes.get("class", "")
    named = bool(class_language(classes)) or "hljs" in classes
    keeps_lines = (named or "white-space:pre" in style) and "\n" in page.row_text(row).strip()
    return keeps_lines or "display:block" in style or (named and "block" in classes.split())


def _is_beside(page: Page, row: int, code: int) -> bool:
    """Tell whether a text row is in another ``code`` of the same parent and class: a further piece of the block."""
    siblings = (k for k in page.ancestors(row, _MAX_BOX_LEVELS) if page.parent[k] == page.parent[code])
    other = next(siblings, code)
    return other != code and page.tag[other] == _CODE and page.attributes(other) == page.attributes(code)


def _is_alone(page: Page, row: int, block: int) -> bool:
    """Tell whether a ``code`` of one line is directly in a box for other blocks, and not in an item or cell."""
    if not _HOLDERS[page.tag[block]] or not CODE_LINE.search(page.row_text(row).strip()):
        return False
    around = (block, *page.ancestors(block, _MAX_BOX_LEVELS))
    return block <= page.body or not any(_SMALL[page.tag[k]] for k in around)


def _read_bar(page: Page, row: int, sums: Counts, buttons: Bools, dropped: dict[int, str]) -> str:
    """Add the labels and buttons in and around a code block to `dropped`; return the language that they name."""
    rows = _button_rows(page, row, buttons)
    inner_bars = _inner_bars(page, row, buttons)
    rows += [k for k in inner_bars if k not in rows]
    box = row
    for parent in page.ancestors(row, _MAX_BOX_LEVELS):
        if not _WRAPPERS[page.tag[parent]]:
            break
        start, stop, end = int(page.end[row]), int(page.end[parent]), int(page.end[box])
        chars = int(sums[stop] - sums[end] + sums[box] - sums[parent])
        if chars > _MAX_BAR_CHARS or box - parent + stop - end > _MAX_BAR_ROWS or start > stop:
            break
        outside = (*range(parent, box), *range(end, stop))
        if any(_NO_WRAPPER[page.tag[k]] or page.tag[k] == _PRE for k in outside):
            break
        rows += [k for k in outside if page.shown[k] and k not in dropped]
        box = parent
    is_bar = box != row and _is_code_box(page, box, row)
    language = ""
    for k in rows:
        text = " ".join(page.row_text(k).split())
        in_code = row < k < page.end[row]
        found = label_language(text)
        if text.lower() in _BUTTON_WORDS or (in_code and found is None) or _in_button(page, k, buttons):
            dropped[k] = "button of code"
        elif found is not None and (is_bar or in_code):
            dropped[k] = "name of a language"
            language = language or found
    return language


def _button_rows(page: Page, row: int, buttons: Bools) -> list[int]:
    """Return the text rows of a ``pre`` that are before or after its only ``code``, or in buttons."""
    stop = int(page.end[row])
    found: list[int] = []
    if any_of(buttons, row, stop):
        found = [k for k in range(row + 1, stop) if page.shown[k] and _in_button(page, k, buttons)]
    if page.tag[row] != _PRE or not CODE_TAG.search(page.tag.data, row + 1, stop):
        return found
    codes = (np.flatnonzero(page.tag[row + 1 : stop] == _CODE) + row + 1).tolist()
    if len(codes) != 1:
        return found
    code = codes[0]
    outside = [k for k in (*range(row + 1, code), *range(int(page.end[code]), stop)) if page.shown[k]]
    if not outside or sum(int(page.nonspace[k]) for k in outside) > _MAX_BAR_CHARS:
        return found
    # Text beside the code in the same line is code. A bar is in a block or an element of its own.
    if all(page.parent[k] != row for k in outside):
        return sorted({*found, *outside})
    return found


def _inner_bars(page: Page, row: int, buttons: Bools) -> list[int]:
    """Return the text rows of a bar in code: its first or last element, with a button and a few words beside it."""
    stop = int(page.end[row])
    if not any_of(buttons, row + 1, stop):
        return []
    box = row
    while True:  # down to the element that contains the bar and the code
        inside = [k for k in children_of(page, box) if page.nonspace[k : page.end[k]].any()]
        if len(inside) != 1 or not page.is_element[inside[0]]:
            break
        box = inside[0]
    out: list[int] = []
    for bar in {inside[0], inside[-1]} if len(inside) > 1 else ():
        end = int(page.end[bar])
        is_short = int(page.nonspace[bar:end].sum()) <= _MAX_BAR_CHARS and end - bar <= _MAX_BAR_ROWS
        if tags.BLOCK[page.tag[bar]] and buttons[bar:end].any() and is_short:
            out += [k for k in range(bar, end) if page.shown[k]]
    return out


def _buttons(page: Page) -> Bools:
    """Return which rows are buttons, by their tag, role or class."""
    out = page.tag == _BUTTON
    out[[row for row, role in page.attribute("role").items() if role == "button"]] = True
    ids, names = page.text_classes
    copying = [
        number for number, name in enumerate(names, 1) if "copy" in name.lower() and "copyright" not in name.lower()
    ]
    if copying:
        out |= np.isin(ids, copying) & (page.tag != _PRE) & (page.tag != _CODE)
    return np.asarray(out)


def _in_button(page: Page, row: int, buttons: Bools) -> bool:
    return any(buttons[element] for element in page.ancestors(row, _MAX_BOX_LEVELS))


def _is_code_box(page: Page, box: int, row: int) -> bool:
    """Tell whether the box around a code block is made for code: by a class, or by a button in it."""
    named = any(CODE_CLASS.search(page.attributes(k).get("class", "")) for k in (box, int(page.parent[row])))
    return named or bool((page.tag[box:row] == _BUTTON).any())
