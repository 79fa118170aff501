"""The result of one tool on one page, and files of results: JSON Lines or Parquet."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import IO, Any, Self

from tamis.errors import MissingExtraError, OptionError, SourceError


@dataclass(frozen=True, slots=True)
class Result:
    """The scores of one tool on one page.

    Attributes:
        corpus: the name of the corpus.
        page: the name of the page in the corpus.
        tool: the name of the tool.
        page_type: the type of the page, if known.
        site: the hostname of the page, if known.
        url: the URL of the page, if known.
        language: the language of the page, if the corpus has it.
        level: how hard the page is, if the corpus says so.
        tags: what the page has, if the corpus says so.
        scores: the scores by column, see `tamis.evaluate.metric_registry`.
        cpu_ms: the CPU time of the tool in milliseconds, or None if it failed.
        parse_ms: the CPU time of parsing the same markup and nothing else.
        error: why the tool failed, or None.
        text: the extracted text, if the run keeps texts.
        gold: the gold text, likewise.
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
        """Return the result as one level of columns, without texts if there are none.

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


def read_results(path: Path) -> Iterator[Result]:
    """Read the results in a file that `ResultFile` wrote."""
    rows: Iterable[dict[str, Any]]
    if path.suffix == ".parquet":
        rows = _parquet().read_table(path).to_pylist()
    else:
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    names = {column.name for column in fields(Result)} - {"scores"}
    for row in rows:
        scores = {name: value for name, value in row.items() if name not in names and value is not None}
        values: dict[str, Any] = {name: row.get(name) for name in names}
        values["tags"] = tuple(values["tags"] or ())
        yield Result(**values, scores=scores)


def _parquet() -> Any:  # noqa: ANN401 (pyarrow has no types)
    try:
        import pyarrow.parquet  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("pyarrow", "eval") from error
    return pyarrow.parquet
