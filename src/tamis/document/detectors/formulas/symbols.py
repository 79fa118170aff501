"""Characters of formulas as TeX, and TeX source as pages write it."""

import re
import unicodedata
from typing import Final

from tamis.html.text import strip_invisible

# Characters of formulas as TeX: letters, operators, arrows, delimiters and mathematical alphabets.

_TABLE: Final = r"""
    α \alpha β \beta γ \gamma δ \delta ε \varepsilon ϵ \epsilon ζ \zeta η \eta θ \theta ϑ \vartheta ι \iota κ \kappa
    λ \lambda μ \mu µ \mu ν \nu ξ \xi ο o π \pi ϖ \varpi ρ \rho ϱ \varrho σ \sigma ς \varsigma τ \tau υ \upsilon
    φ \varphi ϕ \phi χ \chi ψ \psi ω \omega Γ \Gamma Δ \Delta Θ \Theta Λ \Lambda Ξ \Xi Π \Pi Σ \Sigma Υ \Upsilon
    Φ \Phi Ψ \Psi Ω \Omega ϰ \varkappa ϝ \digamma
    ∞ \infty ∂ \partial ∇ \nabla ∅ \emptyset ℓ \ell ℏ \hbar ℘ \wp ℜ \Re ℑ \Im ℵ \aleph ∀ \forall ∃ \exists
    ∄ \nexists ¬ \neg ⊤ \top ⊥ \bot ∠ \angle △ \triangle □ \square ◻ \square ■ \blacksquare ♭ \flat ♯ \sharp
    … \ldots ⋯ \cdots ⋮ \vdots ⋱ \ddots ′ ' ″ '' ‴ ''' ° ^{\circ} † \dagger ‡ \ddagger
    ∑ \sum ∏ \prod ∐ \coprod ∫ \int ∬ \iint ∭ \iiint ∮ \oint ⋃ \bigcup ⋂ \bigcap ⋁ \bigvee ⋀ \bigwedge ⨁ \bigoplus
    ⨂ \bigotimes ⨀ \bigodot ⨆ \bigsqcup √ \surd
    − - – - ± \pm ∓ \mp × \times ÷ \div · \cdot ⋅ \cdot ∗ * ⋆ \star ∘ \circ ∙ \bullet • \bullet ⊕ \oplus ⊖ \ominus
    ⊗ \otimes ⊘ \oslash ⊙ \odot ∧ \wedge ∨ \vee ∩ \cap ∪ \cup ⊓ \sqcap ⊔ \sqcup ∖ \setminus ⊎ \uplus ⋄ \diamond
    ≤ \leq ≥ \geq ⩽ \leqslant ⩾ \geqslant ≠ \neq ≈ \approx ≡ \equiv ≢ \not\equiv ∼ \sim ≃ \simeq ≅ \cong ≐ \doteq
    ∝ \propto ≪ \ll ≫ \gg ≺ \prec ≻ \succ ⪯ \preceq ⪰ \succeq ≼ \preceq ≽ \succeq ≲ \lesssim ≳ \gtrsim ≔ :=
    ≜ \triangleq ∈ \in ∉ \notin ∋ \ni ⊂ \subset ⊃ \supset ⊆ \subseteq ⊇ \supseteq ⊊ \subsetneq ⊋ \supsetneq ⊄
    \not\subset
    ⊢ \vdash ⊣ \dashv ⊨ \models ∣ \mid ∤ \nmid ∥ \parallel ∦ \nparallel ⟂ \perp ≍ \asymp ⋈ \bowtie ∴ \therefore
    ∵ \because
    → \to ← \leftarrow ↔ \leftrightarrow ⇒ \Rightarrow ⇐ \Leftarrow ⇔ \Leftrightarrow ↦ \mapsto ⟶ \longrightarrow
    ⟵ \longleftarrow ⟷ \longleftrightarrow ⟹ \Longrightarrow ⟸ \Longleftarrow ⟺ \Longleftrightarrow ⟼ \longmapsto
    ↑ \uparrow ↓ \downarrow ↕ \updownarrow ↪ \hookrightarrow ↩ \hookleftarrow ⇌ \rightleftharpoons ↗ \nearrow
    ↘ \searrow ↙ \swarrow ↖ \nwarrow ⇝ \rightsquigarrow ↠ \twoheadrightarrow
    ⟨ \langle ⟩ \rangle 〈 \langle 〉 \rangle ⌈ \lceil ⌉ \rceil ⌊ \lfloor ⌋ \rfloor ‖ \| ⟦ [\![ ⟧ ]\!]
    { \{ } \} % \% # \# & \& $ \$ _ \_
    ℝ \mathbb{R} ℕ \mathbb{N} ℤ \mathbb{Z} ℚ \mathbb{Q} ℂ \mathbb{C} ℙ \mathbb{P} ℍ \mathbb{H} ℒ \mathcal{L}
    ℱ \mathcal{F} ℬ \mathcal{B} ℰ \mathcal{E} ℋ \mathcal{H} ℐ \mathcal{I} ℳ \mathcal{M} ℛ \mathcal{R} ℊ \mathcal{g}
    ℯ \mathcal{e} ℴ \mathcal{o} ℭ \mathfrak{C} ℌ \mathfrak{H} ℨ \mathfrak{Z} ℎ h ⅆ d ⅇ e ⅈ i
    ﬁ fi ﬂ fl
"""
_PAIRS: Final = _TABLE.split()
#: TeX by character. Characters that show nothing (applied functions, invisible products) become nothing.
SYMBOLS: Final = dict(zip(_PAIRS[::2], _PAIRS[1::2], strict=True)) | dict.fromkeys(
    "\u2061\u2062\u2063\u2064\u200b\u2060\ufeff\u00ad", ""
)
_FUNCTION_NAMES: Final = """
    sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim limsup liminf max min sup inf
    det dim ker gcd deg arg hom Pr
"""
#: Names that TeX has a command for.
FUNCTIONS: Final = frozenset(_FUNCTION_NAMES.split())
_LARGE_OPERATOR_NAMES: Final = r"""
    \sum \prod \coprod \int \iint \iiint \oint \bigcup \bigcap \bigvee \bigwedge \bigoplus \bigotimes \bigodot
    \bigsqcup
    \lim \limsup \liminf \max \min \sup \inf \det \gcd \Pr \argmax \argmin
"""
#: Operators with limits below and above, or beside.
LARGE_OPERATORS: Final = frozenset(_LARGE_OPERATOR_NAMES.split())
#: Commands that are not operators: letters, marks and large operators stand close to what follows.
_ORDINARY_NAMES: Final = r"""
    \partial \nabla \infty \emptyset \ell \hbar \wp \Re \Im \aleph \forall \exists \nexists \neg \top \bot \angle
    \triangle \square \ldots \cdots \vdots \ddots \langle \rangle \lceil \rceil \lfloor \rfloor \surd \dagger
    \blacksquare \flat \sharp
"""
_ORDINARY: Final = frozenset(_ORDINARY_NAMES.split())
#: Commands of the mathematical alphabets of Unicode, by the words of their names.
_ALPHABETS: Final = (
    ("MATHEMATICAL BOLD ITALIC", "boldsymbol"),
    ("MATHEMATICAL BOLD SCRIPT", "mathcal"),
    ("MATHEMATICAL BOLD FRAKTUR", "mathfrak"),
    ("MATHEMATICAL SANS-SERIF", "mathsf"),
    ("MATHEMATICAL DOUBLE-STRUCK", "mathbb"),
    ("MATHEMATICAL MONOSPACE", "mathtt"),
    ("MATHEMATICAL BOLD", "mathbf"),
    ("MATHEMATICAL SCRIPT", "mathcal"),
    ("MATHEMATICAL FRAKTUR", "mathfrak"),
)
_FIRST_ALPHABETIC, _LAST_ALPHABETIC = "\U0001d400", "\U0001d7ff"


