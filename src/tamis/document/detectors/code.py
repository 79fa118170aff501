"""Code: blocks with and without ``pre``, their text and language, bars and buttons around them."""

import re
from bisect import bisect_left
from collections.abc import Collection
from dataclasses import field
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.document.detectors.gutters import (
    CODE_BOX,
    CODE_CLASS,
    CODE_LINE,
    NUMBER_CLASSES,
    children_of,
    find_gutters,
    has_code_class,
)
from tamis.html import tags
from tamis.html.attributes import KINDS
from tamis.lazy import dataclass, lazy_pattern
from tamis.page import Page
from tamis.page.deadline import checked
from tamis.page.sums import Bools, in_subtree, prefix_sums

# Names of programming languages, as classes and labels of code blocks write them.

_LANGUAGE_NAMES: Final = """
    abap actionscript ada agda apache applescript arduino asm asp aspnet assembly astro autohotkey awk bash basic bat
    batch bibtex brainfuck c clojure cmake cobol coffeescript console cpp crystal csharp css csv cuda cython d dart
    delphi diff django docker dockerfile dos elisp elixir elm erlang fish fortran fsharp gdscript gherkin git glsl go
    golang gradle graphql groovy haml handlebars haskell haxe hcl hlsl html http ini ipython ipython3 java javascript
    jinja js json json5 jsonc jsonnet jsx julia kotlin kql latex lean lean4 less lisp llvm lua make makefile markdown
    markup mathematica matlab md mermaid mips mongodb mysql nasm nginx nim nix nushell objc objective-c objectivec
    ocaml octave openscad pascal patch perl pgsql php plsql postgresql powershell prisma prolog properties proto
    protobuf ps1 pug puppet py pycon python python3 qml r racket raku razor reason regex rego rst ruby rust sas sass
    scala scheme scss sh shell shell-session sml solidity sparql sql stan svelte swift systemd systemverilog tcl tcsh
    terminal terraform tex toml ts tsql tsx twig typescript vala vb vbnet verilog vhdl vim vue wasm wgsl wolfram xml
    xquery yaml yml zig zsh
"""

#: Names that are a language where nothing but their place says so: a second class, or the label of a code block.
LANGUAGES: Final = frozenset(_LANGUAGE_NAMES.split())
#: What labels say for a language.
_ALIASES: Final = {
    "c++": "cpp", "c#": "csharp", "f#": "fsharp", "objective c": "objectivec", "shell session": "shell-session",
    "visual basic": "vb", "plain text": "", "bash session": "console", "vb.net": "vbnet", "asp.net": "aspnet",
    "emacs lisp": "elisp", "docker file": "dockerfile", "node.js": "javascript", "command line": "console",
}  # fmt: skip
_CLASS: Final = lazy_pattern(
    r"^(?:language|lang|highlight-source|highlight-text|highlight|brush|src|hl)([-_:]+)([\w+#.-]+)$",
    re.IGNORECASE,
)
#: Words that are used in place of a language.
_NO_LANGUAGE: Final = frozenset({
    "none", "text", "plaintext", "plain", "txt", "nohighlight", "no-highlight", "block", "wrapper", "example",
    "default", "auto", "output", "snippet", "container", "box", "toolbar", "content", "line", "lines", "inline",
    "area", "header", "body", "wrap", "view", "table", "copy", "title", "ignore", "undefined", "null", "unknown",
    "editor",
})  # fmt: skip


def label_language(text: str) -> str | None:
    """Return the language that a label names; ``""`` for plain text, None if it names none.

    >>> label_language("C++"), label_language("TypeScript"), label_language("Plain text"), label_language("Tea")
    ('cpp', 'typescript', '', None)
    """
    name = " ".join(text.lower().strip(" :").split())
    if name in _ALIASES:
        return _ALIASES[name]
    if name in {"text", "plaintext", "txt", "plain"}:
        return ""
    return name if name in LANGUAGES else None


def class_language(classes: str) -> str:
    """Return the language that a ``class`` attribute names, or ``""``.

    >>> class_language("hljs language-rust"), class_language("brush: js; notranslate"), class_language("hljs python")
    ('rust', 'js', 'python')
    >>> class_language("sourceCode haskell"), class_language("highlight-source-shell"), class_language("wide")
    ('haskell', 'shell', '')
    >>> class_language("blob-wrapper data type-python"), class_language("rust rust-example-rendered")
    ('python', 'rust')
    >>> class_language("highlight--with-header"), class_language("lang--python")
    ('', 'python')
    """
    words = classes.replace(": ", ":").replace(";", " ").split()
    for word in words:
        match = _CLASS.match(word)
        name = match[2].lower() if match else ""
        if match and name not in _NO_LANGUAGE and (match[1] != "--" or name in LANGUAGES):  # BEM has modifiers
            return name
    if not any(word.lower() in _CODE_WORDS for word in words):
        return ""
    names = [word.lower().removeprefix("type-") for word in words]  # a gist has "blob-wrapper data type-python"
    return next((name for name in names if name in LANGUAGES), "")


