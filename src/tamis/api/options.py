"""`Options`: how the content is chosen. How it is shown is in `tamis.render.options`."""

from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path
from typing import Literal

from tamis.api.limits import Limits
from tamis.errors import OptionError
from tamis.extractors import registry
from tamis.extractors.base import Extractor
from tamis.model.choice import FAVOR_SHIFTS, logit_shift_for
from tamis.sites.profile import SiteProfile

#: What to favor: a word, or a number of logits by which blocks must be likelier to be kept (above 0 keeps less).
Favor = Literal["precision", "recall", "balance"] | float
#: What was learned about a site: a file, a folder of files that are named for hosts, or the profile itself.
Profile = str | Path | SiteProfile


class _Keep(Enum):
    """The default of `Options.replace`: leave this option as it is (None is a value of its own)."""

    KEEP = 0


@dataclass(frozen=True, slots=True)
class Options:
    """How the content is chosen. An immutable value: make one, use it for any number of pages.

    >>> Options(extractor="cetd").replace(favor="recall")
    Options(extractor='cetd', favor='recall', encoding=None, profile=None)

    Attributes:
        extractor: the name of a registered extractor, or an extractor.
        favor: ``"precision"``, ``"recall"``, ``"balance"`` or a number of logits (above 0 keeps less), for extractors
            that can.
        encoding: the character encoding from the HTTP header, for bytes.
        limits: how much of a page is read and written.
        profile: what was learned about the page's site: a file, a folder of files named for hosts, or the profile.
    """

    extractor: str | Extractor = "sift"
    favor: Favor | None = None
    encoding: str | None = None
    limits: Limits = field(default=Limits(), repr=False)
    profile: Profile | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.limits, Limits):
            raise OptionError(f"limits must be tamis.Limits, not {self.limits!r}")
        if not isinstance(self.extractor, (str, Extractor)):
            raise OptionError(f"extractor must be a name or an extractor, not {self.extractor!r}")
        if self.encoding is not None and not isinstance(self.encoding, str):
            raise OptionError(f"encoding must be a str or None, not {type(self.encoding).__name__}")
        logit_shift_for(self.favor)  # raises an OptionError for an invalid one

    def replace(
        self,
        *,
        extractor: str | Extractor | Literal[_Keep.KEEP] = _Keep.KEEP,
        favor: Favor | Literal[_Keep.KEEP] | None = _Keep.KEEP,
        encoding: str | Literal[_Keep.KEEP] | None = _Keep.KEEP,
        limits: Limits | Literal[_Keep.KEEP] = _Keep.KEEP,
        profile: Profile | Literal[_Keep.KEEP] | None = _Keep.KEEP,
    ) -> "Options":
        """Return these options with some changed."""
        return replace(
            self,
            extractor=self.extractor if extractor is _Keep.KEEP else extractor,
            favor=self.favor if favor is _Keep.KEEP else favor,
            encoding=self.encoding if encoding is _Keep.KEEP else encoding,
            limits=self.limits if limits is _Keep.KEEP else limits,
            profile=self.profile if profile is _Keep.KEEP else profile,
        )

    def resolve(self, host: str | None = None) -> Extractor:
        """Return the extractor that these options name, for the pages of a host; see `tamis.api.profiles`."""
        method = registry.get(self.extractor) if isinstance(self.extractor, str) else self.extractor
        if self.profile is None:
            return method
        from tamis.api.profiles import with_profile  # noqa: PLC0415 (few pages have a profile)

        return with_profile(method, self.profile, host)


def read_favor(text: str | None) -> Favor | None:
    """Return what a person wrote for `favor`: one of the words, or a number; an `OptionError` otherwise.

    >>> read_favor("recall"), read_favor("-0.5"), read_favor(None)
    ('recall', -0.5, None)
    """
    value: str | float | None = text
    if text is not None and text not in FAVOR_SHIFTS:
        try:
            value = float(text)
        except ValueError:
            value = text
    return Options(favor=value).favor  # type: ignore[arg-type]  # checked by Options
