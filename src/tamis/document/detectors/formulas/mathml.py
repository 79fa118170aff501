"""Translate MathML to TeX: a tree of elements, its scripts and its tables."""

import re
from dataclasses import dataclass, field
from typing import Final

from tamis.document.detectors.formulas.symbols import (
    FUNCTIONS,
    LARGE_OPERATORS,
    is_command,
    is_operator,
    join_tex,
    text_tex,
)
from tamis.page import Page

# `MathNode`: a formula as a tree of MathML elements, read from MathML in the page or from what a script drew.

#: Elements that contain characters. White space between all other elements is ignored.
TOKENS: Final = frozenset({"mi", "mo", "mn", "ms", "mtext", "mglyph"})
_NOT_READ: Final = frozenset({"annotation", "annotation-xml", "maligngroup", "malignmark"})
MAX_DEPTH: Final = 100  #: levels of a formula; TeX itself gives up far below it


@dataclass(slots=True)
class MathNode:
    """An element of a formula.

    Attributes:
        name: its name in MathML.
        text: the characters of a token.
        attributes: those that matter.
        children: its child elements.
        tex: its translation, once there is one.
    """

    name: str
    text: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    children: "list[MathNode]" = field(default_factory=list)
    tex: str = ""


def read_mathml(page: Page, row: int) -> list[MathNode]:
    """Return the elements of a ``math`` element in document order; none if it is nested too deep.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<math> <mi>x</mi> <mo>=</mo> <mn>1</mn> </math>")
    >>> [node.name for node in read_mathml(page, int(page.rows_of("math")[0]))]
    ['math', 'mi', 'mo', 'mn']
    """
    nodes: list[MathNode] = []
    at: dict[int, MathNode] = {}
    depth = int(page.depth[row])
    k, end = row, int(page.end[row])
    while k < end:
        name = page.tag_name(k).rpartition(":")[2].lower()
        if not name or name in _NOT_READ:
            k = int(page.end[k])
            continue
        if page.depth[k] - depth > MAX_DEPTH:
            return []
        node = MathNode(name, attributes=page.attributes(k))
        at[k] = node
        nodes.append(node)
        outer = at.get(int(page.parent[k]))
        if outer is not None:
            outer.children.append(node)
        if name in TOKENS:  # HTML inside of a token belongs to its characters
            node.text = page.row_text(k)
            k = int(page.end[k])
        else:
            k += 1
    return nodes


# Scripts of MathML as TeX: sub- and superscripts, limits, accents, lines and braces above and below.

#: Commands of accents, for one letter and for more.
_ACCENTS: Final = {
    "^": ("hat", "widehat"), "ˆ": ("hat", "widehat"), "\u0302": ("hat", "widehat"), "¯": ("bar", "overline"),
    "ˉ": ("bar", "overline"), "ˊ": ("acute", "acute"), "ˋ": ("grave", "grave"),
    "‾": ("overline", "overline"), "_": ("bar", "overline"), "\u0304": ("bar", "overline"),
    "\u0305": ("overline", "overline"), "―": ("overline", "overline"), "─": ("overline", "overline"),
    "→": ("vec", "overrightarrow"), "⃗": ("vec", "overrightarrow"), "⟶": ("vec", "overrightarrow"),
    "←": ("overleftarrow", "overleftarrow"), "↔": ("overleftrightarrow", "overleftrightarrow"),
    "˙": ("dot", "dot"), "\u0307": ("dot", "dot"), "¨": ("ddot", "ddot"), "\u0308": ("ddot", "ddot"),
    "~": ("tilde", "widetilde"), "˜": ("tilde", "widetilde"), "∼": ("tilde", "widetilde"),
    "\u0303": ("tilde", "widetilde"), "˘": ("breve", "breve"), "ˇ": ("check", "widecheck"), "´": ("acute", "acute"),
    "`": ("grave", "grave"), "˚": ("mathring", "mathring"), "⏞": ("overbrace", "overbrace"),
    "︷": ("overbrace", "overbrace"), "⏜": ("overparen", "overparen"), "⎴": ("overbracket", "overbracket"),
}  # fmt: skip
_ACCENTS_BELOW: Final = {
    "_": "underline", "‾": "underline", "¯": "underline", "\u0332": "underline", "―": "underline", "─": "underline",
    "⏟": "underbrace", "︸": "underbrace", "→": "underrightarrow", "←": "underleftarrow", "⏝": "underparen",
    "~": "utilde", "⎵": "underbracket",
}  # fmt: skip
_ARROWS: Final = {"→": "xrightarrow", "⟶": "xrightarrow", "←": "xleftarrow", "⟵": "xleftarrow"}
_BRACES: Final = (r"\overbrace", r"\underbrace")


