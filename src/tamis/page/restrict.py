"""`restrict`: a page of which CSS selectors leave out some elements."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
import turbohtml

from tamis._core.enums import Hidden
from tamis._core.loader import core
from tamis.errors import OptionError
from tamis.page.columns import Page
from tamis.page.sums import in_subtree, prefix_sums

if TYPE_CHECKING:
    import numpy.typing as npt

    from tamis.page.sums import Bools


_EXCLUDED: Final = int(Hidden.EXCLUDED)  #: a plain integer: an enumeration's `&` takes long


def restrict(page: Page, include: Sequence[str] = (), exclude: Sequence[str] = ()) -> Page:
    """Return the page with all text hidden that is not in an element of `include`, or in one of `exclude`.

    Rows keep their numbers; those that are left out have the bit `Hidden.EXCLUDED`. A page with nothing to leave out
    is returned as it is.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<nav>Home</nav><main><p>Tea<p class=ad>Buy!</main>")
    >>> restricted = restrict(page, ["main"], [".ad"])
    >>> [page.row_text(row) for row in range(len(page)) if restricted.shown[row]]
    ['Tea']
    """
    if not include and not exclude:
        return page
    left_out = np.zeros(len(page), dtype=np.bool_)
    if include:
        rows = _matches(page, include)
        # Elements around those that are included stay: an article does not vanish from around its paragraphs.
        starts = prefix_sums(np.bincount(rows, minlength=len(page)))
        around = page.is_element & (starts[page.end] > starts[:-1])
        left_out |= ~(in_subtree(page.end, rows) | around)
        left_out[: page.body + 1] = False
    if exclude:
        left_out |= in_subtree(page.end, _matches(page, exclude))
    return leave_out(page, left_out)


def leave_out(page: Page, rows: "Bools") -> Page:
    """Return the page with these rows marked as left out."""
    if not rows.any():
        return page
    return replace(page, hidden=page.hidden | (rows * np.uint8(Hidden.EXCLUDED)))


def unrestricted(page: Page) -> Page:
    """Return the page that a restricted page was made from."""
    if page.hidden.max(initial=0) < _EXCLUDED or not (page.hidden & _EXCLUDED).any():
        return page
    return replace(page, hidden=page.hidden & np.uint8(255 - _EXCLUDED))


def leaves_out_text(page: Page) -> bool:
    """Return whether `restrict` has left out text that a reader of the page sees."""
    return bool((page.is_text & (page.hidden == Hidden.EXCLUDED) & (page.nonspace > 0)).any())


def read_selectors(value: str | Sequence[str], option: str) -> tuple[str, ...]:
    """Return CSS selectors that are given as one or several; an `OptionError` for an invalid one.

    >>> read_selectors("main", "include"), read_selectors([".ad", "nav"], "exclude")
    (('main',), ('.ad', 'nav'))
    """
    selectors = (value,) if isinstance(value, str) else value
    if not isinstance(selectors, (tuple, list)):
        raise OptionError(f"{option} must be a CSS selector or several, not {type(value).__name__}")
    for selector in selectors:
        if not isinstance(selector, str):
            raise OptionError(f"{option} must be a CSS selector or several, not {selector!r}")
        try:
            turbohtml.parse("").select(selector)
        except ValueError as error:
            raise OptionError(f"{option}: not a CSS selector: {selector[:100]!r}") from error
    return tuple(selectors)


def _matches(page: Page, selectors: Sequence[str]) -> "npt.NDArray[np.int64]":
    """Return the rows that match one of the selectors, in document order."""
    rows: set[int] = set()
    for selector in selectors:
        rows.update(core.rows_among(page.nodes, page.nodes[0].select(selector)))
    return np.array(sorted(rows), dtype=np.int64)
