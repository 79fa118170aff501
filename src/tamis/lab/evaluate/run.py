"""Run tools over corpora in worker processes, page by page, and keep the results."""

import json
import logging
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Final, Self

import turbohtml

from tamis.errors import OptionError, SourceError, TamisError, needs_extra
from tamis.lab.evaluate.corpora import BrokenPage, Corpus, LabelledPage
from tamis.lab.evaluate.javascript import JavaScriptTool
from tamis.lab.evaluate.metric_registry import Metric, Output, Scores, get_metrics
from tamis.lab.evaluate.tools import TamisTool, Tool
from tamis.processes import Failure, Supervisor, emit, step

# The result of one tool on one page, and files of results: JSON Lines or Parquet.


@dataclass(frozen=True, slots=True)
class Result:
    """The scores of one tool on one page.

    Attributes:
        scores: the scores by column, see `tamis.lab.evaluate.metric_registry`.
        cpu_ms: the CPU time of the tool in milliseconds, or None if it failed.
        parse_ms: the CPU time of parsing the same markup and nothing else.
        text: the extracted text, if the run keeps texts.
    """

    corpus: str
    page: str
    tool: str
    page_type: str | None = None
    site: str | None = None
    url: str | None = None
    language: str | None = None
    level: str | None = None
    tags: tuple[str, ...] = ()
    scores: dict[str, float] = field(default_factory=dict)
    cpu_ms: float | None = None
    parse_ms: float | None = None
    error: str | None = None
    text: str | None = None
    gold: str | None = None

    def to_row(self) -> dict[str, Any]:
        """Return the result as one level of columns, without texts if it has none.

        >>> Result("c", "1", "cetd", scores={"words.f1": 0.5}).to_row()["words.f1"]
        0.5
        """
        row: dict[str, Any] = asdict(self)
        row["tags"] = list(self.tags)
        scores: dict[str, float] = row.pop("scores")
        for name in ("text", "gold"):
            if row[name] is None:
                del row[name]
        return row | scores


