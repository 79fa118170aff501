"""Split a text into tokens as jieba does, on which the ROUGE-N of WebMainBench is defined."""

import re
from functools import cache
from importlib.util import find_spec
from typing import Any, Final

#: Han characters, and what jieba leaves to its dictionary together with them.
_BLOCK: Final = re.compile(r"([\u4e00-\u9fd5a-zA-Z0-9+#&._%\-]+)")
_HAN: Final = re.compile(r"[\u4e00-\u9fd5]")
_WORD: Final = re.compile(r"([a-zA-Z0-9]+(?:\.\d+)?%?)")
_SPACE: Final = re.compile(r"(\r\n|\s)")


def split_tokens(text: str) -> list[str]:
    """Return words, numbers, white space and punctuation as tokens.

    Text without Han characters is split by jieba's rules. Han characters are split by jieba if it is installed, else
    each is a token.

    >>> split_tokens("Boil 2.5 l, wait…")
    ['Boil', ' ', '2.5', ' ', 'l', ',', ' ', 'wait', '…']
    """
    jieba = _jieba() if _HAN.search(text) else None
    if jieba is not None:
        tokens: list[str] = jieba.lcut(text)
        return tokens
    tokens = []
    for number, piece in enumerate(_BLOCK.split(text)):
        if number % 2:
            for part in re.split(r"([\u4e00-\u9fd5])", piece):
                tokens += [part] if _HAN.match(part) else [word for word in _WORD.split(part) if word]
        else:
            for space_number, part in enumerate(_SPACE.split(piece)):
                tokens += [part] if space_number % 2 else part
    return tokens


@cache
def _jieba() -> Any:  # noqa: ANN401 (it has no types)
    """Return the module, or None. It is no dependency: a dictionary of 19 MB for one score."""
    if find_spec("jieba") is None:
        return None
    import logging  # noqa: PLC0415

    import jieba  # noqa: PLC0415

    jieba.setLogLevel(logging.WARNING)
    return jieba
