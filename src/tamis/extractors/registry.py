"""What an extractor is and what it returns; extractors by name.

There are built-in ones, those of installed packages, and those that a program registers.

A package adds an extractor through the entry-point group ``tamis.extractors``. Each entry point is a callable without
arguments that returns an extractor, such as its class.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError, UnknownNameError
from tamis.lazy import dataclass
from tamis.page import Page
from tamis.page.sums import Bools

# `Extractor` and `Selection`: an extractor is a name and a function from a `Page` to a `Selection`.
#
# An extractor never changes the page, renders no text, starts no browser and keeps no state between pages.

_EXTRACTOR_MEMBERS: Final = ("name", "summary", "source", "select")


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a page: its text, and its URL as written."""

    text: str
    href: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Selection:
    """Which text rows of a page are content, with scores and reasons.

    Attributes:
        mask: one entry per row of the page; true only for shown text rows.
        score: one entry per row; higher means more likely content. The unit depends on the extractor.
        reason: one entry per row, an index into `reasons`.
        reasons: short phrases. Index 0 applies to rows that were not judged.
        title: the page's title, if the method finds one itself.
        index_links: the page's links, if the method finds an index page without main content.
        page_type: the type of the page, if the method determines it.
        page_type_probability: the probability of that page type.
        confidence: the expected F1 of the selection, if the method estimates it.
        metadata_fallback: a text from the page's metadata and its source, used if the page shows no content.
        note: a remark for the user on how the selection was made.
        profile_warning: why the profile of the site was not used, if it was not.
        scores: what the rows were chosen by, if the method can choose again; see `reselect`.
        scores_are_probabilities: whether a score is the probability that its row is content.
    """

    mask: Bools
    score: npt.NDArray[np.float64]
    reason: npt.NDArray[np.uint8]
    reasons: tuple[str, ...] = ("not content", "content")
    title: str | None = None
    index_links: tuple[Link, ...] = ()
    page_type: str | None = None
    page_type_probability: float | None = None
    confidence: float | None = None
    metadata_fallback: tuple[str, str] | None = None
    note: str | None = None
    scores: "Scores | None" = None
    scores_are_probabilities: bool = False
    profile_warning: str | None = None

    def __repr__(self) -> str:
        page_type = f", {self.page_type}" if self.page_type else ""
        return f"<Selection of {int(self.mask.sum())} of {len(self.mask)} rows{page_type}>"

    def reselect(self, favor: str | float | None) -> "Selection":
        """Return what is chosen from the same scores if precision or recall is favored.

        Raises:
            OptionError: the method has no scores to choose by.
        """
        if self.scores is not None:
            return replace(self.scores.select(favor), profile_warning=self.profile_warning)
        if favor is None or not self.mask.any():
            return self
        raise OptionError("this extractor cannot favor precision or recall")

    @classmethod
    def from_mask(
        cls,
        page: Page,
        mask: Bools,
        score: npt.NDArray[Any] | None = None,
        reasons: tuple[str, str] = ("not content", "content"),
        *,
        title: str | None = None,
        index_links: tuple[Link, ...] = (),
        page_type: str | None = None,
        page_type_probability: float | None = None,
        confidence: float | None = None,
        metadata_fallback: tuple[str, str] | None = None,
        note: str | None = None,
        scores: "Scores | None" = None,
    ) -> "Selection":
        """Return a selection of the shown text rows among the rows of a mask.

        The mask may have elements and text that is not shown; they are left out. Without `score`, selected rows have
        the score 1 and others 0. `reasons` are the reason for rows that are not selected and for those that are. The
        other keywords are the attributes of the same name.

        >>> from tamis.page import parse_page
        >>> page = parse_page("<p>a<p hidden>b")
        >>> Selection.from_mask(page, page.is_text)
        <Selection of 1 of 8 rows>

        Raises:
            OptionError: mask or score do not have one entry per row of the page.
        """
        _check_rows(page, "mask", mask)
        if score is not None:
            _check_rows(page, "score", score)
        selected = mask & page.shown
        row_scores = selected.astype(np.float64) if score is None else score.astype(np.float64)
        return cls(
            mask=selected,
            score=np.nan_to_num(row_scores),
            reason=selected.astype(np.uint8),
            reasons=reasons,
            title=title,
            index_links=index_links,
            page_type=page_type,
            page_type_probability=page_type_probability,
            confidence=confidence,
            metadata_fallback=metadata_fallback,
            note=note,
            scores=scores,
        )


class Scores(Protocol):
    """The scores of a page, from which rows are chosen. A value, so that a `Selection` can be pickled."""

    def select(self, favor: str | float | None) -> Selection:
        """Return what is chosen with a `favor`."""


@runtime_checkable
class Extractor(Protocol):
    """The protocol of extractors. A frozen dataclass whose fields are its options is a good way to implement it.

    An extractor that reads ``page.layout`` also has a class attribute ``needs_layout = True``.
    """

    @property
    def name(self) -> str:
        """The name that it is registered under."""

    @property
    def summary(self) -> str:
        """A description of the method in one line."""

    @property
    def source(self) -> str:
        """The paper or program that the method comes from, with its year."""

    def select(self, page: Page) -> Selection:
        """Select the content of a page."""


