"""Lone surrogates: code points that a Python string may have and no encoding can write."""

import re
from typing import Final

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_JSON_ESCAPE: Final = re.compile(
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
