"""Translate AsciiMath to TeX: a parser for the grammar of asciimath.org."""

import re
from dataclasses import dataclass
from typing import Final

from tamis.document.detectors.formulas.symbols import char_tex, is_operator, join_tex
from tamis.page.deadline import check_time

# The words and signs of AsciiMath, as TeX (asciimath.org lists them).

_TABLE: Final = r"""
    + + - - * \cdot ** \ast *** \star // / \\ \backslash setminus \setminus xx \times -: \div @ \circ o+ \oplus
    ox \otimes o. \odot sum \sum prod \prod ^^ \wedge ^^^ \bigwedge vv \vee vvv \bigvee nn \cap nnn \bigcap uu \cup
    uuu \bigcup = = != \neq := := < < <= \leq lt= \leq > > >= \geq gt= \geq mlt \ll mgt \gg -< \prec -lt \prec >-
    \succ -<= \preceq >-= \succeq in \in !in \notin sub \subset sup \supset sube \subseteq supe \supseteq -= \equiv
    ~= \cong ~~ \approx ~ \sim prop \propto not \neg => \Rightarrow
    <=> \Leftrightarrow AA \forall EE \exists _|_ \bot TT \top |-- \vdash |== \models
    int \int oint \oint del \partial grad \nabla +- \pm O/ \emptyset oo \infty aleph \aleph ... \ldots :. \therefore
    :' \because /_ \angle /_\ \triangle ' ' quad \quad qquad \qquad cdots \cdots vdots \vdots ddots \ddots
    diamond \diamond square \square |__ \lfloor __| \rfloor |~ \lceil ~| \rceil CC \mathbb{C} NN \mathbb{N}
    QQ \mathbb{Q} RR \mathbb{R} ZZ \mathbb{Z} uarr \uparrow darr \downarrow rarr \rightarrow -> \to
    >-> \rightarrowtail ->> \twoheadrightarrow |-> \mapsto larr \leftarrow harr \leftrightarrow rArr \Rightarrow
    lArr \Leftarrow
    hArr \Leftrightarrow times \times div \div cdot \cdot le \leq ge \geq ne \neq leq \leq geq \geq neq \neq
    infty \infty partial \partial nabla \nabla pm \pm to \to subset \subset supset \supset cup \cup cap \cap
    forall \forall exists \exists ldots \ldots equiv \equiv approx \approx lt < gt > dx dx
    dy dy dz dz dt dt , , ; ; ! ! ? ? . .
    alpha \alpha beta \beta gamma \gamma Gamma \Gamma delta \delta Delta \Delta epsilon \epsilon
    varepsilon \varepsilon epsi \epsilon zeta \zeta eta \eta theta \theta Theta \Theta vartheta \vartheta iota \iota
    kappa \kappa
    lambda \lambda Lambda \Lambda mu \mu nu \nu xi \xi Xi \Xi pi \pi Pi \Pi rho \rho sigma \sigma Sigma \Sigma
    tau \tau upsilon \upsilon phi \phi varphi \varphi Phi \Phi chi \chi psi \psi Psi \Psi omega \omega Omega \Omega
    lim \lim Lim \lim sin \sin cos \cos tan \tan sinh \sinh cosh \cosh tanh \tanh cot \cot sec \sec csc \csc
    arcsin \arcsin arccos \arccos arctan \arctan log \log ln \ln exp \exp det \det dim \dim mod \mod gcd \gcd
    lcm \operatorname{lcm} lub \operatorname{lub} glb \operatorname{glb} min \min max \max Sin \sin Cos \cos Tan
    \tan
    f f g g
"""
_WORDS: Final = _TABLE.split()
#: TeX by word or sign.
CONSTANTS: Final = dict(zip(_WORDS[::2], _WORDS[1::2], strict=True)) | {
    word: rf"\text{{ {word} }}" for word in ("and", "or", "if")
}
_UNARY_TABLE: Final = """
    sqrt sqrt hat hat bar overline overline overline vec vec dot dot ddot ddot tilde tilde ul underline
    underline underline ubrace underbrace underbrace underbrace obrace overbrace overbrace overbrace cancel cancel
    bb mathbf mathbf mathbf bbb mathbb mathbb mathbb cc mathcal mathcal mathcal tt mathtt mathtt mathtt fr mathfrak
    mathfrak mathfrak sf mathsf mathsf mathsf rm mathrm mathrm mathrm
"""
#: Commands with one argument.
UNARY: Final = dict(zip(_UNARY_TABLE.split()[::2], _UNARY_TABLE.split()[1::2], strict=True))
#: Words with one argument that is set between two signs.
SURROUNDING: Final = {
    "abs": ("|", "|"), "norm": (r"\|", r"\|"), "floor": (r"\lfloor ", r"\rfloor"), "ceil": (r"\lceil ", r"\rceil"),
}  # fmt: skip
#: Commands with two arguments.
BINARY: Final = {
    "frac": "frac", "stackrel": "stackrel", "overset": "overset", "underset": "underset", "root": "sqrt",
    "color": "color", "class": "", "id": "",
}  # fmt: skip
#: Words whose argument is text.
TEXTS: Final = frozenset({"text", "mbox"})
LEFT: Final = {"(": "(", "[": "[", "{": r"\{", "(:": r"\langle ", "<<": r"\langle ", "{:": ".", "langle": r"\langle "}
RIGHT: Final = {")": ")", "]": "]", "}": r"\}", ":)": r"\rangle", ">>": r"\rangle", ":}": ".", "rangle": r"\rangle"}


