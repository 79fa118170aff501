"""`AsyncPool`: run a function in worker processes, from an event loop."""

import asyncio
from collections.abc import Callable
from typing import Generic

from tamis.errors import BusyError
from tamis.processes.budget import NO_LIMITS, Budget
from tamis.processes.outcomes import Outcome, Result, Task
from tamis.processes.pool import ProcessPool
from tamis.processes.process import WorkerSpec


class AsyncPool(Generic[Task, Result]):
    """Worker processes, and a queue before them that refuses tasks rather than grow without end.

    Args:
        function: called with each task in a worker process. Must be picklable, as tasks and results must be.
        size: the number of processes.
        max_queued: tasks that may wait for a process.
        prepare: called once in each process before its first task.
        budget: the limits of each task.
        max_tasks: replace a process after this many tasks. None keeps it.
    """

    def __init__(
        self,
        function: Callable[[Task], Result],
        *,
        size: int,
        max_queued: int,
        prepare: Callable[[], None] | None = None,
        budget: Budget = NO_LIMITS,
        max_tasks: int | None = None,
    ) -> None:
        self.size, self.max_queued = size, max_queued
        self._pool = ProcessPool(WorkerSpec(function, prepare, budget, max_tasks), size)

    @property
    def queued(self) -> int:
        """The number of tasks that wait for a process."""
        return self._pool.queued

    @property
    def running(self) -> int:
        """The number of tasks that run."""
        return self._pool.running

    @property
    def restarts(self) -> int:
        """The number of processes that were replaced."""
        return self._pool.restarts

    async def start(self) -> None:
        """Start the processes. They load in the background; tasks may come at once."""
        self._pool.start()

    async def run(self, task: Task, *, wait: bool = False) -> Outcome[Task, Result]:
        """Run a task and return its outcome.

        A caller that is cancelled takes its task back while the task waits. A task that runs is left to end, within
        its budget: a fresh process costs more than most tasks.

        Args:
            task: the task.
            wait: join the queue even if it is full.

        Raises:
            BusyError: the queue is full.
            WorkerStartError: processes cannot be started or prepared.
        """
        if self._pool.unfinished >= self.size + self.max_queued and not wait:
            raise BusyError("at capacity; retry later")
        return await asyncio.wrap_future(self._pool.submit(task))

    async def close(self) -> None:
        """Drop the tasks that wait, kill all processes and wait until they are gone."""
        await asyncio.to_thread(self._pool.close)
