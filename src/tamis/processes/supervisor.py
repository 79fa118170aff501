"""`Supervisor`: run a function over many tasks in worker processes, synchronously."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Generic

from tamis.processes.budget import NO_LIMITS, Budget
from tamis.processes.outcomes import Failure, Outcome, Result, Task
from tamis.processes.pool import ProcessPool
from tamis.processes.process import WorkerSpec


@dataclass(frozen=True, slots=True)
class Supervisor(Generic[Task, Result]):
    """Runs ``function(task)`` in worker processes that are budgeted, can be killed, and are replaced.

    Usage::

        supervisor = Supervisor(extract_file, size=8, budget=Budget(wall=60, cpu=10, memory=2_000_000_000))
        for outcome in supervisor.map(paths):
            match outcome:
                case Success():
                    print(outcome.task, outcome.value)
                case Failure():
                    print(outcome.task, outcome.status, outcome.message)

    Attributes:
        function: called with each task in a worker process. Must be picklable, as tasks and results must be.
        size: the number of processes.
        prepare: called once in each process before its first task.
        budget: the limits of each task. A process whose task exceeds one, or ends it, is replaced; one whose task
            only raises an exception is not.
        max_tasks: replace a process after this many tasks. None keeps it.
        max_in_flight: tasks that were taken from the iterator and whose outcome was not yet; 4 for each process if
            None. It bounds the memory of a long run.
    """

    function: Callable[[Task], Result]
    size: int = 1
    prepare: Callable[[], None] | None = None
    budget: Budget = NO_LIMITS
    max_tasks: int | None = None
    max_in_flight: int | None = None

    def map(
        self,
        tasks: Iterable[Task],
        *,
        ordered: bool = True,
        resume: Callable[[Failure[Task]], Task | None] | None = None,
        pool: ProcessPool | None = None,
    ) -> Iterator[Outcome[Task, Result]]:
        """Yield one outcome for each task. Closing the iterator early kills the processes.

        Args:
            tasks: pulled only as fast as outcomes are taken.
            ordered: yield outcomes in the order of the tasks, else as they come.
            resume: called with each failure in a thread of the pool. It returns a task that goes on where the failed
                one ended, which runs in place of it, or None to leave it failed. What both emit is in the outcome.
            pool: processes that `open_pool` has made. They are left running for the next call; the caller closes
                them. None starts processes for this call.

        Raises:
            WorkerStartError: processes cannot be started or prepared.
        """
        limit = max(1, 4 * self.size if self.max_in_flight is None else self.max_in_flight)
        used = self.open_pool() if pool is None else pool
        try:
            yield from _outcomes(used, iter(tasks), limit, resume, ordered=ordered)
        finally:
            if pool is None:
                used.close()

    def open_pool(self) -> ProcessPool:
        """Return worker processes for several calls of `map`. Each one starts with its first task."""
        return ProcessPool(WorkerSpec(self.function, self.prepare, self.budget, self.max_tasks), self.size)


def _outcomes(
    pool: ProcessPool,
    tasks: Iterator[Any],
    limit: int,
    resume: Callable[[Failure[Any]], Any] | None,
    *,
    ordered: bool,
) -> Iterator[Outcome[Any, Any]]:
    futures: deque[Future[Outcome[Any, Any]]] = deque()  # those in flight, in order
    done: SimpleQueue[Future[Outcome[Any, Any]]] = SimpleQueue()  # unordered: those that have an outcome
    in_flight, exhausted = 0, False
    while True:
        # The source may be slow: an outcome that is there goes before the next task.
        waiting = futures[0].done() if ordered and futures else not done.empty()
        if not exhausted and in_flight < limit and not waiting:
            try:
                future = pool.submit(next(tasks), resume)
            except StopIteration:
                exhausted = True
                continue
            in_flight += 1
            if ordered:
                futures.append(future)
            else:
                future.add_done_callback(done.put)
        elif in_flight:
            outcome = (futures.popleft() if ordered else done.get()).result()
            in_flight -= 1
            yield outcome
        else:
            return
