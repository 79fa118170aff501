"""The parent's side of one worker process: start it, run a task in it, kill it, replace it."""

import multiprocessing
import os
import pickle
import signal
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final, Generic

from tamis.errors import WorkerStartError
from tamis.processes.messages import (
    NO_LIMITS,
    Budget,
    Emitted,
    Failure,
    Message,
    NotPrepared,
    Outcome,
    Raised,
    Result,
    Returned,
    Signal,
    Status,
    StepBegan,
    Success,
    Task,
)
from tamis.processes.worker import run_worker

# The messages between a parent and its worker about one task, from the task's start to its outcome.

# ruff: noqa: S301 (the pickles come from our own worker process)

_INFINITE: Final = float("inf")
_MAX_MESSAGE_CHARS: Final = 300


@dataclass(slots=True)
class Exchange:
    """What is known about a task that runs: its step, what it has emitted, and the limit that ends first."""

    task: Any
    budget: Budget
    step: Any = None
    emitted: list[Any] = field(default_factory=list)
    _task_deadline: float = _INFINITE
    _deadline: float = _INFINITE
    _limit: float | None = None

    def __post_init__(self) -> None:
        self._limit = self.budget.wall
        self._task_deadline = self._deadline = _deadline(self._limit)

    def receive(self, connection: "Connection[Any, Message]") -> Outcome[Any, Any]:
        """Read messages until there is an outcome.

        Raises:
            EOFError, OSError: the process has ended.
        """
        while True:
            timeout = None if self._deadline == _INFINITE else max(0.0, self._deadline - time.monotonic())
            if not connection.poll(timeout):
                return self.failure("timeout", f"took more than {self._limit:g} s")
            message = connection.recv()
            try:
                outcome = self._handle(message)
            except Exception as error:  # noqa: BLE001 (a value may do anything when it is unpickled)
                return self.failure("error", f"the result cannot be unpickled: {error}", error=error)
            if outcome is not None:
                return outcome

    def _handle(self, message: Message) -> Outcome[Any, Any] | None:
        match message:
            case StepBegan():
                self.step = message.name
                if _deadline(message.wall) < self._task_deadline:
                    self._deadline, self._limit = _deadline(message.wall), message.wall
            case Signal.STEP_ENDED:
                self.step, self._deadline, self._limit = None, self._task_deadline, self.budget.wall
            case Emitted():
                self.emitted.append(pickle.loads(message.payload))
            case Returned():
                return Success(self.task, pickle.loads(message.payload), tuple(self.emitted))
            case Raised():
                error = _load_error(message.payload)
                return self.failure("error", message.message, error=error, traceback=message.traceback)
            case Signal.OUT_OF_MEMORY:
                return self.failure("memory", f"needed more than {self.budget.describe_memory()} of memory")
            case _:
                raise TypeError(f"unexpected message {message!r}")
        return None

    def failure(
        self, status: Status, message: str, *, error: Exception | None = None, traceback: str = ""
    ) -> Failure[Any]:
        """Return the task as failed."""
        text = message[:_MAX_MESSAGE_CHARS]
        return Failure(self.task, status, text, self.step, error, traceback, tuple(self.emitted))


def _deadline(seconds: float | None) -> float:
    return _INFINITE if seconds is None else time.monotonic() + seconds


def _load_error(payload: bytes | None) -> Exception | None:
    try:
        error = pickle.loads(payload) if payload is not None else None
    except Exception:  # noqa: BLE001 (an exception's constructor may want other arguments than it was pickled with)
        return None
    return error if isinstance(error, Exception) else None


# The parent's side of one worker process: start it, run a task in it, kill it, replace it.

#: Processes that may end before they are ready, one after the other, before the pool gives up: by themselves, and
#: killed from outside, which says less about the next one.
_MAX_FAILED_STARTS: Final = 5
_MAX_KILLED_STARTS: Final = 50
#: Processes that may end after a task was sent to them and before it began: a task may be too large to be received.
_MAX_SENDS: Final = 3
_JOIN_TIMEOUT: Final = 10.0  #: seconds for a killed process to be gone

#: `multiprocessing` collects all ended children whenever a process starts. Two threads that wait for one child can
#: both miss its exit code, so only one thread at a time starts or collects processes.
_children_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class WorkerSpec(Generic[Task, Result]):
    """What worker processes are made of.

    Attributes:
        function: called with each task in a worker process. Must be picklable, as tasks and results must be.
        prepare: called once in each process, before the first task. Picklable.
        budget: the limits of each task. A process whose task exceeds one, or ends it, is replaced; one whose task
            only raises an exception is not.
        max_tasks: replace a process after this many tasks, for functions that leak. None keeps it.
        start_timeout: seconds for a process to start and prepare; they do not count as the task's.
    """

    function: Callable[[Task], Result]
    prepare: Callable[[], None] | None = None
    budget: Budget = NO_LIMITS
    max_tasks: int | None = None
    start_timeout: float = 120.0


