"""Worker processes that are kept between the calls of a job.

An engine calls a job once for each part of its data, in a process that it uses again. To start workers and load the
model each time would cost more than a small part does. So a pool that is free stays, one in each process of the
engine, and the next call with the same options takes it. Workers end with the process that started them.
"""

import os
import pickle
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tamis.processes import Supervisor
from tamis.processes.pool import ProcessPool

_lock = threading.Lock()
_free: "tuple[Supervisor[Any, Any], ProcessPool] | None" = None


@contextmanager
def kept_pool(supervisor: "Supervisor[Any, Any]") -> Iterator[ProcessPool]:
    """Provide the pool of an equal supervisor that was used before and is free, or a new one.

    After an exception, or where the caller stops early, the pool is closed: its workers may still be at work.
    """
    pool = _take(supervisor) or supervisor.open_pool()
    try:
        yield pool
    except BaseException:
        pool.close()
        raise
    _keep(supervisor, pool)


def close_kept_pool() -> None:
    """End the workers that are kept, if there are any."""
    _keep(None, None)


def _take(supervisor: "Supervisor[Any, Any]") -> ProcessPool | None:
    global _free  # noqa: PLW0603 (one process, one free pool)
    with _lock:
        if _free is None or not _is_equal(_free[0], supervisor):
            return None
        pool = _free[1]
        _free = None
        return pool


def _is_equal(first: object, second: object) -> bool:
    try:
        return first == second
    except ValueError:  # an extractor that holds arrays
        return pickle.dumps(first) == pickle.dumps(second)


def _keep(supervisor: "Supervisor[Any, Any] | None", pool: ProcessPool | None) -> None:
    global _free
    with _lock:
        replaced, _free = _free, None if supervisor is None or pool is None else (supervisor, pool)
    if replaced is not None:
        replaced[1].close()


def _forget() -> None:
    """Forget the pool in a forked process: its threads and workers are those of the parent."""
    global _free, _lock
    _free, _lock = None, threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
