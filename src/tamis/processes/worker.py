"""The worker's side: its main loop, and what a function can tell the parent while it runs."""

import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from tamis.processes.messages import (
    Budget,
    Emitted,
    Message,
    NotPrepared,
    Raised,
    Returned,
    Signal,
    StepBegan,
    cpu_limit,
    limit_memory,
)

#: The connection to the parent, in a worker process; None elsewhere.
_parent: "Connection[Message, Any] | None" = None


def emit(value: object) -> None:
    """Send a partial result or a progress message to the parent: it is in the outcome's ``emitted``.

    A partial result reaches the parent even if the process is killed a moment later. Outside of a worker process
    nothing happens.
    """
    if _parent is not None:
        _parent.send(Emitted(pickle.dumps(value)))


@contextmanager
def step(name: object, wall: float | None = None) -> Iterator[None]:
    """Mark a part of a task, with a wall clock limit of its own. Steps do not nest.

    If the process is killed inside the block, the failure's ``step`` is `name`. Outside of a worker process the
    block has no limit.
    """
    if _parent is None:
        yield
        return
    _parent.send(StepBegan(name, wall))
    try:
        yield
    finally:
        _parent.send(Signal.STEP_ENDED)


def run_worker(
    connection: "Connection[Message, Any]",
    function: Callable[[Any], Any],
    prepare: Callable[[], None] | None,
    budget: Budget,
) -> None:
    """Work on tasks until the parent closes the connection. This is what a worker process runs."""
    global _parent  # noqa: PLW0603 (one process, one parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then ends its workers
    if hasattr(os, "setpgrp"):
        os.setpgrp()  # so that the parent can kill the worker together with what it has started
    end_with_parent()
    limit_memory(budget.memory)
    _parent = connection
    with suppress(EOFError, OSError):  # the parent has closed the connection, or is gone
        _work(connection, function, prepare, budget)


def _work(
    connection: "Connection[Message, Any]",
    function: Callable[[Any], Any],
    prepare: Callable[[], None] | None,
    budget: Budget,
) -> None:
    try:
        if prepare is not None:
            prepare()
    except Exception:  # noqa: BLE001 (whatever it is, the parent raises it where a person sees it)
        connection.send(NotPrepared(traceback.format_exc()))
        return
    connection.send(Signal.READY)
    while True:
        payload = connection.recv_bytes()
        connection.send(Signal.STARTED)
        connection.send(_run_task(function, payload, budget))


def _run_task(function: Callable[[Any], Any], payload: bytes, budget: Budget) -> Message:
    try:
        with cpu_limit(budget.cpu):
            task = pickle.loads(payload)  # noqa: S301 (from our own parent)
            return Returned(pickle.dumps(function(task), pickle.HIGHEST_PROTOCOL))
    except MemoryError:
        return Signal.OUT_OF_MEMORY
    except Exception as error:  # noqa: BLE001 (whatever it is, it is the outcome of this task)
        return _describe(error)


def _describe(error: Exception) -> Raised:
    message = f"{type(error).__name__}: {error}"
    text = "".join(traceback.format_exception(error))
    try:
        return Raised(message, text, pickle.dumps(error))
    except Exception:  # noqa: BLE001 (an exception may hold anything)
        return Raised(message, text)


def end_with_parent() -> None:
    """See to it that this process ends when its parent does, even if the parent is killed during a task."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    sentinel = parent.sentinel  # the end of a pipe whose other end closes with the parent
    if sys.platform == "linux":
        # The kernel sends SIGIO to the process group when the pipe closes, and SIGIO ends a process that does not
        # handle it. This needs no Python code to run, so it also ends a loop in C code that holds the lock.
        import fcntl  # noqa: PLC0415 (not on every system)

        fcntl.fcntl(sentinel, fcntl.F_SETOWN, -os.getpgrp())
        fcntl.fcntl(sentinel, fcntl.F_SETFL, fcntl.fcntl(sentinel, fcntl.F_GETFL) | os.O_ASYNC)
        if wait([sentinel], 0):  # it was closed before the kernel watched it
            os._exit(1)
    else:
        threading.Thread(target=_exit_after, args=(sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)
