"""Files and folders, local ones and those of fsspec."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, cast

from tamis.batch.records import Record
from tamis.batch.sources.kinds import CONTAINER_SUFFIXES
from tamis.errors import MissingExtraError, SourceError
from tamis.sources.files import PAGE_SUFFIXES
from tamis.sources.files import read_page as read_page_bytes

_FSSPEC: Final = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def is_fsspec(name: str) -> bool:
    """Tell whether a name is a URL that fsspec opens.

    >>> is_fsspec("s3://bucket/a.warc.gz"), is_fsspec("https://example.org"), is_fsspec("a.html")
    (True, False, False)
    """
    return _FSSPEC.match(name) is not None


def _file_system(name: str) -> tuple[Any, str]:
    try:
        import fsspec  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("fsspec", "batch") from error
    try:
        return cast("tuple[Any, str]", fsspec.core.url_to_fs(name))
    except (ValueError, ImportError) as error:
        raise SourceError(f"{name}: {error}") from error


@contextmanager
def open_binary(name: str) -> Iterator[IO[bytes]]:
    """Open a file for reading."""
    try:
        if is_fsspec(name):
            system, path = _file_system(name)
            with system.open(path, "rb") as file:
                yield file
        else:
            with Path(name).open("rb") as file:
                yield file
    except OSError as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"{name}: {(error.strerror or str(error)).lower()}") from error


def is_folder(name: str) -> bool:
    """Tell whether a name is a folder."""
    if is_fsspec(name):
        system, path = _file_system(name)
        return bool(system.isdir(path))
    return Path(name).is_dir()


def list_folder(name: str) -> Iterator[tuple[str, str]]:
    """Yield the pages and containers in a folder and below, by name: the path relative to the folder, and the path.

    A folder is listed when it is reached, and sorted: the order is the same in every run.
    """
    if is_fsspec(name):
        system, folder = _file_system(name)
        paths = sorted(path for path in system.find(folder) if _is_wanted(path))
        for path in paths:
            yield (
                path[len(folder.rstrip("/")) + 1 :] if path.startswith(folder) else path,
                system.unstrip_protocol(path),
            )
        return
    root = Path(name)
    # Told apart from folders now: a page that vanishes before its turn is still in the list, and a row with an error.
    found = (path for path in root.rglob("*") if _is_wanted(path.name) and path.is_file())
    for path in sorted(found, key=lambda path: path.parts):
        yield path.relative_to(root).as_posix(), str(path)


def _is_wanted(name: str) -> bool:
    return name.lower().endswith((*PAGE_SUFFIXES, *CONTAINER_SUFFIXES))


def read_page(name: str, max_bytes: int | None) -> Iterator[Record]:
    """Yield the page of one file. A local file is read by the worker that extracts it."""
    if not is_fsspec(name):
        error = None if Path(name).exists() else "no such file or directory"
        yield Record(name, path=name, error=error)
        return
    try:
        with open_binary(name) as file:
            yield Record(name, body=read_page_bytes(file, name, max_bytes))
    except SourceError as error:
        yield Record(name, error=str(error))
