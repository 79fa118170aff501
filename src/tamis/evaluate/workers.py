"""Processes that run tools on pages, and the watch over them.

A tool may hang in C code, run out of stack or take its process down. So each page is worked on in a process that
can be ended: the watch knows which tool is at work and since when. One that exceeds its time or dies is marked as
failed on that page, and a fresh process goes on with the tools that were to follow.
"""

import logging
import multiprocessing
import time
import traceback
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final

import turbohtml

from tamis.evaluate.corpora import BrokenPage, Corpus
from tamis.evaluate.measures import Columns, Measure, Output, measures_named
from tamis.evaluate.results import Result
from tamis.evaluate.tools import Own, Tool

#: A page for a tool's first call, which also imports and builds tables; that is not counted as time on a page.
_WARMING: Final = "<html><head><title>Tea</title></head><body><p>Water just off the boil.</p></body></html>"


@dataclass(frozen=True, slots=True)
class Task:
    """A page to run tools on, from the `first` on; `failed` says why the first one already has no result."""

    corpus: Corpus
    page_id: str
    first: int = 0
    failed: str | None = None


@dataclass(frozen=True, slots=True)
class Idle:
    """A worker wants the next task."""


@dataclass(frozen=True, slots=True)
class Began:
    """A tool has begun: its time runs."""

    tool: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The tool has ended: what follows, scoring, is ours."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Our own code has failed."""

    trace: str


#: What a worker says to its watch.
Message = Idle | Began | Ended | Fault | Result | BrokenPage


def _serve(
    pipe: "Connection[Message, Task | None]",
    tools: Sequence[Tool],
    names: Sequence[str],
    keep: bool,  # noqa: FBT001 (a process's target takes its arguments by position)
) -> None:
    """Work on tasks until there are none: what a worker process runs."""
    warnings.simplefilter("ignore")  # what peers have to say would bury the table
    logging.disable(logging.CRITICAL)
    measures = measures_named(names)
    warm: set[str] = set()
    pipe.send(Idle())
    while (task := pipe.recv()) is not None:
        try:
            for message in _work(task, tools, measures, warm, keep=keep):
                pipe.send(message)
        except Exception:  # noqa: BLE001 (our own fault: the watch raises it where a person sees it)
            pipe.send(Fault(traceback.format_exc()))
            return
        pipe.send(Idle())


def _work(
    task: Task, tools: Sequence[Tool], measures: Sequence[Measure], warm: set[str], *, keep: bool
) -> Iterator[Message]:
    page = task.corpus.read(task.page_id)
    if isinstance(page, BrokenPage):
        yield page
        return
    turbohtml.parse(page.html[:1000], positions=False)
    began = time.process_time()
    turbohtml.parse(page.html, positions=False)
    parse_ms = 1000 * (time.process_time() - began)
    for index in range(task.first, len(tools)):
        tool = tools[index]
        error = task.failed if index == task.first else None
        output, cpu_ms = Output(""), None
        if error is None:
            yield Began(index)
            try:
                if tool.name not in warm:
                    warm.add(tool.name)
                    tool.text(_WARMING)
            except Exception:  # noqa: BLE001, S110 (it may not like that page; ask again on a real one)
                pass
            began = time.process_time()
            try:
                if isinstance(tool, Own):
                    found = tool.extraction(page.html, page.url)
                    output = Output(found.text, found)
                else:
                    output = Output(tool.text(page.html, page.url))
                cpu_ms = 1000 * (time.process_time() - began)
            except Exception as problem:  # noqa: BLE001 (whatever a tool raises is counted)
                error = f"{type(problem).__name__}: {problem}"[:300]
            yield Ended()
        scores: Columns = {}
        for measure in measures:
            own = isinstance(tool, Own)
            scores |= measure.of(output, page) if error is None else measure.zero(page, own=own)
        yield Result(
            corpus=page.corpus,
            page=page.id,
            tool=tool.name,
            page_type=page.page_type,
            site=page.site,
            url=page.url,
            scores=scores,
            cpu_ms=cpu_ms,
            parse_ms=parse_ms,
            error=error,
            text=output.text if keep else None,
            gold=page.gold if keep else None,
        )


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    pipe: "Connection[Task | None, Message]"
    task: Task | None = None
    tool: int | None = None
    deadline: float | None = None

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


@dataclass(slots=True)
class Watch:
    """Runs tasks on processes and gives results as they come.

    Attributes:
        tools: what to run; each must be picklable.
        metrics: the names of the metrics to score by.
        jobs: how many processes.
        limit: seconds that a tool may take on a page.
        keep: whether results carry the texts.
    """

    tools: Sequence[Tool]
    metrics: Sequence[str]
    jobs: int
    limit: float
    keep: bool
    _workers: list[_Worker] = field(default_factory=list)
    _again: deque[Task] = field(default_factory=deque)

    def run(self, tasks: Iterable[Task]) -> Iterator[Result | BrokenPage]:
        """Run all tasks. Stopping early ends the processes."""
        waiting = iter(tasks)
        try:
            self._workers = [self._start() for _ in range(self.jobs)]
            while self._workers:
                yield from self._round(waiting)
        finally:
            for worker in self._workers:
                worker.end()

    def _start(self) -> _Worker:
        # Spawned, not forked: a fork would share the parsers' and loggers' locks and states with this process.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=_serve, args=(theirs, list(self.tools), list(self.metrics), self.keep), daemon=True
        )
        process.start()
        theirs.close()
        return _Worker(process, ours)

    def _round(self, waiting: Iterator[Task]) -> Iterator[Result | BrokenPage]:
        now = time.monotonic()
        deadlines = [worker.deadline for worker in self._workers if worker.deadline is not None]
        patience = max(0.0, min(deadlines) - now) if deadlines else None
        ready = set(wait([worker.pipe for worker in self._workers], patience))
        for worker in list(self._workers):
            if worker.pipe in ready:
                yield from self._hear(worker, waiting)
            elif worker.deadline is not None and time.monotonic() > worker.deadline:
                self._replace(worker, f"took more than {self.limit:g} s")

    def _hear(self, worker: _Worker, waiting: Iterator[Task]) -> Iterator[Result | BrokenPage]:
        try:
            message = worker.pipe.recv()
        except (EOFError, OSError):
            if worker.task is not None and worker.tool is None:
                yield BrokenPage(worker.task.page_id, worker.task.corpus.name, "the process reading it died")
                worker.task = None
            self._replace(worker, "took its process down")
            return
        if isinstance(message, Idle):
            worker.task = self._again.popleft() if self._again else next(waiting, None)
            worker.pipe.send(worker.task)
            if worker.task is None:
                worker.end()
                self._workers.remove(worker)
        elif isinstance(message, (Result, BrokenPage)):
            yield message
        elif isinstance(message, Fault):
            raise RuntimeError(  # noqa: TRY004 (the message is right; what it tells of is not)
                f"the evaluation itself failed on {worker.task}:\n{message.trace}"
            )
        elif isinstance(message, Began):
            worker.tool, worker.deadline = message.tool, time.monotonic() + self.limit
        else:
            worker.tool = worker.deadline = None

    def _replace(self, worker: _Worker, reason: str) -> None:
        """End a worker whose tool has failed; a fresh one goes on with the rest of the page."""
        worker.end()
        self._workers.remove(worker)
        if worker.task is not None and worker.tool is not None:
            self._again.append(replace(worker.task, first=worker.tool, failed=reason))
        self._workers.append(self._start())