# Translate AsciiMath to TeX: a parser for the grammar of asciimath.org.
#
# An expression is a row of terms. A term is a simple expression with scripts; two terms with ``/`` between them are a
# fraction. Brackets around the argument of a command, a script or a fraction only group and are dropped.

_ALL_SIGNS: Final = {*CONSTANTS, *UNARY, *SURROUNDING, *BINARY, *TEXTS, *LEFT, *RIGHT, "/", "_", "^", "|"}
_BY_FIRST: Final = {
    first: "|".join(re.escape(sign[1:]) for sign in sorted(_ALL_SIGNS, key=len, reverse=True) if sign[0] == first)
    for first in sorted({sign[0] for sign in _ALL_SIGNS})
}
#: The longest sign comes first. Signs with one first character are tried together.
_SIGN: Final = re.compile("|".join(f"{re.escape(first)}(?:{others})" for first, others in _BY_FIRST.items()))
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_BAR, _COMMA, _ROOT, _OPEN = "|", ",", "root", "{:"
_SCRIPTS: Final = ("_", "^")
_TALL: Final = (r"\frac", r"\begin", r"\sum", r"\int", r"\prod")  #: commands that brackets grow around
_MAX_LEVELS: Final = 40  #: of nested brackets and commands
_MAX_MATRICES: Final = 2  #: inside each other
_MATRICES: Final = {("[", "]"): "bmatrix", ("(", ")"): "pmatrix", ("|", "|"): "vmatrix", (r"\{", r"\}"): "Bmatrix"}


class _TooDeepError(Exception):
    """The expression is nested too deep."""


@dataclass(slots=True)
class _Term:
    """A parsed term: its TeX, and what is inside if it is in brackets that only group."""

    tex: str
    inner: str | None = None
    brackets: tuple[str, str] = ("", "")

    @property
    def argument(self) -> str:
        return self.tex if self.inner is None else self.inner


def asciimath_to_tex(text: str) -> str:
    r"""Return AsciiMath as TeX.

    >>> asciimath_to_tex("sum_(i=1)^n i^3=((n(n+1))/2)^2")
    '\\sum_{i = 1}^{n}i^{3} = \\left(\\frac{n(n + 1)}{2}\\right)^{2}'
    >>> asciimath_to_tex("[[a,b],[c,d]] x")
    '\\begin{bmatrix} a & b \\\\ c & d \\end{bmatrix}x'
    """
    parser = _Parser(_tokens(text))
    try:
        return " ".join(parser.expression(closing=False).split())
    except _TooDeepError:
        return " ".join(text.split())


