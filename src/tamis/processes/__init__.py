"""Worker processes that are budgeted, can be killed, and are replaced.

::

    Supervisor.map (synchronous) ─┐
                                  ├─► ProcessPool (threads) ─► WorkerProcess ═ pipe ═► worker ─► function(task)
    AsyncPool.run  (asyncio)     ─┘

A worker runs ``function(task)`` for one task at a time. Every task has exactly one outcome, `Success` or `Failure`:
a task that exceeds its `Budget` or takes its process down does not stop the others. `Supervisor` pulls tasks from an
iterator only as fast as they finish; `AsyncPool` refuses tasks when too many wait.

Processes are spawned, never forked. A fork copies the locks, threads, sockets and event loop of the parent in
whatever state they are, which deadlocks; a spawned process starts empty, on every platform alike. The price is that
``function``, ``prepare`` and tasks must be picklable, and that a script needs ``if __name__ == "__main__":``.
"""

from tamis.processes.messages import Budget, Failure, Outcome, Status, Success
from tamis.processes.pool import AsyncPool, Supervisor
from tamis.processes.process import WorkerSpec
from tamis.processes.worker import emit, step

__all__ = [
    "AsyncPool",
    "Budget",
    "Failure",
    "Outcome",
    "Status",
    "Success",
    "Supervisor",
    "WorkerSpec",
    "emit",
    "step",
]