def scripts_tex(node: MathNode) -> str:  # noqa: PLR0911 (one return per element)
    """Return an element with scripts as TeX."""
    children = node.children
    parts = [child.tex.strip() for child in children[:3]]
    parts += [""] * (3 - len(parts))
    base = base_tex(parts[0])
    match node.name:
        case "mmultiscripts":
            return _multiscripts(children)
        case "munder":
            return _under(children, parts[0], parts[1])
        case "mover":
            return _over(children, parts[0], parts[1])
        case "munderover":
            if parts[0] in LARGE_OPERATORS or _is_operator_name(parts[0]):
                return f"{base}{_script('_', parts[1])}{_script('^', parts[2])}"
            if _text(children, 0) in _ARROWS:
                return rf"\{_ARROWS[_text(children, 0)]}[{parts[1]}]{{{parts[2]}}}"
            return _over([MathNode("mrow"), *children[2:]], _under(children, parts[0], parts[1]), parts[2])
        case "msub":
            return f"{base}{_script('_', parts[1])}"
        case "msup":
            return f"{base}{_superscript(parts[1])}"
        case _:
            return f"{base}{_script('_', parts[1])}{_superscript(parts[2])}"


def base_tex(tex: str) -> str:
    """Return the base of a script, in braces unless it is one character or one command."""
    if not tex:
        return "{}"
    is_group = tex.startswith((r"\mathbb{", r"\mathbf{", r"\mathcal{", r"\mathrm{", r"\mathfrak{", r"\operatorname{"))
    simple = len(tex) == 1 or is_command(tex) or tex in {r"\{", r"\}", r"\|"}
    if simple or (is_group and tex.endswith("}") and tex.count("{") == 1) or tex.isdigit():
        return tex
    if len(tex) > 1 and (tex[0], tex[-1]) in {("(", ")"), ("[", "]"), ("|", "|")}:
        return tex
    if tex.startswith((r"\left", r"\begin", *_BRACES)):
        return tex
    return "{" + tex + "}"


def _script(mark: str, tex: str) -> str:
    return f"{mark}{{{tex}}}" if tex else ""


def _superscript(tex: str) -> str:
    """Return a superscript; primes are written as such."""
    return tex if tex and not tex.strip("'") else _script("^", tex)


def _text(children: list[MathNode], number: int) -> str:
    """Return the characters of a child that is one token, or a group with one token."""
    if number >= len(children):
        return ""
    node = children[number]
    while not node.text and len(node.children) == 1:
        node = node.children[0]
    return node.text.strip()


def _is_operator_name(tex: str) -> bool:
    return tex.startswith((r"\operatorname", r"\mathrm{")) or tex in {r"\overbrace", r"\underbrace"}


def _is_single(tex: str) -> bool:
    return len(tex) == 1 or is_command(tex)


def _over(children: list[MathNode], base: str, script: str) -> str:
    mark = _text(children, 1)
    accents = _ACCENTS.get(mark)
    if accents is not None and base not in LARGE_OPERATORS:
        return rf"\{accents[not _is_single(base)]}{{{base}}}"
    if not script:
        return base
    if base in LARGE_OPERATORS or _is_operator_name(base) or base.startswith(_BRACES[0]):
        return f"{base}^{{{script}}}"
    if _text(children, 0) in _ARROWS:
        return rf"\{_ARROWS[_text(children, 0)]}{{{script}}}"
    return rf"\overset{{{script}}}{{{base}}}"


def _under(children: list[MathNode], base: str, script: str) -> str:
    mark = _text(children, 1)
    if mark in _ACCENTS_BELOW and base not in LARGE_OPERATORS:
        return rf"\{_ACCENTS_BELOW[mark]}{{{base}}}"
    if not script:
        return base
    if base in LARGE_OPERATORS or _is_operator_name(base) or base.startswith(_BRACES[1]):
        return f"{base}_{{{script}}}"
    return rf"\underset{{{script}}}{{{base}}}"


def _multiscripts(children: list[MathNode]) -> str:
    """Return scripts on both sides: pairs of sub- and superscript, those in front after ``mprescripts``."""
    if not children:
        return ""
    names = [child.name for child in children]
    middle = names.index("mprescripts") if "mprescripts" in names else len(children)
    after, before = children[1:middle], children[middle + 1 :]
    front = _pairs(before)
    return ("{}" + front if front else "") + base_tex(children[0].tex.strip()) + _pairs(after)


