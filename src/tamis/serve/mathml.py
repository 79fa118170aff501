"""TeX as MathML, which browsers draw without a script. What is not understood is left as TeX."""

import re
from html import escape
from typing import Final

# The symbols of TeX: their characters, and the MathML elements that they are written in.

_GREEK: Final = (
    "alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ "
    "mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ "
    "psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω "
    "infty ∞ partial ∂ nabla ∇ hbar ℏ ell ℓ Re ℜ Im ℑ aleph ℵ emptyset ∅ varnothing ∅ imath ı jmath ȷ "
    "ldots … dots … cdots ⋯ vdots ⋮ ddots ⋱ dotsc … dotsb ⋯ top ⊤ bot ⊥ wp ℘ degree °"
)
_OPERATORS: Final = (
    "pm ± mp ∓ times × div ÷ cdot ⋅ ast ∗ star ⋆ circ ∘ bullet ∙ oplus ⊕ ominus ⊖ otimes ⊗ odot ⊙ dagger † ddagger ‡ "
    "cap ∩ cup ∪ uplus ⊎ sqcap ⊓ sqcup ⊔ vee ∨ lor ∨ wedge ∧ land ∧ setminus ∖ wr ≀ le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ "
    "ll ≪ gg ≫ equiv ≡ sim ∼ simeq ≃ approx ≈ cong ≅ propto ∝ prec ≺ succ ≻ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ "
    "subsetneq ⊊ in ∈ ni ∋ notin ∉ mid ∣ nmid ∤ parallel ∥ perp ⟂ vdash ⊢ models ⊨ forall ∀ exists ∃ nexists ∄ neg ¬ "
    "lnot ¬ to → rightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⇔ "
    "implies ⇒ mapsto ↦ longrightarrow ⟶ longleftarrow ⟵ longmapsto ⟼ uparrow ↑ downarrow ↓ hookrightarrow ↪ "
    "rightharpoonup ⇀ rightleftharpoons ⇌ colon : therefore ∴ because ∵ angle ∠ triangle △ square □ Box □ diamond ⋄ "
    "prime ′ backslash \\ lbrace { rbrace } leqslant ⩽ geqslant ⩾ lesssim ≲ gtrsim ≳ triangleq ≜ coloneqq ≔ "
    "lt < gt > And &"
)
_LARGE: Final = (
    "sum ∑ prod ∏ coprod ∐ int ∫ iint ∬ iiint ∭ oint ∮ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂ bigvee ⋁ bigwedge ⋀"
)
_INTEGRALS: Final = frozenset({"int", "iint", "iiint", "oint"})


def _pairs(text: str) -> dict[str, str]:
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


#: The character of a command, and its element: an identifier or an operator.
SYMBOLS: Final[dict[str, tuple[str, str]]] = {
    **{name: (symbol, "mi") for name, symbol in _pairs(_GREEK).items()},
    **{name: (symbol, "mo") for name, symbol in _pairs(f"{_OPERATORS} {_LARGE}").items()},
}
FUNCTIONS: Final = frozenset(
    [
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "arcsin",
        "arccos",
        "arctan",
        "sinh",
        "cosh",
        "tanh",
        "coth",
        "log",
        "ln",
        "lg",
        "exp",
        "lim",
        "liminf",
        "limsup",
        "max",
        "min",
        "sup",
        "inf",
        "det",
        "dim",
        "ker",
        "deg",
        "gcd",
        "arg",
        "hom",
        "Pr",
        "argmax",
        "argmin",
    ]
)
#: Symbols whose limits stand below and above them.
LARGE: Final = (frozenset(_pairs(_LARGE)) - _INTEGRALS) | {
    "lim",
    "liminf",
    "limsup",
    "max",
    "min",
    "sup",
    "inf",
    "det",
}
#: The mark of an accent, and where it stands.
ACCENTS: Final = {
    "hat": ("^", "mover"),
    "widehat": ("^", "mover"),
    "bar": ("¯", "mover"),
    "overline": ("¯", "mover"),
    "vec": ("→", "mover"),
    "overrightarrow": ("→", "mover"),
    "tilde": ("~", "mover"),
    "widetilde": ("~", "mover"),
    "dot": ("˙", "mover"),
    "ddot": ("¨", "mover"),
    "check": ("ˇ", "mover"),
    "underline": ("_", "munder"),
    "overbrace": ("⏞", "mover"),
    "underbrace": ("⏟", "munder"),
}
#: Where the capital and the small letters of an alphabet begin in Unicode; None is upright letters.
FONTS: Final[dict[str, tuple[int, int] | None]] = {
    "mathrm": None,
    "mathsf": None,
    "mathtt": None,
    "mathit": None,
    "mathbf": (0x1D400, 0x1D41A),
    "boldsymbol": (0x1D468, 0x1D482),
    "bm": (0x1D468, 0x1D482),
    "mathbb": (0x1D538, 0x1D552),
    "mathcal": (0x1D49C, 0x1D4B6),
    "mathscr": (0x1D49C, 0x1D4B6),
    "mathfrak": (0x1D504, 0x1D51E),
}
#: Letters that Unicode had before the alphabets.
_OLDER_LETTERS: Final = {
    **{chr(0x1D538 + ord(old) - 65): new for old, new in zip("CHNPQRZ", "ℂℍℕℙℚℝℤ", strict=True)},
    **{chr(0x1D49C + ord(old) - 65): new for old, new in zip("BEFHILMR", "ℬℰℱℋℐℒℳℛ", strict=True)},
    **{chr(0x1D4B6 + ord(old) - 97): new for old, new in zip("ego", "ℯℊℴ", strict=True)},
    **{chr(0x1D504 + ord(old) - 65): new for old, new in zip("CHIRZ", "ℭℌℑℜℨ", strict=True)},
}


