"""One page, several tools side by side: which blocks of the page each tool keeps.

What an extractor of Tamis keeps is its selection. The text of another program is aligned with the page, word by word,
which needs rapidfuzz.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from tamis.errors import SourceError, TamisError
from tamis.evaluate.align import aligned_words, matching_blocks
from tamis.evaluate.difference import split_tokens, token_key
from tamis.evaluate.tools import ProfileTool, TamisTool, Tool
from tamis.evaluate.words import is_cjk
from tamis.page import Page, parse_page
from tamis.page.sums import Bools
from tamis.render.row_text import block_texts


@dataclass(frozen=True, slots=True)
class Row:
    """A block of the page as tokens, and for each tool a mask of the tokens that it keeps."""

    tokens: tuple[str, ...]
    kept: tuple[Bools, ...]

    @property
    def text(self) -> str:
        """The text of the block."""
        return "".join(self.tokens)


@dataclass(frozen=True, slots=True)
class Column:
    """The output of a tool.

    Attributes:
        name: the name of the tool.
        words: the number of words that it returned.
        unaligned: how many of them are not on the page, or not in this order.
        hidden: how many of them are text of the page that is not shown to a reader.
        error: why it failed, or None.
    """

    name: str
    words: int
    unaligned: int
    hidden: int = 0
    error: str | None = None

    @property
    def facts(self) -> str:
        """What there is to say about the output, in one line."""
        if self.error:
            return self.error
        hidden = f", {self.hidden} of them hidden on the page" if self.hidden else ""
        unaligned = f", {self.unaligned} not on the page in this order" if self.unaligned else ""
        return f"{self.words} words{hidden}{unaligned}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """A page, and what several tools keep of it."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]


def compare_page(html: str, tools: Sequence[Tool], url: str | None = None, name: str = "page") -> Comparison:
    """Run tools on one page and align their outputs with its blocks.

    >>> from tamis.evaluate.tools import TamisTool
    >>> comparison = compare_page("<p>One two.<p>Three.", [TamisTool("body")])
    >>> [(row.text, row.kept[0].tolist()) for row in comparison.rows]
    [('One two.', [True, True]), ('Three.', [True])]
    """
    page = parse_page(html)
    numbered = list(block_texts(page, page.shown))
    cjk = is_cjk("\n".join(text for _, text in numbered))
    blocks = [split_tokens(text, cjk=cjk) for _, text in numbered]
    hidden = [[token_key(token) for token in split_tokens(text, cjk=cjk)] for text in _hidden_texts(page)]
    columns, masks = [], []
    for tool in tools:
        mask = np.zeros(sum(map(len, blocks)), dtype=np.bool_)
        column = Column(tool.name, 0, 0)
        try:
            if isinstance(tool, (TamisTool, ProfileTool)):
                extraction = tool.extraction(html, url)
                kept = dict(block_texts(extraction.page, extraction.selection.mask))
                texts = [split_tokens(kept.get(number, ""), cjk=cjk) for number, _ in numbered]
                mask = np.concatenate([mask[:0], *map(_subsequence, blocks, texts)])
                words = len(split_tokens(extraction.text, cjk=cjk))
                fallback = extraction.selection.metadata_fallback is not None
                column = Column(tool.name, words, words if fallback else 0)
            else:
                output = [token_key(token) for token in split_tokens(tool.text(html, url), cjk=cjk)]
                mask, column = _aligned_column(tool.name, blocks, hidden, output)
        except SourceError:
            raise
        except Exception as error:  # noqa: BLE001 (whatever a tool raises is shown)
            reason = str(error) if isinstance(error, TamisError) else f"{type(error).__name__}: {error}"
            column = Column(tool.name, 0, 0, error=reason)
        masks.append(mask)
        columns.append(column)
    stops = np.cumsum([len(block) for block in blocks])
    rows = [
        Row(tuple(block), tuple(mask[stop - len(block) : stop] for mask in masks))
        for block, stop in zip(blocks, stops.tolist(), strict=True)
    ]
    return Comparison(name, tuple(columns), tuple(rows))


def _hidden_texts(page: Page) -> list[str]:
    """Return the texts below the body that a reader does not see, one for each run of hidden rows."""
    is_hidden = page.is_text & (page.hidden != 0) & (page.nonspace > 0) & (np.arange(len(page)) > page.body)
    rows = np.flatnonzero(is_hidden).tolist()
    runs = groupby(rows, key=lambda row: int(page.block_ancestor[row]))
    return [" ".join(page.row_text(row) for row in run) for _, run in runs]


def _subsequence(block: list[str], kept: list[str]) -> Bools:
    """Return which tokens of a block are kept, if those that are kept are in its order."""
    out = np.zeros(len(block), dtype=np.bool_)
    place = 0
    for number, token in enumerate(block):
        if place < len(kept) and token.strip() == kept[place].strip():
            out[number] = True
            place += 1
    return out


def _aligned_column(
    name: str, blocks: list[list[str]], hidden: list[list[str]], output: list[str]
) -> tuple[Bools, Column]:
    """Return which words of the page are in an output, and how many of its words are elsewhere."""
    page_keys = [token_key(token) for block in blocks for token in block]
    matches = matching_blocks(page_keys, output)
    if matches is None:
        raise SourceError("the page is too long to be compared word by word")
    on_page, in_output = np.zeros(len(page_keys), dtype=np.bool_), np.zeros(len(output), dtype=np.bool_)
    for match in matches:
        on_page[match.left : match.left + match.length] = True
        in_output[match.right : match.right + match.length] = True
    _drop_chance_matches(on_page, blocks)
    # What is not found among the shown words may be hidden ones.
    rest = [key for key, found in zip(output, in_output.tolist(), strict=True) if not found]
    is_hidden = aligned_words([key for text in hidden for key in text], rest)
    hidden_count = 0
    if is_hidden is not None:
        _drop_chance_matches(is_hidden, hidden)
        hidden_count = int(is_hidden.sum())
    return on_page, Column(name, len(output), len(output) - int(on_page.sum()) - hidden_count, hidden_count)


def _drop_chance_matches(mask: Bools, blocks: list[list[str]]) -> None:
    start = 0
    for block in blocks:
        stop = start + len(block)
        if _is_chance_match(mask[start:stop]):
            mask[start:stop] = False
        start = stop


def _is_chance_match(kept: Bools) -> bool:
    """Return whether the aligned words of a block match by chance: under half of it, and never three in a row."""
    if 2 * kept.sum() >= len(kept):
        return False
    return not (kept[2:] & kept[1:-1] & kept[:-2]).any()


def kept_by_none(row: Row) -> bool:
    """Return whether no tool keeps anything of a block."""
    return not any(kept.any() for kept in row.kept)


def count_blocks(rows: Sequence[Row]) -> str:
    """Return a number of blocks as words.

    >>> count_blocks([Row(("a",), ())])
    '1 block'
    """
    return f"{len(rows)} block{'s' if len(rows) > 1 else ''}"


def runs(row: Row, kept: Bools) -> list[tuple[bool, str]]:
    """Return the text of a block as runs that are kept or dropped."""
    groups = groupby(zip(row.tokens, kept.tolist(), strict=True), key=lambda pair: pair[1])
    return [(is_kept, "".join(token for token, _ in group)) for is_kept, group in groups]
