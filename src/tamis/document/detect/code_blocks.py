"""Code without a ``pre`` of its own, and what is around code: gutters, header bars and buttons.

Editors such as CodeMirror and Monaco put each line in an element, code hosts in a table row, and many pages write a
``code`` element with breaks in it. Above the code, a bar names its language and has a button to copy it.
"""

import re
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.document.detect.code_bars import read_named_bars
from tamis.document.detect.gutters import CODE_CLASS, find_gutters
from tamis.document.detect.languages import class_language, label_language
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

Counts = npt.NDArray[np.int64]

#: Elements whose children are lines of code: CodeMirror 5 and 6, Monaco, Ace, Crayon, SyntaxHighlighter, code hosts.
_EDITORS: Final = (
    ".CodeMirror-code,.cm-content,.view-lines,.ace_text-layer,.crayon-pre,.syntaxhighlighter td.code,"
    ".react-code-lines,table.js-file-line-container,table.blob-code-content"
)
#: Parts of those classes.
EDITOR_PARTS: Final = (
    "CodeMirror", "cm-", "view-lines", "ace_", "crayon", "syntaxhighlighter", "code-lines", "line-container",
    "blob-code",
)  # fmt: skip
#: Code that was pasted from an editor: its style says that white space counts, and names a font for code.
_STYLED: Final = 'div[style*="white-space: pre" i],div[style*="white-space:pre" i]'
_MONOSPACE: Final = re.compile("monospace|consolas|courier|menlo|monaco", re.IGNORECASE)
_PRE, _CODE, _BR, _BUTTON = (tags.IDS[name] for name in ("pre", "code", "br", "button"))
_WRAPPERS: Final = tags.tag_mask("div figure section pre header span")
_NO_WRAPPER: Final = tags.tag_mask("p h1 h2 h3 h4 h5 h6 ul ol table blockquote article")
_BUTTON_WORDS: Final = frozenset({
    "copy", "copied", "copied!", "copy code", "copy to clipboard", "copy text", "copy snippet", "download", "expand",
    "collapse", "run", "run code", "edit", "wrap", "wrap lines", "toggle word wrap", "raw", "view raw", "play",
    "try it", "open in playground", "explain", "ask ai", "open", "show more", "show less", "clipboard",
    "enter fullscreen mode", "exit fullscreen mode", "copy link", "copy as markdown", "line numbers", "print",
})  # fmt: skip
_MAX_LEVELS: Final = 3  #: from code up to the box that has its header bar
_MAX_BAR_CHARS: Final = 80  #: of a header bar
_MAX_BAR_ROWS: Final = 80


@dataclass(slots=True)
class CodeBlocks:
    """The code of a page.

    Attributes:
        blocks: elements that are code blocks though they are no ``pre``.
        dropped: text rows that are line numbers, labels and buttons of code.
        languages: the languages that header bars name, by the row of the code block.
        numbered: the ``pre`` elements with line numbers.
    """

    blocks: frozenset[int] = frozenset()
    dropped: frozenset[int] = frozenset()
    languages: dict[int, str] = field(default_factory=dict)
    numbered: frozenset[int] = frozenset()


