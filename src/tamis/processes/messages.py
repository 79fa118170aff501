"""What a worker process sends to its parent. Values travel as pickles of their own.

So a value that cannot be pickled or unpickled fails its task, and never the connection.
"""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Ready:
    """The process is prepared and waits for tasks."""


@dataclass(frozen=True, slots=True)
class NotPrepared:
    """The function ``prepare`` raised an exception."""

    traceback: str


@dataclass(frozen=True, slots=True)
class Started:
    """The process has received a task: from here on, what happens to the process is that task's doing."""


@dataclass(frozen=True, slots=True)
class StepBegan:
    """A step of the task has begun, with a wall clock limit of its own."""

    name: Any
    wall: float | None


@dataclass(frozen=True, slots=True)
class StepEnded:
    """The step has ended."""


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


@dataclass(frozen=True, slots=True)
class OutOfMemory:
    """The function has raised `MemoryError`."""


Message = Ready | NotPrepared | Started | StepBegan | StepEnded | Emitted | Returned | Raised | OutOfMemory
