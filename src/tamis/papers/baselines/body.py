"""All shown text: the lower bound that every method must beat."""

from dataclasses import dataclass
from typing import ClassVar

from tamis.extractors.registry import Selection
from tamis.page import Page


@dataclass(frozen=True, slots=True)
class Body:
    """Select every shown text row.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<nav>menu</nav><p>text</p>")
    >>> Body().select(page).mask.sum()
    np.int64(2)
    """

    name: ClassVar[str] = "body"
    summary: ClassVar[str] = "all shown text; the lower bound for every method"
    source: ClassVar[str] = "Tamis"

    def select(self, page: Page) -> Selection:
        """Select every shown text row."""
        return Selection.from_mask(page, page.is_text, reasons=("not shown", "shown"))
