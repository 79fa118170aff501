r"""Split texts into words and sentences for the metrics.

A word is a lower-cased run of letters, digits and underscores (``\w+``), as in WCXB. Chinese, Japanese and Korean
have no spaces between words, or spaces that say little, so text in them is compared by character. The gold text
decides which of the two applies, once per page, so that every tool is measured alike.
"""

import re
from collections.abc import Iterable
from typing import Final

#: Bopomofo, kana, Han with its extensions, Hangul: the Unicode blocks of these scripts.
_CJK: Final = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u30ff\u3105-\u318f"
    "\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_WORD: Final = re.compile(r"\w+")
_CJK_CHARACTER_OR_WORD: Final = re.compile(f"[{_CJK}]|[^\\W{_CJK}]+")
_CJK_CHARACTER: Final = re.compile(f"[{_CJK}]")
#: The end of a sentence: closing punctuation, then its brackets or quotes, then white space. Full-width marks need no
#: space after them. A line end always ends a sentence: headings and list items have no full stop.
_SENTENCE_END: Final = re.compile(r"""(?<=[.!?…])["'”’»)\]]*(?=\s)|(?<=[。！？｡])["'”’」』）]*|[\r\n]+""")


def is_cjk(text: str) -> bool:
    """Return whether a text is compared by character: more than half of its words are single CJK characters.

    >>> is_cjk("面包师凌晨四点起床。"), is_cjk("The word 面包 means bread."), is_cjk("")
    (True, False, False)
    """
    words: list[str] = _CJK_CHARACTER_OR_WORD.findall(text)
    return 2 * sum(1 for word in words if _CJK_CHARACTER.match(word)) > len(words)


def split_words(text: str, *, cjk: bool = False) -> list[str]:
    """Return the words of a text in lower case; with `cjk`, each CJK character is a word.

    >>> split_words("It's 5 o'clock!")
    ['it', 's', '5', 'o', 'clock']
    >>> split_words("Linux入门", cjk=True)
    ['linux', '入', '门']
    """
    words: list[str] = (_CJK_CHARACTER_OR_WORD if cjk else _WORD).findall(text.lower())
    return words


def split_sentences(text: str, *, cjk: bool = False) -> list[tuple[str, ...]]:
    r"""Return the sentences of a text, each as a tuple of its words; sentences without words are left out.

    >>> split_sentences("Out of tea. Really?\nYes")
    [('out', 'of', 'tea'), ('really',), ('yes',)]
    """
    sentences = (tuple(split_words(sentence, cjk=cjk)) for sentence in _SENTENCE_END.split(text))
    return [sentence for sentence in sentences if sentence]


def word_ids(*texts: Iterable[str]) -> list[list[int]]:
    """Return texts with each distinct word replaced by an integer, the same in all texts.

    The longest common subsequence of long texts is much cheaper to compute on integers.

    >>> word_ids(["a", "b", "a"], ["b", "c"])
    [[0, 1, 0], [1, 2]]
    """
    ids: dict[str, int] = {}
    return [[ids.setdefault(word, len(ids)) for word in text] for text in texts]
