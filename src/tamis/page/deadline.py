"""A deadline for what is computed in this thread, checked by long loops. It needs no signal and no second thread."""

from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from time import monotonic
from typing import Final, TypeVar

_Item = TypeVar("_Item")
_deadline: Final[ContextVar[float | None]] = ContextVar("deadline", default=None)


class OutOfTimeError(Exception):
    """The deadline has passed. The caller that set it catches this."""


class time_limit:  # noqa: N801 (called like a function; a generator would take five times as long)
    """Let `check_time` raise an `OutOfTimeError` after this many seconds; None sets no limit.

    >>> with time_limit(0):
    ...     check_time()
    Traceback (most recent call last):
    tamis.page.deadline.OutOfTimeError
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        self._token = _deadline.set(None if self._seconds is None else monotonic() + self._seconds)

    def __exit__(self, *_: object) -> None:
        _deadline.reset(self._token)


def check_time() -> None:
    """Raise an `OutOfTimeError` if the deadline of this thread has passed."""
    deadline = _deadline.get()
    if deadline is not None and monotonic() >= deadline:
        raise OutOfTimeError


def checked(items: Iterable[_Item]) -> Iterator[_Item]:
    """Iterate over items with a look at the clock before each, for the lines of a text that may be a megabyte."""
    for item in items:
        check_time()
        yield item
