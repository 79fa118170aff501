"""Scripts of MathML as TeX: sub- and superscripts, limits, accents, lines and braces above and below."""

from typing import Final

from tamis.document.detect.formulas.math_tree import MathNode
from tamis.document.detect.formulas.symbols import LARGE_OPERATORS, is_command

#: Commands of accents, for one letter and for more.
_ACCENTS: Final = {
    "^": ("hat", "widehat"), "ˆ": ("hat", "widehat"), "\u0302": ("hat", "widehat"), "¯": ("bar", "overline"),
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
