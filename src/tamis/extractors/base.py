"""What an extractor is: a name and a function from a `Page` to a `Selection`.

An extractor never changes the page, renders no text and keeps no state between pages.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tamis.page import Page
from tamis.page.sums import Bools


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page: its text and its address as written."""

    text: str
    href: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Selection:
    """Which text rows of a page are content, how surely, and why.

    Attributes:
        mask: over the rows of the page; true only on shown text rows.
        score: over the rows; larger is more like content. What the unit is, the extractor says.
        reason: over the rows; an index into `reasons`.
        reasons: short phrases. Index 0 applies to rows that were not judged.
        title: the title, where the method finds one of its own.
        index_links: the page's links, where the method finds an index page without main content.
        page_type: the page type, where the method determines it.
        page_type_probability: the probability of that page type.
        confidence: the F1 that the method expects of its answer, where it knows.
        metadata_fallback: a text from the page's metadata and its source, used where the page shows no content.
        note: what a person should know about how this was chosen, where there is something.
        reselect: selects again from the same scores, favoring precision or recall, where the method can.
    """

    mask: Bools
    score: npt.NDArray[np.float64]
    reason: npt.NDArray[np.uint8]
    reasons: tuple[str, ...] = ("not content", "content")
    title: str | None = None
    index_links: tuple[Link, ...] = field(default=())
    page_type: str | None = None
    page_type_probability: float | None = None
    confidence: float | None = None
    metadata_fallback: tuple[str, str] | None = None
    note: str | None = None
    reselect: "Callable[[str | float | None], Selection] | None" = None

    def __repr__(self) -> str:
        page_type = f", {self.page_type}" if self.page_type else ""
        return f"<Selection of {int(self.mask.sum())} of {len(self.mask)} rows{page_type}>"

    @classmethod
    def from_mask(
        cls,
        page: Page,
        mask: Bools,
        score: npt.NDArray[Any] | None = None,
        reasons: tuple[str, str] = ("not content", "content"),
        **more: Any,  # noqa: ANN401 (the remaining fields, checked by the constructor)
    ) -> "Selection":
        """Return the selection of some rows of a page, of which shown text counts.

        >>> from tamis.page import parse_page
        >>> page = parse_page("<p>a<p hidden>b")
        >>> Selection.from_mask(page, page.is_text).mask.sum()
        np.int64(1)
        """
        kept = mask & page.shown
        weight = kept.astype(np.float64) if score is None else score.astype(np.float64)
        return cls(kept, np.nan_to_num(weight), kept.astype(np.uint8), reasons, **more)


@runtime_checkable
class Extractor(Protocol):
    """The protocol of extractors. A frozen dataclass whose fields are its options fits it well."""

    @property
    def name(self) -> str:
        """The name it is asked for by."""

    @property
    def summary(self) -> str:
        """One line for a person."""

    @property
    def source(self) -> str:
        """The paper or program it comes from, with its year."""

    def select(self, page: Page) -> Selection:
        """Choose the content of a page."""