def find_code_blocks(page: Page, mask: Bools) -> CodeBlocks:
    """Find code blocks without ``pre``, and the text around code that is not code.

    >>> from tamis.page import parse_page
    >>> bar = "<div><span>Rust</span><button>Copy</button></div>"
    >>> page = parse_page(f"<div class=code-box>{bar}<pre>fn f() {{}}</pre></div>")
    >>> found = find_code_blocks(page, page.is_text)
    >>> [page.row_text(row) for row in sorted(found.dropped)], list(found.languages.values())
    (['Rust', 'Copy'], ['rust'])
    """
    has_code = page.tag_count("pre") or page.tag_count("code")
    styled = [row for row in page.select(_STYLED) if _MONOSPACE.search(page.attributes(row)["style"])]
    if not has_code and not styled:
        classes = "\n".join(page.class_ids[1])
        if "cm-" not in classes and CODE_CLASS.search(classes) is None:
            return CodeBlocks()
    gutters = find_gutters(page)
    dropped = set(gutters.rows)
    names = " ".join(page.text_classes[1])
    editors = page.select(_EDITORS) if any(part in names for part in EDITOR_PARTS) else []
    blocks = {row for row in (*editors, *styled) if not page.pre[row]} | gutters.blocks
    blocks |= set(page.rows_of("code").tolist())
    blocks = {row for row in blocks if mask[row : page.end[row]].any()}
    blocks = {row for row in blocks if page.tag[row] != _CODE or (not page.pre[row] and _is_block(page, mask, row))}
    blocks = _outermost(page, blocks)
    languages: dict[int, str] = {}
    sums = prefix_sums(np.where(page.hidden == 0, page.nonspace, 0))
    buttons = _buttons(page)
    for row in sorted({*page.rows_of("pre").tolist(), *blocks}):
        if mask[row : page.end[row]].any():
            language = _read_bar(page, row, sums, buttons, dropped)
            if language:
                languages[row] = language
    read_named_bars(page, sorted({*page.rows_of("pre").tolist(), *blocks}), dropped, languages)
    is_number = np.zeros(len(page), dtype=np.bool_)
    is_number[list(gutters.rows)] = True
    numbers = prefix_sums(is_number)
    numbered = {row for row in page.rows_of("pre").tolist() if numbers[page.end[row]] > numbers[row]}
    return CodeBlocks(frozenset(blocks), frozenset(dropped), languages, frozenset(numbered))


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
    stop = int(page.end[row])
    inner = page.tag[row + 1 : stop]
    attributes = page.attributes(row)
    style = attributes.get("style", "").replace(" ", "")
    text = page.row_text(row).strip()
    named = bool(class_language(attributes.get("class", ""))) or "hljs" in attributes.get("class", "")
    has_lines = bool((inner == _BR).any() or tags.BLOCK[inner].any())
    has_lines = has_lines or ("\n" in text and (named or "white-space:pre" in style)) or "display:block" in style
    if not has_lines:
        return False
    block = int(page.block_ancestor[row])
    run = page.inline_run[row]
    before = [k for k in range(row - 1, max(block, row - _MAX_BAR_ROWS), -1) if page.inline_run[k] == run]
    after = [k for k in range(stop, min(int(page.end[block]), stop + _MAX_BAR_ROWS)) if page.inline_run[k] == run]
    return not any(page.shown[k] and mask[k] for k in (*before, *after))


def _read_bar(page: Page, row: int, sums: Counts, buttons: Bools, dropped: set[int]) -> str:
    """Add the labels and buttons in and around a code block to `dropped`; return the language that they name."""
    rows = _button_rows(page, row, buttons)
    box = row
    for _ in range(_MAX_LEVELS):
        parent = int(page.parent[box])
        if parent <= page.body or not _WRAPPERS[page.tag[parent]]:
            break
        start, stop, end = int(page.end[row]), int(page.end[parent]), int(page.end[box])
        chars = int(sums[stop] - sums[end] + sums[box] - sums[parent])
        outside = (*range(parent, box), *range(end, stop))
        if chars > _MAX_BAR_CHARS or len(outside) > _MAX_BAR_ROWS or start > stop:
            break
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
            dropped.add(k)
        elif found is not None and (is_bar or in_code):
            dropped.add(k)
            language = language or found
    return language


def _button_rows(page: Page, row: int, buttons: Bools) -> list[int]:
    """Return the text rows of a ``pre`` that are before or after its only ``code``, or in buttons."""
    stop = int(page.end[row])
    codes = (np.flatnonzero(page.tag[row + 1 : stop] == _CODE) + row + 1).tolist()
    found = []
    if buttons[row:stop].any():
        found = [k for k in range(row + 1, stop) if page.shown[k] and _in_button(page, k, buttons)]
    if len(codes) != 1 or page.tag[row] != _PRE:
        return found
    code = codes[0]
    outside = [k for k in (*range(row + 1, code), *range(int(page.end[code]), stop)) if page.shown[k]]
    if not outside or sum(int(page.nonspace[k]) for k in outside) > _MAX_BAR_CHARS:
        return found
    # Text beside the code in the same line is code. A bar is in a block or an element of its own.
    if all(page.parent[k] != row for k in outside):
        return sorted({*found, *outside})
    return found


def _buttons(page: Page) -> Bools:
    """Return which rows are buttons, by their tag, role or class."""
    out = page.tag == _BUTTON
    out[page.select('[role="button"]')] = True
    ids, names = page.text_classes
    copying = [
        number for number, name in enumerate(names, 1) if "copy" in name.lower() and "copyright" not in name.lower()
    ]
    if copying:
        out |= np.isin(ids, copying) & (page.tag != _PRE) & (page.tag != _CODE)
    return np.asarray(out)


def _in_button(page: Page, row: int, buttons: Bools) -> bool:
    for _ in range(_MAX_LEVELS):
        row = int(page.parent[row])
        if row <= page.body:
            return False
        if buttons[row]:
            return True
        if tags.BLOCK[page.tag[row]]:
            return False
    return False


def _is_code_box(page: Page, box: int, row: int) -> bool:
    """Tell whether the box around a code block is made for code: by a class, or by a button in it."""
    named = any(CODE_CLASS.search(page.attributes(k).get("class", "")) for k in (box, int(page.parent[row])))
    return named or bool((page.tag[box:row] == _BUTTON).any())
