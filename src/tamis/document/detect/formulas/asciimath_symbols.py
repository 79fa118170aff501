"""The words and signs of AsciiMath, as TeX (asciimath.org lists them)."""

from typing import Final

_TABLE: Final = r"""
    + + - - * \cdot ** \ast *** \star // / \\ \backslash setminus \setminus xx \times -: \div @ \circ o+ \oplus
    ox \otimes o. \odot sum \sum prod \prod ^^ \wedge ^^^ \bigwedge vv \vee vvv \bigvee nn \cap nnn \bigcap uu \cup
    uuu \bigcup = = != \ne := := < < <= \le lt= \le > > >= \ge gt= \ge mlt \ll mgt \gg -< \prec -lt \prec >- \succ
    -<= \preceq >-= \succeq in \in !in \notin sub \subset sup \supset sube \subseteq supe \supseteq -= \equiv
    ~= \cong ~~ \approx ~ \sim prop \propto not \neg => \Rightarrow
    <=> \Leftrightarrow AA \forall EE \exists _|_ \bot TT \top |-- \vdash |== \models
    int \int oint \oint del \partial grad \nabla +- \pm O/ \emptyset oo \infty aleph \aleph ... \ldots :. \therefore
    :' \because /_ \angle /_\ \triangle ' ' quad \quad qquad \qquad cdots \cdots vdots \vdots ddots \ddots
    diamond \diamond square \square |__ \lfloor __| \rfloor |~ \lceil ~| \rceil CC \mathbb{C} NN \mathbb{N}
    QQ \mathbb{Q} RR \mathbb{R} ZZ \mathbb{Z} uarr \uparrow darr \downarrow rarr \rightarrow -> \to
    >-> \rightarrowtail ->> \twoheadrightarrow |-> \mapsto larr \leftarrow harr \leftrightarrow rArr \Rightarrow
    lArr \Leftarrow
    hArr \Leftrightarrow times \times div \div cdot \cdot le \le ge \ge ne \ne leq \le geq \ge neq \ne infty \infty
    partial \partial nabla \nabla pm \pm to \to subset \subset supset \supset cup \cup cap \cap forall \forall
    exists \exists ldots \ldots equiv \equiv approx \approx lt < gt > dx dx dy dy dz dz dt dt , , ; ; ! ! ? ? . .
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