def _tokens(text: str) -> list[str]:
    r"""Cut AsciiMath into words and signs; the longest that fits is taken.

    >>> _tokens('sqrt2 "a b"+alphax')
    ['sqrt', '2', '"a b', '+', 'alpha', 'x']
    """
    out: list[str] = []
    position = 0
    while position < len(text):
        char = text[position]
        if char.isspace():
            position += 1
            continue
        number = _NUMBER.match(text, position)
        if number:
            out.append(number[0])
            position = number.end()
            continue
        if char == '"':
            stop = text.find('"', position + 1)
            stop = len(text) if stop < 0 else stop
            out.append('"' + text[position + 1 : stop])
            position = stop + 1
            continue
        found = _SIGN.match(text, position)
        sign = found[0] if found else char
        position += len(sign)
        if sign in TEXTS and text[position : position + 1] in {"(", "[", "{"}:
            stop = text.find({"(": ")", "[": "]", "{": "}"}[text[position]], position)
            stop = len(text) if stop < 0 else stop
            out.append('"' + text[position + 1 : stop])
            position = stop + 1
            continue
        out.append(sign)
    return out


_ROW_BRACKETS: Final = {"(": ")", "[": "]"}


class _Parser:
    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.position, self.level = [*tokens, ""], 0, 0  # the last stands for the end
        self.in_matrix = 0  # matrices around these tokens; each is parsed once more
        self.closing = _closing_brackets(tokens)

    def _peek(self) -> str:
        return self.tokens[self.position]

    def _next(self) -> str:
        token = self.tokens[self.position]
        self.position += token != ""
        return token

    def expression(self, *, closing: bool) -> str:
        """Parse terms up to the end, or up to a closing bracket."""
        check_time()
        pieces: list[str] = []
        operand_before = False
        while (token := self._peek()) and not (closing and (token in RIGHT or (token == _BAR and pieces))):
            tex = self._fraction()
            if is_operator(tex):
                pieces.append(f" {tex} " if operand_before else tex)
                operand_before = False
            else:
                pieces.append(tex + (" " if tex in {",", ";"} else ""))
                operand_before = tex not in {",", "("}
        return (pieces[0] if len(pieces) == 1 else join_tex(pieces)).strip()

    def _fraction(self) -> str:
        """Parse a term, or two terms with a slash between them."""
        term = self._scripted()
        if self.tokens[self.position] != "/":
            return term.tex
        self._next()
        below = self._scripted() if self._peek() else _Term("")
        return rf"\frac{{{term.argument}}}{{{below.argument}}}"

    def _scripted(self) -> _Term:
        """Parse a simple expression with its scripts."""
        term = self._simple()
        if self.tokens[self.position] not in _SCRIPTS:
            return term
        scripts = ""
        for mark in _SCRIPTS:
            if self._peek() == mark and self.tokens[self.position + 1]:
                self._next()
                sign = self._next() if self._peek() in {"-", "+"} and self.tokens[self.position + 1] else ""
                scripts += f"{mark}{{{sign}{self._simple().argument}}}"
        return _Term(term.tex + scripts) if scripts else term

    def _simple(self) -> _Term:
        self.level += 1
        if self.level > _MAX_LEVELS:
            raise _TooDeepError
        term = self._of_token(self._next())
        self.level -= 1
        return term

    def _of_token(self, token: str) -> _Term:  # noqa: PLR0911 (one return per kind of token)
        if token in LEFT or token == _BAR:
            return self._bracketed(token)
        if token[:1] == '"':
            return _Term(rf"\text{{{token[1:]}}}")
        if token in SURROUNDING:
            opening, closing = SURROUNDING[token]
            return _Term(join_tex([opening + self._simple().argument, closing]))
        if token in UNARY:
            return _Term(rf"\{UNARY[token]}{{{self._simple().argument}}}")
        if token in BINARY:
            return self._binary(token)
        if token in CONSTANTS:
            return _Term(CONSTANTS[token])
        return _Term("".join(char_tex(char) for char in token) if token not in _SCRIPTS else rf"\{token}")

    def _binary(self, token: str) -> _Term:
        first, second = self._simple().argument, self._simple().argument
        if token == _ROOT:
            return _Term(rf"\sqrt[{first}]{{{second}}}")
        command = BINARY[token]
        return _Term(rf"\{command}{{{first}}}{{{second}}}" if command else second)

    def _bracketed(self, token: str) -> _Term:
        start = self.position
        stop = self.closing.get(start - 1, -1)
        is_one_bracket = self.closing.get(start) == stop - 1  # a matrix has several rows
        if token != _BAR and stop > 0 and not is_one_bracket:  # what may be one is not read as an expression before
            matrix = self._matrix(start, stop, (LEFT.get(token, "|"), RIGHT.get(self.tokens[stop], "")))
            if matrix:
                self.position = stop + 1
                return _Term(matrix, matrix if token == _OPEN else None)
        inner = self.expression(closing=True)
        closing = self._next()
        opening_tex, closing_tex = LEFT.get(token, "|"), RIGHT.get(closing, "|" if closing == "|" else "")
        if token == _BAR and not closing:  # a bar alone
            return _Term(join_tex(["|", inner]))
        if token == _BAR:
            matrix = self._matrix(start, self.position - 1, (opening_tex, closing_tex))
            if matrix:
                return _Term(matrix)
        if not closing_tex:
            return _Term(join_tex([opening_tex.strip(), inner]))
        tall = "\\" in inner and any(command in inner for command in _TALL)
        if tall or "." in (opening_tex, closing_tex):
            bare = opening_tex == closing_tex == "."
            tex = inner if bare else join_tex([rf"\left{opening_tex.strip()}", inner, rf"\right{closing_tex}"])
        else:
            tex = opening_tex + inner + closing_tex  # no bracket continues the name of a command
        return _Term(tex, inner if token != _BAR else None, (opening_tex, closing_tex))

    def _matrix(self, start: int, stop: int, brackets: tuple[str, str]) -> str:
        """Return a matrix, if what is between two brackets is rows in brackets of one kind; else nothing."""
        rows = self._matrix_rows(start, stop) if self.in_matrix < _MAX_MATRICES else []
        if not rows:
            return ""
        cells = []
        for row in rows:
            cell_texts = []
            for cell in row:
                parser = _Parser(cell)
                parser.level, parser.in_matrix = self.level, self.in_matrix + 1
                cell_texts.append(parser.expression(closing=False))
            cells.append(" & ".join(cell_texts))
        name = "cases" if brackets == (r"\{", ".") else _MATRICES.get(brackets, "matrix")
        return rf"\begin{{{name}}} " + r" \\ ".join(cells) + rf" \end{{{name}}}"

    def _matrix_rows(self, start: int, stop: int) -> list[list[list[str]]]:
        """Return the cells of each row of a matrix; none if the tokens of the range are not a matrix."""
        opening = self.tokens[start] if start < stop else ""
        if opening not in _ROW_BRACKETS or self.tokens[stop - 1] != _ROW_BRACKETS[opening]:
            return []
        ranges: list[tuple[int, int]] = []
        position = start
        while position < stop:
            if self.tokens[position] != _COMMA:
                end = self.closing.get(position, stop)
                if end >= stop or self.tokens[position] != opening or self.tokens[end] != _ROW_BRACKETS[opening]:
                    return []
                ranges.append((position + 1, end))
                position = end
            position += 1
        rows = [self._cells(*between) for between in ranges] if len(ranges) > 1 else []
        return rows if len({len(row) for row in rows}) == 1 else []

    def _cells(self, start: int, stop: int) -> list[list[str]]:
        """Return the tokens between the commas of a row."""
        cells: list[list[str]] = [[]]
        position = start
        while position < stop:
            end = self.closing.get(position, position) + 1
            if self.tokens[position] == _COMMA:
                cells.append([])
            else:
                cells[-1].extend(self.tokens[position:end])
            position = end
        return cells


def _closing_brackets(tokens: list[str]) -> dict[int, int]:
    """Return where each bracket is closed, by its position.

    >>> _closing_brackets(["(", "a", "[", "]", ")", ")", "("])
    {2: 3, 0: 4}
    """
    closing: dict[int, int] = {}
    opened: list[int] = []
    for position, token in enumerate(tokens):
        is_left, is_right = token in LEFT, token in RIGHT
        if is_left and not is_right:
            opened.append(position)
        elif is_right and not is_left and opened:
            closing[opened.pop()] = position
    return closing
