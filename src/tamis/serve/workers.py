"""Worker processes: each works on one page at a time, and can be killed.

A page that needs more processor time than it may have is ended by the kernel (a profiling timer, which counts the
time of the process and needs nobody's help, not even in C code). A page that only waits, or a machine without that
timer, is ended by the watch of the wall clock. The next page finds a fresh process.
"""

import asyncio
import logging
import multiprocessing
import signal
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Final

from tamis.errors import BudgetError, BusyError, TamisError

log = logging.getLogger("tamis.serve")
_STOP: Final = None
_READY: Final = "ready"
_LOADING: Final = 120.0  #: seconds in which a fresh process must have loaded what it needs
Work = Callable[[Any], Any]
Prepare = Callable[[], None]


def _serve(pipe: "Connection[Any, Any]", work: Work, prepare: Prepare | None, cpu: float, memory: int) -> None:
    """Work on jobs until told to stop: what a worker process runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends its workers
    _limit_memory(memory)
    try:
        if prepare is not None:
            prepare()
    except Exception:
        log.exception("a worker could not be prepared")
    pipe.send(_READY)
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):  # the server is gone
            return
        if job is _STOP:
            return
        pipe.send(_done(work, job, cpu))


def _done(work: Work, job: Any, cpu: float) -> Any:  # noqa: ANN401 (whatever the work takes and gives)
    timer = hasattr(signal, "setitimer")
    try:
        if timer:
            signal.setitimer(signal.ITIMER_PROF, cpu)  # its signal ends a process that does not handle it
        return work(job)
    except TamisError as error:
        return error
    except MemoryError:
        return BudgetError("the page needs more memory than a page may have")
    except Exception:
        log.exception("a worker failed on a page")
        return None
    finally:
        if timer:
            signal.setitimer(signal.ITIMER_PROF, 0)


def _limit_memory(memory: int) -> None:
    try:
        import resource  # noqa: PLC0415 (not on every system)

        resource.setrlimit(resource.RLIMIT_DATA, (memory, memory))
    except (ImportError, ValueError, OSError):  # the limit is already lower, or there is none to be had
        return


class WorkerFault(Exception):  # noqa: N818 (not a person's error: ours)
    """Our own code has failed; the worker has logged how."""


@dataclass(slots=True)
class _Worker:
    work: Work
    prepare: Prepare | None
    cpu: float
    patience: float
    memory: int
    process: BaseProcess | None = None
    pipe: "Connection[Any, Any] | None" = None
    restarts: int = -1
    ready: bool = False

    def start(self) -> None:
        # Spawned, not forked: a fork would take the event loop's locks and sockets along.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=_serve,
            args=(theirs, self.work, self.prepare, self.cpu, self.memory),
            daemon=True,
            name="tamis-worker",
        )
        self.process.start()
        theirs.close()
        self.ready = False
        self.restarts += 1

    def call(self, job: Any) -> Any:  # noqa: ANN401 (whatever the work takes and gives)
        """Have a job done, in a thread of its own."""
        if self.process is None or not self.process.is_alive():
            self.end()
            self.start()
        process, pipe = self.process, self.pipe
        assert process is not None
        assert pipe is not None
        try:
            if not self.ready:  # the time it takes to load is not the page's
                self.ready = pipe.poll(_LOADING) and pipe.recv() == _READY
            pipe.send(job)
            if pipe.poll(self.patience):
                return pipe.recv()
            reason = f"the page took more than {self.patience:g} seconds"
        except (EOFError, OSError):
            process.join(1)
            spent = -(process.exitcode or 0) == getattr(signal, "SIGPROF", None)
            reason = f"the page needs more than {self.cpu:g} seconds of processor time" if spent else ""
            reason = reason or "the page took its worker process down"
        self.end()
        self.start()
        raise BudgetError(reason)

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process.close()
            self.process = None
        if self.pipe is not None:
            self.pipe.close()
            self.pipe = None


class Pool:
    """Workers, and a queue in front of them that refuses rather than grows."""

    def __init__(
        self,
        work: Work,
        size: int,
        *,
        waiting: int,
        cpu: float,
        patience: float,
        memory: int = 2_000_000_000,
        prepare: Prepare | None = None,
    ) -> None:
        self.size, self.waiting, self.queued = size, waiting, 0
        self._workers = [_Worker(work, prepare, cpu, patience, memory) for _ in range(size)]
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._threads = ThreadPoolExecutor(size, "tamis-pool")

    async def start(self) -> None:
        """Start the processes; they load what they need while the first requests come in."""
        for worker in self._workers:
            await asyncio.to_thread(worker.start)
            self._idle.put_nowait(worker)

    @property
    def busy(self) -> int:
        """How many workers are at work."""
        return self.size - self._idle.qsize()

    @property
    def restarts(self) -> int:
        """How many processes had to be replaced."""
        return sum(max(0, worker.restarts) for worker in self._workers)

    async def run(self, job: Any, *, patient: bool = False) -> Any:  # noqa: ANN401 (whatever the work takes and gives)
        """Have a job done; where too many wait already and the caller is not `patient`, an error says so."""
        if self.queued >= self.waiting and not patient:
            raise BusyError("there is enough to do for now; ask again in a moment")
        self.queued += 1
        try:
            worker = await self._idle.get()
        finally:
            self.queued -= 1
        loop = asyncio.get_running_loop()
        done: Future[Any] = self._threads.submit(worker.call, job)
        # The worker is free when its thread has ended, which may be later than the caller's patience.
        done.add_done_callback(lambda _: loop.call_soon_threadsafe(self._idle.put_nowait, worker))
        answer = await asyncio.wrap_future(done)
        if isinstance(answer, TamisError):
            raise answer
        if answer is None:
            raise WorkerFault
        return answer

    async def close(self) -> None:
        """End all processes."""
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        for worker in self._workers:
            if worker.process is not None:
                worker.process.kill()  # a thread that waits for it finds its pipe closed
        self._threads.shutdown(wait=True)
        for worker in self._workers:
            worker.end()
