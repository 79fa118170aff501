"""Images of formulas: the TeX is in the alternative text, in the title, in a ``data-`` attribute or in the URL."""

import re
from typing import Final
from urllib.parse import unquote

from tamis.document.detect.formulas.tex import clean_tex, looks_like_tex

#: Classes of images that are formulas.
_CLASS: Final = re.compile(
    r"(?:^|\s)(?:tex|latex|latexcenter|math|eq|mwe-math-fallback-\S*|equation_image|ql-img-\S*|quicklatex\S*|"
    r"Wirisformula|ee_img|mathjax-img|wp-katex-eq|formula)(?:\s|$)"
)
#: Services that draw the TeX of their URL, and the text that comes before it there.
_SERVICES: Final = (
    ("codecogs.com/", "?"), ("/latex.php", "latex="), ("chart?cht=tx", "chl="), ("render/math", "math="),
    ("math.now.sh", "from="), ("math.now.sh", "inline="), ("zhihu.com/equation", "tex="), ("/mathtex.cgi", "?"),
    ("/mimetex.cgi", "?"), ("upmath.me/", "/svg/"), ("upmath.me/", "/png/"), ("tex.s2cms.ru/", "/svg/"),
    ("math.jianshu.com", "formula="), ("latex.vimsky.com", "?"), ("i.upmath.me", "/svg/"), ("/cgi-bin/tex", "?"),
    ("sciweavers.org/tex2img.php", "eq="), ("math.vercel.app", "from="), ("latex.ppizarror.com", "?"),
)  # fmt: skip
_SERVICE_WORDS: Final = tuple(dict.fromkeys(word for word, _ in _SERVICES))
#: Settings that codecogs reads from the TeX.
_SETTINGS: Final = re.compile(
    r"^(?:\s|\\inline\b|\\dpi\{\d*\}|\\bg_\w+|\\fn_\w+|\\(?:tiny|small|large|Large|LARGE|huge|normalsize)\b|"
    r"\\color\{\w*\}|\\fg_\w+)"
)
_TEX_ATTRIBUTES: Final = ("data-latex", "data-tex", "data-equation-content", "data-formula", "data-math", "data-eq")
_DISPLAY_CLASS: Final = re.compile(r"display|latexcenter|block", re.IGNORECASE)


def is_formula_image(attributes: dict[str, str]) -> bool:
    """Tell whether an image has the class of a formula, its TeX as an attribute, or the URL of a service."""
    if _CLASS.search(attributes.get("class", "")) or any(name in attributes for name in _TEX_ATTRIBUTES):
        return True
    src = _source(attributes)
    return any(word in src for word in _SERVICE_WORDS)


def image_tex(attributes: dict[str, str]) -> str:
    r"""Return the TeX of an image of a formula; ``""`` if it has none.

    >>> image_tex({"src": r"https://latex.codecogs.com/gif.latex?\dpi{110}&space;\frac{a}{b}&plus;1", "alt": ""})
    '\\frac{a}{b}+1'
    >>> image_tex({"src": "https://s0.wp.com/latex.php?latex=x%5E2&bg=ffffff&fg=000&s=0"})
    'x^2'
    """
    for name in _TEX_ATTRIBUTES:
        if attributes.get(name, "").strip():
            return clean_tex(attributes[name])
    named = bool(_CLASS.search(attributes.get("class", "")))
    for name in ("alt", "title"):
        value = attributes.get(name, "")
        if value.strip() and not value.startswith(("http", "Rendered by")) and (named or looks_like_tex(value)):
            return _strip_settings(clean_tex(value))
    return _url_tex(_source(attributes))


def image_display(attributes: dict[str, str]) -> bool | None:
    """Tell whether a class says that an image is displayed, or that it is inline; None if it says neither."""
    classes = attributes.get("class", "")
    if _DISPLAY_CLASS.search(classes):
        return True
    return False if "inline" in classes else None


def _source(attributes: dict[str, str]) -> str:
    src = attributes.get("src", "")
    return src if src and not src.startswith("data:") else attributes.get("data-src", "")


def _url_tex(src: str) -> str:
    for word, before in _SERVICES:
        at = src.find(word)
        start = src.find(before, at) if at >= 0 else -1
        if start < 0:
            continue
        value = src[start + len(before) :]
        if before.endswith("="):
            value = value.partition("&")[0].replace("+", " ")
        else:
            value = value.replace("&space;", " ").replace("&plus;", "+").replace("&amp;", "&")
        tex = clean_tex(_strip_settings(unquote(value)))
        if tex:
            return tex
    return ""


def _strip_settings(tex: str) -> str:
    setting = _SETTINGS.match(tex)
    while setting and setting.end():
        tex = tex[setting.end() :]
        setting = _SETTINGS.match(tex)
    return tex.strip()
