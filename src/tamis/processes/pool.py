"""Pools of worker processes: over a queue, over an iterable of tasks, and from an event loop."""

import asyncio
import atexit
import multiprocessing
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue
from typing import Any, Generic

from tamis.errors import BusyError, WorkerStartError
from tamis.processes.messages import Failure, Outcome, Result, Task
from tamis.processes.process import WorkerProcess, WorkerSpec

# A pool of worker processes: one thread for each, which feeds it tasks from a queue they share.
#
# A thread waits for its process without holding up anybody, and the same code serves callers that wait (`Supervisor`)
# and callers that await (`AsyncPool`). Threads are daemons, so a program that ends without closing a pool still ends.

#: Given a failure, returns a task that goes on where the failed one ended, or None to leave it failed.
Resume = Callable[[Failure[Any]], Any]


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    task: Any
    resume: Resume | None
    future: "Future[Outcome[Any, Any]]"


class ProcessPool:
    """Up to `size` worker processes, and the tasks that wait for one."""

    def __init__(self, spec: WorkerSpec[Any, Any], size: int) -> None:
        if size < 1:
            raise ValueError(f"a pool needs at least one process, not {size}")
        if getattr(multiprocessing.current_process(), "_inheriting", False):
            # A worker process that imports the script of its parent, which starts worker processes: what the parent
            # raises says what is wrong, and the error of `multiprocessing` would be a page for each process.
            raise SystemExit(1)
        self.size, self._spec = size, spec
        self._workers: list[WorkerProcess] = []
        self._threads: list[threading.Thread] = []
        self._queue: deque[_Job] = deque()
        self._changed = threading.Condition()
        self._running = 0
        self._closed = False
        atexit.register(self.close)  # before `multiprocessing` ends its children, which would be replaced

    @property
    def queued(self) -> int:
        """The number of tasks that wait for a process."""
        return len(self._queue)

    @property
    def running(self) -> int:
        """The number of tasks that run."""
        return self._running

    @property
    def unfinished(self) -> int:
        """The number of tasks that wait or run."""
        with self._changed:
            return len(self._queue) + self._running

    @property
    def restarts(self) -> int:
        """The number of processes that were replaced."""
        return sum(max(0, worker.starts - 1) for worker in self._workers)

    def start(self) -> None:
        """Start all processes now. They load while this returns; without it, each starts with its first task."""
        with self._changed:
            while len(self._threads) < self.size:
                self._add_worker(eager=True)

    def submit(self, task: Any, resume: Resume | None = None) -> "Future[Outcome[Any, Any]]":  # noqa: ANN401 (a task)
        """Queue a task and return its future outcome. Cancelling the future drops a task that has not begun."""
        future: Future[Outcome[Any, Any]] = Future()
        job = _Job(task, resume, future)
        with self._changed:
            if self._closed:
                raise RuntimeError("the pool is closed")
            self._queue.append(job)
            if len(self._threads) < self.size and self._running + len(self._queue) > len(self._threads):
                self._add_worker(eager=False)
            self._changed.notify()
        future.add_done_callback(self._forget)  # without the job: a cycle would keep large tasks until a collection
        return future

    def close(self) -> None:
        """Drop the tasks that wait, kill all processes and wait until they are gone."""
        with self._changed:
            self._closed = True
            dropped, self._queue = list(self._queue), deque()
            self._changed.notify_all()
        for job in dropped:
            job.future.cancel()
        for worker in self._workers:
            worker.close()
        for thread in self._threads:
            thread.join()
        atexit.unregister(self.close)

    def _add_worker(self, *, eager: bool) -> None:
        worker = WorkerProcess(self._spec)
        thread = threading.Thread(target=self._feed, args=(worker, eager), name="tamis-pool", daemon=True)
        self._workers.append(worker)
        self._threads.append(thread)
        thread.start()

    def _feed(self, worker: WorkerProcess, eager: bool) -> None:  # noqa: FBT001 (a thread's target)
        if eager:
            with suppress(WorkerStartError):  # the caller of the first task gets the same error
                worker.start()
        while (job := self._next()) is not None:
            settle = self._run(worker, job)
            with self._changed:
                self._running -= 1
            settle()  # after the count: who has the outcome may submit the next task at once
            del job, settle  # a task may be large
        worker.end()

    @staticmethod
    def _run(worker: WorkerProcess, job: _Job) -> Callable[[], None]:
        """Run a task and return what tells its caller the outcome."""
        if not job.future.set_running_or_notify_cancel():
            return lambda: None
        try:
            outcome = _run_and_resume(worker, job)
        except Exception as error:  # noqa: BLE001 (the caller gets it)
            return partial(job.future.set_exception, error)
        return partial(job.future.set_result, outcome)

    def _next(self) -> _Job | None:
        with self._changed:
            while not self._queue and not self._closed:
                self._changed.wait()
            if self._closed:
                return None
            self._running += 1
            return self._queue.popleft()

    def _forget(self, future: "Future[Outcome[Any, Any]]") -> None:
        """Drop the task of a future that was cancelled."""
        if future.cancelled():
            with self._changed:
                self._queue = deque(job for job in self._queue if job.future is not future)


def _run_and_resume(worker: WorkerProcess, job: _Job) -> Outcome[Any, Any]:
    """Run a task, and the tasks that go on where it failed. The outcome is theirs, of the task that was given."""
    outcome = worker.run(job.task)
    while isinstance(outcome, Failure) and job.resume is not None:
        task = job.resume(outcome)
        if task is None:
            break
        emitted, outcome = outcome.emitted, worker.run(task)
        outcome = replace(outcome, emitted=emitted + outcome.emitted)
    return replace(outcome, task=job.task)


# `AsyncPool`: run a function in worker processes, from an event loop.


class AsyncPool(ProcessPool, Generic[Task, Result]):
    """Worker processes, and a queue before them that refuses tasks rather than grow without end.

    `max_queued` tasks may wait for a process.
    """

    def __init__(self, spec: "WorkerSpec[Task, Result]", *, size: int, max_queued: int) -> None:
        super().__init__(spec, size)
        self.max_queued = max_queued

    async def run(self, task: Task, *, wait: bool = False) -> Outcome[Task, Result]:
        """Run a task and return its outcome.

        A caller that is cancelled takes its task back while the task waits. A task that runs is left to end, within
        its budget: a fresh process costs more than most tasks.

        With `wait`, the task joins the queue even if that is full.

        Raises:
            BusyError: the queue is full.
            WorkerStartError: processes cannot be started or prepared.
        """
        if self.unfinished >= self.size + self.max_queued and not wait:
            raise BusyError("at capacity; retry later")
        return await asyncio.wrap_future(self.submit(task))

    async def aclose(self) -> None:
        """Do what `close` does, without blocking the event loop."""
        await asyncio.to_thread(self.close)


# `Supervisor`: run a function over many tasks in worker processes, synchronously.


@dataclass(frozen=True, slots=True)
class Supervisor(WorkerSpec[Task, Result]):
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
        size: the number of processes.
        max_in_flight: tasks that were taken from the iterator and whose outcome was not yet; 4 for each process if
            None. It bounds the memory of a long run.
    """

    size: int = 1
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
        return ProcessPool(self, self.size)


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
