"""TeX source as pages write it: the delimiters, styles and spaces around it are no part of the formula."""

import re
from typing import Final

from tamis.document.detect.invisible import strip_invisible

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
