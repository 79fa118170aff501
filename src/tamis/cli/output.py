"""Where outputs go: standard output, a file or a folder, and in which format."""

import os
import stat
import sys
from contextlib import contextmanager
from dataclasses import field
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, TextIO

from tamis.errors import OptionError, SourceError
from tamis.lazy import dataclass
from tamis.render.registry import formats, get_format

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tamis.sources import Source

#: The format that has a writer of its own, because it is binary.
PARQUET: Final = "parquet"
#: Formats of records. The title is a value of its own in them, so that their text has it only with ``--title``.
RECORDS: Final = frozenset({"json", "jsonl", "csv", PARQUET})
#: Formats with a row for each page, the same in each: see `tamis.batch.rows`.
ROWS: Final = frozenset({"jsonl", "csv", PARQUET})
#: Control characters but line breaks; what a page says is quoted in messages.
_CONTROLS: Final = dict.fromkeys([*range(10), *range(11, 32), *range(127, 160)])
_OTHER_SUFFIXES: Final = {"htm": "html", "markdown": "markdown", "ndjson": "jsonl", PARQUET: PARQUET}


def choose_format(given: dict[str, str], output: str | None) -> str:
    """Return the name of the format that options name, else that of the suffix of the output, else text.

    >>> choose_format({}, "pages/tea.md"), choose_format({"--json": "json"}, "tea.md"), choose_format({}, None)
    ('markdown', 'json', 'text')
    """
    names = {name if name == PARQUET else get_format(name).name for name in given.values()}
    if len(names) > 1:
        raise OptionError(f"{' and '.join(given)} name different formats; give one")
    if names:
        return names.pop()
    _check_suffix(output)
    return suffix_format(output) or "text"


def _check_suffix(output: str | None) -> None:
    """Raise an `OptionError` for an output whose suffix stands for no format."""
    path = Path(output or "")
    is_named = output is not None and not output.endswith(("/", os.sep)) and not path.is_dir()
    if is_named and path.suffix and suffix_format(output) is None:
        known = ", ".join(f".{name}" for name in [*(entry.suffix for entry in formats()), PARQUET])
        raise OptionError(
            f"unknown suffix of the output: {output}; known: {known}; or name a --format, or a folder as {output}/"
        )


def suffix_format(path: str | None) -> str | None:
    """Return the name of the format that a file's suffix stands for. Lines of rows may be compressed.

    >>> suffix_format("tea.htm"), suffix_format("rows.csv.gz"), suffix_format("tea.html.gz")
    ('html', 'csv', None)
    """
    suffix = Path(path).suffix.lower().lstrip(".") if path else ""
    if path and suffix in {"gz", "zst"}:
        name = suffix_format(path[: -len(suffix) - 1])
        return name if name in {"jsonl", "csv"} else None
    if suffix in _OTHER_SUFFIXES:
        return _OTHER_SUFFIXES[suffix]
    return (
        next((entry.name for entry in formats() if suffix in {entry.suffix, *entry.names}), None) if suffix else None
    )


def check_suffix(output: Path | None, *known: str) -> None:
    """Raise an `OptionError` for the path of a file whose suffix is not one of those that are known.

    >>> check_suffix(Path("why.docx"), ".html", ".json")
    Traceback (most recent call last):
    tamis.errors.OptionError: unknown suffix of the output: why.docx; known: .html, .json
    """
    if output is not None and str(output) != "-" and output.suffix.lower() not in known:
        raise OptionError(f"unknown suffix of the output: {output}; known: {', '.join(known)}")


def is_folder(output: str, *, several: bool) -> bool:
    """Return whether an output path is a folder: it is one, ends in a slash, or has no format's suffix."""
    if Path(output).is_dir() or output.endswith(("/", os.sep)):
        return True
    if not several or suffix_format(output) is not None:
        return False
    if Path(output).exists():
        raise OptionError(f"{output} is a file; several pages need a folder, or a suffix such as .md or .jsonl")
    return True


@dataclass(eq=False, repr=False)
class Destination:
    """Standard output, or a file that the first write creates.

    Attributes:
        path: the file; None for standard output.
        kept: files that are never replaced, by their real paths: the pages that are read.
        may_replace: whether another file that exists is replaced.
    """

    path: Path | None
    kept: frozenset[str] = frozenset()
    may_replace: bool = True
    _stream: BinaryIO | None = field(default=None, init=False)

    @property
    def name(self) -> str:
        """What messages call it."""
        return "standard output" if self.path is None else str(self.path)

    def write(self, text: str) -> None:
        """Write text as UTF-8 in every locale: web pages are not ASCII."""
        with writing(self.name):
            if self.path is None:
                stream = sys.stdout.buffer
            else:
                self._stream = stream = self._stream or self._open(self.path)
            stream.write(text.encode("utf-8", "replace"))
            stream.flush()

    def check(self) -> None:
        """Raise an `OptionError` if the file may not be replaced."""
        path = self.path
        if path is not None and os.path.realpath(path) in self.kept:
            raise OptionError(f"{path} is a page that is read: name another output")
        if path is not None and not self.may_replace and path.is_file() and path.stat().st_size:
            raise OptionError(f"{path} exists: give --overwrite to replace it")

    def _open(self, path: Path) -> BinaryIO:
        self.check()
        return path.open("wb")

    def close(self) -> None:
        """Close the file."""
        if self._stream is not None:
            self._stream.close()


@dataclass(eq=False, repr=False)
class Folder:
    """A folder with an output for each page. Pages of a folder have their outputs in the same subfolders.

    Attributes:
        path: the folder. The first output creates it.
        kept: as in `Destination`.
        may_replace: likewise.
    """

    path: Path
    kept: frozenset[str] = frozenset()
    may_replace: bool = True
    _names: set[str] = field(default_factory=set, init=False)

    def new_file(self, source: "Source", suffix: str) -> Destination:
        """Return a file that no other page of this run has: ``a/tea.htm`` beside ``a/tea.html`` keeps its suffix."""
        names = [source.stem] if source.relative is None else [source.stem, source.relative]
        free = chain(names, (f"{source.stem}-{number}" for number in count(2)))
        name = next(each for each in (f"{stem}.{suffix}" for stem in free) if each not in self._names)
        self._names.add(name)
        target = self.path / name
        with writing(str(target.parent)):
            target.parent.mkdir(parents=True, exist_ok=True)
        return Destination(target, self.kept, self.may_replace)


def print_message(message: str) -> None:
    """Print a message to standard error, after the name of the program. What it quotes cannot control a terminal."""
    print(f"tamis: {message.translate(_CONTROLS)}", file=sys.stderr, flush=True)


@contextmanager
def writing(name: str) -> "Iterator[None]":
    """Turn what goes wrong while an output is written into a `SourceError`, except for a pipe that was closed."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise SourceError(f"cannot write {name}: {(error.strerror or str(error)).lower()}") from error


def silence_stdout() -> None:
    """Let what is still buffered for standard output go nowhere, so that Python does not fail on it when it ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # there is no such file descriptor, as in a test
        return


def use_color(stream: TextIO) -> bool:
    """Return whether colours belong in a stream: a terminal that knows them, unless ``NO_COLOR`` is set.

    >>> import io
    >>> use_color(io.StringIO())
    False
    """
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def stdin_is_piped() -> bool:
    """Return whether standard input is a pipe or a file, and not a terminal or ``/dev/null``."""
    if sys.stdin is None or sys.stdin.closed:
        return False
    try:
        return not stat.S_ISCHR(os.fstat(sys.stdin.fileno()).st_mode)
    except (OSError, ValueError):  # not a file of the system
        return not sys.stdin.isatty()
