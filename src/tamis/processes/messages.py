"""What a task may cost, how it ended, and what a worker process sends to its parent."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Generic, Literal, TypeVar

# The outcome of a task: a `Success` with the function's result, or a `Failure` with a status and a message.

Task = TypeVar("Task")
Result = TypeVar("Result")

#: timeout: exceeded the wall clock limit of the task or of a step. cpu: exceeded the CPU time. memory: ran out of
#: memory. crash: the process ended by itself or was killed from outside. error: the function raised an exception, or
#: the task or its result cannot be pickled.
Status = Literal["timeout", "cpu", "memory", "crash", "error"]


@dataclass(frozen=True, slots=True)
class Success(Generic[Task, Result]):
    """A task that was done.

    Attributes:
        value: what the function returned.
        emitted: what the function sent with `tamis.processes.emit` meanwhile.
    """

    task: Task
    value: Result
    emitted: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Failure(Generic[Task]):
    """A task that was not done.

    Attributes:
        status: why, for programs.
        message: why, for people, without a subject: ``"took more than 10 s of CPU time"``.
        step: the `tamis.processes.step` that was running, if one was.
        error: the exception that the function raised, if it could be pickled.
        emitted: what the function sent with `tamis.processes.emit` before it failed.
    """

    task: Task
    status: Status
    message: str
    step: Any = None
    error: Exception | None = None
    traceback: str = ""
    emitted: tuple[Any, ...] = ()


Outcome = Success[Task, Result] | Failure[Task]


# What one task may cost, and how a worker process holds itself to it.


@dataclass(frozen=True, slots=True)
class Budget:
    """The limits of one task. None means no limit.

    >>> Budget(cpu=10, memory=2_000_000_000).describe_memory()
    '2 GB'

    Attributes:
        wall: seconds on the clock. The parent kills the process after them.
        cpu: seconds of CPU time. The kernel kills the process after them, C code included. Where the system has no
            profiling timer (Windows), `wall` alone applies.
        memory: bytes of data that a worker process may hold, the modules it has loaded included. Where the system
            has no such limit (Windows, macOS), it does not apply.
    """

    wall: float | None = None
    cpu: float | None = None
    memory: int | None = None

    def describe_memory(self) -> str:
        """Return the memory limit for a message."""
        memory = self.memory or 0
        return f"{memory / 1e9:g} GB" if memory >= 1e9 else f"{memory / 1e6:g} MB"  # noqa: PLR2004 (a gigabyte)


NO_LIMITS: Final = Budget()


@contextmanager
def cpu_limit(seconds: float | None) -> Iterator[None]:
    """Let the kernel end this process when the block takes more than some seconds of CPU time.

    The signal of the profiling timer ends a process that does not handle it. It needs no help from Python, so it
    also ends a loop in C code.
    """
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def limit_memory(memory: int | None) -> None:
    """Limit the data of this process, where the system can."""
    if memory is None:
        return
    try:
        import resource  # noqa: PLC0415 (not on every system)

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    except (ImportError, ValueError, OSError):  # no such limit here, or a lower one is already set
        return


# What a worker process sends to its parent. Values travel as pickles of their own.
#
# So a value that cannot be pickled or unpickled fails its task, and never the connection.


class Signal(Enum):
    """A message without a value."""

    READY = "the process is prepared and waits for tasks"
    STARTED = "the process has received a task: from here on, what happens to the process is that task's doing"
    STEP_ENDED = "the step has ended"
    OUT_OF_MEMORY = "the function has raised `MemoryError`"


@dataclass(frozen=True, slots=True)
class NotPrepared:
    """The function ``prepare`` raised an exception."""

    traceback: str


@dataclass(frozen=True, slots=True)
class StepBegan:
    """A step of the task has begun, with a wall clock limit of its own."""

    name: Any
    wall: float | None


@dataclass(frozen=True, slots=True)
class Emitted:
    """A partial result or a progress message, pickled."""

    payload: bytes


@dataclass(frozen=True, slots=True)
class Returned:
    """The function has returned a result, pickled."""

    payload: bytes


@dataclass(frozen=True, slots=True)
class Raised:
    """The function has raised an exception: its description, its traceback, and its pickle if there can be one."""

    message: str
    traceback: str
    payload: bytes | None = None


Message = Signal | NotPrepared | StepBegan | Emitted | Returned | Raised
