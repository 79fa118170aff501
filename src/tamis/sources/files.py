"""Files and folders, local ones and those of fsspec: which are pages, and how each is read."""

import io
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Unpack, cast

from tamis.errors import SourceError, needs_extra
from tamis.lazy import dataclass, lazy_pattern
from tamis.sources.records import Record

if TYPE_CHECKING:
    from tamis.sources.fetch import FetchKeywords

# Pages named on a command line: files (plain or gzipped), folders, ``-`` for standard input, URLs.

_URL: Final = lazy_pattern(r"https?://", re.IGNORECASE)
_OTHER_URL: Final = lazy_pattern(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
PAGE_SUFFIXES: Final = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")
_GZIP_MAGIC: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Source:
    """A page that can be read.

    Attributes:
        name: its name on the command line.
        stem: the path of its output in a folder, without the suffix. Pages of a folder keep their subfolders.
        relative: its path in the folder that was given, with its suffix; None if the page itself was given.
        body: its bytes, if they were read already.
    """

    name: str
    stem: str
    relative: str | None = None
    body: bytes | None = field(default=None, repr=False)

    @property
    def is_url(self) -> bool:
        """Whether the page is downloaded."""
        return _URL.match(self.name) is not None

    def read(self, **keywords: "Unpack[FetchKeywords]") -> tuple[bytes, str | None, str | None]:
        """Return the page's bytes, and for a URL the final URL and the declared encoding.

        A person has named a URL, so that it may be in a private network. The keywords are those of `tamis.fetch`.
        """
        if self.body is not None:
            return self.body, None, None
        if self.is_url:
            from tamis.sources.fetch import fetch  # noqa: PLC0415 (needs the extra `fetch`)

            keywords.setdefault("allow_private", True)
            page = fetch(self.name, **keywords)
            return page.body, page.url, page.encoding
        if self.name == "-":
            return sys.stdin.buffer.read(), None, None
        if _OTHER_URL.match(self.name) and not Path(self.name).exists():
            raise SourceError("only http and https URLs are read")
        return read_file(Path(self.name)), None, None


def read_file(path: Path, max_bytes: int | None = None) -> bytes:
    """Return the bytes of a file, decompressed if it is gzipped. Of a larger page, one byte more than allowed."""
    try:
        with path.open("rb") as file:
            return read_page(file, path.name, max_bytes)
    except OSError as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"cannot be read: {(error.strerror or str(error)).lower()}") from error


def read_page(file: IO[bytes], name: str, max_bytes: int | None = None) -> bytes:
    """Return the bytes of a page from an open file, as `read_file` does."""
    size = -1 if max_bytes is None else max_bytes + 1
    data = file.read(size)
    if not name.lower().endswith(".gz") or data[:2] != _GZIP_MAGIC:
        return data
    import gzip  # noqa: PLC0415 (few pages are compressed)

    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as unzipped:
            return unzipped.read(size)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SourceError(f"broken gzip data ({error})") from error


def open_pages(names: Sequence[str]) -> Iterator[Source]:
    """Yield a source for each name. A folder stands for the pages in it and below, sorted by name.

    >>> [source.stem for source in open_pages(["a/b.html", "-", "https://example.org/x/y?z"])]
    ['b', 'stdin', 'example.org-x-y-z']
    """
    for name in names:
        if not name:
            raise SourceError("the name of a page is empty")
        if name == "-":
            yield Source(name, "stdin")
        elif _URL.match(name):
            yield Source(name, re.sub(r"[^\w.]+", "-", _URL.sub("", name)).strip("-")[:120] or "page")
        elif Path(name).is_dir():
            yield from _open_folder(Path(name), is_named=len(names) > 1)
        else:
            yield Source(name, _without_suffix(Path(name)).name)


def _open_folder(folder: Path, *, is_named: bool) -> Iterator[Source]:
    """Yield the pages of a folder. If it is one of several names, their outputs are in a folder with its name."""
    paths = sorted(path for path in folder.rglob("*") if path.name.lower().endswith(PAGE_SUFFIXES) and path.is_file())
    if not paths:
        raise SourceError(f"{folder} has no .html files")
    prefix = Path(folder.resolve().name if is_named else "")
    for path in paths:
        relative = prefix / path.relative_to(folder)
        yield Source(str(path), _without_suffix(relative).as_posix(), relative.as_posix())


def _without_suffix(path: Path) -> Path:
    return path.with_suffix("").with_suffix("") if path.suffix == ".gz" else path.with_suffix("")


Reader = Callable[[str, int | None], Iterator[Record]]
#: The suffixes of each reader of containers, as ``module:function``, imported on first use.
_CONTAINERS: Final = (
    ((".warc", ".warc.gz", ".warc.zst", ".warc.lz4"), "tamis.sources.warc:read_warc"),
    ((".wacz",), "tamis.sources.warc:read_wacz"),
    (
        (".jsonl", ".jsonl.gz", ".jsonl.zst", ".ndjson", ".ndjson.gz", ".ndjson.zst"),
        "tamis.sources.lines:read_json_lines",
    ),
    ((".parquet", ".arrow", ".feather"), "tamis.sources.tables:read_arrow"),
    ((".zip",), "tamis.sources.archives:read_zip"),
    ((".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"), "tamis.sources.archives:read_tar"),
)
#: Lists of URLs are read where they are named; a text in a folder of pages is not a list.
URL_LIST_SUFFIXES: Final = (".txt", ".urls")
_READERS: Final = (*_CONTAINERS, (URL_LIST_SUFFIXES, "tamis.sources.lines:read_url_list"))
#: Suffixes of containers, which are opened where they lie in a folder.
CONTAINER_SUFFIXES: Final = tuple(suffix for suffixes, _ in _CONTAINERS for suffix in suffixes)


def reader_for(name: str) -> Reader:
    """Return the function that reads a source.

    >>> reader_for("crawl.warc.gz").__name__, reader_for("page.html").__name__, reader_for("-").__name__
    ('read_warc', 'read_record', 'read_stdin')
    """
    lower = name.lower()
    path = "tamis.sources.files:read_record"
    if name == "-":
        path = "tamis.sources.lines:read_stdin"
    elif lower.startswith(("http://", "https://")):
        path = "tamis.sources.lines:read_url"
    else:
        path = next((reader for suffixes, reader in _READERS if lower.endswith(suffixes)), path)
    module, _, function = path.partition(":")
    return cast("Reader", getattr(import_module(module), function))


# Files and folders, local ones and those of fsspec.

_FSSPEC: Final = lazy_pattern(r"(?!https?:)[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def is_fsspec(name: str) -> bool:
    """Tell whether a name is a URL that fsspec opens.

    >>> is_fsspec("s3://bucket/a.warc.gz"), is_fsspec("https://example.org"), is_fsspec("a.html")
    (True, False, False)
    """
    return _FSSPEC.match(name) is not None


def _file_system(name: str) -> tuple[Any, str]:
    with needs_extra("fsspec", "batch"):
        import fsspec  # noqa: PLC0415 (an extra)
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


def read_record(name: str, max_bytes: int | None) -> Iterator[Record]:
    """Yield the page of one file. A local file is read by the worker that extracts it."""
    if not is_fsspec(name):
        error = None if Path(name).exists() else "no such file or directory"
        yield Record(name, path=name, error=error)
        return
    try:
        with open_binary(name) as file:
            yield Record(name, body=read_page(file, name, max_bytes))
    except SourceError as error:
        yield Record(name, error=str(error))
