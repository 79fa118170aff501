"""A deadline for what is computed in this thread, checked by long loops. It needs no signal and no second thread."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import monotonic
from typing import Final, TypeVar

_Item = TypeVar("_Item")
_deadline: Final[ContextVar[float | None]] = ContextVar("deadline", default=None)


class OutOfTimeError(Exception):
    """The deadline has passed. The caller that set it catches this."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Let `check_time` raise an `OutOfTimeError` after this many seconds; None sets no limit.

    >>> with time_limit(0):
    ...     check_time()
    Traceback (most recent call last):
    tamis.page.deadline.OutOfTimeError
    """
    token = _deadline.set(None if seconds is None else monotonic() + seconds)
    try:
        yield
    finally:
        _deadline.reset(token)


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
