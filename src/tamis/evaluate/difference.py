"""The word-by-word difference of two texts: what both have, what is missing, what is extra."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from tamis.evaluate.align import MatchingBlock, matching_blocks
from tamis.evaluate.words import is_cjk

RunType = Literal["both", "missing", "extra"]
#: Longer texts are cut. A report shows twenty differences, and nobody reads on.
_MAX_WORDS: Final = 4000
_WORD: Final = re.compile(r"\S+\s*|\s+")
_CHARACTER: Final = re.compile(r"\S\s*|\s+")


@dataclass(frozen=True, slots=True)
class Run:
    """A run of text: in both texts, missing from the predicted text, or extra in it."""

    type: RunType
    text: str


def difference(predicted: str, gold: str) -> list[Run]:
    """Return the gold text and the predicted text as one sequence of runs.

    >>> [(run.type, run.text) for run in difference("Menu It rained.", "It rained. All day.")]
    [('extra', 'Menu '), ('both', 'It rained. '), ('missing', 'All day.')]
    """
    cjk = is_cjk(gold)
    left = split_tokens(predicted.strip(), cjk=cjk)[:_MAX_WORDS]
    right = split_tokens(gold.strip(), cjk=cjk)[:_MAX_WORDS]
    blocks = matching_blocks([token_key(token) for token in left], [token_key(token) for token in right])
    assert blocks is not None  # both texts were cut
    runs: list[Run] = []
    left_end = right_end = 0
    for block in (*blocks, MatchingBlock(len(left), len(right), 0)):
        _add(runs, "extra", left[left_end : block.left])
        _add(runs, "missing", right[right_end : block.right])
        left_end, right_end = block.left + block.length, block.right + block.length
        _add(runs, "both", right[block.right : right_end])
    return runs


def split_tokens(text: str, *, cjk: bool) -> list[str]:
    """Split a text into words with the white space after them. Joined, the tokens give the text again.

    >>> split_tokens("It rained.  All day", cjk=False)
    ['It ', 'rained.  ', 'All ', 'day']
    """
    tokens: list[str] = (_CHARACTER if cjk else _WORD).findall(text)
    return tokens


def token_key(token: str) -> str:
    """Return what a token is compared by: its letters and digits, or its punctuation if it has none.

    >>> token_key("Rained, "), token_key("– ")
    ('rained', '–')
    """
    return re.sub(r"\W+", "", token).lower() or token.strip()


def _add(runs: list[Run], run_type: RunType, tokens: list[str]) -> None:
    if tokens:
        runs.append(Run(run_type, "".join(tokens)))