def pre_language(classes: str) -> str:
    """Return the language that the ``class`` of a ``pre`` or ``code`` is, if it is nothing else, or ``""``.

    >>> pre_language("python"), pre_language("wide python")
    ('python', '')
    """
    name = classes.strip().lower()
    return name if name in LANGUAGES else ""


#: Classes beside which the name of a language is one.
_CODE_WORDS: Final = frozenset({
    "hl", "hljs", "sourcecode", "highlight", "prettyprint", "code", "chroma", "prettyprinted", "shiki", "codehilite",
    "src", "programlisting", "syntax", "snippet", "codeblock", "code-block", "wp-block-code", "enlighter", "listing",
    "syntaxhighlighter", "rust-example-rendered", "blob-wrapper", "crayon-syntax",
})  # fmt: skip


# Code blocks: tell them apart from verse, find their text and their language.

_DECLARATION: Final = lazy_pattern(r"\s*(?:[\w<>\[\].*&]+\s+){1,6}[\w.]+\s*\([^.!?()]*\)\s*[;{]?\s*$")
_COLUMN_GAP: Final = lazy_pattern(r"\S {3,}(?=\S)")
_MIN_GAPS: Final = 2  #: of a line of a table that a program printed: its columns are lost if spaces are collapsed
_LINE_CLASS: Final = lazy_pattern(
    r"(?:^|\s)(?:line|code-line|codeline|token-line|view-line|cm-line|ace_line|crayon-line|ec-line|CodeMirror-line|"
    r"react-code-text|code__line|hljs-ln-line|LC\d+|L\d+)(?:\s|$)"
)
#: Texinfo, DocBook and docutils.
_EXAMPLE: Final = lazy_pattern(r"(?:^|\s)(?:(?:example|display|lisp)-preformatted|screen|literal-block)(?=\s|$)")
_MIN_CODE_SHARE: Final = 0.2  #: of the lines of a ``pre``; verse has none, or one by accident
_NOT_IN_CODE: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 p article section main ul dl form header footer")
_CODE_TAGS: Final = tags.tag_mask("code kbd samp tt")
_BR, _P = tags.IDS["br"], tags.IDS["p"]
_LANGUAGE_ATTRIBUTES: Final = (
    "data-lang", "data-language", "lang-name", "data-code-language", "data-enlighter-language", "data-syntax",
    "data-syntax-language", "data-lexer", "syntax",
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
    if _has_text_structure(page, row):
        return False
    lines = [line for line in page.row_text(row).splitlines() if line.strip()]
    code_lines = sum(
        bool(CODE_LINE.search(line)) or len(_COLUMN_GAP.findall(line)) >= _MIN_GAPS for line in checked(lines)
    )
    if len(lines) <= 1 or code_lines > _MIN_CODE_SHARE * len(lines):
        return True
    # A declaration over several lines: brackets that one line opens and another closes, around words without stops.
    text = "\n".join(lines)
    return bool(_DECLARATION.match(text)) and text.count("(") == text.count(")")


def has_code_markup(page: Page, row: int) -> bool:
    """Tell whether the elements or classes in and around a ``pre`` say that it is code."""
    if _has_text_structure(page, row):
        return False
    if _CODE_TAGS[page.tag[row : page.end[row]]].any():
        return True
    if _EXAMPLE.search(page.attributes(row).get("class", "")):
        return True
    return any(CODE_CLASS.search(classes) for classes in _classes(page, row, 2))


def _has_text_structure(page: Page, row: int) -> bool:
    """Tell whether an element has what divides text. A single paragraph divides nothing, unless it is a sentence."""
    inner_tags = page.tag[row : page.end[row]]
    found = inner_tags[_NOT_IN_CODE[inner_tags]]
    if len(found) == 1 and found[0] == _P:
        return page.row_text(row).rstrip().endswith((".", "!", "?", ":"))
    return len(found) > 0


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
    chars = page.once("sums of characters", page.shown, lambda: prefix_sums(page.nonspace))
    for element in (row, *page.ancestors(row, _MAX_LEVELS - 1)):
        if element != row and chars[page.end[element]] - chars[element] > 2 * (chars[stop] - chars[row]):
            break  # more than the code: a class there is about something else
        around.append(element)
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
    return [page.attributes(element).get("class", "") for element in (row, *page.ancestors(row, levels))]


def code_text(page: Page, mask: Bools, row: int, dropped: Collection[int]) -> str:  # noqa: C901, PLR0912 (one pass over the rows)
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
                if text.startswith("\n") and (not out or out[-1].endswith("\n")):
                    text = text.lstrip(" \t\r\n")  # a line end of the markup, at the start of a line
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
    return "\n".join(text_lines).strip("\n")


def line_elements(page: Page, row: int) -> tuple[frozenset[int], bool]:
    """Return the elements that are lines of code by their class, and whether the line ends of the text count.

    Some highlighters put each line in a ``span`` and leave the line ends to a style sheet. Outside of a ``pre``, line
    ends count if the style of the element or the highlighter's class says so.
    """
    text = page.row_text(row)
    attributes = page.attributes(row)
    style = attributes.get("style", "").replace(" ", "")
    keeps_lines = bool(page.pre[row + 1 : page.end[row]].any()) or "white-space:pre" in style
    if not keeps_lines and page.tag_name(row) == "code":
        keeps_lines = "\n" in text.strip() and bool(class_language(attributes.get("class", "")) or "hljs" in style)
    inner_tags = page.tag[row + 1 : page.end[row]]
    if not keeps_lines and not tags.PRE[page.tag[row]] and not page.pre[row] and page.tag[row] != _CODE:
        keeps_lines = not (inner_tags == _BR).any() and not tags.BLOCK[inner_tags].any()
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
    """End a line: an empty line element is an empty line, an empty block is not."""
    if (start >= 0 and not "".join(out[start:]).endswith("\n")) or (start < 0 and out and not out[-1].endswith("\n")):
        out.append("\n")


# Bars by name: elements before or after code that have its file name, its language and buttons.
#
# `tamis.document.detectors.code` tells bars by structure where one box contains the bar and the code. These are the
# names of bars that stand beside the code, without a box of their own: of Microsoft's documentation, Crayon, gists
# and notebooks.

_NAMES: Final = ("codeHeader", "crayon-toolbar", "gist-meta", "input_prompt", "output_prompt", "jp-InputPrompt",
                 "jp-OutputPrompt")  # fmt: skip
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
    "td.gutter + td.code,.syntaxhighlighter td.code,.react-code-lines,"
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
        numbered: the ``pre`` elements with line numbers.
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
    languages: dict[int, str] = {}
    tips = np.flatnonzero(np.isin(page.class_column, page.class_numbers(*_TIP_PARTS)))
    if len(tips):
        in_code = page.pre | in_subtree(page.end, np.array(sorted(blocks), dtype=np.int64))
        in_tip = in_subtree(page.end, tips[in_code[tips]]) & page.shown
        dropped |= dict.fromkeys(np.flatnonzero(in_tip).tolist(), "tooltip of code")
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
    outermost = _outermost(page, {*page.rows_of("pre").tolist(), *blocks})
    rest = _rest(page, mask, outermost, dropped, buttons)
    return CodeBlocks(frozenset(blocks), dropped, languages, frozenset(numbered), rest)


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
    if not CODE_BOX.search("\n".join(names)):  # one search is faster than one for each class
        return []
    named = [number for number, name in enumerate(names, 1) if CODE_BOX.search(name)]
    not_in_box = prefix_sums(_NOT_IN_BOX[page.tag])
    out = []
    for row in np.flatnonzero(np.isin(ids, named) & _BOXES[page.tag] & ~page.pre).tolist():
        end = int(page.end[row])
        if not_in_box[end] > not_in_box[row] or page.offset[end] - page.offset[row] > _MAX_CODE_BOX:
            continue
        lines = _box_lines(page, row)
        is_code = sum(CODE_LINE.search(line) is not None for line in lines)
        language = any(page.attributes(row).get(name) for name in _LANGUAGE_ATTRIBUTES)
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
    for _ in range(_MAX_BOX_LEVELS):
        parent = int(page.parent[box])
        if parent <= page.body or not _WRAPPERS[page.tag[parent]]:
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
    codes = (np.flatnonzero(page.tag[row + 1 : stop] == _CODE) + row + 1).tolist()
    found: list[int] = []
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


def _inner_bars(page: Page, row: int, buttons: Bools) -> list[int]:
    """Return the text rows of a bar in code: its first or last element, with a button and a few words beside it."""
    stop = int(page.end[row])
    if not buttons[row + 1 : stop].any():
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
