r"""What a word and a sentence are to the metrics.

A word is a lower-cased run of letters, digits and underscores (``\w+``), as WCXB counts them. Chinese, Japanese
and Korean are written without spaces between words, or with spaces that say little, so text in them is compared by
character. Which of the two is decided once a page, by the gold text, so that every extractor is measured alike.
"""

import re
from collections.abc import Iterable
from typing import Final

#: Bopomofo, kana, Han with its extensions, Hangul: the blocks of Unicode's scripts of these names.
_CJK: Final = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u30ff\u3105-\u318f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_WORD: Final = re.compile(r"\w+")
_CHARACTER: Final = re.compile(f"[{_CJK}]|[^\\W{_CJK}]+")
_ONE_CJK: Final = re.compile(f"[{_CJK}]")
#: The end of a sentence: closing punctuation, then brackets or quotes that belong to it, then space or an end;
#: the full-width marks need no space after them. A line end always ends one: headings and items have no full stop.
_SENTENCE_END: Final = re.compile(r"""(?<=[.!?…])["'”’»)\]]*(?=\s)|(?<=[。！？｡])["'”’」』）]*|[\r\n]+""")


def by_character(text: str) -> bool:
    """Return whether a text is compared by character: more than half of its words are single CJK characters.

    >>> by_character("面包师凌晨四点起床。"), by_character("The word 面包 means bread."), by_character("")
    (True, False, False)
    """
    tokens: list[str] = _CHARACTER.findall(text)
    return 2 * sum(1 for token in tokens if _ONE_CJK.match(token)) > len(tokens)


def words_of(text: str, *, characters: bool = False) -> list[str]:
    """Return the words of a text, lower-cased; with `characters`, each CJK character is a word.

    >>> words_of("It's 5 o'clock!")
    ['it', 's', '5', 'o', 'clock']
    >>> words_of("Linux入门", characters=True)
    ['linux', '入', '门']
    """
    found: list[str] = (_CHARACTER if characters else _WORD).findall(text.lower())
    return found


def sentences_of(text: str, *, characters: bool = False) -> list[tuple[str, ...]]:
    r"""Return the sentences of a text, each as its words; what has no word is no sentence.

    >>> sentences_of("Out of tea. Really?\nYes")
    [('out', 'of', 'tea'), ('really',), ('yes',)]
    """
    pieces = (tuple(words_of(piece, characters=characters)) for piece in _SENTENCE_END.split(text))
    return [piece for piece in pieces if piece]


def numbered(*texts: Iterable[str]) -> list[list[int]]:
    """Return texts with each distinct word replaced by a number, the same in all of them.

    Comparing numbers is what makes the longest common subsequence of long texts cheap.

    >>> numbered(["a", "b", "a"], ["b", "c"])
    [[0, 1, 0], [1, 2]]
    """
    known: dict[str, int] = {}
    return [[known.setdefault(word, len(known)) for word in text] for text in texts]
