"""Run tools over corpora, in worker processes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tamis.errors import TamisError
from tamis.evaluate.corpora import BrokenPage, Corpus
from tamis.evaluate.metric_registry import get_metrics
from tamis.evaluate.page_runner import PageRunner, PageTask, quiet, skip_failed_tool
from tamis.evaluate.results import Result
from tamis.evaluate.tools import Tool
from tamis.processes import Failure, Supervisor

#: Seconds per page after which a tool counts as failed.
DEFAULT_TIMEOUT: Final = 60.0


@dataclass(frozen=True, slots=True)
class Plan:
    """The parameters of a run.

    Attributes:
        corpora: the labelled pages.
        tools: the tools to measure.
        metrics: the names of metrics, see `tamis.evaluate.metric_registry`.
        jobs: the number of worker processes.
        timeout: seconds that a tool may take per page.
        pages: the maximum number of pages per corpus, evenly spread; None for all.
        keep_text: whether results have the extracted text and the gold text.
        only: run these pages only, as pairs of corpus name and page name; None for all.
    """

    corpora: Sequence[Corpus]
    tools: Sequence[Tool]
    metrics: Sequence[str] = ("words",)
    jobs: int = 1
    timeout: float = DEFAULT_TIMEOUT
    pages: int | None = None
    keep_text: bool = False
    only: frozenset[tuple[str, str]] | None = None

    def tasks(self) -> list[PageTask]:
        """Return one task per page."""
        tasks = []
        for corpus in self.corpora:
            ids = corpus.page_ids()
            if self.only is not None:
                ids = [page_id for page_id in ids if (corpus.name, page_id) in self.only]
            if self.pages is not None and len(ids) > self.pages:
                ids = [ids[index * len(ids) // self.pages] for index in range(self.pages)]
            tasks += [PageTask(corpus, page_id) for page_id in ids]
        return tasks


def run(plan: Plan) -> Iterator[Result | BrokenPage]:
    """Run a plan and yield the results of each page as soon as it is done, in no particular order.

    A tool that raises, that takes more than `plan.timeout` seconds or that ends its process scores zero on that page,
    and the result has the error. Pages that cannot be used are yielded as `BrokenPage`.
    """
    get_metrics(plan.metrics)  # an unknown name is reported before any process starts
    return _results(plan)


def _results(plan: Plan) -> Iterator[Result | BrokenPage]:
    runner = PageRunner(list(plan.tools), list(plan.metrics), plan.timeout, plan.keep_text)
    supervisor = Supervisor(runner, size=max(1, plan.jobs), prepare=quiet)
    for outcome in supervisor.map(plan.tasks(), ordered=False, resume=skip_failed_tool):
        yield from outcome.emitted
        task = outcome.task
        if not isinstance(outcome, Failure):
            if outcome.value is not None:
                yield outcome.value
        elif isinstance(outcome.error, TamisError):  # such as an extra that a metric needs and that is missing
            raise outcome.error
        elif outcome.status == "error":
            raise RuntimeError(f"the evaluation itself failed on {task}:\n{outcome.traceback or outcome.message}")
        else:
            yield BrokenPage(task.page_id, task.corpus.name, f"the process reading it {outcome.message}")
