"""Run tools over corpora."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tamis.evaluate.corpora import BrokenPage, Corpus
from tamis.evaluate.measures import measures_named
from tamis.evaluate.page_runner import PageRunner, PageTask, quiet, skip_failed_tool
from tamis.evaluate.results import Result
from tamis.evaluate.tools import Tool
from tamis.processes import Failure, Supervisor

#: Seconds that a tool may take on a page before it counts as failed there.
LIMIT: Final = 60.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run over what.

    Attributes:
        corpora: where the pages come from.
        tools: what is measured.
        metrics: by which metrics, see `tamis.evaluate.measures`.
        jobs: how many processes at once.
        limit: seconds that a tool may take on a page.
        pages: at most so many pages of each corpus, evenly spread; None for all.
        keep: whether results carry the texts.
        only: these pages alone, as pairs of corpus name and page name; None for all.
    """

    corpora: Sequence[Corpus]
    tools: Sequence[Tool]
    metrics: Sequence[str] = ("words",)
    jobs: int = 1
    limit: float = LIMIT
    pages: int | None = None
    keep: bool = False
    only: frozenset[tuple[str, str]] | None = None

    def tasks(self) -> list[PageTask]:
        """Return one task per page."""
        out = []
        for corpus in self.corpora:
            ids = corpus.ids()
            if self.only is not None:
                ids = [page_id for page_id in ids if (corpus.name, page_id) in self.only]
            if self.pages is not None and len(ids) > self.pages:
                ids = [ids[place * len(ids) // self.pages] for place in range(self.pages)]
            out += [PageTask(corpus, page_id) for page_id in ids]
        return out


def run(plan: Plan) -> Iterator[Result | BrokenPage]:
    """Run a plan and yield the results of each page as soon as it is done, in no particular order.

    A tool that raises, that takes more than `plan.limit` seconds or that ends its process scores zero on that page;
    the result says why. Pages that cannot be used are given too, with the reason.
    """
    measures_named(plan.metrics)  # a wrong name is reported before any process starts
    return _results(plan)


def _results(plan: Plan) -> Iterator[Result | BrokenPage]:
    runner = PageRunner(list(plan.tools), list(plan.metrics), plan.limit, plan.keep)
    supervisor = Supervisor(runner, size=max(1, plan.jobs), prepare=quiet)
    for outcome in supervisor.map(plan.tasks(), ordered=False, resume=skip_failed_tool):
        yield from outcome.emitted
        task = outcome.task
        if not isinstance(outcome, Failure):
            if outcome.value is not None:
                yield outcome.value
        elif outcome.status == "error":
            raise RuntimeError(f"the evaluation itself failed on {task}:\n{outcome.traceback or outcome.message}")
        else:
            yield BrokenPage(task.page_id, task.corpus.name, f"the process reading it {outcome.message}")
