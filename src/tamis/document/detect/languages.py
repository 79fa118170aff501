"""Names of programming languages, as classes and labels of code blocks write them."""

import re
from typing import Final

_LANGUAGE_NAMES: Final = """
    abap actionscript ada agda apache applescript arduino asm asp aspnet assembly astro autohotkey awk bash basic bat
    batch bibtex brainfuck c clojure cmake cobol coffeescript console cpp crystal csharp css csv cuda cython d dart
    delphi diff django docker dockerfile dos elisp elixir elm erlang fish fortran fsharp gdscript gherkin git glsl go
    golang gradle graphql groovy haml handlebars haskell haxe hcl hlsl html http ini ipython ipython3 java javascript
    jinja js json json5 jsonc jsonnet jsx julia kotlin kql latex less lisp llvm lua make makefile markdown markup
    mathematica matlab md mermaid mips mongodb mysql nasm nginx nim nix nushell objc objective-c objectivec ocaml
    octave openscad pascal patch perl pgsql php plsql postgresql powershell prisma prolog properties proto protobuf
    ps1 pug puppet py pycon python python3 qml r racket raku razor reason regex rego rst ruby rust sas sass scala
    scheme scss sh shell shell-session sml solidity sparql sql stan svelte swift systemd systemverilog tcl tcsh
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
_CLASS: Final = re.compile(
    r"^(?:language|lang|highlight-source|highlight-text|highlight|brush|src|hl)[-_:]+([\w+#.-]+)$",
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
    """
    words = classes.replace(": ", ":").replace(";", " ").split()
    for word in words:
        match = _CLASS.match(word)
        if match and match[1].lower() not in _NO_LANGUAGE:
            return match[1].lower()
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
    "hljs", "sourcecode", "highlight", "prettyprint", "code", "chroma", "prettyprinted", "shiki", "codehilite", "src",
    "programlisting", "syntax", "snippet", "codeblock", "code-block", "wp-block-code", "enlighter", "listing",
    "syntaxhighlighter", "rust-example-rendered", "blob-wrapper", "crayon-syntax",
})  # fmt: skip
