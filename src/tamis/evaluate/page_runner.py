"""What a worker process of the evaluation does: run tools on one page and score what they return.

A tool may hang in C code, run out of stack or take its process down. So each tool is a step of the page's task, with
a time limit of its own: one that exceeds it or ends the process scores zero on that page, and a fresh process goes on
with the tools that follow.
"""

import logging
import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

import turbohtml

from tamis.evaluate.corpora import BrokenPage, Corpus, LabelledPage
from tamis.evaluate.javascript import JavaScriptTool
from tamis.evaluate.metric_registry import Metric, Output, Scores, get_metrics
from tamis.evaluate.results import Result
from tamis.evaluate.tools import MarkdownTool, ProfileTool, TamisTool, Tool
from tamis.processes import Failure, emit, step

#: A page for a tool's first call, which also imports and builds tables; that time is not counted on a page.
_WARM_UP_PAGE: Final = "<html><head><title>Tea</title></head><body><p>Water just off the boil.</p></body></html>"


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page to run tools on.

    Attributes:
        corpus: where the page comes from.
        page_id: its name there.
        first: the index of the first tool to run.
        error: why that tool has failed already, if it has.
    """

    corpus: Corpus
    page_id: str
    first: int = 0
    error: str | None = None


def quiet() -> None:
    """Silence third-party tools, whose warnings would bury the table."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)


def skip_failed_tool(failure: Failure[PageTask]) -> PageTask | None:
    """Return the task that goes on after the tool that took its process down; None if no tool was running.

    `failure.task` is the task of the process that failed, so each call goes on from a later tool.
    """
    if failure.step is None:
        return None
    return replace(failure.task, first=failure.step, error=failure.message)


@dataclass(slots=True)
class PageRunner:
    """Runs tools on a page: emits one `Result` for each, and returns the page if it is broken.

    Attributes:
        tools: what to run; each must be picklable.
        metrics: the names of the metrics to score by.
        timeout: seconds that a tool may take per page.
        keep_text: whether results have the extracted text and the gold text.
    """

    tools: Sequence[Tool]
    metrics: Sequence[str]
    timeout: float
    keep_text: bool
    _warm: set[str] = field(default_factory=set)

    def __call__(self, task: PageTask) -> BrokenPage | None:
        """Run the tools of a task."""
        page = task.corpus.read(task.page_id)
        if isinstance(page, BrokenPage):
            return page
        metrics = get_metrics(self.metrics)
        with_markdown = page.gold_markdown is not None and any(metric.needs_markdown for metric in metrics)
        parse_ms = _parse_ms(page.html)
        for index in range(task.first, len(self.tools)):
            output, cpu_ms, error = Output(""), None, task.error if index == task.first else None
            if error is None:
                output, cpu_ms, error = self._run(index, page, with_markdown=with_markdown)
            has_extraction = isinstance(self.tools[index], TamisTool | ProfileTool)
            emit(
                Result(
                    corpus=page.corpus,
                    page=page.id,
                    tool=self.tools[index].name,
                    page_type=page.page_type,
                    site=page.site,
                    url=page.url,
                    language=page.language,
                    level=page.level,
                    tags=page.tags,
                    scores=_scores(metrics, output, page, has_extraction=has_extraction, failed=error is not None),
                    cpu_ms=cpu_ms,
                    parse_ms=parse_ms,
                    error=error,
                    text=output.text if self.keep_text else None,
                    gold=page.gold if self.keep_text else None,
                )
            )
        return None

    def _run(self, index: int, page: LabelledPage, *, with_markdown: bool) -> tuple[Output, float | None, str | None]:
        """Return a tool's output and its CPU time in milliseconds, or an error."""
        tool = self.tools[index]
        if tool.name not in self._warm:
            self._warm.add(tool.name)
            # With a limit of its own: loading a tool takes nothing from the time of its first page.
            with step(index, wall=self.timeout), suppress(Exception):  # it may not like that page; a real one follows
                tool.text(_WARM_UP_PAGE)
        with step(index, wall=self.timeout):
            try:
                return *self._output(tool, page, with_markdown=with_markdown), None
            except Exception as error:  # noqa: BLE001 (whatever a tool raises is counted)
                return Output(""), None, f"{type(error).__name__}: {error}"[:300]

    @staticmethod
    def _output(tool: Tool, page: LabelledPage, *, with_markdown: bool) -> tuple[Output, float]:
        """Return a tool's output and the CPU time of its text. Markdown is written after that."""
        began = time.process_time()
        if isinstance(tool, TamisTool | ProfileTool):
            extraction = tool.extraction(page.html, page.url)
            output = Output(extraction.text, extraction)
            cpu_ms = 1000 * (time.process_time() - began)
            return (replace(output, markdown=extraction.markdown) if with_markdown else output), cpu_ms
        if isinstance(tool, JavaScriptTool):
            text, cpu_ms = tool.timed_text(page.html, page.url)
            markdown = tool.markdown(page.html, page.url) if with_markdown else None
            return Output(text, markdown=markdown), cpu_ms
        output = Output(tool.text(page.html, page.url))
        cpu_ms = 1000 * (time.process_time() - began)
        if with_markdown and isinstance(tool, MarkdownTool):
            output = replace(output, markdown=tool.markdown(page.html, page.url))
        return output, cpu_ms


def _parse_ms(html: str) -> float:
    turbohtml.parse(html[:1000], positions=False)
    began = time.process_time()
    turbohtml.parse(html, positions=False)
    return 1000 * (time.process_time() - began)


def _scores(
    metrics: Sequence[Metric], output: Output, page: LabelledPage, *, has_extraction: bool, failed: bool
) -> Scores:
    scores: Scores = {}
    for metric in metrics:
        scores |= metric.zero(page, has_extraction=has_extraction) if failed else metric.score(output, page)
    return scores