def _pairs(scripts: list[MathNode]) -> str:
    below = "".join(node.tex.strip() for node in scripts[::2])
    above = "".join(node.tex.strip() for node in scripts[1::2])
    return _script("_", below) + _superscript(above)


# Tables of MathML as environments of TeX: matrices with their fences, cases, aligned equations.

OPENING: Final = frozenset({"(", "[", "{", "⟨", "⌈", "⌊", "〈", "⟦"})
CLOSING: Final = frozenset({")", "]", "}", "⟩", "⌉", "⌋", "〉", "⟧"})
_MATRICES: Final = {
    ("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("{", "}"): "Bmatrix", ("|", "|"): "vmatrix", ("‖", "‖"): "Vmatrix",
    ("∥", "∥"): "Vmatrix", ("∣", "∣"): "vmatrix",
}  # fmt: skip
_WRAPPERS: Final = frozenset({"mrow", "mstyle", "mpadded", "semantics", "mtd"})
_MAX_UNWRAPPED: Final = 8  #: elements around a table that only group


_TAG: Final = re.compile(r"(?:\\(?:text|mathrm)\{)?\(([\w.]{1,8})\)\}?")  #: the number of an equation


def table_tex(node: MathNode, environment: str = "") -> str:
    """Return ``mtable`` as an environment: that of its fences, else aligned if its columns are, else a matrix."""
    rows = [row for row in node.children if row.name in {"mtr", "mlabeledtr"}]
    if not rows:
        return ""
    cells = [[cell.tex.strip() for cell in row.children[row.name == "mlabeledtr" :]] for row in rows]
    if not environment:
        environment = "aligned" if _is_aligned(node, cells) else "matrix"
    only = rows[0] if len(rows) == 1 and rows[0].name == "mlabeledtr" else None
    label = _TAG.fullmatch(only.children[0].tex.strip()) if only and only.children else None
    if label and len(cells[0]) == 1:
        return rf"{cells[0][0]} \tag{{{label[1]}}}"
    body = r" \\ ".join(" & ".join(row) for row in cells)
    return rf"\begin{{{environment}}} {body} \end{{{environment}}}"


def _is_aligned(node: MathNode, cells: list[list[str]]) -> bool:
    """Tell whether columns are aligned as equations are: right, then left."""
    alignment = node.attributes.get("columnalign", "").split()
    if not alignment:
        alignment = next(
            (
                [cell.attributes.get("columnalign", "") for cell in row.children]
                for row in node.children
                if any("columnalign" in cell.attributes for cell in row.children)
            ),
            [],
        )
    width = max(len(row) for row in cells)
    if width == 1:
        return len(cells) > 1 and alignment[:1] in (["right"], ["left"])
    return len(alignment) > 1 and alignment[:2] == ["right", "left"]


def fenced_table(children: list[MathNode], start: int) -> tuple[str, int] | None:  # noqa: PLR0911 (one per environment)
    """Return a table with its fences as one environment and the number of the next child; None if there is none.

    A brace before a table and nothing behind it is ``cases``. A fraction without a line between parentheses is a
    binomial.
    """
    if start + 1 >= len(children) or children[start].name != "mo":
        return None
    opening = children[start].text.strip()
    inner = _unwrap(children[start + 1])
    after = start + 2
    closing = children[after].text.strip() if after < len(children) and children[after].name == "mo" else ""
    if inner.tex.startswith(r"\genfrac{}{}{0pt}{}") and (opening, closing) == ("(", ")"):
        return r"\binom" + inner.tex.removeprefix(r"\genfrac{}{}{0pt}{}"), after + 1
    if inner.name != "mtable":
        return None
    has_closing = after < len(children) and children[after].name == "mo"
    if (opening, closing) in _MATRICES:
        return table_tex(inner, _MATRICES[opening, closing]), after + 1
    if opening == "{" and closing == "":
        return table_tex(inner, "cases"), after + has_closing
    if opening == "" and closing == "}":
        return table_tex(inner, "rcases"), after + 1
    return None


def _unwrap(node: MathNode) -> MathNode:
    """Return the only element inside elements that only group."""
    for _ in range(_MAX_UNWRAPPED):
        shown = [child for child in node.children[:3] if child.tex.strip()]
        if node.name not in _WRAPPERS or len(shown) != 1 or len(node.children) > 3:  # noqa: PLR2004 (with empty ones)
            break
        node = shown[0]
    return node


# Translate MathML to TeX, in one pass from the last element to the first.

_VARIANTS: Final = {
    "bold": "mathbf", "double-struck": "mathbb", "script": "mathcal", "bold-script": "mathcal",
    "fraktur": "mathfrak", "bold-fraktur": "mathfrak", "sans-serif": "mathsf", "bold-sans-serif": "mathsf",
    "monospace": "mathtt", "bold-italic": "boldsymbol",
}  # fmt: skip
_NOT_RENDERED: Final = frozenset({"annotation", "annotation-xml", "maligngroup", "malignmark", "none", "mprescripts"})
_SCRIPTS: Final = frozenset({"msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts"})
_ENCLOSURES: Final = (
    ("longdiv", "overline"), ("actuarial", "overline"), ("top", "overline"), ("bottom", "underline"),
    ("radical", "sqrt"), ("updiagonalstrike", "cancel"), ("downdiagonalstrike", "bcancel"),
    ("horizontalstrike", "sout"), ("box", "boxed"), ("roundedbox", "boxed"), ("circle", "boxed"),
)  # fmt: skip
_ESCAPED_TEXT: Final = re.compile(r"[#$%&_{}]")
_FENCES: Final = OPENING | CLOSING
_WIDE_SPACE: Final = 0.9  #: em; a space that an author put there: a quad


def mathml_to_tex(page: Page, row: int) -> str:
    r"""Return a ``math`` element as TeX.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<math><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac><mo>≤</mo><mi>π</mi>")
    >>> mathml_to_tex(page, int(page.rows_of("math")[0]))
    '\\frac{a}{b^{2}} \\leq \\pi'
    """
    nodes = read_mathml(page, row)
    return tree_to_tex(nodes) if nodes else text_tex(page.collapsed_text(row))


def tree_to_tex(nodes: list[MathNode]) -> str:
    """Return a formula as TeX; `nodes` are its elements in document order, the root first."""
    for node in reversed(nodes):
        node.tex = _element(node)
    return " ".join(nodes[0].tex.split()) if nodes else ""


def _element(node: MathNode) -> str:  # noqa: C901, PLR0911, PLR0912 (one case per element)
    name, children = node.name, node.children
    if name in TOKENS:
        return _token(node)
    if name in _NOT_RENDERED:
        return ""
    if name in _SCRIPTS:
        return scripts_tex(node)
    first, second = (_group(children[k].tex) if k < len(children) else "{}" for k in range(2))
    match name:
        case "mfrac":
            return _fraction(node, first, second)
        case "msqrt":
            return rf"\sqrt{_group(_row(children))}"
        case "mroot":
            return rf"\sqrt[{second[1:-1]}]{first}"
        case "mtable":
            return table_tex(node)
        case "mfenced":
            return _fenced(node)
        case "menclose":
            notation = node.attributes.get("notation", "longdiv").split()
            command = next((command for word, command in _ENCLOSURES if word in notation), "")
            inner = _row(children)
            return rf"\{command}{_group(inner)}" if command else inner
        case "mphantom":
            return rf"\phantom{_group(_row(children))}"
        case "mspace":
            width = node.attributes.get("width", "")
            number = width.removesuffix("em")
            is_wide = width.endswith("em") and number.replace(".", "", 1).isdigit() and float(number) >= _WIDE_SPACE
            return r" \quad " if is_wide else " "
        case "semantics" | "maction":
            return next((child.tex for child in children if child.tex.strip()), "")
        case _:
            return _row(children)


def _fraction(node: MathNode, first: str, second: str) -> str:
    if node.attributes.get("linethickness", "").strip() in {"0", "0px", "0pt", "0em", "0ex"}:
        return rf"\genfrac{{}}{{}}{{0pt}}{{}}{first}{second}"
    if node.attributes.get("bevelled") == "true":
        return f"{first}/{second}"
    return rf"\frac{first}{second}"


def _token(node: MathNode) -> str:
    text = " ".join(node.text.split())
    variant = _VARIANTS.get(node.attributes.get("mathvariant", ""), "")
    if node.name == "mglyph":
        return node.attributes.get("alt", "")
    if node.name in {"mtext", "ms"}:
        words = _ESCAPED_TEXT.sub(r"\\\g<0>", " ".join(f".{node.text}.".split())[1:-1])
        return rf"\text{{{words}}}" if words.strip() else " "
    if text in FUNCTIONS and node.name != "mn":
        return "\\" + text
    is_word = len(text) > 1 and text.isascii() and text.isalpha()
    if is_word and (node.name == "mo" or (node.name == "mi" and not variant)):
        return rf"\operatorname{{{text}}}" if node.name == "mo" else rf"\mathrm{{{text}}}"
    tex = text_tex(text)
    return rf"\{variant}{{{tex}}}" if variant and tex.strip() else tex


def _row(children: list[MathNode]) -> str:
    """Join children: space around operators between two operands, fences around tables as environments."""
    fences = _stretched(children)
    pieces: list[str] = []
    operand_before = False  # whether an operator here stands between two operands
    number = 0
    while number < len(children):
        child = children[number]
        number += 1
        table = fenced_table(children, number - 1)
        if table is not None:
            tex, number = table
            pieces.append(tex)
            operand_before = True
            continue
        tex = child.tex
        if not tex:
            continue
        core = tex.strip()
        if child.name == "mo" and is_operator(core):
            last = number == len(children)
            pieces.append(f" {core} " if operand_before and not last else f" {core}" if operand_before else core)
            operand_before = False
        else:
            pieces.append(tex)
            if number - 1 in fences:
                pieces[-1] = fences[number - 1] + core
            is_opening = child.name == "mo" and (child.text.strip() in OPENING or core == ",")
            operand_before = bool(core) and not is_opening
    tex = join_tex(pieces)
    if len(children) > 1 and not fences and all(map(_is_stretched, (children[0], children[-1]))):
        return _between(children[0], children[-1], tex)
    return tex


def _stretched(children: list[MathNode]) -> dict[int, str]:
    r"""Return ``\left`` and ``\right`` for the fences of a row that belong together and grow with what they enclose.

    By the dictionary of MathML they do, unless ``stretchy`` is false: a page that was made from TeX says so.
    """
    out: dict[int, str] = {}
    opened: list[int] = []
    for number, child in enumerate(children):
        text = child.text.strip() if child.name == "mo" else ""
        if not text or child.attributes.get("stretchy") == "false" or text not in _FENCES:
            continue
        if text in OPENING:
            opened.append(number)
        elif opened:
            out |= {opened.pop(): r"\left", number: r"\right"}
    return out


def _between(first: MathNode, last: MathNode, tex: str) -> str:
    r"""Return a row with ``\left`` and ``\right`` where its outer signs are marked as stretched, one empty."""
    opening, closing = first.tex.strip(), last.tex.strip()
    if not (tex.startswith(opening) and tex.endswith(closing)) or first.text.strip() in CLOSING - OPENING:
        return tex
    if re.match(r"\\begin\{|\\binom", tex):
        return tex
    inner = tex[len(opening) : len(tex) - len(closing)]
    return join_tex([r"\left" + (opening or "."), inner, r"\right" + (closing or ".")])


def _is_stretched(node: MathNode) -> bool:
    attributes = node.attributes
    return (
        node.name == "mo"
        and node.text.strip() in _FENCES | {"", "|", "‖"}
        and (attributes.get("stretchy") == "true" or attributes.get("fence") == "true")
        and attributes.get("stretchy") != "false"
    )


def _fenced(node: MathNode) -> str:
    """Return ``mfenced``: fences around its children, with separators between them."""
    attributes = node.attributes
    opening, closing = attributes.get("open", "(").strip(), attributes.get("close", ")").strip()
    if len(node.children) == 1:
        fences = [MathNode("mo", opening, tex=text_tex(opening)), MathNode("mo", closing, tex=text_tex(closing))]
        table = fenced_table([fences[0], node.children[0], fences[1]], 0)
        if table is not None:
            return table[0]
    separators = "".join(attributes.get("separators", ",").split())
    pieces = [text_tex(opening) if opening else ""]
    for number, child in enumerate(node.children):
        if number and separators:
            pieces.append(text_tex(separators[min(number - 1, len(separators) - 1)]) + " ")
        pieces.append(child.tex.strip())
    tall = any("\\frac" in child.tex or "\\begin" in child.tex for child in node.children)
    if tall:
        pieces[0] = r"\left" + (pieces[0] or ".")
        return join_tex([*pieces, r"\right" + (text_tex(closing) or ".")])
    return join_tex([*pieces, text_tex(closing)])


def _group(tex: str) -> str:
    return "{" + tex.strip() + "}"
