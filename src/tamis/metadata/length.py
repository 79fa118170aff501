"""How long the content is: its words, the time that it takes to read, and its beginning."""

import math
import re
from typing import Final

from tamis.html.text import UNSPACED
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import Sourced

#: Words of English that adults read per minute: Brysbaert, How many words do we read per minute? (2019).
WORDS_PER_MINUTE: Final = 238
#: Chinese: Trauzettel-Klosinski and Dietz, Standardized assessment of reading (2012).
CHARACTERS_PER_MINUTE: Final = 255
_MAX_EXCERPT_CHARS: Final = 300
_MIN_EXCERPT_CHARS: Final = 60  #: a shorter paragraph at the beginning is a label or a byline
_MAX_LINES: Final = 20  #: of the beginning that are searched for such a paragraph
_OPENING_CHARS: Final = 5000
_SENTENCE_END: Final = re.compile(r"[.!?…][\"'”’»)]?(?=\s)|[。！？]")


def count_words(text: str) -> tuple[int, int]:
    """Return the number of words of a text, and that of characters in scripts that are written without spaces.

    >>> count_words("three small words"), count_words("水を沸かす")
    ((3, 0), (0, 5))
    """
    unspaced = 0 if text.isascii() else len(UNSPACED.findall(text))
    return len((UNSPACED.sub(" ", text) if unspaced else text).split()), unspaced


def reading_minutes(text: str) -> int:
    """Return how many minutes a text takes to read.

    >>> reading_minutes("word " * 500), reading_minutes("字" * 1000), reading_minutes("")
    (3, 4, 1)
    """
    return _minutes(*count_words(text))


def _minutes(words: int, unspaced: int) -> int:
    return max(1, math.ceil(words / WORDS_PER_MINUTE + unspaced / CHARACTERS_PER_MINUTE))


def find_word_count(source: MetadataSource) -> Sourced[int] | None:
    """Return the number of words of the content; in scripts without spaces, characters are counted."""
    count = sum(_words_of(source))
    return Sourced(count, "text") if count else None


def find_reading_time(source: MetadataSource) -> Sourced[int] | None:
    """Return how many minutes the content takes to read."""
    return Sourced(_minutes(*_words_of(source)), "text") if source.text.strip() else None


def _words_of(source: MetadataSource) -> tuple[int, int]:
    if "words" not in source.cache:
        source.cache["words"] = count_words(source.text)
    counts: tuple[int, int] = source.cache["words"]
    return counts


def find_excerpt(source: MetadataSource) -> Sourced[str] | None:
    """Return the beginning of the content: its first paragraph, cut after a sentence or a word."""
    lines = [" ".join(line.split()) for line in source.text[:_OPENING_CHARS].splitlines() if line.strip()][
        :_MAX_LINES
    ]
    paragraph = next((line for line in lines if len(line) >= _MIN_EXCERPT_CHARS), lines[0] if lines else "")
    return Sourced(_cut(paragraph), "text") if paragraph else None


def _cut(text: str) -> str:
    """Return a text cut to `_MAX_EXCERPT_CHARS`, after a sentence if that leaves enough, else after a word.

    >>> _cut("Boil the water. " * 30).endswith("water."), _cut("word " * 100).endswith("word …")
    (True, True)
    """
    if len(text) <= _MAX_EXCERPT_CHARS:
        return text
    ends = [match.end() for match in _SENTENCE_END.finditer(text[: _MAX_EXCERPT_CHARS + 1])]
    if ends and _MIN_EXCERPT_CHARS <= ends[-1] <= _MAX_EXCERPT_CHARS:
        return text[: ends[-1]]
    return f"{text[: _MAX_EXCERPT_CHARS - 2].rsplit(' ', 1)[0].rstrip(' ,;:')} …"
