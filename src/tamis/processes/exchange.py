"""The messages between a parent and its worker about one task, from the task's start to its outcome."""

import pickle
import time
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, Final

from tamis.processes.budget import Budget
from tamis.processes.messages import Emitted, Message, OutOfMemory, Raised, Returned, StepBegan, StepEnded
from tamis.processes.outcomes import Failure, Outcome, Status, Success

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
            case StepEnded():
                self.step, self._deadline, self._limit = None, self._task_deadline, self.budget.wall
            case Emitted():
                self.emitted.append(pickle.loads(message.payload))
            case Returned():
                return Success(self.task, pickle.loads(message.payload), tuple(self.emitted))
            case Raised():
                error = _load_error(message.payload)
                return self.failure("error", message.message, error=error, traceback=message.traceback)
            case OutOfMemory():
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
