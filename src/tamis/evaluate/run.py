"""Run tools over corpora."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from tamis.evaluate.corpora import BrokenPage, Corpus
from tamis.evaluate.measures import measures_named
from tamis.evaluate.results import Result
from tamis.evaluate.tools import Tool
from tamis.evaluate.workers import Task, Watch

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

    def tasks(self) -> list[Task]:
        """Return one task a page."""
        out = []
        for corpus in self.corpora:
            ids = corpus.ids()
            if self.only is not None:
                ids = [page_id for page_id in ids if (corpus.name, page_id) in self.only]
            if self.pages is not None and len(ids) > self.pages:
                ids = [ids[place * len(ids) // self.pages] for place in range(self.pages)]
            out += [Task(corpus, page_id) for page_id in ids]
        return out


def run(plan: Plan) -> Iterator[Result | BrokenPage]:
    """Run a plan and give each result as soon as there is one, in no particular order.

    A tool that raises, that takes more than `plan.limit` seconds or that ends its process scores zero on that page;
    the result says why. Pages that cannot be used are given too, with the reason.
    """
    measures_named(plan.metrics)  # a wrong name is told before any process starts
    watch = Watch(plan.tools, plan.metrics, max(1, plan.jobs), plan.limit, plan.keep)
    return watch.run(plan.tasks())
