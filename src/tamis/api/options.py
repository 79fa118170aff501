"""`Options`: how the content is chosen, and `Limits`: how much of a page is read and written."""

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, Literal, TypedDict, TypeVar, Unpack

import numpy as np

from tamis.document.warnings import ContentWarning
from tamis.errors import MarkupTypeError, OptionError
from tamis.extractors import registry
from tamis.extractors.registry import Extractor
from tamis.lazy import dataclass
from tamis.page import Page, parse_page
from tamis.page.deadline import OutOfTimeError, time_limit
from tamis.page.parse import reopening_limit
from tamis.page.selectors import read_selectors
from tamis.page.sums import Bools
from tamis.reprs import value_repr
from tamis.sift.choice import FAVOR_SHIFTS, logit_shift_for
from tamis.sites.rules import Profile, Rules, with_profile

if TYPE_CHECKING:
    from tamis.extractors.registry import Selection

# `Limits`: how much of a page is read and written. What is beyond is left out, and a warning says so.

_Markup = TypeVar("_Markup", str, bytes)
_Output = TypeVar("_Output")
#: Bytes that are parsed per second of `max_seconds`: a tenth of what the parser manages on ordinary pages.
_BYTES_PER_SECOND: Final = 4_000_000
#: Nodes of a page that opens elements again, per second of `max_seconds`. An eighth may be such elements, which
#: take five microseconds each.
_NODES_PER_SECOND: Final = 1_000_000
#: Beginnings of a page by which its seconds are estimated; what the first loads once, the second does not count.
_TRIALS: Final = (1 / 32, 1 / 16)
_MIN_TRIAL: Final = 50_000  # bytes of a page that is tried: smaller ones take milliseconds
_TRIAL_SHARE: Final = 0.9  # of the seconds for a page that is cut: its beginning is not quite like the rest
_TAG_CHARS: Final = 65_536  # at the end of a cut page in which an unfinished tag is looked for
_FIRST_SHARE: Final = 0.5  # of the seconds for an output, for the attempt with the whole content
_LAST_SHARE: Final = 0.9  # of the seconds, until which another attempt begins
_SHARES: Final = (1 / 8, 1 / 64, 0.0)  # of the content, for the attempts after it
#: Characters of an output for each of the page, and bounds of them, where `max_output` is None. With all text kept
#: and every part located, the JSON of 187 pages of the corpora has at most 9.3 characters for each of the page, and
#: that of 150 pages above 250 kB has 8.7.
_OUTPUT_PER_CHARACTER: Final = 12
_MIN_OUTPUT: Final = 4_000_000
_MAX_OUTPUT: Final = 50_000_000
#: Characters of an output for each of the text, at most.
_CHARS_PER_CHAR: Final = 4
_LIKELY_CHARS_PER_ROW: Final = 200  # of JSON, where an estimate would be more work than the trial that follows
_CERTAIN: Final = 0.9  # of the limit: what is estimated as less does not exceed it
_OUTPUT_TRIAL: Final = 1 / 16  # of the content, written to learn how much of it fits

#: Bytes of memory, at most, as measured on the hostile pages of ``tests/attacks``: of a page for each tag, node and
#: character; of an output for each character.
_MEMORY_PER_TAG: Final = 1_300
_MEMORY_PER_NODE: Final = 650
_MEMORY_PER_CHAR: Final = 25
_WRITTEN_PER_CHAR: Final = 60


@dataclass(frozen=True, slots=True)
class OutputCost:
    """What an output takes: what is above the limits is cut before it is written.

    Attributes:
        memory_per_row: bytes of memory for each row of text, at most.
        chars_per_row: characters for each row of text besides the text, at most.
        estimate: estimates the characters of the whole; asked where `chars_per_row` says that it may be cut.
        is_bound: what fits follows from `chars_per_row`: nothing is written to learn it.
    """

    memory_per_row: int = 1_400
    chars_per_row: int = 60
    estimate: Callable[[], int] | None = None
    is_bound: bool = False


