"""A short abstract made of the content's own sentences, and the reading time.

The paper's users asked for a lead image and an abstract before long content. Sentences are ranked by their similarity
to the whole (the cosine with the centroid of all sentences, as in MEAD: Radev et al., Centroid-based summarization of
multiple documents, 2004), with a bonus for early ones. A sentence that repeats a chosen one is skipped. Terms are
words, or pairs of characters in scripts without spaces.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

from tamis.document.document import Document
from tamis.document.parts import Paragraph, Part, spans_text
from tamis.html.text import UNSPACED

#: Reading time from which an abstract and the lead image come first.
LONG_READ_MINUTES: Final = 4
_OPENING_SENTENCES: Final = 4  #: an abstract of which most is among the first sentences says nothing new
_ABSTRACT_SENTENCES: Final = 3
_MAX_SENTENCES: Final = 300  #: sentences that are compared; the centroid of more is much the same
_MIN_COLUMNS, _MAX_COLUMNS = 40, 320  #: of a sentence that can stand alone
_REPEATS_COSINE: Final = 0.5  #: cosine from which two sentences say the same
_POSITION_BONUS: Final = 0.5  #: how much more the first sentence weighs than the last
_TITLE_BONUS: Final = 0.5  #: how much more a sentence with all terms of the title weighs
_MIN_WORD_CHARS: Final = 4  #: shorter words are no terms
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
#: The end of a sentence: a stop with closing marks, before a space that no small letter follows, or a wide stop.
_SENTENCE_END: Final = re.compile(r"(?:[.!?…؟।۔][\"'”’»)\]]*\s+(?=[^\sa-z\d]))|(?<=[。！？])[」』”）]*")
_CLOSING_MARKS: Final = "\"'”’»)]」』）"
_STOPS: Final = ".!?…。！？؟।۔"


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text.

    >>> split_sentences("Warm the pot. It is 3.5 cm high! 水を沸かす。三分待つ。")
    ['Warm the pot.', 'It is 3.5 cm high!', '水を沸かす。', '三分待つ。']
    """
    sentences, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        sentences.append(text[start : match.end()].strip())
        start = match.end()
    return [sentence for sentence in (*sentences, text[start:].strip()) if sentence]


def make_abstract(document: Document, title: str = "") -> list[str]:
    """Return the most representative sentences of a document in its order; none if it has few sentences."""
    sentences = [each for text in _paragraphs(document.parts) for each in split_sentences(text)][:_MAX_SENTENCES]
    usable = [index for index, sentence in enumerate(sentences) if _stands_alone(sentence)]
    if len(usable) < 3 * _ABSTRACT_SENTENCES:
        return []
    counts = [Counter(_terms(sentence)) for sentence in sentences]
    document_counts = Counter(term for each in counts for term in each)
    rarity = {term: math.log(1 + len(sentences) / count) for term, count in document_counts.items()}
    vectors = [{term: count * rarity[term] for term, count in each.items()} for each in counts]
    centroid = {term: count * rarity[term] for term, count in document_counts.items()}
    title_terms = set(_terms(title))
    weights = {
        index: _cosine(vectors[index], centroid)
        * (1 + _POSITION_BONUS * (1 - index / len(sentences)))
        * (1 + _TITLE_BONUS * len(title_terms & set(vectors[index])) / max(1, len(title_terms)))
        for index in usable
    }
    chosen: list[int] = []
    for index in sorted(usable, key=lambda index: (-weights[index], index)):
        if all(_cosine(vectors[index], vectors[other]) < _REPEATS_COSINE for other in chosen):
            chosen.append(index)
        if len(chosen) == _ABSTRACT_SENTENCES:
            break
    if 2 * sum(index < _OPENING_SENTENCES for index in chosen) > len(chosen):
        return []
    return [sentences[index] for index in sorted(chosen)]


def _stands_alone(sentence: str) -> bool:
    # A stop at the end tells a sentence from a caption or a heading that was written as a paragraph.
    return _MIN_COLUMNS <= _columns(sentence) <= _MAX_COLUMNS and sentence.rstrip(_CLOSING_MARKS)[-1:] in _STOPS


def _paragraphs(parts: Iterable[Part]) -> Iterable[str]:
    """Yield running text only: sentences of lists, tables, posts and notes depend on their context."""
    for part in parts:
        if isinstance(part, Paragraph) and not part.verse:
            yield from (" ".join(line.split()) for line in spans_text(part.spans).split("\n"))


def _terms(text: str) -> list[str]:
    words = _WORD.findall(UNSPACED.sub(" ", text).lower())
    characters = UNSPACED.findall(text)
    return [word for word in words if len(word) >= _MIN_WORD_CHARS] + [a + b for a, b in pairwise(characters)]


def _columns(text: str) -> int:
    return len(text) + len(UNSPACED.findall(text))


def _cosine(first: dict[str, float], second: dict[str, float]) -> float:
    if len(first) > len(second):
        first, second = second, first
    dot = sum(weight * second.get(term, 0.0) for term, weight in first.items())
    norm = math.sqrt(sum(w**2 for w in first.values())) * math.sqrt(sum(w**2 for w in second.values()))
    return dot / norm if norm else 0.0
