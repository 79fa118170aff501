"""Facts about text: lone surrogates, invisible characters, scripts, signs, quotation marks, the size in tokens."""

from typing import Final

from tamis.lazy import lazy_pattern

_SURROGATE: Final = lazy_pattern("[\ud800-\udfff]")
_JSON_ESCAPE: Final = lazy_pattern(
    r"\\u[dD][89aAbB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
)
_PAIR: Final = 12  # characters of two escapes


def replace_surrogates(text: str) -> str:
    r"""Return a text in which U+FFFD takes the place of each lone surrogate. Its length is the same.

    >>> replace_surrogates("tea \ud83d \U0001f375")
    'tea \ufffd \U0001f375'
    """
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def replace_json_surrogates(text: str) -> str:
    r"""Return JSON in which escapes of lone surrogates are escapes of U+FFFD.

    >>> replace_json_surrogates('"\\ud83d\\udf75 \\ud83d"')
    '"\\ud83d\\udf75 \\ufffd"'
    """
    if "\\ud" not in text and "\\uD" not in text:
        return text
    return _JSON_ESCAPE.sub(lambda match: match[0] if len(match[0]) == _PAIR else "\\ufffd", text)


def unescape(text: str) -> str:
    """Return a text without character references. Their table is imported where there is one.

    >>> unescape("Salt &amp; pepper")
    'Salt & pepper'
    """
    if "&" not in text:
        return text
    from html import unescape as unescape_references  # noqa: PLC0415 (few pages need it)

    return unescape_references(text)


# Invisible characters: they are removed from every output, and counted for warnings.
#
# Zero-width characters hide text inside words, bidirectional controls change the order in which a line is read, and
# tag characters carry whole sentences that no reader sees. Joiners stay where scripts need them: after letters of
# Arabic and of the scripts of India and South-East Asia, and within emoji.

_ZERO_WIDTH: Final = "\u00ad\u180e\u200b\u2060-\u2064\ufeff\U000e0000-\U000e007f\U000e0100-\U000e01ef"
_BIDI: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_BEFORE_JOINER: Final = "\u0600-\u1fff\u2190-\u2bff\u3000-\udfff\uf900-\ufdff\ufe0f\ufe70-\ufefe\U00010000-\U000dffff"
_INVISIBLE: Final = lazy_pattern(f"[{_ZERO_WIDTH}{_BIDI}]|(?<![{_BEFORE_JOINER}])[\u200c\u200d]")
_BIDI_CONTROL: Final = lazy_pattern(f"[{_BIDI}]")


def strip_invisible(text: str) -> str:
    """Return text without invisible characters.

    >>> strip_invisible("pass\u200bword \u202eevil\u202c"), strip_invisible("می\u200cخواهم")
    ('password evil', 'می\u200cخواهم')
    """
    return text if text.isascii() else _INVISIBLE.sub("", text)


def count_invisible(text: str) -> tuple[int, int]:
    """Return how many zero-width characters and how many bidi controls `strip_invisible` removes.

    >>> count_invisible("pass\u200bword \u202eevil\u202c")
    (1, 2)
    """
    if text.isascii():
        return 0, 0
    invisible = len(_INVISIBLE.findall(text))
    bidi = len(_BIDI_CONTROL.findall(text))
    return invisible - bidi, bidi


#: Scripts written without spaces: kana, Han, Thai, Lao, Khmer, Burmese.
UNSPACED: Final = lazy_pattern(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
#: The text of links from a heading to itself.
ANCHOR_SIGNS: Final = "#¶§🔗⚓∞"

# Which languages are written from right to left, for pages that leave the direction to their style sheets.

_RIGHT_TO_LEFT: Final = frozenset(
    ("ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "ps", "sd", "syr", "ug", "ur", "yi")
)


def is_right_to_left(language: str) -> bool:
    """Tell whether a language, as ``lang`` names it, is written from right to left.

    >>> is_right_to_left("ar-EG"), is_right_to_left("HE"), is_right_to_left("en"), is_right_to_left("")
    (True, True, False, False)
    """
    return language.partition("-")[0].lower() in _RIGHT_TO_LEFT


# The marks that browsers draw around a ``q`` element.

OPENING_QUOTE: Final = "\N{LEFT DOUBLE QUOTATION MARK}"
CLOSING_QUOTE: Final = "\N{RIGHT DOUBLE QUOTATION MARK}"


#: Rule of thumb of the makers of language models: a token is about four characters of English. Bytes instead of
#: characters, because scripts with more bytes per character have more tokens per character.
BYTES_PER_TOKEN: Final = 4


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a language model reads.

    >>> estimate_tokens("Boil the water."), estimate_tokens("")
    (4, 0)
    """
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)
