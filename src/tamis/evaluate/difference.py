"""The difference of two texts, word by word: what both have, what one lacks, what it has too much."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from tamis.evaluate.align import Stretch, align
from tamis.evaluate.words import by_character

Sort = Literal["both", "missing", "extra"]
#: Longer texts are cut to so many words: a person will not read on, and a report has twenty of them.
_MOST_WORDS: Final = 4000
_PIECE: Final = re.compile(r"\S+\s*|\s+")
_CHARACTER: Final = re.compile(r"\S\s*|\s+")


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text that both texts have, that is missing from the first, or that it has too much."""

    sort: Sort
    text: str


def difference(predicted: str, gold: str) -> list[Run]:
    """Return the gold text and the predicted one as one sequence of runs.

    >>> [(run.sort, run.text) for run in difference("Menu It rained.", "It rained. All day.")]
    [('extra', 'Menu '), ('both', 'It rained. '), ('missing', 'All day.')]
    """
    characters = by_character(gold)
    left = pieces_of(predicted.strip(), characters=characters)[:_MOST_WORDS]
    right = pieces_of(gold.strip(), characters=characters)[:_MOST_WORDS]
    stretches = align([key_of(piece) for piece in left], [key_of(piece) for piece in right])
    assert stretches is not None  # both texts were cut
    runs: list[Run] = []
    at_left = at_right = 0
    for stretch in (*stretches, Stretch(len(left), len(right), 0)):
        _add(runs, "extra", left[at_left : stretch.left])
        _add(runs, "missing", right[at_right : stretch.right])
        at_left, at_right = stretch.left + stretch.length, stretch.right + stretch.length
        _add(runs, "both", right[stretch.right : at_right])
    return runs


def pieces_of(text: str, *, characters: bool) -> list[str]:
    """Return a text cut into words with all that stands between them: joined, they are the text again.

    >>> pieces_of("It rained.  All day", characters=False)
    ['It ', 'rained.  ', 'All ', 'day']
    """
    found: list[str] = (_CHARACTER if characters else _PIECE).findall(text)
    return found


def key_of(piece: str) -> str:
    """Return what a piece is compared by: its letters and digits, or its signs where it has none of those.

    >>> key_of("Rained, "), key_of("– ")
    ('rained', '–')
    """
    return re.sub(r"\W+", "", piece).lower() or piece.strip()


def _add(runs: list[Run], sort: Sort, pieces: list[str]) -> None:
    if pieces:
        runs.append(Run(sort, "".join(pieces)))