class ResultFile:
    """A file of results. Its suffix is its format: ``.jsonl`` or ``.parquet``.

    JSON Lines are written at once, so that an interrupted run keeps its results. Parquet is written on closing.
    """

    def __init__(self, path: Path) -> None:
        if path.suffix not in {".jsonl", ".parquet"}:
            raise OptionError(f"results are written to .jsonl or .parquet, not to {path.name}")
        self._path = path
        self._rows: list[dict[str, Any]] = []
        self._lines: IO[str] | None = None
        if path.suffix == ".parquet":
            _parquet()  # a missing extra is reported before the run, not after it
        try:
            self._lines = path.open("w", encoding="utf-8")
        except OSError as error:
            raise SourceError(f"cannot write {path}: {error.strerror}") from error

    def write(self, result: Result) -> None:
        """Add one result."""
        if self._path.suffix == ".parquet":
            self._rows.append(result.to_row())
        elif self._lines is not None:
            self._lines.write(json.dumps(result.to_row(), ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Write the rest and close the file."""
        if self._lines is None:
            return
        self._lines.close()
        self._lines = None
        if self._path.suffix == ".parquet":
            import pyarrow as pa  # noqa: PLC0415 (an extra)

            names = dict.fromkeys(name for row in self._rows for name in row)
            table = pa.table({name: [row.get(name) for row in self._rows] for name in names})
            _parquet().write_table(table, self._path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _parquet() -> Any:  # noqa: ANN401 (pyarrow has no types)
    with needs_extra("pyarrow", "eval"):
        import pyarrow.parquet  # noqa: PLC0415 (an extra)
    return pyarrow.parquet


# What a worker process of the evaluation does: run tools on one page and score what they return.
#
# A tool may hang in C code, run out of stack or take its process down. So each tool is a step of the page's task,
# with a time limit of its own: one that exceeds it or ends the process scores zero on that page, and a fresh
# process goes on with the tools that follow.

#: A page for a tool's first call, which also imports and builds tables; that time is not counted on a page.
_WARM_UP_PAGE: Final = "<html><head><title>Tea</title></head><body><p>Water just off the boil.</p></body></html>"


@dataclass(frozen=True, slots=True)
class PageTask:
    """A page to run tools on.

    Attributes:
        first: the index of the first tool to run.
        error: why that tool has failed already, if it has.
    """

    corpus: Corpus
    page_id: str
    first: int = 0
    error: str | None = None


#: Seconds per page after which a tool counts as failed.
DEFAULT_TIMEOUT: Final = 60.0


@dataclass(frozen=True, slots=True)
class Plan:
    """The parameters of a run.

    Attributes:
        metrics: the names of metrics, see `tamis.lab.evaluate.metric_registry`.
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


def silence_output() -> None:
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
    """Runs the tools of a plan on a page: emits one `Result` for each, and returns the page if it is broken."""

    plan: Plan
    _warm: set[str] = field(default_factory=set)

    def __call__(self, task: PageTask) -> BrokenPage | None:
        """Run the tools of a task."""
        page = task.corpus.read(task.page_id)
        if isinstance(page, BrokenPage):
            return page
        metrics = get_metrics(self.plan.metrics)
        with_markdown = page.gold_markdown is not None and any(metric.needs_markdown for metric in metrics)
        parse_ms = _parse_ms(page.html)
        for index in range(task.first, len(self.plan.tools)):
            output, cpu_ms, error = Output(""), None, task.error if index == task.first else None
            if error is None:
                output, cpu_ms, error = self._run(index, page, with_markdown=with_markdown)
            has_extraction = isinstance(self.plan.tools[index], TamisTool)
            emit(
                Result(
                    corpus=page.corpus,
                    page=page.id,
                    tool=self.plan.tools[index].name,
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
                    text=output.text if self.plan.keep_text else None,
                    gold=page.gold if self.plan.keep_text else None,
                )
            )
        return None

    def _run(self, index: int, page: LabelledPage, *, with_markdown: bool) -> tuple[Output, float | None, str | None]:
        """Return a tool's output and its CPU time in milliseconds, or an error."""
        tool = self.plan.tools[index]
        if tool.name not in self._warm:
            self._warm.add(tool.name)
            # With a limit of its own: loading a tool takes nothing from the time of its first page. It may not like
            # this one; a real one follows.
            with step(index, wall=self.plan.timeout), suppress(Exception):
                tool.text(_WARM_UP_PAGE)
        with step(index, wall=self.plan.timeout):
            try:
                return *self._output(tool, page, with_markdown=with_markdown), None
            except Exception as error:  # noqa: BLE001 (whatever a tool raises is counted)
                return Output(""), None, f"{type(error).__name__}: {error}"[:300]

    @staticmethod
    def _output(tool: Tool, page: LabelledPage, *, with_markdown: bool) -> tuple[Output, float]:
        """Return a tool's output and the CPU time of its text. Markdown is written after that."""
        began = time.process_time()
        extraction = tool.extraction(page.html, page.url) if isinstance(tool, TamisTool) else None
        if isinstance(tool, JavaScriptTool):
            text, cpu_ms = tool.timed_text(page.html, page.url)
        else:
            text = tool.text(page.html, page.url) if extraction is None else extraction.text
            cpu_ms = 1000 * (time.process_time() - began)
        markdown = None
        if with_markdown:
            markdown = tool.markdown(page.html, page.url) if extraction is None else extraction.markdown
        return Output(text, extraction, markdown), cpu_ms


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


def run(plan: Plan) -> Iterator[Result | BrokenPage]:
    """Run a plan and yield the results of each page as soon as it is done, in no particular order.

    A tool that raises, that takes more than `plan.timeout` seconds or that ends its process scores zero on that page,
    and the result has the error. Pages that cannot be used are yielded as `BrokenPage`.
    """
    get_metrics(plan.metrics)  # an unknown name is reported before any process starts
    return _results(plan)


def _results(plan: Plan) -> Iterator[Result | BrokenPage]:
    supervisor = Supervisor(PageRunner(plan), size=max(1, plan.jobs), prepare=silence_output)
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