class WorkerProcess:
    """One worker process at a time. All methods but `close` belong to one thread."""

    def __init__(self, spec: WorkerSpec[Any, Any]) -> None:
        self.spec, self.starts = spec, 0
        self._process: BaseProcess | None = None
        self._connection: Connection[Any, Message] | None = None
        self._ready = self._closed = False
        self._tasks = 0
        self._lock = threading.Lock()  # between `close` and a start

    def run(self, task: Any) -> Outcome[Any, Any]:  # noqa: ANN401 (whatever the function takes and returns)
        """Run a task and return its outcome. The process is replaced where it has to be."""
        try:
            payload = pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
        except Exception as error:  # noqa: BLE001 (a task may hold anything)
            return Failure(task, "error", f"the task cannot be pickled: {error}"[:300], error=error)
        if self.spec.max_tasks is not None and self._tasks >= self.spec.max_tasks:
            self.end()
        if not self._send(payload):
            return Failure(task, "crash", "crashed its process before it began")
        assert self._connection is not None
        self._tasks += 1
        exchange = Exchange(task, self.spec.budget)
        try:
            outcome = exchange.receive(self._connection)
        except (EOFError, OSError):
            outcome = exchange.failure(*self._describe_loss())
        if isinstance(outcome, Failure) and not outcome.traceback:
            self.end()  # only after an exception of the function is the process as it was
        return outcome

    def start(self) -> None:
        """Start the process and wait until it is ready."""
        failed = 0
        while not self._ready:
            reason = self._start() or self._wait_until_ready()
            if reason:
                self.end()
                failed += 1
                if failed >= (_MAX_KILLED_STARTS if reason == "SIGKILL" else _MAX_FAILED_STARTS):
                    raise WorkerStartError(
                        f"worker processes end before they are ready ({reason}); "
                        'a script needs `if __name__ == "__main__":` around what it does'
                    )

    def close(self) -> None:
        """Kill the process and start no other. Any thread may call this; a task that runs is a failure."""
        with self._lock:
            self._closed = True
            if self._process is not None:
                _kill(self._process)

    def _start(self) -> str:
        """Start a process. Return why it has not started, or nothing."""
        context = multiprocessing.get_context("spawn")  # why not fork: see the package
        with self._lock:
            if self._closed:
                raise WorkerStartError("the pool is closed")
            self._connection, theirs = context.Pipe()
            spec = self.spec
            process = context.Process(
                target=run_worker,
                args=(theirs, spec.function, spec.prepare, spec.budget),
                daemon=True,
                name="tamis-worker",
            )
            try:
                with _children_lock:
                    process.start()
            except (pickle.PicklingError, AttributeError, TypeError) as error:
                self._connection.close()
                raise WorkerStartError(f"the function or prepare cannot be pickled: {error}") from error
            except OSError as error:  # the system has too little memory, or the process was killed at once
                return str(error)
            finally:
                theirs.close()
            self._process, self._tasks = process, 0
            self.starts += 1
            return ""

    def _wait_until_ready(self) -> str:
        """Return why the process is not ready, or nothing."""
        assert self._connection is not None
        try:
            if not self._connection.poll(self.spec.start_timeout):
                self.end()
                raise WorkerStartError(f"a worker process is not ready after {self.spec.start_timeout:g} s")
            message = self._connection.recv()
        except (EOFError, OSError):
            return _describe_exit(self._exit_code())
        if isinstance(message, NotPrepared):
            self.end()
            raise WorkerStartError(f"a worker process cannot be prepared:\n{message.traceback}")
        assert message is Signal.READY
        self._ready = True
        return ""

    def _send(self, payload: bytes) -> bool:
        """Hand a task to a process. One that was killed while it waited is replaced: that is not the task's doing."""
        for _ in range(_MAX_SENDS):
            self.start()
            assert self._connection is not None
            with suppress(EOFError, OSError):
                self._connection.send_bytes(payload)
                if self._connection.recv() is Signal.STARTED:
                    return True
            self.end()
        return False

    def _describe_loss(self) -> tuple[Status, str]:
        """Return the status and the message of a task whose process has ended."""
        code = self._exit_code()
        if code is not None and -code == getattr(signal, "SIGPROF", None):
            return "cpu", f"took more than {self.spec.budget.cpu or 0:g} s of CPU time"
        return "crash", f"crashed its process ({_describe_exit(code)})"

    def _exit_code(self) -> int | None:
        assert self._process is not None
        with _children_lock:
            self._process.join(_JOIN_TIMEOUT)
            return self._process.exitcode

    def end(self) -> None:
        """Kill the process, if there is one, and what it has started."""
        with self._lock:
            if self._process is not None:
                _kill(self._process)
                with _children_lock:
                    self._process.join(_JOIN_TIMEOUT)
                    with suppress(ValueError):  # it does not end: the kernel holds it
                        self._process.close()
                self._process = None
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            self._ready = False


def _kill(process: BaseProcess) -> None:
    if hasattr(os, "killpg") and process.pid is not None:
        with suppress(OSError):  # it has not made its group yet, or nothing of it is left
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _describe_exit(code: int | None) -> str:
    """Return how a process ended.

    >>> _describe_exit(7), _describe_exit(-11)
    ('exit code 7', 'SIGSEGV')
    """
    if code is None or code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