def char_tex(char: str) -> str:
    r"""Return a character as TeX.

    >>> [char_tex(char) for char in "απ≤x𝑥𝐱𝔼{"]
    ['\\alpha', '\\pi', '\\leq', 'x', 'x', '\\mathbf{x}', '\\mathbb{E}', '\\{']
    """
    tex = SYMBOLS.get(char)
    if tex is not None:
        return tex
    if _FIRST_ALPHABETIC <= char <= _LAST_ALPHABETIC:
        plain = unicodedata.normalize("NFKC", char)
        plain = SYMBOLS.get(plain, plain)
        name = unicodedata.name(char, "")
        command = next((command for words, command in _ALPHABETS if name.startswith(words)), "")
        return rf"\{command}{{{plain}}}" if command else plain
    return " " if char.isspace() else char


def text_tex(text: str) -> str:
    r"""Return characters as TeX, with spaces after commands where a letter follows.

    >>> text_tex("2πr")
    '2\\pi r'
    """
    return join_tex([char_tex(char) for char in text])


def is_command(tex: str) -> bool:
    r"""Tell whether TeX is one command, such as ``\pi``."""
    return tex[:1] == "\\" and tex[1:].isalpha() and tex.isascii()


def is_operator(tex: str) -> bool:
    """Tell whether TeX is a binary operator or a relation, which has space on both sides."""
    if tex in {"=", "+", "-", "<", ">", ":=", "*"}:
        return True
    if tex.startswith("\\not\\"):
        return True
    return is_command(tex) and tex in _OPERATORS


