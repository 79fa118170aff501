"""The text and the language of a code block, and what tells code from verse."""

import re
from collections.abc import Collection
from itertools import accumulate
from typing import Final

import numpy as np

from tamis.document.detectors.gutters import CODE_CLASS, CODE_LINE, names_numbers
from tamis.html import tags
from tamis.lazy import lazy_pattern
from tamis.page import Page
from tamis.page.deadline import checked
from tamis.page.sums import Bools, any_of, prefix_sums

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
    r"^(?:language|lang|mw-highlight-lang|enlighter-l|highlight-source|highlight-text|highlight|brush|src|hl)([-_:]+)([\w+#.-]+)$",
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
    if not classes:
        return ""
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
_STRUCTURE: Final = tags.tag_pattern(_NOT_IN_CODE)
CODE_TAG: Final = tags.tag_pattern(tags.tag_mask("code"))
_CODE_ELEMENT: Final = tags.tag_pattern(tags.tag_mask("code kbd samp tt"))
_BR, _P, _UL, _CODE = (tags.IDS[name] for name in ("br", "p", "ul", "code"))
#: Attributes that name the language of a code block.
LANGUAGE_ATTRIBUTES: Final = (
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
    if _has_text_structure(page, row):
        return False
    if _is_marked(page, row):
        return True
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
    return not _has_text_structure(page, row) and _is_marked(page, row)


def _is_marked(page: Page, row: int) -> bool:
    if _CODE_ELEMENT.search(page.tag.data, row, int(page.end[row])):
        return True
    classes = page.attributes(row).get("class", "")
    if _EXAMPLE.search(classes) or class_language(classes):
        return True
    return any(CODE_CLASS.search(classes) for classes in _classes(page, row, 2))


def _has_text_structure(page: Page, row: int) -> bool:
    """Tell whether an element has what divides text. A single paragraph divides nothing, unless it is a sentence.

    The list of line numbers that some blogs put behind the code does not count.
    """
    stop = int(page.end[row])
    if not _STRUCTURE.search(page.tag.data, row, stop):
        return False
    inner_tags = page.tag[row:stop]
    found = inner_tags[_NOT_IN_CODE[inner_tags]]
    if len(found) == 1 and found[0] == _UL:
        numbers = row + int(np.argmax(inner_tags == _UL))
        return not names_numbers(page.attributes(numbers).get("class", ""))
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
    first_code = CODE_TAG.search(page.tag.data, row + 1, stop)
    inner = first_code.start() if first_code else row
    around = [inner] if inner != row else []
    chars = page.once("sums of characters", page.shown, lambda: prefix_sums(page.nonspace))
    for element in (row, *page.ancestors(row, _MAX_LEVELS - 1)):
        if element != row and chars[page.end[element]] - chars[element] > 2 * (chars[stop] - chars[row]):
            break  # more than the code: a class there is about something else
        around.append(element)
    for element in around:
        attributes = page.attributes(element)
        language = next((attributes[name] for name in LANGUAGE_ATTRIBUTES if attributes.get(name)), "")
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
    kept = _kept_text(page, row, dropped)
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
            stop = int(page.end[k])
            in_line = bool(ends) and ends[-1][1] >= 0
            is_line = k in lines[0] or (
                not in_line and any(j + 1 < stop and _is_number(page, j, dropped) for j in (k + 1, k + 2))
            )
            if not is_line and kept and kept[stop - row] == kept[k - row] and page.nonspace[k:stop].any():
                continue  # a tooltip or a bar, of which nothing is left
            if out and not "".join(out[-1:]).endswith("\n"):
                out.append("\n")
            ends.append((stop, len(out) if is_line else -1))
            after_break = after_block = after_line = False
    while ends:
        _end_line(out, ends.pop()[1])
    text_lines = [line.rstrip() for line in "".join(out).replace("\u00a0", " ").strip("\n").split("\n")]
    if numbered and all(line[:1] in {"", " "} for line in text_lines):
        text_lines = [line[1:] for line in text_lines]  # the space after the line numbers
    return "\n".join(text_lines).strip("\n")


def _kept_text(page: Page, row: int, dropped: Collection[int]) -> list[int]:
    """Return prefix sums of the text rows of a code block that are not left out; none if nothing is."""
    if not dropped:
        return []
    stop = int(page.end[row])
    shown, chars = page.shown[row:stop].tolist(), page.nonspace[row:stop].tolist()
    is_kept = [shown[k] and chars[k] > 0 and row + k not in dropped for k in range(stop - row)]
    return [0, *accumulate(is_kept)]


def _is_number(page: Page, row: int, dropped: Collection[int]) -> bool:
    """Tell whether a row is a line number that is left out."""
    return row in dropped and page.row_text(row).strip().isdigit()


def line_elements(page: Page, row: int) -> tuple[frozenset[int], bool]:
    """Return the elements that are lines of code by their class, and whether the line ends of the text count.

    Some highlighters put each line in a ``span`` and leave the line ends to a style sheet. Outside of a ``pre``, line
    ends count if the style of the element or the highlighter's class says so.
    """
    text = page.row_text(row)
    attributes = page.attributes(row)
    style = attributes.get("style", "").replace(" ", "")
    keeps_lines = any_of(page.pre, row + 1, int(page.end[row])) or "white-space:pre" in style
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
        if is_line and not names_numbers(classes):
            lines.append(k)
    return frozenset(lines), keeps_lines


def _end_line(out: list[str], start: int) -> None:
    """End a line: an empty line element is an empty line, an empty block is not."""
    if (start >= 0 and not "".join(out[start:]).endswith("\n")) or (start < 0 and out and not out[-1].endswith("\n")):
        out.append("\n")