def alphabet_letter(letter: str, font: str) -> str:
    """Return a letter in the alphabet of a font.

    >>> alphabet_letter("R", "mathbb"), alphabet_letter("x", "mathbf"), alphabet_letter("1", "mathbf")
    ('ℝ', '𝐱', '1')
    """
    starts = FONTS[font]
    if starts is None or not letter.isalpha():
        return letter
    start, first = (starts[0], "A") if letter.isupper() else (starts[1], "a")
    character = chr(start + ord(letter) - ord(first))
    return _OLDER_LETTERS.get(character, character)


SPACES: Final = {",": 0.167, ":": 0.222, ";": 0.278, "!": -0.167, " ": 0.25, "quad": 1, "qquad": 2, ">": 0.222}


# TeX as MathML, which browsers draw without a script. What is not understood is left as TeX.
#
# The output is made here and of text that is escaped, so it needs no sanitizer. One pass over the tokens, with a
# limit of nesting and of length.

_MAX_CHARS: Final = 5000
_MAX_DEPTH: Final = 40
_TOKEN: Final = re.compile(r"\\(?:[a-zA-Z]+\*?|.)|\d+(?:[.,]\d+)*|\s+|.", re.DOTALL)
_DELIMITERS: Final = {"{": "{", "}": "}", ".": "", "|": "‖", "langle": "⟨", "rangle": "⟩", "lvert": "|", "rvert": "|"}
_DELIMITERS.update(
    {"lfloor": "⌊", "rfloor": "⌋", "lceil": "⌈", "rceil": "⌉", "lVert": "‖", "rVert": "‖", "vert": "|"}
)
_FENCES: Final = {
    "matrix": ("", ""),
    "smallmatrix": ("", ""),
    "pmatrix": ("(", ")"),
    "bmatrix": ("[", "]"),
    "Bmatrix": ("{", "}"),
    "vmatrix": ("|", "|"),
    "Vmatrix": ("‖", "‖"),
    "cases": ("{", ""),
    "array": ("", ""),
    "aligned": ("", ""),
    "align": ("", ""),
    "align*": ("", ""),
    "split": ("", ""),
    "gathered": ("", ""),
    "equation": ("", ""),
    "equation*": ("", ""),
}
_TEXT: Final = frozenset({"text", "textrm", "textit", "textbf", "mbox", "operatorname", "textnormal"})
_IGNORED: Final = frozenset(
    {"displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "left.", "nonumber", "notag", "rm", "it"}
)
_BIG: Final = re.compile(r"(?:big|Big|bigg|Bigg)[lrm]?")


class _UnknownTexError(Exception):
    """A command that is not understood."""


def to_mathml(tex: str, *, display: bool = False) -> str | None:
    r"""Return a formula as a ``math`` element, or None if something in it is not understood.

    >>> to_mathml(r"x^2 < \frac{1}{n}")
    '<math><msup><mi>x</mi><mn>2</mn></msup><mo>&lt;</mo><mfrac><mn>1</mn><mi>n</mi></mfrac></math>'
    >>> to_mathml(r"\unknown{x}") is None
    True
    """
    if len(tex) > _MAX_CHARS:
        return None
    try:
        parser = _Parser(tex)
        body = parser.row(None)
    except (_UnknownTexError, IndexError):
        return None
    attribute = ' display="block"' if display else ""
    return f"<math{attribute}>{body}</math>" if body else None


class _Parser:
    """Reads tokens from left to right. Each method returns MathML."""

    def __init__(self, tex: str) -> None:
        self.tokens: list[str] = [
            symbol for symbol in _TOKEN.findall(tex) if symbol.strip() or symbol.startswith("\\")
        ]
        self.spaced = _TOKEN.findall(tex)
        self.index, self.depth, self.tex = 0, 0, tex
        # Text has its spaces: the tokens with them, by the number of those without.
        self.places = [n for n, symbol in enumerate(self.spaced) if symbol.strip() or symbol.startswith("\\")]

    def peek(self) -> str | None:
        return self.tokens[self.index] if self.index < len(self.tokens) else None

    def take(self) -> str:
        symbol = self.tokens[self.index]
        self.index += 1
        return symbol

    def row(self, *ends: str | None) -> str:
        """Return what comes before one of the ends, which is taken."""
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _UnknownTexError
        parts = []
        while (symbol := self.peek()) not in ends:
            if symbol is None or symbol in {"}", "\\right"}:
                raise _UnknownTexError
            parts.append(self.scripted())
        if symbol is not None:
            self.take()
        self.depth -= 1
        return "".join(parts)

    def scripted(self) -> str:
        """Return an atom with what stands below and above it."""
        first = self.peek()
        is_large = first is not None and first[1:] in LARGE
        base = self.atom() if first not in {"^", "_"} else "<mrow></mrow>"
        below = above = ""
        primes = 0
        while (symbol := self.peek()) in {"^", "_", "'", "\\limits", "\\nolimits"}:
            self.take()
            if symbol == "_" and not below:
                below = self.argument()
            elif symbol == "^" and not above:
                above = self.argument()
            elif symbol == "'":
                primes += 1
            elif symbol not in {"\\limits", "\\nolimits"}:
                raise _UnknownTexError
        if primes:
            prime = f"<mo>{'′' * primes}</mo>"
            above = f"<mrow>{prime}{above}</mrow>" if above else prime
        name = "munderover" if is_large else "msubsup"
        if below and above:
            return f"<{name}>{base}{below}{above}</{name}>"
        if below:
            tag = "munder" if is_large else "msub"
            return f"<{tag}>{base}{below}</{tag}>"
        if above:
            tag = "mover" if is_large else "msup"
            return f"<{tag}>{base}{above}</{tag}>"
        return base

    def argument(self) -> str:
        """Return a group or a single atom, as one element."""
        if self.peek() == "{":
            self.take()
            inner = self.row("}")
            return f"<mrow>{inner}</mrow>" if inner.count("</") != 1 else inner
        self.depth += 1
        if self.depth > _MAX_DEPTH:
            raise _UnknownTexError
        atom = self.atom()
        self.depth -= 1
        return atom

    def atom(self) -> str:
        symbol = self.take()
        if symbol == "{":
            return f"<mrow>{self.row('}')}</mrow>"
        if symbol.startswith("\\"):
            return self.command(symbol[1:])
        if symbol[0].isdigit():
            return f"<mn>{escape(symbol)}</mn>"
        if symbol.isalpha():
            return f"<mi>{escape(symbol)}</mi>"
        if symbol == "~":
            return '<mspace width="0.3em"></mspace>'
        if symbol in {"&", "#", "$", "%"}:
            raise _UnknownTexError
        return f"<mo>{'−' if symbol == '-' else escape(symbol)}</mo>"

    def command(self, name: str) -> str:  # noqa: C901, PLR0911, PLR0912 (one branch for each kind of command)
        if name in SYMBOLS:
            symbol, tag = SYMBOLS[name]
            return f"<{tag}>{escape(symbol)}</{tag}>"
        if name in SPACES:
            return f'<mspace width="{SPACES[name]}em"></mspace>'
        if name in FUNCTIONS:
            return f"<mi>{name}</mi>"
        if name in {"frac", "dfrac", "tfrac", "cfrac"}:
            return f"<mfrac>{self.argument()}{self.argument()}</mfrac>"
        if name in {"binom", "dbinom", "tbinom"}:
            inner = f'<mfrac linethickness="0">{self.argument()}{self.argument()}</mfrac>'
            return f"<mrow><mo>(</mo>{inner}<mo>)</mo></mrow>"
        if name == "sqrt":
            if self.peek() == "[":
                self.take()
                degree = self.row("]")
                return f"<mroot>{self.argument()}<mrow>{degree}</mrow></mroot>"
            return f"<msqrt>{self.argument()}</msqrt>"
        if name in ACCENTS:
            mark, tag = ACCENTS[name]
            return f'<{tag} accent="true">{self.argument()}<mo>{mark}</mo></{tag}>'
        if name in {"overset", "stackrel", "underset"}:
            mark, base = self.argument(), self.argument()
            tag = "munder" if name == "underset" else "mover"
            return f"<{tag}>{base}{mark}</{tag}>"
        if name in FONTS:
            return self.styled(name)
        if name in _TEXT:
            return f"<mtext>{escape(self.text())}</mtext>"
        if name == "left":
            opening = self.delimiter()
            parts = []
            while self.peek() != "\\right":
                parts.append(self.middle() if self.peek() == "\\middle" else self.scripted())
            self.take()
            closing = self.delimiter()
            return f"<mrow>{_fence(opening)}{''.join(parts)}{_fence(closing)}</mrow>"
        if name == "begin":
            return self.environment()
        if name in _IGNORED:
            return ""
        if _BIG.fullmatch(name):
            return _fence(self.delimiter())
        if name in _DELIMITERS or name in {"{", "}", "|"}:
            return f"<mo>{escape(_DELIMITERS.get(name, name))}</mo>"
        if name in {"#", "$", "%", "&", "_"}:
            return f"<mo>{escape(name)}</mo>"
        raise _UnknownTexError

    def styled(self, font: str) -> str:
        """Return letters in another alphabet, by its characters. Other content stays as it is."""
        start = self.index
        content = self.argument()
        letters = "".join(self.tokens[start : self.index]).strip("{}")
        if not (letters.isascii() and letters.isalnum()):
            return content
        if FONTS[font] is None:
            return f"<mtext>{letters}</mtext>" if len(letters) > 1 else f'<mi mathvariant="normal">{letters}</mi>'
        return f"<mi>{''.join(alphabet_letter(letter, font) for letter in letters)}</mi>"

    def middle(self) -> str:
        self.take()
        return _fence(self.delimiter())

    def delimiter(self) -> str:
        symbol = self.take()
        name = symbol.removeprefix("\\")
        if symbol == ".":
            return ""
        if symbol.startswith("\\") and name not in _DELIMITERS:
            raise _UnknownTexError
        return _DELIMITERS[name] if symbol.startswith("\\") else symbol

    def text(self) -> str:
        """Return the text of a group as it is, with its spaces."""
        if self.take() != "{":
            raise _UnknownTexError
        start = self.places[self.index - 1] + 1
        depth = 1
        while depth:
            symbol = self.take()
            depth += {"{": 1, "}": -1}.get(symbol, 0)
        stop = self.places[self.index - 1]
        words = "".join(self.spaced[start:stop])
        if "\\" in words or "$" in words:
            raise _UnknownTexError
        return words.replace(" ", "\u00a0").replace("{", "").replace("}", "")

    def environment(self) -> str:
        name = self._name()
        if name not in _FENCES:
            raise _UnknownTexError
        if name == "array":
            self.argument()  # the alignment of its columns
        rows: list[str] = []
        cells: list[str] = []
        parts: list[str] = []
        while True:
            symbol = self.peek()
            if symbol in {"&", "\\\\", "\\end"}:
                self.take()
                cells.append(f"<mtd>{''.join(parts)}</mtd>")
                parts = []
                if symbol != "&":
                    rows.append(f"<mtr>{''.join(cells)}</mtr>")
                    cells = []
                if symbol == "\\end":
                    break
            elif symbol is None:
                raise _UnknownTexError
            elif symbol == "\\hline":
                self.take()
            else:
                parts.append(self.scripted())
        if self._name() != name:
            raise _UnknownTexError
        opening, closing = _FENCES[name]
        return f"<mrow>{_fence(opening)}<mtable>{''.join(rows)}</mtable>{_fence(closing)}</mrow>"

    def _name(self) -> str:
        if self.take() != "{":
            raise _UnknownTexError
        letters = []
        while (symbol := self.take()) != "}":
            letters.append(symbol)
        return "".join(letters)


def _fence(delimiter: str) -> str:
    return f'<mo stretchy="true">{escape(delimiter)}</mo>' if delimiter else ""
