"""What one task may cost, and how a worker process holds itself to it."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final


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
