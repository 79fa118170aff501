"""Translate MathML to TeX: the elements that web pages use, in one pass from the last row to the first."""

from typing import Final

from tamis.page import TEXT, Page

_SYMBOLS: Final = {
    "α": r"\alpha", "β": r"\beta", "γ": r"\gamma", "δ": r"\delta", "ε": r"\varepsilon", "ϵ": r"\epsilon",
    "ζ": r"\zeta", "η": r"\eta", "θ": r"\theta", "κ": r"\kappa", "λ": r"\lambda", "μ": r"\mu", "ν": r"\nu",
    "ξ": r"\xi", "π": r"\pi", "ρ": r"\rho", "σ": r"\sigma", "τ": r"\tau", "φ": r"\varphi", "ϕ": r"\phi",
    "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega", "Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda",
    "Ξ": r"\Xi", "Π": r"\Pi", "Σ": r"\Sigma", "Φ": r"\Phi", "Ψ": r"\Psi", "Ω": r"\Omega", "∞": r"\infty",
    "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∂": r"\partial", "∇": r"\nabla", "√": r"\sqrt", "±": r"\pm",
    "×": r"\times", "÷": r"\div", "·": r"\cdot", "⋅": r"\cdot", "≤": r"\le", "≥": r"\ge", "≠": r"\ne",
    "≈": r"\approx", "≡": r"\equiv", "∈": r"\in", "∉": r"\notin", "⊂": r"\subset", "⊆": r"\subseteq",
    "∪": r"\cup", "∩": r"\cap", "∀": r"\forall", "∃": r"\exists", "→": r"\to", "⇒": r"\Rightarrow",
    "⇔": r"\Leftrightarrow", "↦": r"\mapsto", "…": r"\dots", "⋯": r"\cdots", "−": "-", "′": "'", "ℝ": r"\mathbb{R}",
    "ℕ": r"\mathbb{N}", "ℤ": r"\mathbb{Z}", "ℚ": r"\mathbb{Q}", "ℂ": r"\mathbb{C}", "⟨": r"\langle",
    "⟩": r"\rangle", "{": r"\{", "}": r"\}", "%": r"\%", "#": r"\#", "&": r"\&",
    "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "",  # invisible operators
}  # fmt: skip
_FUNCTION_NAMES: Final = """
    sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln exp lim max min sup inf det dim ker gcd
"""
_FUNCTIONS: Final = frozenset(_FUNCTION_NAMES.split())
_ACCENTS: Final = {
    "^": "hat",
    "ˆ": "hat",
    "¯": "bar",
    "‾": "overline",
    "→": "vec",
    "˙": "dot",
    "~": "tilde",
    "˜": "tilde",
}
_NOT_RENDERED: Final = frozenset({"annotation", "annotation-xml", "mphantom", "maligngroup", "malignmark", "none"})


def mathml_to_tex(page: Page, row: int) -> str:
    r"""Return a ``math`` element as TeX.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<math><mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac><mo>≤</mo><mi>π</mi>")
    >>> mathml_to_tex(page, int(page.rows_of("math")[0]))
    '\\frac{a}{b^{2}} \\le \\pi'
    """
    children_tex: dict[int, list[str]] = {}  # by parent, the last child first
    end = int(page.end[row])
    for k in range(end - 1, row - 1, -1):
        parts = children_tex.pop(k, [])
        parts.reverse()
        if page.node_type[k] == TEXT:
            tex = page.row_text(k).strip()
        elif page.is_element[k]:
            tex = _element(page.tag_name(k), parts, page, k)
        else:
            continue
        if k == row:
            return tex.strip()
        children_tex.setdefault(int(page.parent[k]), []).append(tex)
    return ""


def _element(name: str, parts: list[str], page: Page, row: int) -> str:  # noqa: C901, PLR0911, PLR0912 (one case per element)
    if name in _NOT_RENDERED:
        return ""
    first, second, third = (_group(parts[k]) if k < len(parts) else "{}" for k in range(3))
    match name:
        case "mi" | "mo" | "mn" | "ms":
            return _token(name, "".join(parts))
        case "mtext":
            words = " ".join("".join(parts).split())
            return rf"\text{{{words}}}" if words else " "
        case "mfrac":
            return rf"\frac{first}{second}"
        case "msqrt":
            return rf"\sqrt{_group(_row(parts))}"
        case "mroot":
            return rf"\sqrt[{second[1:-1]}]{first}"
        case "msup":
            return f"{_base(parts)}^{second}"
        case "msub" | "munder":
            return f"{_base(parts)}_{second}"
        case "msubsup" | "munderover":
            return f"{_base(parts)}_{second}^{third}"
        case "mover":
            accent = _ACCENTS.get(second[1:-1].strip()) or _ACCENTS.get(_symbol(second[1:-1].strip()))
            return rf"\{accent}{first}" if accent else f"{_base(parts)}^{second}"
        case "mtable":
            return r"\begin{matrix}" + r" \\ ".join(parts) + r"\end{matrix}"
        case "mtr":
            return " & ".join(parts)
        case "mfenced":
            attributes = page.attributes(row)
            return attributes.get("open", "(") + ",".join(parts) + attributes.get("close", ")")
        case "mspace":
            return " "
        case "semantics":
            return next((part for part in parts if part), "")
        case _:
            return _row(parts)


def _token(name: str, text: str) -> str:
    text = text.strip()
    if text in _FUNCTIONS:
        return "\\" + text
    if name == "mi" and len(text) > 1 and text.isalpha():
        return rf"\mathrm{{{text}}}"
    tex = "".join(_SYMBOLS.get(char, char) for char in text)
    return f" {tex} " if name == "mo" and (tex in {"=", "+", "-", "<", ">"} or _is_relation(tex)) else tex


def _is_relation(tex: str) -> bool:
    return (
        tex.startswith("\\") and tex[1:].isalpha() and tex not in {r"\sum", r"\prod", r"\int", r"\partial", r"\nabla"}
    )


def _symbol(tex: str) -> str:
    return next((char for char, name in _SYMBOLS.items() if name == tex), tex)


def _row(parts: list[str]) -> str:
    """Join parts, with a space between a command and a letter that follows it."""
    out = ""
    for part in parts:
        command = out.rpartition("\\")[2] if "\\" in out else ""
        out += f" {part}" if command.isalpha() and part[:1].isalpha() else part
    return " ".join(out.split())


def _group(tex: str) -> str:
    return "{" + tex.strip() + "}"


def _base(parts: list[str]) -> str:
    base = parts[0].strip() if parts else "{}"
    simple = len(base) == 1 or (base.startswith("\\") and base[1:].isalpha())
    return base if simple else _group(base)
