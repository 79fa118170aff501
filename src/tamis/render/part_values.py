"""What JSON says of every part: its id, level, probability, plain text and Markdown, and its blocks."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tamis.document.document import Document
from tamis.document.parts import Cell, Definition, Definitions, Figure, Heading, Item, Part, Post, Row, Table
from tamis.page.sums import prefix_sums
from tamis.render.markdown import render_markdown
from tamis.render.options import RenderOptions
from tamis.render.text import render_text

if TYPE_CHECKING:
    from tamis.render.content import Content


class PartValues:
    """The values of the parts of a document.

    Attributes:
        ids: the number of each part in document order, outer before inner.
    """

    def __init__(self, content: "Content", options: RenderOptions) -> None:
        self.document = content.document
        self.ids = {part: number for number, part in enumerate(self.document)}
        self._levels = _levels(self.document)
        self._text = render_text(self.document, options)
        self._markdown = _markdown_of_parts(self.document, options)
        # The document of a text from metadata has a page of its own, without scores.
        self._is_scored = content.selection.metadata_fallback is None
        selection = content.selection
        weights = np.where(selection.mask, content.page.nonspace, 0)
        self._chars = prefix_sums(weights)
        self._scores = np.concatenate(([0.0], np.cumsum(weights * selection.score)))
        self._has_probabilities = self._is_scored and selection.scores_are_probabilities
        self._block_rows = np.array(
            [block.row for block in content.blocks] if self._is_scored else [], dtype=np.int64
        )

    def values(self, part: Part) -> dict[str, Any]:
        """Return the values of a part."""
        first, stop = np.searchsorted(self._block_rows, self._rows(part)).tolist()
        return {
            "id": self.ids[part],
            "level": self._levels[part],
            "probability": self.probability(part),
            "text": self._text.text_of(part),
            "markdown": self._markdown.get(part, ""),
            "blocks": [first, stop],
        }

    def _rows(self, part: Part) -> tuple[int, int]:
        """Return the rows of a part; a caption may be before or after what it is the caption of."""
        if isinstance(part, (Figure, Table)) and part.caption and self._is_scored:
            end = int(self.document.page.end[part.element])
            return min(part.first, part.element), max(part.stop, end)
        return part.first, part.stop

    def probability(self, part: Part) -> float | None:
        """Return the mean probability of a part's characters, where the extractor has probabilities."""
        first, stop = self._rows(part)
        chars = int(self._chars[stop] - self._chars[first]) if self._has_probabilities else 0
        return round(float(self._scores[stop] - self._scores[first]) / chars, 6) if chars else None

    def part_of_blocks(self) -> list[int | None]:
        """Return the id of the innermost part that each block is in."""
        if not len(self._block_rows):
            return []
        innermost: npt.NDArray[np.int64] = np.full(len(self.document.page) + 1, -1, dtype=np.int64)
        for part, number in self.ids.items():  # outer before inner, at most `MAX_DEPTH` times per row
            innermost[slice(*self._rows(part))] = number
        return [number if number >= 0 else None for number in innermost[self._block_rows].tolist()]


def _levels(document: Document) -> dict[Part, int]:
    """Return the level of each heading, the depth of each post, and for others the level of the heading above."""
    levels: dict[Part, int] = {}
    above = 0
    for part in document:
        if isinstance(part, Heading):
            above = part.level
        levels[part] = part.level if isinstance(part, Post) else above
    return levels


def _markdown_of_parts(document: Document, options: RenderOptions) -> dict[Part, str]:
    """Return each part as Markdown of its own, without the margins of what it is in."""
    out: dict[Part, str] = {}
    for part in document:
        if part in out:
            continue
        parts: tuple[Part, ...] = (part,)
        if isinstance(part, (Item, Cell)):
            parts = part.parts
        elif isinstance(part, Definition):
            parts = (Definitions(element=part.element, first=part.first, stop=part.stop, entries=(part,)),)
        elif isinstance(part, Row):
            continue  # its table has written it
        rendered = render_markdown(Document(document.page, parts), options)
        out[part] = rendered.text
        if isinstance(part, Table):
            out |= {row: "|" + rendered.text_of(row).lstrip("|") for row in part.rows if row in rendered.spans}
    return out
