"""The outcome of a task: a `Success` with the function's result, or a `Failure` with a status and a message."""

from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

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
        task: the task.
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
        task: the task.
        status: why, for programs.
        message: why, for people, without a subject: ``"took more than 10 s of CPU time"``.
        step: the `tamis.processes.step` that was running, if one was.
        error: the exception that the function raised, if it could be pickled.
        traceback: where the function raised it, as text.
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
