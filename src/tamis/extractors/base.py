"""What an extractor is: a name and a function from a `Page` to a `Selection`.

An extractor never changes the page, renders no text and keeps no state between pages.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tamis.page import Page, shown_text
from tamis.page.sums import Bools


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page: its text and its address as written."""

    text: str
    href: str


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """Which text rows of a page are content, how surely, and why.

    Attributes:
        mask: over the rows of the page; true only on shown text rows.
        score: over the rows; larger is more like content. What the unit is, the extractor says.
        reason: over the rows; an index into `reasons`.
        reasons: short phrases; the first is the reason of rows that nothing was said about.
        title: the title, where the method finds one of its own.
        catalogue: the page's links, where the method finds that the page has no main content but links.
        page_kind: what kind of page the method says this is, where it says so.
        kind_chance: how likely it is that kind, where the method knows.
        confidence: the F1 that the method expects of its answer, where it knows.
        stand_in: what the page says of itself and where, where it shows no content and the method lets that stand in.
        note: what a person should know about how this was chosen, where there is something.
        again: chooses again from the same scores, favouring precision or recall, where the method can.
    """

    mask: Bools
    score: npt.NDArray[np.float64]
    reason: npt.NDArray[np.uint8]
    reasons: tuple[str, ...] = ("not content", "content")
    title: str | None = None
    catalogue: tuple[Link, ...] = field(default=())
    page_kind: str | None = None
    kind_chance: float | None = None
    confidence: float | None = None
    stand_in: tuple[str, str] | None = None
    note: str | None = None
    again: "Callable[[str | float | None], Selection] | None" = None

    @classmethod
    def of(
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
        >>> Selection.of(page, page.is_text).mask.sum()
        np.int64(1)
        """
        kept = mask & shown_text(page)
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
