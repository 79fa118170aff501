"""A short abstract made of the content's own sentences, and how long the content takes to read.

The paper's users asked for a lead picture and an abstract before long content. Sentences are weighed by how close
they are to the whole (the cosine with the centroid of all sentences, as in MEAD: Radev et al., Centroid-based
summarization of multiple documents, 2004), earlier ones somewhat more; a sentence that repeats a chosen one is passed
over. Words are what spaces divide, and pairs of characters where a script writes none.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from tamis.document.document import Document
from tamis.document.parts import Paragraph, Part
from tamis.document.spans import plain_text

#: Words a minute of silent reading: Brysbaert, How many words do we read per minute? (2019), non-fiction.
WORDS_A_MINUTE: Final = 238
#: Characters a minute in Chinese: Trauzettel-Klosinski and Dietz, Standardized assessment of reading (2012).
CHARACTERS_A_MINUTE: Final = 255
#: From so many minutes on content is long: an abstract and the lead picture come first.
LONG: Final = 3
_SENTENCES: Final = 3
_MOST: Final = 300  #: sentences looked at; the centroid of more is much the same
_SHORTEST, _LONGEST = 40, 320  #: columns of a sentence that can stand alone
_ALIKE: Final = 0.5  #: cosine from which two sentences say the same
_LEAD: Final = 0.5  #: how much more the first sentence weighs than the last
#: Scripts written without spaces: kana, Han, Thai, Lao, Khmer, Burmese.
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
#: Where a sentence ends: a stop and what closes it, before a space that no small letter follows, or a wide stop.
_END: Final = re.compile(r"(?:[.!?…؟।۔][\"'”’»)\]]*\s+(?=[^\sa-z\d]))|(?<=[。！？])[」』”）]*")


def minutes(text: str) -> int:
    """Return how many minutes a text takes to read.

    >>> minutes("word " * 500), minutes("字" * 1000), minutes("")
    (3, 4, 1)
    """
    unspaced = len(_UNSPACED.findall(text))
    words = len(_UNSPACED.sub(" ", text).split())
    return max(1, math.ceil(words / WORDS_A_MINUTE + unspaced / CHARACTERS_A_MINUTE))


def sentences(text: str) -> list[str]:
    """Return the sentences of a text.

    >>> sentences("Warm the pot. It is 3.5 cm high! 水を沸かす。三分待つ。")
    ['Warm the pot.', 'It is 3.5 cm high!', '水を沸かす。', '三分待つ。']
    """
    out, start = [], 0
    for end in _END.finditer(text):
        out.append(text[start : end.end()].strip())
        start = end.end()
    return [sentence for sentence in (*out, text[start:].strip()) if sentence]


def abstract(document: Document, title: str = "") -> list[str]:
    """Return the sentences that say most of a document, in its order; none where there are few."""
    found = [one for text in _paragraphs(document.parts) for one in sentences(text)][:_MOST]
    # A mark at the end tells a sentence from a caption or a heading that was written as a paragraph.
    usable = [
        place
        for place, one in enumerate(found)
        if _SHORTEST <= _columns(one) <= _LONGEST and one.rstrip("\"'”’»)]」』）")[-1:] in ".!?…。！？؟।۔"
    ]
    if len(usable) < 3 * _SENTENCES:
        return []
    terms = [Counter(_terms(one)) for one in found]
    seen = Counter(term for one in terms for term in one)
    rarity = {term: math.log(1 + len(found) / count) for term, count in seen.items()}
    vectors = [{term: count * rarity[term] for term, count in one.items()} for one in terms]
    centroid = {term: count * rarity[term] for term, count in seen.items()}
    named = set(_terms(title))
    weights = {
        place: _cosine(vectors[place], centroid)
        * (1 + _LEAD * (1 - place / len(found)))
        * (1 + 0.5 * len(named & set(vectors[place])) / max(1, len(named)))
        for place in usable
    }
    chosen: list[int] = []
    for place in sorted(usable, key=lambda place: (-weights[place], place)):
        if all(_cosine(vectors[place], vectors[other]) < _ALIKE for other in chosen):
            chosen.append(place)
        if len(chosen) == _SENTENCES:
            break
    return [found[place] for place in sorted(chosen)]


def _paragraphs(parts: Iterable[Part]) -> Iterable[str]:
    """Give running text alone: what stands in lists, tables, posts and notes has its sense from around it."""
    for part in parts:
        if isinstance(part, Paragraph) and not part.verse:
            yield from (" ".join(line.split()) for line in plain_text(part.spans).split("\n"))


def _terms(text: str) -> list[str]:
    words = _WORD.findall(_UNSPACED.sub(" ", text).lower())
    run = _UNSPACED.findall(text)
    return [word for word in words if len(word) > 3] + [a + b for a, b in pairwise(run)]  # noqa: PLR2004


def _columns(text: str) -> int:
    return len(text) + len(_UNSPACED.findall(text))


def _cosine(one: dict[str, float], other: dict[str, float]) -> float:
    if len(one) > len(other):
        one, other = other, one
    dot = sum(weight * other.get(term, 0.0) for term, weight in one.items())
    norm = math.sqrt(sum(weight**2 for weight in one.values())) * math.sqrt(sum(w**2 for w in other.values()))
    return dot / norm if norm else 0.0