_GREEK: Final = frozenset(tex for char, tex in SYMBOLS.items() if "\u0370" <= char <= "\u03ff" or char == "µ")
_OPERATORS: Final = frozenset(
    tex for tex in SYMBOLS.values() if is_command(tex) and tex not in _GREEK | _ORDINARY | LARGE_OPERATORS
)


def join_tex(pieces: list[str]) -> str:
    r"""Join TeX, with a space between a command and a letter that follows it. Linear in the length.

    >>> join_tex([r"\alpha", "x", r"\beta", "2"])
    '\\alpha x\\beta 2'
    """
    out: list[str] = []
    after_command = False
    for piece in pieces:
        if not piece:
            continue
        if after_command and (piece[0].isalnum()):
            out.append(" ")
        out.append(piece)
        after_command = _ends_with_command(piece)
    return "".join(out)


_MAX_COMMAND: Final = 32  #: characters of the longest command


def _ends_with_command(tex: str) -> bool:
    tail = tex[-_MAX_COMMAND:]
    backslash = tail.rfind("\\")
    return backslash >= 0 and tail[backslash + 1 :].isascii() and tail[backslash + 1 :].isalpha()


# TeX source as pages write it: the delimiters, styles and spaces around it do not belong to the formula.

_STYLE_WRAPPERS: Final = (r"{\displaystyle", r"{\textstyle", r"{\scriptstyle")
_STYLES: Final = (r"\displaystyle", r"\textstyle")
_DELIMITERS: Final = ((r"\(", r"\)"), (r"\[", r"\]"), ("$$", "$$"), ("$", "$"), ("[latex]", "[/latex]"))
#: XHTML's marks around the content of a script, which kramdown hides in a comment of TeX.
_CDATA: Final = re.compile(r"%?[ \t]{0,9}(?:<!\[CDATA\[|\]\]>)")
_MAX_LETTERS: Final = 12  #: of a formula without any sign of TeX
_SIGN: Final = re.compile(r"[\\^_{}=+<>≤≥≈∈×]")
_NAME: Final = re.compile(r"-?[\w.,()'!|/*:-]+")


def clean_tex(text: str) -> str:
    r"""Return TeX without the delimiters and styles around it, on lines without blank ones.

    >>> clean_tex(r" \( {\displaystyle a^{2} } \) "), clean_tex(r"\displaystyle x"), clean_tex("a\n\n  b ")
    ('a^{2}', 'x', 'a\nb')
    """
    tex = _CDATA.sub("", text) if "CDATA[" in text else text
    tex = strip_delimiters(strip_invisible(tex).replace("\u00a0", " "))[0]
    if tex.startswith(_STYLE_WRAPPERS) and tex.endswith("}") and _closes_at_end(tex):
        tex = tex[1:-1].strip()
    for style in _STYLES:
        if tex.startswith(style) and not tex[len(style) : len(style) + 1].isalpha():
            tex = tex[len(style) :].strip()
    return "\n".join(line for line in (line.strip() for line in tex.splitlines()) if line)


def strip_delimiters(text: str) -> tuple[str, bool | None]:
    r"""Return TeX without its delimiters, and whether they display it; None without delimiters.

    >>> strip_delimiters(r"\[x\]"), strip_delimiters("$x$"), strip_delimiters("x")
    (('x', True), ('x', False), ('x', None))
    """
    tex = text.strip()
    for opening, closing in _DELIMITERS:
        length = len(opening) + len(closing)
        if tex.startswith(opening) and tex.endswith(closing) and len(tex) > length:
            return tex[len(opening) : -len(closing)].strip(), opening in {r"\[", "$$"}
    return tex, None


def _closes_at_end(tex: str) -> bool:
    """Tell whether the brace at the start is closed by the one at the end."""
    depth = 0
    for match in re.finditer(r"\\.|[{}]", tex, re.DOTALL):
        depth += (match[0] == "{") - (match[0] == "}")
        if depth == 0 and match[0] == "}":
            return match.end() == len(tex)
    return False


def looks_like_tex(text: str) -> bool:
    r"""Tell whether text between delimiters may be a formula: it has a sign of TeX, or is a short name.

    >>> [looks_like_tex(text) for text in ("x", "f(x)", r"\alpha", "a = b", " and ", "to the market")]
    [True, True, True, True, False, False]
    """
    stripped = text.strip()
    if not stripped:
        return False
    if _SIGN.search(stripped):
        return True
    is_short = len(stripped) <= _MAX_LETTERS and _NAME.fullmatch(stripped) is not None
    return is_short and (stripped == text or not stripped.isalpha() or len(stripped) == 1)
