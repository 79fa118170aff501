"""The symbols of TeX: their characters, and the MathML elements that they are written in."""

from typing import Final

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