def check_extractor(value: object) -> Extractor:
    """Return the value if it is an extractor.

    >>> check_extractor(3)
    Traceback (most recent call last):
    tamis.errors.OptionError: int is not an extractor: it has no name, summary, source, select

    Raises:
        OptionError: the value lacks a member of `Extractor`, or is a class instead of its instance.
    """
    missing = [member for member in _EXTRACTOR_MEMBERS if not hasattr(value, member)]
    if isinstance(value, type):
        raise OptionError(
            f"expected an extractor, got the class {value.__name__}; pass an instance: {value.__name__}()"
        )
    if missing or not isinstance(value, Extractor):
        raise OptionError(f"{type(value).__name__} is not an extractor: it has no {', '.join(missing)}")
    name: object = value.name
    if not isinstance(name, str) or not name:
        raise OptionError(f"the name of an extractor is a str, not {name!r}")
    return value


def checked_select(extractor: Extractor, page: Page) -> Selection:
    """Return what the extractor selects, checked against the page.

    Raises:
        OptionError: the extractor returned something else than a `Selection` with one entry per row in each column.
    """
    selection: object = extractor.select(page)
    if not isinstance(selection, Selection):
        raise OptionError(f"extractor {extractor.name!r} returned {type(selection).__name__}, expected a Selection")
    for column in ("mask", "score", "reason"):
        _check_rows(page, column, getattr(selection, column), f"extractor {extractor.name!r}: ")
    if selection.mask.dtype != np.bool_:
        raise OptionError(f"extractor {extractor.name!r}: mask has type {selection.mask.dtype}, expected bool")
    return selection


def _check_rows(page: Page, name: str, values: object, prefix: str = "") -> None:
    if not isinstance(values, np.ndarray):
        raise OptionError(f"{prefix}{name} is a {type(values).__name__}, expected a NumPy array")
    if values.shape != (len(page),):
        raise OptionError(
            f"{prefix}{name} has the shape {values.shape}, expected one entry for each of {len(page)} rows"
        )


ENTRY_POINT_GROUP: Final = "tamis.extractors"
#: The extractor that is used where none is named.
DEFAULT: Final = "sift"

#: The built-in extractors, as ``module:callable``. A module is imported when its extractor is first requested.
_BUILT_IN: Final[dict[str, str]] = {
    "sift": "tamis.sift.extractor:Sift",
    "sift-open": "tamis.sift.extractor:SiftOpen",
    "body": "tamis.papers.baselines.body:Body",
    "ceds": "tamis.papers.ceds:Ceds",
    "coreex": "tamis.papers.coreex:CoreEx",
    **{f"coreex-r{number}": f"tamis.papers.coreex:R{number}" for number in range(1, 7)},
    "nodechar": "tamis.papers.nodechar:NodeChar",
    "cectd": "tamis.papers.cetd:Cectd",
    "cectd-s": "tamis.papers.cetd:CectdS",
    "cetd": "tamis.papers.cetd:Cetd",
    "cehtd": "tamis.papers.cehtd:Cehtd",
    "bte": "tamis.papers.baselines.bte:Bte",
    "ccb": "tamis.papers.baselines.ccb:Ccb",
    "cetr": "tamis.papers.baselines.cetr:Cetr",
    "dsc": "tamis.papers.baselines.dsc:Dsc",
    "fe": "tamis.papers.baselines.fe:Fe",
    "kfe": "tamis.papers.baselines.fe:Kfe",
    "lqf": "tamis.papers.baselines.lqf:Lqf",
    "ridge": "tamis.papers.ridge:Ridge",
    "vips-leaf": "tamis.papers.baselines.vips:VipsLeaf",
    "sst": "tamis.papers.baselines.sst:Sst",
}
_registered: dict[str, Callable[[], Extractor]] = {}


@cache
def _installed() -> dict[str, str]:
    from importlib.metadata import entry_points  # noqa: PLC0415 (loads much; only where a name is not known)

    return {entry.name: entry.value for entry in entry_points(group=ENTRY_POINT_GROUP)}


@cache
def _load_factory(path: str) -> Callable[[], Extractor]:
    """Import ``module:callable`` and return the callable."""
    module, _, name = path.partition(":")
    factory: Callable[[], Extractor] = getattr(import_module(module), name)
    return factory


def names() -> list[str]:
    """Return the names of all extractors.

    >>> "cetd" in names()
    True
    """
    return sorted({*_BUILT_IN, *_installed(), *_registered})


def get(name: str) -> Extractor:
    """Return the extractor with this name.

    >>> get("cetd").name
    'cetd'

    Raises:
        UnknownNameError: no extractor has this name. The message suggests one.
    """
    if name in _registered:
        return _registered[name]()
    if name in _BUILT_IN:
        return _load_factory(_BUILT_IN[name])()
    if name in _installed():
        return check_extractor(_load_factory(_installed()[name])())
    raise UnknownNameError.among("extractor", name, names())


def needs_layout(extractor: Extractor) -> bool:
    """Return whether an extractor reads ``page.layout``. The caller then supplies it (see `tamis.browser`).

    >>> needs_layout(get("cehtd")), needs_layout(get("cectd"))
    (True, False)
    """
    return bool(getattr(extractor, "needs_layout", False))


def register(factory: Callable[[], Extractor]) -> None:
    """Register an extractor under its name until the program ends. CONTRIBUTING.md has a complete example.

    Args:
        factory: a callable without arguments that returns the extractor, such as its class.

    Raises:
        OptionError: `factory` is not such a callable, or what it returns is not an extractor.
    """
    if not callable(factory):
        raise OptionError(
            f"register() takes a callable that returns an extractor, such as its class, not {type(factory).__name__}"
        )
    try:
        extractor = factory()
    except TypeError as error:
        raise OptionError(f"register() calls its argument without arguments: {error}") from error
    _registered[check_extractor(extractor).name] = factory


def unregister(name: str) -> None:
    """Remove an extractor that `register` added."""
    _registered.pop(name, None)