#: Bytes of memory for each row of outputs that are made of many small values: JSON, chunks and explanations.
VALUES_PER_ROW: Final = 12_000


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for one page, honoured in every thread. A page beyond them gives a partial result with a warning.

    No page of the corpora in docs/evaluation.md reaches a default. There is no default for seconds: the same page
    gives the same answer on a slow machine.

    Attributes:
        max_bytes: bytes of the page that are read (characters of a ``str``).
        max_nodes: elements and text runs of the page that are read.
        max_seconds: seconds for reading and selecting, and again for each output; None for no limit. A step of the
            parser or of an extractor is not interrupted: pages that would take longer are cut before it.
        max_output: characters of an output. None is 12 for each character of the page, but between 4 and 50 million.
        max_memory: bytes that reading a page may take, and again each output, as its tags, rows and characters take
            at most; None for no limit. It cuts a page before it is parsed, and an output before it is written.

    >>> import tamis
    >>> extraction = tamis.extract("<p>Tea</p>" * 1000, extractor="body", limits=Limits(max_nodes=100))
    >>> len(extraction.page) <= 100, extraction.warnings[0].type
    (True, 'limit reached')
    """

    max_bytes: int = 20_000_000
    max_nodes: int = 1_000_000
    max_seconds: float | None = None
    max_output: int | None = None
    max_memory: int | None = None

    def __post_init__(self) -> None:
        for name in ("max_bytes", "max_nodes", "max_output", "max_memory"):
            value: object = getattr(self, name)
            if value is None and name in {"max_output", "max_memory"}:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise OptionError(f"{name} must be a positive int, not {value!r}")
        seconds: object = self.max_seconds
        if seconds is not None and (
            isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not seconds > 0
        ):
            raise OptionError(f"max_seconds must be a positive number or None, not {seconds!r}")


def limit_warning(name: str, reason: str, count: int) -> ContentWarning:
    """Return the warning for a limit that was reached."""
    return ContentWarning("limit reached", f"{name}: {reason}", count)


def parse_within(  # noqa: C901 (one case per limit)
    markup: str | bytes, encoding: str | None, limits: Limits, method: Extractor | None = None
) -> tuple[Page, tuple[ContentWarning, ...]]:
    """Parse as much of a page as the limits allow; return it, and a warning for each limit that was reached.

    The seconds are those of parsing and of selecting by `method`.
    """
    if not isinstance(markup, (str, bytes)):
        raise MarkupTypeError(f"expected str or bytes, got {type(markup).__name__}")
    begin = monotonic()
    total = len(markup)
    reached: dict[str, ContentWarning] = {}

    def cut_to(size: int, name: str) -> str | bytes:
        out: str | bytes = (
            cut_markup(markup, size) if isinstance(markup, str) else cut_markup(markup, size)  # noqa: RUF034 (types)
        )
        unit = "bytes" if isinstance(markup, bytes) else "characters"
        reached[name] = limit_warning(
            name, f"only the first {len(out)} of {total} {unit} were read", total - len(out)
        )
        return out

    if total > limits.max_bytes:
        markup = cut_to(limits.max_bytes, "max_bytes")
    max_nodes, nodes_limit = limits.max_nodes, "max_nodes"
    if limits.max_memory is not None:
        while (needed := _memory_to_read(markup)) > limits.max_memory:
            markup = cut_to(int(len(markup) * min(0.9, limits.max_memory / needed)), "max_memory")
        of_memory = max(1, limits.max_memory // _MEMORY_PER_NODE)  # the parser may make more elements than tags
        max_nodes, nodes_limit = min((max_nodes, nodes_limit), (of_memory, "max_memory"))
    if limits.max_seconds is not None and len(markup) > limits.max_seconds * _BYTES_PER_SECOND:
        markup = cut_to(int(limits.max_seconds * _BYTES_PER_SECOND), "max_seconds")
    # The beginning of a page does not tell how many elements its end opens again.
    of_seconds = max_nodes if limits.max_seconds is None else int(_NODES_PER_SECOND * limits.max_seconds)
    reopening = reopening_limit(markup, min(max_nodes, of_seconds))
    if reopening is not None:
        markup = cut_to(reopening, nodes_limit if max_nodes <= of_seconds else "max_seconds")
    if limits.max_seconds is not None and len(markup) > _MIN_TRIAL:
        cost = _estimated_seconds(markup, encoding, method)
        left = limits.max_seconds - (monotonic() - begin)
        if cost > left:
            markup = cut_to(max(1, int(len(markup) * _TRIAL_SHARE * left / cost)), "max_seconds")
    page = parse_page(markup, encoding=encoding)
    # Nodes are not spread evenly: each round leaves out at least a third, so that all rounds take less than three.
    while len(page) > max_nodes and len(markup) > 1:
        markup = cut_to(int(len(markup) * min(0.66, max_nodes / len(page))), nodes_limit)
        page = parse_page(markup, encoding=encoding)
    return page, tuple(reached.values())


def _memory_to_read(markup: str | bytes) -> int:
    """Return the bytes of memory that a page takes at most to parse and to select from."""
    tags = markup.count("<") if isinstance(markup, str) else markup.count(b"<")
    return _MEMORY_PER_TAG * tags + _MEMORY_PER_CHAR * len(markup)


def _estimated_seconds(markup: str | bytes, encoding: str | None, method: Extractor | None) -> float:
    """Return the seconds that a page takes to parse and to select from, as its beginning takes them."""
    seconds = 0.0
    for share in _TRIALS:
        begin = monotonic()
        page = parse_page(markup[: int(len(markup) * share)], encoding=encoding)
        if method is not None:
            method.select(page)
        seconds = (monotonic() - begin) / share
    return seconds


def cut_markup(markup: _Markup, size: int) -> _Markup:
    """Return the beginning of a page, without an unfinished tag or character at its end.

    >>> cut_markup("<p>Tea <b>is", 9), cut_markup("Grüße".encode(), 3)
    ('<p>Tea ', b'Gr')
    """
    out = markup[:size]
    if isinstance(out, str):
        tag = out.rfind("<", max(0, len(out) - _TAG_CHARS))
        return out[:tag] if tag >= 0 and ">" not in out[tag:] else out
    tag = out.rfind(b"<", max(0, len(out) - _TAG_CHARS))
    if tag >= 0 and b">" not in out[tag:]:
        return out[:tag]
    return out.decode("utf-8", "ignore").encode() if _is_utf8_cut(out) else out


def _is_utf8_cut(data: bytes) -> bool:
    """Tell whether only the last character of a text is not UTF-8: it was cut."""
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data"
    return False


def first_part(page: Page, selection: "Selection", share: float) -> "Selection":
    """Return the beginning of a selection: this share of its characters, cut between rows."""
    chars = np.where(selection.mask, page.nonspace, 0)
    return replace(selection, mask=selection.mask & (np.cumsum(chars) <= share * chars.sum()), scores=None)


def write_within(  # noqa: C901 (one case per limit)
    limits: Limits,
    page: Page,
    mask: Bools,
    write: Callable[[float], _Output],
    length: Callable[[_Output], int],
    cost: OutputCost,
) -> tuple[_Output, ContentWarning | None]:
    """Return an output of as much of the content as the limits allow, and a warning if that is not all.

    Args:
        limits: the limits.
        page: the page.
        mask: the rows that are written.
        write: writes the output of a share of the content, 0 to 1. It may raise `OutOfTimeError`.
        length: returns the characters of an output.
        cost: what the output takes.
    """
    reason = ""
    begin = monotonic()
    seconds = limits.max_seconds and limits.max_seconds * _FIRST_SHARE
    most = limits.max_output
    if most is None:
        most = min(max(_OUTPUT_PER_CHARACTER * len(page.markup), _MIN_OUTPUT), _MAX_OUTPUT)
    share = 1.0
    if limits.max_memory is not None:
        share = _share_within(page, mask, limits.max_memory, cost.memory_per_row)
        reason = "max_memory" if share < 1 else ""
    if share == 1:
        try:
            with time_limit(seconds):
                size = 0.0
                if _may_exceed(page, mask, most, cost):
                    size = (
                        _OUTPUT_TRIAL * _most_chars(page, mask, cost)
                        if cost.is_bound
                        else length(write(_OUTPUT_TRIAL))
                    )
            if _CERTAIN * _OUTPUT_TRIAL * most < size:
                reason, share = "max_output", max(_CERTAIN * _OUTPUT_TRIAL * most / size, _SHARES[1])
            seconds = seconds and max(
                seconds - (monotonic() - begin), 0.0
            )  # what was estimated with is not made again
        except OutOfTimeError:
            reason, share = "max_seconds", _SHARES[1]
    for smaller in _SHARES:
        try:
            with time_limit(seconds if share else None):  # nothing is written in no time
                output = write(share)
        except OutOfTimeError:
            reason = "max_seconds"
            left = (limits.max_seconds or 0) * _LAST_SHARE - (monotonic() - begin)
            seconds = min((seconds or 0) / 2, left)
            share = min(share, smaller) if left > 0 else 0.0
            continue
        size = length(output)
        if size <= most:
            break
        reason = "max_output"
        share = 0.9 * share * most / size if share > smaller else smaller
    else:
        output = write(0.0)
        share = 0.0
    if not reason:
        return output, None
    return output, limit_warning(reason, f"only the first {share:.1%} of the content were written", 1)


def _share_within(page: Page, mask: Bools, max_memory: int, memory_per_row: int) -> float:
    """Return the share of the content whose output takes no more than so much memory."""
    chars = page.nonspace[mask].astype(np.int64)
    needed = np.cumsum(memory_per_row + _WRITTEN_PER_CHAR * chars)
    count = int(np.searchsorted(needed, max_memory, side="right"))
    return 1.0 if count == len(chars) else float(chars[:count].sum() / max(1, chars.sum()))


def _most_chars(page: Page, mask: Bools, cost: OutputCost) -> int:
    """Return the characters that an output has at most."""
    return int(np.count_nonzero(mask)) * cost.chars_per_row + _CHARS_PER_CHAR * len(page.text)


def _may_exceed(page: Page, mask: Bools, most: int, cost: OutputCost) -> bool:
    """Tell whether an output may have more than this many characters."""
    if _most_chars(page, mask, cost) <= most:
        return False
    is_likely = int(np.count_nonzero(mask)) * _LIKELY_CHARS_PER_ROW > most
    return cost.estimate is None or is_likely or cost.estimate() > _CERTAIN * most


# `Options`: how the content is chosen. How it is shown is in `tamis.render.registry`.

#: What to favor: a word, or a number of logits by which blocks must be likelier to be kept (above 0 keeps less).
Favor = Literal["precision", "recall", "balance"] | float


class ChoiceKeywords(TypedDict, total=False):
    """The keywords of `Options`, for type checkers. A test holds them to its attributes."""

    extractor: str | Extractor | None
    favor: Favor | None
    encoding: str | None
    limits: Limits
    profile: Profile | None
    include: str | Sequence[str]
    exclude: str | Sequence[str]
    rules: Rules


@dataclass(frozen=True, slots=True)
class Options:
    """How the content is chosen: the keywords of `tamis.extract` as one immutable value, for any number of pages.

    >>> Options(extractor="cetd").replace(favor="recall")
    Options(extractor='cetd', favor='recall')

    Attributes:
        extractor: the name of a registered extractor, or an extractor. None is ``"sift"``; with `include`, which says
            what the content is, it is ``"body"`` unless there is a profile.
        favor: ``"precision"``, ``"recall"``, ``"balance"`` or a number of logits (above 0 keeps less), for extractors
            that can.
        encoding: the character encoding from the HTTP header, for bytes.
        limits: how much of a page is read and written.
        profile: what was learned about the page's site: a file, a folder of files named for hosts, or the profile.
        include: CSS selectors. Only what is in an element that one of them matches can be content.
        exclude: CSS selectors. What is in an element that one of them matches is left out.
        rules: use the rules of known sites (`tamis.sites.rules`); a folder or a file of others has precedence.
    """

    extractor: str | Extractor | None = None
    favor: Favor | None = None
    encoding: str | None = None
    limits: Limits = field(default=Limits(), repr=False)
    profile: Profile | None = None
    include: str | Sequence[str] = ()
    exclude: str | Sequence[str] = ()
    rules: Rules = field(default=True, repr=False)
    __repr__ = value_repr

    def __post_init__(self) -> None:
        if not isinstance(self.limits, Limits):
            raise OptionError(f"limits must be tamis.Limits, not {self.limits!r}")
        if self.extractor is not None and not isinstance(self.extractor, (str, Extractor)):
            raise OptionError(f"extractor must be a name or an extractor, not {self.extractor!r}")
        if self.encoding is not None and not isinstance(self.encoding, str):
            raise OptionError(f"encoding must be a str or None, not {type(self.encoding).__name__}")
        for name in ("include", "exclude"):
            if getattr(self, name) != ():
                object.__setattr__(self, name, read_selectors(getattr(self, name), name))
        if not isinstance(self.rules, (bool, str, Path)):
            raise OptionError(f"rules must be True, False or the path of a folder, not {self.rules!r}")
        logit_shift_for(self.favor)  # raises an OptionError for an invalid one

    def replace(self, **changes: "Unpack[ChoiceKeywords]") -> "Options":
        """Return these options with some changed."""
        return replace(self, **changes)

    def named_extractor(self) -> Extractor:
        """Return the extractor that these options name, without a profile."""
        if self.extractor is None:
            return registry.get("body" if self.include and self.profile is None else registry.DEFAULT)
        return registry.get(self.extractor) if isinstance(self.extractor, str) else self.extractor

    def resolve(self, host: str | None = None) -> Extractor:
        """Return the extractor that these options name, for the pages of a host; see `tamis.sites.rules`."""
        method = self.named_extractor()
        if self.profile is None:
            return method
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
