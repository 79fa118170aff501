"""The result of one tool on one page, and files of them: JSON lines, or Parquet."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import IO, Any, Self

from tamis.errors import MissingExtraError, OptionError, SourceError


@dataclass(frozen=True, slots=True)
class Result:
    """How one tool did on one page.

    Attributes:
        corpus: the corpus of the page.
        page: the page's name within it.
        tool: the name of the tool.
        page_type: where known.
        site: the host it comes from, where known.
        url: its address, where known.
        scores: numbers by column, see `tamis.evaluate.measures`.
        cpu_ms: processor time the tool took; None when it failed.
        parse_ms: processor time that bare parsing of the same markup took.
        error: why it failed, None when it did not.
        text: what it made of the page, where that was asked for.
        gold: what it should have made, likewise.
    """

    corpus: str
    page: str
    tool: str
    page_type: str | None = None
    site: str | None = None
    url: str | None = None
    scores: dict[str, float] = field(default_factory=dict)
    cpu_ms: float | None = None
    parse_ms: float | None = None
    error: str | None = None
    text: str | None = None
    gold: str | None = None

    def flat(self) -> dict[str, Any]:
        """Return one level of columns, texts left out unless they were kept.

        >>> Result("c", "1", "cetd", scores={"words.f1": 0.5}).flat()["words.f1"]
        0.5
        """
        row: dict[str, Any] = asdict(self)
        scores: dict[str, float] = row.pop("scores")
        for name in ("text", "gold"):
            if row[name] is None:
                del row[name]
        return row | scores


class ResultFile:
    """A file that takes results as they come; its suffix says which kind it is.

    JSON lines are written at once, so that a run that stops leaves what it had. Parquet is written on closing.
    """

    def __init__(self, path: Path) -> None:
        if path.suffix not in {".jsonl", ".parquet"}:
            raise OptionError(f"results are written to .jsonl or .parquet, not to {path.name}")
        self._path = path
        self._rows: list[dict[str, Any]] = []
        self._lines: IO[str] | None = None
        if path.suffix == ".parquet":
            _parquet()  # told before the run, not after it
        try:
            self._lines = path.open("w", encoding="utf-8")
        except OSError as error:
            raise SourceError(f"cannot write {path}: {error.strerror}") from error

    def add(self, result: Result) -> None:
        """Take one result."""
        if self._path.suffix == ".parquet":
            self._rows.append(result.flat())
        elif self._lines is not None:
            self._lines.write(json.dumps(result.flat(), ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Write what is left."""
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
    """Read results that a `ResultFile` wrote."""
    rows: Iterable[dict[str, Any]]
    if path.suffix == ".parquet":
        rows = _parquet().read_table(path).to_pylist()
    else:
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    own = {each.name for each in fields(Result)} - {"scores"}
    for row in rows:
        scores = {name: value for name, value in row.items() if name not in own and value is not None}
        known: dict[str, Any] = {name: row.get(name) for name in own}
        yield Result(**known, scores=scores)


def _parquet() -> Any:  # noqa: ANN401 (pyarrow has no types)
    try:
        import pyarrow.parquet  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("pyarrow", "eval") from error
    return pyarrow.parquet
