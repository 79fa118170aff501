"""A pool of worker processes: one thread for each, which feeds it tasks from a queue they share.

A thread waits for its process without holding up anybody, and the same code serves callers that wait (`Supervisor`)
and callers that await (`AsyncPool`). Threads are daemons, so a program that ends without closing a pool still ends.
"""

import atexit
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tamis.errors import WorkerStartError
from tamis.processes.outcomes import Failure, Outcome
from tamis.processes.process import WorkerProcess, WorkerSpec

#: Given a failure, returns a task that goes on where the failed one ended, or None to leave it failed.
Resume = Callable[[Failure[Any]], Any]


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    task: Any
    resume: Resume | None
    future: "Future[Outcome[Any, Any]]"


class ProcessPool:
    """Up to `size` worker processes, and the tasks that wait for one."""

    def __init__(self, spec: WorkerSpec, size: int) -> None:
        if size < 1:
            raise ValueError(f"a pool needs at least one process, not {size}")
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
        worker.collect()

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
